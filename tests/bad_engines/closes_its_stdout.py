"""Closes its stdout at the first turn, and stays."""

import os
import time

from rightly import serve


def close(request, right):
    if request["method"] == "turn":
        os.close(1)
        time.sleep(1000)
    return right


serve(close)
