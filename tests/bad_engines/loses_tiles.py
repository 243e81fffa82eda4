"""Loses the two lowest tiles of the grill in every turn."""

from rightly import serve_tables


def lose(_, table):
    table["grill"] = table["grill"][2:]
    table.pop("face_down")


serve_tables(lose)
