"""Claiming: what the dice set aside are worth, and which tile of the grill that takes."""

from bisect import bisect_left
from functools import cache

from pickomino_reference.box import Box
from pickomino_reference.moves import Claim, Take, takes_of
from pickomino_reference.rules import Rule
from pickomino_reference.rulings import LowerTile, Rulings
from pickomino_reference.table import Table, with_stack


@cache
def total(set_aside: str, box: Box) -> int:
    """claiming.total: the sum of the dice set aside; a worm counts as much as a 5."""
    return sum(map(box.points.__getitem__, set_aside))


def worm_needed(set_aside: str, box: Box) -> bool:
    """claiming.worm-needed: a tile of the grill can be claimed only with a worm set aside."""
    return box.worm in set_aside


def face_down(table: Table) -> tuple[int, ...]:
    """claiming.face-down: the tiles that can be taken are the face-up ones, no others."""
    return table.grill


def exact(tiles: tuple[int, ...], total: int) -> tuple[int, ...]:
    """claiming.exact: the tile with exactly the total, if it is there."""
    return (total,) if total in tiles else ()


def lower(tiles: tuple[int, ...], total: int, rulings: Rulings) -> tuple[int, ...]:
    """claiming.lower: the tiles below the total that may be taken, ascending.

    Ruling `lower-tile`: by the rulebook only the next lower one, if the exact one is gone.
    """
    if total in tiles and rulings.lower_tile is not LowerTile.ANY:
        return ()
    below = tiles[: bisect_left(tiles, total)]
    return below[-1:] if rulings.lower_tile is LowerTile.NEXT else below


def own_top(table: Table, tile: int) -> bool:
    """claiming.own-top: whether this is the player's own top tile, which can't be claimed."""
    return table.stacks[table.player][-1:] == (tile,)


def one_tile(table: Table, tile: int) -> Table:
    """claiming.one-tile: the claimed tile goes on top of the player's stack."""
    stack = (*table.stacks[table.player], tile)
    stacks = with_stack(table.stacks, table.player, stack)
    return Table(table.grill, table.face_down, stacks, table.player, table.barred)


def stop_claims(claims: tuple[Claim, ...]) -> bool:
    """claiming.stop-claims: whoever stops with something to claim must claim it."""
    return claims != ()


def takes(table: Table, set_aside: str, total: int, rulings: Rulings, box: Box) -> tuple[Take, ...]:
    """Return what may be taken from the grill with these dice, ascending."""
    if not worm_needed(set_aside, box):
        return ()
    tiles = face_down(table)
    return takes_of(lower(tiles, total, rulings) + exact(tiles, total))


def take(table: Table, tile: int) -> Table:
    """Return the table once the player has taken a tile of the grill."""
    grill, face_down, stacks, player, barred = table
    place = grill.index(tile)
    left = grill[:place] + grill[place + 1 :]
    return one_tile(Table(left, face_down, stacks, player, barred), tile)


def forbids(table: Table, set_aside: str, tile: int, box: Box) -> Rule:
    """Return the rule that forbids to take `tile`, given that it can't be taken."""
    if tile not in box.worms:
        return Rule.SETUP_TILES
    if own_top(table, tile):
        return Rule.CLAIMING_OWN_TOP
    if tile in table.face_down:
        return Rule.CLAIMING_FACE_DOWN
    if tile not in table.grill:
        shown = any(stack[-1:] == (tile,) for stack in table.stacks)
        return Rule.STEALING_EXACT if shown else Rule.STEALING_TOP_ONLY
    if not worm_needed(set_aside, box):
        return Rule.CLAIMING_WORM_NEEDED
    reached = total(set_aside, box)
    if tile > reached:
        return Rule.CLAIMING_EXACT
    return Rule.STEALING_OPTIONAL if _next_lower(table, reached) == tile else Rule.CLAIMING_LOWER


def _next_lower(table: Table, reached: int) -> int | None:
    """Return the tile that only a steal can have closed: the next lower one, the exact one gone."""
    if reached in table.grill:
        return None
    below = table.grill[: bisect_left(table.grill, reached)]
    return below[-1] if below else None
