"""Two tiles turned at once (`flip-after-return = both`): on paths, at every level, to the end."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as told_otherwise

from engines_of_ours import StartsOnly
from levels_in_process import failures, outcomes_of, verdicts
from pickomino_conformance.cases import (
    NotReached,
    Verdict,
    features,
    games,
    refusals,
    tables,
)
from pickomino_conformance.cases.dice import dead_turn
from pickomino_conformance.cases.games.drawing import draw
from pickomino_conformance.compare import compare
from pickomino_conformance.oracle import due
from pickomino_conformance.path import find_path
from pickomino_conformance.protocol.messages import TurnResult
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import complement
from pickomino_reference import (
    BASE,
    Edition,
    FlipAfterReturn,
    Rulings,
    Script,
    Table,
    find_edition,
    make_rulings,
    play_turn,
    start,
)
from pickomino_reference.editions import ALTERNATIVES

BOTH = Rulings(flip_after_return=FlipAfterReturn.BOTH)
VALUES = tuple(FlipAfterReturn)
ANY_RULINGS = st.fixed_dictionaries(
    {ruling: st.sampled_from(list(values)) for ruling, values in ALTERNATIVES.items()}
)
# Mixed rulings, and house rules over editions, each with some value of the flip.
MIXED = {
    name: find_edition(name, {"flip-after-return": value}).rulings
    for name, value in (
        ("sheet-001+no-steal-back+roll-on", "always"),
        ("ultraboardgames+lower-if-gone", "both"),
        ("sheet-004+no-steal-back", "both"),
        ("sheet-000+shared-win", "both"),
        ("zoch-2005+soft-landing", "never"),
    )
}


def lay(*stacks: tuple[int, ...], player: int = 0, down: tuple[int, ...] = ()) -> Table:
    """Return a table with all other tiles on the grill."""
    owned = [tile for stack in stacks for tile in stack]
    return Table(complement(BASE, [*owned, *down]), down, stacks, player, ((),) * len(stacks))


# Paths


@pytest.mark.parametrize(
    ("table", "failures_on_it"),
    [
        (lay((), (), player=0, down=(24, 36)), 1),
        (lay((), (), player=1, down=(36,)), 1),
        (lay((), (26,), down=(24, 36)), 1),
        (lay((21,), (), player=1, down=(22, 23, 35, 36)), 2),
        (lay((25,), (), (26,), player=1, down=(21, 36)), 1),
    ],
)
def test_a_path_leads_to_tables_with_two_tiles_turned(table: Table, failures_on_it: int) -> None:
    """Played on the reference it comes there, by so many failures that cost a tile."""
    legs = find_path(table, BOTH)
    at = start(len(table.stacks))
    costly = 0
    for leg in legs:
        assert leg.script.table == at
        record = play_turn(leg.script, BOTH)
        costly += record.failed and at.own != ()
        at = record.position.table
        assert at == leg.after
    assert (at, costly) == (table, failures_on_it)


def test_a_tile_below_a_face_up_one_was_returned() -> None:
    """The 24 below so many others is face down since it came back, and the 36 was turned with it.

    By the rulebook no game leads there; with both turned, none leads to the 24 alone.
    """
    assert find_path(lay((), (), down=(24, 36)), BOTH)
    with pytest.raises(NotReached):
        find_path(lay((), (), down=(24,)), BOTH)
    with pytest.raises(NotReached):
        find_path(lay((), (), down=(24, 36)), Rulings(flip_after_return=FlipAfterReturn.ALWAYS))


@pytest.mark.parametrize(
    ("down", "higher"), [((21,), 0), ((21, 22, 36), 1), ((21, 22, 23, 24, 25, 35, 36), 2)]
)
def test_each_failure_turns_a_tile_above_the_highest(down: tuple[int, ...], higher: int) -> None:
    """Why no game leads to a table is told from that: one more at most goes with it."""
    with pytest.raises(NotReached, match=f"only {higher} lie above it"):
        find_path(lay((), (), down=down), BOTH)


@pytest.mark.parametrize("number", range(6))
def test_a_path_leads_to_every_table_of_a_game(number: int) -> None:
    """Whatever a game comes to in its first turns, in the hands of two to four."""
    game = draw(f"both {number}", BOTH, (2, 4))
    for turn in game.turns[:8]:
        before = [leg.after for leg in find_path(turn.table, BOTH)]
        assert (before or [turn.table])[-1] == turn.table


# The invariant


def turned(number: int) -> tuple[Script, TurnResult]:
    """Return a failed turn, and an answer in which so many tiles are turned."""
    script = dead_turn(lay((24,), (26,)))
    right = due(script, BOTH).reply
    assert isinstance(right, TurnResult)
    down = [24, 36, 35][:number]
    grill = [tile for tile in range(21, 37) if tile not in (*down, 26)]
    return script, told_otherwise(
        right, table=told_otherwise(right.table, grill=grill, face_down=sorted(down))
    )


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_two_tiles_may_be_turned_in_a_turn_here_and_only_here(value, number: int) -> None:
    """Three never, two under `both` alone: else the table can't be."""
    script, answer = turned(number)
    found = compare(script, answer, Rulings(flip_after_return=value))
    impossible = number == 3 or (number == 2 and value is not FlipAfterReturn.BOTH)
    assert ([one.expected for one in found] == ["one-tile-a-turn"]) is impossible
    assert (found == ()) is (number == 2 and value is FlipAfterReturn.BOTH)


# Levels


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("level", [features, tables, refusals, games])
def test_the_reference_passes_under_every_value(level, value: FlipAfterReturn) -> None:
    """What is asked fits what it plays."""
    rulings = Rulings(flip_after_return=value)
    outcomes = outcomes_of(level, ReferenceEngine(Edition("", "", rulings)), rulings, games=3)
    came = verdicts(outcomes)
    assert set(came) - {Verdict.NOT_APPLICABLE} == {Verdict.PASS}


@pytest.mark.parametrize("rulings", MIXED.values(), ids=MIXED)
@pytest.mark.parametrize("level", [features, tables, refusals, games])
def test_the_reference_passes_under_mixed_rulings(level, rulings: Rulings) -> None:
    """House rules and single values over an edition."""
    outcomes = outcomes_of(level, ReferenceEngine(Edition("", "", rulings)), rulings, games=2)
    assert set(verdicts(outcomes)) - {Verdict.NOT_APPLICABLE} == {Verdict.PASS}


@settings(max_examples=8, deadline=None, derandomize=True)
@given(
    st.fixed_dictionaries(
        {name: st.sampled_from(list(all_)) for name, all_ in ALTERNATIVES.items()}
    )
)
def test_the_reference_passes_games_under_any_rulings(values: dict[str, str]) -> None:
    """A sample of all combinations."""
    rulings = make_rulings(values)
    engine = ReferenceEngine(Edition("", "", rulings))
    assert verdicts(outcomes_of(games, engine, rulings, games=2)) == {Verdict.PASS: 2}


def test_an_engine_that_is_played_to_its_tables_passes_the_features() -> None:
    """All that a game leads to; the rest is not reached, and nothing fails."""
    names = ["failing/question-10-always", "failing/top-tile-goes-back-face-down"]
    names += ["failing/figure-7b-always", "failing/last-of-the-row-is-turned"]
    outcomes = outcomes_of(features, StartsOnly(Edition("", "", BOTH)), BOTH, only=names)
    assert failures(outcomes) == []
    assert verdicts(outcomes)[Verdict.PASS] >= 2


# The end


def test_a_failed_turn_can_end_the_game() -> None:
    """With one tile on the grill: the returned one and it are both turned, and none is left."""
    named = {36, 24}
    rest = tuple(tile for tile in range(21, 37) if tile not in named)
    table = Table((36,), rest, ((24,), ()), 0, ((), ()))
    record = play_turn(dead_turn(table), BOTH)
    assert record.failed
    assert record.position.table.grill == ()
    reply = due(dead_turn(table), BOTH).reply
    assert isinstance(reply, TurnResult)
    assert reply.over is True
    others = {
        value: play_turn(dead_turn(table), Rulings(flip_after_return=value)).position.table.grill
        for value in VALUES
        if value is not FlipAfterReturn.BOTH
    }
    assert () not in others.values()


def test_games_end_by_a_failed_turn_now_and_then() -> None:
    """And are drawn and judged like all others."""
    ends = Counter()
    for number in range(40):
        game = draw(f"ends {number}", BOTH, (2, 3))
        ends[play_turn(game.turns[-1], BOTH).failed and not game.end.grill] += 1
    assert ends[True] > 0
    assert ends[False] > 0
