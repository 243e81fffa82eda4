"""Answers rightly, each time 50 ms late."""

import time

from rightly import serve


def late(_, right):
    time.sleep(0.05)
    return right


serve(late)
