"""Failed turns on many tables: the reference is held against the second statement."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from pickomino_conformance import blame
from pickomino_conformance.levels.tables.judging import (
    Judged,
    left_otherwise,
    only,
)
from pickomino_conformance.levels.tables.laying import (
    DEAD_ROLL,
    FLIPS,
    OWN_TOPS,
    WORM,
    FailedTurn,
    Flip,
    failing_table,
    numbers,
    tiles_of,
)
from pickomino_conformance.second_statement import (
    Failing,
    Tiles,
    Turned,
    failing,
    returned,
    turned,
    turned_tile,
)
from pickomino_reference import (
    Position,
    Rule,
    Rulings,
    StealBack,
    Table,
    play,
)


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
                for plan in plans[StealBack.ALLOWED]:
                    for rulings in plan.every:
                        judged.credit(blame.failed(found[0][0], rulings), len(found))
            for table, grill, own_top in found:
                # Tiles are barred only under the ruling that bars them.
                steal_back = StealBack.BARRED if any(table.barred) else StealBack.ALLOWED
                _judge_failed_turn(table, grill, own_top, plans[steal_back], judged)
        return judged

    def _plans(self, kind: Failing, steal_back: StealBack) -> list["FailedPlan"]:
        """Return the plans for turns that fail so; one of the flip rulings tells what is turned."""
        plans: dict[tuple[StrEnum, ...], FailedPlan] = {}
        for after, without in self.flips:
            told: dict[str, StrEnum] = {"flip_after_return": after}
            if kind is Failing.NOTHING:
                told = {"flip_without_return": without}
            plan = FailedPlan(only(**told), turned(kind, after, without), [])
            rulings = Rulings(
                flip_after_return=after, flip_without_return=without, steal_back=steal_back
            )
            plans.setdefault(tuple(told.values()), plan).every.append(rulings)
        return list(plans.values())


class FailedPlan(NamedTuple):
    """Which tile is turned under some combinations of the flip rulings.

    Attributes:
        asked: what is put to the reference for all of them: rulings that tell only what matters.
        turned: the tile that is turned.
        every: the combinations.
    """

    asked: Rulings
    turned: Turned
    every: list[Rulings]


def _judge_failed_turn(
    table: Table,
    grill: Tiles,
    own_top: Tiles,
    plans: Sequence[FailedPlan],
    judged: Judged,
) -> None:
    """Judge the failed turn on a table, under each of these rulings."""
    stacks, player, barred = returned(table)
    row, face_down = grill | own_top, tiles_of(table.face_down)
    position = Position(table, WORM)
    expected: dict[Turned, Position] = {}
    for asked, which, every in plans:
        after = expected.get(which)
        if after is None:
            down = turned_tile(which, grill, own_top)
            left = Table(numbers(row & ~down), numbers(face_down | down), stacks, player, barred)
            after = expected[which] = Position(left)
        if _fail(position, asked) == after:
            continue
        for rulings in every:
            came = _fail(position, rulings)
            if came != after:
                shows = blame.failed(table, rulings)
                rule = _blame_failed(shows, table, after, came)
                departed = left_otherwise(rule, after, came, rulings)
                judged.depart(shows, FailedTurn(table, rulings), departed)


def _fail(position: Position, rulings: Rulings) -> Position | Exception:
    """Return what the reference makes of a failed turn; what it raises is its answer, too."""
    try:
        return play(position, DEAD_ROLL, rulings)
    except Exception as error:  # noqa: BLE001
        return error


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
