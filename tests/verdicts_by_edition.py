"""What came of each scenario in each edition; a pytest plugin.

`-p verdicts_by_edition --verdicts FILE` writes, for each edition and case, the verdict and the
message.
"""

import json
from pathlib import Path

import pytest

VERDICTS = pytest.StashKey[dict[str, dict[str, tuple[str, str]]]]()


def pytest_addoption(parser):
    """Add where to write the verdicts."""
    parser.addoption("--verdicts", type=Path)


def pytest_configure(config):
    """Begin with none."""
    config.stash[VERDICTS] = {}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    """Note what came of a scenario."""
    report = yield
    for name, value in report.user_properties:
        if call.when == "call" and name == "pickomino":
            outcome = json.loads(value)
            edition = item.callspec.params["pickomino_edition"].name
            verdicts = item.config.stash[VERDICTS].setdefault(edition, {})
            verdicts[outcome["id"]] = (outcome["verdict"], outcome["message"])
    return report


def pytest_sessionfinish(session):
    """Write what was noted."""
    text = json.dumps(session.config.stash[VERDICTS])
    session.config.getoption("--verdicts").write_text(text, encoding="utf-8")
