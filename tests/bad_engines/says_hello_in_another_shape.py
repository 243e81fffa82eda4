"""Says hello with the members that its argument says, and is right for the rest."""

import json
import sys

from rightly import serve


def hello(request, right):
    if request["method"] == "hello":
        right["result"] |= json.loads(sys.argv[1])
    return right


serve(hello)
