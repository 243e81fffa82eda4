"""The suite on engines that are wrong, or can do less; a pytest plugin.

`-p suite_on_engines --told FILE` takes each scenario of the suite through every one of `ENGINES`.
FILE gets the ids of all cases that were collected, and what came of each, by engine and case.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.faults import FaultyEngine, find_fault
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import read_plain_request
from pickomino_conformance.protocol.wire import InProcess
from pickomino_reference import Take, find_edition, play_turn

EDITION = find_edition()
FAULTS = (
    "the lowest tile is turned",
    "a stolen tile stays with the robbed player, too",
    "the highest tile is missing from the grill",
    "a tie goes to the last of the tied players",
)


class Lacking(ReferenceEngine):
    """The reference without some of its capabilities."""

    lacks: tuple[str, ...] = ()

    def hello(self):
        """Say no more than is true."""
        told = super().hello()
        told["capabilities"] = [one for one in told["capabilities"] if one not in self.lacks]
        return told


class NeverRefuses(Lacking):
    """Can't say that a rule forbids something, nor count worms."""

    lacks = ("refuse", "unresolved", "score")


class TakesRatherThanSteals(Lacking):
    """Chooses its claims itself, and takes a tile of the grill where it can."""

    lacks = ("choose-claim",)

    def turn(self, table, rolls, decisions):
        """Claim the lowest tile that may be had, whatever the player has claimed."""
        asked = {"table": table, "rolls": rolls, "decisions": decisions}
        if table is not None and decisions and decisions[-1].get("claim"):
            script = read_plain_request("turn", asked)
            for claim in play_turn(script, EDITION.rulings).claims:
                if isinstance(claim, Take):
                    decisions = [*decisions[:-1], {**decisions[-1], "claim": {"take": claim.tile}}]
                    break
        return super().turn(table, rolls, decisions)


class TellsLittle(Lacking):
    """Tells the table after a turn, and nothing else."""

    def turn(self, table, rolls, decisions):
        """Leave out whose turn it is, and the rest."""
        told = super().turn(table, rolls, decisions)["table"]
        return {"table": {"grill": told["grill"], "stacks": told["stacks"]}}


class Crashes(ReferenceEngine):
    """Falls over when somebody steals."""

    def turn(self, table, rolls, decisions):
        """Raise what is nobody's refusal."""
        if any("steal" in (one.get("claim") or {}) for one in decisions):
            raise ValueError("no steals here")
        return super().turn(table, rolls, decisions)


ENGINES: dict[str, Callable[[], ReferenceEngine]] = {
    "right": lambda: ReferenceEngine(EDITION),
    **{name: lambda name=name: FaultyEngine([find_fault(name)], EDITION) for name in FAULTS},
    **{
        one.__name__: lambda one=one: one(EDITION)
        for one in (NeverRefuses, TakesRatherThanSteals, TellsLittle, Crashes)
    },
}
TOLD = pytest.StashKey[dict[str, dict[str, object]]]()


def engine_of(name: str) -> EngineUnderTest:
    """Return an engine of this process, judged by the default edition."""
    engine = ENGINES[name]()
    return EngineUnderTest(Conversation(lambda: InProcess(engine)), EDITION.rulings)


def pytest_addoption(parser):
    """Add where to write what came."""
    parser.addoption("--told", type=Path)


def pytest_configure(config):
    """Begin with nothing."""
    config.stash[TOLD] = {"collected": {}, **{name: {} for name in ENGINES}}


@pytest.fixture(params=ENGINES, scope="session")
def pickomino_engine(request, pickomino_edition):
    """Each of the engines in turn."""
    assert pickomino_edition == EDITION
    return engine_of(request.param)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Note every case that pytest-bdd finds, before any is left out."""
    from pickomino_conformance.suite.conftest import case_of

    config.stash[TOLD]["collected"] = {case_of(item).id: item.nodeid for item in items}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    """Note what came of a scenario."""
    report = yield
    for name, value in report.user_properties:
        if call.when == "call" and name == "pickomino":
            outcome = json.loads(value)
            item.config.stash[TOLD][item.callspec.params["pickomino_engine"]][outcome["id"]] = (
                outcome
            )
    return report


def pytest_sessionfinish(session):
    """Write what was noted."""
    told = json.dumps(session.config.stash[TOLD])
    session.config.getoption("--told").write_text(told, encoding="utf-8")
