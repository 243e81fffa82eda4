"""Counts the worms of nobody, and names a winner who is not there."""

from rightly import serve


def score(request, right):
    if request["method"] == "score":
        right["result"] = {"worms": [], "winners": [99]}
    return right


serve(score)
