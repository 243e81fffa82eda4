"""Failed turns and claims, stated a second time, to hold the reference against.

Nothing here comes from the reference but names (of rules, rulings and their values) and the value
of a table. A set of tiles is a number: tile n is the bit `1 << n`. Each rule is a table of cases,
to be read beside `spec/rules/`.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from pickomino_reference import (
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    LowerTile,
    Rule,
    Rulings,
    StealBack,
    Table,
)

Tiles = int
Stack = tuple[int, ...]

NO_TILE: Tiles = 0
LOWEST, HIGHEST = 21, 36


def tiles_of(numbers: Iterable[int]) -> Tiles:
    """The set of the tiles with these numbers."""
    return sum(1 << number for number in numbers)


@cache
def numbers(tiles: Tiles) -> tuple[int, ...]:
    """The numbers of these tiles, ascending."""
    return tuple(number for number in range(LOWEST, HIGHEST + 1) if tiles >> number & 1)


def highest(tiles: Tiles) -> Tiles:
    """The highest of these tiles, as a set of its own; no tile of none."""
    return 1 << tiles.bit_length() - 1 if tiles else NO_TILE


class Returned(StrEnum):
    """What a player who fails has to return."""

    NOTHING = "returns-nothing"
    HIGHEST = "returns-the-highest"
    LOWER = "returns-a-lower-one"


def returned(grill: Tiles, own_top: Tiles) -> Returned:
    """What is to be returned; `own_top` is the player's top tile, or no tile."""
    if own_top == NO_TILE:
        return Returned.NOTHING
    return Returned.HIGHEST if highest(grill | own_top) == own_top else Returned.LOWER


class Turned(NamedTuple):
    """Which tiles a failed turn turns face down.

    Attributes:
        returned: whether the returned tile is one.
        highest: whether the highest is one that lay on the grill before anything was returned.
    """

    returned: bool = False
    highest: bool = False

    def of(self, grill: Tiles, own_top: Tiles) -> Tiles:
        """Those tiles; `grill` is what lay face up before anything was returned."""
        return own_top * self.returned | highest(grill) * self.highest


NO_TURN = Turned()
TURN_RETURNED = Turned(returned=True)
TURN_HIGHEST = Turned(highest=True)
TURN_BOTH = Turned(returned=True, highest=True)

# What is turned if the returned tile is the highest, and if another one is higher.
TURNED_AFTER_RETURN: Mapping[FlipAfterReturn, Mapping[Returned, Turned]] = {
    FlipAfterReturn.UNLESS_HIGHEST: {Returned.HIGHEST: NO_TURN, Returned.LOWER: TURN_HIGHEST},
    FlipAfterReturn.ALWAYS: {Returned.HIGHEST: TURN_RETURNED, Returned.LOWER: TURN_HIGHEST},
    FlipAfterReturn.BEFORE_RETURN: {Returned.HIGHEST: TURN_HIGHEST, Returned.LOWER: TURN_HIGHEST},
    FlipAfterReturn.BOTH: {Returned.HIGHEST: TURN_RETURNED, Returned.LOWER: TURN_BOTH},
    FlipAfterReturn.NEVER: {Returned.HIGHEST: NO_TURN, Returned.LOWER: NO_TURN},
}

TURNED_WITHOUT_RETURN: Mapping[FlipWithoutReturn, Turned] = {
    FlipWithoutReturn.NO: NO_TURN,
    FlipWithoutReturn.YES: TURN_HIGHEST,
}


def turned(returns: Returned, rulings: Rulings) -> Turned:
    """Which tiles a failed turn turns face down."""
    if returns is Returned.NOTHING:
        return TURNED_WITHOUT_RETURN[rulings.flip_without_return]
    return TURNED_AFTER_RETURN[rulings.flip_after_return][returns]


def failure_shows(returns: Returned, rulings: Rulings) -> Rule:
    """The rule that decides what a failed turn turns."""
    if returns is Returned.NOTHING:
        return Rule.FAILING_NOTHING_RETURNED
    # Turned before the return, the highest tile is turned without regard to the returned one.
    if returns is Returned.LOWER or rulings.flip_after_return is FlipAfterReturn.BEFORE_RETURN:
        return Rule.FAILING_FLIP_HIGHEST
    return Rule.FAILING_RETURNED_HIGHEST


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
    """What may be taken from the grill with a worm and this total, but for steals."""
    exact = grill & 1 << total
    below = grill & (1 << total) - 1
    cases = LOWER_TAKEN[lower_tile]
    which = cases.exact_is_there if exact else cases.exact_is_gone
    if which is Lower.NONE:
        return exact
    return exact | (below if which is Lower.ALL else highest(below))


# By where the exact tile lies: how many seats further sits the player who can be robbed of it.
# The places that are not listed let nobody be robbed.
ROBBED: Mapping[StealBack, Mapping[Place, int]] = {
    StealBack.ALLOWED: {Place.NEXT: 1, Place.PREVIOUS: -1},
    StealBack.BARRED: {Place.NEXT: 1, Place.PREVIOUS: -1, Place.PREVIOUS_BARRED_TO_NEXT: -1},
}

# Whether a steal that is possible leaves the tiles of the grill open as well.
GRILL_STAYS_OPEN: Mapping[ExactOnOpponent, bool] = {
    ExactOnOpponent.CHOICE: True,
    ExactOnOpponent.STEAL: False,
}


class Reached(NamedTuple):
    """What a worm and the total reach.

    Attributes:
        grill: whether what the grill alone would let be taken (see `taken`) is open.
        robbed: how many seats further the player sits who can be robbed; 0 if nobody can.
    """

    grill: bool
    robbed: int


def reached(place: Place, rulings: Rulings) -> Reached:
    """What can be claimed with a worm; without one it is nothing."""
    robbed = ROBBED[rulings.steal_back].get(place, 0)
    return Reached(robbed == 0 or GRILL_STAYS_OPEN[rulings.exact_on_opponent], robbed)


# The rule that a claim with a worm shows, by where the exact tile lies.
SHOWN_AT: Mapping[Place, Rule] = {
    Place.NOWHERE: Rule.CLAIMING_EXACT,
    Place.GRILL: Rule.CLAIMING_EXACT,
    Place.FACE_DOWN: Rule.CLAIMING_LOWER,
    Place.OWN_TOP: Rule.CLAIMING_OWN_TOP,
    Place.OWN_COVERED: Rule.STEALING_OPPONENTS_ONLY,
    Place.COVERED: Rule.STEALING_TOP_ONLY,
    Place.NEXT: Rule.STEALING_EXACT,
    Place.PREVIOUS: Rule.STEALING_OPTIONAL,
    Place.NEXT_BARRED: Rule.STEALING_STEAL_BACK,
    Place.PREVIOUS_BARRED: Rule.STEALING_STEAL_BACK,
    Place.PREVIOUS_BARRED_TO_NEXT: Rule.STEALING_STEAL_BACK,
}


def claim_shows(place: Place, total: int, *, worm: bool) -> Rule:
    """The rule that is shown by what can be claimed."""
    if not worm:
        return Rule.STEALING_WORM_NEEDED if place is Place.NEXT else Rule.CLAIMING_WORM_NEEDED
    return Rule.CLAIMING_ABOVE_HIGHEST if total > HIGHEST else SHOWN_AT[place]


def after_return(table: Table) -> Table:
    """What the player leaves who returned the top tile, if there was one, and turned none."""
    own = table.stacks[table.player]
    stacks = list(table.stacks)
    stacks[table.player] = own[:-1]
    row = tuple(sorted(table.grill + own[-1:]))
    return _passed_on(row, table.face_down, stacks, table.player, list(table.barred))


def after_turning(table: Table, grill: Tiles, tiles: Tiles) -> Table:
    """What is left with these tiles turned face down; `grill` is what lies face up before."""
    if not tiles:
        return table
    down = tuple(sorted(table.face_down + numbers(tiles)))
    return Table(numbers(grill & ~tiles), down, *table[2:])


def after_take(table: Table, tile: int) -> Table:
    """What the player leaves who took this tile from the grill."""
    stacks = list(table.stacks)
    stacks[table.player] += (tile,)
    row = tuple([other for other in table.grill if other != tile])
    return _passed_on(row, table.face_down, stacks, table.player, list(table.barred))


def after_steal(table: Table, victim: int, steal_back: StealBack) -> Table:
    """What the player leaves who stole the top tile of another."""
    stacks, barred = list(table.stacks), list(table.barred)
    *rest, tile = stacks[victim]
    stacks[victim] = tuple(rest)
    stacks[table.player] += (tile,)
    if steal_back is StealBack.BARRED:
        barred[victim] = tuple(sorted([*barred[victim], tile]))
    return _passed_on(table.grill, table.face_down, stacks, table.player, barred)


def _passed_on(
    grill: Stack, face_down: Stack, stacks: list[Stack], player: int, barred: list[Stack]
) -> Table:
    """Pass the dice on: after the last player comes the first; the player's bars are gone."""
    barred[player] = ()
    following = 0 if player == len(stacks) - 1 else player + 1
    return Table(grill, face_down, tuple(stacks), following, tuple(barred))
