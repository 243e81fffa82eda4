"""Replay: the requests of a case asked again, and what departed held against the reference."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from pickomino_conformance.by_reference import (
    Held,
    NotOfTheGame,
    goes_on_after_a_refusal,
    read_params,
    read_script,
    tell_request,
    up_to_the_departure,
)
from pickomino_conformance.case_files import CaseFile
from pickomino_conformance.cases import VERDICTS, Exchange, NotReached, Verdict
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
    """Ask the requests of a case again, in order, and judge each by these rulings.

    The first that departs is told. If none does, the one that departed then is: a case passes
    only if that one could be judged, and all agree that could be. The engine is configured to
    play the rulings, as far as it can be.
    """
    engine.configure(configuration(rulings))
    subject = Subject(engine, rulings)
    departed = len(up_to_the_departure(case.exchanges, case.judged_by()))
    found: list[Replayed] = []
    for number in range(1, len(case.exchanges) + 1):
        one = _replay_last(case.id, case.exchanges[:number], subject)
        if one.verdict in (Verdict.FAIL, Verdict.ERROR):
            return one
        found.append(one)
    return found[departed - 1]


def _replay_last(case: str, exchanges: Sequence[Exchange], subject: Subject) -> Replayed:
    """Return what comes of the last of these requests, after the others."""
    last = exchanges[-1]
    told = _tell(exchanges, read_params(last), subject.rulings)
    reply: Reply | None = None
    try:
        params, reply = _ask(subject, exchanges)
        told = _tell(exchanges, params, subject.rulings)
        Held(params, reply, subject).require()
    except NotOfTheGame as error:
        message = f"Under these rulings the script does not fit: {error}."
        return Replayed(case, Verdict.NOT_APPLICABLE, told, message)
    except tuple(VERDICTS) as failure:
        verdict = VERDICTS[type(failure)]
        same = _same(last, None if reply is None else plain_reply(reply))
        return Replayed(case, verdict, told, str(failure), same)
    return Replayed(case, Verdict.PASS, told, "", _same(last, plain_reply(reply)))


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


def _tell(exchanges: Sequence[Exchange], params: Params, rulings: Rulings) -> str:
    """Return the last request as a sentence; after a refusal the refused one, too."""
    told = f"{tell_request(params)}."
    if not goes_on_after_a_refusal(exchanges, rulings):
        return told
    return f"{tell_request(read_params(exchanges[-2]))}. It is refused, and then: {told}"


def _ask(subject: Subject, exchanges: Sequence[Exchange]) -> tuple[Params, Reply]:
    """Return the last request as it was asked, and the reply to it."""
    if goes_on_after_a_refusal(exchanges, subject.rulings):
        return _ask_after_a_refusal(subject, exchanges)
    return _ask_together(subject, _together(exchanges))


def _ask_after_a_refusal(subject: Subject, exchanges: Sequence[Exchange]) -> tuple[Params, Reply]:
    """Ask all in one go; what goes on is left the table that the refused turn must not change."""
    if subject.only_settles or not subject.can("set-table"):
        raise NotReached("what the engine's table is after a refusal is not known")
    every = [read_params(exchange) for exchange in exchanges]
    asked = [
        msgspec.structs.replace(params, table=None)
        if exchange.goes_on and isinstance(params, TurnParams)
        else params
        for exchange, params in zip(exchanges, every, strict=True)
    ]
    # Of an engine that broke down there is one reply.
    return every[-1], subject.engine.ask(*asked)[-1]


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


def _together(exchanges: Sequence[Exchange]) -> list[Params]:
    """Return the last request, after the turns with whose table it goes on."""
    found: list[Params] = []
    for exchange in exchanges:
        params = read_params(exchange)
        goes_on = exchange.goes_on and found and isinstance(found[-1], TurnParams)
        found = [*found, params] if goes_on else [params]
    return found


def _same(exchange: Exchange, came: dict[str, Any] | None) -> bool | None:
    if came is None or not exchange.answer:
        return None
    if "broken" in came:
        return "broken" in exchange.answer
    return came == exchange.answer
