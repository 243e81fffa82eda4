"""Every forbidden move that a fault accepts departs again in its replay, and only there."""

import pytest

from pickomino_conformance.cases import Exchange, Outcome, Verdict, Wanted, refusals
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.faults import Fault, FaultyEngine, faults_against, find_fault
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.wire import InProcess
from pickomino_conformance.report.replay import CaseFile, replay
from pickomino_reference import Rulings

RULEBOOK = Rulings()


def in_process() -> Conversation:
    """Return the reference in this process."""
    return Conversation(lambda: InProcess(ReferenceEngine()))


def case_of(*exchanges: Exchange) -> CaseFile:
    """Return a case of these requests."""
    return CaseFile("games/1", exchanges=exchanges)


def refused_cases(talk: Conversation, verdict: Verdict = Verdict.FAIL) -> list[Outcome]:
    """Return the cases of an engine in level refusals that came to a verdict."""
    with talk:
        outcomes = list(refusals.run(EngineUnderTest(talk, RULEBOOK), Wanted()))
    return [one for one in outcomes if one.verdict is verdict]


def with_fault(fault: Fault) -> Conversation:
    """Return the reference with a fault planted, in this process."""
    return Conversation(lambda: InProcess(FaultyEngine([fault])))


@pytest.fixture(scope="module")
def accepted() -> list[tuple[Fault, Outcome]]:
    """Every failure in level refusals, of every fault of the catalogue."""
    return [
        (fault, outcome)
        for fault in faults_against(RULEBOOK)
        for outcome in refused_cases(with_fault(fault))
    ]


def test_what_accepts_a_forbidden_move_departs_again(accepted: list[tuple[Fault, Outcome]]) -> None:
    """By the same answer, whatever the fault."""
    came = {
        (fault.name, outcome.id): (again.verdict, again.same_answer)
        for fault, outcome in accepted
        for again in [replay(case_of(*outcome.exchanges), RULEBOOK, with_fault(fault))]
    }
    assert came != {}
    assert came == dict.fromkeys(came, (Verdict.FAIL, True))


def test_the_reference_passes_what_others_accept(accepted: list[tuple[Fault, Outcome]]) -> None:
    """It refuses the forbidden move of every case, by another answer."""
    reference = in_process()
    came = {
        (fault.name, outcome.id): (passed.verdict, passed.outcome.reason, passed.same_answer)
        for fault, outcome in accepted
        for passed in [replay(case_of(*outcome.exchanges), RULEBOOK, reference)]
    }
    assert came == dict.fromkeys(came, (Verdict.PASS, "", False))


def test_faults_accept_what_is_forbidden() -> None:
    """To steal from oneself shows in the three cases that try it, and nowhere else."""
    failures = refused_cases(with_fault(find_fault("one may steal from oneself")))
    assert [one.id for one in failures] == [
        f"refusals/steal-from-oneself/{seats}"
        for seats in ("2-players-seat-0", "3-players-seat-1", "5-players-seat-2")
    ]
