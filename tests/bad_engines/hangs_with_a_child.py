"""Hangs at the first request that bears a word (`hello`, `steal`), and ignores every plea to leave.

A child of it does the same. The file named first says that both hang.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

from rightly import answer, requests, say

hanging, word = sys.argv[1:3]
for plea in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(plea, signal.SIG_IGN)
for request in requests():
    if f'"{word}"' in json.dumps(request):
        os.fork()
        Path(hanging).touch()
        time.sleep(1000)
    say(answer(request))
