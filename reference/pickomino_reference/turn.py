"""A whole turn with its dice and decisions scripted: what becomes of it, and by which rule.

The unit of the adapter protocol, of every scenario and of every logged turn.
"""

from enum import StrEnum
from typing import Literal, NamedTuple

from pickomino_reference import claiming, game, reasons, rolling
from pickomino_reference.box import BASE, Box
from pickomino_reference.moves import Claim, Roll, SetAside, Stop
from pickomino_reference.rules import Refused, Rule
from pickomino_reference.rulings import Rulings, StopWithoutClaim
from pickomino_reference.table import Position, Table, Turn


class Decision(NamedTuple):
    """What a player does with a roll: the face set aside, if any; what then; what is claimed."""

    keep: str | None
    then: Literal["roll", "stop"]
    claim: Claim | None = None


class Script(NamedTuple):
    """A whole turn on a table: its rolls, and a decision for each but a dead one at the end."""

    table: Table
    rolls: tuple[str, ...]
    decisions: tuple[Decision, ...]

    @property
    def set_aside(self) -> str:
        """Every die that the decisions set aside, in the order of the script."""
        pairs = zip(self.rolls, self.decisions, strict=False)
        return "".join(one.keep * roll.count(one.keep) for roll, one in pairs if one.keep)


class End(StrEnum):
    """How a scripted turn ended."""

    CLAIM = "a claim"
    DEAD_ROLL = "a dead roll"
    FORCED = "a forced end with nothing to claim"
    STOP = "a stop with nothing to claim"
    REFUSED = "a decision that a rule forbids"
    UNFINISHED = "a script that does not fit the turn, or ends before it"


class Step(NamedTuple):
    """What a decision leaves: all dice set aside so far, the dice left to roll, the total."""

    kept: str
    dice: int
    total: int


class Record(NamedTuple):
    """What has become of a script so far, or in the end.

    Attributes:
        position: where the turn stands; once it was settled, the table that it leaves.
        trace: what each decision has left.
        rolls_used: how many rolls were made, a dead one included.
        end: how the turn ended; none while it is under way.
        rule: the rule that decided: it offers the claim, says what the failed turn turns face
            down, or forbids what came last.
        why: the rule by which the turn has failed, if it has.
        claims: what could be claimed on stopping.
        claim: what was claimed.
        wants: what an unfinished turn wants next: `roll`, `decision` or `claim`.
        left_over: whether the script has rolls or decisions after a turn that was settled.
    """

    position: Position
    trace: tuple[Step, ...] = ()
    rolls_used: int = 0
    end: End | None = None
    rule: Rule | None = None
    why: Rule | None = None
    claims: tuple[Claim, ...] = ()
    claim: Claim | None = None
    wants: str = ""
    left_over: bool = False

    @property
    def set_aside(self) -> str:
        """All dice set aside so far, in sorted order."""
        return self.trace[-1].kept if self.trace else ""

    @property
    def failed(self) -> bool:
        """Whether the turn was settled, and has failed."""
        return self.why is not None


def play_turn(script: Script, rulings: Rulings, box: Box = BASE) -> Record:
    """Return what becomes of a scripted turn."""
    record = Record(Position(script.table))
    while record.end is None:
        record = play_next(record, script, rulings, box)
    return record


def play_next(record: Record, script: Script, rulings: Rulings, box: Box = BASE) -> Record:
    """Return the record of a turn under way after its next roll, and the decision on it."""
    used = record.rolls_used
    if used == len(script.rolls):
        return record._replace(end=End.UNFINISHED, wants="roll")
    try:
        rolled = game.play(record.position, Roll(script.rolls[used]), rulings, box)
        record = record._replace(position=rolled, rolls_used=used + 1)
        if rolled.turn.rolled == "":
            return _failed(record, script, End.DEAD_ROLL, Rule.FAILING_DEAD_ROLL, rulings)
        if used >= len(script.decisions):
            return record._replace(end=End.UNFINISHED, wants="decision")
        face, then, claim = script.decisions[used]
        chosen, kept = _choose(rolled, face, rulings, box)
        step = Step(kept, rolling.all_dice(kept, box), claiming.total(kept, box))
        position = Position(script.table, Turn(kept))
        record = record._replace(position=position, trace=(*record.trace, step))
        if then == "roll" and rolling.forced_end(kept, rulings, box):
            return record._replace(end=End.REFUSED, rule=Rule.ROLLING_FORCED_END)
        if chosen.turn == Turn():
            return _end_by_itself(record, script, chosen, rulings, box)
        if then == "roll":
            return record
        record = record._replace(claims=game.reach(script.table, kept, rulings, box))
        return _stop(record, script, claim, rulings, box)
    except Refused as refused:
        if refused.rule is Rule.ROLLING_ALL_DICE:
            return record._replace(end=End.UNFINISHED, wants="roll")
        return record._replace(end=End.REFUSED, rule=refused.rule)


def _choose(
    position: Position, face: str | None, rulings: Rulings, box: Box
) -> tuple[Position, str]:
    """Return the position after a choice, and all dice set aside by then."""
    kept, rolled = position.turn
    if face is not None:
        position = game.play(position, SetAside(face), rulings, box)
        return position, position.turn.set_aside or rolling.whole_face(kept, rolled, face)
    if rolling.choose_a_face(position.turn):
        raise Refused(Rule.ROLLING_CHOOSE_A_FACE)
    return position, kept


def _end_by_itself(
    record: Record, script: Script, after: Position, rulings: Rulings, box: Box
) -> Record:
    kept, claim = record.set_aside, script.decisions[record.rolls_used - 1].claim
    if claim is not None:
        raise Refused(reasons.forbids(script.table, kept, claim, box))
    why = reasons.without_claim(kept, box)
    return _failed(record._replace(position=after), script, End.FORCED, why, rulings)


def _stop(
    record: Record, script: Script, claim: Claim | None, rulings: Rulings, box: Box
) -> Record:
    kept = record.set_aside
    if claim is not None:
        after = game.play(record.position, claim, rulings, box)
        rule = reasons.decides_claim(script.table, kept, claim, record.claims, box)
        record = record._replace(position=after, claim=claim)
        return _settled(record, script, End.CLAIM, rule)
    if record.claims:
        return record._replace(end=End.UNFINISHED, wants="claim")
    every_face = len(set(kept)) == len(box.points)
    if every_face and rulings.stop_without_claim is StopWithoutClaim.BARRED:
        # No face is left to choose, so that the player can only roll on, and fail.
        return record
    record = record._replace(position=game.play(record.position, Stop(), rulings, box))
    return _failed(record, script, End.STOP, Rule.ROLLING_STOP_FREELY, rulings)


def _failed(record: Record, script: Script, end: End, why: Rule, rulings: Rulings) -> Record:
    rule = reasons.decides_failure(script.table, rulings)
    return _settled(record._replace(why=why), script, end, rule)


def _settled(record: Record, script: Script, end: End, rule: Rule) -> Record:
    unused = len(script.rolls) > record.rolls_used or len(script.decisions) > len(record.trace)
    return record._replace(end=end, rule=rule, left_over=unused)
