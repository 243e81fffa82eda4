"""Claims every capability, and lacks the methods that its arguments name."""

import sys

from rightly import serve


def lack(request, right):
    if request["method"] not in sys.argv[1:]:
        return right
    return {"id": request["id"], "error": {"code": -32601, "message": "no such method"}}


serve(lack)
