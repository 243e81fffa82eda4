"""Setting up: what lies where before the first turn."""

from pickomino_reference.box import Box
from pickomino_reference.rules import Refused, Rule


def tiles(box: Box) -> tuple[int, ...]:
    """setup.tiles: every tile lies face up on the grill, in ascending order."""
    return tuple(box.worms)


def worms(tile: int, box: Box) -> int:
    """setup.worms: how many worms a tile is worth."""
    return box.worms[tile]


def dice(box: Box) -> int:
    """setup.dice: how many dice there are, each with every face of the box."""
    return box.dice


def players(number: int, box: Box) -> tuple[tuple[int, ...], ...]:
    """setup.players: an empty stack for each player; too few or too many are `Refused`."""
    fewest, most = box.players
    if not fewest <= number <= most:
        raise Refused(Rule.SETUP_PLAYERS)
    return ((),) * number
