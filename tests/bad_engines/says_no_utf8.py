"""Answers a turn by an error whose message is not UTF-8."""

import sys

from rightly import answer, requests, say

for request in requests():
    if request["method"] == "turn":
        sys.stdout.buffer.write(
            b'{"id":%d,"error":{"code":1,"message":"\xff\xfe"}}\n' % request["id"]
        )
        sys.stdout.buffer.flush()
    else:
        say(answer(request))
