"""The pytest plugin: options of ours, fixtures for others, and nobody disturbed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

SUITE = ["--pyargs", "pickomino_conformance.suite"]
HERE = Path(__file__).parent


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder of its own."""
    command = [sys.executable, "-m", "pytest", "-q", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def numbers(text: str) -> dict[str, int]:
    """Return the counts of pytest's last line by their words."""
    return {word: int(count) for count, word in re.findall(r"(\d+) (\w+)", text.splitlines()[-1])}


def test_the_suite_runs_elsewhere_on_the_default_edition(tmp_path: Path) -> None:
    """Without options the reference is judged by zoch-2005."""
    counts = numbers(pytest_in(tmp_path, *SUITE).stdout)
    assert counts.keys() == {"passed", "deselected"}
    assert counts["passed"] > 200


def test_edition_and_ruling_choose_the_scenarios(tmp_path: Path) -> None:
    """A scenario runs where the edition has the values that it needs."""
    one = ["-k", "question or bar", "--co", *SUITE]
    plain = pytest_in(tmp_path, *one, "--pickomino-edition", "zoch-2005").stdout
    barred = pytest_in(
        tmp_path,
        *one,
        "--pickomino-edition",
        "zoch-2005",
        "--pickomino-ruling",
        "steal-back=barred",
    ).stdout
    assert "zoch-2005+steal-back=barred" not in plain
    assert "zoch-2005+steal-back=barred" in barred


def test_a_departing_engine_fails_with_a_sentence_and_no_traceback(tmp_path: Path) -> None:
    """A failure is told in words: the case, its rules, the table, expected and came."""
    serve = f"{sys.executable} -m pickomino_conformance.main serve --edition sheet-000"
    done = pytest_in(tmp_path, *SUITE, "--pickomino-engine", serve)
    assert done.returncode == 1
    assert "failing/nothing-to-return (failing.nothing-returned): fail" in done.stdout
    assert "Traceback" not in done.stdout


def test_an_unknown_edition_is_a_usage_error(tmp_path: Path) -> None:
    """The names that exist are told."""
    done = pytest_in(tmp_path, *SUITE, "--pickomino-edition", "zoch-205")
    assert done.returncode == 4
    assert "Did you mean 'zoch-2005'?" in done.stdout + done.stderr


@pytest.mark.parametrize("timeout", ["1e300", "nan", "-1"])
def test_a_timeout_that_is_none_is_told(tmp_path: Path, timeout: str) -> None:
    """More than a day, or less than nothing, is no time to wait."""
    (tmp_path / "test_theirs.py").write_text("def test_engine(pickomino_engine): pass\n")
    done = pytest_in(tmp_path, "--pickomino-timeout", timeout)
    assert numbers(done.stdout) == {"error": 1}
    assert "pickomino_timeout is a number of seconds, at most a day, not" in done.stdout


def test_others_use_the_fixtures_in_their_own_strict_project(tmp_path: Path) -> None:
    """Edition and engine are fixtures anywhere; other people's tags stay theirs."""
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\naddopts = --strict-markers\nmarkers =\n    slow: theirs\n"
    )
    (tmp_path / "shop.feature").write_text(
        "Feature: A shop\n\n  @slow\n  Scenario: It opens\n    Given a shop\n"
    )
    (tmp_path / "test_theirs.py").write_text(
        "from pytest_bdd import given, scenarios\n"
        "scenarios('shop.feature')\n"
        "@given('a shop')\n"
        "def _(): pass\n"
        "def test_edition(pickomino_edition):\n"
        "    assert pickomino_edition.name == 'sheet-001'\n"
        "def test_engine(pickomino_engine):\n"
        "    assert pickomino_engine.hello.name == 'reference'\n"
        "    assert pickomino_engine.rulings.flip_after_return == 'always'\n"
    )
    done = pytest_in(tmp_path, "--pickomino-edition", "sheet-001")
    assert numbers(done.stdout) == {"passed": 3}
    assert numbers(pytest_in(tmp_path, "-m", "slow").stdout) == {"passed": 1, "deselected": 2}
