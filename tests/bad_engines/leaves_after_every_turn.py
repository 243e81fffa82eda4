"""Answers one turn rightly and leaves with status 0."""

from rightly import answer, leave, requests, say

for request in requests():
    say(answer(request))
    if request["method"] == "turn":
        leave(0)
