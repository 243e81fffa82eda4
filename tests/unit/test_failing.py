"""What a failed turn costs under each value of the two rulings, worked out by hand."""

from dataclasses import replace

import pytest

from pickomino_reference import FlipAfterReturn, FlipWithoutReturn, Rule, Rulings, Table, reasons
from pickomino_reference.failing import failed_turn


def table(grill, face_down, own, player) -> Table:
    """Return a table of two players, the second of whom owns the 21."""
    return Table(tuple(grill), tuple(face_down), (own, (21,)), player, ((), ()))


# The top tile 24 comes back below the 31.
LOWER = table((23, 31), (), (22, 24), 0)
# The top tile 30 comes back above all others.
HIGHEST = table((23, 25), (33,), (22, 30), 0)
# The top tile 30 comes back to a single, higher tile.
LAST = table((36,), (33,), (22, 30), 0)


@pytest.mark.parametrize(
    ("value", "grill", "face_down"),
    [
        (FlipAfterReturn.UNLESS_HIGHEST, (23, 24), (31,)),
        (FlipAfterReturn.ALWAYS, (23, 24), (31,)),
        (FlipAfterReturn.BEFORE_RETURN, (23, 24), (31,)),
        (FlipAfterReturn.BOTH, (23,), (24, 31)),
        (FlipAfterReturn.NEVER, (23, 24, 31), ()),
    ],
)
def test_a_returned_tile_that_is_not_the_highest(value, grill, face_down) -> None:
    """The 24 comes back; the 31 is turned, or with it the 24, or nothing."""
    of = replace(Rulings(), flip_after_return=value)
    assert failed_turn(LOWER, of) == table(grill, face_down, (22,), 1)


@pytest.mark.parametrize(
    ("value", "grill", "face_down"),
    [
        (FlipAfterReturn.UNLESS_HIGHEST, (23, 25, 30), (33,)),
        (FlipAfterReturn.ALWAYS, (23, 25), (30, 33)),
        (FlipAfterReturn.BEFORE_RETURN, (23, 30), (25, 33)),
        (FlipAfterReturn.BOTH, (23, 25), (30, 33)),
        (FlipAfterReturn.NEVER, (23, 25, 30), (33,)),
    ],
)
def test_a_returned_tile_that_is_the_highest(value, grill, face_down) -> None:
    """The 30 comes back and stays, or is turned, or comes after the 25 was turned."""
    of = replace(Rulings(), flip_after_return=value)
    assert failed_turn(HIGHEST, of) == table(grill, face_down, (22,), 1)


@pytest.mark.parametrize(
    ("value", "grill", "face_down"),
    [
        (FlipAfterReturn.UNLESS_HIGHEST, (30,), (33, 36)),
        (FlipAfterReturn.ALWAYS, (30,), (33, 36)),
        (FlipAfterReturn.BEFORE_RETURN, (30,), (33, 36)),
        (FlipAfterReturn.BOTH, (), (30, 33, 36)),
        (FlipAfterReturn.NEVER, (30, 36), (33,)),
    ],
)
def test_a_tile_returned_to_the_last_one_of_the_grill(value, grill, face_down) -> None:
    """Only `both` turns two tiles, and so can end the game."""
    of = replace(Rulings(), flip_after_return=value)
    assert failed_turn(LAST, of) == table(grill, face_down, (22,), 1)


@pytest.mark.parametrize("after_return", FlipAfterReturn)
@pytest.mark.parametrize(
    ("value", "grill", "face_down"),
    [(FlipWithoutReturn.NO, (23, 31), ()), (FlipWithoutReturn.YES, (23,), (31,))],
)
def test_nothing_to_return(after_return, value, grill, face_down) -> None:
    """Whether the 31 is turned hangs on `flip-without-return` alone."""
    of = Rulings(flip_after_return=after_return, flip_without_return=value)
    before = table((23, 31), (), (), 0)
    assert failed_turn(before, of) == table(grill, face_down, (), 1)
    assert reasons.decides_failure(before, of) == Rule.FAILING_NOTHING_RETURNED
