"""Every fault of the catalogue has its words, and is caught by a scenario of its rules."""

import pytest

from faults_in_features import AS_IT_IS, FAULTS, RULING_FAULTS, caught_by
from pickomino_conformance.cases import Verdict
from pickomino_conformance.faults import CATALOGUE, FaultyEngine, faults_against, find_fault
from pickomino_reference import Rule, UnknownName, find_edition
from pickomino_reference.data import read_spec
from pickomino_reference.editions import ALTERNATIVES

PLANTED = [name for name in FAULTS if name != AS_IT_IS]
NAMES = {
    (ruling, value): name
    for ruling, told in read_spec("rulings").items()
    for value, name in told["faults"].items()
}


@pytest.fixture(scope="module")
def caught() -> dict[str, list[str]]:
    """The scenarios that did not pass, by the fault of the engine."""
    return caught_by(FaultyEngine, (Verdict.FAIL, Verdict.ERROR, Verdict.UNSETTLED))


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
