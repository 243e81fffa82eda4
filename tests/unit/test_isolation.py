"""The features tell which rule is broken: a wrong ruling fails only what hangs on it."""

from typing import NamedTuple

import pytest

from levels_in_process import failures, outcomes_of
from pickomino_conformance.cases import Verdict, features
from pickomino_conformance.cases.gherkin import feature_cases
from pickomino_conformance.compare import INVARIANT
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_reference import DEFAULT_EDITION, Edition, find_edition, ruling_values
from pickomino_reference.data import read_spec

# Every value that the default edition does not have, and the rule that tells it from the one
# that it has, whichever of the two is asked.
TELLING = {
    "flip-after-return": {
        "always": "failing.returned-highest",
        "before-return": "failing.returned-highest",
        "never": "failing.flip-highest",
        "both": "failing.flip-highest",
    },
    "flip-without-return": {"yes": "failing.nothing-returned"},
    "lower-tile": {"any": "claiming.lower", "any-if-exact-gone": "claiming.lower"},
    "exact-on-opponent": {"steal": "stealing.optional"},
    "stop-without-claim": {"barred": "rolling.stop-freely"},
    "steal-back": {"barred": "stealing.steal-back"},
    "tie-break": {"shared": "ending.tie-break"},
    "six-faces": {"roll-on": "rolling.forced-end"},
}
DEFAULT = ruling_values(find_edition(DEFAULT_EDITION).rulings)


class Pair(NamedTuple):
    """An engine that is right but for one ruling: the value asked, and the one it plays."""

    ruling: str
    asked: str
    played: str


# It turns two tiles, so that no single rule tells it: see below.
TWO_TILES = "both"
PAIRS = {
    Pair(ruling, *values): rule
    for ruling, others in TELLING.items()
    for other, rule in others.items()
    if other != TWO_TILES
    for values in ((DEFAULT[ruling], other), (other, DEFAULT[ruling]))
}


def departures(asked: dict[str, str], played: Edition) -> set[tuple[str, ...]]:
    """Return the rules of each scenario that an engine fails that plays this edition."""
    rulings = find_edition(DEFAULT_EDITION, asked).rulings
    kept = (Verdict.PASS, Verdict.NOT_APPLICABLE)
    outcomes = outcomes_of(features, ReferenceEngine(played), rulings)
    return {outcome.rules for outcome in outcomes if outcome.verdict not in kept}


@pytest.mark.parametrize(
    ("pair", "rule"),
    PAIRS.items(),
    ids=[f"{ruling}: {asked} asked, {played} played" for ruling, asked, played in PAIRS],
)
def test_one_wrong_ruling_fails_its_own_rule(pair, rule):
    """An engine that is right but for one ruling fails only scenarios of the rule that tells it."""
    played = find_edition(DEFAULT_EDITION, {pair.ruling: pair.played})
    assert departures({pair.ruling: pair.asked}, played) == {(rule,)}


@pytest.mark.parametrize("asked", ["unless-highest", "always", "before-return", "never"])
def test_one_tile_turned_where_two_must_be_fails_in_the_rules_of_the_flip(asked):
    """The other way round no tile too many is turned, and only scenarios of `both` see it."""
    wanted = {"flip-after-return": TWO_TILES}
    rules = {("failing.flip-highest",), ("failing.return-top",)}
    if asked != "always":
        rules.add(("failing.returned-highest",))
    assert departures(wanted, find_edition(DEFAULT_EDITION, {"flip-after-return": asked})) == rules


@pytest.mark.parametrize("asked", ["unless-highest", "always", "before-return", "never"])
def test_two_tiles_turned_where_one_must_be_break_an_invariant(asked):
    """Whatever else a scenario looks at: no other value ever turns two tiles in a turn."""
    played = find_edition(DEFAULT_EDITION, {"flip-after-return": TWO_TILES})
    rulings = find_edition(DEFAULT_EDITION, {"flip-after-return": asked}).rulings
    found = failures(outcomes_of(features, ReferenceEngine(played), rulings))
    broken = [one for one in found if one.differences[0].part == INVARIANT]
    assert {one.differences[0].expected for one in broken} == {"one-tile-a-turn"}
    others = {one.rules for one in found if one not in broken}
    assert others == (set() if asked == "always" else {("failing.returned-highest",)})


def test_every_other_value_is_played():
    """No value of any ruling is left out."""
    assert {ruling: {DEFAULT[ruling], *others} for ruling, others in TELLING.items()} == {
        ruling: set(spec["alternatives"]) for ruling, spec in read_spec("rulings").items()
    }


def test_each_rule_of_a_ruling_tells():
    """The rules that fail for a ruling are those that the specification hangs on it."""
    assert {ruling: set(others.values()) for ruling, others in TELLING.items()} == {
        ruling: set(spec["rules"]) for ruling, spec in read_spec("rulings").items()
    }


def test_an_edition_fails_where_it_departs():
    """A retelling that departs from the rulebook in three rulings fails three rules."""
    assert departures({}, find_edition("sheet-001")) == {
        ("failing.nothing-returned",),
        ("failing.returned-highest",),
        ("rolling.stop-freely",),
    }


def test_no_scenario_hangs_on_two_rulings():
    """A scenario needs the values of one ruling at most, and of one that its rule hangs on."""
    hanging = {rule: ruling for ruling, others in TELLING.items() for rule in others.values()}
    # Where the returned tile goes back is seen only if it is not turned at once.
    hanging["failing.return-top"] = "flip-after-return"
    assert [
        case.id
        for case in feature_cases()
        if case.needs and {hanging.get(rule) for rule in case.rules} != set(case.needs)
    ] == []
