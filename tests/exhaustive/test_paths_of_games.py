"""Whatever table a game comes to, a path leads there: many games under all kinds of rulings."""

from hypothesis import given, settings
from msgspec import to_builtins

from pickomino_conformance.path import find_path
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import decision_message, table_message
from pickomino_conformance.strategies import games
from pickomino_reference import Edition


@settings(max_examples=150, deadline=None, derandomize=True)
@given(games(turns=14))
def test_a_table_of_a_game_is_reached(game) -> None:
    """No table that comes up in a game is called out of reach, whatever the rulings."""
    table = game.positions[-1].table
    before = [leg.after for leg in find_path(table, game.rulings)]
    assert (before or [table])[-1] == table


@settings(max_examples=50, deadline=None)
@given(games(turns=10))
def test_every_turn_of_a_way_is_played_as_foretold(game) -> None:
    """An engine that begins a game and is sent the turns comes to the table, step by step."""
    table, rulings = game.positions[-1].table, game.rulings
    engine = ReferenceEngine(Edition("", "", rulings))
    engine.start(len(table.stacks))
    for leg in find_path(table, rulings):
        rolls = list(leg.script.rolls)
        decisions = [to_builtins(decision_message(one)) for one in leg.script.decisions]
        after = to_builtins(table_message(leg.after, rulings))
        assert engine.turn(None, rolls, decisions)["table"] == after
