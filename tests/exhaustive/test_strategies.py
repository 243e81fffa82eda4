"""The strategies draw what they promise, all of it, and nothing that can't be."""

import doctest
import warnings
from collections import Counter
from itertools import pairwise

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument, NonInteractiveExampleWarning

from pickomino_conformance import strategies
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import request, table_message
from pickomino_conformance.strategies import (
    Situation,
    editions,
    games,
    positions,
    rolls,
    rulings,
    situations,
    tables,
    turns,
)
from pickomino_reference import (
    Edition,
    Position,
    Roll,
    Rulings,
    SetAside,
    Steal,
    StealBack,
    Stop,
    StopWithoutClaim,
    Table,
    Take,
    Turn,
    edition_names,
    find_edition,
    house_rule_names,
    play,
    play_turn,
    ruling_values,
    start,
)
from pickomino_reference.editions import ALTERNATIVES

drawn = settings(max_examples=100, database=None, deadline=None, derandomize=True)

POINTS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}


def everywhere(table: Table) -> list[int]:
    """Return all tiles of a table, ascending."""
    return sorted([*table.grill, *table.face_down, *(t for stack in table.stacks for t in stack)])


def test_every_value_of_every_ruling_is_drawn() -> None:
    """No alternative of a ruling is left out, beside whatever other."""
    seen = set()

    @settings(drawn, max_examples=400)
    @given(rulings())
    def draw(of: Rulings) -> None:
        values = ruling_values(of).items()
        seen.update((one, other) for one in values for other in values if one[0] < other[0])

    draw()
    values = [(name, str(value)) for name, enum in ALTERNATIVES.items() for value in enum]
    assert seen == {(one, other) for one in values for other in values if one[0] < other[0]}


@drawn
@given(rulings(steal_back=StealBack.BARRED))
def test_a_ruling_that_is_fixed_keeps_its_value(of: Rulings) -> None:
    """Only the other rulings vary."""
    assert of.steal_back == StealBack.BARRED


def test_every_edition_and_every_house_rule_is_drawn_and_none_contradicts_another() -> None:
    """A drawn edition is what its name says, and all names come."""
    seen = set()

    @settings(drawn, max_examples=300)
    @given(editions())
    def draw(edition: Edition) -> None:
        assert edition == find_edition(edition.name)
        seen.update(edition.name.split("+"))

    draw()
    assert seen == {*edition_names(), *house_rule_names()}


@drawn
@given(st.integers(0, 8), st.data())
def test_a_roll_shows_as_many_dice_as_asked_for(dice: int, data) -> None:
    """Each die shows one of the six faces."""
    roll = data.draw(rolls(dice))
    assert (len(roll), set(roll) - set(POINTS)) == (dice, set())


@settings(drawn, max_examples=100)
@given(st.booleans(), st.data())
def test_a_table_has_every_tile_once_in_its_order(over: bool, data) -> None:
    """Sixteen tiles, rows ascending, a seat for the player, and a grill unless it is over."""
    table = data.draw(tables(over=over))
    rows = [tuple(sorted(row)) for row in (table.grill, table.face_down)]
    assert everywhere(table) == list(range(21, 37))
    assert rows == [table.grill, table.face_down]
    assert (table.grill == ()) == over
    assert table.player in range(len(table.stacks))
    assert table.barred == ((),) * len(table.stacks)


def test_tables_of_all_kinds_are_drawn() -> None:
    """Two to seven players, empty and high stacks, few and many tiles on the grill."""
    seen = Counter()

    @settings(drawn, max_examples=300)
    @given(tables())
    def draw(table: Table) -> None:
        seen[f"{len(table.stacks)} players"] += 1
        seen["own stack empty"] += table.stacks[table.player] == ()
        seen["own stack high"] += len(table.stacks[table.player]) > 3
        seen["last seat"] += table.player == len(table.stacks) - 1
        seen["one tile left"] += len(table.grill) == 1
        seen["many tiles left"] += len(table.grill) > 7
        seen["tiles out of order"] += any(list(s) != sorted(s) for s in table.stacks)

    draw()
    assert min(seen.values()) >= 5
    assert len(seen) == 12


def test_barred_tiles_have_a_theft_behind_them() -> None:
    """Somebody who moved since the robbed player shows the tile; several can be barred at once."""
    seen = Counter()

    @settings(drawn, max_examples=300)
    @given(tables(rulings=rulings(steal_back=StealBack.BARRED)))
    def draw(table: Table) -> None:
        players = len(table.stacks)
        shown = {stack[-1]: seat for seat, stack in enumerate(table.stacks) if stack}
        turns_ago = {tile: (table.player - seat - 1) % players for tile, seat in shown.items()}
        for robbed, tiles in enumerate(table.barred):
            ago = (table.player - robbed - 1) % players
            assert all(turns_ago[tile] < ago for tile in tiles)
        barred = [tile for tiles in table.barred for tile in tiles]
        seen["to the player to move"] += table.barred[table.player] != ()
        seen["to others only"] += barred != [] and table.barred[table.player] == ()
        seen["two to one player"] += any(len(tiles) > 1 for tiles in table.barred)
        seen["one to two players"] += len(barred) > len(set(barred))
        seen["none"] += barred == []

    draw()
    assert min(seen.values()) >= 10


@settings(drawn, max_examples=100)
@given(turns())
def test_a_turn_is_legal_and_ends_with_its_last_move(turn) -> None:
    """Every move is accepted, and the dice pass on after the last of them, not before."""
    position, waiting = Position(turn.table), []
    for move in turn.moves:
        waiting.append(position.table == turn.table)
        position = play(position, move, turn.rulings)
    assert waiting == [True] * len(turn.moves)
    assert position == Position(turn.after, Turn())
    assert turn.after.player == (turn.table.player + 1) % len(turn.table.stacks)
    assert everywhere(turn.table) == list(range(21, 37))


@settings(drawn, max_examples=100)
@given(turns())
def test_the_script_of_a_turn_leads_an_engine_to_the_same_table(turn) -> None:
    """Rolls and decisions of the adapter protocol say what the moves say."""
    engine = ReferenceEngine(Edition("drawn", "drawn", turn.rulings))
    result = engine.turn(**msgspec.to_builtins(request(turn.script, turn.rulings)))
    after = msgspec.to_builtins(table_message(turn.after, turn.rulings))
    assert {name: result["table"][name] for name in after} == after
    assert result["rolls_used"] == sum(isinstance(move, Roll) for move in turn.moves)


@settings(drawn, max_examples=100)
@given(turns())
def test_the_script_of_a_turn_is_one_of_the_reference(turn) -> None:
    """`play_turn` makes of it what the moves make of it, with nothing left over."""
    record = play_turn(turn.script, turn.rulings)
    assert (record.position.table, record.left_over) == (turn.after, False)


def highest(table: Table) -> int:
    """Return the highest face-up tile of the grill."""
    return max(table.grill)


def total(turn) -> int:
    """Return the total of the dice set aside."""
    return sum(POINTS[face] for face in turn.set_aside)


def own_top(turn) -> int:
    """Return the top tile of the player to move, 0 for none."""
    return next(reversed(turn.table.stacks[turn.table.player]), 0)


def others_tops(turn) -> set[int]:
    """Return the top tiles of all others."""
    stacks = list(turn.table.stacks)
    del stacks[turn.table.player]
    return {stack[-1] for stack in stacks if stack}


def failed(turn) -> bool:
    """Return whether the own stack did not grow."""
    me = turn.table.player
    return len(turn.after.stacks[me]) <= len(turn.table.stacks[me])


def barred(turn) -> tuple[int, ...]:
    """Return what the player to move may not steal back."""
    return turn.table.barred[turn.table.player]


PROMISED = {
    Situation.TAKE: lambda t: isinstance(t.moves[-1], Take),
    Situation.EXACT_OR_LOWER: lambda t: (
        not failed(t) and total(t) in t.table.grill and total(t) > min(t.table.grill)
    ),
    Situation.STEAL: lambda t: isinstance(t.moves[-1], Steal) and total(t) in others_tops(t),
    Situation.STEAL_OR_LOWER: lambda t: (
        not failed(t)
        and total(t) in others_tops(t) - {*barred(t)}
        and min(t.table.grill) < total(t)
    ),
    Situation.BARRED_STEAL: lambda t: total(t) in barred(t) and "W" in t.set_aside,
    Situation.ABOVE_36: lambda t: total(t) in (37, 38, 39, 40) and not failed(t),
    Situation.LAST_TILE: lambda t: t.after.grill == (),
    Situation.EIGHT_DICE: lambda t: len(t.set_aside) == 8,
    Situation.SIX_FACES: lambda t: {*t.set_aside} == {*POINTS} and len(t.set_aside) < 8,
    Situation.DEAD_ROLL: lambda t: (
        isinstance(t.moves[-1], Roll) and {*t.moves[-1].dice} <= {*t.set_aside}
    ),
    Situation.FORCED_FAILURE: lambda t: failed(t) and isinstance(t.moves[-1], SetAside),
    Situation.FREE_STOP: lambda t: failed(t) and t.moves[-1] == Stop(),
    Situation.NO_WORM: lambda t: (
        failed(t) and "W" not in t.set_aside and total(t) >= min(t.table.grill)
    ),
    Situation.RETURNED_HIGHEST: lambda t: failed(t) and own_top(t) > highest(t.table),
    Situation.RETURNED_LOWER: lambda t: failed(t) and 0 < own_top(t) < highest(t.table),
    Situation.EMPTY_HANDED: lambda t: failed(t) and own_top(t) == 0,
}


@pytest.mark.parametrize("situation", list(Situation), ids=lambda one: one.name)
def test_a_turn_comes_to_the_situation_asked_for(situation: Situation) -> None:
    """Every turn drawn for a situation shows it, at tables of two players and of more."""
    players = set()

    @settings(drawn, max_examples=50)
    @given(turns(situation=situation))
    def draw(turn) -> None:
        players.add(len(turn.table.stacks))
        assert PROMISED[situation](turn)

    draw()
    assert len(players) >= 5


def test_without_a_wish_every_situation_is_drawn() -> None:
    """None of the rare situations is left to luck."""
    seen = Counter()

    @settings(drawn, max_examples=500)
    @given(turns())
    def draw(turn) -> None:
        seen.update(situation for situation, promised in PROMISED.items() if promised(turn))

    draw()
    assert set(seen) == set(Situation)
    assert min(seen.values()) >= 5


@pytest.mark.parametrize(
    ("situation", "of"),
    [
        (Situation.FREE_STOP, Rulings(stop_without_claim=StopWithoutClaim.BARRED)),
        (Situation.BARRED_STEAL, Rulings(steal_back=StealBack.ALLOWED)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_situation_that_the_rulings_rule_out_is_an_invalid_argument(situation, of) -> None:
    """The error names the situation, and `situations` leaves it out."""

    @drawn
    @given(turns(rulings=of, situation=situation))
    def draw(turn) -> None:
        raise AssertionError(turn)

    with pytest.raises(InvalidArgument, match=situation.name):
        draw()
    assert set(situations(of)) >= set(Situation) - {Situation.FREE_STOP, Situation.BARRED_STEAL}
    assert situation not in situations(of)


def test_positions_before_and_within_turns_are_drawn() -> None:
    """A turn not begun, a roll that lies there, and dice set aside with none rolled."""
    seen = Counter()

    @drawn
    @given(positions(players=3))
    def draw(drawn_position) -> None:
        position, _ = drawn_position
        assert len(position.table.stacks) == 3
        seen[bool(position.turn.set_aside), bool(position.turn.rolled)] += 1

    draw()
    assert set(seen) == {(False, False), (False, True), (True, False), (True, True)}


def test_a_game_is_legal_and_of_bounded_length() -> None:
    """Each position follows from the one before; it begins at the start, and some games end."""
    seen = Counter()

    @drawn
    @given(games(turns=5))
    def draw(game) -> None:
        now = Position(start(len(game.positions[0].table.stacks)))
        reached = [now]
        for move in game.moves:
            now = play(now, move, game.rulings)
            reached.append(now)
        seats = [table.player for table, _ in reached]
        turns_played = sum(seat != following for seat, following in pairwise(seats))
        assert game.positions == tuple(reached)
        assert turns_played <= 5
        seen["steal"] += any(isinstance(move, Steal) for move in game.moves)
        seen["failure"] += any(table.face_down for table, _ in reached)
        seen["all turns"] += turns_played == 5

    draw()
    assert min(seen["steal"], seen["failure"], seen["all turns"]) >= 5


def test_a_game_may_begin_at_any_table_and_ends_with_the_grill() -> None:
    """From tables with one tile left many games end, and none goes on after that."""
    seen = Counter()
    last = Table((30,), (*range(21, 30), *range(31, 36)), ((36,), ()), 1, ((), ()))

    @drawn
    @given(games(table=last))
    def draw(game) -> None:
        assert game.positions[0] == Position(last)
        assert all(table.grill for table, _ in game.positions[:-1])
        seen[game.positions[-1].table.grill == ()] += 1

    draw()
    assert min(seen[True], seen[False]) >= 10


def smallest(strategy: st.SearchStrategy, wanted):
    """Return the value to which Hypothesis shrinks a failure."""
    failures = []

    @settings(
        drawn, max_examples=300, report_multiple_bugs=False, suppress_health_check=HealthCheck
    )
    @given(strategy)
    def fails(value) -> None:
        if wanted(value):
            failures.append(value)
            raise AssertionError

    with pytest.raises(AssertionError):
        fails()
    return failures[-1]


def test_what_fails_shrinks_to_a_small_turn() -> None:
    """Two players, the rulebook's rulings, the fewest tiles out of place, the fewest dice."""
    turn = smallest(
        turns(situation=Situation.TAKE),
        lambda turn: len(turn.table.stacks[turn.table.player]) > 1,
    )
    grill, face_down = (21,), tuple(range(22, 35))
    assert turn.table == Table(grill, face_down, ((35, 36), ()), 0, ((), ()))
    assert (turn.rulings, turn.set_aside) == (Rulings(), "1555W")


def test_the_examples_in_the_docstrings_hold() -> None:
    """What the module shows its users is so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NonInteractiveExampleWarning)
        result = doctest.testmod(strategies)
    assert (result.failed, result.attempted >= 12) == (0, True)
