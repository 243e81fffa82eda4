"""The values of a game under way: a table, a turn, and both together."""

from typing import NamedTuple


class Table(NamedTuple):
    """What lies on the table between turns; every tile of the box lies somewhere, once.

    Attributes:
        grill: the face-up tiles in the middle, ascending.
        face_down: the tiles turned face down, ascending.
        stacks: for each player the own tiles, bottom to top.
        player: whose turn it is, from 0.
        barred: for each player the tiles that can't be stolen in the next own turn
            (only under `steal-back = barred`; else all empty).
    """

    grill: tuple[int, ...]
    face_down: tuple[int, ...]
    stacks: tuple[tuple[int, ...], ...]
    player: int
    barred: tuple[tuple[int, ...], ...]


class Turn(NamedTuple):
    """The dice of the turn under way, as faces in sorted order.

    Attributes:
        set_aside: the dice set aside so far; empty before the first choice.
        rolled: the roll from which a face must be chosen; empty if none lies there.
    """

    set_aside: str = ""
    rolled: str = ""


class Position(NamedTuple):
    """A table and the turn under way on it."""

    table: Table
    turn: Turn = Turn()


def with_stack(
    stacks: tuple[tuple[int, ...], ...], player: int, stack: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """Return the stacks with that of one player replaced."""
    return (*stacks[:player], stack, *stacks[player + 1 :])
