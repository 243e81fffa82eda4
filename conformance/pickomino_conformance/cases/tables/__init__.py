"""Level `tables` for any engine: a fixed sample that covers every pair of conditions.

The rules ask about a table, and about the dice set aside on it: how many play, what lies on the
own stack, where the tile with exactly the total is, how the turn ends, and so on. Each such
question has a few answers. For every two answers to different questions that can go together
the sample has at least three turns in which both hold; one for an engine that has to be played
to each table, which takes long. Which can't go together is said in `questions.toml`, with the
reason.

The sample is drawn by a fixed seed, and is always the same under the same rulings.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from pickomino_conformance.blame import judge, judge_one, shown
from pickomino_conformance.cases import (
    Judgement,
    Outcome,
    Telling,
    Unsupported,
    Verdict,
    Wanted,
    exchange,
    unanswered,
)
from pickomino_conformance.cases.dice import Lots
from pickomino_conformance.cases.smoke import poisoned
from pickomino_conformance.cases.tables.drawing import Draw, turn
from pickomino_conformance.cases.tables.questions import (
    Drawn,
    Pair,
    conditions_of,
    possible,
    questions,
)
from pickomino_conformance.engine import Answered, EngineUnderTest
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.messages import encode
from pickomino_conformance.protocol.translate import Ask, Settling, request
from pickomino_reference import Position, Rule, Rulings, Script, Steal, Take, Turn

LEVEL = "tables"
# In how many turns each pair must be: where the engine can be set to a table, and where not.
TIMES = 3
TIMES_WHEN_PLAYED_TO = 1
# How often a turn is drawn for a pair before giving up.
MOST_TRIES = 1000
SEED = "tables"


class TableCase(NamedTuple):
    """One turn of the sample.

    Attributes:
        id: how it ends, the dice set aside, and a mark of the table and the dice.
        drawn: the table and how the turn ends.
        script: the turn.
        rules: the rules for which it counts.
    """

    id: str
    drawn: Drawn
    script: Script
    rules: tuple[str, ...]


@cache
def sample(rulings: Rulings, times: int = TIMES) -> tuple[TableCase, ...]:
    """Return the sample under these rulings, with each pair so many times; always the same.

    Raises:
        LookupError: no turn was found for a pair that should be possible.
    """
    lots, asked = Lots(SEED), questions(rulings)
    seen: Counter[Pair] = Counter()
    found: dict[str, TableCase] = {}
    for one, other in possible(rulings):
        pair, tries = frozenset((one, other)), 0
        while seen[pair] < times:
            tries += 1
            if tries > MOST_TRIES:
                raise LookupError(f"no turn was drawn in which {one} and {other} hold")
            drawn = Draw(lots, rulings, dict((one, other))).drawn()
            if drawn is None:
                continue
            hold = conditions_of(drawn, asked)
            if one in hold and other in hold:
                case = _case(drawn, lots, rulings)
                found[case.id] = case
                seen.update(map(frozenset, combinations(hold, 2)))
    return tuple(found.values())


def _case(drawn: Drawn, lots: Lots, rulings: Rulings) -> TableCase:
    script = turn(drawn, lots)
    mark = hashlib.sha256(encode(request(script, rulings))).hexdigest()[:6]
    how = "stop"
    if drawn.dead:
        how = "dead-roll"
    elif isinstance(drawn.claim, Take):
        how = f"take-{drawn.claim.tile}"
    elif isinstance(drawn.claim, Steal):
        how = f"steal-{drawn.dice.total}"
    name = f"{LEVEL}/{how}/{drawn.dice.kept}/{mark}"
    return TableCase(name, drawn, script, shown(due(script, rulings)))


class Part(NamedTuple):
    """Something more that is asked about the table and the dice of each case.

    Attributes:
        name: the end of the ids of its cases.
        method: the method that is asked, a capability of the same name.
        asks: what is asked; nothing where it makes no sense.
        judges: what came of it.
    """

    name: str
    method: str
    asks: Callable[[TableCase], Ask | None]
    judges: Callable[[EngineUnderTest, TableCase, Ask, Reply], Judgement]


def run(engine: EngineUnderTest, wanted: Wanted) -> Iterator[Outcome]:
    """Yield the outcome of every case: of the turns, then of what is asked about the same tables.

    What else is asked needs `legal` or `settle`, and `set-table`; it is left out where the engine
    lacks them.
    """
    asking = AskingTables(engine, wanted)
    yield from asking.turns()
    for part in PARTS:
        if engine.can(part.method) and engine.can("set-table"):
            yield from asking.about(part)


class AskingTables:
    """The level on one engine."""

    def __init__(self, engine: EngineUnderTest, wanted: Wanted = Wanted()) -> None:  # noqa: B008  # a frozen value
        self._engine = engine
        self._wanted = wanted
        self._outcome = Telling(LEVEL, one_in=4).outcome

    def turns(self) -> Iterator[Outcome]:
        """Yield the outcome of every turn."""
        asked: list[TableCase] = []
        for case in self._cases(""):
            why = poisoned([case.script], case.rules, self._wanted.failed)
            if why is None:
                asked.append(case)
            else:
                judgement = Judgement(Verdict.NOT_REACHED, case.rules, (), why)
                told = exchange(case.script, None, self._engine.rulings)
                yield self._outcome(case.id, judgement, (told,))
        answers = self._engine.ask_each(case.script for case in asked)
        for case, answered in zip(asked, answers, strict=True):
            judgement = judge(self._engine, case.script, answered)
            yield self._outcome(case.id, judgement, answered.exchanges)

    def about(self, part: Part) -> Iterator[Outcome]:
        """Yield the outcome of what else is asked about every table."""
        engine, asked = self._engine, list[tuple[TableCase, Ask]]()
        for case in self._cases(f"/{part.name}"):
            ask = part.asks(case)
            if ask is None:
                continue
            try:
                engine.need_players(len(case.script.table.stacks))
            except Unsupported as why:
                yield self._outcome(f"{case.id}/{part.name}", unanswered(why, case.rules))
            else:
                asked.append((case, ask))
        requests = ([request(ask, engine.rulings)] for _, ask in asked)
        replies = engine.conversation.ask_many(requests)
        for (case, ask), (reply,) in zip(asked, replies, strict=True):
            judgement = part.judges(engine, case, ask, reply)
            told = exchange(ask, reply, engine.rulings)
            yield self._outcome(f"{case.id}/{part.name}", judgement, (told,))

    def _cases(self, end: str) -> Iterator[TableCase]:
        times = TIMES if self._engine.can("set-table") else TIMES_WHEN_PLAYED_TO
        for case in sample(self._engine.rulings, times):
            if self._wanted.asks(case.id + end):
                yield case


def _settle(case: TableCase) -> Ask:
    drawn = case.drawn
    return Settling(case.script.table, drawn.dice.kept, drawn.claim, drawn.dead)


def _before_the_roll(case: TableCase) -> Ask:
    return Position(case.script.table, Turn(case.drawn.dice.kept))


def _with_the_roll(case: TableCase) -> Ask | None:
    """Return what asks for the faces of the last roll; not of a dead one, which is settled."""
    if case.drawn.dead:
        return None
    *_, (roll, decision) = zip(case.script.rolls, case.script.decisions, strict=True)
    before = case.drawn.dice.kept.replace(decision.keep or "", "")
    return Position(case.script.table, Turn(before, roll))


def _settled(engine: EngineUnderTest, case: TableCase, _: Ask, reply: Reply) -> Judgement:
    return judge(engine, case.script, Answered(case.script, reply))


def _allowed(engine: EngineUnderTest, case: TableCase, ask: Ask, reply: Reply) -> Judgement:
    return judge_one(engine, ask, reply, case.rules)


def _faces(engine: EngineUnderTest, _: TableCase, ask: Ask, reply: Reply) -> Judgement:
    return judge_one(engine, ask, reply, (str(Rule.ROLLING_NEW_FACE),))


PARTS = (
    Part("legal", "legal", _before_the_roll, _allowed),
    Part("faces", "legal", _with_the_roll, _faces),
    Part("settle", "settle", _settle, _settled),
)
