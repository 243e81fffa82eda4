"""Gives ninety-nine right answers, then none."""

import time
from itertools import count

from rightly import serve

number = count(1)


def hang(_, right):
    if next(number) == 100:
        time.sleep(1000)
    return right


serve(hang)
