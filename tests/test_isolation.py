"""The features tell which rule is broken: a wrong ruling fails only what hangs on it."""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.levels import features
from pickomino_reference import DEFAULT_EDITION, find_edition, ruling_values
from pickomino_reference.data import read_spec

# Every value that the default edition does not have, and the rule that tells it from the one
# that it has, whichever of the two is asked.
TELLING = {
    "flip-after-return": {
        "always": "failing.returned-highest",
        "before-return": "failing.returned-highest",
        "never": "failing.flip-highest",
    },
    "flip-without-return": {"yes": "failing.nothing-returned"},
    "lower-tile": {"any": "claiming.lower", "any-if-exact-gone": "claiming.lower"},
    "exact-on-opponent": {"steal": "stealing.optional"},
    "stop-without-claim": {"barred": "rolling.stop-freely"},
    "steal-back": {"barred": "stealing.steal-back"},
    "tie-break": {"shared": "ending.tie-break"},
    "six-faces": {"roll-on": "rolling.forced-end"},
}
FEATURES = Path(__file__).parents[1] / "features"
DEFAULT = ruling_values(find_edition(DEFAULT_EDITION).rulings)


class Pair(NamedTuple):
    """An engine that is right but for one ruling: the value asked, and the one it plays."""

    ruling: str
    asked: str
    played: str


PAIRS = {
    Pair(ruling, *values): rule
    for ruling, others in TELLING.items()
    for other, rule in others.items()
    for values in ((DEFAULT[ruling], other), (other, DEFAULT[ruling]))
}


def departures(changes: dict[str, str], *engine: str) -> set[tuple[str, ...]]:
    """Return the rules of each scenario that an engine, served with these options, fails."""
    command = shlex.join([sys.executable, "-m", "pickomino_conformance.main", "serve", *engine])
    run = features.Run(f"-- {command}", find_edition(DEFAULT_EDITION, changes).rulings)
    kept = (Verdict.PASS, Verdict.NOT_APPLICABLE)
    outcomes = [one for one in features.run(run) if isinstance(one, Outcome)]
    return {outcome.rules for outcome in outcomes if outcome.verdict not in kept}


@pytest.fixture(scope="module")
def departed(request) -> Iterator[dict[Pair, Future[set[tuple[str, ...]]]]]:
    """What comes of each pair that was selected; several runs go on at a time."""
    selected = [
        item.callspec.params["pair"]
        for item in request.session.items
        if item.path == request.path and "departed" in item.fixturenames
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {
            pair: pool.submit(
                departures,
                {pair.ruling: pair.asked},
                *("--edition", DEFAULT_EDITION, "--ruling", f"{pair.ruling}={pair.played}"),
            )
            for pair in selected
        }
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize(
    ("pair", "rule"),
    PAIRS.items(),
    ids=[f"{ruling}: {asked} asked, {played} played" for ruling, asked, played in PAIRS],
)
def test_one_wrong_ruling_fails_its_own_rule(pair, rule, departed):
    """An engine that is right but for one ruling fails only scenarios of the rule that tells it."""
    assert departed[pair].result() == {(rule,)}


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
    assert departures({}, "--edition", "sheet-001") == {
        ("failing.nothing-returned",),
        ("failing.returned-highest",),
        ("rolling.stop-freely",),
    }


def test_no_scenario_hangs_on_two_rulings():
    """A scenario needs the values of one ruling at most, and of one that its rule hangs on."""
    hanging = {rule: ruling for ruling, others in TELLING.items() for rule in others.values()}
    tag_lines = [
        line
        for path in FEATURES.glob("*.feature")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("  @") and re.search(r"@(?!case=)[a-z-]+=", line)
    ]
    assert [
        line
        for line in tag_lines
        if {hanging.get(rule) for rule in re.findall(r"@([a-z-]+\.[a-z-]+)", line)}
        != set(re.findall(r"@(?!case=)([a-z-]+)=", line))
    ] == []
