"""Refuses every turn."""

from rightly import serve


def refuse(request, right):
    if request["method"] != "turn":
        return right
    return {"id": request["id"], "error": {"code": 1, "message": "never"}}


serve(refuse)
