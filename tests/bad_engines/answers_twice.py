"""Gives every answer twice."""

from rightly import say, serve


def twice(_, right):
    say(right)
    return right


serve(twice)
