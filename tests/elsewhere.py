"""The wheel in new environments, in somebody else's project: `pytest tests/elsewhere.py`.

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
from pickomino_conformance.faults.planting import FaultyEngine
from pickomino_conformance.protocol.reference import ReferenceEngine


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
def wheel(tmp_path_factory) -> Path:
    """The wheel of this repository."""
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
    return wheel


def installed(folder: Path, wheel: Path, extras: str = "") -> str:
    """Return the interpreter of a new environment with the wheel and nothing of the repository."""
    venv.create(folder, with_pip=True)
    interpreter = str(folder / "bin" / "python")
    done = run(interpreter, "-m", "pip", "install", "-q", f"{wheel}{extras}", folder=folder)
    assert done.returncode == 0, done.stderr
    return interpreter


@pytest.fixture(scope="module")
def plain(tmp_path_factory, wheel) -> str:
    """The interpreter of an environment with the wheel and what it needs, no more."""
    return installed(tmp_path_factory.mktemp("plain"), wheel)


@pytest.fixture(scope="module")
def python(tmp_path_factory, wheel) -> str:
    """The interpreter of an environment with what the suite and the strategies need, too."""
    return installed(tmp_path_factory.mktemp("whole"), wheel, "[pytest,strategies]")


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


def test_an_installation_brings_no_test_runner(plain, tmp_path) -> None:
    """Neither pytest, nor pytest-bdd, nor Hypothesis comes with it."""
    script = (
        "from importlib.util import find_spec\n"
        "print([n for n in ('pytest', 'pytest_bdd', 'hypothesis') if find_spec(n)])\n"
    )
    assert run(plain, "-c", script, folder=tmp_path).stdout == "[]\n"


def test_without_extras_the_command_line_works(plain, tmp_path) -> None:
    """All its names lead to one program, and the reference conforms."""
    scripts = [str(Path(plain).with_name(name)) for name in ("pickomino", "pickomino-spec")]
    module = [plain, "-m", "pickomino_conformance"]
    told = [
        run(*command, "--version", folder=tmp_path).stdout
        for command in ([scripts[0]], [scripts[1]], module)
    ]
    assert re.fullmatch(r"pickomino-spec \S+\n", told[0])
    assert told == [told[0]] * 3
    checked = run(scripts[0], "check", "reference", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "The engine conforms." in checked.stdout


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


def test_their_wrong_engine_is_diagnosed(plain, project) -> None:
    """A check names the mistake."""
    script = str(Path(plain).with_name("pickomino"))
    wrong = run(script, "check", "--level", "features", "their_engine:Wrong", folder=project)
    assert wrong.returncode == 1
    assert "the bottom tile is returned" in wrong.stdout
