"""Level `turns`: every choice and every dead roll of a turn, on a full grill.

The scripts come shortest first, so that the first failure is the smallest. A choice that shows
nothing yet is followed by the shortest rolls that end in a claim whose tile tells the total,
where there are any, else by a dead roll.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, zip_longest
from typing import NamedTuple

from pickomino_conformance.blame import judge, shown
from pickomino_conformance.cases import (
    Judgement,
    Outcome,
    Telling,
    Unanswered,
    Unsupported,
    Verdict,
    Wanted,
    exchange,
    outcome,
    require_answer,
    require_start,
    unanswered,
)
from pickomino_conformance.cases.dice import FACES
from pickomino_conformance.cases.smoke import poisoned
from pickomino_conformance.engine import Answered, EngineUnderTest
from pickomino_conformance.oracle import of_record
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.messages import (
    Params,
    StartParams,
    StepMessage,
    TableMessage,
    TurnParams,
    TurnResult,
)
from pickomino_conformance.protocol.translate import (
    Start,
    decision_message,
    step_message,
    table_message,
)
from pickomino_reference import (
    BASE,
    Decision,
    Position,
    Record,
    Rulings,
    Script,
    Table,
    Take,
    claiming,
    game,
    play_turn,
    rolling,
    start,
)
from pickomino_reference.turn import play_next

LEVEL = "turns"
ROLL_ON = {face: Decision(face, "roll") for face in FACES}


class TurnEnding(NamedTuple):
    """How a script ends once its choice is made; the same for all that set the same dice aside.

    Attributes:
        choice: the decision on the roll that is chosen from; none if that roll is dead.
        rolls: the rolls that follow.
        decisions: the decisions on them; one fewer if the last roll is dead.
        record: what must become of a turn that ends so; its dice are those of one such turn.
        table: the table that must come, as a message.
        steps: what the last decisions leave: the choice, and those that follow.
        rules: the rules for which it counts.
    """

    choice: Decision | None
    rolls: tuple[str, ...]
    decisions: tuple[Decision, ...]
    record: Record
    table: TableMessage
    steps: tuple[StepMessage, ...]
    rules: tuple[str, ...]


class Begun(NamedTuple):
    """A way to have set dice aside: the plainest turn that leads there, as far as it goes."""

    record: Record
    rolls: tuple[str, ...]
    decisions: tuple[Decision, ...]
    steps: tuple[StepMessage, ...]


class TurnCase(NamedTuple):
    """One script: a turn begun, a roll, a choice from it (or none: it is dead), an ending."""

    begun: Begun
    roll: str
    ending: TurnEnding

    @property
    def rolls(self) -> tuple[str, ...]:
        """All rolls of the script."""
        return (*self.begun.rolls, self.roll, *self.ending.rolls)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions of the script."""
        choice = self.ending.choice
        if choice is None:
            return self.begun.decisions
        return (*self.begun.decisions, choice, *self.ending.decisions)

    @property
    def id(self) -> str:
        """The rolls, each with the face set aside: `turns/1123WWW5-W.11355-5`."""
        faces = [f"-{decision.keep}" for decision in self.decisions]
        steps = zip_longest(self.rolls, faces, fillvalue="")
        return f"{LEVEL}/" + ".".join(roll + face for roll, face in steps)


class Turns:
    """Every script of a turn on the table given, under the rulings given."""

    def __init__(self, table: Table, rulings: Rulings) -> None:
        self.table = table
        self._rulings = rulings
        self._endings: dict[str, TurnEnding] = {}

    def cases(self) -> list[TurnCase]:
        """Return all cases, those with the fewest rolls first."""
        found = [case for begun in self._begun() for case in self._at(begun)]
        found.sort(key=lambda case: len(case.begun.rolls) + len(case.ending.rolls))
        return found

    def _begun(self) -> Iterable[Begun]:
        """Yield every way to have set dice aside after which the turn may roll on."""
        begun = {"": Begun(Record(Position(self.table)), (), (), ())}
        for number in range(BASE.dice):
            for dice in combinations_with_replacement(FACES, number):
                kept = "".join(dice)
                one = begun.get(kept) or self._reach(kept, begun)
                if one is not None:
                    begun[kept] = one
                    yield one

    def _reach(self, kept: str, begun: dict[str, Begun]) -> Begun | None:
        """Return how `kept` is set aside, its last face last; none if the turn is over then."""
        face = kept[-1]
        before = begun.get(kept.rstrip(face))
        if before is None:
            return None
        dice = rolling.all_dice(before.record.set_aside, BASE)
        rolls = (*before.rolls, _plain_roll(face, kept.count(face), dice))
        decisions = (*before.decisions, ROLL_ON[face])
        record = play_next(before.record, Script(self.table, rolls, decisions), self._rulings)
        if record.end is not None or rolling.forced_end(kept, self._rulings, BASE):
            return None
        return Begun(record, rolls, decisions, (*before.steps, step_message(record.trace[-1])))

    def _at(self, begun: Begun) -> Iterator[TurnCase]:
        kept = begun.record.set_aside
        for dice in combinations_with_replacement(FACES, rolling.all_dice(kept, BASE)):
            roll = "".join(dice)
            faces = rolling.new_face(kept, roll)
            if not faces:
                yield TurnCase(begun, roll, self._dead(begun, roll))
            for face in faces:
                after = rolling.whole_face(kept, roll, face)
                # The dice tell all but the face that is chosen last.
                found = self._endings.get(after + face)
                if found is None:
                    found = self._endings[after + face] = self._end(begun, roll, face, after)
                yield TurnCase(begun, roll, found)

    def _dead(self, begun: Begun, roll: str) -> TurnEnding:
        found = self._endings.get("")
        if found is None:
            rolls = (*begun.rolls, roll)
            record = play_turn(Script(self.table, rolls, begun.decisions), self._rulings)
            found = self._endings[""] = self._ending(None, (), (), record, 0)
        return found

    def _end(self, begun: Begun, roll: str, face: str, kept: str) -> TurnEnding:
        """Return how a script goes on once these dice are set aside."""
        rolls, decisions = (*begun.rolls, roll), begun.decisions
        claims = game.reach(self.table, kept, self._rulings)
        choice = Decision(face, "stop", _highest(claims))
        more: tuple[str, ...] = ()
        over = rolling.forced_end(kept, self._rulings, BASE)
        after: tuple[Decision, ...] = ()
        if not claims and not over:
            choice = ROLL_ON[face]
            more, after = self._goes_on(kept)
        script = Script(self.table, (*rolls, *more), (*decisions, choice, *after))
        record = play_turn(script, self._rulings)
        return self._ending(choice, more, after, record, 1 + len(after))

    def _goes_on(self, kept: str) -> tuple[tuple[str, ...], tuple[Decision, ...]]:
        """Return the shortest rolls to a claim that tells the total, else a dead one."""
        more = _shortest_to_claim(kept, self.table)
        if more is None:
            return (kept[0] * rolling.all_dice(kept, BASE),), ()
        rolls, decisions = [], []
        for face, count in more:
            rolls.append(_plain_roll(face, count, rolling.all_dice(kept, BASE)))
            kept = rolling.whole_face(kept, rolls[-1], face)
            decisions.append(ROLL_ON[face])
        claim = _highest(game.reach(self.table, kept, self._rulings))
        decisions[-1] = Decision(more[-1][0], "stop", claim)
        return tuple(rolls), tuple(decisions)

    def _ending(
        self,
        choice: Decision | None,
        rolls: tuple[str, ...],
        decisions: tuple[Decision, ...],
        record: Record,
        steps: int,
    ) -> TurnEnding:
        due = of_record(record, self._rulings)
        table = table_message(record.position.table, self._rulings)
        trace = tuple(map(step_message, record.trace[len(record.trace) - steps :]))
        return TurnEnding(choice, rolls, decisions, record, table, trace, shown(due)[-1:])


def _highest(claims: Sequence[object]) -> Take | None:
    """Return the claim of the highest tile that can be taken; none if none can."""
    takes = [claim for claim in claims if isinstance(claim, Take)]
    return max(takes, key=lambda take: take.tile, default=None)


@cache
def _plain_roll(face: str, count: int, dice: int) -> str:
    """Return a roll that shows `face` so often, and one other face on the dice that are left."""
    other = next(filler for filler in FACES if filler != face)
    return rolling.sort_dice(face * count + other * (dice - count))


def _shortest_to_claim(kept: str, table: Table) -> tuple[tuple[str, int], ...] | None:
    """Return the fewest further set-asides, as (face, dice), after which a tile tells the total.

    None if there are none. All of them end with a worm and a total that lies on the grill.
    """
    waiting: deque[tuple[str, tuple[tuple[str, int], ...]]] = deque([(kept, ())])
    seen = {kept}
    while waiting:
        dice, path = waiting.popleft()
        if path and BASE.worm in dice and claiming.total(dice, BASE) in table.grill:
            return path
        for face in FACES:
            for count in range(1, rolling.all_dice(dice, BASE) + 1) if face not in dice else ():
                more = rolling.whole_face(dice, face * count, face)
                if more not in seen:
                    seen.add(more)
                    waiting.append((more, (*path, (face, count))))
    return None


def run(engine: EngineUnderTest, wanted: Wanted) -> Iterator[Outcome]:
    """Yield the outcome of every case, shortest first; a passed one is shared by its rule."""
    fewest, most = BASE.players
    table = start(min(max(fewest, engine.hello.players[0]), most))
    yield from AskingTurns(engine, Turns(table, engine.rulings), wanted).run()


class AskingTurns:
    """The level on one engine; the scripts are sent ahead of their answers."""

    def __init__(self, engine: EngineUnderTest, turns: Turns, wanted: Wanted = Wanted()) -> None:  # noqa: B008  # a frozen value
        self._engine = engine
        self._turns = turns
        self._wanted = wanted
        self._begin = Start(len(turns.table.stacks))
        self._telling = Telling(LEVEL, one_in=97)
        self._passed: dict[tuple[str, ...], Outcome] = {}
        self._asked: deque[TurnCase] = deque()
        self._not_asked: deque[Outcome] = deque()

    def run(self) -> Iterator[Outcome]:
        """Yield the outcome of every case."""
        put_off: list[TurnCase] = []
        for replies in self._engine.conversation.ask_many(self.requests()):
            case = self._asked.popleft()
            if self._is_right(case, replies[-1]):
                yield self._pass(case, replies[-1])
            elif self._engine.one_more_roll(self._script(case), replies[-1]) is not None:
                put_off.append(case)
            else:
                yield self._judge(case, replies)
            while self._not_asked:
                yield self._not_asked.popleft()
        yield from self._not_asked
        for case, answered in zip(
            put_off, self._engine.ask_each(map(self._script, put_off)), strict=True
        ):
            found = judge(self._engine, self._script(case), answered)
            yield outcome(case.id, LEVEL, found, answered.exchanges)

    def requests(self) -> Iterator[Sequence[Params]]:
        """Yield the requests of each case; what a failed probe poisons is left out."""
        engine, table = self._engine, self._turns.table
        sets = engine.can("set-table")
        opening = () if sets else (StartParams(self._begin.players),)
        message = table_message(table, engine.rulings) if sets else None
        lacks = self._lack(table)
        for case in self._turns.cases():
            if self._wanted.only and case.id not in self._wanted.only:
                continue
            rules = case.ending.rules
            why = lacks
            if why is None and self._wanted.failed:
                poison = poisoned([self._script(case)], rules, self._wanted.failed)
                why = Judgement(Verdict.NOT_REACHED, rules, (), poison) if poison else None
            if why is not None:
                told = () if lacks else (exchange(self._script(case), None, engine.rulings),)
                self._not_asked.append(outcome(case.id, LEVEL, why._replace(rules=rules), told))
                continue
            self._asked.append(case)
            decisions = list(map(decision_message, case.decisions))
            yield (*opening, TurnParams(message, list(case.rolls), decisions))

    def _lack(self, table: Table) -> Judgement | None:
        """Return why no turn can be asked, if none can."""
        try:
            self._engine.need_turns(table)
        except Unsupported as lack:
            return unanswered(lack, ())
        if self._engine.only_settles:
            return Judgement(Verdict.UNSUPPORTED, (), (), "the engine only settles turns")
        return None

    def _script(self, case: TurnCase) -> Script:
        return Script(self._turns.table, case.rolls, case.decisions)

    @staticmethod
    def _is_right(case: TurnCase, answer: Reply) -> bool:
        """Whether all is told and right: most answers are, and this is quick."""
        begun, _, ending = case
        return (
            isinstance(answer, TurnResult)
            and answer.table == ending.table
            and answer.over is (not ending.table.grill)
            and answer.rolls_used == len(begun.rolls) + 1 + len(ending.rolls)
            and answer.trace == [*begun.steps, *ending.steps]
        )

    def _judge(self, case: TurnCase, replies: Sequence[Reply]) -> Outcome:
        *opening, answer = replies
        script = self._script(case)
        try:
            require_answer(answer)
            for begun in opening:
                require_start(self._begin, begun, self._engine.rulings)
            found = judge(self._engine, script, Answered(script, answer))
        except Unanswered as why:
            found = unanswered(why, case.ending.rules)
        if found.verdict is Verdict.PASS:
            return self._pass(case, answer)
        told = (exchange(script, answer, self._engine.rulings),)
        return outcome(case.id, LEVEL, found._replace(rules=found.rules[-1:]), told)

    def _pass(self, case: TurnCase, answer: Reply) -> Outcome:
        """Return a passed case; all of a rule share one, but for a few that show the answer."""
        rules = case.ending.rules
        passed = Judgement(Verdict.PASS, rules)
        if self._telling.whole(passed):
            told = (exchange(self._script(case), answer, self._engine.rulings),)
            return outcome(case.id, LEVEL, passed, told)
        found = self._passed.get(rules)
        if found is None:
            found = self._passed[rules] = outcome("", LEVEL, passed)
        return found
