"""Level `turns` under every value of the flip, and under mixed rulings, for the reference."""

import pytest

from levels_in_process import under_test, verdicts
from pickomino_conformance.cases import Verdict, turns
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_reference import Edition, FlipAfterReturn, Rulings, find_edition, start

RULINGS = {str(value): Rulings(flip_after_return=value) for value in FlipAfterReturn} | {
    name: find_edition(name, {"flip-after-return": "both"}).rulings
    for name in ("ultraboardgames+lower-if-gone", "sheet-001+no-steal-back+roll-on")
}


@pytest.mark.parametrize("rulings", RULINGS.values(), ids=RULINGS)
def test_the_reference_passes_the_turns(rulings: Rulings) -> None:
    """One in fifty; on a full grill nobody owns a tile, so that none is returned there."""
    kept = turns.Turns(start(2), rulings).cases()[::50]

    class Some(turns.Turns):
        def cases(self) -> list[turns.TurnCase]:
            return kept

    engine = under_test(ReferenceEngine(Edition("", "", rulings)), rulings)
    outcomes = list(turns.AskingTurns(engine, Some(start(2), rulings)).run())
    assert verdicts(outcomes) == {Verdict.PASS: len(kept)}
