"""The sample of tables is drawn under every combination of the rulings that shape it."""

from itertools import combinations, product

import pytest

from pickomino_conformance.cases import tables
from pickomino_conformance.cases.dice import Lots
from pickomino_conformance.cases.tables.drawing import Draw
from pickomino_conformance.cases.tables.questions import conditions_of, impossible, questions
from pickomino_reference import (
    ExactOnOpponent,
    LowerTile,
    Rulings,
    SixFaces,
    StealBack,
    StopWithoutClaim,
    find_edition,
)


def test_a_sample_is_found_under_every_combination_of_rulings() -> None:
    """All those that decide what can be claimed, and when a turn may end."""
    combinations_of_rulings = product(
        LowerTile, ExactOnOpponent, StopWithoutClaim, StealBack, SixFaces
    )
    for lower, exact, stop, back, six in combinations_of_rulings:
        rulings = Rulings(
            lower_tile=lower,
            exact_on_opponent=exact,
            stop_without_claim=stop,
            steal_back=back,
            six_faces=six,
        )
        drawn = tables.sample(rulings, tables.TIMES_WHEN_PLAYED_TO)
        assert 100 < len(drawn) < 300, rulings


@pytest.mark.parametrize(
    "edition",
    [
        "zoch-2005",
        "999-games",
        "sheet-004",
        "ultraboardgames",
        "zoch-2005+no-steal-back",
        "zoch-2005+lower-if-gone+roll-on",
        "sheet-004+no-steal-back+soft-landing",
        "sheet-001+no-steal-back+roll-on",
    ],
)
def test_what_is_said_never_to_go_together_never_does(edition: str) -> None:
    """Neither in the sample nor in a thousand turns more, drawn without a wish."""
    rulings = find_edition(edition).rulings
    asked, lots = questions(rulings), Lots(f"never {edition}")
    turns = [case.drawn for case in tables.sample(rulings)]
    turns += filter(None, (Draw(lots, rulings, {}).drawn() for _ in range(1000)))
    found = {
        frozenset(pair) for drawn in turns for pair in combinations(conditions_of(drawn, asked), 2)
    }
    assert found.intersection(impossible(rulings)) == set()
