"""Becomes a program that hears nothing, at the first turn that steals."""

import os
import sys

from rightly import serve


def hang(request, right):
    decisions = request["params"].get("decisions", [])
    if any("steal" in (decision.get("claim") or {}) for decision in decisions):
        sleep = "import time; time.sleep(1000)"
        os.execv(sys.executable, [sys.executable, "-c", sleep, "hanging", *sys.argv[1:]])
    return right


serve(hang)
