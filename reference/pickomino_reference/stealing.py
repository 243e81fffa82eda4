"""Stealing: which tile of an opponent can be claimed, and what that uncovers."""

from pickomino_reference import claiming
from pickomino_reference.box import Box
from pickomino_reference.moves import Claim, Steal, Take
from pickomino_reference.rules import Rule
from pickomino_reference.rulings import ExactOnOpponent, Rulings, StealBack
from pickomino_reference.table import Table, with_stack

# For each number of players and each of them: all the others.
_OTHERS = [
    [tuple(other for other in range(players) if other != player) for player in range(players)]
    for players in range(8)
]


def exact(tile: int, total: int) -> bool:
    """stealing.exact: a tile can be stolen only with exactly its number."""
    return tile == total


def top_only(stack: tuple[int, ...]) -> tuple[int, ...]:
    """stealing.top-only: what a steal can reach in a stack, its top tile; nothing if empty."""
    return stack[-1:]


def worm_needed(set_aside: str, box: Box) -> bool:
    """stealing.worm-needed: a tile can be stolen only with a worm set aside."""
    return box.worm in set_aside


def opponents_only(table: Table) -> tuple[int, ...]:
    """stealing.opponents-only: the players who can be robbed, all but the one to move."""
    return _OTHERS[len(table.stacks)][table.player]


def optional(
    takes: tuple[Take, ...], steals: tuple[Steal, ...], total: int, rulings: Rulings
) -> tuple[Claim, ...]:
    """stealing.optional: the player chooses between stealing and the grill.

    Ruling `exact-on-opponent`: whether a steal closes the lower tiles of the grill.
    """
    if steals and rulings.exact_on_opponent is ExactOnOpponent.STEAL:
        takes = tuple(take for take in takes if take.tile == total)
    return takes + steals


def steal_back(table: Table, tile: int, rulings: Rulings) -> bool:
    """stealing.steal-back: whether the player may steal a tile that was just lost.

    Ruling `steal-back`.
    """
    return rulings.steal_back is StealBack.ALLOWED or tile not in table.barred[table.player]


def steals(
    table: Table, set_aside: str, total: int, rulings: Rulings, box: Box
) -> tuple[Steal, ...]:
    """Return what may be stolen with these dice, by the number of the robbed player."""
    if not worm_needed(set_aside, box):
        return ()
    found = [
        Steal(player)
        for player in opponents_only(table)
        for tile in top_only(table.stacks[player])
        if exact(tile, total) and steal_back(table, tile, rulings)
    ]
    return tuple(found)


def steal(table: Table, victim: int, rulings: Rulings) -> Table:
    """Return the table once the player has stolen the top tile of `victim`."""
    grill, face_down, stacks, player, barred = table
    *rest, tile = stacks[victim]
    stacks = with_stack(stacks, victim, tuple(rest))
    if rulings.steal_back is StealBack.BARRED:
        barred = with_stack(barred, victim, tuple(sorted((*barred[victim], tile))))
    return claiming.one_tile(Table(grill, face_down, stacks, player, barred), tile)


def forbids(table: Table, set_aside: str, victim: int, box: Box) -> Rule:
    """Return the rule that forbids to steal from `victim`, given that it can't be done."""
    if victim not in opponents_only(table):
        return Rule.STEALING_OPPONENTS_ONLY
    if not worm_needed(set_aside, box):
        return Rule.STEALING_WORM_NEEDED
    stack, reached = table.stacks[victim], claiming.total(set_aside, box)
    if reached in stack[:-1] or not stack:
        return Rule.STEALING_TOP_ONLY
    return Rule.STEALING_STEAL_BACK if stack[-1] == reached else Rule.STEALING_EXACT
