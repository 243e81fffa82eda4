"""Answers rightly, ignores every plea to leave, and stays when its stdin is closed."""

import signal
import time

from rightly import serve

for plea in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(plea, signal.SIG_IGN)
serve(lambda _, right: right)
while True:
    time.sleep(1000)
