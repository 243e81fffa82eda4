"""Claims on many tables: the reference is held against the second statement."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import product
from typing import NamedTuple

from pickomino_conformance import blame, sentences
from pickomino_conformance.cases import Verdict
from pickomino_conformance.levels.tables.judging import (
    Departed,
    Judged,
    broke,
    left_otherwise,
    only,
)
from pickomino_conformance.levels.tables.laying import (
    BARRED_PLACES,
    DICE,
    EVERY_TILE,
    FEW,
    PLAIN_PLACES,
    PLAYERS,
    RULEBOOK,
    SHOWN_PLACES,
    STEALING_ENDS,
    TAKEN_FROM,
    TEMPTING,
    TOTALS,
    ClaimCase,
    ClaimRulings,
    claiming_table,
    numbers,
    places,
    tiles_of,
)
from pickomino_conformance.second_statement import (
    NO_TILE,
    Place,
    Tiles,
    claims,
    stole,
    taken,
    took,
)
from pickomino_conformance.tables import claim_message
from pickomino_reference import (
    Claim,
    LowerTile,
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
from pickomino_reference.moves import takes_of


class Plan(NamedTuple):
    """What holds under one combination of the claim rulings, given where the exact tile lies.

    Attributes:
        rulings: the rulings.
        grill_open: whether tiles of the grill may be taken.
        robbed: how many seats further the player sits who can be robbed; 0 if nobody can.
        makes: whether the claims are made too, not only asked for. What they leave hangs on no
            ruling but the one that bars tiles.
    """

    rulings: Rulings
    grill_open: bool
    robbed: int
    makes: bool


class Shared(NamedTuple):
    """A question that stands for several plans under which the same can be claimed.

    Attributes:
        asked: what is put to the reference for all of them: rulings that tell only what matters.
        every: the plans.
    """

    asked: Rulings
    every: list[Plan]


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
            grill_open=takes != NO_TILE,
            robbed=robbed,
            makes=ruled[:2] == RULEBOOK[0][:2]
            if robbed
            else place in TAKEN_FROM and ruled in RULEBOOK,
        )
        found.append(plan)
    return found


@cache
def _questions(place: Place, every: tuple[ClaimRulings, ...], worm: bool) -> list[Shared]:
    """Return the plans by the question that is put for them.

    Without a worm no ruling matters. With one it does which lower tiles may be taken; what is
    barred only where an opponent shows the exact tile; what a steal closes only if it can be made.
    """
    shared: dict[tuple[StrEnum, ...], Shared] = {}
    for plan in _plans(place, every):
        told: dict[str, StrEnum] = {}
        if worm:
            told["lower_tile"] = plan.rulings.lower_tile
        if worm and place in SHOWN_PLACES:
            told["steal_back"] = plan.rulings.steal_back
        if worm and plan.robbed:
            told["exact_on_opponent"] = plan.rulings.exact_on_opponent
        shared.setdefault(tuple(told.values()), Shared(only(**told), [])).every.append(plan)
    return list(shared.values())


class Rows(NamedTuple):
    """Tables on which the exact tile lies at the same place, and what their grills offer.

    Attributes:
        tables: the tables.
        opened: for each value of the ruling about lower tiles what may be taken on each table
            with a worm, but for steals.
    """

    tables: list[Table]
    opened: dict[LowerTile, list[tuple[Claim, ...]]]


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
        plain = {grill: claiming_table(grill, 0, Place.NOWHERE) for grill in self.grills}
        one = plain[self.grills[0]]
        for total in self.totals:
            rows = self._rows(total, plain)
            for place, worm in product(self.places, self.worms):
                if place in rows and (total, worm) in DICE and (worm or place in TEMPTING):
                    case = ClaimCase(one, total, worm, place, Rulings())
                    for question in _questions(place, self.rulings, worm):
                        judged.credit(case.shows, len(rows[place].tables) * len(question.every))
                        _judge_claims(case, rows[place], question, judged)
        return judged

    def _rows(self, total: int, plain: Mapping[Tiles, Table]) -> dict[Place, Rows]:
        """Return the tables by where the exact tile lies."""
        grills: dict[Sequence[Place], list[Tiles]] = {}
        for grill in self.grills:
            grills.setdefault(places(grill, total), []).append(grill)
        rows: dict[Place, Rows] = {}
        for together, found in grills.items():
            opened = {
                lower_tile: [_takes(taken(grill, total, lower_tile)) for grill in found]
                for lower_tile in dict.fromkeys(lower_tile for lower_tile, _, _ in self.rulings)
            }
            for place in together:
                if place in PLAIN_PLACES:
                    rows[place] = Rows([plain[grill] for grill in found], opened)
                elif place in self.places:
                    tables = [claiming_table(grill, total, place) for grill in found]
                    rows[place] = Rows(tables, opened)
        return rows


def _judge_claims(case: ClaimCase, rows: Rows, question: Shared, judged: Judged) -> None:
    """Judge what is in reach with these dice on each table, under the rulings of a question."""
    expected = _expected(case, rows, question.every[0])
    agrees = _answers(rows.tables, case.dice, question.asked) == expected
    for plan in question.every:
        if not agrees:
            _ask_one_by_one(case, rows.tables, expected, plan, judged)
        elif _makes(case, plan):
            for table, found in zip(rows.tables, expected, strict=True):
                if found:
                    _make_claims(case, table, plan.rulings, found, judged)


def _expected(case: ClaimCase, rows: Rows, plan: Plan) -> list[tuple[Claim, ...]]:
    """Return what can be claimed on each table."""
    opened = rows.opened[plan.rulings.lower_tile]
    if not case.worm:
        return [()] * len(opened)
    if not plan.robbed:
        return opened
    steals = (Steal((case.table.player + plan.robbed) % PLAYERS),)
    return [takes + steals for takes in opened] if plan.grill_open else [steals] * len(opened)


def _answers(tables: Sequence[Table], dice: str, rulings: Rulings) -> list[tuple[Claim, ...]]:
    """Return what the reference lets be claimed on each table, or nothing if it breaks down."""
    try:
        return [reach(table, dice, rulings) for table in tables]
    except Exception:  # noqa: BLE001  # asked one by one, it tells where
        return []


def _ask_one_by_one(
    case: ClaimCase,
    tables: Sequence[Table],
    expected: Sequence[tuple[Claim, ...]],
    plan: Plan,
    judged: Judged,
) -> None:
    """Judge each table for itself, as not all came out as expected."""
    for table, found in zip(tables, expected, strict=True):
        this = case._replace(table=table, rulings=plan.rulings)
        try:
            came: tuple[Claim, ...] | Exception = reach(table, case.dice, plan.rulings)
        except Exception as error:  # noqa: BLE001  # whatever it raises is its answer
            came = error
        if came != found:
            judged.depart(case.shows, this, _other_claims(this, found, came))
        elif _makes(case, plan):
            _make_claims(case, table, plan.rulings, found, judged)


def _makes(case: ClaimCase, plan: Plan) -> bool:
    """Whether what can be claimed is claimed.

    A lower tile leaves what it leaves as the exact one, and that is made on all tables.
    """
    return plan.makes and not (case.place is Place.FACE_DOWN and len(case.table.grill) > FEW)


def _takes(tiles: Tiles) -> tuple[Claim, ...]:
    return takes_of(numbers(tiles))


def _make_claims(
    case: ClaimCase, table: Table, rulings: Rulings, found: Sequence[Claim], judged: Judged
) -> None:
    """Make what can be claimed, a steal if there is one, and judge what that leaves."""
    position = Position(table, Turn(case.dice))
    for claim in found[-1:] if case.place in SHOWN_PLACES else found:
        expected = Position(_claimed(table, claim, rulings))
        try:
            came: Position | Exception = play(position, claim, rulings)
        except Exception as error:  # noqa: BLE001  # whatever it raises is its answer
            came = error
        if came != expected:
            departed = left_otherwise(Rule.CLAIMING_ONE_TILE, expected, came, rulings)
            this = case._replace(table=table, rulings=rulings)
            judged.depart(case.shows, this, departed)
            return


def _claimed(table: Table, claim: Claim, rulings: Rulings) -> Table:
    """Return what a claim leaves."""
    if isinstance(claim, Steal):
        left = stole(table, claim.player, rulings.steal_back)
        return Table(table.grill, table.face_down, *left)
    row = tuple([tile for tile in table.grill if tile != claim.tile])
    return Table(row, table.face_down, *took(table, claim.tile))


def _other_claims(
    case: ClaimCase, expected: Sequence[Claim], came: Sequence[Claim] | Exception
) -> Departed:
    """Return the departure where something else can be claimed."""
    if isinstance(came, Exception):
        return broke(case.shows, came)
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
