"""Answers rightly, and leaves a child behind that holds all its pipes."""

import os
import time

from rightly import serve

if os.fork() == 0:
    time.sleep(1000)
serve(lambda _, right: right)
