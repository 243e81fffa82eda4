"""Asks an engine the test vectors: `python vectors.py spec/vectors COMMAND`."""

import json, subprocess, sys

# What your engine plays and can do. A vector that needs anything else is passed over.
RULINGS = {"flip-after-return": "unless-highest", "flip-without-return": "no",
           "lower-tile": "next", "exact-on-opponent": "choice", "tie-break": "highest-tile",
           "stop-without-claim": "fails", "steal-back": "allowed", "six-faces": "over"}
CAN = {"set-table", "start", "score", "choose-claim", "refuse", "unresolved"}
folder, *command = sys.argv[1:]
engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

def ask(method, params):  # Put your own engine here.
    """Return {"result": …}, or {"error": {"code": 1}} if the engine refuses."""
    print(json.dumps({"id": 1, "method": method, "params": params}), file=engine.stdin, flush=True)
    return json.loads(engine.stdout.readline())

def part(result, name):
    """Return a part of a result; None if it is not told."""
    name, _, number = name.partition(".")
    told = {**result, **result.get("table", {})}
    if name in ("face_up", "face_down"):
        lying = told["grill"] if name == "face_up" else sum(told["stacks"], told["grill"])
        return (int(number) in lying) is (name == "face_up")
    value = told.get("stacks" if name == "stack" else name)
    if value and number:
        return value[int(number)]
    return sorted(value) if value and name in ("grill", "winners") else value

def is_right(answer, expected):
    if "error" in answer or expected.get("answer") == "refused":
        return expected.get("answer") == "refused" and answer.get("error", {}).get("code") == 1
    return all(part(answer["result"], name) in (None, due) for name, due in expected.items())

for file in ("smoke", "features", "refusals"):
    for case in json.load(open(f"{folder}/{file}.json", encoding="utf-8"))["cases"]:
        plays = all(RULINGS[ruling] in values for ruling, values in case["rulings"].items())
        if plays and CAN.issuperset(case["needs"]) and not case.get("unsettled"):
            right = [is_right(ask(**step["request"]), step["expected"]) for step in case["steps"]]
            print("right" if all(right) else "WRONG", case["id"])
