"""What a change costs: in how many files a value of a ruling, an edition, a level stands.

A new place may be right, but it makes the next change dearer: whoever adds one adds it here.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pickomino_conformance.cases.registry import LEVELS

ROOT = Path(__file__).parents[2]
ROOMS = ("reference", "conformance", "spec", "features", "docs", "engines")
KINDS = {".py", ".toml", ".feature", ".md", ".json", ".jsonl", ".js", ".mjs", ".yml"}
# The words of each language, and what is not ours or made by a command.
PASSED_OVER = re.compile(r"docs/\w+/phrases|docs/shown/|node_modules|__pycache__")


def places(*texts: str) -> set[str]:
    """Return the files outside of the tests in which one of these stands as a word."""
    word = re.compile("|".join(rf"(?<![\w-]){text}(?![\w-])" for text in texts))
    return {name for name, text in files() if word.search(text)}


def files() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every file of ours outside of the tests."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in KINDS and path.is_file() and not PASSED_OVER.search(name):
                yield name, path.read_text(encoding="utf-8")


# The member of the enum, and the one function that decides.
REFERENCE = {"reference/pickomino_reference/rulings.py", "reference/pickomino_reference/failing.py"}
# What it says, who says so, which editions have it, its scenarios.
DATA = {
    "spec/rulings.toml",
    "spec/sources.toml",
    "spec/editions.toml",
    "features/failing.feature",
}
WRITTEN_BY_A_COMMAND = {"spec/vectors/features.json"}


def test_a_value_of_a_ruling_stands_in_few_files() -> None:
    """`before-return` stood in 37; besides its data only where it makes a difference of its own."""
    elsewhere = {
        "reference/pickomino_reference/reasons.py",  # another rule decides such a failure
        "conformance/pickomino_conformance/path_search.py",  # what it keeps games from
        "spec/protocol/transcript.jsonl",  # a configuration, as an example
        "docs/en/quick-start.md",  # told at the table, by the edition chosen
        "docs/nl/quick-start.md",
    }
    found = places("before-return", "BEFORE_RETURN")
    assert found == REFERENCE | DATA | WRITTEN_BY_A_COMMAND | elsewhere


def test_a_new_value_of_a_ruling_stood_in_few_files() -> None:
    """`both`, the one that was added since; no edition has it, and no source."""
    assert places("FlipAfterReturn.BOTH", "flip-after-return=both") == {
        "reference/pickomino_reference/failing.py",
        "features/failing.feature",
        "conformance/pickomino_conformance/path_search.py",  # what it keeps games from
        "conformance/pickomino_conformance/compare.py",  # two tiles may be turned in a turn
        "conformance/pickomino_conformance/identify/__init__.py",  # judged so while asked for more
        "docs/en/quick-start.md",
        "docs/nl/quick-start.md",
    }


def test_an_edition_stands_in_data_only() -> None:
    """Rulings, sources, its name in each language; counts and vectors are written by commands."""
    data = {"spec/editions.toml", "spec/sources.toml", "spec/rulings.toml", "docs/names.toml"}
    assert places("ultraboardgames") == data | {"spec/fingerprints.toml"}


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_a_level_is_a_module_and_an_entry(level) -> None:
    """No other module of ours compares with the name of a level."""
    compared = re.compile(rf"(?:==|!=|in \(|in \{{)[^\n]*[\"']{level.name}[\"']")
    found = {
        name for name, text in files() if name.startswith("conformance/") and compared.search(text)
    }
    assert found == set()
