"""Dies of every turn that steals; answers the others rightly."""

import sys

from rightly import leave, serve


def crash(request, right):
    decisions = request["params"].get("decisions", [])
    if any("steal" in (decision.get("claim") or {}) for decision in decisions):
        print("cannot steal", file=sys.stderr, flush=True)
        leave(70)
    return right


serve(crash)
