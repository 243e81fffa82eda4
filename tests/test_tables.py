"""The reference against a second statement of the rules, over all tables that matter."""

from collections import Counter
from itertools import islice
from unittest.mock import patch

import pytest

from pickomino_conformance.cases import Verdict
from pickomino_conformance.levels import tables
from pickomino_conformance.second_statement import Claims, Place, claims, taken, turned, turned_tile
from pickomino_conformance.second_statement import failing as failing_of
from pickomino_reference import (
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    Table,
    claiming,
    failing,
    find_edition,
    stealing,
)

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


# Eight values of the flip rulings together; before-return never asks which tile is the highest.
# Six combinations of the claim rulings where no opponent shows the exact tile, else twelve, half
# of which bar tiles. No set of fifteen leaves a tile to cover the exact one: 16 pairs less.
# No tile bears a total of 5 to 20 (with a worm; 1 to 20 without one) or of 37 to 40.
COUNTS = {
    "failing.nothing-returned": 8 * SETS,
    "failing.returned-highest": 6 * RETURNED_HIGHEST,
    "failing.flip-highest": 8 * PAIRS - 6 * RETURNED_HIGHEST,
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


def test_the_pairs_of_a_grill_and_an_own_top_tile_are_as_many_as_published() -> None:
    """There are 524,272 pairs with an own tile and 65,535 without: 589,807."""
    assert (PAIRS, SETS, PAIRS + SETS) == (524272, 65535, 589807)


def test_the_reference_agrees_with_the_second_statement_everywhere() -> None:
    """Every failed turn and every claim of the complete level comes out as stated a second time."""
    counts = Counter()
    for outcome, cases in tables.run(processes=2):
        counts[outcome.rules, outcome.verdict] += cases
    assert {((rule,), Verdict.PASS): cases for rule, cases in COUNTS.items()} == counts
    assert sum(COUNTS.values()) == 27688652


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
    tiles = tables.tiles_of(grill), tables.tiles_of([own_top] if own_top else [])
    which = turned(failing_of(*tiles), rulings.flip_after_return, rulings.flip_without_return)
    assert expected == list(tables.numbers(turned_tile(which, *tiles)))


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
    opened = taken(tables.tiles_of(grill), total, rulings.lower_tile)
    found = claims(opened, place, rulings.exact_on_opponent, rulings.steal_back)
    tiles, seat = expected
    assert Claims(tables.tiles_of(tiles), seat) == found


def test_a_table_is_dealt_so_that_every_tile_lies_somewhere_once() -> None:
    """On every table of three face-up tiles the sixteen tiles are all there."""
    grill = tables.tiles_of([21, 25, 30])
    found = [tables.failing_table(grill, own_top) for own_top in (0, 1 << 36)]
    found += [tables.claiming_table(grill, 36, place) for place in tables.OTHER_PLACES]
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


def _one_further_down(tiles, total, rulings):
    below = [tile for tile in tiles if tile < total]
    return () if total in tiles else tuple(below[-2:-1])


def _to_the_bottom(table: Table, tile: int) -> Table:
    stacks = list(table.stacks)
    stacks[table.player] = (tile, *stacks[table.player])
    return table._replace(stacks=tuple(stacks))


def _breaks_down(table: Table) -> Table:
    raise IndexError(table.grill)


CLAIM = "next/choice/allowed"
# By hand: what is broken, the first case that shows it, and the rules that must be blamed.
# Among sets of one size claims come by their total, then by the place of the exact tile: so a
# fault that shows wherever 21 does not lie on the grill shows first where the 22 alone does.
BROKEN = [
    (failing, "flip_highest", _flip_lowest, "fail/21/22/always/no", {"failing.flip-highest"}),
    (
        failing,
        "returned_highest",
        lambda table, returned, rulings: False,
        "fail/21/22/unless-highest/no",
        {"failing.returned-highest"},
    ),
    (
        failing,
        "nothing_returned",
        lambda table, rulings: failing.flip_highest(table),
        "fail/21/none/unless-highest/no",
        {"failing.nothing-returned"},
    ),
    (
        failing,
        "return_top",
        _return_bottom,
        "fail/21/22/unless-highest/no",
        {"failing.return-top"},
    ),
    (
        failing,
        "passes",
        lambda table: table,
        "fail/21/none/unless-highest/no",
        {"failing.passes"},
    ),
    (
        claiming,
        "lower",
        _one_further_down,
        f"claim/21/22/face-down/{CLAIM}",
        {"claiming.lower", "claiming.above-highest"},
    ),
    (
        claiming,
        "one_tile",
        _to_the_bottom,
        f"claim/21/21/on-the-grill/{CLAIM}",
        {"claiming.one-tile"},
    ),
    (
        claiming,
        "worm_needed",
        lambda set_aside, box: True,
        f"claim/21/21-no-worm/on-the-grill/{CLAIM}",
        {"claiming.worm-needed"},
    ),
    (
        claiming,
        "exact",
        lambda tiles, total: (),
        f"claim/21/21/on-the-grill/{CLAIM}",
        {"claiming.exact"},
    ),
    (
        stealing,
        "exact",
        lambda tile, total: tile <= total,
        f"claim/23/22/own-covered/{CLAIM}",
        # With the exact tile covered by a lower one, this steal tells of either rule.
        {"stealing.exact", "stealing.top-only"},
    ),
    (
        stealing,
        "top_only",
        lambda stack: stack,
        f"claim/22/21/covered/{CLAIM}",
        {"stealing.top-only"},
    ),
    (
        stealing,
        "worm_needed",
        lambda set_aside, box: True,
        f"claim/22/21-no-worm/next-player/{CLAIM}",
        {"stealing.worm-needed"},
    ),
    (
        stealing,
        "opponents_only",
        lambda table: tuple(range(len(table.stacks))),
        f"claim/22/21/own-top/{CLAIM}",
        {"stealing.opponents-only"},
    ),
    (
        stealing,
        "optional",
        lambda takes, steals, total, rulings: steals or takes,
        f"claim/21/22/next-player/{CLAIM}",
        {"stealing.optional"},
    ),
    (
        stealing,
        "steal_back",
        lambda table, tile, rulings: True,
        "claim/22/21/next-player-barred/next/choice/barred",
        {"stealing.steal-back"},
    ),
]


def departures() -> list:
    """Return what departs on the smallest tables, in the order of the level."""
    # All with one face-up tile, failed turns with two, and claims on the first of these.
    works = islice(tables.works(), 4)
    outcomes = [outcome for work in works for outcome, _ in tables.judge(work).outcomes()]
    return [outcome for outcome in outcomes if outcome.verdict is not Verdict.PASS]


@pytest.mark.parametrize(
    ("chapter", "name", "broken", "smallest", "rules"),
    BROKEN,
    ids=[f"{row[0].__name__.rpartition('.')[2]}.{row[1]}" for row in BROKEN],
)
def test_a_broken_reference_departs_in_its_rule_and_no_other(
    chapter, name, broken, smallest, rules
) -> None:
    """A fault shows first on the smallest table that can show it, and its rule is blamed."""
    with patch.object(chapter, name, broken):
        found = departures()
    assert f"tables/{smallest}" == found[0].id
    assert rules == {rule for outcome in found for rule in outcome.rules}
    assert {Verdict.FAIL} == {outcome.verdict for outcome in found}


def test_a_reference_that_breaks_down_is_an_error() -> None:
    """An exception of the reference is told as such, for the rule that it comes from."""
    with patch.object(failing, "flip_highest", _breaks_down):
        found = departures()
    assert {Verdict.ERROR} == {outcome.verdict for outcome in found}
    assert found[0].id == "tables/fail/21/none/unless-highest/yes"
    assert "The reference broke down: IndexError((21,))." in found[0].message


def _none_where_a_steal_closes_it(tiles, total, rulings):
    if rulings.exact_on_opponent is ExactOnOpponent.STEAL:
        return ()
    return tuple(tile for tile in tiles if tile < total)[-1:] if total not in tiles else ()


# A rule that looks at a foreign ruling, a case where that shows, and one where it does not.
MEDDLED = [
    (
        failing,
        "returned_highest",
        lambda table, returned, rulings: rulings.flip_without_return is FlipWithoutReturn.NO,
        "fail/21/22/unless-highest/yes",
        "fail/21/22/unless-highest/no",
    ),
    (
        failing,
        "nothing_returned",
        lambda table, rulings: (
            failing.flip_highest(table)
            if rulings.flip_after_return is FlipAfterReturn.NEVER
            or rulings.flip_without_return is FlipWithoutReturn.YES
            else table
        ),
        "fail/21/none/never/no",
        "fail/21/none/always/no",
    ),
    (
        claiming,
        "lower",
        _none_where_a_steal_closes_it,
        "claim/21/22/face-down/next/steal/barred",
        "claim/21/22/face-down/next/choice/allowed",
    ),
]


@pytest.mark.parametrize(
    ("chapter", "name", "meddled", "departs", "agrees"), MEDDLED, ids=[row[1] for row in MEDDLED]
)
def test_a_rule_that_looks_at_a_foreign_ruling_is_caught(
    chapter, name, meddled, departs, agrees
) -> None:
    """Combinations are asked together only where no rule looks at what tells them apart."""
    with patch.object(chapter, name, meddled):
        found = [outcome.id for outcome in departures()]
    assert (f"tables/{departs}" in found, f"tables/{agrees}" in found) == (True, False)


def test_a_departure_is_told_as_a_sentence() -> None:
    """Table, turn, rulings, what was expected and what came stand in one message."""
    with patch.object(failing, "flip_highest", _flip_lowest):
        ((outcome, cases),) = tables.run(only=["tables/fail/24.27.34/23/unless-highest/no"])
    assert cases == 1
    assert outcome.message == (
        "grill 24, 27, 34; player 0 owns no tile; player 1 owns 36; player 2 owns 21 23; "
        "barred to player 0: 36; barred to player 2: 36. "
        "player 2 rolls 1 1 1 1 1 1 1 W, sets aside W, rolls W W W W W W W "
        "(flip-after-return = unless-highest, flip-without-return = no). "
        "Expected: grill 23, 24, 27. Came: grill 24, 27, 34."
    )
    assert [exchange.method for exchange in outcome.exchanges] == ["turn"]


def test_one_case_can_be_asked_alone() -> None:
    """The id of a case says all that is needed to ask it, and nothing else is asked."""
    wanted = [
        "tables/fail/21.24.36/30/always/yes",
        "tables/claim/21.24.30/25/next-player/any/steal/allowed",
        "tables/claim/21.24.30/25-no-worm/next-player/next/choice/allowed",
        "tables/claim/of/no/such/case",
    ]
    found = [(outcome.rules, outcome.verdict, cases) for outcome, cases in tables.run(only=wanted)]
    assert found == [
        (("failing.flip-highest",), Verdict.PASS, 1),
        (("stealing.exact",), Verdict.PASS, 1),
        (("stealing.worm-needed",), Verdict.PASS, 1),
    ]
