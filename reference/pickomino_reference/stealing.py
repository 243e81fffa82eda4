"""Stealing: which tile of an opponent can be claimed, and what that uncovers."""

from pickomino_reference import claiming
from pickomino_reference.box import Box
from pickomino_reference.moves import Claim, Steal, Take
from pickomino_reference.rulings import ExactOnOpponent, Rulings, StealBack
from pickomino_reference.table import Table, Tiles, with_stack

Takes = tuple[Take, ...]
Steals = tuple[Steal, ...]


def exact(tile: int, total: int) -> bool:
    """stealing.exact: a tile can be stolen only with exactly its number."""
    return tile == total


def top_only(stack: Tiles) -> Tiles:
    """stealing.top-only: what a steal can reach in a stack, its top tile; nothing if empty."""
    return stack[-1:]


def worm_needed(set_aside: str, box: Box) -> bool:
    """stealing.worm-needed: a tile can be stolen only with a worm set aside."""
    return box.worm in set_aside


def opponents_only(table: Table) -> tuple[int, ...]:
    """stealing.opponents-only: the players who can be robbed, all but the one to move."""
    return tuple([player for player in range(len(table.stacks)) if player != table.player])


def optional(takes: Takes, steals: Steals, total: int, rulings: Rulings) -> tuple[Claim, ...]:
    """stealing.optional: the player chooses between stealing and the grill.

    By ruling `exact-on-opponent` a steal may close the lower tiles of the grill.
    """
    if steals and rulings.exact_on_opponent is ExactOnOpponent.STEAL:
        takes = tuple([take for take in takes if take.tile == total])
    return takes + steals


def steal_back(table: Table, tile: int, rulings: Rulings) -> bool:
    """stealing.steal-back: whether a tile just lost may be stolen, by ruling `steal-back`."""
    return tile not in table.barred[table.player] or rulings.steal_back is StealBack.ALLOWED


def steals(table: Table, set_aside: str, total: int, rulings: Rulings, box: Box) -> Steals:
    """Return what may be stolen with these dice, by the number of the robbed player."""
    found: Steals = ()
    if worm_needed(set_aside, box):
        for player in opponents_only(table):
            for tile in top_only(table.stacks[player]):
                if exact(tile, total) and steal_back(table, tile, rulings):
                    found += (Steal(player),)
    return found


def steal(table: Table, victim: int, rulings: Rulings) -> Table:
    """Return the table once the player has stolen the top tile of `victim`."""
    *rest, tile = table.stacks[victim]
    table = table._replace(stacks=with_stack(table.stacks, victim, tuple(rest)))
    if rulings.steal_back is StealBack.BARRED:
        lost = tuple(sorted((*table.barred[victim], tile)))
        table = table._replace(barred=with_stack(table.barred, victim, lost))
    return claiming.one_tile(table, tile)
