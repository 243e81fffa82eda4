"""Every fault of the catalogue is found, blamed on its rules, and diagnosed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

import pytest

import pickomino_conformance.suite
from faults_in_features import AS_IT_IS, FAULTS, RULING_FAULTS
from pickomino_conformance.cases import Verdict
from pickomino_conformance.check import Checked, Plan, run
from pickomino_conformance.engines.found import of_command
from pickomino_conformance.faults import CATALOGUE, faults_against, find_fault
from pickomino_conformance.faults.rulings import NAMES
from pickomino_conformance.levels.features import LEAN
from pickomino_reference import Rule, UnknownName, find_edition
from pickomino_reference.editions import ALTERNATIVES

SUITE = Path(pickomino_conformance.suite.__path__[0])
PLANTED = [name for name in FAULTS if name != AS_IT_IS]
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


@pytest.fixture(scope="module")
def caught(tmp_path_factory) -> dict[str, list[str]]:
    """The scenarios that did not pass, by the fault that was planted in this very process."""
    file = tmp_path_factory.mktemp("faults") / "caught.json"
    command = [sys.executable, "-m", "pytest", *LEAN, "-c", str(SUITE / "pytest.ini")]
    command += ["-p", "pytest_bdd.plugin", "-p", "pickomino_conformance.plugin"]
    command += ["-p", "faults_in_features", "--caught", str(file)]
    command += ["--pickomino-edition", "all", str(SUITE)]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment["PYTHONPATH"] = str(Path(__file__).parent)
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    return json.loads(file.read_text(encoding="utf-8"))


def test_a_fault_is_named_once_in_plain_words() -> None:
    """No two faults share a name, and a name is a sentence without a stop."""
    names = [fault.name for fault in CATALOGUE] + list(NAMES.values())
    assert sorted(set(names)) == sorted(names)
    assert [name for name in names if name.endswith(".") or name != name.lower().strip()] == []


def test_every_value_of_a_ruling_is_named() -> None:
    """Each value is a fault where another one is asked for."""
    values = {(ruling, str(value)) for ruling in ALTERNATIVES for value in ALTERNATIVES[ruling]}
    assert values == set(NAMES)
    assert len(values) == len(RULING_FAULTS)


def test_a_value_that_is_asked_for_is_no_fault() -> None:
    """Under sheet-001 it is a fault to turn nothing, under the rulebook to turn a tile."""
    no, yes = NAMES["flip-without-return", "no"], NAMES["flip-without-return", "yes"]
    found = {
        edition: {no, yes} & {fault.name for fault in faults_against(find_edition(edition).rulings)}
        for edition in ("zoch-2005", "sheet-001")
    }
    assert found == {"zoch-2005": {yes}, "sheet-001": {no}}


def test_an_unknown_fault_is_refused_with_the_nearest() -> None:
    """A name that is almost right is told."""
    with pytest.raises(UnknownName, match="Did you mean 'the bottom tile is returned'"):
        find_fault("the bottom tile is returnd")


@pytest.mark.parametrize("rule", list(Rule))
def test_every_rule_is_broken_by_a_fault(rule: Rule) -> None:
    """No rule is left that no fault of the catalogue breaks."""
    assert [name for name, fault in FAULTS.items() if rule in fault.rules] != []


def test_nothing_fails_without_a_fault(caught) -> None:
    """On the reference as it is every scenario passes."""
    assert caught[AS_IT_IS] == []


@pytest.mark.parametrize("name", PLANTED)
def test_a_fault_fails_a_scenario_of_its_rules(name: str, caught) -> None:
    """A scenario with the tag of one of its rules does not pass while the fault is planted."""
    assert caught[name] != []


@pytest.mark.parametrize("rule", list(Rule))
def test_a_rule_has_a_scenario_that_an_engine_without_it_fails(rule: Rule, caught) -> None:
    """Some fault of the rule is caught by the rule's own scenarios."""
    assert any(caught[name] for name, fault in FAULTS.items() if rule in fault.rules)


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
