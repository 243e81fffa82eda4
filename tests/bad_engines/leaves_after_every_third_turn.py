"""Answers three turns rightly and leaves with status 0."""

from itertools import count

from rightly import answer, leave, requests, say

number = count(1)
for request in requests():
    say(answer(request))
    if request["method"] == "turn" and next(number) == 3:
        leave(0)
