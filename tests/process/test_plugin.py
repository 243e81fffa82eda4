"""The pytest plugin: options of ours, fixtures for others, and nobody disturbed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SUITE = ["--pyargs", "pickomino_conformance.suite"]


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
    serve = f"{sys.executable} -m pickomino_conformance serve --edition sheet-000"
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


def test_the_plugin_imports_nothing_that_a_host_may_not_need(tmp_path: Path) -> None:
    """A host's pytest starts no slower: the plugin brings none of our other modules with it."""
    script = (
        "import sys, pytest\n"
        "before = set(sys.modules)\n"
        "import pickomino_conformance.pytest_plugin\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["pickomino_conformance", "pickomino_conformance.pytest_plugin"]


def test_without_pytest_bdd_the_suite_says_what_is_missing(tmp_path: Path) -> None:
    """It names the extra to install; there is no traceback."""
    (tmp_path / "hides_pytest_bdd.py").write_text("import sys; sys.modules['pytest_bdd'] = None\n")
    plugins = ["-p", "hides_pytest_bdd", "-p", "pickomino_conformance.pytest_plugin"]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, *SUITE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert done.stderr.strip() == (
        "ERROR: The suite needs pytest-bdd, which is not installed: "
        "pip install 'pickomino-spec[pytest]'"
    )


def test_without_hypothesis_the_strategies_say_what_is_missing() -> None:
    """Whoever imports them without the extra is told how to get it."""
    script = "import sys; sys.modules['hypothesis'] = None; import pickomino_conformance.strategies"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "pip install 'pickomino-spec[strategies]'" in done.stderr
