"""Claiming: what the dice set aside are worth, and which tile of the grill that takes."""

from pickomino_reference.box import Box
from pickomino_reference.moves import Claim, Take
from pickomino_reference.rulings import LowerTile, Rulings
from pickomino_reference.table import Table, Tiles, with_stack


def total(set_aside: str, box: Box) -> int:
    """claiming.total: the sum of the dice set aside; a worm counts as much as a 5."""
    return sum(map(box.points.__getitem__, set_aside))


def worm_needed(set_aside: str, box: Box) -> bool:
    """claiming.worm-needed: a tile of the grill can be claimed only with a worm set aside."""
    return box.worm in set_aside


def face_down(table: Table) -> Tiles:
    """claiming.face-down: the tiles of the grill that lie face down can't be claimed."""
    return table.face_down


def exact(tiles: Tiles, total: int) -> Tiles:
    """claiming.exact: the tile with exactly the total, if it is there."""
    return (total,) if total in tiles else ()


def lower(tiles: Tiles, total: int, rulings: Rulings) -> Tiles:
    """claiming.lower: the tiles below the total that may be taken, by ruling `lower-tile`."""
    below = tuple([tile for tile in tiles if tile < total])
    match rulings.lower_tile:
        case LowerTile.NEXT:
            return () if total in tiles else below[-1:]
        case LowerTile.ANY_IF_EXACT_GONE:
            return () if total in tiles else below
        case LowerTile.ANY:
            return below


def own_top(table: Table, tile: int) -> bool:
    """claiming.own-top: whether this is the player's own top tile, which can't be claimed."""
    return table.own[-1:] == (tile,)


def one_tile(table: Table, tile: int) -> Table:
    """claiming.one-tile: the claimed tile goes on top of the player's stack."""
    return table._replace(stacks=with_stack(table.stacks, table.player, (*table.own, tile)))


def stop_claims(claims: tuple[Claim, ...]) -> bool:
    """claiming.stop-claims: whoever stops with something to claim must claim it."""
    return claims != ()


def takes(table: Table, set_aside: str, total: int, rulings: Rulings, box: Box) -> tuple[Take, ...]:
    """Return what may be taken from the grill with these dice, ascending."""
    if not worm_needed(set_aside, box):
        return ()
    tiles = lower(table.grill, total, rulings) + exact(table.grill, total)
    return tuple([Take(tile) for tile in tiles])


def take(table: Table, tile: int) -> Table:
    """Return the table once the player has taken a tile of the grill."""
    left = tuple([other for other in table.grill if other != tile])
    return one_tile(table._replace(grill=left), tile)
