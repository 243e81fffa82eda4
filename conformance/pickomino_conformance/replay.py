"""Replay: the requests of a case asked again, and what departed held against the reference."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pickomino_conformance.by_reference import (
    Held,
    NotOfTheGame,
    read_params,
    read_script,
    tell_request,
    up_to_the_departure,
)
from pickomino_conformance.case_files import CaseFile
from pickomino_conformance.cases import VERDICTS, Exchange, Verdict
from pickomino_conformance.check import Checked, Plan
from pickomino_conformance.check import run as run_check
from pickomino_conformance.engines.found import Found
from pickomino_conformance.engines.session import Engine, Reply, program
from pickomino_conformance.protocol import (
    LegalParams,
    Params,
    ScoreParams,
    SettleParams,
    StartParams,
    TurnParams,
)
from pickomino_conformance.subject import Subject, configuration, plain_reply
from pickomino_reference import Edition, Rulings

NEEDS: dict[type[Params], tuple[str, ...]] = {
    StartParams: ("start",),
    ScoreParams: ("score",),
    LegalParams: ("legal", "set-table"),
    SettleParams: ("settle", "set-table"),
}


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of a case that was asked again.

    Attributes:
        id: the case.
        verdict: what came of it now.
        told: the case as a sentence.
        message: what was expected and what came; or why nothing can be said.
        same_answer: whether the answer is the one that the file has; none if it has none.
    """

    id: str
    verdict: Verdict
    told: str = ""
    message: str = ""
    same_answer: bool | None = None


def exit_status(replayed: Sequence[Replayed]) -> int:
    """Return 0 if all cases pass, 1 if one departs or errs, 2 if nothing could be judged."""
    verdicts = {one.verdict for one in replayed}
    if verdicts & {Verdict.FAIL, Verdict.ERROR}:
        return 1
    return 0 if verdicts & {Verdict.PASS, Verdict.UNSETTLED} else 2


def replay_all(
    cases: Sequence[CaseFile], edition: Edition | None, found: Found, timeout: float
) -> list[Replayed]:
    """Ask cases again, each judged by the rulings of its file, or all by this edition.

    Raises:
        Unusable: the engine does not start, or does not say hello.
        SuiteFailed: pytest could not run the features.
    """
    replayed = []
    with Engine(program(found.command, timeout)) as engine:
        for case in cases:
            judge = edition or Edition(case.edition, case.edition, case.judged_by())
            if case.exchanges:
                replayed.append(replay(case, judge.rulings, engine))
            else:
                replayed.append(rerun(case, judge, found, timeout))
    return replayed


def replay(case: CaseFile, rulings: Rulings, engine: Engine) -> Replayed:
    """Ask the requests of a case again and judge the one that departed by these rulings.

    The engine is configured to play them, as far as it can be.
    """
    engine.configure(configuration(rulings))
    subject = Subject(engine, rulings)
    exchanges = up_to_the_departure(case.exchanges, case.judged_by())
    last = exchanges[-1]
    told = f"{tell_request(read_params(last))}."
    reply: Reply | None = None
    try:
        params, reply = _ask(subject, exchanges)
        told = f"{tell_request(params)}."
        Held(params, reply, subject).require()
    except NotOfTheGame as error:
        message = f"Under these rulings the script does not fit: {error}."
        return Replayed(case.id, Verdict.NOT_APPLICABLE, told, message)
    except tuple(VERDICTS) as failure:
        verdict = VERDICTS[type(failure)]
        same = _same(last, None if reply is None else plain_reply(reply))
        return Replayed(case.id, verdict, told, str(failure), same)
    return Replayed(case.id, Verdict.PASS, told, "", _same(last, plain_reply(reply)))


def rerun(case: CaseFile, edition: Edition, found: Found, timeout: float) -> Replayed:
    """Ask a listed case again by its id, as a check does."""
    plan = Plan(found, edition, cases=(case.id,), timeout=timeout)
    checked: Checked = run_check(plan)
    if not checked.tally.levels:
        message = "There is no case of this id, and the file has no requests."
        return Replayed(case.id, Verdict.NOT_APPLICABLE, "", message)
    outcome = next(iter(checked.tally.smallest.values()), None)
    if outcome is None:
        return Replayed(case.id, Verdict.PASS)
    return Replayed(case.id, outcome.verdict, "", outcome.message)


def _ask(subject: Subject, exchanges: Sequence[Exchange]) -> tuple[Params, Reply]:
    """Return the last request as it was asked, and the reply to it."""
    *before, last = _together(exchanges)
    for requests in before:
        # What leads to the case is not judged.
        with suppress(*VERDICTS):
            _ask_together(subject, requests)
    return _ask_together(subject, last)


def _ask_together(subject: Subject, requests: Sequence[Params]) -> tuple[Params, Reply]:
    last = requests[-1]
    if isinstance(last, TurnParams):
        scripts = [read_script(turn) for turn in requests if isinstance(turn, TurnParams)]
        if any(decision.keep is None for decision in scripts[-1].decisions):
            subject.need("unresolved")
        asked, reply = subject.ask(*scripts)
        return asked.params(subject.rulings), reply
    subject.need(*NEEDS.get(type(last), ()))
    return last, subject.ask_one(last)


def _together(exchanges: Sequence[Exchange]) -> list[list[Params]]:
    """Return the requests, those turns together that go on with the table of the one before."""
    found: list[list[Params]] = []
    for exchange in exchanges:
        params = read_params(exchange)
        if exchange.goes_on and found and isinstance(found[-1][-1], TurnParams):
            found[-1].append(params)
        else:
            found.append([params])
    return found


def _same(exchange: Exchange, came: dict[str, Any] | None) -> bool | None:
    if came is None or not exchange.answer:
        return None
    if "broken" in came:
        return "broken" in exchange.answer
    return came == exchange.answer
