"""Puts terminal control sequences, HTML and right-to-left marks into every text."""

import sys

from rightly import leave, serve

EVIL = "\x1b[2J\x1b]0;owned\x07\r<script>alert(1)</script>\u202e\x9b31m[red]\\[/red]"


def steer(request, right):
    print(EVIL, file=sys.stderr, flush=True)
    if request["method"] == "hello":
        rulings = {**right["result"]["rulings"], EVIL: EVIL}
        right["result"] |= {"name": EVIL, "version": EVIL, "rulings": rulings}
    elif request["method"] == "turn":
        if len(request["params"]["rolls"]) == 3:
            leave(1)
        error = {"code": 2, "message": EVIL, "data": {"wants": EVIL}}
        return {"id": request["id"], "error": error}
    return right


serve(steer)
