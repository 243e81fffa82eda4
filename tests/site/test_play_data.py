"""What the pages that are played with are told, and the Python that comes with them."""

import io
import json
import re
import subprocess
import sys
import zipfile

import pytest

from generator.languages import language_codes, read_language
from generator.places import DOCS
from generator.play_data import page_files, read_words, referee_data, rules_zip, words
from pickomino_conformance.explain import Why
from pickomino_reference import edition_names
from pickomino_reference.data import read_spec

PAGES = {
    "referee": [*DOCS.glob("javascripts/referee*.mjs"), DOCS / "javascripts" / "share.mjs"],
    "which-edition": [*DOCS.glob("javascripts/which*.mjs"), DOCS / "javascripts" / "share.mjs"],
}
EVERY = pytest.mark.parametrize("code", language_codes())
# Words that are not named where they are said, but put together or passed on.
PASSED_ON = {
    "referee": {f"why-{why}" for why in Why} | {"roll-after-end"},
    "which-edition": set(),
}


@EVERY
@pytest.mark.parametrize("page", PAGES)
def test_every_word_is_there(code, page):
    """Each word of the scripts is said in every language, if in English for now."""
    told = words(read_language(code), page)
    assert list(told) == list(read_words(page))
    assert all(text.strip() for text in told.values())


@pytest.mark.parametrize("page", PAGES)
def test_scripts_and_words_fit_together(page):
    """Every word that a script says is in the table, and nothing else is."""
    scripts = "".join(path.read_text(encoding="utf-8") for path in PAGES[page])
    quoted = set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', scripts))
    known = set(read_words(page))
    assert known - quoted - PASSED_ON[page] == set()
    assert (set(re.findall(r'say\("([a-z-]+)"', scripts)) | PASSED_ON[page]) - known == set()


def test_a_reason_has_the_words_that_the_harness_gives_it():
    """Each reason of the harness has its sentence."""
    assert {f"why-{why}" for why in Why} <= set(read_words("referee"))


def test_the_referee_is_told_what_is_in_the_box():
    """Points and worms come from the specification, not from the script."""
    box = referee_data(read_language("en"))["box"]
    assert box["points"] == {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
    assert [box["worms"][tile] for tile in (21, 25, 29, 36)] == [1, 2, 3, 4]


@EVERY
def test_the_data_of_both_pages_are_written(code):
    """They are JSON, and name every edition and every point."""
    files = dict(page_files(read_language(code)))
    which = json.loads(files["javascripts/data/which-edition.json"])
    assert list(which["editions"]) == edition_names()
    assert list(which["rulings"]) == list(read_spec("rulings"))
    assert set(json.loads(files["javascripts/data/referee.json"])["editions"]) == set(
        which["editions"]
    )


def test_the_packed_rules_need_the_standard_library_alone(tmp_path):
    """Unpacked elsewhere, without any package, they answer; their data is with them."""
    with zipfile.ZipFile(io.BytesIO(rules_zip())) as archive:
        archive.extractall(tmp_path)
    position = {
        "table": {"grill": [21], "stacks": [[], []], "player": 0},
        "kept": "W",
        "roll": None,
    }
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import referee_bridge as bridge;"
        "print(bridge.answer(sys.argv[2]))"
    )
    request = json.dumps({"position": position, "rulings": {}})
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(tmp_path), request],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["total"] == 5


def test_the_packed_reference_is_the_reference():
    """Every module of it is there, byte for byte, and packing twice gives the same."""
    packed = rules_zip()
    assert packed == rules_zip()
    reference = DOCS.parent / "reference" / "pickomino_reference"
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        for path in reference.glob("*.py"):
            assert archive.read(f"pickomino_reference/{path.name}") == path.read_bytes()
