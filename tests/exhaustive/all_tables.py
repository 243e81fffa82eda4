"""Failed turns and claims over all tables: the reference against the second statement.

- Failed turns: every set of face-up tiles, every own top tile that is not among them, or none,
  every value of the two flip rulings.
- Claims: every set of face-up tiles, every total with a worm and without, the tile with exactly
  the total at every place where it can lie, under the claim rulings of the rulebook; and under
  every other combination of them where at most six tiles lie face up. Every steal is made, too,
  and every exact tile is taken; lower ones are where at most six tiles lie face up.

What is not told by that is dealt out: three players sit at the table, the number of face-up
tiles tells whose turn it is, and tiles are left for the other stacks and to lie face down.
The smallest sets come first; among sets of one size, the lowest totals.

Combinations of rulings that differ only where the reference does not look are asked together.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from enum import StrEnum
from functools import cache, partial
from itertools import chain, combinations, combinations_with_replacement, islice, product
from multiprocessing import get_context
from typing import NamedTuple

from listening import Listening
from pickomino_reference import (
    BASE,
    Claim,
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    LowerTile,
    Move,
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
from second_statement import (
    NO_TILE,
    Place,
    Returned,
    Stack,
    Tiles,
    Turned,
    after_return,
    after_steal,
    after_take,
    after_turning,
    claim_shows,
    failure_shows,
    highest,
    numbers,
    reached,
    returned,
    taken,
    tiles_of,
    turned,
)

PLAYERS = 3
FEW = 6
SETS_A_SHARE = 256
MOST_SHOWN = 10

NUMBERS = tuple(BASE.worms)
EVERY_TILE = tiles_of(NUMBERS)
OWN_TOPS = (NO_TILE, *(1 << number for number in NUMBERS))
NO_BARS = ((), (), ())

# A worm is set aside, then the other seven dice show nothing but worms.
DEAD_ROLL = Roll(BASE.worm * (BASE.dice - 1))

CLAIM_RULINGS = tuple(
    Rulings(lower_tile=lower_tile, exact_on_opponent=exact_on_opponent, steal_back=steal_back)
    for lower_tile, exact_on_opponent, steal_back in product(LowerTile, ExactOnOpponent, StealBack)
)
RULEBOOK = Rulings()

# Which of the seats (the player to move, the next, the previous) the exact tile is barred to.
BARRED_TO = {
    Place.NEXT_BARRED: (0,),
    Place.PREVIOUS_BARRED: (0, 1),
    Place.PREVIOUS_BARRED_TO_NEXT: (1,),
}
SHOWN_PLACES = (Place.NEXT, Place.PREVIOUS, *BARRED_TO)
UNCOVERED_PLACES = (Place.FACE_DOWN, Place.OWN_TOP, *SHOWN_PLACES)
OTHER_PLACES = (*UNCOVERED_PLACES, Place.OWN_COVERED, Place.COVERED)
# Where nothing can be claimed without a worm, though much invites to.
TEMPTING = (Place.NOWHERE, Place.GRILL, Place.NEXT)


def _cheapest_dice() -> dict[tuple[int, bool], str]:
    """Return the fewest dice for every total, with a worm and without."""
    found: dict[tuple[int, bool], str] = {}
    for number in range(1, BASE.dice + 1):
        for dice in combinations_with_replacement(sorted(BASE.points), number):
            total = sum(BASE.points[face] for face in dice)
            found.setdefault((total, BASE.worm in dice), "".join(dice))
    return found


DICE = _cheapest_dice()
TOTALS = sorted({total for total, _ in DICE})


class Departure(NamedTuple):
    """A case in which the reference does something else.

    Attributes:
        rule: the rule that the case shows.
        case: what is returned, or where the tile with exactly the total lies.
        table: the table.
        dice: the dice that are set aside.
        move: what is played, or none if it is asked what can be claimed.
        rulings: the rulings.
        expected: what must come by the second statement.
        came: what came of the reference; what it raised, as text.
    """

    rule: Rule
    case: StrEnum
    table: Table
    dice: str
    move: Move | None
    rulings: Rulings
    expected: object
    came: object


class Expected(NamedTuple):
    """What must come on each table under these rulings, and the rule that this shows."""

    rulings: Rulings
    rule: Rule
    answers: Sequence[object]


class Batch(NamedTuple):
    """The same question on many tables, under several combinations of rulings.

    Attributes:
        case: see `Departure`, as for all that is not said here.
        tables: the tables.
        dice: the dice that are set aside.
        moves: what is played on each table; empty if it is asked what can be claimed.
        expected: what must come, for each combination.
    """

    case: StrEnum
    tables: Sequence[Table]
    dice: str
    moves: Sequence[Move]
    expected: Sequence[Expected]

    def departures(self, agreed: Counter[Rule]) -> Iterator[Departure]:
        """Ask the reference; count the cases that agree, by their rules, and yield the others."""
        left = self.expected
        while left:
            listening = Listening(left[0].rulings)
            came = _ask(self.tables, self.dice, self.moves, listening)
            for rulings, rule, answers in left:
                if not listening.stands_for(rulings):
                    continue
                if came == answers:
                    agreed[rule] += len(came)
                    continue
                moves = self.moves or [None] * len(came)
                cases = zip(self.tables, moves, answers, came, strict=True)
                for table, move, expected, one in cases:
                    if expected == one:
                        agreed[rule] += 1
                    else:
                        case = (rule, self.case, table, self.dice, move, rulings)
                        yield Departure(*case, expected, one)
            left = [one for one in left if not listening.stands_for(one.rulings)]


def _ask(
    tables: Sequence[Table], dice: str, moves: Sequence[Move], rulings: Rulings
) -> list[object]:
    """Return what the reference answers on each table; what it raises is an answer, too."""
    try:
        if not moves:
            return [reach(table, dice, rulings) for table in tables]
        turn, rows = Turn(dice), zip(tables, moves, strict=True)
        return [play(Position(table, turn), move, rulings) for table, move in rows]
    except Exception as error:  # noqa: BLE001  # whatever it is
        if len(tables) == 1:
            return [repr(error)]
    each = range(len(tables))
    return [_ask(tables[at : at + 1], dice, moves[at : at + 1], rulings)[0] for at in each]


def lay(
    grill: Tiles, face_down: Tiles, seats: Sequence[Stack], barred: Sequence[Stack] = NO_BARS
) -> Table:
    """Return a table; the number of tiles on the grill tells whose turn it is.

    `seats` and `barred` begin with the player to move, then come the next and the previous one.
    """
    player = (grill.bit_count() - 1) % len(seats)
    first = len(seats) - player
    stacks = (*seats[first:], *seats[:first])
    bars = (*barred[first:], *barred[:first]) if barred is not NO_BARS else NO_BARS
    return Table(numbers(grill), numbers(face_down), stacks, player, bars)


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


def lowest(tiles: Tiles) -> Tiles:
    """Return the set of the lowest of these tiles alone; no tile of none."""
    return tiles & -tiles


def claiming_table(grill: Tiles, total: int, place: Place) -> Table:
    """Return a table where the tile with exactly this total lies at this place.

    The player to move has at least the lowest of the tiles that are left, the previous one the
    highest; all others lie face down.
    """
    exact = EVERY_TILE & 1 << total & ~grill
    left = EVERY_TILE & ~grill & ~exact
    high = highest(left)
    low = lowest(left & ~high)
    face_down = left & ~high & ~low
    own, shown, tile = numbers(low), numbers(high), numbers(exact)
    match place:
        case Place.OWN_TOP:
            seats = (own + tile, (), shown)
        case Place.OWN_COVERED:
            seats = (tile + shown, (), own)
        case Place.COVERED:
            seats = (own, (), tile + shown)
        case Place.NEXT | Place.NEXT_BARRED:
            seats = (own, tile, shown)
        case Place.PREVIOUS | Place.PREVIOUS_BARRED | Place.PREVIOUS_BARRED_TO_NEXT:
            seats = (own, (), shown + tile)
        case _:
            seats, face_down = (own, (), shown), face_down | exact
    if place not in BARRED_TO:
        return lay(grill, face_down, seats)
    barred = [tile if seat in BARRED_TO[place] else () for seat in range(len(seats))]
    return lay(grill, face_down, seats, barred)


def places(grill: Tiles, total: int) -> Sequence[Place]:
    """Return where the tile with exactly this total can lie."""
    exact = EVERY_TILE & 1 << total
    if not exact:
        return (Place.NOWHERE,)
    if exact & grill:
        return (Place.GRILL,)
    # The last tile of all has none to cover it.
    return OTHER_PLACES if grill | exact != EVERY_TILE else UNCOVERED_PLACES


def failed_turns(grills: Sequence[Tiles]) -> Iterator[Batch]:
    """Yield the failed turns on all tables with these sets of face-up tiles."""
    rows: dict[tuple[Returned, StealBack], list[tuple[Table, Tiles, Tiles]]] = {}
    for grill, own_top in product(grills, OWN_TOPS):
        if not grill & own_top:
            table = failing_table(grill, own_top)
            # Tiles are barred only under the ruling that bars them.
            steal_back = StealBack.BARRED if any(table.barred) else StealBack.ALLOWED
            kind = (returned(grill, own_top), steal_back)
            rows.setdefault(kind, []).append((table, grill, own_top))
    for (returns, steal_back), found in rows.items():
        tables = [table for table, _, _ in found]
        left = [after_return(table) for table in tables]
        answers: dict[Turned, list[object]] = {}
        expected = []
        for after, without in product(FlipAfterReturn, FlipWithoutReturn):
            rulings = Rulings(after, without, steal_back=steal_back)
            turns = turned(returns, rulings)
            if turns not in answers:
                answers[turns] = [
                    Position(after_turning(table, grill | own_top, turns.of(grill, own_top)))
                    for table, (_, grill, own_top) in zip(left, found, strict=True)
                ]
            rule = failure_shows(returns, rulings)
            expected.append(Expected(rulings, rule, answers[turns]))
        yield Batch(returns, tables, BASE.worm, [DEAD_ROLL] * len(tables), expected)


@cache
def claim_rulings(place: Place, *, few: bool) -> list[Rulings]:
    """Return the combinations of claim rulings that can show something.

    Tiles are barred only under the ruling that bars them. Where no opponent shows the exact tile
    the rulings about stealing do not apply, and are taken at both ends of their range.
    """
    found = CLAIM_RULINGS if few else (RULEBOOK,)
    if place in BARRED_TO:
        return [one for one in found if one.steal_back is StealBack.BARRED]
    if place in SHOWN_PLACES:
        return list(found)
    ends = (
        (ExactOnOpponent.CHOICE, StealBack.ALLOWED),
        (ExactOnOpponent.STEAL, StealBack.BARRED),
    )
    return [one for one in found if (one.exact_on_opponent, one.steal_back) in ends]


def claims(grills: Sequence[Tiles]) -> Iterator[Batch]:
    """Yield what can be claimed on all tables with these sets, and some claims that are made.

    The sets are all of one size, so that the same player is to move.
    """
    few = grills[0].bit_count() <= FEW
    plain = {grill: claiming_table(grill, 0, Place.NOWHERE) for grill in grills}
    for total in TOTALS:
        together: dict[Sequence[Place], list[Tiles]] = {}
        for grill in grills:
            together.setdefault(places(grill, total), []).append(grill)
        for where, found in together.items():
            takes = {
                lower_tile: [_takes(taken(grill, total, lower_tile)) for grill in found]
                for lower_tile in (LowerTile if few else (RULEBOOK.lower_tile,))
            }
            for place in where:
                if place in (Place.NOWHERE, Place.GRILL):
                    tables = [plain[grill] for grill in found]
                elif claim_rulings(place, few=few):
                    tables = [claiming_table(grill, total, place) for grill in found]
                else:
                    continue
                yield from _claims_at(place, total, tables, takes)


Takes = dict[LowerTile, list[tuple[Take, ...]]]


@cache
def _takes(tiles: Tiles) -> tuple[Take, ...]:
    return tuple(map(Take, numbers(tiles)))


def _claims_at(place: Place, total: int, tables: Sequence[Table], takes: Takes) -> Iterator[Batch]:
    """Yield the batches on these tables, where the exact tile lies at this place.

    `takes` is what the grill of each table lets be taken with a worm.
    """
    few = len(tables[0].grill) <= FEW
    for worm in (True, False):
        if (total, worm) in DICE and (worm or place in TEMPTING):
            yield _in_reach(place, total, tables, takes, worm=worm)
    if place is Place.GRILL or (place is Place.FACE_DOWN and few):
        yield _takes_made(place, total, tables, takes[RULEBOOK.lower_tile])
    if place in SHOWN_PLACES:
        yield _steals_made(place, total, tables)


def _in_reach(
    place: Place, total: int, tables: Sequence[Table], takes: Takes, *, worm: bool
) -> Batch:
    """Return the question what can be claimed with these dice."""
    nothing = [()] * len(tables)
    answers: dict[object, list[tuple[Claim, ...]]] = {}
    expected = []
    for rulings in claim_rulings(place, few=len(tables[0].grill) <= FEW):
        which = (rulings.lower_tile, reached(place, rulings)) if worm else None
        if which not in answers:
            grill_open, robbed = reached(place, rulings)
            steals = (Steal((tables[0].player + robbed) % PLAYERS),) if robbed else ()
            offered = takes[rulings.lower_tile] if grill_open else nothing
            answers[which] = [one + steals for one in offered] if worm else nothing
        rule = claim_shows(place, total, worm=worm)
        expected.append(Expected(rulings, rule, answers[which]))
    return Batch(place, tables, DICE[total, worm], (), expected)


def _takes_made(
    place: Place, total: int, tables: Sequence[Table], takes: Sequence[tuple[Take, ...]]
) -> Batch:
    """Return the taking of the one tile that the rulebook offers, where there is one."""
    rows = [(table, one[0]) for table, one in zip(tables, takes, strict=True) if one]
    answers = [Position(after_take(table, take.tile)) for table, take in rows]
    expected = [Expected(RULEBOOK, Rule.CLAIMING_ONE_TILE, answers)]
    tables, moves = [table for table, _ in rows], [take for _, take in rows]
    return Batch(place, tables, DICE[total, True], moves, expected)


def _steals_made(place: Place, total: int, tables: Sequence[Table]) -> Batch:
    """Return the steal, if it can be made, under the rulebook and with tiles barred."""
    victim, expected = tables[0].player, []
    for rulings in claim_rulings(place, few=len(tables[0].grill) <= FEW):
        robbed = reached(place, rulings).robbed
        if robbed and rulings in (RULEBOOK, Rulings(steal_back=StealBack.BARRED)):
            victim = (tables[0].player + robbed) % PLAYERS
            answers = [Position(after_steal(table, victim, rulings.steal_back)) for table in tables]
            expected.append(Expected(rulings, Rule.STEALING_UNCOVERS, answers))
    return Batch(place, tables, DICE[total, True], [Steal(victim)] * len(tables), expected)


def shares() -> Iterator[list[Tiles]]:
    """Yield all sets of face-up tiles, the smallest first; those of a share are of one size."""
    for size in range(1, len(NUMBERS) + 1):
        sets = [tiles_of(row) for row in combinations(NUMBERS, size)]
        for start in range(0, len(sets), SETS_A_SHARE):
            yield sets[start : start + SETS_A_SHARE]


def judge(
    grills: Sequence[Tiles], most: int | None = None
) -> tuple[Counter[Rule], list[Departure]]:
    """Ask the reference every case on these sets of face-up tiles, all of one size.

    Returns how many cases agree, by their rules, and those that depart: all, or the first so many,
    and then no more is asked.
    """
    agreed: Counter[Rule] = Counter()
    batches = chain(failed_turns(grills), claims(grills))
    found = chain.from_iterable(batch.departures(agreed) for batch in batches)
    return agreed, list(islice(found, most))


def run(processes: int) -> tuple[Counter[Rule], list[Departure]]:
    """Ask the reference every case, up to the first share of the tables on which one departs."""
    agreed: Counter[Rule] = Counter()
    with ProcessPoolExecutor(processes, get_context("fork")) as pool:
        try:
            for counted, departures in pool.map(partial(judge, most=MOST_SHOWN), shares()):
                agreed += counted
                if departures:
                    return agreed, departures
        finally:
            pool.shutdown(cancel_futures=True)
    return agreed, []
