"""Closes its stdin after hello, and stays."""

import os
import time

from rightly import answer, requests, say

say(answer(next(requests())))
os.close(0)
time.sleep(1000)
