"""`identify` tells which value of each ruling an engine plays, by asking."""

import subprocess
import sys
from contextlib import contextmanager

import pytest

from engines_of_ours import StartsOnly
from pickomino_conformance import Refused
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.faults import FaultyEngine, find_fault
from pickomino_conformance.identify import identify, nearest, tell_played
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.wire import InProcess
from pickomino_reference import (
    Edition,
    FlipAfterReturn,
    Rulings,
    edition_names,
    find_edition,
    house_rule_names,
    ruling_values,
)


@contextmanager
def asking(engine):
    """What an engine in this process plays, by ruling."""
    with Conversation(lambda: InProcess(engine)) as connected:
        found = identify(EngineUnderTest(connected, find_edition().rulings))
        yield {one.ruling: one for one in found}


def played(engine):
    """Return the values that were told, by ruling."""
    with asking(engine) as findings:
        return {ruling: one.value for ruling, one in findings.items()}


@pytest.mark.parametrize("name", edition_names())
def test_every_edition_is_recognised(name):
    """All eight rulings of an edition are told, and the edition is the nearest."""
    edition = find_edition(name)
    with asking(ReferenceEngine(edition)) as findings:
        assert ruling_values(edition.rulings) == {r: one.value for r, one in findings.items()}
        near = nearest(list(findings.values()))
    assert edition.rulings == near.edition.rulings
    assert near.departing == ()


@pytest.mark.parametrize("house", house_rule_names())
def test_every_house_rule_is_recognised(house):
    """A house rule shows in its rulings, and as what departs from the nearest edition."""
    edition = find_edition(f"zoch-2005+{house}")
    changed = {
        ruling: value
        for ruling, value in ruling_values(edition.rulings).items()
        if value != ruling_values(find_edition().rulings)[ruling]
    }
    with asking(ReferenceEngine(edition)) as findings:
        assert ruling_values(edition.rulings) == {r: one.value for r, one in findings.items()}
        near = nearest(list(findings.values()))
        assert changed == {one.ruling: one.value for one in near.departing}


@pytest.mark.parametrize("value", FlipAfterReturn)
def test_every_tile_that_may_be_turned_after_a_return_is_told(value):
    """The returned tile, the highest, both of them, or none."""
    rulings = Rulings(flip_after_return=value)
    assert played(ReferenceEngine(Edition("", "", rulings)))["flip-after-return"] == value


class WithoutItsChoice(ReferenceEngine):
    """The reference as an engine that chooses its claims itself, the scripted one if it can."""

    def hello(self):
        """Say hello without `choose-claim`."""
        hello = super().hello()
        return {**hello, "capabilities": [c for c in hello["capabilities"] if c != "choose-claim"]}

    def turn(self, table, rolls, decisions):
        """Make the first legal claim, a steal before all others."""
        from pickomino_conformance import Misfit, Refused

        last = decisions[-1] if decisions else {}
        if not last.get("claim"):
            return super().turn(table, rolls, decisions)
        seats = [{"steal": seat} for seat in range(len(table["stacks"]))]
        for claim in (*seats, *({"take": tile} for tile in range(36, 20, -1))):
            try:
                return super().turn(table, rolls, [*decisions[:-1], {**last, "claim": claim}])
            except (Misfit, Refused):
                continue
        return super().turn(table, rolls, decisions)


def test_what_an_engine_chooses_is_what_it_plays():
    """An engine that steals whenever it can plays `steal`, whatever else it could."""
    findings = played(WithoutItsChoice())
    assert (findings["exact-on-opponent"], findings["lower-tile"]) == ("steal", "next")


class Liar(ReferenceEngine):
    """The default edition, under the hello of another one."""

    def hello(self):
        """Declare what it does not play."""
        return {**super().hello(), "rulings": {"flip-without-return": "yes"}}


def test_a_hello_is_not_believed():
    """What the hello says is held beside what was seen, and told where it is belied."""
    with asking(Liar(find_edition())) as findings:
        finding = findings["flip-without-return"]
    assert (finding.value, finding.belied) == ("no", True)


class OnlyWithTwo(ReferenceEngine):
    """Turns the highest tile when nothing was returned, but only with two players."""

    def turn(self, table, rolls, decisions):
        """Play by the one edition or the other."""
        house = "ultraboardgames" if len(table["stacks"]) == 2 else "zoch-2005"
        value = ruling_values(find_edition(house).rulings)["flip-without-return"]
        self.configure({"flip-without-return": value})
        return super().turn(table, rolls, decisions)


def test_a_contradiction_is_told_with_its_condition():
    """Different values with two and with more players are no value, but a contradiction."""
    with asking(OnlyWithTwo()) as findings:
        finding = findings["flip-without-return"]
    assert finding.value is None
    told = "contradicts itself: yes with players 2; no with players 3, 4, 5, 6 and 7"
    assert tell_played(finding) == told


def test_what_is_outside_all_alternatives_is_shown():
    """The lowest tile turned is none of the alternatives; the case is told."""
    with asking(FaultyEngine([find_fault("the lowest tile is turned")])) as findings:
        told = tell_played(findings["flip-after-return"])
    # Player 1 owns the 26, the 30 came back, and the 21 is gone instead of the 36.
    assert told.endswith("Came: the grill then shows 22 to 25, 27 to 36.")


@pytest.mark.parametrize(
    "name",
    [
        "the bottom tile is returned",
        "the turn does not pass",
        "a worm counts six",
        # It ends the turn with six faces one roll before.
        "after a worm no 5 may be chosen, nor a worm after a 5",
    ],
)
def test_other_faults_do_not_change_what_is_told(name):
    """A fault outside the rulings leaves at least the ruling of the tie, and never lies."""
    with asking(FaultyEngine([find_fault(name)])) as findings:
        wrong = {
            ruling: one.value
            for ruling, one in findings.items()
            if one.value not in (None, ruling_values(find_edition().rulings)[ruling])
        }
    assert wrong == {}


def test_the_command_names_the_nearest_edition():
    """A line a ruling, then the nearest edition, in plain text."""
    program = [sys.executable, "-m", "pickomino_conformance"]
    printed = subprocess.run(
        [*program, "identify", "--", *program, "serve", "--edition", "sheet-001"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert "nearest edition: sheet-001" in printed
    values = ruling_values(find_edition("sheet-001").rulings)
    assert list(values.items()) == [tuple(line.split()[:2]) for line in printed[:8]]


@pytest.mark.parametrize("name", ["sheet-001", "sheet-004"])
def test_an_engine_that_can_only_start_is_identified_too(name):
    """Each ruling has situations to which a game leads by undisputed turns."""
    edition = find_edition(name)
    with asking(StartsOnly(edition)) as findings:
        assert ruling_values(edition.rulings) == {r: one.value for r, one in findings.items()}


class RefusesAll(ReferenceEngine):
    """Refuses every turn."""

    def turn(self, table, rolls, decisions):
        """Refuse it."""
        raise Refused


def test_an_engine_that_refuses_everything_plays_no_ruling():
    """What it turns down of the disputed turns is not taken for a value: it plays no other one."""
    with asking(RefusesAll()) as findings:
        told = {ruling: one.value for ruling, one in findings.items() if one.seen}
    assert told == {"tie-break": "highest-tile"}
    assert "undisputed" in findings["stop-without-claim"].why


def test_an_engine_of_which_nothing_can_be_told_is_said_to_be_so(tmp_path):
    """An engine without turns and scores gets a sentence and exit status 2."""
    (tmp_path / "mute.py").write_text(
        "class Mute:\n"
        "    def hello(self):\n"
        "        return {'name': 'mute', 'protocol': 1, 'players': [2, 7]}\n"
    )
    command = [sys.executable, "-m", "pickomino_conformance", "identify", "mute:Mute"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "")
    assert "Nothing could be told" in done.stdout
