"""Answers rightly, but crashes where a turn goes on with the table that it answered last."""

from rightly import serve


def crash(request, right):
    if request["method"] == "turn" and request["params"]["table"] is None:
        message = "AttributeError: 'NoneType' object has no attribute 'get'"
        return {"jsonrpc": "2.0", "id": request["id"], "error": {"code": 3, "message": message}}
    return right


serve(crash)
