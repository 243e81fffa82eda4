"""Failing: when a turn has failed, and what that costs."""

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
    *rest, tile = table.own
    return table._replace(
        grill=tuple(sorted((*table.grill, tile))),
        stacks=with_stack(table.stacks, table.player, tuple(rest)),
    )


def turn_down(table: Table, tile: int) -> Table:
    """Return the table with a face-up tile of the grill turned face down, at its place."""
    return table._replace(
        grill=tuple([other for other in table.grill if other != tile]),
        face_down=tuple(sorted((*table.face_down, tile))),
    )


def flip_highest(table: Table) -> Table:
    """failing.flip-highest: the highest face-up tile of the grill is turned face down."""
    return turn_down(table, table.grill[-1])


def returned_highest(table: Table, returned: int) -> bool:
    """failing.returned-highest: whether the tile just returned is itself the highest face up."""
    return returned == table.grill[-1]


def return_and_flip(table: Table, rulings: Rulings) -> Table:
    """Return the table after a return and what must be turned, by ruling `flip-after-return`."""
    after, tile = return_top(table), table.own[-1]
    match rulings.flip_after_return:
        case FlipAfterReturn.NEVER:
            return after
        case FlipAfterReturn.BEFORE_RETURN:
            return return_top(flip_highest(table))
        case FlipAfterReturn.ALWAYS:
            return flip_highest(after)
        case FlipAfterReturn.BOTH:
            down = turn_down(after, tile)
            return down if returned_highest(after, tile) else flip_highest(down)
        case FlipAfterReturn.UNLESS_HIGHEST:
            return after if returned_highest(after, tile) else flip_highest(after)


def nothing_returned(table: Table, rulings: Rulings) -> Table:
    """failing.nothing-returned: who returns nothing turns none: ruling `flip-without-return`."""
    return flip_highest(table) if rulings.flip_without_return is FlipWithoutReturn.YES else table


def passes(table: Table) -> Table:
    """failing.passes: the dice pass to the next player, and nothing else changes hands."""
    grill, face_down, stacks, player, barred = table
    next_player = (player + 1) % len(stacks)
    return Table(grill, face_down, stacks, next_player, with_stack(barred, player, ()))


def failed_turn(table: Table, rulings: Rulings) -> Table:
    """Return the table once the turn of the player to move has failed."""
    settled = return_and_flip(table, rulings) if table.own else nothing_returned(table, rulings)
    return passes(settled)
