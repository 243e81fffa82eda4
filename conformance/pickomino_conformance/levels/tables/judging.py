"""How the reference's answers on a table are held against the second statement."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import NamedTuple

from pickomino_conformance import blame, sentences
from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.levels.tables.laying import (
    BARRED_PLACES,
    DEAD_ROLL,
    DICE,
    EVERY_TILE,
    FEW,
    FLIPS,
    LEVEL,
    LOWER_TILES,
    MOST_SHOWN,
    OWN_TOPS,
    PLAIN_PLACES,
    PLAYERS,
    RULEBOOK,
    SHOWN_PLACES,
    STEALING_ENDS,
    TAKEN_FROM,
    TEMPTING,
    TOTALS,
    WORM,
    ClaimCase,
    ClaimRulings,
    FailedTurn,
    Flip,
    claiming_table,
    failing_table,
    numbers,
    places,
    tiles_of,
)
from pickomino_conformance.protocol import TurnResult
from pickomino_conformance.second_statement import (
    NO_TILE,
    Failing,
    Place,
    Tiles,
    Turned,
    claims,
    failing,
    returned,
    stole,
    taken,
    took,
    turned,
    turned_tile,
)
from pickomino_conformance.subject import describe_differences, differences
from pickomino_conformance.tables import claim_message, table_message
from pickomino_reference import (
    Claim,
    Position,
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


def _left_otherwise(
    rule: Rule, expected: Position, came: Position | Exception, rulings: Rulings
) -> Departed:
    """Return the departure of a turn that left something else."""
    if isinstance(came, Exception):
        return _broke(rule, came)
    answer = TurnResult(table_message(came.table, rulings))
    found = differences(expected.table, answer, rulings)
    if came.table[:3] == expected.table[:3]:
        # Every tile lies where it must.
        passes = came.table.player != expected.table.player
        rule = Rule.FAILING_PASSES if passes else Rule.STEALING_STEAL_BACK
    words = found or {"position": (str(expected), str(came))}
    return Departed(rule, Verdict.FAIL, describe_differences(words))


class FailedTurns(NamedTuple):
    """Work: failed turns on all tables that these sets and own top tiles make together."""

    grills: tuple[Tiles, ...]
    own_tops: tuple[Tiles, ...] = OWN_TOPS
    flips: tuple[Flip, ...] = FLIPS

    def judge(self) -> Judged:
        """Ask the reference every case."""
        judged = Judged()
        tables: dict[Failing, list[tuple[Table, Tiles, Tiles]]] = {kind: [] for kind in Failing}
        for grill, own_top in product(self.grills, self.own_tops):
            if not grill & own_top:
                table = failing_table(grill, own_top)
                tables[failing(grill, own_top)].append((table, grill, own_top))
        for kind, found in tables.items():
            plans = {steal_back: self._plans(kind, steal_back) for steal_back in StealBack}
            if found:
                for rulings, _ in plans[StealBack.ALLOWED]:
                    judged.credit(blame.failed(found[0][0], rulings), len(found))
            for table, grill, own_top in found:
                # Tiles are barred only under the ruling that bars them.
                steal_back = StealBack.BARRED if any(table.barred) else StealBack.ALLOWED
                _judge_failed_turn(table, grill, own_top, plans[steal_back], judged)
        return judged

    def _plans(self, kind: Failing, steal_back: StealBack) -> list[tuple[Rulings, Turned]]:
        """Return the rulings, each with the tile that is turned under them."""
        return [
            (
                Rulings(
                    flip_after_return=after, flip_without_return=without, steal_back=steal_back
                ),
                turned(kind, after, without),
            )
            for after, without in self.flips
        ]


def _judge_failed_turn(
    table: Table,
    grill: Tiles,
    own_top: Tiles,
    plans: Sequence[tuple[Rulings, Turned]],
    judged: Judged,
) -> None:
    """Judge the failed turn on a table, under each of these rulings."""
    stacks, player, barred = returned(table)
    row, face_down = grill | own_top, tiles_of(table.face_down)
    position = Position(table, WORM)
    expected: dict[Turned, Position] = {}
    for rulings, which in plans:
        after = expected.get(which)
        if after is None:
            down = turned_tile(which, grill, own_top)
            left = Table(numbers(row & ~down), numbers(face_down | down), stacks, player, barred)
            after = expected[which] = Position(left)
        try:
            came: Position | Exception = play(position, DEAD_ROLL, rulings)
        except Exception as error:  # noqa: BLE001  # whatever it raises is its answer
            came = error
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


class Plan(NamedTuple):
    """What holds under one combination of the claim rulings, given where the exact tile lies.

    Attributes:
        rulings: the rulings.
        lower_tile: the place of the ruling's value among all of them.
        grill_open: whether tiles of the grill may be taken.
        robbed: how many seats further the player sits who can be robbed; 0 if nobody can.
        makes: whether the claims are made too, not only asked for. What they leave hangs on no
            ruling but the one that bars tiles.
    """

    rulings: Rulings
    lower_tile: int
    grill_open: bool
    robbed: int
    makes: bool


@cache
def _plans(place: Place, every: tuple[ClaimRulings, ...]) -> list[Plan]:
    """Return the plan for each combination that can show something.

    Tiles are barred only under the ruling that bars them. Where no opponent shows the exact tile
    the rulings about stealing do not apply, and are asked together, at both ends of their range.
    """
    found = []
    for ruled in every:
        lower_tile, exact_on_opponent, steal_back = ruled
        if place in BARRED_PLACES and steal_back is StealBack.ALLOWED:
            continue
        if place not in SHOWN_PLACES and (exact_on_opponent, steal_back) not in STEALING_ENDS:
            continue
        takes, robbed = claims(EVERY_TILE, place, exact_on_opponent, steal_back)
        plan = Plan(
            rulings=Rulings(
                lower_tile=lower_tile, exact_on_opponent=exact_on_opponent, steal_back=steal_back
            ),
            lower_tile=LOWER_TILES.index(lower_tile),
            grill_open=takes != NO_TILE,
            robbed=robbed,
            makes=ruled[:2] == RULEBOOK[0][:2]
            if robbed
            else place in TAKEN_FROM and ruled in RULEBOOK,
        )
        found.append(plan)
    return found


Row = tuple[Table, list[tuple[Claim, ...]]]


class ClaimsInReach(NamedTuple):
    """Work: claims on all tables, and under all rulings, that these make together.

    The sets are all of one size, so that the same player is to move.
    """

    grills: tuple[Tiles, ...]
    rulings: tuple[ClaimRulings, ...] = RULEBOOK
    totals: tuple[int, ...] = TOTALS
    worms: tuple[bool, ...] = (True, False)
    places: tuple[Place, ...] = tuple(Place)

    def judge(self) -> Judged:
        """Ask the reference every case."""
        judged = Judged()
        plans = {place: _plans(place, self.rulings) for place in self.places}
        plain = [claiming_table(grill, 0, Place.NOWHERE) for grill in self.grills]
        for total in self.totals:
            for place, rows in self._rows(total, plain, plans).items():
                for worm in self.worms:
                    if (total, worm) in DICE and (worm or place in TEMPTING):
                        case = ClaimCase(plain[0], total, worm, place, Rulings())
                        judged.credit(case.shows, len(rows) * len(plans[place]))
                        for plan in plans[place]:
                            _judge_claims(case, rows, plan, judged)
        return judged

    def _rows(
        self, total: int, plain: list[Table], plans: dict[Place, list[Plan]]
    ) -> dict[Place, list[Row]]:
        """Return the tables by where the exact tile lies, each with what its grill offers."""
        rows: dict[Place, list[Row]] = {place: [] for place, found in plans.items() if found}
        lower_tiles = sorted({LOWER_TILES.index(lower) for lower, _, _ in self.rulings})
        for grill, table in zip(self.grills, plain, strict=True):
            opened: list[tuple[Claim, ...]] = [()] * len(LOWER_TILES)
            for lower in lower_tiles:
                opened[lower] = _takes(taken(grill, total, LOWER_TILES[lower]))
            for place in places(grill, total):
                if place in PLAIN_PLACES and place in rows:
                    rows[place].append((table, opened))
                elif place in rows:
                    rows[place].append((claiming_table(grill, total, place), opened))
        return rows


def _judge_claims(case: ClaimCase, rows: Sequence[Row], plan: Plan, judged: Judged) -> None:
    """Judge what is in reach with these dice on each table, under a combination of rulings."""
    rulings, lower, grill_open, robbed, makes = plan
    dice, worm, shows = case.dice, case.worm, case.shows
    if case.place is Place.FACE_DOWN and len(case.table.grill) > FEW:
        # A lower tile leaves what it leaves as the exact one, and that is made on all tables.
        makes = False
    grill_open = grill_open and worm
    steals: tuple[Claim, ...] = ()
    if robbed and worm:
        steals = (Steal((case.table.player + robbed) % PLAYERS),)
    for table, opened in rows:
        expected = opened[lower] + steals if grill_open else steals
        try:
            came: tuple[Claim, ...] | Exception = reach(table, dice, rulings)
        except Exception as error:  # noqa: BLE001  # whatever it raises is its answer
            came = error
        if came != expected:
            this = case._replace(table=table, rulings=rulings)
            judged.depart(shows, this, _other_claims(this, expected, came))
        elif makes and expected:
            departed = _make_claims(table, dice, steals or expected, rulings)
            if departed is not None:
                judged.depart(shows, case._replace(table=table, rulings=rulings), departed)


@cache
def _takes(tiles: Tiles) -> tuple[Claim, ...]:
    return tuple(map(Take, numbers(tiles)))


def _make_claims(
    table: Table, dice: str, found: Sequence[Claim], rulings: Rulings
) -> Departed | None:
    """Make each of these claims, and return the first departure in what they leave, or none."""
    position = Position(table, Turn(dice))
    for claim in found:
        if isinstance(claim, Steal):
            left = stole(table, claim.player, rulings.steal_back)
            expected = Position(Table(table.grill, table.face_down, *left))
        else:
            row = tuple([tile for tile in table.grill if tile != claim.tile])
            expected = Position(Table(row, table.face_down, *took(table, claim.tile)))
        try:
            came: Position | Exception = play(position, claim, rulings)
        except Exception as error:  # noqa: BLE001  # whatever it raises is its answer
            came = error
        if came != expected:
            return _left_otherwise(Rule.CLAIMING_ONE_TILE, expected, came, rulings)
    return None


def _other_claims(
    case: ClaimCase, expected: Sequence[Claim], came: Sequence[Claim] | Exception
) -> Departed:
    """Return the departure where something else can be claimed."""
    if isinstance(came, Exception):
        return _broke(case.shows, came)
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
            return _blame_take(case, claim)
    # The same claims in another order, or one of them twice.
    return case.shows


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


def _blame_take(case: ClaimCase, claim: Take) -> Rule:
    if not case.worm:
        return Rule.CLAIMING_WORM_NEEDED
    if claim.tile not in case.table.grill:
        own_top = case.table.stacks[case.table.player][-1:]
        return Rule.CLAIMING_OWN_TOP if own_top == (claim.tile,) else Rule.CLAIMING_FACE_DOWN
    if case.place in SHOWN_PLACES and _right_without_steal(case):
        return Rule.STEALING_OPTIONAL
    if claim.tile > case.total:
        return Rule.CLAIMING_EXACT
    return blame.claimed(case.dice, claim)


def _right_without_steal(case: ClaimCase) -> bool:
    """Whether the grill is judged rightly once nobody shows the exact tile."""
    grill = tiles_of(case.table.grill)
    table = claiming_table(grill, case.total, Place.FACE_DOWN)
    offered = _takes(taken(grill, case.total, case.rulings.lower_tile))
    return reach(table, case.dice, case.rulings) == offered
