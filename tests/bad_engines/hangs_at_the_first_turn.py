"""Answers hello and configure, and no turn."""

import sys
import time

from rightly import serve


def hang(request, right):
    if request["method"] == "turn":
        print("thinking about the first turn", file=sys.stderr, flush=True)
        time.sleep(1000)
    return right


serve(hang)
