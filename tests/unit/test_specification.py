"""Prose, data, features and code of the specification bear the same names."""

import inspect
import re
import tomllib
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest

from pickomino_conformance.specification import CHAPTERS, features_dir, rules
from pickomino_reference import Rule, edition_names, find_edition, house_rule_names, ruling_values
from pickomino_reference.data import read_spec, spec_dir
from pickomino_reference.editions import ALTERNATIVES

FOLLOWING = {
    "claiming.above-highest",
    "ending.steal-never-ends",
    "stealing.uncovers",
    "stealing.out-of-grill-reach",
    "failing.face-down-for-good",
    "setup.order",
}
COMPARED = (
    "rulebook",
    "999",
    "sheet-000",
    "sheet-001",
    "sheet-002",
    "sheet-004",
    "ultraboardgames",
    "tournament",
)


def test_the_prose_tells_every_rule_once_and_in_order() -> None:
    """The headings of the six chapters are the ids of the rules."""
    assert list(rules()) == [str(rule) for rule in Rule]


@pytest.mark.parametrize("rule", list(Rule))
def test_a_rule_is_told_with_a_statement_and_a_source(rule: Rule) -> None:
    """Every rule has sentences and says where it is found."""
    prose = rules()[rule]
    assert (bool(prose.statement), bool(prose.source)) == (True, True)


def test_rules_that_follow_from_others_are_marked() -> None:
    """The rules without a function of their own name those that they follow from."""
    assert {rule.id for rule in rules().values() if rule.follows} == FOLLOWING
    named = {other for rule in rules().values() for other in rule.follows}
    assert named <= set(rules())


@pytest.mark.parametrize("rule", list(Rule))
def test_a_rule_has_a_function_of_its_name_unless_it_follows(rule: Rule) -> None:
    """`failing.flip-highest` is `flip_highest` in `failing.py`, its docstring beginning so."""
    chapter, _, name = rule.partition(".")
    function = getattr(
        import_module(f"pickomino_reference.{chapter}"), name.replace("-", "_"), None
    )
    if rule in FOLLOWING:
        assert function is None
    else:
        assert inspect.getdoc(function).startswith(f"{rule}: ")


def test_a_contested_rule_names_its_ruling_and_the_ruling_names_it() -> None:
    """Rules and rulings refer to each other."""
    of_rules = {(rule.id, rule.ruling) for rule in rules().values() if rule.ruling}
    of_rulings = {
        (rule, name) for name, ruling in read_spec("rulings").items() for rule in ruling["rules"]
    }
    assert of_rules == of_rulings


def test_rulings_have_the_alternatives_that_the_reference_plays() -> None:
    """Every value of `rulings.toml` is a member of the ruling's enum, in the same order."""
    told = {name: list(ruling["alternatives"]) for name, ruling in read_spec("rulings").items()}
    assert told == {name: [str(one) for one in values] for name, values in ALTERNATIVES.items()}


def test_there_are_960_ways_to_play() -> None:
    """The alternatives of eight rulings combine to 960."""
    assert len(list(product(*ALTERNATIVES.values()))) == 960


def test_the_first_alternative_is_the_rulebooks() -> None:
    """The default edition plays the first alternative of every ruling."""
    first = {name: next(iter(r["alternatives"])) for name, r in read_spec("rulings").items()}
    assert ruling_values(find_edition("zoch-2005").rulings) == first


def test_every_edition_fixes_every_ruling_and_tells_where_it_is_found() -> None:
    """An edition has a value for each ruling, a title, a kind, a language, a source."""
    assert len(edition_names()) == 8
    for name in edition_names():
        edition = read_spec("editions")["editions"][name]
        assert list(edition["rulings"]) == list(ALTERNATIVES)
        assert edition["kind"] in ("box", "variant", "retelling")
        assert {"title", "language", "source", "found"} <= set(edition)


def test_house_rules_are_six() -> None:
    """The house rules are those that the sources, reviews and programs have."""
    assert house_rule_names() == [
        "soft-landing",
        "free-lower",
        "no-steal-back",
        "lower-if-gone",
        "shared-win",
        "roll-on",
    ]


def test_the_sources_speak_of_every_rule() -> None:
    """There is a cell for each rule and each source that was compared."""
    told = read_spec("sources")["rules"]
    assert {rule: sorted(cells) for rule, cells in told.items()} == {
        str(rule): sorted(COMPARED) for rule in Rule
    }


def test_a_source_that_differs_names_the_alternative_it_stands_for() -> None:
    """Cells are one of five words; a differing one has a value of a ruling of that rule."""
    for rule, cells in read_spec("sources")["rules"].items():
        for cell in cells.values():
            says = cell if isinstance(cell, str) else cell["says"]
            assert says in ("agrees", "differs", "silent", "unread", "unsettled")
            if says == "differs":
                ruling, _, value = cell["value"].partition("=")
                assert rule in read_spec("rulings")[ruling]["rules"]
                assert value in list(ALTERNATIVES[ruling])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_same_rooms_are_in_every_wing(chapter: str) -> None:
    """Each chapter has its prose, its features and its module."""
    assert (spec_dir() / "rules" / f"{chapter}.md").is_file()
    assert (features_dir() / f"{chapter}.feature").is_file()
    assert import_module(f"pickomino_reference.{chapter}").__doc__


def test_the_reference_imports_nothing_but_the_standard_library() -> None:
    """Arrows run one way: the reference knows neither the harness nor any package."""
    folder = Path(inspect.getfile(import_module("pickomino_reference"))).parent
    imported = {
        found
        for path in folder.glob("*.py")
        for found in re.findall(r"^(?:from|import) (\w+)", path.read_text(), re.MULTILINE)
    }
    standard = {"bisect", "collections", "dataclasses", "difflib", "enum", "functools"}
    standard |= {"itertools", "math", "pathlib", "tomllib", "typing"}
    assert imported - standard == {"pickomino_reference"}


def test_every_data_file_is_read_as_it_stands() -> None:
    """The data of the specification are TOML."""
    names = sorted(path.stem for path in spec_dir().glob("*.toml"))
    assert names == ["boxes", "editions", "fingerprints", "rulings", "sources"]
    for name in names:
        assert tomllib.loads((spec_dir() / f"{name}.toml").read_text(encoding="utf-8"))
