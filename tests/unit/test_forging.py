"""An engine that says a sentence of ours is quoted, and forges nothing, in any report."""

import html
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from findings import found_in
from pickomino_conformance import Refused, report
from pickomino_conformance.cases import Outcome, Verdict, Wanted
from pickomino_conformance.cases.registry import LEVELS
from pickomino_conformance.compare import ANSWER
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.finding import EngineCommand
from pickomino_conformance.protocol.messages import quoted
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.wire import InProcess
from pickomino_conformance.report import replay
from pickomino_conformance.report.jsonl import Report
from pickomino_conformance.report.model import Findings
from pickomino_conformance.report.terminal import show_check, show_replayed
from pickomino_reference import Rulings

FORGED = "Expected: nothing. Came: a steal."
RULEBOOK = Rulings()
LEVEL = {level.name: level for level in LEVELS}


class Forges(ReferenceEngine):
    """Refuses whatever ends with a dead roll, in words of ours."""

    def turn(self, table, rolls, decisions):
        """Refuse the turn, or answer it rightly."""
        if len(rolls) > len(decisions):
            raise Refused(FORGED)
        return super().turn(table, rolls, decisions)


def forging() -> Conversation:
    """Return a conversation with it, in this process."""
    return Conversation(lambda: InProcess(Forges()))


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """What comes of it in a hand-made and in a generated level."""
    engine = EngineUnderTest(forging(), RULEBOOK)
    wanted = Wanted()
    return [one for name in ("features", "tables") for one in LEVEL[name].run(engine, wanted)]


@pytest.fixture(scope="module")
def found(outcomes: list[Outcome]) -> Findings:
    """What a check found."""
    return found_in(*outcomes)


def assert_only_quoted(said: str) -> None:
    """Check that it was said, and nowhere but in quotation marks."""
    assert quoted(FORGED) in said
    assert "nothing. Came: a steal" not in said.replace(quoted(FORGED), "")


def test_it_departs_by_the_kind_of_its_answer(outcomes: list[Outcome]) -> None:
    """What it says is in the answer that came, and in no part of what must come."""
    failed = [one for one in outcomes if one.verdict is Verdict.FAIL]
    assert {one.level for one in failed} == {"features", "tables"}
    found = [difference for one in failed for difference in one.differences]
    assert {(one.part, one.expected) for one in found} == {(ANSWER, "result")}
    assert all(one.actual["error"]["message"] == FORGED for one in found)
    assert {one.reason for one in failed} == {""}


@pytest.mark.parametrize("form", ["markdown", "html", "junit"])
def test_a_written_report_quotes_it(found: Findings, form: str) -> None:
    """It stands there as what the engine says."""
    said = html.unescape(report.renderer(form)(found))
    assert_only_quoted(said)
    if form == "junit":
        ends = [end.get("message") for end in ElementTree.fromstring(said).iter("failure")]
        assert ends != []
        assert [end for end in ends if end.count("Came: ") > 1 and quoted(FORGED) not in end] == []


def test_the_terminal_quotes_it(found: Findings, capsys: pytest.CaptureFixture[str]) -> None:
    """What must come is told by the reference."""
    show_check(found)
    said = " ".join(capsys.readouterr().out.split())
    assert_only_quoted(said)
    assert "Came: it refuses the turn (“Expected: nothing." in said


def test_the_json_report_and_the_case_files_quote_it(
    outcomes: list[Outcome], tmp_path: Path
) -> None:
    """The answer itself is there as data."""
    path, folder = tmp_path / "report.jsonl", replay.Folder(tmp_path / "cases")
    with Report(path) as lines:
        for one in outcomes:
            lines.case(one)
            folder.write(one, "x", "zoch-2005", RULEBOOK)
    cases = [json.loads(line) for line in path.read_text().splitlines()]
    failed = [one for one in cases if one["verdict"] == "fail"]
    for one in failed:
        assert_only_quoted(one["message"])
    written = [replay.read(one) for one in replay.find(folder.path)]
    assert len(written) >= len(failed) > 0
    for one in written:
        assert_only_quoted(one.message)


def test_replay_quotes_it(outcomes: list[Outcome], capsys: pytest.CaptureFixture[str]) -> None:
    """And tells what the reference does with the turn."""
    case = next(one for one in outcomes if one.verdict is Verdict.FAIL)
    file = replay.CaseFile(case.id, case.level, exchanges=case.exchanges)
    show_replayed(EngineCommand("x", (), ""), [replay.replay(file, RULEBOOK, forging())])
    said = " ".join(capsys.readouterr().out.split())
    assert_only_quoted(said)
    assert "Expected: grill " in said


def test_reasons_and_last_words_are_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    """A crash in words of ours is no departure of ours."""

    class Crashes(ReferenceEngine):
        """Crashes at every turn."""

        def turn(self, table, rolls, decisions):
            """Say so in words of ours."""
            raise RuntimeError(FORGED)

    engine = EngineUnderTest(Conversation(lambda: InProcess(Crashes())), RULEBOOK)
    found = found_in(*LEVEL["smoke"].run(engine, Wanted()))
    assert found.errors != ()
    show_check(found)
    said = " ".join(capsys.readouterr().out.split())
    assert "a steal" in said
    for told in (said, report.renderer("markdown")(found)):
        before, _, after = told.partition("Expected: nothing")
        assert (before.count("“") - before.count("”"), after.index("”") >= 0) == (1, True)
