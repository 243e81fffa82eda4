"""Answers every turn by the result that its argument says."""

import json
import sys

from rightly import serve


def misshapen(request, right):
    if request["method"] != "turn":
        return right
    return {"id": request["id"], "result": json.loads(sys.argv[1])}


serve(misshapen)
