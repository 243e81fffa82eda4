"""Answers a turn by a hundred thousand lists, each in the other."""

from rightly import serve


def nested(request, right):
    if request["method"] != "turn":
        return right
    return f'{{"id":{request["id"]},"result":' + "[" * 100_000 + "]" * 100_000 + "}"


serve(nested)
