"""Answers nothing while it never stops to write lines on stdout."""

import os

while True:
    os.write(1, b"still thinking\n" * 1000)
