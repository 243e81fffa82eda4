"""Answers a turn rightly when it is asked first; when asked again, by the table as it was."""

import json

from rightly import serve_tables

seen = set()


def change(params, table):
    turn = json.dumps(params)
    if turn in seen:
        table |= params["table"]
    seen.add(turn)


serve_tables(change)
