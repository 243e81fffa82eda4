"""Which tables are laid, and what is asked on them: the cases of level `tables`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from pickomino_conformance import sentences
from pickomino_conformance.cases import Exchange, Script, exchange
from pickomino_conformance.protocol import Decision, LegalParams
from pickomino_conformance.second_statement import (
    NO_TILE,
    Place,
    Tiles,
    highest,
)
from pickomino_conformance.tables import table_message
from pickomino_reference import (
    BASE,
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    LowerTile,
    Roll,
    Rule,
    Rulings,
    StealBack,
    Table,
    Turn,
)

PLAYERS = 3
LEVEL = "tables"
FEW = 6
MOST_SHOWN = 100
SETS_A_WORK = 256
WITHOUT_WORM = "-no-worm"

Stack = tuple[int, ...]
Stacks = tuple[Stack, ...]
NO_BARS: Stacks = ((),) * PLAYERS

Flip = tuple[FlipAfterReturn, FlipWithoutReturn]
ClaimRulings = tuple[LowerTile, ExactOnOpponent, StealBack]
FLIPS: tuple[Flip, ...] = tuple(product(FlipAfterReturn, FlipWithoutReturn))
RULEBOOK: tuple[ClaimRulings, ...] = ((LowerTile.NEXT, ExactOnOpponent.CHOICE, StealBack.ALLOWED),)
EVERY_CLAIM_RULING: tuple[ClaimRulings, ...] = tuple(product(LowerTile, ExactOnOpponent, StealBack))

BARRED_PLACES = (Place.NEXT_BARRED, Place.PREVIOUS_BARRED, Place.PREVIOUS_BARRED_TO_NEXT)
PLAIN_PLACES = (Place.NOWHERE, Place.GRILL)
STEALING_ENDS = (
    (ExactOnOpponent.CHOICE, StealBack.ALLOWED),
    (ExactOnOpponent.STEAL, StealBack.BARRED),
)
TAKEN_FROM = (Place.GRILL, Place.FACE_DOWN)
# Where nothing can be claimed without a worm, though much invites to.
TEMPTING = (Place.NOWHERE, Place.GRILL, Place.NEXT)
NO_OWN = "none"
SHOWN_PLACES = (Place.NEXT, Place.PREVIOUS, *BARRED_PLACES)
UNCOVERED_PLACES = (Place.FACE_DOWN, Place.OWN_TOP, *SHOWN_PLACES)
OTHER_PLACES = (*UNCOVERED_PLACES, Place.OWN_COVERED, Place.COVERED)

# The rule that a case shows, by where the exact tile lies: it is credited with a pass.
SHOWS = {
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

NUMBERS = tuple(BASE.worms)
LOWEST = NUMBERS[0]
EVERY_TILE: Tiles = sum(1 << number for number in NUMBERS)
OWN_TOPS: tuple[Tiles, ...] = (NO_TILE, *(1 << number for number in NUMBERS))

# A worm is set aside, then the other seven dice show nothing but worms.
WORM = Turn(BASE.worm)
DEAD = BASE.worm * (BASE.dice - 1)
DEAD_ROLL = Roll(DEAD)
FIRST_ROLL = "".join(sorted("1" * (BASE.dice - 1) + BASE.worm))


def _numbers(tiles: Tiles) -> tuple[int, ...]:
    return tuple(number for number in NUMBERS if tiles >> number & 1)


@cache
def _sets() -> list[tuple[int, ...]]:
    """Return the numbers in each set of tiles; the bits below the lowest tile are left out."""
    return [_numbers(index << LOWEST) for index in range(1 << len(NUMBERS))]


def numbers(tiles: Tiles) -> tuple[int, ...]:
    """Return the numbers of these tiles, ascending."""
    return _sets()[tiles >> LOWEST]


def lowest(tiles: Tiles) -> Tiles:
    """Return the set of the lowest of these tiles alone; no tile of none."""
    return tiles & -tiles


def tiles_of(tiles: Iterable[int]) -> Tiles:
    """Return the set of these numbers."""
    return sum(1 << number for number in tiles)


def _cheapest_dice() -> dict[tuple[int, bool], str]:
    """Return the fewest dice for every total, with a worm and without."""
    found: dict[tuple[int, bool], str] = {}
    for number in range(1, BASE.dice + 1):
        for dice in combinations_with_replacement(sorted(BASE.points), number):
            total = sum(BASE.points[face] for face in dice)
            found.setdefault((total, BASE.worm in dice), "".join(dice))
    return dict(sorted(found.items()))


DICE = _cheapest_dice()
TOTALS = tuple(sorted({total for total, _ in DICE}))


class FailedTurn(NamedTuple):
    """A failed turn on a table."""

    table: Table
    rulings: Rulings

    @property
    def id(self) -> str:
        """The grill, the own top tile and the two flip rulings."""
        own = self.table.stacks[self.table.player][-1:]
        shown = ".".join(map(str, self.table.grill))
        values = f"{self.rulings.flip_after_return}/{self.rulings.flip_without_return}"
        return f"tables/fail/{shown}/{own[0] if own else NO_OWN}/{values}"

    def script(self) -> Script:
        """Return the turn."""
        decision = Decision(keep=BASE.worm, then="roll")
        return Script(self.table, (FIRST_ROLL, DEAD), (decision,))

    def request(self) -> Exchange:
        """Return what asks an engine the same."""
        return exchange(self.script().params(self.rulings))

    def sentence(self) -> str:
        """Return the case in words."""
        told = f"{sentences.table(self.table)}. {sentences.turn(self.script())}"
        return f"{told} ({_told(self.rulings, ('flip_after_return', 'flip_without_return'))})"


class ClaimCase(NamedTuple):
    """A table, and dice set aside with which something may be claimed or not."""

    table: Table
    total: int
    worm: bool
    place: Place
    rulings: Rulings

    @property
    def id(self) -> str:
        """The grill, the total, where the exact tile lies, and the claim rulings."""
        shown = ".".join(map(str, self.table.grill))
        total = f"{self.total}{'' if self.worm else WITHOUT_WORM}"
        one = self.rulings
        values = f"{one.lower_tile}/{one.exact_on_opponent}/{one.steal_back}"
        return f"tables/claim/{shown}/{total}/{self.place}/{values}"

    @property
    def dice(self) -> str:
        """The dice that are set aside."""
        return DICE[self.total, self.worm]

    @property
    def shows(self) -> Rule:
        """The rule that is credited if the case passes."""
        if not self.worm:
            tempting = self.place is Place.NEXT
            return Rule.STEALING_WORM_NEEDED if tempting else Rule.CLAIMING_WORM_NEEDED
        return Rule.CLAIMING_ABOVE_HIGHEST if self.total > NUMBERS[-1] else SHOWS[self.place]

    def request(self) -> Exchange:
        """Return what asks an engine the same."""
        message = table_message(self.table, self.rulings)
        return exchange(LegalParams(message, self.dice))

    def sentence(self) -> str:
        """Return the case in words."""
        who = sentences.player(self.table.player)
        told = f"{sentences.table(self.table)}. {who} has set aside {sentences.dice(self.dice)}"
        values = _told(self.rulings, ("lower_tile", "exact_on_opponent", "steal_back"))
        return f"{told}, a total of {self.total} ({values})"


def _told(rulings: Rulings, names: Sequence[str]) -> str:
    return ", ".join(f"{name.replace('_', '-')} = {getattr(rulings, name)}" for name in names)


def lay(
    grill: Tiles,
    face_down: Tiles,
    seats: Stacks,
    barred: Stacks = NO_BARS,
) -> Table:
    """Return a table; the number of tiles on the grill tells whose turn it is.

    `seats` and `barred` begin with the player to move, then come the next and the previous one.
    """
    player = (grill.bit_count() - 1) % PLAYERS
    if player:
        seats = seats[-player:] + seats[:-player]
    if player and barred is not NO_BARS:
        barred = barred[-player:] + barred[:-player]
    return Table(numbers(grill), numbers(face_down), seats, player, barred)


def failing_table(grill: Tiles, own_top: Tiles) -> Table:
    """Return a table on which the player may fail.

    Below the own top tile lies the lowest tile that is left; the highest one shows the player
    before. It was just stolen from the other two, where anything is left to be stolen.
    """
    left = EVERY_TILE & ~grill & ~own_top
    high = highest(left)
    low = lowest(left & ~high) if own_top else NO_TILE
    shown = numbers(high)
    seats = (numbers(low) + numbers(own_top), (), shown)
    return lay(grill, left & ~high & ~low, seats, (shown, shown, ()))


def places(grill: Tiles, total: int) -> Sequence[Place]:
    """Return where the tile with exactly this total can lie."""
    exact = EVERY_TILE & 1 << total
    if not exact:
        return (Place.NOWHERE,)
    if exact & grill:
        return (Place.GRILL,)
    # The last tile of all has none to cover it.
    return OTHER_PLACES if grill | exact != EVERY_TILE else UNCOVERED_PLACES


class Dealt(NamedTuple):
    """The tiles that do not lie on the grill.

    Attributes:
        own: the lowest that is left, if any: what the player to move has at least.
        shown: the highest that is left, if any: what the previous player has at least.
        exact: the tile with exactly the total, if there is one that is not on the grill.
        face_down: all others.
    """

    own: Stack
    shown: Stack
    exact: Stack
    face_down: Tiles


@lru_cache(maxsize=SETS_A_WORK)
def _dealt(grill: Tiles, exact: Tiles) -> Dealt:
    """Return how the tiles are dealt: kept for the other places where the exact one can lie."""
    left = EVERY_TILE & ~grill & ~exact
    high = highest(left)
    low = lowest(left & ~high)
    return Dealt(numbers(low), numbers(high), numbers(exact), left & ~high & ~low)


# The stacks of the player to move, the next and the previous one, by where the exact tile lies.
SEATS: Mapping[Place, Callable[[Dealt], Stacks]] = {
    Place.OWN_TOP: lambda dealt: (dealt.own + dealt.exact, (), dealt.shown),
    Place.OWN_COVERED: lambda dealt: (dealt.exact + dealt.shown, (), dealt.own),
    Place.COVERED: lambda dealt: (dealt.own, (), dealt.exact + dealt.shown),
    Place.NEXT: lambda dealt: (dealt.own, dealt.exact, dealt.shown),
    Place.NEXT_BARRED: lambda dealt: (dealt.own, dealt.exact, dealt.shown),
    Place.PREVIOUS: lambda dealt: (dealt.own, (), dealt.shown + dealt.exact),
    Place.PREVIOUS_BARRED: lambda dealt: (dealt.own, (), dealt.shown + dealt.exact),
    Place.PREVIOUS_BARRED_TO_NEXT: lambda dealt: (dealt.own, (), dealt.shown + dealt.exact),
}

# To which of them the exact tile is barred, where it is.
BARS: Mapping[Place, Callable[[Stack], Stacks]] = {
    Place.NEXT_BARRED: lambda exact: (exact, (), ()),
    Place.PREVIOUS_BARRED: lambda exact: (exact, exact, ()),
    Place.PREVIOUS_BARRED_TO_NEXT: lambda exact: ((), exact, ()),
}


def claiming_table(grill: Tiles, total: int, place: Place) -> Table:
    """Return a table where the tile with exactly this total lies at this place."""
    exact = EVERY_TILE & 1 << total & ~grill
    dealt = _dealt(grill, exact)
    if place not in SEATS:
        return lay(grill, dealt.face_down | exact, (dealt.own, (), dealt.shown))
    seats = SEATS[place](dealt)
    barred = BARS[place](dealt.exact) if place in BARS else NO_BARS
    return lay(grill, dealt.face_down, seats, barred)
