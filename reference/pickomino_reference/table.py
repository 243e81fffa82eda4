"""The values of a game under way: a table, a turn, and both together."""

from typing import NamedTuple

Tiles = tuple[int, ...]
Stacks = tuple[Tiles, ...]


class Table(NamedTuple):
    """What lies on the table between turns; every tile of the box lies somewhere, once.

    Attributes:
        grill: the face-up tiles of the grill, ascending.
        face_down: the tiles of the grill that were turned face down, ascending.
        stacks: for each player the own tiles, bottom to top.
        player: whose turn it is, from 0.
        barred: for each player the tiles that can't be stolen in the next own turn
            (only under `steal-back = barred`; else all empty).
    """

    grill: Tiles
    face_down: Tiles
    stacks: Stacks
    player: int
    barred: Stacks

    @property
    def own(self) -> Tiles:
        """The stack of the player to move."""
        return self.stacks[self.player]


class Turn(NamedTuple):
    """The dice set aside so far, and the roll to choose from, if there is one; both sorted."""

    set_aside: str = ""
    rolled: str = ""


class Position(NamedTuple):
    """A table and the turn under way on it."""

    table: Table
    turn: Turn = Turn()


def with_stack(stacks: Stacks, player: int, stack: Tiles) -> Stacks:
    """Return the stacks with that of one player replaced."""
    return (*stacks[:player], stack, *stacks[player + 1 :])
