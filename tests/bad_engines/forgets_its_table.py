"""Answers rightly, but begins a game anew where a turn goes on with the table answered last."""

from rightly import answer, serve

START = {"grill": list(range(21, 37)), "face_down": [], "stacks": [[], []], "player": 1}


def forget(request, right):
    if request["method"] == "turn" and request["params"]["table"] is None:
        request["params"]["table"] = START
        return answer(request)
    return right


serve(forget)
