"""Faults over the pipe: blamed on their rules, and named by the diagnosis."""

import sys
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor

import pytest

from pickomino_conformance.cases import Verdict
from pickomino_conformance.check import Checked, Plan, run
from pickomino_conformance.protocol.finding import of_command
from pickomino_reference import find_edition

# What no source settles can't be a departure.
UNSETTLED = "if nobody owns a tile, the first player wins"

# By hand: a scenario that isolates its rule fails for that rule alone.
ISOLATED = {
    "any number of players may play": {"setup.players"},
    "one may stop or roll on before a face is chosen": {"rolling.choose-a-face"},
    "a player may not stop with nothing to claim": {"rolling.stop-freely"},
    "the turn goes on after six faces": {"rolling.forced-end"},
    "no worm is needed to steal": {"stealing.worm-needed", "failing.no-worm"},
    "covered tiles can be stolen": {"stealing.top-only"},
    "stealing is forced": {"stealing.optional"},
    "the lowest tile is turned": {"failing.flip-highest"},
    "the returned tile is turned if it is the highest": {"failing.returned-highest"},
    "the highest tile is turned although nothing was returned": {"failing.nothing-returned"},
    "a tie goes to the one with more tiles": {"ending.tie-break"},
}
# These break so much of the game that scenarios of other rules can't but fail, too.
SPREADING = {
    "a face may be chosen twice": {"rolling.new-face", "failing.dead-roll"},
    "only one die of the chosen face is set aside": {"rolling.whole-face"},
    "the tile taken stays on the grill": {"claiming.stop-claims"},
    "the turn does not pass": {"failing.passes", "setup.order"},
}
TOGETHER = [
    (
        "a worm counts nothing",
        "no tile is returned, yet the highest is turned",
        "the tiles from 33 up are worth three worms",
    ),
    (
        "a dead roll pays out what was set aside before",
        "nothing can be stolen with a total below every tile of the grill",
        "the highest tile is turned although nothing was returned",
    ),
]


def checked(*faults: str) -> Checked:
    """Return what the features find on an engine with these faults, over the pipe."""
    command = [sys.executable, "-m", "pickomino_conformance.faults", *faults]
    return run(Plan(of_command(command), find_edition(), levels=("smoke", "features")))


@pytest.fixture(scope="module")
def checks(request) -> Iterator[dict[tuple[str, ...], Future[Checked]]]:
    """The checks of all engines that were selected; two at a time."""
    wanted = [
        item.callspec.params["faults"]
        for item in request.session.items
        if item.path == request.path and hasattr(item, "callspec")
        if "faults" in item.callspec.params
    ]
    with ProcessPoolExecutor(max_workers=2) as pool:
        yield {faults: pool.submit(checked, *faults) for faults in dict.fromkeys(wanted)}


@pytest.mark.parametrize("faults", [(name,) for name in ISOLATED])
def test_an_isolated_fault_is_blamed_on_its_rule_and_no_other(faults, checks) -> None:
    """A fault in one rule fails the scenarios of this rule, and no others."""
    assert set(checks[faults].result().tally.with_verdict(Verdict.FAIL)) == ISOLATED[faults[0]]


@pytest.mark.parametrize("faults", [(name,) for name in SPREADING])
def test_a_spreading_fault_is_blamed_on_its_rule_too(faults, checks) -> None:
    """A fault that reaches further is blamed on its own rules, whatever else fails."""
    assert set(checks[faults].result().tally.with_verdict(Verdict.FAIL)) >= SPREADING[faults[0]]


@pytest.mark.parametrize("faults", [*[(name,) for name in (*ISOLATED, *SPREADING)], *TOGETHER])
def test_the_diagnosis_names_the_faults_and_nothing_else(faults, checks) -> None:
    """One fault or three at once: all departures are explained by them."""
    diagnosis = checks[faults].result().diagnosis
    assert set(faults) == {one.name for one in diagnosis.faults}
    assert diagnosis.departures == diagnosis.explained > 0


def test_what_nobody_settles_is_not_a_departure() -> None:
    """An engine that lets the first player win with nothing is not held to have failed."""
    found = checked(UNSETTLED)
    assert found.tally.with_verdict(Verdict.UNSETTLED) == ["ending.nobody"]
    assert (found.exit_status, found.diagnosis.faults) == (0, ())
