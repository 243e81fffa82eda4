"""Faults of the catalogue in an engine that can't be set to a table; a pytest plugin.

`-p faults_on_the_way --caught FILE` does what `faults_in_features` does, on an engine that is
played from the start of a game to the table of each scenario.
"""

import pytest

from engines_of_ours import StartsOnly
from faults_in_features import *  # noqa: F403  # the hooks of the other plugin
from faults_in_features import CAUGHT, FAULTS
from pickomino_conformance.engines.session import Engine, InProcess
from pickomino_conformance.faults.engine import FaultyEngine
from pickomino_conformance.subject import Subject


class FaultyFromTheStart(StartsOnly, FaultyEngine):
    """The reference with faults, without `set-table`."""


@pytest.fixture(autouse=True)
def fault(request):
    """The name of the fault that the engine has."""
    return request.param


@pytest.fixture
def pickomino_engine(fault, pickomino_edition):
    """An engine with this fault; nothing else in this process has it."""
    engine = FaultyFromTheStart([FAULTS[fault]], pickomino_edition)
    with Engine(lambda: InProcess(engine)) as conversation:
        yield Subject(conversation, pickomino_edition.rulings)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Note a scenario that fails; one that is not reached tells nothing."""
    report = yield
    if report.failed:
        item.config.stash[CAUGHT][item.callspec.params["fault"]].append(item.name)
    return report
