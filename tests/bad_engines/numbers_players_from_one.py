"""Answers rightly, but counts its players from 1."""

from rightly import serve_tables


def count_from_one(_, table):
    table["player"] += 1


serve_tables(count_from_one)
