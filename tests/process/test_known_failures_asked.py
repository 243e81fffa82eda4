"""Known failures in real checks: the list is made by one, holds in the next, and goes stale."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pickomino_conformance import known_failures
from pickomino_conformance.check import Plan, run
from pickomino_conformance.cli import app
from pickomino_conformance.known_failures import Known
from pickomino_conformance.protocol.finding import of_command
from pickomino_reference import find_edition


def test_an_engine_with_known_failures_conforms_until_the_list_is_stale(tmp_path: Path) -> None:
    """The list is made by one check, holds in the next, and fails once the engine is mended."""
    path = tmp_path / "known.toml"
    serve = [sys.executable, "-m", "pickomino_conformance", "serve"]
    broken = of_command([*serve, "--edition", "sheet-001"])
    cases = ("failing/question-21", "failing/question-20")
    plan = Plan(broken, find_edition(), levels=("features",), cases=cases)
    first = run(plan)
    assert first.exit_status == 1
    known_failures.write(path, first.known.updated)
    known = known_failures.read(path)
    second = run(Plan(broken, find_edition(), levels=("features",), cases=cases, known=known))
    assert (second.exit_status, second.known.stale) == (0, ())
    entry = Known(case="failing/question-21", reason="It was so.")
    known_failures.write(path, [entry])
    words = ["check", "--case", entry.case, "--level", "features", "--known-failures", str(path)]
    third = CliRunner().invoke(app, [*words, "reference"])
    told = " ".join(third.stdout.split())
    assert third.exit_code == 1
    assert "Stale entries" in told
    assert "case failing/question-21: it passes" in told
    fourth = CliRunner().invoke(app, [*words, "--update-known", "reference"])
    assert fourth.exit_code == 0
    assert known_failures.read(path) == ()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--update-known"], "--known-failures names"),
        (["--known-failures", "no/such/file.toml"], "--update-known makes one"),
        (["--known-failures", "no/such/file.toml", "--update-known"], "No such file or directory"),
    ],
)
def test_bad_usage_is_refused_before_anything_is_asked(words: list[str], told: str) -> None:
    """Status 2, and what to do next."""
    done = CliRunner().invoke(app, ["check", *words])
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())
