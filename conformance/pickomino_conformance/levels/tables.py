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
from itertools import combinations, combinations_with_replacement, product
from multiprocessing import get_context
from typing import NamedTuple

from pickomino_conformance import blame, sentences
from pickomino_conformance.cases import Outcome, Script, Verdict, plain_request
from pickomino_conformance.protocol import Decision, LegalParams, TurnResult
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
from pickomino_conformance.subject import describe_differences, differences
from pickomino_conformance.tables import claim_message, table_message
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

PLAYERS = 3
LEVEL = "tables"
FEW = 6
MOST_SHOWN = 100
SETS_A_WORK = 256
NO_BARS: tuple[tuple[int, ...], ...] = ((),) * PLAYERS
WITHOUT_WORM = "-no-worm"

Flip = tuple[FlipAfterReturn, FlipWithoutReturn]
ClaimRulings = tuple[LowerTile, ExactOnOpponent, StealBack]
FLIPS: tuple[Flip, ...] = tuple(product(FlipAfterReturn, FlipWithoutReturn))
RULEBOOK: tuple[ClaimRulings, ...] = ((LowerTile.NEXT, ExactOnOpponent.CHOICE, StealBack.ALLOWED),)
EVERY_CLAIM_RULING: tuple[ClaimRulings, ...] = tuple(product(LowerTile, ExactOnOpponent, StealBack))

BARRED_PLACES = (Place.NEXT_BARRED, Place.PREVIOUS_BARRED, Place.PREVIOUS_BARRED_TO_NEXT)
TEMPTING = (Place.NOWHERE, Place.GRILL, Place.NEXT)
LOWER_TILES = tuple(LowerTile)
NOTHING_OPEN: list[tuple[Claim, ...]] = [()] * len(LOWER_TILES)
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


def lay(
    grill: Tiles,
    face_down: Tiles,
    seats: tuple[tuple[int, ...], ...],
    barred: tuple[tuple[int, ...], ...] = NO_BARS,
) -> Table:
    """Return a table; the number of tiles on the grill tells whose turn it is.

    `seats` and `barred` begin with the player to move, then come the next and the previous one.
    """
    player = (grill.bit_count() - 1) % PLAYERS
    if player:
        seats = seats[-player:] + seats[:-player]
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


def claiming_table(grill: Tiles, total: int, place: Place) -> Table:
    """Return a table where the tile with exactly this total lies at this place."""
    exact = EVERY_TILE & 1 << total & ~grill
    left = EVERY_TILE & ~grill & ~exact
    high = highest(left)
    low = lowest(left & ~high)
    own, shown, tile = numbers(low), numbers(high), numbers(exact)
    face_down = left & ~high & ~low
    match place:
        case Place.OWN_TOP:
            return lay(grill, face_down, (own + tile, (), shown))
        case Place.OWN_COVERED:
            return lay(grill, face_down, (tile + shown, (), own))
        case Place.COVERED:
            return lay(grill, face_down, (own, (), tile + shown))
        case Place.NEXT:
            return lay(grill, face_down, (own, tile, shown))
        case Place.NEXT_BARRED:
            return lay(grill, face_down, (own, tile, shown), (tile, (), ()))
        case Place.PREVIOUS:
            return lay(grill, face_down, (own, (), shown + tile))
        case Place.PREVIOUS_BARRED:
            return lay(grill, face_down, (own, (), shown + tile), (tile, tile, ()))
        case Place.PREVIOUS_BARRED_TO_NEXT:
            return lay(grill, face_down, (own, (), shown + tile), ((), tile, ()))
        case _:
            return lay(grill, face_down | exact, (own, (), shown))


@dataclass(slots=True)
class Judged:
    """What came of some cases.

    Attributes:
        counts: how many cases came to a verdict, by the rule that they count for.
        shown: those that did not pass, at most 100 a rule and verdict.
    """

    counts: Counter[tuple[Rule, Verdict]] = field(default_factory=Counter)
    shown: list[Outcome] = field(default_factory=list)

    def credit(self, shows: Rule, cases: int) -> None:
        """Count cases as passed for the rule that they show; what departs is taken back."""
        self.counts[shows, Verdict.PASS] += cases

    def depart(self, shows: Rule, case: FailedTurn | ClaimCase, departed: "Departed") -> None:
        """Count a case that did not pass for the rule that is to blame."""
        rule, verdict, message = departed
        self.counts[shows, Verdict.PASS] -= 1
        self.counts[rule, verdict] += 1
        if self.counts[rule, verdict] <= MOST_SHOWN:
            told, request = f"{case.sentence()}. {message}", case.request()
            self.shown.append(Outcome(case.id, LEVEL, (str(rule),), verdict, told, (request,)))

    def outcomes(self) -> Iterator["Counted"]:
        """Yield the departures that are shown, then the other cases, shared by their rules."""
        others = Counter(self.counts)
        shared: dict[tuple[Rule, Verdict], Outcome] = {}
        for outcome in self.shown:
            key = (Rule(outcome.rules[0]), outcome.verdict)
            others[key] -= 1
            shared.setdefault(key, outcome)
            yield Counted(outcome, 1)
        for (rule, verdict), cases in others.items():
            if cases:
                plain = Outcome("", LEVEL, (str(rule),), verdict)
                yield Counted(shared.get((rule, verdict), plain), cases)


class Counted(NamedTuple):
    """An outcome, and how many cases came out so."""

    outcome: Outcome
    cases: int


class Departed(NamedTuple):
    """Why a case did not pass: the rule to blame, the verdict, what was expected and came."""

    rule: Rule
    verdict: Verdict
    message: str


def _broke(rule: Rule, error: Exception) -> Departed:
    return Departed(rule, Verdict.ERROR, f"The reference broke down: {error!r}.")


def _ask(position: Position, move: Move, rulings: Rulings) -> Position | Exception:
    try:
        return play(position, move, rulings)
    except Exception as error:  # noqa: BLE001  # whatever it raises is its answer
        return error


def _reach(table: Table, dice: str, rulings: Rulings) -> tuple[Claim, ...] | Exception:
    try:
        return reach(table, dice, rulings)
    except Exception as error:  # noqa: BLE001  # whatever it raises is its answer
        return error


def _left_otherwise(
    rule: Rule, expected: Position, came: Position | Exception, rulings: Rulings
) -> Departed:
    """Return the departure of a turn that left something else."""
    if isinstance(came, Exception):
        return _broke(rule, came)
    answer = TurnResult(table_message(came.table, rulings))
    found = differences(expected.table, answer, rulings)
    if found.keys() == {"player"}:
        rule = Rule.FAILING_PASSES
    if found.keys() == {"barred"}:
        rule = Rule.STEALING_STEAL_BACK
    words = found or {"position": (str(expected), str(came))}
    return Departed(rule, Verdict.FAIL, describe_differences(words))


# ---- failed turns


class FailedTurns(NamedTuple):
    """Work: failed turns on all tables that these sets and own top tiles make together."""

    grills: tuple[Tiles, ...]
    own_tops: tuple[Tiles, ...] = OWN_TOPS
    flips: tuple[Flip, ...] = FLIPS

    def judge(self) -> Judged:
        """Ask the reference every case."""
        judged = Judged()
        allowed, barred = (
            [
                Rulings(flip_after_return=after, flip_without_return=without, steal_back=steal_back)
                for after, without in self.flips
            ]
            for steal_back in StealBack
        )
        for grill in self.grills:
            for own_top in self.own_tops:
                if not grill & own_top:
                    table = failing_table(grill, own_top)
                    # Tiles are barred only under the ruling that bars them.
                    rulings = allowed if table.barred == NO_BARS else barred
                    _judge_failed_turn(table, grill, own_top, rulings, judged)
        return judged


def _judge_failed_turn(
    table: Table, grill: Tiles, own_top: Tiles, every: Sequence[Rulings], judged: Judged
) -> None:
    """Judge the failed turn on a table, under each of these rulings."""
    stacks, player, barred = failed(table)
    face_down = tiles_of(table.face_down)
    position = Position(table, WORM)
    expected: dict[Tiles, Position] = {}
    kind = (own_top != NO_TILE, own_top > grill)
    judged.tables(kind, table, every)
    for rulings in every:
        down = turned(grill, own_top, rulings.flip_after_return, rulings.flip_without_return)
        after = expected.get(down)
        if after is None:
            row, lying = numbers((grill | own_top) & ~down), numbers(face_down | down)
            after = expected[down] = Position(Table(row, lying, stacks, player, barred))
        came = _ask(position, DEAD_ROLL, rulings)
        if came != after:
            shows = blame.failed(table, rulings)
            rule = _blame_failed(shows, table, after, came)
            departed = _left_otherwise(rule, after, came, rulings)
            judged.depart(shows, FailedTurn(table, rulings), departed)


def _blame_failed(decides: Rule, before: Table, expected: Position, came: object) -> Rule:
    """Return the rule that is broken where a failed turn left something else.

    `decides` is the rule that decides on this table which tile is turned, if any.
    """
    if not isinstance(came, Position):
        return decides
    if came.table.stacks != expected.table.stacks:
        return Rule.FAILING_RETURN_TOP
    if before.face_down not in (expected.table.face_down, came.table.face_down):
        # A tile had to be turned and one was, so it was another one.
        return Rule.FAILING_FLIP_HIGHEST
    return decides


# ---- claims


class Plan(NamedTuple):
    """What holds under one combination of the claim rulings, given where the exact tile lies.

    Attributes:
        rulings: the rulings.
        lower_tile: the place of the ruling's value among all of them.
        grill_open: whether tiles of the grill may be taken.
        robbed: how many seats further the player sits who can be robbed; 0 if nobody can.
        plays: whether the claims are made too, not only asked for.
    """

    rulings: Rulings
    lower_tile: int
    grill_open: bool
    robbed: int
    plays: bool


@cache
def _plans(place: Place, every: tuple[ClaimRulings, ...]) -> list[Plan]:
    """Return the plan for each combination; tiles are barred only under the ruling that bars."""
    found = []
    for lower_tile, exact_on_opponent, steal_back in every:
        if place in BARRED_PLACES and steal_back is StealBack.ALLOWED:
            continue
        takes, robbed = claims(EVERY_TILE, place, exact_on_opponent, steal_back)
        plan = Plan(
            Rulings(
                lower_tile=lower_tile, exact_on_opponent=exact_on_opponent, steal_back=steal_back
            ),
            LOWER_TILES.index(lower_tile),
            takes != NO_TILE,
            robbed,
            plays=(lower_tile, exact_on_opponent) == RULEBOOK[0][:2],
        )
        found.append(plan)
    return found


class ClaimsInReach(NamedTuple):
    """Work: claims on all tables, and under all rulings, that these make together."""

    grills: tuple[Tiles, ...]
    rulings: tuple[ClaimRulings, ...] = RULEBOOK
    totals: tuple[int, ...] = TOTALS
    worms: tuple[bool, ...] = (True, False)
    places: tuple[Place, ...] = tuple(Place)

    def judge(self) -> Judged:
        """Ask the reference every case."""
        judged = Judged()
        for grill in self.grills:
            # Where the exact tile lies on the grill or nowhere, the rest lies as it does always.
            plain = claiming_table(grill, 0, Place.NOWHERE)
            for total in self.totals:
                for place in places(grill, total):
                    if place not in self.places:
                        continue
                    table = plain
                    if place not in (Place.NOWHERE, Place.GRILL):
                        table = claiming_table(grill, total, place)
                    for worm in self.worms:
                        if (total, worm) in DICE and (worm or place in TEMPTING):
                            case = ClaimCase(table, total, worm, place, Rulings())
                            _judge_claims(case, _plans(place, self.rulings), judged)
        return judged


def _judge_claims(case: ClaimCase, plans: Sequence[Plan], judged: Judged) -> None:
    """Judge what is in reach with these dice on a table, under each of these plans."""
    table, total, worm, place, _ = case
    dice = case.dice
    shows = _shown(total, place, worm=worm)
    judged.credit(shows, len(plans))
    opened = _opened(tiles_of(table.grill), total) if worm else NOTHING_OPEN
    for plan in plans:
        rulings = plan.rulings
        expected = opened[plan.lower_tile] if plan.grill_open else ()
        if worm and plan.robbed:
            expected = (*expected, Steal((table.player + plan.robbed) % PLAYERS))
        came = _reach(table, dice, rulings)
        if came != expected:
            this = case._replace(rulings=rulings)
            judged.depart(shows, this, _other_claims(this, expected, came))
        elif plan.plays and expected:
            departed = _play_claims(table, total, dice, expected, rulings)
            if departed is not None:
                judged.depart(shows, case._replace(rulings=rulings), departed)


def _opened(grill: Tiles, total: int) -> list[tuple[Claim, ...]]:
    """Return what the grill lets be taken, for each value of the ruling `lower-tile`."""
    return [_takes(taken(grill, total, lower_tile)) for lower_tile in LOWER_TILES]


@cache
def _takes(tiles: Tiles) -> tuple[Claim, ...]:
    return tuple(map(Take, numbers(tiles)))


def _shown(total: int, place: Place, *, worm: bool) -> Rule:
    """Return the rule that a case shows: it is credited with a pass."""
    if not worm:
        return Rule.STEALING_WORM_NEEDED if place is Place.NEXT else Rule.CLAIMING_WORM_NEEDED
    if total > NUMBERS[-1]:
        return Rule.CLAIMING_ABOVE_HIGHEST
    return SHOWS[place]


def _play_claims(
    table: Table, total: int, dice: str, found: Sequence[Claim], rulings: Rulings
) -> Departed | None:
    """Make claims, and return the first departure in what they leave, or none.

    Where many tiles lie face up only the exact tile is claimed: a tile taken for a higher total
    leaves the same table.
    """
    few = len(table.grill) <= FEW
    position = Position(table, Turn(dice))
    for claim in found:
        if isinstance(claim, Take):
            if claim.tile != total and not few:
                continue
            expected, rule = _taken(table, claim.tile), Rule.CLAIMING_ONE_TILE
        else:
            expected, rule = _stolen(table, claim.player, rulings), Rule.CLAIMING_ONE_TILE
        came = _ask(position, claim, rulings)
        if came != expected:
            return _left_otherwise(rule, expected, came, rulings)
    return None


def _taken(table: Table, tile: int) -> Position:
    """Return what is left once the player has taken a tile."""
    left = ended(table, {table.player: (*table.stacks[table.player], tile)})
    return Position(left._replace(grill=numbers(tiles_of(table.grill) & ~(1 << tile))))


def _stolen(table: Table, victim: int, rulings: Rulings) -> Position:
    """Return what is left once the player has stolen the top tile of another."""
    *rest, tile = table.stacks[victim]
    stacks = {victim: tuple(rest), table.player: (*table.stacks[table.player], tile)}
    lost = Lost(victim, tile) if rulings.steal_back is StealBack.BARRED else None
    return Position(ended(table, stacks, lost))


def _other_claims(
    case: ClaimCase, expected: Sequence[Claim], came: Sequence[Claim] | Exception
) -> Departed:
    """Return the departure where something else can be claimed."""
    if isinstance(came, Exception):
        return _broke(_shown(case.total, case.place, worm=case.worm), came)
    words = f"Expected: {_in_words(expected)}. Came: {_in_words(came)}."
    return Departed(_blame_claims(case, expected, came), Verdict.FAIL, words)


def _in_words(found: Sequence[Claim]) -> str:
    told = [sentences.claim(claim_message(claim)) for claim in found]
    return f"the player {' or '.join(told)}" if told else "nothing can be claimed"


def _blame_claims(case: ClaimCase, expected: Sequence[Claim], came: Sequence[Claim]) -> Rule:
    """Return the rule that is broken where something else can be claimed."""
    wrong = [claim for claim in (*came, *expected) if (claim in came) != (claim in expected)]
    for claim in wrong:
        if isinstance(claim, Steal):
            return _blame_steal(case, claim)
    for claim in wrong:
        if isinstance(claim, Take):
            return _blame_take(case, claim, expected, came)
    # The same claims in another order, or one of them twice.
    return _shown(case.total, case.place, worm=case.worm)


def _blame_steal(case: ClaimCase, claim: Steal) -> Rule:
    if not case.worm:
        return Rule.STEALING_WORM_NEEDED
    if claim.player == case.table.player:
        return Rule.STEALING_OPPONENTS_ONLY
    stack = case.table.stacks[claim.player]
    if case.total in stack[:-1]:
        return Rule.STEALING_TOP_ONLY
    if case.total in stack and case.place in BARRED_PLACES:
        return Rule.STEALING_STEAL_BACK
    return blame.claimed(case.dice, claim)


def _blame_take(
    case: ClaimCase, claim: Take, expected: Sequence[Claim], came: Sequence[Claim]
) -> Rule:
    if not case.worm:
        return Rule.CLAIMING_WORM_NEEDED
    if claim.tile not in case.table.grill:
        own_top = case.table.stacks[case.table.player][-1:]
        return Rule.CLAIMING_OWN_TOP if own_top == (claim.tile,) else Rule.CLAIMING_FACE_DOWN
    closed = [all(isinstance(one, Steal) for one in found) for found in (expected, came)]
    if case.place in SHOWN_PLACES and any(closed):
        return Rule.STEALING_OPTIONAL
    if claim.tile > case.total:
        return Rule.CLAIMING_EXACT
    return blame.claimed(case.dice, claim)


# ---- the level


Work = FailedTurns | ClaimsInReach


def works() -> Iterator[Work]:
    """Yield all work in shares that can be judged anywhere, the smallest tables first."""
    for size in range(1, len(NUMBERS) + 1):
        grills = [tiles_of(row) for row in combinations(NUMBERS, size)]
        few = size <= FEW
        for start in range(0, len(grills), SETS_A_WORK):
            yield FailedTurns(tuple(grills[start : start + SETS_A_WORK]))
        sets = SETS_A_WORK // 8 if few else SETS_A_WORK
        for start in range(0, len(grills), sets):
            rulings = EVERY_CLAIM_RULING if few else RULEBOOK
            yield ClaimsInReach(tuple(grills[start : start + sets]), rulings)


def work_of(case: str) -> Work | None:
    """Return the work that is this case alone, or none if there is no such case."""
    try:
        level, kind, shown, *rest = case.split("/")
        grills = (tiles_of(map(int, shown.split("."))),)
        if (level, kind) == (LEVEL, "fail"):
            own, after, without = rest
            own_top = NO_TILE if own == NO_OWN else 1 << int(own)
            flip = (FlipAfterReturn(after), FlipWithoutReturn(without))
            return FailedTurns(grills, (own_top,), (flip,))
        if (level, kind) == (LEVEL, "claim"):
            total, place, lower_tile, exact, steal_back = rest
            rulings = (LowerTile(lower_tile), ExactOnOpponent(exact), StealBack(steal_back))
            totals = (int(total.removesuffix(WITHOUT_WORM)),)
            worms = (not total.endswith(WITHOUT_WORM),)
            return ClaimsInReach(grills, (rulings,), totals, worms, (Place(place),))
    except ValueError:
        return None
    return None


def judge(work: Work) -> Judged:
    """Ask the reference every case of a share of the work."""
    return work.judge()


def run(processes: int = 1, only: Collection[str] = ()) -> Iterator[Counted]:
    """Yield the outcomes of every case, those on the smallest tables first.

    Cases that passed are shared by their rules, and so are those beyond the first hundred of a
    share of the work that departed: with each outcome comes the number of cases.

    `processes` share the work; with one it is done here. `only` are the ids of the only cases to
    be asked; empty for all.
    """
    every = list(filter(None, map(work_of, only))) if only else works()
    if processes == 1:
        for work in every:
            yield from judge(work).outcomes()
        return
    with ProcessPoolExecutor(processes, get_context("fork")) as pool:
        for judged in pool.map(judge, every):
            yield from judged.outcomes()
