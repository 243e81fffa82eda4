"""The wheel in a new environment, in somebody else's project: `pytest tests/elsewhere.py`.

It installs packages, so it takes its time; `make elsewhere` runs it.
"""

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# An engine that a stranger might write: the reference, with the turn over at 21 already.
ENGINE = """
from pickomino_conformance.faults import find_fault
from pickomino_conformance.faults.engine import FaultyEngine
from pickomino_conformance.engines.reference import ReferenceEngine


class Right(ReferenceEngine):
    pass


class Wrong(FaultyEngine):
    def __init__(self):
        super().__init__([find_fault("the bottom tile is returned")])
"""
SETTINGS = """
[tool.pytest]
strict = true
markers = ["setup.shop: theirs", "unsettled: theirs"]
addopts = ["--import-mode=importlib"]
pickomino_engine = "their_engine:{engine}"
pickomino_edition = "sheet-004"
"""
THEIR_TESTS = '''
import pytest
from hypothesis import given, settings
from pickomino_conformance import strategies
from pickomino_reference import legal
from pytest_bdd import given as fact
from pytest_bdd import scenarios

scenarios("shop.feature")


@fact("a shop")
def shop():
    """Open a shop."""


def test_the_edition_is_the_one_of_the_settings(pickomino_edition):
    assert pickomino_edition.name == "sheet-004"


def test_the_engine_is_ours(pickomino_engine):
    assert pickomino_engine.can("set-table")


@given(strategies.tables())
@settings(max_examples=20)
def test_a_table_is_a_table(table):
    assert len(table.stacks) > 1
'''
CONFTEST = '''
import pytest


@pytest.fixture(autouse=True)
def scene():
    """A fixture of theirs that bears a name of ours."""
    return "theirs"


def pytest_bdd_apply_tag(tag, function):
    return None
'''


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, free of this environment."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "PYTEST", "VIRTUAL_ENV"))
    }
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> str:
    """The interpreter of a new environment that has the wheel and nothing of the repository."""
    folder = tmp_path_factory.mktemp("wheel")
    built = run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "-q",
        "-w",
        str(folder),
        str(ROOT),
        folder=folder,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "environment", with_pip=True)
    interpreter = str(folder / "environment" / "bin" / "python")
    installed = run(interpreter, "-m", "pip", "install", "-q", str(wheel), folder=folder)
    assert installed.returncode == 0, installed.stderr
    return interpreter


@pytest.fixture
def project(tmp_path) -> Path:
    """A project of somebody else: strict, with a conftest, features and tags of its own."""
    (tmp_path / "their_engine.py").write_text(ENGINE)
    (tmp_path / "test_theirs.py").write_text(THEIR_TESTS)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "shop.feature").write_text(
        "Feature: A shop\n\n  @setup.shop @unsettled\n  Scenario: It opens\n    Given a shop\n"
    )
    return tmp_path


def counts(printed: str) -> dict[str, int]:
    """Return the counts of pytest's last line by their words."""
    last = printed.strip().splitlines()[-1]
    return {word: int(count) for count, word in re.findall(r"(\d+) (\w+)", last)}


def settings(project: Path, engine: str) -> None:
    """Let the project check one of its engines."""
    (project / "pyproject.toml").write_text(SETTINGS.format(engine=engine))


def test_the_suite_passes_on_their_right_engine(python, project) -> None:
    """The engine and the edition of their settings are used, and every scenario passes."""
    settings(project, "Right")
    done = run(
        python, "-m", "pytest", "-q", "--pyargs", "pickomino_conformance.suite", folder=project
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert counts(done.stdout)["passed"] > 200


def test_the_suite_names_the_rule_that_their_wrong_engine_breaks(python, project) -> None:
    """A fault fails the scenarios of its rule, in words."""
    settings(project, "Wrong")
    done = run(
        python, "-m", "pytest", "-q", "--pyargs", "pickomino_conformance.suite", folder=project
    )
    assert done.returncode == 1
    assert "(failing.return-top): fail" in done.stdout


def test_their_own_tests_are_not_disturbed(python, project) -> None:
    """Fixtures and strategies serve in their tests, and their tags stay theirs."""
    settings(project, "Right")
    assert counts(run(python, "-m", "pytest", "-q", folder=project).stdout) == {"passed": 4}
    theirs = run(python, "-m", "pytest", "-q", "-m", "unsettled", folder=project).stdout
    assert counts(theirs) == {"passed": 1, "deselected": 3}


def test_the_command_line_works_from_the_wheel(python, project) -> None:
    """The reference conforms to itself, and their wrong engine is diagnosed."""
    script = str(Path(python).with_name("pickomino"))
    right = run(script, "check", "--level", "features", folder=project)
    assert right.returncode == 0, right.stdout + right.stderr
    wrong = run(script, "check", "--level", "features", "their_engine:Wrong", folder=project)
    assert wrong.returncode == 1
    assert "the bottom tile is returned" in wrong.stdout
