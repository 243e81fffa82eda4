"""Level `turns`: every choice and every dead roll of a turn, on a full grill.

The scripts come shortest first, so that the first failure is the smallest. A choice that shows
nothing yet is followed by the shortest rolls that end in a claim whose tile tells the total,
where there are any, else by a dead roll.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, zip_longest
from typing import Literal, NamedTuple

from msgspec import UNSET

from pickomino_conformance import blame, sentences
from pickomino_conformance.cases import (
    VERDICTS,
    Departure,
    Erred,
    Outcome,
    Script,
    Unsupported,
    Verdict,
    exchange,
)
from pickomino_conformance.engines.session import Breakdown, Reply
from pickomino_conformance.levels import smoke
from pickomino_conformance.protocol import (
    MISFIT,
    ClaimMessage,
    Decision,
    ErrorMessage,
    Params,
    Step,
    TableMessage,
    TurnParams,
    TurnResult,
)
from pickomino_conformance.subject import (
    Subject,
    account_differences,
    describe_differences,
    differences,
    legal_outcomes,
    plain_reply,
    require_possible,
    require_result,
    require_start,
    same_table,
)
from pickomino_conformance.tables import claim_message, table_message
from pickomino_reference import (
    BASE,
    Position,
    Roll,
    Rule,
    Rulings,
    SetAside,
    Table,
    Take,
    claiming,
    legal,
    play,
    rolling,
    start,
)

FACES = "".join(sorted(BASE.points))
# Of the passed cases one in so many is told whole, as evidence for the diagnosis.
SHOW_EVERY = 97
ROLL_ON = {face: Decision(keep=face, then="roll") for face in FACES}


class Ending(NamedTuple):
    """How a script ends once its choice is made; the same for all that set the same dice aside.

    Attributes:
        then: whether the player stops after the choice, or rolls on.
        claim: the claim that goes with it, if the player stops and something can be claimed.
        rolls: the rolls that follow.
        decisions: the decisions on them; one fewer if the last roll is dead.
        table: the table that must come.
        message: the same as a message.
        rule: the rule that decides last.
        kept: all dice set aside in the end.
    """

    then: Literal["roll", "stop"]
    claim: ClaimMessage | None
    rolls: tuple[str, ...]
    decisions: tuple[Decision, ...]
    table: Table
    message: TableMessage
    rule: Rule
    kept: str


class Node(NamedTuple):
    """A way to have set dice aside: the position, and the plainest turn that leads there."""

    position: Position
    rolls: tuple[str, ...]
    decisions: tuple[Decision, ...]


class Case(NamedTuple):
    """One script: dice set aside at a node, a roll, a choice (or none: it is dead), an ending."""

    node: Node
    roll: str
    face: str
    ending: Ending

    @property
    def rolls(self) -> tuple[str, ...]:
        """All rolls of the script."""
        return (*self.node.rolls, self.roll, *self.ending.rolls)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions of the script."""
        then, claim, _, following, *_ = self.ending
        if self.face == "":
            return self.node.decisions
        choice = ROLL_ON[self.face]
        if then == "stop":
            choice = Decision(keep=self.face, then="stop", claim=claim)
        return (*self.node.decisions, choice, *following)

    @property
    def id(self) -> str:
        """The rolls, each with the face set aside: `turns/1123WWW5-W.11355-5`."""
        faces = [f"-{decision.keep}" for decision in self.decisions]
        steps = zip_longest(self.rolls, faces, fillvalue="")
        return "turns/" + ".".join(roll + face for roll, face in steps)


@cache
def _last_step(kept: str) -> Step:
    """Return the trace of the decision after which these dice are set aside."""
    return Step(kept, rolling.all_dice(kept, BASE), claiming.total(kept, BASE))


class Turns:
    """Every script of a turn on the table given, under the rulings given."""

    def __init__(self, table: Table, rulings: Rulings) -> None:
        self.table = table
        self._rulings = rulings
        self._endings: dict[str, Ending] = {}

    def cases(self) -> list[Case]:
        """Return all cases, those with the fewest rolls first."""
        found = [case for node in self._nodes() for case in self._at(node)]
        found.sort(key=lambda case: len(case.node.rolls) + len(case.ending.rolls))
        return found

    def _nodes(self) -> Iterable[Node]:
        """Yield every way to have set dice aside after which the turn may roll on."""
        nodes = {"": Node(Position(self.table), (), ())}
        for number in range(BASE.dice):
            for dice in combinations_with_replacement(FACES, number):
                kept = "".join(dice)
                node = nodes.get(kept) or self._reach(kept, nodes)
                if node is not None:
                    nodes[kept] = node
                    yield node

    def _reach(self, kept: str, nodes: dict[str, Node]) -> Node | None:
        """Return the node where `kept` is set aside, its last face last; none if there is none."""
        face = kept[-1]
        before = nodes.get(kept.rstrip(face))
        if before is None:
            return None
        dice = rolling.all_dice(before.position.turn.set_aside, BASE)
        roll = _plain_roll(face, kept.count(face), dice)
        position = play(before.position, Roll(roll), self._rulings)
        position = play(position, SetAside(face), self._rulings)
        if position.turn.set_aside != kept or not legal(position, self._rulings).roll:
            return None
        return Node(position, (*before.rolls, roll), (*before.decisions, ROLL_ON[face]))

    def _at(self, node: Node) -> Iterator[Case]:
        dice = rolling.all_dice(node.position.turn.set_aside, BASE)
        for outcome in combinations_with_replacement(FACES, dice):
            roll = "".join(outcome)
            position = play(node.position, Roll(roll), self._rulings)
            if position.turn.rolled == "":
                kept = node.position.turn.set_aside
                rule = blame.failed(self.table, self._rulings)
                table = position.table
                ending = Ending("stop", None, (), (), table, self._message(table), rule, kept)
                yield Case(node, roll, "", ending)
                continue
            for face in legal(position, self._rulings).faces:
                yield Case(node, roll, face, self._ending(position, face))

    def _ending(self, position: Position, face: str) -> Ending:
        set_aside, rolled = position.turn
        kept = rolling.whole_face(set_aside, rolled, face)
        found = self._endings.get(kept)
        if found is None:
            after = play(position, SetAside(face), self._rulings)
            found = self._endings[kept] = self._end(kept, after)
        return found

    def _end(self, kept: str, position: Position) -> Ending:
        """Return how a script goes on once these dice are set aside."""
        failed = blame.failed(self.table, self._rulings)
        if position.turn.set_aside == "":
            table = position.table
            return Ending("stop", None, (), (), table, self._message(table), failed, kept)
        if legal(position, self._rulings).claims:
            claim, table, rule = self._claim(position)
            return Ending("stop", claim, (), (), table, self._message(table), rule, kept)
        more = _shortest_to_claim(kept, self.table)
        if more is None:
            dead = kept[0] * rolling.all_dice(kept, BASE)
            table = play(position, Roll(dead), self._rulings).table
            return Ending("roll", None, (dead,), (), table, self._message(table), failed, kept)
        rolls = []
        for face, count in more:
            roll = _plain_roll(face, count, rolling.all_dice(position.turn.set_aside, BASE))
            position = play(position, Roll(roll), self._rulings)
            position = play(position, SetAside(face), self._rulings)
            rolls.append(roll)
        claim, table, rule = self._claim(position)
        decisions = [ROLL_ON[face] for face, _ in more]
        decisions[-1] = Decision(keep=more[-1][0], then="stop", claim=claim)
        kept = position.turn.set_aside
        message = self._message(table)
        return Ending("roll", None, tuple(rolls), tuple(decisions), table, message, rule, kept)

    def _message(self, table: Table) -> TableMessage:
        return table_message(table, self._rulings)

    def _claim(self, position: Position) -> tuple[ClaimMessage, Table, Rule]:
        """Return the claim of the highest tile that can be taken, and what it brings."""
        takes = [c for c in legal(position, self._rulings).claims if isinstance(c, Take)]
        claim = max(takes, key=lambda take: take.tile)
        table = play(position, claim, self._rulings).table
        return claim_message(claim), table, blame.claimed(position.turn.set_aside, claim)


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


def run(
    subject: Subject,
    failed_probes: Sequence[smoke.Probe] = (),
    only: Collection[str] = (),
) -> Iterator[Outcome]:
    """Yield the outcome of every case, shortest first; a passed one is shared by its rule.

    `only` are the ids of the only cases to be asked; empty for all.
    """
    fewest, most = BASE.players
    table = start(min(max(fewest, subject.hello.players[0]), most))
    turns = Turns(table, subject.rulings)
    yield from Level(subject, turns, failed_probes, only).run()


class Level:
    """The level on one engine."""

    def __init__(
        self,
        subject: Subject,
        turns: Turns,
        failed: Sequence[smoke.Probe] = (),
        only: Collection[str] = (),
    ) -> None:
        self._subject = subject
        self._only = frozenset(only)
        self._failed = list(failed)
        self._message = table_message(turns.table, subject.rulings)
        self._turns = turns
        self._passes = 0
        self._passed: dict[Rule, Outcome] = {}
        self._asked: deque[Case] = deque()
        self._put_off: list[Case] = []
        self._rest: list[Outcome] = []

    def run(self) -> Iterator[Outcome]:
        """Yield the outcome of every case."""
        replies = self._subject.engine.ask_many(self.requests())
        for reply in replies:
            case = self._asked.popleft()
            last = reply[-1]
            if isinstance(last, ErrorMessage) and self._one_more_roll(case, last):
                self._put_off.append(case)
            else:
                yield self._judge(case, reply)
            yield from self._flush()
        yield from self._flush()
        for case in self._put_off:
            yield self._judge(case, [self._ask_again(case)])

    def _flush(self) -> Iterator[Outcome]:
        yield from self._rest
        self._rest.clear()

    def requests(self) -> Iterator[Sequence[Params]]:
        """Yield the requests of each case; what a failed probe poisons is left out."""
        set_table = self._subject.can("set-table")
        try:
            opening = self._subject.requests(Script(self._turns.table, (), ()))[:-1]
        except Unsupported as lack:
            for case in self._cases():
                rules = (str(case.ending.rule),)
                self._rest.append(Outcome(case.id, "turns", rules, Verdict.UNSUPPORTED, str(lack)))
            return
        message: TableMessage | None = self._message if set_table else None
        for case in self._cases():
            if self._failed:
                why = smoke.poisoned(self._script(case), (case.ending.rule,), self._failed)
                if why is not None:
                    self._rest.append(self._outcome(case, Verdict.NOT_REACHED, why))
                    continue
            self._asked.append(case)
            yield (*opening, TurnParams(message, list(case.rolls), list(case.decisions)))

    def _ask_again(self, case: Case) -> Reply:
        """Return the reply to a script that an engine may want to end by a dead roll more."""
        try:
            reply = self._subject.ask(self._script(case)).reply
        except Departure as departure:
            return ErrorMessage(code=MISFIT, message=str(departure))
        except Erred as erred:
            return Breakdown(str(erred))
        if isinstance(reply, TurnResult):
            # It may well count the dead roll that the script has more.
            reply.rolls_used = UNSET
        return reply

    def _cases(self) -> Iterator[Case]:
        for case in self._turns.cases():
            if not self._only or case.id in self._only:
                yield case

    def _one_more_roll(self, case: Case, reply: ErrorMessage) -> bool:
        return self._subject.one_more_roll(self._script(case), reply) is not None

    def _script(self, case: Case) -> Script:
        return Script(self._turns.table, case.rolls, case.decisions)

    def _judge(self, case: Case, replies: list[Reply]) -> Outcome:
        rule = case.ending.rule
        try:
            *opening, answer = replies
            for begun in opening:
                require_start(begun, self._turns.table)
            require_result(answer)
            assert isinstance(answer, TurnResult)
            found = self._compare(case, answer)
            if found is None:
                return self._pass(case, answer)
            require_possible(self._turns.table, answer.table)
            if found.keys() == {"player"}:
                rule = Rule.FAILING_PASSES
            raise Departure(describe_differences(found))
        except tuple(VERDICTS) as failure:
            return self._outcome(case, VERDICTS[type(failure)], str(failure), rule, replies[-1])

    def _compare(self, case: Case, answer: TurnResult) -> dict[str, tuple[str, str]] | None:
        """Return what differs, or none if the answer is right."""
        ending, rulings = case.ending, self._subject.rulings
        if (
            answer.table == ending.message
            and answer.over is (ending.table.grill == ())
            and answer.rolls_used == len(case.node.rolls) + 1 + len(ending.rolls)
            and answer.trace
            and answer.trace[-1] == _last_step(ending.kept)
        ):
            # All is told and right; most answers are, and this is quick.
            return None
        if len(answer.table.stacks) != len(ending.table.stacks):
            return {"stacks": (f"{len(ending.table.stacks)} stacks", f"{len(answer.table.stacks)}")}
        found = differences(ending.table, answer, rulings)
        if found and not self._subject.can("choose-claim") and not same_table(ending.table, answer):
            for legal_table in legal_outcomes(self._script(case), rulings):
                if same_table(legal_table, answer):
                    return None
        found |= account_differences(answer, len(case.rolls), _last_step(ending.kept))
        return found or None

    def _pass(self, case: Case, answer: TurnResult) -> Outcome:
        """Return a passed case; all of a rule share one, but for a few that show the answer."""
        rule = case.ending.rule
        self._passes += 1
        if self._passes % SHOW_EVERY == 0:
            return self._outcome(case, Verdict.PASS, answer=answer)
        outcome = self._passed.get(rule)
        if outcome is None:
            outcome = self._passed[rule] = Outcome("", "turns", (str(rule),), Verdict.PASS)
        return outcome

    def _outcome(
        self,
        case: Case,
        verdict: Verdict,
        message: str = "",
        rule: Rule | None = None,
        answer: Reply | None = None,
    ) -> Outcome:
        script = self._script(case)
        told = f"{sentences.table(script.table)}. {sentences.turn(script)}. {message}"
        came = {} if answer is None else plain_reply(answer)
        return Outcome(
            id=case.id,
            level="turns",
            rules=(str(rule or case.ending.rule),),
            verdict=verdict,
            message=told if message else "",
            exchanges=(exchange(script.params(self._subject.rulings), came),),
        )
