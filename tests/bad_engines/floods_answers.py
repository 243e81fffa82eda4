"""Answers a turn for ever."""

from rightly import answer, requests, say

for request in requests():
    say(answer(request))
    while request["method"] == "turn":
        say(answer(request))
