"""Shows the tile that was taken on the grill, too."""

from rightly import serve_tables


def double(_, table):
    table["grill"] += [stack[-1] for stack in table["stacks"] if stack]


serve_tables(double)
