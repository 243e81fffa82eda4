"""Failing: when a turn has failed, and what that costs."""

from bisect import bisect

from pickomino_reference import rolling
from pickomino_reference.box import Box
from pickomino_reference.moves import Claim
from pickomino_reference.rulings import FlipAfterReturn, FlipWithoutReturn, Rulings
from pickomino_reference.table import Table, with_stack


def dead_roll(set_aside: str, rolled: str) -> bool:
    """failing.dead-roll: a roll that shows no new face ends the turn as failed."""
    return rolling.new_face(set_aside, rolled) == ""


def no_worm(set_aside: str, box: Box) -> bool:
    """failing.no-worm: a turn that ends without a worm has failed."""
    return box.worm not in set_aside


def out_of_reach(claims: tuple[Claim, ...]) -> bool:
    """failing.out-of-reach: a turn that ends with no tile in reach has failed."""
    return claims == ()


def return_top(table: Table) -> Table:
    """failing.return-top: the player's top tile, and only that, goes back face up on the grill."""
    grill, face_down, stacks, player, barred = table
    *rest, tile = stacks[player]
    place = bisect(grill, tile)
    row = (*grill[:place], tile, *grill[place:])
    return Table(row, face_down, with_stack(stacks, player, tuple(rest)), player, barred)


def flip_highest(table: Table) -> Table:
    """failing.flip-highest: the highest face-up tile of the grill is turned face down."""
    grill, face_down, stacks, player, barred = table
    down = tuple(sorted((*face_down, grill[-1])))
    return Table(grill[:-1], down, stacks, player, barred)


def returned_highest(table: Table, returned: int, rulings: Rulings) -> bool:
    """failing.returned-highest: whether the returned tile, being the highest, saves the grill.

    Ruling `flip-after-return`.
    """
    return rulings.flip_after_return is not FlipAfterReturn.ALWAYS and returned == table.grill[-1]


def nothing_returned(table: Table, rulings: Rulings) -> Table:
    """failing.nothing-returned: whoever has no tile to return turns none over.

    Ruling `flip-without-return`.
    """
    if rulings.flip_without_return is FlipWithoutReturn.YES:
        return flip_highest(table)
    return table


def passes(table: Table) -> Table:
    """failing.passes: the dice pass to the next player, and nothing else changes hands."""
    grill, face_down, stacks, player, barred = table
    if barred[player]:
        barred = with_stack(barred, player, ())
    return Table(grill, face_down, stacks, (player + 1) % len(stacks), barred)


def failed_turn(table: Table, rulings: Rulings) -> Table:
    """Return the table once the turn of the player to move has failed.

    Ruling `flip-after-return` says when the highest tile is turned: after the return unless
    the returned one is the highest, after it always, before it, or never.
    """
    stack = table.stacks[table.player]
    if not stack:
        return passes(nothing_returned(table, rulings))
    if rulings.flip_after_return is FlipAfterReturn.BEFORE_RETURN:
        return passes(return_top(flip_highest(table)))
    table = return_top(table)
    if rulings.flip_after_return is FlipAfterReturn.NEVER:
        return passes(table)
    if returned_highest(table, stack[-1], rulings):
        return passes(table)
    return passes(flip_highest(table))
