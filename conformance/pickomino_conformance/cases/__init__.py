"""Cases: what is asked of an engine, and what came of it, as data.

Everything here is plain: no sentence is made, and none is read. `report` tells it to people.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from pickomino_conformance.compare import (
    ANSWER,
    RESULT,
    Difference,
    differences,
    invariant,
    parts,
    plain,
)
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.conversation import Breakdown, Reply
from pickomino_conformance.protocol.messages import (
    CRASHED,
    METHODS,
    MISFIT,
    REFUSED,
    RESULTS,
    ErrorMessage,
    encode,
    quoted,
)
from pickomino_conformance.protocol.translate import Ask, Start, read_plain_request, request
from pickomino_reference import Rulings, ruling_values


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


def fits(rulings: Rulings, values: Mapping[str, Collection[str]]) -> bool:
    """Whether each ruling that is named has one of the values given."""
    own = ruling_values(rulings)
    return all(own[ruling] in wanted for ruling, wanted in values.items())


class Exchange(msgspec.Struct, frozen=True):
    """A request and what came of it, as plain JSON values; it can be asked again by itself.

    Attributes:
        method: what was asked.
        params: its params; the table is always told, even where the engine was left its own.
        answer: `{"result": …}`, `{"error": …}`, or `{"broken": reason}`; empty if the engine
            was not asked.
        goes_on: whether the engine was left the table that it had answered last.
    """

    method: str
    params: dict[str, Any]
    answer: dict[str, Any] = {}
    goes_on: bool = False

    @property
    def ask(self) -> Ask:
        """What was asked.

        Raises:
            Malformed: it is no request of the protocol, or its table can't be one of the game.
        """
        return read_plain_request(self.method, self.params)

    @property
    def reply(self) -> Reply:
        """What came.

        Raises:
            msgspec.ValidationError: it is no answer of the protocol.
        """
        if "error" in self.answer:
            return msgspec.json.decode(msgspec.json.encode(self.answer["error"]), type=ErrorMessage)
        if "result" in self.answer:
            return msgspec.convert(self.answer["result"], RESULTS[self.method])
        return Breakdown(self.answer.get("broken", ""), asked="broken" in self.answer)

    def once_more(self, other: "Exchange") -> bool:
        """Whether the other one is the same turn, asked once more with a dead roll at its end."""
        rolls, more = self.params.get("rolls"), other.params.get("rolls")
        same = self.params.get("decisions") == other.params.get("decisions")
        return bool(rolls) and same and more is not None and more[:-1] == rolls


def exchange(ask: Ask, reply: Reply | None, rulings: Rulings, *, goes_on: bool = False) -> Exchange:
    """Return what was asked and what came of it; `reply` is none if the engine was not asked."""
    params = request(ask, rulings)
    answer = {} if reply is None else plain(reply)
    return Exchange(METHODS[type(params)], msgspec.json.decode(encode(params)), answer, goes_on)


class Judgement(NamedTuple):
    """What came of one request, or of a whole case.

    Attributes:
        verdict: what came of it.
        rules: the ids of the rules that it counts for.
        differences: where the answer departs.
        reason: why it could not be asked or was not answered, as a clause; empty else.
    """

    verdict: Verdict
    rules: tuple[str, ...]
    differences: tuple[Difference, ...] = ()
    reason: str = ""


class Outcome(msgspec.Struct, frozen=True, tag="case"):
    """What came of one case.

    Attributes:
        id: the case, unique in its level.
        level: the level that asked it.
        rules: the ids of the rules it belongs to.
        verdict: what came of it.
        differences: where the answer departs from what must come.
        reason: why it could not be asked or was not answered, as a clause; empty else. It may
            quote the engine.
        exchanges: what was asked, and what came; the last one is judged, unless `at` says so of
            another.
        at: the number of the exchange that is judged; -1 for the last.
        unexplained: whether no fault of the catalogue gives the answer that came.
        listed: for a generated case the shortest listed one that shows the same fault, if any.
        players: the names of the players, by seat; empty where they have numbers only.
    """

    id: str
    level: str
    rules: tuple[str, ...]
    verdict: Verdict
    differences: tuple[Difference, ...] = ()
    reason: str = ""
    exchanges: tuple[Exchange, ...] = ()
    at: int = -1
    unexplained: bool = False
    listed: str = ""
    players: tuple[str, ...] = ()

    @property
    def judged(self) -> Exchange | None:
        """The exchange that is judged; none if nothing was asked."""
        return self.exchanges[self.at] if self.exchanges else None

    @property
    def size(self) -> tuple[int, int]:
        """What makes a case small: few rolls, then little to be told."""
        rolls = sum(len(one.params.get("rolls", ())) for one in self.exchanges)
        told = sum(len(str(one.params.get("table"))) for one in self.exchanges)
        return rolls, told


def outcome(
    name: str,
    level: str,
    judgement: Judgement,
    exchanges: tuple[Exchange, ...] = (),
    at: int = -1,
) -> Outcome:
    """Return the outcome of a case that came to this judgement."""
    verdict, rules, differences, reason = judgement
    return Outcome(name, level, rules, verdict, differences, reason, exchanges, at)


class Telling:
    """Tells the cases of a level; of those that passed one in so many whole, for the diagnosis."""

    def __init__(self, level: str, one_in: int) -> None:
        self._level = level
        self._one_in = one_in
        self._passes = 0

    def outcome(
        self,
        name: str,
        judgement: Judgement,
        exchanges: tuple[Exchange, ...] = (),
        at: int = -1,
    ) -> Outcome:
        """Return the outcome of a case, with its exchanges if it is told whole."""
        told = exchanges if self.whole(judgement) else ()
        return outcome(name, self._level, judgement, told, at)

    def whole(self, judgement: Judgement) -> bool:
        """Whether the next case is told whole: one that did not pass, and some of the others."""
        if judgement.verdict is not Verdict.PASS:
            return True
        self._passes += 1
        return self._passes % self._one_in == 0


class Unanswered(Exception):
    """A case that has no answer to be judged; the text is a clause that says why.

    Attributes:
        exchanges: what was asked all the same, and what came.
    """

    exchanges: tuple[Exchange, ...] = ()


class Departed(Unanswered):
    """An answer on the way departs, so that the case itself can't be asked; see `differences`."""

    def __init__(self, differences: tuple[Difference, ...]) -> None:
        super().__init__("an answer departs")
        self.differences = differences


class Erred(Unanswered):
    """The engine broke down, crashed, or answered something that is no answer."""


class Unsupported(Unanswered):
    """The engine lacks a capability that the case needs."""


class NotReached(Unanswered):
    """The case could not be asked."""


def unanswered(why: Unanswered, rules: tuple[str, ...]) -> Judgement:
    """Return the judgement of a case that one of these has ended."""
    if isinstance(why, Departed):
        return Judgement(Verdict.FAIL, rules, why.differences)
    verdicts: dict[type[Unanswered], Verdict] = {
        Erred: Verdict.ERROR,
        Unsupported: Verdict.UNSUPPORTED,
        NotReached: Verdict.NOT_REACHED,
    }
    return Judgement(verdicts[type(why)], rules, (), str(why))


def require_answer(reply: Reply) -> None:
    """Raise unless the engine answered with a result, or refused, or found that it does not fit.

    Raises:
        Erred: it crashed, broke down, or knows no such method.
        NotReached: it was not asked, having broken down too often.
    """
    if isinstance(reply, Breakdown):
        if not reply.asked:
            raise NotReached(f"the engine was not asked any more: {reply.reason}")
        words = f"; its last words: {quoted(reply.last_words)}" if reply.last_words else ""
        raise Erred(f"the engine broke down: {reply.reason}{words}")
    if isinstance(reply, ErrorMessage) and reply.code not in (REFUSED, MISFIT):
        said = f": {quoted(reply.message)}" if reply.message else ""
        what = "crashed" if reply.code == CRASHED else f"answers error {reply.code}"
        raise Erred(f"the engine {what}{said}")


def require_played(ask: Ask, reply: Reply, rulings: Rulings) -> None:
    """Raise unless the engine answered with a result that can be one of the game.

    Raises:
        Departed: it refuses, the script does not fit what it makes of the turn, or its table is
            an impossible one.
        Erred, NotReached: as `require_answer`.
    """
    require_answer(reply)
    if isinstance(reply, ErrorMessage):
        raise Departed((Difference(ANSWER, RESULT, plain(reply)),))
    broken = invariant(ask, reply, rulings)
    if broken is not None:
        raise Departed((broken,))


def require_start(begin: Start, reply: Reply, rulings: Rulings) -> None:
    """Raise unless the engine answered with a new game on the table that must be.

    Raises:
        NotReached: it begins on another table, which is the business of other cases.
        Departed, Erred: it did not begin a game at all.
    """
    require_answer(reply)
    if isinstance(reply, ErrorMessage):
        raise Departed((Difference(ANSWER, RESULT, plain(reply)),))
    if differences(parts(due(begin, rulings).reply), reply):
        raise NotReached("a game does not start as it must")


class Wanted(NamedTuple):
    """Which cases of a level are asked, and how.

    Attributes:
        failed: the probes that failed.
        only: the ids of the only cases to be asked; empty for all.
        seed: what random games are drawn by.
        games: how many of them are played.
    """

    failed: tuple[Any, ...] = ()
    only: frozenset[str] = frozenset()
    seed: int = 1
    games: int = 100

    def asks(self, case: str) -> bool:
        """Whether the case of this id is asked."""
        return not self.only or case in self.only


class Level(NamedTuple):
    """A level: an entry of the registry.

    Attributes:
        name: its name on the command line.
        by_hand: whether its cases are made by hand: few, each with a name of its own, and told one
            by one in reports.
        prefixes: with what the ids of its cases begin.
        run: asks the cases of an engine under test, and yields what came of each.
        drawn: whether its cases hang on a seed.
    """

    name: str
    by_hand: bool
    prefixes: tuple[str, ...]
    run: Callable[[Any, Wanted], Iterator[Outcome]]
    drawn: bool = False
