"""Cases: what is asked of an engine, and what came of it."""

from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from pickomino_conformance.protocol import METHODS, Decision, Params, TurnParams, encode
from pickomino_conformance.tables import table_message
from pickomino_reference import Rulings, Table

# So many breakdowns of an engine are told; their number tells the rest.
MOST_BREAKDOWNS = 20


class Verdict(StrEnum):
    """What came of a case or a rule, the one that outweighs the others first."""

    FAIL = "fail"
    ERROR = "error"
    KNOWN = "known"
    UNSETTLED = "unsettled"
    PASS = "pass"  # noqa: S105  # a verdict
    NOT_REACHED = "not-reached"
    UNSUPPORTED = "unsupported"
    NOT_APPLICABLE = "not-applicable"


class Script(NamedTuple):
    """A whole turn with its dice and decisions, on a table."""

    table: Table
    rolls: tuple[str, ...]
    decisions: tuple[Decision, ...]

    @property
    def set_aside(self) -> str:
        """Every die that the decisions set aside, in the order of the script."""
        return "".join(
            decision.keep * roll.count(decision.keep)
            for roll, decision in zip(self.rolls, self.decisions, strict=False)
            if decision.keep
        )

    def params(self, rulings: Rulings) -> TurnParams:
        """Return the request for this turn."""
        message = table_message(self.table, rulings)
        return TurnParams(message, list(self.rolls), list(self.decisions))


class Restart(msgspec.Struct, frozen=True):
    """A breakdown after which an engine was started anew, and its case asked once more.

    Attributes:
        reason: how it broke down, as a part of a sentence.
        last_words: the end of its stderr.
        method: what was asked and not answered.
        rolls: the dice of that request, if it was a turn.
        answered: whether the case was answered when it was asked once more.
    """

    reason: str
    last_words: str = ""
    method: str = ""
    rolls: tuple[str, ...] = ()
    answered: bool = False


class Conversation(msgspec.Struct, frozen=True, tag="conversation"):
    """How the conversation with an engine went, apart from its answers.

    Attributes:
        passed_over: lines on its stdout that were no answers.
        restarts: how often it had to be started anew.
        breakdowns: why; the first of them, if there are many.
    """

    passed_over: int = 0
    restarts: int = 0
    breakdowns: tuple[Restart, ...] = ()

    def __add__(self, other: "Conversation") -> "Conversation":
        """Return both as one."""
        return Conversation(
            self.passed_over + other.passed_over,
            self.restarts + other.restarts,
            (self.breakdowns + other.breakdowns)[:MOST_BREAKDOWNS],
        )


class Exchange(msgspec.Struct, frozen=True):
    """A request and what came of it, as plain JSON values; it can be asked again by itself.

    Attributes:
        method: what was asked.
        params: its params; the table is always told, even where the engine was left its own.
        goes_on: whether the engine was left the table that it had answered last.
        answer: `{"result": …}`, `{"error": …}`, or `{"broken": reason}`; empty if the engine
            was not asked.
    """

    method: str
    params: dict[str, Any]
    answer: dict[str, Any] = {}
    goes_on: bool = False


class Outcome(msgspec.Struct, frozen=True, tag="case"):
    """What came of one case.

    Attributes:
        id: the case, unique in its level.
        level: the level that asked it.
        rules: the ids of the rules it belongs to.
        verdict: what came of it.
        message: the case as a sentence, what was expected and what came; empty for a pass.
        exchanges: what was asked, and what came.
        unexplained: whether no fault of the catalogue gives the answer that came.
        listed: for a generated case the shortest listed one that shows the same fault, if any.
    """

    id: str
    level: str
    rules: tuple[str, ...]
    verdict: Verdict
    message: str = ""
    exchanges: tuple[Exchange, ...] = ()
    unexplained: bool = False
    listed: str = ""


def exchange(
    params: Params, answer: dict[str, Any] | None = None, *, goes_on: bool = False
) -> Exchange:
    """Return a request, and what came of it, as plain JSON values."""
    plain = msgspec.json.decode(encode(params))
    return Exchange(METHODS[type(params)], plain, answer or {}, goes_on)


class Departure(Exception):
    """The engine answered, and not as it must. The text says what was expected and what came."""


class Erred(Exception):
    """The engine broke down, crashed, or answered something that is no answer."""


class Unsupported(Exception):
    """The engine lacks a capability that the case needs."""


class NotReached(Exception):
    """The case could not be asked; the text says why."""


VERDICTS: dict[type[Exception], Verdict] = {
    Departure: Verdict.FAIL,
    Erred: Verdict.ERROR,
    Unsupported: Verdict.UNSUPPORTED,
    NotReached: Verdict.NOT_REACHED,
}
