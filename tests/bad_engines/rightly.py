"""What the bad engines share: the right answers, and a loop that lets each spoil its own."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from pickomino_conformance.protocol.host import respond
from pickomino_conformance.protocol.reference import ReferenceEngine

Message = dict[str, Any]

_reference = ReferenceEngine()


def requests() -> Iterator[Message]:
    """Yield each request as it comes."""
    for line in sys.stdin.buffer:
        yield json.loads(line)


def answer(request: Message) -> Message:
    """Return the right answer."""
    return json.loads(respond(_reference, json.dumps(request).encode()))


def say(message: Message | str) -> None:
    """Write one line."""
    text = message if isinstance(message, str) else json.dumps(message)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def serve(spoil: Callable[[Message, Message], Message | str | None]) -> None:
    """Answer every request by what `spoil` makes of it and its right answer; None is silence."""
    for request in requests():
        said = spoil(request, answer(request))
        if said is not None:
            say(said)


def serve_tables(spoil: Callable[[Message, Message], None]) -> None:
    """Answer rightly, but for the tables after a turn, which `spoil` changes; it sees params."""

    def change(request: Message, right: Message) -> Message:
        if request["method"] == "turn" and "result" in right:
            spoil(request["params"], right["result"]["table"])
        return right

    serve(change)


def leave(status: int) -> None:
    """End at once, without a further word."""
    os._exit(status)
