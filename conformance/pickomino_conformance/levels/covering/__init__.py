"""Level `tables` for any engine: a fixed sample that covers every pair of conditions.

The rules ask about a table, and about the dice set aside on it: how many play, what lies on the
own stack, where the tile with exactly the total is, how the turn ends, and so on. Each such
question has a few answers. For every two answers to different questions that can go together
the sample has at least three turns in which both hold; one for an engine that has to be played
to each table, which takes long. Which can't go together is said in `conditions.NEVER`, with the
reason.

The sample is drawn by a fixed seed, and is always the same under the same rulings.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from pickomino_conformance import blame, sentences
from pickomino_conformance.cases import (
    VERDICTS,
    Departure,
    Exchange,
    Outcome,
    Script,
    Unsupported,
    Verdict,
    exchange,
)
from pickomino_conformance.engines.session import Reply
from pickomino_conformance.levels import smoke
from pickomino_conformance.levels.covering.conditions import (
    Facts,
    Pair,
    conditions_of,
    possible,
    questions,
)
from pickomino_conformance.levels.covering.drawing import Draw, Lots, turn
from pickomino_conformance.levels.expected import Expected, Finding, judge, outcome, play_out
from pickomino_conformance.protocol import (
    LegalParams,
    LegalResult,
    Params,
    SettleParams,
    encode,
)
from pickomino_conformance.subject import (
    Answered,
    Subject,
    plain_reply,
    require_result,
)
from pickomino_conformance.tables import claim_message, read_claim, table_message
from pickomino_reference import (
    Options,
    Position,
    Rule,
    Rulings,
    Steal,
    Take,
    Turn,
    legal,
)

LEVEL = "tables"
# In how many turns each pair must be: where the engine can be set to a table, and where not.
TIMES = 3
TIMES_WHEN_PLAYED_TO = 1
# How often a turn is drawn for a pair before giving up.
MOST_TRIES = 1000
SEED = "tables"
# Of the passed cases one in so many is told whole, as evidence for the diagnosis.
SHOW_EVERY = 4


class Case(NamedTuple):
    """One turn of the sample.

    Attributes:
        id: how it ends, the dice set aside, and a mark of the table and the dice.
        facts: the table and how the turn ends.
        expected: what must come of the turn.
    """

    id: str
    facts: Facts
    expected: Expected

    @property
    def script(self) -> Script:
        """The turn."""
        return self.expected.script

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules for which it counts."""
        return self.expected.rules


@cache
def sample(rulings: Rulings, times: int = TIMES) -> tuple[Case, ...]:
    """Return the sample under these rulings, with each pair so many times; always the same.

    Raises:
        LookupError: no turn was found for a pair that should be possible.
    """
    lots, asked = Lots(SEED), questions(rulings)
    seen: Counter[Pair] = Counter()
    found: dict[str, Case] = {}
    for one, other in possible(rulings):
        pair, tries = frozenset((one, other)), 0
        while seen[pair] < times:
            tries += 1
            if tries > MOST_TRIES:
                raise LookupError(f"no turn was drawn in which {one} and {other} hold")
            facts = Draw(lots, rulings, dict((one, other))).facts()
            if facts is None:
                continue
            hold = conditions_of(facts, asked)
            if one in hold and other in hold:
                case = _case(facts, lots, rulings)
                found[case.id] = case
                seen.update(map(frozenset, combinations(hold, 2)))
    return tuple(found.values())


def _case(facts: Facts, lots: Lots, rulings: Rulings) -> Case:
    script = turn(facts, lots)
    mark = hashlib.sha256(encode(script.params(rulings))).hexdigest()[:6]
    how = "stop"
    if facts.dead:
        how = "dead-roll"
    elif isinstance(facts.claim, Take):
        how = f"take-{facts.claim.tile}"
    elif isinstance(facts.claim, Steal):
        how = f"steal-{facts.dice.total}"
    name = f"{LEVEL}/{how}/{facts.dice.kept}/{mark}"
    return Case(name, facts, play_out(script, rulings))


def run(
    subject: Subject,
    failed_probes: Sequence[smoke.Probe] = (),
    only: Collection[str] = (),
) -> Iterator[Outcome]:
    """Yield the outcome of every case: of the turns, then of what is asked about the same tables.

    What else is asked needs `legal` or `settle`, and `set-table`; it is left out where the engine
    lacks them. `only` are the ids of the
    only cases to be asked; empty for all.
    """
    level = Level(subject, list(failed_probes), frozenset(only))
    yield from level.turns()
    for part in PARTS:
        if subject.can(part.method) and subject.can("set-table"):
            yield from level.about(part)


class Part(NamedTuple):
    """Something more that is asked about the table and the dice of each case.

    Attributes:
        name: the end of the ids of its cases.
        method: the method that is asked, a capability of the same name.
        asks: makes the request.
        judges: what came of it, given the subject, the case and the reply.
    """

    name: str
    method: str
    asks: Callable[[Case, Rulings], Params | None]
    judges: Callable[[Subject, Case, Reply], Finding]


class Level:
    """The level on one engine."""

    def __init__(
        self, subject: Subject, failed: list[smoke.Probe], only: frozenset[str] = frozenset()
    ) -> None:
        self._subject = subject
        self._failed = failed
        self._only = only
        self._passes = 0

    def turns(self) -> Iterator[Outcome]:
        """Yield the outcome of every turn."""
        asked: list[Case] = []
        for case in self._wanted(""):
            why = smoke.poisoned(case.script, case.rules, self._failed)
            if why is None:
                asked.append(case)
            else:
                yield self._outcome(case, case.id, Finding(Verdict.NOT_REACHED, case.rules, why))
        answers = self._subject.ask_each(case.script for case in asked)
        for case, answered in zip(asked, answers, strict=True):
            finding = judge(self._subject, case.expected, answered)
            yield self._outcome(case, case.id, finding, answered.exchanges)

    def about(self, part: Part) -> Iterator[Outcome]:
        """Yield the outcome of what else is asked about every table."""
        subject, asked = self._subject, list[tuple[Case, Params]]()
        for case in self._wanted(f"/{part.name}"):
            params = part.asks(case, subject.rulings)
            if params is None:
                continue
            try:
                subject.need_players(len(case.script.table.stacks))
            except Unsupported as why:
                finding = Finding(Verdict.UNSUPPORTED, case.rules, str(why))
                yield self._outcome(case, f"{case.id}/{part.name}", finding)
            else:
                asked.append((case, params))
        replies = subject.engine.ask_many([params] for _, params in asked)
        for (case, params), (reply,) in zip(asked, replies, strict=True):
            finding = part.judges(subject, case, reply)
            told = (exchange(params, plain_reply(reply)),)
            yield self._outcome(case, f"{case.id}/{part.name}", finding, told)

    def _wanted(self, end: str) -> Iterator[Case]:
        times = TIMES if self._subject.can("set-table") else TIMES_WHEN_PLAYED_TO
        for case in sample(self._subject.rulings, times):
            if not self._only or case.id + end in self._only:
                yield case

    def _outcome(
        self, case: Case, name: str, finding: Finding, exchanges: tuple[Exchange, ...] = ()
    ) -> Outcome:
        if finding.verdict is Verdict.PASS:
            self._passes += 1
            exchanges = exchanges if self._passes % SHOW_EVERY == 0 else ()
        return outcome(name, LEVEL, case.expected, finding, exchanges)


def _settle(case: Case, rulings: Rulings) -> Params:
    table = table_message(case.script.table, rulings)
    claim = claim_message(case.facts.claim) if case.facts.claim else None
    return SettleParams(table, case.facts.dice.kept, claim, case.facts.dead)


def _settled(subject: Subject, case: Case, reply: Reply) -> Finding:
    return judge(subject, case.expected, Answered(case.script, reply))


def _before_the_roll(case: Case, rulings: Rulings) -> Params:
    return LegalParams(table_message(case.script.table, rulings), case.facts.dice.kept)


def _with_the_roll(case: Case, rulings: Rulings) -> Params | None:
    """Return what asks for the faces of the last roll; not of a dead one, which is settled."""
    if case.facts.dead:
        return None
    turn = _choosing(case).turn
    return LegalParams(table_message(case.script.table, rulings), turn.set_aside, turn.rolled)


def _choosing(case: Case) -> Position:
    """Return the position in which the last face is chosen."""
    *_, (roll, decision) = zip(case.script.rolls, case.script.decisions, strict=True)
    before = case.facts.dice.kept.replace(decision.keep or "", "")
    return Position(case.script.table, Turn(before, roll))


def _allowed_before_the_roll(subject: Subject, case: Case, reply: Reply) -> Finding:
    position = Position(case.script.table, Turn(case.facts.dice.kept))
    return _allowed(subject, position, case.expected.rules, reply)


def _allowed_with_the_roll(subject: Subject, case: Case, reply: Reply) -> Finding:
    return _allowed(subject, _choosing(case), (str(Rule.ROLLING_NEW_FACE),), reply)


def _allowed(subject: Subject, position: Position, rules: tuple[str, ...], reply: Reply) -> Finding:
    """Return what came of asking what is legal."""
    try:
        require_result(reply)
        assert isinstance(reply, LegalResult)
        expected = legal(position, subject.rulings)
        came = Options(
            "".join(sorted(reply.keep)),
            reply.roll,
            reply.stop,
            tuple(map(read_claim, reply.claims)),
        )
        if (set(expected.claims), expected[:3]) != (set(came.claims), came[:3]):
            rules = (str(blame.offered(position, expected, came)),)
            told = sentences.dice(position.turn.set_aside) or "nothing"
            raise Departure(
                f"What is legal with {told} set aside: "
                f"Expected: {_told(expected)}. Came: {_told(came)}."
            )
    except tuple(VERDICTS) as failure:
        return Finding(VERDICTS[type(failure)], rules, str(failure))
    return Finding(Verdict.PASS, rules)


def _told(options: Options) -> str:
    """Return what is legal, in words."""
    may = [f"set aside {', '.join(options.faces)}"] if options.faces else []
    may += ["roll"] if options.roll else []
    may += ["stop"] if options.stop else []
    claims = [sentences.claim(claim_message(claim)) for claim in options.claims]
    return "; ".join([" or ".join(may) or "nothing", *claims])


PARTS = (
    Part("legal", "legal", _before_the_roll, _allowed_before_the_roll),
    Part("faces", "legal", _with_the_roll, _allowed_with_the_roll),
    Part("settle", "settle", _settle, _settled),
)
