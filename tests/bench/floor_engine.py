"""The floor of the bench: decodes each line with the standard json, answers one fixed line."""

import json
import sys

HELLO = {
    "name": "floor",
    "protocol": 1,
    "players": [2, 7],
    "capabilities": ["set-table", "start", "choose-claim", "refuse"],
}
TABLE = {"grill": list(range(21, 37)), "stacks": [[], []], "player": 1}

for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "hello":
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": HELLO}), flush=True)
        fixed = json.dumps({"jsonrpc": "2.0", "result": {"table": TABLE}})[:-1] + ', "id": '
    else:
        sys.stdout.write(f"{fixed}{request['id']}}}\n")
        sys.stdout.flush()
