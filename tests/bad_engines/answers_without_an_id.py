"""Answers every turn by an error without an id, as one that can't read the request must."""

from rightly import serve


def unreadable(request, right):
    if request["method"] != "turn":
        return right
    return {"id": None, "error": {"code": -32700, "message": "the quotes are missing"}}


serve(unreadable)
