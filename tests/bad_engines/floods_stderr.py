"""Answers rightly while it never stops to write on stderr."""

import os
import threading

from rightly import serve


def flood():
    while True:
        os.write(2, b"all is well\n" * 1000)


threading.Thread(target=flood, daemon=True).start()
serve(lambda _, right: right)
