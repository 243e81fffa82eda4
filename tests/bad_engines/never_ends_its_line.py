"""Answers hello rightly, but forgets the end of the line."""

import json
import sys

from rightly import answer, requests

for request in requests():
    sys.stdout.write(json.dumps(answer(request)))
    sys.stdout.flush()
