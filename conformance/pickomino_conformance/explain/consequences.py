"""What comes of a move: dice set aside, a roll that may be dead, a claim, a failed turn.

First as data, then in words.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from pickomino_reference import (
    BASE,
    Claim,
    Position,
    Rule,
    Rulings,
    Score,
    SetAside,
    Steal,
    StealBack,
    Table,
    Take,
    Turn,
    claiming,
    ending,
    failing,
    play,
    reach,
    reasons,
    rolling,
    score,
)
from pickomino_reference.table import Tiles


class Failed(NamedTuple):
    """A turn that has failed.

    Attributes:
        rules: why it has failed, then what that costs.
        returned: the tile that goes back to the grill, if any.
        turned: the tiles that are turned face down, ascending: none, one or two.
        table: what lies there for the next player.
        score: worms and winners, if the game is over.
    """

    rules: tuple[Rule, ...]
    returned: int | None
    turned: tuple[int, ...]
    table: Table
    score: Score | None


class Kept(NamedTuple):
    """Dice were set aside.

    Attributes:
        rules: what follows if the rolling is over; else none.
        set_aside: all dice set aside now, in sorted order.
        total: what they are worth.
        dice: how many are left to roll.
        rolling_over: whether all dice, or all faces, are set aside.
        claims: what may be claimed now.
        failed: the end of the turn, if the rolling is over and nothing can be claimed.
    """

    rules: tuple[Rule, ...]
    set_aside: str
    total: int
    dice: int
    rolling_over: bool
    claims: tuple[Claim, ...]
    failed: Failed | None


class Rolled(NamedTuple):
    """The dice that are left are rolled.

    Attributes:
        rules: what a dead roll brings about; none if it can't be dead.
        dice: how many are rolled.
        dead: the faces set aside; the roll is dead if it shows no others.
        failed: the end of the turn if the roll is dead; none if it can't be.
    """

    rules: tuple[Rule, ...]
    dice: int
    dead: str
    failed: Failed | None


class Claimed(NamedTuple):
    """A tile was taken or stolen.

    Attributes:
        rules: what the claim brings about.
        tile: the tile.
        covers: the tile below it on the player's stack now, if any.
        uncovers: the tile that is the victim's top tile now, if any.
        table: what lies there for the next player.
        score: worms and winners, if the game is over.
    """

    rules: tuple[Rule, ...]
    tile: int
    covers: int | None
    uncovers: int | None
    table: Table
    score: Score | None


Consequence: TypeAlias = Kept | Rolled | Claimed | Failed


def kept(position: Position, face: str, rulings: Rulings) -> Kept:
    """Return what comes of setting this face aside, which is allowed."""
    table, turn = position
    after = play(position, SetAside(face), rulings)
    dice = rolling.whole_face(turn.set_aside, turn.rolled, face)
    over = rolling.forced_end(dice, rulings, BASE)
    lost = None
    rules: tuple[Rule, ...] = ()
    if over:
        rules = (Rule.ROLLING_FORCED_END, Rule.CLAIMING_STOP_CLAIMS)
    if after.turn.set_aside == "":
        lost = failed(table, reasons.without_claim(dice), rulings)
        rules = (Rule.ROLLING_FORCED_END, *lost.rules)
    total, left = claiming.total(dice, BASE), rolling.all_dice(dice, BASE)
    return Kept(rules, dice, total, left, over, reach(table, dice, rulings), lost)


def rolled(table: Table, turn: Turn, rulings: Rulings) -> Rolled:
    """Return what comes of rolling the dice that are left, which is allowed."""
    dead = "".join(sorted(set(turn.set_aside)))
    lost = failed(table, Rule.FAILING_DEAD_ROLL, rulings) if dead else None
    rules = lost.rules if lost else ()
    return Rolled(rules, rolling.all_dice(turn.set_aside, BASE), dead, lost)


def claimed(position: Position, claim: Claim, rulings: Rulings) -> Claimed:
    """Return what comes of this claim, which is allowed."""
    table = position.table
    after = play(position, claim, rulings).table
    below = after.stacks[claim.player] if isinstance(claim, Steal) else ()
    rules = [Rule.CLAIMING_ONE_TILE, *[Rule.STEALING_UNCOVERS] * bool(below)]
    if isinstance(claim, Steal) and rulings.steal_back is StealBack.BARRED:
        rules.append(Rule.STEALING_STEAL_BACK)
    final = _final(after, rulings)
    told = (*rules, *(_ending_rules(final) or (Rule.SETUP_ORDER,)))
    tile = after.stacks[table.player][-1]
    return Claimed(told, tile, _top(table.own), _top(below), after, final)


def failed(table: Table, cause: Rule, rulings: Rulings) -> Failed:
    """Return what comes of a turn that has failed by the rule `cause`."""
    after = failing.failed_turn(table, rulings)
    turned = tuple(sorted(set(after.face_down).difference(table.face_down)))
    final = _final(after, rulings)
    rules = {
        cause: True,
        Rule.FAILING_RETURN_TOP: bool(table.own),
        reasons.decides_failure(table, rulings): True,
        Rule.FAILING_FACE_DOWN_FOR_GOOD: bool(turned),
        Rule.FAILING_PASSES: True,
    }
    told = (*(rule for rule, holds in rules.items() if holds), *_ending_rules(final))
    return Failed(told, _top(table.own), turned, after, final)


def _top(stack: Tiles) -> int | None:
    return stack[-1] if stack else None


def ended(position: Position, rulings: Rulings) -> Failed | None:
    """Return the failed turn if this position is one: a dead roll, or a forced end in vain."""
    table, (kept, rolled) = position
    if ending.grill_empty(table) or kept == "":
        return None
    if rolled:
        dead = failing.dead_roll(kept, rolled)
        return failed(table, Rule.FAILING_DEAD_ROLL, rulings) if dead else None
    if not rolling.forced_end(kept, rulings, BASE) or reach(table, kept, rulings):
        return None
    return failed(table, reasons.without_claim(kept), rulings)


def _final(table: Table, rulings: Rulings) -> Score | None:
    return score(table.stacks, rulings) if ending.grill_empty(table) else None


def _ending_rules(final: Score | None) -> tuple[Rule, ...]:
    if final is None:
        return ()
    if not any(final.worms):
        return (Rule.ENDING_GRILL_EMPTY, Rule.ENDING_NOBODY)
    tie = final.worms.count(max(final.worms)) > 1
    return (Rule.ENDING_GRILL_EMPTY, Rule.ENDING_WORMS_WIN, *[Rule.ENDING_TIE_BREAK] * tie)


def in_words(one: Consequence) -> str:
    """Return what comes of a move, in one sentence or more."""
    match one:
        case Kept():
            return _kept(one)
        case Rolled():
            return _rolled(one)
        case Claimed():
            return _claimed(one)
        case Failed():
            return failed_turn(one)


def failed_turn(one: Failed) -> str:
    """Return what a failed turn costs."""
    return f"The turn has failed. {_cost(one.returned, one.turned)} {_next(one.table, one.score)}"


def claims(claims: Sequence[Claim]) -> str:
    """Return claims as `take 24 or steal from player 1`."""
    return " or ".join(
        f"take {claim.tile}" if isinstance(claim, Take) else f"steal from player {claim.player}"
        for claim in claims
    )


def dice(faces: str) -> str:
    """Return dice as `1 1 2 W`."""
    return " ".join(faces)


def _cost(returned: int | None, turned: tuple[int, ...]) -> str:
    others = " ".join(str(tile) for tile in turned if tile != returned)
    if returned is not None and returned in turned:
        back, end = f"The {returned} goes back to the grill", "and is turned face down"
        return (
            f"{back} {end}, and so is the {others}."
            if others
            else (f"{back}, where it is the highest, {end}.")
        )
    back = "There is no tile to put back"
    if returned is not None:
        back = f"The {returned} goes back to the grill"
    return f"{back}, and {f'the {others} is turned face down' if others else 'no tile is turned'}."


def _kept(one: Kept) -> str:
    told = f"{dice(one.set_aside)} are set aside: total {one.total}, {_left(one.dice)}."
    if one.failed:
        return f"{told} The rolling is over. {failed_turn(one.failed)}"
    if one.rolling_over:
        return f"{told} The rolling is over: {claims(one.claims)}."
    if one.claims:
        return f"{told} Then: {claims(one.claims)}, or roll on."
    return f"{told} Nothing can be claimed yet."


def _rolled(one: Rolled) -> str:
    if one.failed is None:
        return "The first roll can't be dead."
    only = f"Whatever it shows, the roll is dead. {failed_turn(one.failed)}"
    some = f"The roll is dead if it shows no other face than {_either(one.dead)}. "
    return only if len(one.dead) == 6 else f"{some}Then: {_lowered(failed_turn(one.failed))}"


def _claimed(one: Claimed) -> str:
    covering = "" if one.covers is None else f" and covers the {one.covers}"
    told = f"The {one.tile} goes on top of the own stack{covering}."
    if one.uncovers is not None:
        told += f" It uncovers the {one.uncovers}."
    return f"{told} {_next(one.table, one.score)}"


def _next(table: Table, score: Score | None) -> str:
    if score is None:
        return f"Player {table.player} is next."
    winners = " and ".join(f"player {winner}" for winner in score.winners)
    wins = "wins" if len(score.winners) == 1 else "win together"
    return f"The game is over: {winners} {wins}, worms {' '.join(map(str, score.worms))}."


def _left(number: int) -> str:
    return "1 die left" if number == 1 else f"{number or 'no'} dice left"


def _either(faces: str) -> str:
    return " or ".join(filter(None, [", ".join(faces[:-1]), faces[-1]]))


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
