"""The reference and a Python class as processes: what comes over the wire, and when."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from pickomino_conformance.protocol.messages import CRASHED
from protocol_messages import EXCHANGES, TRANSCRIPT, Message, without_words

SERVE = (sys.executable, "-m", "pickomino_conformance", "serve")
HOST = (sys.executable, "-m", "pickomino_conformance.protocol.host")


def converse(command: Iterable[str], requests: Iterable[Message]) -> list[Message]:
    """Return what a program answers to requests that arrive all at once."""
    text = "".join(f"{json.dumps(request)}\n" for request in requests)
    done = subprocess.run(
        [*command], input=text, capture_output=True, text=True, timeout=20, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_reference_answers_the_transcript_word_for_word() -> None:
    """`pickomino serve` gives every answer of the transcript, the whole of it, in order."""
    answers = converse(SERVE, TRANSCRIPT[::2])
    assert [without_words(answer) for _, answer in EXCHANGES] == list(map(without_words, answers))


def test_pipelined_requests_come_back_in_order() -> None:
    """A thousand requests sent at once are answered one for one, in their order."""
    requests = [
        {"jsonrpc": "2.0", "id": n, "method": ("start", "legal", "fly")[n % 3], "params": params}
        for n in range(1000)
        for params in [{"players": 2 + n % 6, "table": None, "kept": ""}]
    ]
    assert list(range(1000)) == [answer["id"] for answer in converse(SERVE, requests)]


def test_a_request_is_answered_before_the_next_one_comes() -> None:
    """An engine answers line by line: it does not wait for more, nor for its stdin to close."""
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        heard = []
        for request, _ in EXCHANGES[:4]:
            engine.stdin.write(json.dumps(request).encode() + b"\n")
            engine.stdin.flush()
            heard.append(without_words(json.loads(engine.stdout.readline())))
        engine.stdin.close()
    assert [without_words(answer) for _, answer in EXCHANGES[:4]] == heard


def test_the_engine_leaves_when_its_stdin_is_closed() -> None:
    """At the end of its input an engine leaves by itself, with status 0 and nothing said."""
    done = subprocess.run(SERVE, input=b"", capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


NOISY = """
import os, subprocess, sys

print("imported")

class Noisy:
    def __init__(self):
        print("made")

    def hello(self):
        print('{"jsonrpc":"2.0","id":1,"result":"printed"}', flush=True)
        os.write(1, b"written\\n")
        subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)
        return {"name": "noisy", "players": [2, 7]}

    def start(self, players):
        sys.__stdout__.write("the old stdout")
        raise OSError("broken")
"""


def test_what_a_class_prints_stays_off_the_wire(tmp_path: Path) -> None:
    """Prints at import, in the class and from its children go to stderr; stdout has answers."""
    module = tmp_path / "noisy.py"
    module.write_text(NOISY)
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"protocol": 1}},
        {"jsonrpc": "2.0", "id": 2, "method": "start", "params": {"players": 2}},
    ]
    done = subprocess.run(
        [*HOST, f"{module}:Noisy"],
        input="".join(f"{json.dumps(request)}\n" for request in requests),
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    noise = ["imported", "made", "printed", "written", "from a child", "the old stdout"]
    assert (
        [
            {
                "jsonrpc": "2.0",
                "id": 1,
                "result": {"protocol": 1, "name": "noisy", "players": [2, 7]},
            },
            {
                "jsonrpc": "2.0",
                "id": 2,
                "error": {"code": CRASHED, "message": "OSError: broken (noisy.py, line 18)"},
            },
        ],
        noise,
    ) == (
        [json.loads(line) for line in done.stdout.splitlines()],
        [sound for sound in noise if sound in done.stderr],
    )
