"""The registry of levels: where a case stands is told by the first word of its id."""

import pytest

from pickomino_conformance.cases import refusals, smoke, tables, turns
from pickomino_conformance.cases.gherkin import feature_cases
from pickomino_conformance.cases.registry import LEVELS, level_of
from pickomino_reference import Rulings, start
from pickomino_reference.data import spec_dir

RULEBOOK = Rulings()
IDS = {
    "smoke": lambda: [f"smoke/{probe.name}" for probe in smoke.PROBES],
    "features": lambda: [case.id for case in feature_cases()],
    "turns": lambda: [case.id for case in turns.Turns(start(2), RULEBOOK).cases()[::97]],
    "tables": lambda: [case.id for case in tables.sample(RULEBOOK)],
    "refusals": lambda: [*refusals.starts(), *(one.id for one in refusals.cases(RULEBOOK))],
    "games": lambda: ["games/1-0", "games/7-99"],
}


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_the_ids_of_a_level_begin_with_one_of_its_prefixes(level) -> None:
    """So every case leads back to the level that asks it, and to no other."""
    ids = IDS[level.name]()
    assert ids != []
    assert {level_of(case) for case in ids} == {level}
    assert {case.partition("/")[0] for case in ids} == set(level.prefixes)


def test_no_two_levels_share_a_prefix() -> None:
    """Else a case could stand in two."""
    prefixes = [prefix for level in LEVELS for prefix in level.prefixes]
    assert sorted(set(prefixes)) == sorted(prefixes)


@pytest.mark.parametrize("word", ["", "turns", "claiming", "nowhere/at-all", "/turns"])
def test_what_is_no_id_of_a_case_stands_nowhere(word: str) -> None:
    """A level's name alone is no case, and neither is a chapter's."""
    assert level_of(word) is None


def test_every_listed_case_stands_in_a_level_made_by_hand() -> None:
    """`spec/cases.txt` lists what people may point at."""
    listed = (spec_dir() / "cases.txt").read_text(encoding="utf-8").split("\n")
    ids = [line for line in listed if line and not line.startswith("#")]
    assert [case for case in ids if level_of(case) is None or not level_of(case).by_hand] == []


def test_the_levels_are_run_in_this_order() -> None:
    """The probes first, since they may poison the rest."""
    names = ["smoke", "features", "turns", "tables", "refusals", "games"]
    assert [level.name for level in LEVELS] == names
    assert [level.name for level in LEVELS if level.drawn] == ["games"]
