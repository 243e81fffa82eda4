"""The reference against a second statement of the rules, over all tables that matter."""

from collections.abc import Callable
from itertools import islice
from pprint import pformat
from unittest.mock import patch

import pytest

from all_tables import OTHER_PLACES, Departure, claiming_table, failing_table, judge, run, shares
from pickomino_reference import (
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    Position,
    Roll,
    Rule,
    Rulings,
    StealBack,
    Table,
    failing,
    find_edition,
    ruling_values,
)
from second_statement import Place, Returned, numbers, reached, returned, taken, tiles_of, turned

pytestmark = pytest.mark.exhaustive

# By hand. Of a set of n face-up tiles (n >= 1) there are 65,535; with another tile, on top of the
# own stack or with exactly the total, 16 * (2**15 - 1) pairs; with one of its own, 16 * 2**15.
SETS = 2**16 - 1
PAIRS = 16 * (2**15 - 1)
WITHIN = 16 * 2**15
# Sets of at most six of the sixteen: 16 + 120 + 560 + 1820 + 4368 + 8008. Such a set leaves 15,
# 14, ... 10 tiles out, and holds 1, 2, ... 6.
FEW_SETS = 14892
FEW_PAIRS = 16 * 15 + 120 * 14 + 560 * 13 + 1820 * 12 + 4368 * 11 + 8008 * 10
FEW_WITHIN = 16 * 1 + 120 * 2 + 560 * 3 + 1820 * 4 + 4368 * 5 + 8008 * 6
# The returned tile is the highest: it and the grill are a set of at least two, its highest apart.
RETURNED_HIGHEST = 2**16 - 1 - 16


def beyond(asked: int, few: int, combinations: int) -> int:
    """Return all cases: once under the rulebook, few sets under the other combinations too."""
    return asked + (combinations - 1) * few


# The flip rulings have 5 * 2 values together. Under eight of them the returned tile may be the
# highest; before-return never asks which tile is.
# Six combinations of the claim rulings where no opponent shows the exact tile, else twelve, half
# of which bar tiles. No set of fifteen leaves a tile to cover the exact one: 16 pairs less.
# No tile bears a total of 5 to 20 (with a worm; 1 to 20 without one) or of 37 to 40.
COUNTS = {
    "failing.nothing-returned": 10 * SETS,
    "failing.returned-highest": 8 * RETURNED_HIGHEST,
    "failing.flip-highest": 10 * PAIRS - 8 * RETURNED_HIGHEST,
    "claiming.exact": 16 * beyond(SETS, FEW_SETS, 6) + beyond(WITHIN, FEW_WITHIN, 6),
    "claiming.above-highest": 4 * beyond(SETS, FEW_SETS, 6),
    "claiming.lower": beyond(PAIRS, FEW_PAIRS, 6),
    "claiming.own-top": beyond(PAIRS, FEW_PAIRS, 6),
    "claiming.worm-needed": 24 * beyond(SETS, FEW_SETS, 6) + beyond(WITHIN, FEW_WITHIN, 6),
    "stealing.opponents-only": beyond(PAIRS - 16, FEW_PAIRS, 6),
    "stealing.top-only": beyond(PAIRS - 16, FEW_PAIRS, 6),
    "stealing.exact": beyond(PAIRS, FEW_PAIRS, 12),
    "stealing.optional": beyond(PAIRS, FEW_PAIRS, 12),
    "stealing.steal-back": 3 * 6 * FEW_PAIRS,
    "stealing.worm-needed": beyond(PAIRS, FEW_PAIRS, 12),
}

# Sets of two to seven: a set of at most six, and an exact tile that is lower than all of it.
FEW_BELOW = 120 + 560 + 1820 + 4368 + 8008 + 11440
# What is made besides: every exact tile is taken, and on few sets the next lower one, if there is
# one. Every tile that the next or the previous player shows is stolen; on few sets also where
# tiles are barred, and where this one is, to somebody else.
MADE = {
    "claiming.one-tile": WITHIN + FEW_PAIRS - FEW_BELOW,
    "stealing.uncovers": 2 * PAIRS + 3 * FEW_PAIRS,
}


def test_the_pairs_of_a_grill_and_an_own_top_tile_are_as_many_as_published() -> None:
    """There are 524,272 pairs with an own tile and 65,535 without: 589,807."""
    assert (PAIRS, SETS, PAIRS + SETS) == (524272, 65535, 589807)


def test_the_reference_agrees_with_the_second_statement_everywhere() -> None:
    """Every failed turn and every claim comes out as it is stated a second time."""
    agreed, departures = run(processes=2)
    assert not departures, "\n".join(map(told, departures))
    assert agreed == COUNTS | MADE
    assert sum(COUNTS.values()) == 28868266


def told(departure: Departure) -> str:
    """Return a departure, one of its parts a line."""
    parts = departure._asdict() | {"rulings": ruling_values(departure.rulings)}
    return pformat(parts, width=200, sort_dicts=False)


# From the questions that players ask: the grill, the own top tile, what each edition turns.
FAILED = [
    (range(21, 29), 30, {"zoch-2005": [], "zoch-2005-short": [30], "ultraboardgames": [28]}),
    (range(21, 29), 30, {"sheet-001": [30], "zoch-2005+soft-landing": []}),
    ([24, 27, 34], 23, {"zoch-2005": [34], "sheet-001": [34], "ultraboardgames": [34]}),
    ([24, 27, 34], 23, {"zoch-2005+soft-landing": []}),
    (range(21, 37), None, {"zoch-2005": [], "sheet-004": [], "sheet-000": [36]}),
    ([22], None, {"999-games": [], "sheet-002": [22], "ultraboardgames": [22]}),
    ([22], 30, {"zoch-2005": [], "sheet-001": [30], "ultraboardgames": [22]}),
]


@pytest.mark.parametrize(
    ("grill", "own_top", "edition", "expected"),
    [(grill, own, edition, down) for grill, own, rows in FAILED for edition, down in rows.items()],
)
def test_the_second_statement_turns_what_the_sources_say(grill, own_top, edition, expected) -> None:
    """The tile that a failed turn turns is the one that the questions of players tell."""
    rulings = find_edition(edition).rulings
    tiles = tiles_of(grill), tiles_of([own_top] if own_top else [])
    assert expected == list(numbers(turned(returned(*tiles), rulings).of(*tiles)))


def test_under_both_the_returned_tile_is_turned_and_a_higher_one_besides() -> None:
    """A returned tile that is the highest is turned alone; none is turned twice."""
    rulings = Rulings(FlipAfterReturn.BOTH)
    cases = [(tiles_of(range(21, 29)), 1 << 30), (tiles_of([24, 27, 34]), 1 << 23)]
    down = [turned(returned(*tiles), rulings).of(*tiles) for tiles in cases]
    assert list(map(numbers, down)) == [(30,), (23, 34)]


# The grill, the total, where the exact tile lies, and what each edition offers: tiles, a seat.
CLAIMED = [
    (range(21, 37), 22, Place.GRILL, {"zoch-2005": ([22], 0), "ultraboardgames": ([21, 22], 0)}),
    ([21, 24, 30], 25, Place.NEXT, {"zoch-2005": ([24], 1), "sheet-004": ([], 1)}),
    ([21, 24, 30], 25, Place.PREVIOUS, {"ultraboardgames": ([21, 24], -1)}),
    ([21, 24, 30], 25, Place.COVERED, {"zoch-2005": ([24], 0), "sheet-004": ([24], 0)}),
    ([21, 24, 30], 25, Place.OWN_TOP, {"zoch-2005": ([24], 0)}),
    ([26, 28, 34], 25, Place.OWN_TOP, {"zoch-2005": ([], 0)}),
    ([22, 35, 36], 38, Place.NOWHERE, {"zoch-2005": ([36], 0)}),
    ([26], 22, Place.NEXT, {"zoch-2005": ([], 1)}),
    ([21, 24], 25, Place.NEXT_BARRED, {"zoch-2005+no-steal-back": ([24], 0)}),
    ([21, 24], 25, Place.FACE_DOWN, {"zoch-2005+lower-if-gone": ([21, 24], 0)}),
    ([21, 25], 25, Place.GRILL, {"zoch-2005+lower-if-gone": ([25], 0)}),
]


@pytest.mark.parametrize(
    ("grill", "total", "place", "edition", "expected"),
    [(*case, edition, found) for *case, rows in CLAIMED for edition, found in rows.items()],
)
def test_the_second_statement_offers_what_the_sources_say(
    grill, total, place, edition, expected
) -> None:
    """What may be claimed is what the questions of players and the house rules tell."""
    rulings = find_edition(edition).rulings
    grill_open, robbed = reached(place, rulings)
    tiles = numbers(taken(tiles_of(grill), total, rulings.lower_tile)) if grill_open else ()
    assert expected == ([*tiles], robbed)


def test_a_table_is_dealt_so_that_every_tile_lies_somewhere_once() -> None:
    """On every table of three face-up tiles the sixteen tiles are all there."""
    grill = tiles_of([21, 25, 30])
    found = [failing_table(grill, own_top) for own_top in (0, 1 << 36)]
    found += [claiming_table(grill, 36, place) for place in OTHER_PLACES]
    for table in found:
        stacks = [tile for stack in table.stacks for tile in stack]
        assert sorted([*table.grill, *table.face_down, *stacks]) == list(range(21, 37))


def _flip_lowest(table: Table) -> Table:
    lowest, *rest = table.grill
    return table._replace(grill=tuple(rest), face_down=tuple(sorted((*table.face_down, lowest))))


def _return_bottom(table: Table) -> Table:
    tile, *rest = table.stacks[table.player]
    stacks = list(table.stacks)
    stacks[table.player] = tuple(rest)
    return table._replace(grill=tuple(sorted((*table.grill, tile))), stacks=tuple(stacks))


failed_turn = failing.failed_turn


def _turns_the_returned_too(table: Table, rulings: Rulings) -> Table:
    if rulings.flip_after_return is FlipAfterReturn.UNLESS_HIGHEST:
        rulings = Rulings(FlipAfterReturn.ALWAYS, rulings.flip_without_return)
    return failed_turn(table, rulings)


def _one_further_down(tiles, total, rulings):
    below = [tile for tile in tiles if tile < total]
    return () if total in tiles else tuple(below[-2:-1])


def _to_the_bottom(table: Table, tile: int) -> Table:
    stacks = list(table.stacks)
    stacks[table.player] = (tile, *stacks[table.player])
    return table._replace(stacks=tuple(stacks))


def _breaks_down(table: Table) -> Table:
    raise IndexError(table.grill)


# All rules that are shown by what can be claimed with a worm.
CLAIMS = {rule for rule in COUNTS if not rule.startswith("failing.") and "worm" not in rule}
AFTER_RETURN = {"failing.flip-highest", "failing.returned-highest"}
FAILURES = {*AFTER_RETURN, "failing.nothing-returned"}
WORM = {"claiming.worm-needed", "stealing.worm-needed"}
STEALS = {"stealing.exact", "stealing.optional", "stealing.steal-back"}

# By hand: what is broken, the first case that shows it, and the rules whose cases do. Tables with
# one face-up tile come first, and failed turns before claims; then come totals, then places.
BROKEN = [
    ("failing.flip_highest", _flip_lowest, "21 returns-the-highest W always barred", FAILURES),
    (
        "failing.failed_turn",
        _turns_the_returned_too,
        "21 returns-the-highest W barred",
        {"failing.returned-highest"},
    ),
    (
        "failing.nothing_returned",
        lambda table, rulings: failing.flip_highest(table),
        "21 returns-nothing W barred",
        {"failing.nothing-returned"},
    ),
    ("failing.return_top", _return_bottom, "21 returns-the-highest W barred", AFTER_RETURN),
    # Claims pass the dice on, too.
    ("failing.passes", lambda table: table, "21 returns-nothing W barred", {*FAILURES, *MADE}),
    ("claiming.lower", _one_further_down, "21 face-down 2555W", {*CLAIMS, "claiming.one-tile"}),
    ("claiming.one_tile", _to_the_bottom, "21 on-the-grill 1555W", {*MADE}),
    ("claiming.worm_needed", lambda set_aside, box: True, "21 on-the-grill 15555", WORM),
    (
        "claiming.exact",
        lambda tiles, total: (),
        "21 on-the-grill 1555W",
        {"claiming.exact", "claiming.one-tile"},
    ),
    # Where the previous player shows the exact tile, no other opponent shows any.
    (
        "stealing.exact",
        lambda tile, total: tile <= total,
        "23 own-covered 2555W",
        CLAIMS - {"stealing.optional"},
    ),
    ("stealing.top_only", lambda stack: stack, "22 covered 1555W", {"stealing.top-only"}),
    (
        "stealing.worm_needed",
        lambda set_aside, box: True,
        "22 next-player 15555",
        {"stealing.worm-needed"},
    ),
    (
        "stealing.opponents_only",
        lambda table: tuple(range(len(table.stacks))),
        "22 own-top 1555W",
        {"claiming.own-top"},
    ),
    (
        "stealing.optional",
        lambda takes, steals, total, rulings: steals or takes,
        "21 next-player 2555W",
        STEALS,
    ),
    (
        "stealing.steal_back",
        lambda table, tile, rulings: True,
        "22 next-player-barred 1555W barred",
        {"stealing.steal-back"},
    ),
]


def departing(rule: str, broken: Callable[..., object]) -> list[Departure]:
    """Return what departs with one face-up tile, and on the first tables with two."""
    with patch(f"pickomino_reference.{rule}", broken):
        found = [judge(grills[:32]) for grills in islice(shares(), 2)]
    return [departure for _, departures in found for departure in departures]


def short(departure: Departure) -> str:
    """Return what tells a case from others, and the values that are not the rulebook's."""
    usual = ruling_values(Rulings())
    values = [
        value
        for ruling, value in ruling_values(departure.rulings).items()
        if value != usual[ruling]
    ]
    grill = ".".join(map(str, departure.table.grill))
    return " ".join([grill, departure.case, departure.dice, *values])


@pytest.mark.parametrize(
    ("rule", "broken", "first", "rules"), BROKEN, ids=[row[0] for row in BROKEN]
)
def test_a_broken_reference_departs(rule, broken, first, rules) -> None:
    """A fault shows first on the smallest table that can show it, and only in cases of its kind."""
    found = departing(rule, broken)
    assert (first, rules) == (short(found[0]), {departure.rule for departure in found})


def test_a_departure_is_told_whole() -> None:
    """Table, dice, move and rulings, what was expected, what came, and the rule are all there."""
    with patch.object(failing, "flip_highest", _flip_lowest):
        _, found = judge([tiles_of([24, 27, 34])])
    down = (25, 26, 28, 29, 30, 31, 32, 33)
    expected = Departure(
        rule=Rule.FAILING_FLIP_HIGHEST,
        case=Returned.LOWER,
        table=Table(
            grill=(24, 27, 34),
            face_down=(23, *down, 35),
            stacks=((), (36,), (22, 21)),
            player=2,
            barred=((36,), (), (36,)),
        ),
        dice="W",
        move=Roll("WWWWWWW"),
        rulings=Rulings(steal_back=StealBack.BARRED),
        expected=Position(
            Table((21, 24, 27), (23, *down, 34, 35), ((), (36,), (22,)), 0, ((36,), (), ()))
        ),
        came=Position(
            Table((24, 27, 34), (21, 23, *down, 35), ((), (36,), (22,)), 0, ((36,), (), ()))
        ),
    )
    assert expected == next(one for one in found if one.case is Returned.LOWER)
    assert told(expected).splitlines()[0] == (
        "{'rule': <Rule.FAILING_FLIP_HIGHEST: 'failing.flip-highest'>,"
    )


def test_what_the_reference_raises_is_its_answer() -> None:
    """It is told as text, for each table on which it was raised."""
    found = departing("failing.flip_highest", _breaks_down)
    assert (short(found[0]), found[0].came) == (
        "21 returns-nothing W yes barred",
        "IndexError((21,))",
    )


def _spares_by_the_other_flip_ruling(table: Table, rulings: Rulings) -> Table:
    if rulings.flip_without_return is FlipWithoutReturn.YES:
        return _turns_the_returned_too(table, rulings)
    return failed_turn(table, rulings)


def _turns_where_none_is_turned_after_a_return(table: Table, rulings: Rulings) -> Table:
    never = rulings.flip_after_return is FlipAfterReturn.NEVER
    if never or rulings.flip_without_return is FlipWithoutReturn.YES:
        return failing.flip_highest(table)
    return table


def _none_where_a_steal_closes_it(tiles, total, rulings):
    if rulings.exact_on_opponent is ExactOnOpponent.STEAL:
        return ()
    return tuple(tile for tile in tiles if tile < total)[-1:] if total not in tiles else ()


# A rule that looks at a foreign ruling, a case where that shows, and one where it does not.
MEDDLED = [
    (
        "failing.failed_turn",
        _spares_by_the_other_flip_ruling,
        "21 returns-the-highest W yes barred",
        "21 returns-the-highest W barred",
    ),
    (
        "failing.nothing_returned",
        _turns_where_none_is_turned_after_a_return,
        "21 returns-nothing W never barred",
        "21 returns-nothing W always barred",
    ),
    (
        "claiming.lower",
        _none_where_a_steal_closes_it,
        "21 face-down 2555W steal barred",
        "21 face-down 2555W",
    ),
]


@pytest.mark.parametrize(
    ("rule", "meddled", "departs", "agrees"), MEDDLED, ids=[row[0] for row in MEDDLED]
)
def test_a_rule_that_looks_at_a_foreign_ruling_is_caught(rule, meddled, departs, agrees) -> None:
    """Combinations are asked together only where no rule looks at what tells them apart."""
    found = [short(departure) for departure in departing(rule, meddled)]
    assert (departs in found, agrees in found) == (True, False)


def test_rulings_compared_as_a_whole_are_not_passed_over() -> None:
    """What was looked at could not be told then: such a reference breaks down."""
    found = departing(
        "failing.nothing_returned",
        lambda table, rulings: table if rulings == Rulings() else failing.flip_highest(table),
    )
    assert found[0].came == "TypeError(\"'NoneType' object is not callable\")"
