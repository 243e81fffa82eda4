"""The reference with one rule broken is found, and the right rule is blamed for it."""

import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from broken_reference import FAULTS
from pickomino_conformance.cases import Verdict
from pickomino_conformance.check import Plan, run
from pickomino_conformance.engines.found import of_command
from pickomino_reference import find_edition

PROGRAM = Path(__file__).with_name("broken_reference.py")

# By hand: a scenario that isolates its rule fails for that rule alone.
ISOLATED = {
    "eight players may play": {"setup.players"},
    "one may roll on before choosing": {"rolling.choose-a-face"},
    "a stop needs something to claim": {"rolling.stop-freely"},
    "the sixth face does not end the turn": {"rolling.forced-end"},
    "no worm is needed to steal": {"stealing.worm-needed", "failing.no-worm"},
    "covered tiles can be stolen": {"stealing.top-only"},
    "stealing is forced": {"stealing.optional"},
    "the lowest tile is turned": {"failing.flip-highest"},
    "the returned tile is turned though it is the highest": {"failing.returned-highest"},
    "the highest tile is turned though none came back": {"failing.nothing-returned"},
    "a tie goes to the one with most tiles": {"ending.tie-break"},
}
# These break so much of the game that scenarios of other rules can't but fail, too.
SPREADING = {
    "33 and up are worth three worms": {"setup.worms"},
    "a face may be chosen twice": {"rolling.new-face", "failing.dead-roll"},
    "no worm is needed to take a tile": {"claiming.worm-needed", "failing.no-worm"},
    "a worm counts six": {"claiming.total"},
    "no lower tile may be taken": {"claiming.lower", "claiming.above-highest"},
    "a claimed tile goes to the bottom of the stack": {"claiming.one-tile"},
    "a higher total steals too": {"stealing.exact"},
    "the bottom tile is returned": {"failing.return-top"},
    "the turn does not pass": {"failing.passes", "setup.order"},
    "the game ends with one tile left": {"ending.grill-empty"},
}


def departs_in(fault: str) -> set[str]:
    """Return the rules for which the features fail."""
    found = of_command([sys.executable, str(PROGRAM), fault])
    plan = Plan(found, find_edition(), levels=("smoke", "features"))
    return set(run(plan).tally.with_verdict(Verdict.FAIL))


@pytest.fixture(scope="module")
def blamed(request) -> Iterator[dict[str, Future[set[str]]]]:
    """The rules blamed for each fault that was selected; two engines are checked at a time."""
    selected = [
        item.callspec.params["fault"]
        for item in request.session.items
        if item.path == request.path and hasattr(item, "callspec")
    ]
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield {fault: pool.submit(departs_in, fault) for fault in selected}


def test_every_fault_is_expected_somewhere() -> None:
    """No fault of the catalogue is left out of the two tables."""
    assert set(FAULTS) == {*ISOLATED, *SPREADING}


@pytest.mark.parametrize("fault", ISOLATED)
def test_an_isolated_fault_is_blamed_on_its_rule_and_no_other(fault: str, blamed) -> None:
    """A fault in one rule fails the scenarios of this rule, and no others."""
    assert blamed[fault].result() == ISOLATED[fault]


@pytest.mark.parametrize("fault", SPREADING)
def test_a_spreading_fault_is_blamed_on_its_rule_too(fault: str, blamed) -> None:
    """A fault that reaches further is blamed on its own rules, whatever else fails."""
    assert blamed[fault].result() >= SPREADING[fault]
