"""Level `tables`: failed turns and claims over many tables, complete for the reference.

The reference is asked in process, and held against the second statement of the rules.

- Failed turns: every set of face-up tiles, every own top tile that is not among them, or none,
  every value of the two flip rulings.
- Claims: every set of face-up tiles, every total with a worm and without, the tile with exactly
  the total at every place where it can lie, under the claim rulings of `zoch-2005`; and under
  every other combination of them where at most six tiles lie face up.

What is not told by that is dealt out: three players sit at the table, the number of face-up
tiles tells whose turn it is, and tiles are left for the other stacks and to lie face down.
The smallest sets come first, so that the first departure is the smallest.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, combinations_with_replacement, product, takewhile
from multiprocessing import get_context
from typing import NamedTuple

from pickomino_conformance import blame, sentences
from pickomino_conformance.cases import Outcome, Script, Verdict, plain_request
from pickomino_conformance.protocol import Decision, LegalParams
from pickomino_conformance.second_statement import (
    NO_TILE,
    Lost,
    Place,
    Tiles,
    claims,
    ended,
    taken,
    turned,
)
from pickomino_conformance.tables import claim_message, complement, table_message
from pickomino_reference import (
    BASE,
    Claim,
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    LowerTile,
    Position,
    Roll,
    Rule,
    Rulings,
    Steal,
    StealBack,
    Table,
    Take,
    Turn,
    play,
    reach,
)

PLAYERS = 3
FEW = 6
MOST_SHOWN = 100
SETS_A_WORK = 256
WITHOUT_WORM = "-no-worm"

Flip = tuple[FlipAfterReturn, FlipWithoutReturn]
ClaimRulings = tuple[LowerTile, ExactOnOpponent, StealBack]
FLIPS: tuple[Flip, ...] = tuple(product(FlipAfterReturn, FlipWithoutReturn))
RULEBOOK: tuple[ClaimRulings, ...] = ((LowerTile.NEXT, ExactOnOpponent.CHOICE, StealBack.ALLOWED),)
EVERY_CLAIM_RULING: tuple[ClaimRulings, ...] = tuple(product(LowerTile, ExactOnOpponent, StealBack))

BARRED_PLACES = (Place.NEXT_BARRED, Place.PREVIOUS_BARRED, Place.PREVIOUS_BARRED_TO_NEXT)
SHOWN_PLACES = (Place.NEXT, Place.PREVIOUS, *BARRED_PLACES)
COVERED_PLACES = (Place.OWN_COVERED, Place.COVERED)

# The rule that a case shows, by where the exact tile lies: it is credited with a pass.
SHOWS = {
    Place.NOWHERE: Rule.CLAIMING_EXACT,
    Place.GRILL: Rule.CLAIMING_EXACT,
    Place.FACE_DOWN: Rule.CLAIMING_LOWER,
    Place.OWN_TOP: Rule.CLAIMING_OWN_TOP,
    Place.OWN_COVERED: Rule.STEALING_OPPONENTS_ONLY,
    Place.COVERED: Rule.STEALING_TOP_ONLY,
    Place.NEXT: Rule.STEALING_OPTIONAL,
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


# The numbers in each set, ascending; a set stands at the place it has without the bits of the
# numbers below the lowest tile.
SETS = [_numbers(index << LOWEST) for index in range(1 << len(NUMBERS))]


def numbers(tiles: Tiles) -> tuple[int, ...]:
    """Return the numbers of these tiles, ascending."""
    return SETS[tiles >> LOWEST]


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
        return f"tables/fail/{shown}/{own[0] if own else 'none'}/{values}"

    def script(self) -> Script:
        """Return the turn."""
        decision = Decision(keep=BASE.worm, then="roll")
        return Script(self.table, (FIRST_ROLL, DEAD), (decision,))

    def request(self) -> dict[str, object]:
        """Return what asks an engine the same."""
        return plain_request(self.script().params(self.rulings), "turn")

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

    def request(self) -> dict[str, object]:
        """Return what asks an engine the same."""
        message = table_message(self.table, self.rulings)
        return plain_request(LegalParams(message, self.dice), "legal")

    def sentence(self) -> str:
        """Return the case in words."""
        who = sentences.player(self.table.player)
        told = f"{sentences.table(self.table)}. {who} has set aside {sentences.dice(self.dice)}"
        values = _told(self.rulings, ("lower_tile", "exact_on_opponent", "steal_back"))
        return f"{told}, a total of {self.total} ({values})"


def _told(rulings: Rulings, names: Sequence[str]) -> str:
    return ", ".join(f"{name.replace('_', '-')} = {getattr(rulings, name)}" for name in names)


class Seats(NamedTuple):
    """What three players own, bottom to top, and what is barred to them."""

    own: tuple[int, ...]
    next: tuple[int, ...]
    previous: tuple[int, ...]
    barred: tuple[int, ...] = ()
    barred_to_next: tuple[int, ...] = ()


def lay(grill: Tiles, seats: Seats) -> Table:
    """Return the table with this grill; the number of its tiles tells whose turn it is."""
    player = (grill.bit_count() - 1) % PLAYERS
    own, following, previous, barred, barred_to_next = seats
    owned = tiles_of(own) | tiles_of(following) | tiles_of(previous)
    face_down = numbers(EVERY_TILE & ~grill & ~owned)
    stacks: tuple[tuple[int, ...], ...] = (own, following, previous)
    bars: tuple[tuple[int, ...], ...] = (barred, barred_to_next, ())
    stacks, bars = (row[-player:] + row[:-player] for row in (stacks, bars))
    return Table(numbers(grill), face_down, stacks, player, bars)


def failing_table(grill: Tiles, own_top: Tiles) -> Table:
    """Return a table on which the player may fail.

    Below the own top tile lies the lowest tile that is left; the highest one shows the player
    before. It was just stolen from the other two, where anything is left to be stolen.
    """
    left = numbers(EVERY_TILE & ~grill & ~own_top)
    shown, below = left[-1:], left[:-1][:1]
    own = below + numbers(own_top) if own_top else ()
    return lay(grill, Seats(own, (), shown, barred=shown, barred_to_next=shown))


def places(grill: Tiles, total: int, *, worm: bool = True) -> Sequence[Place]:
    """Return where the tile with exactly this total can lie.

    Without a worm nothing can be claimed from anywhere: there only the place that tempts most.
    """
    exact = EVERY_TILE & 1 << total
    if not exact:
        return (Place.NOWHERE,)
    if exact & grill:
        return (Place.GRILL,)
    if not worm:
        return (Place.NEXT,)
    # The last tile of all has none to cover it.
    covered = COVERED_PLACES if grill | exact != EVERY_TILE else ()
    return (Place.FACE_DOWN, Place.OWN_TOP, *covered, *SHOWN_PLACES)


def claiming_table(grill: Tiles, total: int, place: Place) -> Table:
    """Return a table where the tile with exactly this total lies at this place."""
    exact = EVERY_TILE & 1 << total & ~grill
    left, tile = numbers(EVERY_TILE & ~grill & ~exact), numbers(exact)
    low, high = left[:-1][:1], left[-1:]
    match place:
        case Place.OWN_TOP:
            seats = Seats(low + tile, (), high)
        case Place.OWN_COVERED:
            seats = Seats(tile + high, (), low)
        case Place.COVERED:
            seats = Seats(low, (), tile + high)
        case Place.NEXT:
            seats = Seats(low, tile, high)
        case Place.NEXT_BARRED:
            seats = Seats(low, tile, high, barred=tile)
        case Place.PREVIOUS:
            seats = Seats(low, (), high + tile)
        case Place.PREVIOUS_BARRED:
            seats = Seats(low, (), high + tile, barred=tile, barred_to_next=tile)
        case Place.PREVIOUS_BARRED_TO_NEXT:
            seats = Seats(low, (), high + tile, barred_to_next=tile)
        case _:
            seats = Seats(low, (), high)
    return lay(grill, seats)


class Counted(NamedTuple):
    """An outcome, and how many cases came out so."""

    outcome: Outcome
    number: int


@dataclass(slots=True)
class Judged:
    """What came of some cases.

    Attributes:
        counts: how many cases came to a verdict, by the rule that they count for.
        shown: those that did not pass, at most 100 a rule and verdict.
    """

    counts: Counter[tuple[Rule, Verdict]] = field(default_factory=Counter)
    shown: list[Outcome] = field(default_factory=list)

    def judge(
        self, shows: Rule, case: FailedTurn | ClaimCase, blamed: Rule, expected: str, came: object
    ) -> None:
        """Count a case that did not pass; `shows` is the rule it would have passed for."""
        verdict = Verdict.ERROR if isinstance(came, Exception) else Verdict.FAIL
        self.counts[blamed, verdict] += 1
        self.counts[shows, Verdict.PASS] -= 1
        if self.counts[blamed, verdict] <= MOST_SHOWN:
            told = f"{case.sentence()}. {expected}"
            request = case.request()
            self.shown.append(Outcome(case.id, LEVEL, (str(blamed),), verdict, told, (request,)))

    def outcomes(self) -> Iterator[Counted]:
        """Yield the departures that are shown, then all other cases, shared by their rules."""
        others = Counter(self.counts)
        example: dict[tuple[Rule, Verdict], Outcome] = {}
        for outcome in self.shown:
            key = (Rule(outcome.rules[0]), outcome.verdict)
            others[key] -= 1
            example.setdefault(key, outcome)
            yield Counted(outcome, 1)
        for (rule, verdict), number in others.items():
            if number:
                shared = Outcome("", LEVEL, (str(rule),), verdict)
                yield Counted(example.get((rule, verdict), shared), number)
