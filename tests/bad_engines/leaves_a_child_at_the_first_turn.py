"""Leaves at the first turn, while a child holds all its pipes."""

import os
import time

from rightly import leave, serve

if os.fork() == 0:
    time.sleep(1000)


def go(request, right):
    if request["method"] == "turn":
        leave(4)
    return right


serve(go)
