"""Answers every turn by the error that means: the engine itself crashed."""

from rightly import serve


def crash(request, right):
    if request["method"] != "turn":
        return right
    return {"id": request["id"], "error": {"code": 3, "message": "lost a die"}}


serve(crash)
