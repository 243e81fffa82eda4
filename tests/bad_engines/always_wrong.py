"""Answers every turn by the table as it was."""

from rightly import serve

tables = []


def unchanged(request, right):
    if request["method"] != "turn":
        return right
    tables.append(request["params"]["table"] or tables[-1])
    return {"id": request["id"], "result": {"table": tables[-1]}}


serve(unchanged)
