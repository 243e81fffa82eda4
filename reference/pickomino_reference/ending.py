"""Ending: when the game is over, and who has won."""

from pickomino_reference import setup
from pickomino_reference.box import Box
from pickomino_reference.rulings import Rulings, TieBreak
from pickomino_reference.table import Stacks, Table


def grill_empty(table: Table) -> bool:
    """ending.grill-empty: the game is over once no face-up tile is on the grill."""
    return table.grill == ()


def worms_win(stacks: Stacks, box: Box) -> tuple[int, ...]:
    """ending.worms-win: what each player's tiles are worth in worms; the most wins."""
    return tuple([sum([setup.worms(tile, box) for tile in stack]) for stack in stacks])


def tie_break(tied: tuple[int, ...], stacks: Stacks, rulings: Rulings) -> tuple[int, ...]:
    """ending.tie-break: the tied player with the highest tile wins, by ruling `tie-break`."""
    if rulings.tie_break is TieBreak.SHARED:
        return tied
    return (max(tied, key=lambda player: max(stacks[player])),)


def nobody(stacks: Stacks) -> tuple[int, ...]:
    """ending.nobody: if nobody owns a tile, all players share the win (unsettled)."""
    return () if any(stacks) else tuple(range(len(stacks)))


def winners(stacks: Stacks, rulings: Rulings, box: Box) -> tuple[int, ...]:
    """Return the numbers of the players who win with these stacks, ascending."""
    if shared := nobody(stacks):
        return shared
    worms = worms_win(stacks, box)
    tied = tuple([player for player, own in enumerate(worms) if own == max(worms)])
    return tied if len(tied) == 1 else tie_break(tied, stacks, rulings)
