"""Tests of one's own, beside the suite."""

from hypothesis import given
from my_engine import MyEngine

from pickomino_conformance.strategies import Situation, turns
from pickomino_reference import find_edition

RULINGS = find_edition("sheet-000").rulings


def test_my_engine_is_connected(pickomino_engine):
    """The fixture is the engine of the settings, in a process of its own."""
    assert pickomino_engine.hello.name == "my engine"


def test_it_is_held_to_the_sheet(pickomino_edition):
    """The fixture is the edition of the settings, with a value for every ruling."""
    assert pickomino_edition.rulings == RULINGS


@given(turns(rulings=RULINGS, situation=Situation.EMPTY_HANDED))
def test_the_highest_tile_is_turned_for_nothing(turn):
    """A strategy draws whole turns, here such as fail with no tile to return."""
    came = MyEngine().turn(**turn.request)
    assert set(came["table"]["grill"]) == set(turn.table.grill) - {max(turn.table.grill)}
