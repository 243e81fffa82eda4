"""Answers every request rightly."""

from rightly import serve

serve(lambda _, right: right)
