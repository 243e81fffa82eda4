"""The features in pytest: the same cases and the same verdicts as in level `features`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from pickomino_conformance.cases import Verdict, Wanted
from pickomino_conformance.cases.features import run
from pickomino_conformance.cases.gherkin import feature_cases
from suite_on_engines import ENGINES, engine_of

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> dict[str, dict[str, object]]:
    """What the suite comes to, in a process that knows nothing but our plugins."""
    file = tmp_path_factory.mktemp("suite") / "told.json"
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, "--tb", "no", "-q"]
    for plugin in ("pytest_bdd.plugin", "pickomino_conformance.pytest_plugin", "suite_on_engines"):
        command += ["-p", plugin]
    command += ["-p", "no:cacheprovider", "--told", str(file)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    environment |= {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": str(Path(__file__).parent),
    }
    ran = subprocess.run(
        [*command, "--pyargs", "pickomino_conformance.suite"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    found: dict[str, dict[str, object]] = json.loads(file.read_text(encoding="utf-8"))
    return found


def test_every_listed_case_is_collected(told) -> None:
    """The suite has exactly the cases of the features, each under a name of its own."""
    assert set(told["collected"]) == {case.id for case in feature_cases()}
    assert len(set(told["collected"].values())) == len(told["collected"])


@pytest.mark.parametrize("name", ENGINES)
def test_the_suite_and_the_level_come_to_the_same(name: str, told) -> None:
    """For every case the same verdict, differences, reason and exchanges."""
    level = {
        one.id: msgspec.json.decode(msgspec.json.encode(one))
        for one in run(engine_of(name), Wanted())
        if one.verdict is not Verdict.NOT_APPLICABLE
    }
    assert told[name] == level


def test_the_engines_show_every_verdict(told) -> None:
    """What is compared is more than passes."""
    verdicts = {one["verdict"] for name in ENGINES for one in told[name].values()}
    assert verdicts >= {"pass", "fail", "error", "unsupported"}
    assert all(
        {one["verdict"] for one in told[name].values()} != {"pass"}
        for name in ENGINES
        if name != "right"
    )
