"""Engines that are Python classes, and what they and the harness make of a line."""

import json
import re

import pytest

from pickomino_conformance import Malformed, Misfit, Refused
from pickomino_conformance.protocol.conversation import Conversation, Reply
from pickomino_conformance.protocol.host import respond
from pickomino_conformance.protocol.messages import (
    CRASHED,
    INVALID_REQUEST,
    MALFORMED,
    MISFIT,
    NO_SUCH_METHOD,
    PARSE_ERROR,
    REFUSED,
    ClaimMessage,
    DecisionMessage,
    LegalParams,
    ScoreParams,
    StartParams,
    TurnParams,
)
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.wire import InProcess
from protocol_messages import EXCHANGES, TABLE, Message, ask, faults, with_strangers


def test_an_engine_ignores_unknown_members() -> None:
    """The transcript with a stranger in every object of every request gets the same answers."""
    engine, plain = ReferenceEngine(), ReferenceEngine()
    requests = [request for request, _ in EXCHANGES]
    assert [respond(plain, json.dumps(one).encode()) for one in requests] == [
        respond(engine, json.dumps(with_strangers(one)).encode()) for one in requests
    ]


class Talkative(InProcess):
    """A wire to an engine that says more than it was asked, in every object."""

    def receive(self) -> bytes:
        """Return the next answer, with strangers in it."""
        return json.dumps(with_strangers(json.loads(super().receive()))).encode()


def test_the_harness_ignores_unknown_members() -> None:
    """An engine that says more than the protocol knows is understood as if it did not."""

    def replies(wire: InProcess) -> list[Reply]:
        with Conversation(lambda: wire) as engine:
            return engine.ask(
                StartParams(3),
                TurnParams(
                    None,
                    ["1234WWW5", "11344"],
                    [
                        DecisionMessage("W", "roll"),
                        DecisionMessage("4", "stop", ClaimMessage(take=23)),
                    ],
                ),
                LegalParams(None, "WWW44"),
                ScoreParams([[21], [36]]),
            )

    assert replies(InProcess(ReferenceEngine())) == replies(Talkative(ReferenceEngine()))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"hello", PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":1,', PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"hello"}', INVALID_REQUEST),
    ],
)
def test_a_line_that_is_no_request_is_answered_without_an_id(line: bytes, code: int) -> None:
    """Garbage, and JSON that is no request, are two errors; both are answered with a null id."""
    answer = json.loads(respond(ReferenceEngine(), line))
    assert ([], None, code) == (
        faults("common", "unread", answer),
        answer["id"],
        answer["error"]["code"],
    )


class Grumpy:
    """An engine that does nothing it is asked for, in every way there is."""

    def hello(self) -> Message:
        """Leave out the version of the protocol."""
        return {"name": "grumpy", "players": [2, 7]}

    def start(self, players: int) -> Message:
        """Refuse."""
        raise Refused(f"{players} are too many", rule="setup.players")

    def turn(self, table: Message | None, rolls: list[str], decisions: list[Message]) -> Message:
        """Ask for more."""
        if table is None:
            raise Misfit(
                "more", after_rolls=len(rolls), wants="claim", dice=3, offers=[{"take": 21}]
            )
        raise Refused(f"not with {len(decisions)} decisions")

    def score(self, stacks: list[list[int]]) -> Message:
        """Break down."""
        return {"worms": [100 // len(stack) for stack in stacks]}

    def legal(self, table: Message | None, kept: str, roll: str | None) -> Message:
        """Answer with something that is no JSON."""
        return {"keep": object(), "table": table, "kept": kept, "roll": roll}

    def settle(
        self, table: Message | None, kept: str, claim: Message | None, dead: bool
    ) -> Message:
        """Find no sense in it."""
        raise Malformed(f"{table} {kept} {claim} {dead}")

    def configure(self, rulings: dict[str, str]) -> Message:
        """Know no such thing."""
        raise NotImplementedError(rulings)


@pytest.mark.parametrize(
    ("method", "params", "error"),
    [
        (
            "start",
            {"players": 8},
            {"code": REFUSED, "message": "8 are too many", "data": {"rule": "setup.players"}},
        ),
        (
            "turn",
            {"table": TABLE, "rolls": [], "decisions": []},
            {"code": REFUSED, "message": "not with 0 decisions"},
        ),
        (
            "turn",
            {"table": None, "rolls": ["W"], "decisions": []},
            {
                "code": MISFIT,
                "message": "more",
                "data": {"after_rolls": 1, "wants": "claim", "dice": 3, "offers": [{"take": 21}]},
            },
        ),
        (
            "score",
            {"stacks": [[]]},
            {
                "code": CRASHED,
                "message": "ZeroDivisionError: integer division or modulo by zero "
                "(test_host.py, line N)",
            },
        ),
        (
            "legal",
            {"table": None, "kept": ""},
            {
                "code": CRASHED,
                "message": "TypeError: Encoding objects of type object is unsupported",
            },
        ),
        (
            "settle",
            {"table": None, "kept": "W"},
            {"code": MALFORMED, "message": "None W None False"},
        ),
        (
            "configure",
            {"rulings": {}},
            {"code": NO_SUCH_METHOD, "message": "no method 'configure'"},
        ),
    ],
    ids=[
        "refused-by-a-rule",
        "refused",
        "misfit",
        "exception",
        "no-json",
        "malformed",
        "not-implemented",
    ],
)
def test_an_exception_of_a_class_is_an_error_of_the_protocol(
    method: str, params: Message, error: Message
) -> None:
    """`Refused`, `Misfit`, `Malformed`, `NotImplementedError` and any other are five errors."""
    answer = any_line(ask(Grumpy(), method, **params))
    assert ({"jsonrpc": "2.0", "id": 1, "error": error}, []) == (
        answer,
        faults(method, "response", answer),
    )


def any_line(answer: Message) -> Message:
    """Return an answer without the number of the line at which the class failed."""
    if "error" in answer:
        answer["error"]["message"] = re.sub(r"line \d+", "line N", answer["error"]["message"])
    return answer


def test_a_class_need_not_tell_the_version_of_the_protocol() -> None:
    """The host puts the version of the protocol into a hello that leaves it out."""
    hello = {"protocol": 1, "name": "grumpy", "players": [2, 7]}
    assert {"jsonrpc": "2.0", "id": 1, "result": hello} == ask(Grumpy(), "hello", protocol=1)


@pytest.mark.parametrize("method", ["start", "__init__", "respond"])
def test_a_method_that_is_absent_is_no_such_method(method: str) -> None:
    """Methods of the protocol that a class lacks, and any others that it has, are not found."""
    error = {"code": NO_SUCH_METHOD, "message": f"no method {method!r}"}
    answer = ask(object(), method, players=2)
    assert {"jsonrpc": "2.0", "id": 1, "error": error} == answer


def test_null_means_the_table_that_a_start_or_a_turn_answered() -> None:
    """`settle`, `legal`, `score` and an error leave the table that null means as it is."""
    engine = ReferenceEngine()
    ask(engine, "start", players=2)
    before = ask(engine, "legal", table=None, kept="WWW44", roll=None)
    ask(engine, "settle", table=None, kept="WWW44", claim={"take": 23}, dead=False)
    ask(engine, "legal", table=TABLE, kept="WWW44")
    ask(engine, "score", stacks=[[23], [24]])
    ask(engine, "turn", table=TABLE, rolls=["12345WWW"], decisions=[])
    ask(engine, "start", players=8)
    assert before == ask(engine, "legal", table=None, kept="WWW44", roll=None)


def test_an_engine_remembers_nothing_but_the_table() -> None:
    """A turn is answered alike after any other: here after its own beginning, and a new start."""
    decisions = [
        {"keep": "W", "then": "roll"},
        {"keep": "4", "then": "stop", "claim": {"take": 23}},
    ]
    rolls = ["1234WWW5", "11344"]
    fresh, used = ReferenceEngine(), ReferenceEngine()
    ask(used, "start", players=2)
    ask(used, "turn", table=None, rolls=rolls[:1], decisions=decisions[:1])
    assert [
        ask(fresh, "start", players=2),
        ask(fresh, "turn", table=None, rolls=rolls, decisions=decisions),
    ] == [
        ask(used, "start", players=2),
        ask(used, "turn", table=None, rolls=rolls, decisions=decisions),
    ]


@pytest.mark.parametrize("claim", [{"take": 37}, {"steal": 2}, {"steal": 0}], ids=str)
def test_a_claim_on_what_does_not_exist_is_refused(claim: Message) -> None:
    """To claim a tile or rob a player that there is not is refused, and breaks nothing."""
    decisions = [
        {"keep": "W", "then": "roll"},
        {"keep": "4", "then": "stop", "claim": claim},
    ]
    rolls = ["1234WWW5", "11344"]
    answer = ask(ReferenceEngine(), "turn", table=TABLE, rolls=rolls, decisions=decisions)
    assert answer["error"]["code"] == REFUSED
