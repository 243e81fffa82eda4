"""Every move that a person might try in a position, and why it may be made or not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from pickomino_conformance.explain import consequences
from pickomino_conformance.explain.consequences import Consequence, Failed, Kept, Rolled
from pickomino_reference import (
    BASE,
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
    reasons,
    rolling,
    ruling_values,
)
from pickomino_reference.editions import ALTERNATIVES

Facts = Mapping[str, int | str]


class Why(StrEnum):
    """Why a move is allowed, or why not, each with its sentence.

    Attributes:
        words: the sentence, with the names of facts in braces.
    """

    words: str

    def __new__(cls, value: str, words: str) -> "Why":
        """Return the reason of this name, with this sentence."""
        self = str.__new__(cls, value)
        self._value_ = value
        self.words = words
        return self

    NEW_FACE = "new-face", "The roll shows {face}, and it is not set aside yet."
    DICE_LEFT = "dice-left", "Dice left to roll: {dice}."
    ALL_FACES_ASIDE = (
        "all-faces-aside",
        "Dice left to roll: {dice}, though no face is left to choose.",
    )
    FREE_STOP = "free-stop", "One may stop at any time, though nothing can be claimed."
    FORCED_STOP = "forced-stop", "The rolling is over, and nothing can be claimed."
    EXACT_TILE = "exact-tile", "The total is {total}, and the {tile} lies face up on the grill."
    NEXT_LOWER = (
        "next-lower",
        "The total is {total}, and the {tile} is the next lower tile on the grill.",
    )
    ANY_LOWER = "any-lower", "The total is {total}, and any lower tile on the grill will do."
    EXACT_STEAL = "exact-steal", "The total is {total}, and player {player} shows the {tile}."

    GAME_OVER = "game-over", "The game is over."
    DEAD_ROLL = "dead-roll", "The roll is dead: the turn has failed."
    NO_ROLL = "no-roll", "No roll lies there to choose from."
    NOT_ROLLED = "not-rolled", "The roll shows no {face}."
    USED_FACE = "used-face", "{face} was set aside before."
    CHOOSE_FIRST = "choose-first", "A roll lies there, and a face must be chosen from it first."
    NOTHING_ASIDE = "nothing-aside", "Nothing is set aside yet."
    ROLLING_OVER = "rolling-over", "The rolling is over."
    SOMETHING_TO_CLAIM = "something-to-claim", "Something can be claimed, so it must be."
    NO_FREE_STOP = "no-free-stop", "Nothing can be claimed, and the rolling is not over."
    NO_WORM = "no-worm", "No worm is set aside."
    OWN_TOP = "own-top", "The {tile} is the player's own top tile."
    FACE_DOWN = "face-down", "The {tile} lies face down."
    COVERED = "covered", "The {tile} lies covered in a stack."
    ON_A_STACK = (
        "on-a-stack",
        "The {tile} lies on the stack of player {player}: it is not taken, but stolen.",
    )
    ABOVE_TOTAL = "above-total", "The {tile} is above the total of {total}."
    EXACT_LIES_THERE = "exact-lies-there", "The {total} itself lies face up on the grill."
    ANOTHER_IS_NEXT = "another-is-next", "The {next} is the next lower tile, not the {tile}."
    STEAL_INSTEAD = "steal-instead", "The {total} can be stolen, and that closes the lower tiles."
    OWN_STACK = "own-stack", "Nobody steals from the own stack."
    NO_TILE = "no-tile", "Player {player} has no tile."
    NOT_EXACT = "not-exact", "Player {player} shows the {tile}, and the total is {total}."
    EXACT_IS_COVERED = "exact-is-covered", "Player {player} has the {total}, but it lies covered."
    BARRED = "barred", "The {tile} was just stolen from player {mover}."


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
        return self.why.words.format_map(self.facts)


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


def explain(position: Position, rulings: Rulings) -> Explanation:
    """Return why each move may be made in this position, or why not.

    Raises:
        ValueError: the position can't be: a roll lies there after the rolling was over, or its
            dice are not those that are left.
    """
    table, turn = position
    dice = rolling.all_dice(turn.set_aside, BASE)
    if turn.rolled and rolling.forced_end(turn.set_aside, rulings, BASE):
        raise ValueError(
            f"With {turn.set_aside} set aside the rolling is over, so no roll can lie there. "
            "Leave the roll out (null)."
        )
    if turn.rolled and len(turn.rolled) != dice:
        raise ValueError(
            f"With {len(turn.set_aside)} dice set aside a roll has {dice} dice, "
            f"not {len(turn.rolled)}."
        )
    judged = _judge_all(position, rulings)
    return Explanation(
        position=position,
        rulings=rulings,
        total=claiming.total(turn.set_aside, BASE),
        dice=dice,
        over=ending.grill_empty(table),
        failed=consequences.ended(position, rulings),
        moves=tuple(
            replace(one, hinges=hinges)
            for one, hinges in zip(judged, _hinges(position, rulings, judged), strict=True)
        ),
    )


def _judge_all(position: Position, rulings: Rulings) -> list[Explained]:
    """Return every move that a person might try, judged whether it is allowed or not."""
    tried: list[Move] = [
        *map(SetAside, BASE.points),
        Roll(BASE.worm * rolling.all_dice(position.turn.set_aside, BASE)),
        Stop(),
        *map(Take, BASE.worms),
        *map(Steal, range(len(position.table.stacks))),
    ]
    return [_judge(position, move, rulings) for move in tried]


def _judge(position: Position, move: Move, rulings: Rulings) -> Explained:
    facts = _facts(position, move)
    try:
        play(position, move, rulings)
    except Refused as refused:
        why = _why_not(position, move, refused.rule, facts)
        besides = [_BESIDES[why]] if why in _BESIDES else []
        if why is Why.ABOVE_TOTAL and facts["total"] not in position.table.grill:
            besides = [Rule.CLAIMING_LOWER]
        return Explained(move, False, why, facts, (refused.rule, *besides))
    why, rules, consequence = _allowed(position, move, rulings, facts)
    return Explained(move, True, why, facts, rules, consequence=consequence)


def _facts(position: Position, move: Move) -> Facts:
    """Return what a reason may speak of."""
    table, turn = position
    total = claiming.total(turn.set_aside, BASE)
    facts: dict[str, int | str] = {
        "total": total,
        "dice": rolling.all_dice(turn.set_aside, BASE),
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

# Rules that say no as well.
_BESIDES: Mapping[Why, Rule] = {
    Why.DEAD_ROLL: Rule.FAILING_DEAD_ROLL,
    Why.FACE_DOWN: Rule.FAILING_FACE_DOWN_FOR_GOOD,
    Why.NO_TILE: Rule.STEALING_EXACT,
}


def _why_not(position: Position, move: Move, rule: Rule, facts: Facts) -> Why:
    table, turn = position
    if turn.rolled and failing.dead_roll(turn.set_aside, turn.rolled) and table.grill:
        return Why.DEAD_ROLL
    if rule is Rule.ROLLING_CHOOSE_A_FACE:
        if isinstance(move, SetAside):
            return Why.NOT_ROLLED if turn.rolled else Why.NO_ROLL
        return Why.CHOOSE_FIRST if turn.rolled else Why.NOTHING_ASIDE
    if rule is Rule.CLAIMING_LOWER:
        exact = facts["total"] in table.grill
        return Why.EXACT_LIES_THERE if exact else Why.ANOTHER_IS_NEXT
    if rule is Rule.STEALING_EXACT:
        return Why.NOT_EXACT if isinstance(move, Steal) else Why.ON_A_STACK
    if rule is Rule.STEALING_TOP_ONLY:
        if isinstance(move, Steal):
            return Why.EXACT_IS_COVERED if table.stacks[move.player] else Why.NO_TILE
        return Why.COVERED
    return _WHY_NOT[rule]


def _allowed(
    position: Position, move: Move, rulings: Rulings, facts: Facts
) -> tuple[Why, tuple[Rule, ...], Consequence]:
    """Return why a move is allowed, by which rules, and what comes of it."""
    table, kept = position.table, position.turn.set_aside
    match move:
        case SetAside(face):
            chosen = (Rule.ROLLING_NEW_FACE, Rule.ROLLING_CHOOSE_A_FACE, Rule.ROLLING_WHOLE_FACE)
            return Why.NEW_FACE, chosen, consequences.kept(position, face, rulings)
        case Roll():
            rolled = consequences.rolled(table, position.turn, rulings)
            if len(set(kept)) < len(BASE.points):
                return Why.DICE_LEFT, (Rule.ROLLING_ALL_DICE,), rolled
            return Why.ALL_FACES_ASIDE, (Rule.ROLLING_ALL_DICE, Rule.ROLLING_FORCED_END), rolled
        case Stop():
            failed = consequences.failed(table, reasons.without_claim(kept), rulings)
            if rolling.forced_end(kept, rulings, BASE):
                return Why.FORCED_STOP, (Rule.ROLLING_FORCED_END,), failed
            return Why.FREE_STOP, (Rule.ROLLING_STOP_FREELY,), failed
        case Take() | Steal():
            why = Why.EXACT_STEAL
            if isinstance(move, Take):
                why = _why_taken(table, move.tile, facts)
            rules = reasons.offers(table, kept, move, reach(table, kept, rulings))
            return why, rules, consequences.claimed(position, move, rulings)


def _why_taken(table: Table, tile: int, facts: Facts) -> Why:
    if tile == facts["total"]:
        return Why.EXACT_TILE
    is_next = facts["total"] not in table.grill and tile == facts["next"]
    return Why.NEXT_LOWER if is_next else Why.ANY_LOWER


def _hinges(
    position: Position, rulings: Rulings, judged: list[Explained]
) -> list[tuple[Hinge, ...]]:
    """Return for each move the rulings of which another value would change something."""
    as_it_is = [_what_counts(one) for one in judged]
    found: list[dict[str, list[str]]] = [{} for _ in as_it_is]
    values = ruling_values(rulings)
    for ruling, value in values.items():
        for other in ALTERNATIVES[ruling]:
            if other == value:
                continue
            changed = make_rulings({ruling: other}, rulings)
            for place, one in enumerate(_judge_all(position, changed)):
                if _what_counts(one) != as_it_is[place]:
                    found[place].setdefault(ruling, []).append(str(other))
    return [
        tuple(Hinge(ruling, values[ruling], tuple(others)) for ruling, others in one.items())
        for one in found
    ]


def _what_counts(one: Explained) -> tuple[object, ...]:
    """Return what a ruling would have to change: the verdict, or what comes of the move.

    Not what can be claimed later: that hangs on the claim, and is told there.
    """
    end = one.consequence
    over = end.rolling_over if isinstance(end, Kept) else None
    if isinstance(end, Kept | Rolled):
        end = end.failed
    return (one.allowed, over, *((end.table, end.score) if end else ()))
