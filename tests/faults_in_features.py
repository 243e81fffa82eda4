"""Every fault of the catalogue, planted while the scenarios of its rules run; a pytest plugin.

`-p faults_in_features --caught FILE` takes each scenario of the suite through the faults of its
rules, and once through the reference as it is, all in one process and under one edition in which
it holds. FILE gets the scenarios that did not pass, by the fault that was planted.
"""

import json
from pathlib import Path

import pytest

from pickomino_conformance.faults import CATALOGUE, Fault, planted
from pickomino_conformance.faults.rulings import ruling_faults
from pickomino_reference import DEFAULT_EDITION, make_rulings, ruling_values
from pickomino_reference.editions import ALTERNATIVES

AS_IT_IS = "the reference as it is"

# Every value of a ruling is a fault where another one is asked for.
_JUDGED = [make_rulings({one: value}) for one, values in ALTERNATIVES.items() for value in values]
RULING_FAULTS = {fault.name: fault for judged in _JUDGED for fault in ruling_faults(judged)}
FAULTS: dict[str, Fault] = {
    AS_IT_IS: Fault(AS_IT_IS, ()),
    **RULING_FAULTS,
    **{fault.name: fault for fault in CATALOGUE},
}
CAUGHT = pytest.StashKey[dict[str, list[str]]]()


def faults_of(rules):
    """Return the names of the faults that break one of these rules."""
    return [name for name, fault in FAULTS.items() if set(rules).intersection(fault.rules)]


def pytest_addoption(parser):
    """Add where to write what was caught."""
    parser.addoption("--caught", type=Path)


def pytest_configure(config):
    """Begin with nothing caught."""
    config.stash[CAUGHT] = {name: [] for name in FAULTS}


def pytest_generate_tests(metafunc):
    """Take a scenario through the faults of its rules, and through the reference as it is."""
    rules = [mark.args[0] for mark in metafunc.definition.iter_markers("pickomino_rule")]
    metafunc.parametrize("fault", [AS_IT_IS, *faults_of(rules)], indirect=True)


def pytest_collection_modifyitems(config, items):
    """Keep the default edition, made to fit: others would only tell the same again."""
    kept = [item for item in items if _edition(item).name.split(" ")[0] == DEFAULT_EDITION]
    kept = [item for item in kept if _departs(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def _edition(item):
    return item.callspec.params["pickomino_edition"]


def _departs(item):
    """Whether the fault is one under the edition: a value that is asked for is none."""
    values = ruling_values(_edition(item).rulings)
    rulings = FAULTS[item.callspec.params["fault"]].rulings
    return not rulings or any(values[ruling] != value for ruling, value in rulings.items())


@pytest.fixture(autouse=True)
def fault(request, pickomino_engine):
    """The fault that is planted while the scenario runs."""
    one = FAULTS[request.param]
    with planted([one]):
        # A new engine: what the one before remembers was right.
        pickomino_engine.engine.close()
        played = ruling_values(one.rulings_played(pickomino_engine.rulings))
        pickomino_engine.engine.configure(lambda _: played)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Note a scenario that does not pass."""
    report = yield
    if not report.passed:
        item.config.stash[CAUGHT][item.callspec.params["fault"]].append(item.name)
    return report


def pytest_sessionfinish(session):
    """Write what was caught."""
    caught = json.dumps(session.config.stash[CAUGHT])
    session.config.getoption("--caught").write_text(caught, encoding="utf-8")
