"""Answers nothing while it never stops to write on stderr."""

import os

while True:
    os.write(2, b"still thinking\n" * 1000)
