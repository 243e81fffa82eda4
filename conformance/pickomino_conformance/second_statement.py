"""Failed turns and claims, stated a second time, to hold the reference against.

Nothing here comes from the reference but the names of rulings, the value of a table and the
box. Sets of tiles are numbers: tile n is the bit `1 << n`. Each rule is a table of cases, meant
to be read beside `spec/rules/`.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from pickomino_reference.rulings import (
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    LowerTile,
    StealBack,
)
from pickomino_reference.table import Table

Tiles = int

NO_TILE: Tiles = 0


def highest(tiles: Tiles) -> Tiles:
    """Return the set of the highest of these tiles alone; no tile of none."""
    return 1 << tiles.bit_length() - 1 if tiles else NO_TILE


class Turned(StrEnum):
    """Which tile a failed turn turns face down."""

    NONE = "no tile"
    RETURNED = "the returned tile"
    HIGHEST = "the highest tile that lay on the grill before anything was returned"


class TurnedAfterReturn(NamedTuple):
    """Which tile is turned: if the returned one is the highest, and if another is higher."""

    highest: Turned
    lower: Turned


TURNED_AFTER_RETURN: Mapping[FlipAfterReturn, TurnedAfterReturn] = {
    FlipAfterReturn.UNLESS_HIGHEST: TurnedAfterReturn(highest=Turned.NONE, lower=Turned.HIGHEST),
    FlipAfterReturn.ALWAYS: TurnedAfterReturn(highest=Turned.RETURNED, lower=Turned.HIGHEST),
    FlipAfterReturn.BEFORE_RETURN: TurnedAfterReturn(highest=Turned.HIGHEST, lower=Turned.HIGHEST),
    FlipAfterReturn.NEVER: TurnedAfterReturn(highest=Turned.NONE, lower=Turned.NONE),
}

TURNED_WITHOUT_RETURN: Mapping[FlipWithoutReturn, Turned] = {
    FlipWithoutReturn.NO: Turned.NONE,
    FlipWithoutReturn.YES: Turned.HIGHEST,
}


class Failing(StrEnum):
    """What a player who fails has to return."""

    NOTHING = "no tile"
    HIGHEST = "a tile higher than all of the grill"
    LOWER = "a tile lower than one of the grill"


def failing(grill: Tiles, own_top: Tiles) -> Failing:
    """Return what is to be returned; `own_top` is the player's top tile, or no tile."""
    if own_top == NO_TILE:
        return Failing.NOTHING
    return Failing.HIGHEST if highest(grill | own_top) == own_top else Failing.LOWER


def turned(
    returned: Failing, after_return: FlipAfterReturn, without_return: FlipWithoutReturn
) -> Turned:
    """Return which tile a failed turn turns face down."""
    if returned is Failing.NOTHING:
        return TURNED_WITHOUT_RETURN[without_return]
    cases = TURNED_AFTER_RETURN[after_return]
    return cases.highest if returned is Failing.HIGHEST else cases.lower


def turned_tile(which: Turned, grill: Tiles, own_top: Tiles) -> Tiles:
    """Return that tile, or no tile; `grill` is what lay face up before anything was returned."""
    if which is Turned.NONE:
        return NO_TILE
    return own_top if which is Turned.RETURNED else highest(grill)


class Lower(StrEnum):
    """Which of the tiles below the total may be taken."""

    NONE = "none"
    NEXT = "only the highest of them"
    ALL = "any of them"


class LowerTaken(NamedTuple):
    """Which lower tiles may be taken, by whether the exact one lies on the grill."""

    exact_is_there: Lower
    exact_is_gone: Lower


LOWER_TAKEN: Mapping[LowerTile, LowerTaken] = {
    LowerTile.NEXT: LowerTaken(exact_is_there=Lower.NONE, exact_is_gone=Lower.NEXT),
    LowerTile.ANY: LowerTaken(exact_is_there=Lower.ALL, exact_is_gone=Lower.ALL),
    LowerTile.ANY_IF_EXACT_GONE: LowerTaken(exact_is_there=Lower.NONE, exact_is_gone=Lower.ALL),
}


def taken(grill: Tiles, total: int, lower_tile: LowerTile) -> Tiles:
    """Return what may be taken from the grill with a worm and this total, but for steals."""
    exact = grill & 1 << total
    below = grill & (1 << total) - 1
    cases = LOWER_TAKEN[lower_tile]
    which = cases.exact_is_there if exact else cases.exact_is_gone
    if which is Lower.NONE:
        return exact
    return exact | (below if which is Lower.ALL else highest(below))


class Place(StrEnum):
    """Where the tile with exactly the total lies, and to whom it is barred."""

    NOWHERE = "no-such-tile"
    GRILL = "on-the-grill"
    FACE_DOWN = "face-down"
    OWN_TOP = "own-top"
    OWN_COVERED = "own-covered"
    COVERED = "covered"
    NEXT = "next-player"
    PREVIOUS = "previous-player"
    NEXT_BARRED = "next-player-barred"
    PREVIOUS_BARRED = "previous-player-barred"
    PREVIOUS_BARRED_TO_NEXT = "previous-player-barred-to-next"


# By where the exact tile lies: how many seats further sits the player who can be robbed of it.
# The places that are not listed let nobody be robbed.
ROBBED: Mapping[StealBack, Mapping[Place, int]] = {
    StealBack.ALLOWED: {Place.NEXT: 1, Place.PREVIOUS: -1},
    StealBack.BARRED: {
        Place.NEXT: 1,
        Place.PREVIOUS: -1,
        Place.PREVIOUS_BARRED_TO_NEXT: -1,
    },
}

# Whether a steal that is possible leaves the tiles of the grill open as well.
GRILL_STAYS_OPEN: Mapping[ExactOnOpponent, bool] = {
    ExactOnOpponent.CHOICE: True,
    ExactOnOpponent.STEAL: False,
}


class Claims(NamedTuple):
    """What can be claimed.

    Attributes:
        takes: the tiles that may be taken from the grill.
        robbed: how many seats further the player sits who can be robbed; 0 if nobody can.
    """

    takes: Tiles
    robbed: int


def claims(
    open_tiles: Tiles, place: Place, exact_on_opponent: ExactOnOpponent, steal_back: StealBack
) -> Claims:
    """Return what can be claimed with a worm; without one it is nothing.

    `open_tiles` is what the grill alone would let be taken (see `taken`).
    """
    robbed = ROBBED[steal_back].get(place, 0)
    if robbed and not GRILL_STAYS_OPEN[exact_on_opponent]:
        return Claims(NO_TILE, robbed)
    return Claims(open_tiles, robbed)


class Left(NamedTuple):
    """What a turn leaves, but for the grill.

    Attributes:
        stacks: for each player the own tiles, bottom to top.
        player: whose turn it is now.
        barred: for each player the tiles that can't be stolen in the next own turn.
    """

    stacks: tuple[tuple[int, ...], ...]
    player: int
    barred: tuple[tuple[int, ...], ...]


def returned(table: Table) -> Left:
    """Return what the player leaves who returned the top tile, if there was one."""
    stacks = list(table.stacks)
    stacks[table.player] = stacks[table.player][:-1]
    return _passed_on(table, stacks, list(table.barred))


def took(table: Table, tile: int) -> Left:
    """Return what the player leaves who took this tile from the grill."""
    stacks = list(table.stacks)
    stacks[table.player] += (tile,)
    return _passed_on(table, stacks, list(table.barred))


def stole(table: Table, victim: int, steal_back: StealBack) -> Left:
    """Return what the player leaves who stole the top tile of another."""
    stacks, barred = list(table.stacks), list(table.barred)
    *rest, tile = stacks[victim]
    stacks[victim] = tuple(rest)
    stacks[table.player] += (tile,)
    if steal_back is StealBack.BARRED:
        barred[victim] = tuple(sorted([*barred[victim], tile]))
    return _passed_on(table, stacks, barred)


def _passed_on(table: Table, stacks: list[tuple[int, ...]], barred: list[tuple[int, ...]]) -> Left:
    """Pass the dice on: after the last player comes the first; the player's bars are gone."""
    barred[table.player] = ()
    last = len(stacks) - 1
    return Left(tuple(stacks), 0 if table.player == last else table.player + 1, tuple(barred))
