"""Shows no stack at all, and does not say what lies face down."""

from rightly import serve_tables


def drop(_, table):
    table["stacks"] = []
    table.pop("face_down")


serve_tables(drop)
