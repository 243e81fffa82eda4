"""Every move that a person might try in a position, and why it may be made or not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pickomino_conformance.reasons import consequences
from pickomino_conformance.reasons.consequences import Claimed, Consequence, Failed, Kept, Rolled
from pickomino_conformance.reasons.why import Facts, Why, sentence
from pickomino_reference import (
    BASE,
    Box,
    Claim,
    Move,
    Position,
    Refused,
    Roll,
    Rule,
    Rulings,
    SetAside,
    Steal,
    Stop,
    Table,
    Take,
    claiming,
    ending,
    failing,
    make_rulings,
    play,
    reach,
    rolling,
    ruling_values,
)
from pickomino_reference.editions import ALTERNATIVES


class Hinge(NamedTuple):
    """A ruling on which it hangs whether a move may be made, or what comes of it.

    Attributes:
        ruling: its id.
        value: the value by which it is judged.
        otherwise: the values of it that would change something.
    """

    ruling: str
    value: str
    otherwise: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """A move, and why it may be made or not.

    Attributes:
        move: the move. The dice of a roll are any: it stands for every roll.
        allowed: whether it may be made.
        why: the reason.
        facts: the numbers and faces that the reason speaks of.
        rules: the rules that allow or forbid it, the one that decides first.
        hinges: the rulings on which it hangs.
        consequence: what comes of it, if it is allowed.
    """

    move: Move
    allowed: bool
    why: Why
    facts: Facts
    rules: tuple[Rule, ...]
    hinges: tuple[Hinge, ...] = ()
    consequence: Consequence | None = None

    @property
    def because(self) -> str:
        """The reason in words."""
        return sentence(self.why, self.facts)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A position, and all moves that a person might try in it.

    Attributes:
        position: the position.
        rulings: what it is judged by.
        total: what the dice set aside are worth.
        dice: how many dice are not set aside.
        over: whether the game is over.
        failed: the end of the turn, if the position is one that has failed already: a dead
            roll lies there, or the rolling is over with nothing to claim.
        moves: set-asides, rolling on, stopping with nothing to claim, every tile of the box to
            take, every player to steal from.
    """

    position: Position
    rulings: Rulings
    total: int
    dice: int
    over: bool
    failed: Failed | None
    moves: tuple[Explained, ...]


def explain(position: Position, rulings: Rulings, box: Box = BASE) -> Explanation:
    """Return why each move may be made in this position, or why not.

    Raises:
        ValueError: the position can't be: a roll lies there after the rolling was over, or its
            dice are not those that are left.
    """
    table, turn = position
    dice = rolling.all_dice(turn.set_aside, box)
    if turn.rolled and rolling.forced_end(turn.set_aside, rulings, box):
        raise ValueError(
            f"With {turn.set_aside} set aside the rolling is over, so no roll can lie there. "
            "Leave the roll out (null)."
        )
    if turn.rolled and len(turn.rolled) != dice:
        raise ValueError(
            f"With {len(turn.set_aside)} dice set aside a roll has {dice} dice, "
            f"not {len(turn.rolled)}."
        )
    hinges = _hinges(position, rulings, box)
    moves = tuple(
        Explained(
            one.move, one.allowed, one.why, one.facts, one.rules, hinges[place], one.consequence
        )
        for place, one in enumerate(_judge_all(position, rulings, box))
    )
    return Explanation(
        position=position,
        rulings=rulings,
        total=claiming.total(turn.set_aside, box),
        dice=dice,
        over=ending.grill_empty(table),
        failed=consequences.ended(position, rulings, box),
        moves=moves,
    )


def tried(position: Position, box: Box = BASE) -> Iterator[Move]:
    """Yield every move that a person might try, whether it is allowed or not."""
    yield from map(SetAside, box.points)
    yield Roll(next(iter(box.points)) * rolling.all_dice(position.turn.set_aside, box))
    yield Stop()
    yield from map(Take, box.worms)
    yield from map(Steal, range(len(position.table.stacks)))


def _judge_all(position: Position, rulings: Rulings, box: Box) -> list[Explained]:
    return [_judge(position, move, rulings, box) for move in tried(position, box)]


def _judge(position: Position, move: Move, rulings: Rulings, box: Box) -> Explained:
    facts = _facts(position, move, box)
    try:
        play(position, move, rulings, box)
    except Refused as refused:
        rule = refused.rule
        why = _why_not(position, move, rule, box)
        return Explained(move, False, why, facts, _forbidding(position, why, rule, box))
    why = _why(position, move, rulings, box)
    rules = _allowing(position, move, why, rulings, box)
    consequence = _consequence(position, move, rulings, box)
    return Explained(move, True, why, facts, rules, (), consequence)


def _facts(position: Position, move: Move, box: Box) -> Facts:
    """Return what a reason may speak of."""
    table, turn = position
    total = claiming.total(turn.set_aside, box)
    facts: dict[str, int | str] = {
        "total": total,
        "dice": rolling.all_dice(turn.set_aside, box),
        "mover": table.player,
    }
    below = [tile for tile in table.grill if tile < total]
    if below:
        facts["next"] = below[-1]
    if isinstance(move, SetAside):
        facts["face"] = move.face
    if isinstance(move, Take):
        facts["tile"] = move.tile
        for player, stack in enumerate(table.stacks):
            if move.tile in stack:
                facts["player"] = player
    if isinstance(move, Steal):
        facts["player"] = move.player
        stack = table.stacks[move.player]
        if stack:
            facts["tile"] = stack[-1]
    return facts


# Why a move is forbidden, by the rule that the reference names. The rules that forbid for more
# than one reason are told apart below.
_WHY_NOT: Mapping[Rule, Why] = {
    Rule.ENDING_GRILL_EMPTY: Why.GAME_OVER,
    Rule.ROLLING_NEW_FACE: Why.USED_FACE,
    Rule.ROLLING_FORCED_END: Why.ROLLING_OVER,
    Rule.ROLLING_STOP_FREELY: Why.NO_FREE_STOP,
    Rule.CLAIMING_STOP_CLAIMS: Why.SOMETHING_TO_CLAIM,
    Rule.CLAIMING_WORM_NEEDED: Why.NO_WORM,
    Rule.CLAIMING_OWN_TOP: Why.OWN_TOP,
    Rule.CLAIMING_FACE_DOWN: Why.FACE_DOWN,
    Rule.CLAIMING_EXACT: Why.ABOVE_TOTAL,
    Rule.STEALING_OPTIONAL: Why.STEAL_INSTEAD,
    Rule.STEALING_OPPONENTS_ONLY: Why.OWN_STACK,
    Rule.STEALING_WORM_NEEDED: Why.NO_WORM,
    Rule.STEALING_STEAL_BACK: Why.BARRED,
}


def _why_not(position: Position, move: Move, rule: Rule, box: Box) -> Why:
    table, turn = position
    if turn.rolled and failing.dead_roll(turn.set_aside, turn.rolled) and table.grill:
        return Why.DEAD_ROLL
    if rule is Rule.ROLLING_CHOOSE_A_FACE:
        if isinstance(move, SetAside):
            return Why.NOT_ROLLED if turn.rolled else Why.NO_ROLL
        return Why.CHOOSE_FIRST if turn.rolled else Why.NOTHING_ASIDE
    if rule is Rule.CLAIMING_LOWER:
        total = claiming.total(turn.set_aside, box)
        return Why.EXACT_LIES_THERE if total in table.grill else Why.ANOTHER_IS_NEXT
    if rule is Rule.STEALING_EXACT:
        return Why.NOT_EXACT if isinstance(move, Steal) else Why.ON_A_STACK
    if rule is Rule.STEALING_TOP_ONLY:
        if isinstance(move, Steal):
            return Why.EXACT_IS_COVERED if table.stacks[move.player] else Why.NO_TILE
        return Why.COVERED
    return _WHY_NOT[rule]


def _forbidding(position: Position, why: Why, rule: Rule, box: Box) -> tuple[Rule, ...]:
    """Return the rule that the reference names, and others that say no as well."""
    table, turn = position
    match why:
        case Why.DEAD_ROLL:
            return (rule, Rule.FAILING_DEAD_ROLL)
        case Why.FACE_DOWN:
            return (rule, Rule.FAILING_FACE_DOWN_FOR_GOOD)
        case Why.NO_TILE:
            return (rule, Rule.STEALING_EXACT)
        case Why.ABOVE_TOTAL if claiming.total(turn.set_aside, box) not in table.grill:
            return (rule, Rule.CLAIMING_LOWER)
        case _:
            return (rule,)


def _why(position: Position, move: Move, rulings: Rulings, box: Box) -> Why:
    table, turn = position
    match move:
        case SetAside():
            return Why.NEW_FACE
        case Roll():
            faces_left = len(set(turn.set_aside)) < len(box.points)
            return Why.DICE_LEFT if faces_left else Why.ALL_FACES_ASIDE
        case Stop():
            forced = rolling.forced_end(turn.set_aside, rulings, box)
            return Why.FORCED_STOP if forced else Why.FREE_STOP
        case Steal():
            return Why.EXACT_STEAL
        case Take(tile):
            total = claiming.total(turn.set_aside, box)
            if tile == total:
                return Why.EXACT_TILE
            below = [one for one in table.grill if one < total]
            is_next = total not in table.grill and tile == below[-1]
            return Why.NEXT_LOWER if is_next else Why.ANY_LOWER


def _allowing(
    position: Position, move: Move, why: Why, rulings: Rulings, box: Box
) -> tuple[Rule, ...]:
    """Return the rules that allow a move, the one that decides first."""
    table, turn = position
    claims = reach(table, turn.set_aside, rulings, box)
    match move:
        case SetAside():
            return (
                Rule.ROLLING_NEW_FACE,
                Rule.ROLLING_CHOOSE_A_FACE,
                Rule.ROLLING_WHOLE_FACE,
            )
        case Roll():
            six = why is Why.ALL_FACES_ASIDE
            return (Rule.ROLLING_ALL_DICE, *[Rule.ROLLING_FORCED_END] * six)
        case Stop():
            return (
                Rule.ROLLING_FORCED_END if why is Why.FORCED_STOP else Rule.ROLLING_STOP_FREELY,
            )
        case Take() | Steal():
            return offering(table, turn.set_aside, move, claims, box)


def offering(
    table: Table, set_aside: str, claim: Claim, claims: Sequence[Claim], box: Box = BASE
) -> tuple[Rule, ...]:
    """Return the rules that offer a claim with these dice, the one that decides first.

    `claims` are all that can be claimed, this one among them.
    """
    total = claiming.total(set_aside, box)
    if isinstance(claim, Take):
        rules = _taking(table, claim.tile, total)
        other: type[Claim] = Steal
    else:
        rules = _stealing(table, total)
        other = Take
    choice = any(isinstance(one, other) for one in claims)
    return (*rules, *[Rule.STEALING_OPTIONAL] * choice)


def _stealing(table: Table, total: int) -> tuple[Rule, ...]:
    """Return the rules by which this total steals a tile."""
    rules = [Rule.STEALING_EXACT]
    if total < table.grill[0]:
        rules.append(Rule.STEALING_OUT_OF_GRILL_REACH)
    if total in table.barred[table.player]:
        rules.append(Rule.STEALING_STEAL_BACK)
    return tuple(rules)


def _taking(table: Table, tile: int, total: int) -> tuple[Rule, ...]:
    """Return the rules by which this total takes a tile of the grill."""
    if tile == total:
        return (Rule.CLAIMING_EXACT,)
    rules = [Rule.CLAIMING_LOWER]
    if total > table.grill[-1]:
        rules.append(Rule.CLAIMING_ABOVE_HIGHEST)
    if claiming.own_top(table, total):
        rules.append(Rule.CLAIMING_OWN_TOP)
    if any(tile < down <= total for down in table.face_down):
        rules.append(Rule.CLAIMING_FACE_DOWN)
    return tuple(rules)


def _consequence(position: Position, move: Move, rulings: Rulings, box: Box) -> Consequence:
    table, turn = position
    match move:
        case SetAside(face):
            return consequences.kept(position, face, rulings, box)
        case Roll():
            return consequences.rolled(table, turn, rulings, box)
        case Stop():
            cause = consequences.without_claim(turn.set_aside, box)
            return consequences.failed(table, cause, rulings, box)
        case Take() | Steal():
            return consequences.claimed(position, move, rulings, box)


def _hinges(position: Position, rulings: Rulings, box: Box) -> list[tuple[Hinge, ...]]:
    """Return for each move the rulings of which another value would change something."""
    as_it_is = [_what_counts(one) for one in _judge_all(position, rulings, box)]
    found: list[dict[str, list[str]]] = [{} for _ in as_it_is]
    for ruling, value in ruling_values(rulings).items():
        for other in ALTERNATIVES[ruling]:
            if other == value:
                continue
            changed = make_rulings({ruling: other}, rulings)
            for place, one in enumerate(_judge_all(position, changed, box)):
                if _what_counts(one) != as_it_is[place]:
                    found[place].setdefault(ruling, []).append(str(other))
    values = ruling_values(rulings)
    return [
        tuple(Hinge(ruling, values[ruling], tuple(others)) for ruling, others in one.items())
        for one in found
    ]


def _what_counts(one: Explained) -> tuple[object, ...]:
    """Return what a ruling would have to change: the verdict, or what comes of the move.

    Not what can be claimed later: that hangs on the claim, and is told there.
    """
    match one.consequence:
        case Kept(rolling_over=over, failed=failed):
            return (one.allowed, over, _left(failed))
        case Rolled(failed=failed):
            return (one.allowed, _left(failed))
        case Claimed() | Failed() as end:
            return (one.allowed, *_left(end))
        case _:
            return (one.allowed,)


def _left(end: Claimed | Failed | None) -> tuple[object, ...]:
    return (end.table, end.score) if end else ()
