"""The runners that the site shows: they need nothing of ours, and find what is wrong."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "docs" / "samples"
RUNNERS = {
    "Python": [sys.executable, "-I", str(SAMPLES / "vectors.py")],
    "JavaScript": ["node", str(SAMPLES / "vectors.mjs")],
}
REFERENCE = [sys.executable, "-m", "pickomino_conformance", "serve", "--edition"]
SAMPLE = ["node", str(ROOT / "engines" / "sample-node" / "engine.js")]

# By hand: sheet-001 turns the highest tile always, also if none came back, and bars a stop
# without a claim.
WRONG = {
    "failing.returned-highest": ["figure-7b", "last-of-the-row-returns", "question-21"],
    "failing.nothing-returned": ["last-tile-stays", "nothing-to-return", "question-15-grill"],
    "rolling.stop-freely": ["question-8", "stop-in-vain", "stop-without-worm"],
}


def asked(runner: str, engine: list[str]) -> dict[str, list[str]]:
    """Return the ids of the vectors by what a runner said of them."""
    if "node" in (RUNNERS[runner][0], engine[0]) and shutil.which("node") is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [*RUNNERS[runner], str(ROOT / "spec" / "vectors"), *engine],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    found: dict[str, list[str]] = {"right": [], "WRONG": []}
    for line in done.stdout.splitlines():
        word, name = line.split()
        found[word].append(name)
    return found


@pytest.mark.parametrize("runner", RUNNERS)
@pytest.mark.parametrize("engine", [[*REFERENCE, "zoch-2005"], SAMPLE], ids=["reference", "node"])
def test_a_right_engine_answers_every_vector_rightly(runner: str, engine: list[str]) -> None:
    """The reference and the sample in JavaScript, each over the pipe."""
    found = asked(runner, engine)
    assert (len(found["right"]), found["WRONG"]) == (383, [])


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_wrong_engine_fails_the_vectors_of_its_rules(runner: str) -> None:
    """Three rulings differ, and both runners say so, case by case."""
    wrong = asked(runner, [*REFERENCE, "sheet-001"])["WRONG"]
    chapters = {name.partition("/")[0] for name in wrong}
    assert chapters == {"failing", "rolling"}
    slugs = {name.partition("/")[2] for name in wrong}
    assert slugs >= {slug for some in WRONG.values() for slug in some}
    assert len(wrong) == 10


@pytest.mark.parametrize("name", ["vectors.py", "vectors.mjs"])
def test_a_runner_fits_on_a_page_and_imports_nothing_of_ours(name: str) -> None:
    """Forty lines, to be read and copied."""
    text = (SAMPLES / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    assert "pickomino_" not in text
