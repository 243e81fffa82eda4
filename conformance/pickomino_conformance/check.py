"""A check: the levels one after another, every outcome tallied and reported."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from pickomino_conformance.case_files import Folder
from pickomino_conformance.cases import Conversation, Outcome, Verdict
from pickomino_conformance.diagnosis import Diagnosis, Evidence
from pickomino_conformance.engines.found import REFERENCE, Found
from pickomino_conformance.engines.session import Engine, Unusable, program
from pickomino_conformance.known_failures import Asked, Known, KnownFailures, Recognised
from pickomino_conformance.levels import covering, features, games, refusals, smoke, tables, turns
from pickomino_conformance.levels.tables import Counted
from pickomino_conformance.protocol import PROTOCOL, Hello
from pickomino_conformance.report import Report
from pickomino_conformance.specification import CHAPTERS, rules
from pickomino_conformance.subject import Subject, as_declared, configuration
from pickomino_conformance.tally import Tally
from pickomino_reference import Edition, Rulings, ruling_values

LEVELS = ("smoke", "features", "turns", "tables", "refusals", "games")
USUAL_LEVELS = LEVELS
PROCESSES = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be checked, and how.

    Attributes:
        found: the engine.
        edition: what it is judged by.
        as_declared: whether the rulings that it declares come before those of the edition.
        levels: the levels to run; `smoke` runs first in any case.
        every_table: whether level `tables` asks the bundled reference about every table, which
            takes longer, instead of a sample.
        cases: the ids of the only cases to be asked; empty for all.
        rules: the ids of the only rules whose cases count; empty for all.
        seed: what the random games are drawn by.
        number_of_games: how many of them are played.
        timeout: the longest wait for an answer, in seconds.
        report: where the report for machines goes, if anywhere.
        case_folder: where the failures go as case files, if anywhere.
        known: the failures that are known, and do not count.
    """

    found: Found
    edition: Edition
    as_declared: bool = False
    levels: Sequence[str] = USUAL_LEVELS
    every_table: bool = False
    cases: Sequence[str] = ()
    rules: Sequence[str] = ()
    seed: int = games.SEED
    number_of_games: int = games.GAMES
    timeout: float = 5.0
    report: Path | None = None
    case_folder: Path | None = None
    known: Sequence[Known] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found.

    Attributes:
        hello: what the engine said of itself.
        rulings: those that it was judged by.
        tally: all verdicts.
        diagnosis: the faults that explain the departures.
        known: what came of the failures that are known.
        conversation: how the conversation with it went.
        seconds: how long it took.
    """

    hello: Hello
    rulings: Rulings
    tally: Tally
    diagnosis: Diagnosis
    known: Recognised
    conversation: Conversation
    seconds: float

    @property
    def exit_status(self) -> int:
        """0 if the engine conforms, 1 if it departs or broke down, 2 if nothing was judged."""
        return exit_status(self.tally, self.conversation, self.known)


def run(plan: Plan, watch: Callable[[str, int], None] = lambda *_: None) -> Checked:
    """Check an engine and return what was found.

    `watch` is told, now and then, the level under way and how many of its cases are done.

    Raises:
        Unusable: the engine does not start, or does not say hello; the report says so.
        SuiteFailed: pytest could not run the features.
        OSError: the report or the case files can't be written.
    """
    began = time.monotonic()
    tally, conversation, diagnosis = Tally(rules()), Conversation(), Diagnosis()
    known, recognised = KnownFailures(plan.known), Recognised()
    folder = Folder(plan.case_folder) if plan.case_folder else None
    with Report(plan.report) as report:
        verdict = "error"
        try:
            with _engine(plan, report) as engine, ExitStack() as at_last:
                subject = Subject(engine, _rulings(plan, engine.hello))
                evidence = Evidence(subject.rulings, chooses=subject.can("choose-claim"))
                # Interrupted here, the level under way is ended, too, with all that it started.
                outcomes = at_last.enter_context(closing(_outcomes(plan, subject)))
                for outcome in outcomes:
                    if isinstance(outcome, Conversation):
                        conversation += outcome
                        continue
                    cases = 1
                    if isinstance(outcome, Counted):
                        outcome, cases = outcome  # noqa: PLW2901  # the same, unpacked
                    outcome = evidence.look(outcome)  # noqa: PLW2901  # the same, blamed
                    if plan.rules and not set(plan.rules).intersection(outcome.rules):
                        continue
                    outcome = known.look(outcome, cases)  # noqa: PLW2901  # the same, if known
                    tally.add(outcome, cases)
                    if report.case(outcome) and folder:
                        folder.write(outcome, engine.hello.name, plan.edition.name, subject.rulings)
                    watch(outcome.level, tally.levels[outcome.level].total())
            for level, counts in tally.levels.items():
                report.level(level, counts)
            diagnosis = evidence.diagnose()
            conversation += engine.conversation
            recognised = known.recognised(_asked(plan))
            conforms = exit_status(tally, conversation, recognised) == 0
            departs = tally.cases(Verdict.FAIL) or recognised.stale
            verdict = "pass" if conforms else "fail" if departs else "error"
        finally:
            seconds = time.monotonic() - began
            report.rules(tally)
            report.diagnosis(diagnosis)
            report.breakdowns(conversation)
            report.footer(
                verdict=verdict,
                seconds=round(seconds, 3),
                restarts=conversation.restarts,
                stale=[str(one) for one in recognised.stale],
            )
    rulings = subject.rulings
    return Checked(engine.hello, rulings, tally, diagnosis, recognised, conversation, seconds)


def exit_status(tally: Tally, conversation: Conversation, known: Recognised) -> int:
    """Return the exit status of a check.

    An engine that broke down never conforms, unless it is known where it does; and a list of
    known failures must be true.
    """
    unknown_breakdowns = conversation.restarts > known.breakdowns
    return max(tally.exit_status(), 1 if unknown_breakdowns or known.stale else 0)


def _asked(plan: Plan) -> Asked:
    limited = bool(plan.cases or plan.rules)
    everything = not limited and set(USUAL_LEVELS) <= {"smoke", *plan.levels}
    return Asked(everything, () if limited else {"smoke", *plan.levels}, plan.cases)


def _engine(plan: Plan, report: Report) -> Engine:
    """Return the engine, started; the header of the report is written in any case."""
    try:
        engine = Engine(program(plan.found.command, plan.timeout), _choose(plan))
    except (Unusable, KeyboardInterrupt):
        report.header(**_header(plan, plan.edition.rulings))
        raise
    report.header(**_header(plan, _rulings(plan, engine.hello)))
    return engine


def _header(plan: Plan, judged: Rulings) -> dict[str, object]:
    return {
        "engine": plan.found.label,
        "edition": plan.edition.name,
        "rulings": ruling_values(judged),
        "as_declared": plan.as_declared,
        "levels": list(plan.levels),
        "suite": version("pickomino-spec"),
        "protocol": PROTOCOL,
    }


def _choose(plan: Plan) -> Callable[[Hello], dict[str, str] | None]:
    if plan.as_declared:
        return lambda _: None
    return configuration(plan.edition.rulings)


def _rulings(plan: Plan, hello: Hello) -> Rulings:
    return as_declared(plan.edition.rulings, hello) if plan.as_declared else plan.edition.rulings


def _outcomes(
    plan: Plan, subject: Subject
) -> Generator[Outcome | Counted | Conversation, None, None]:
    """Yield the outcomes of all levels; the probes first, since they may poison the rest."""
    failed: list[str] = []
    for outcome in smoke.run(subject):
        if outcome.verdict in (Verdict.FAIL, Verdict.ERROR):
            failed.append(outcome.id.removeprefix("smoke/"))
        if not plan.cases or outcome.id in plan.cases:
            yield outcome
    if _asks(plan, "features", CHAPTERS):
        # The suite runs in a process of its own, with an engine process of its own.
        subject.engine.close()
        wanted = features.Run(
            engine=plan.found.option,
            rulings=subject.rulings,
            as_declared=plan.as_declared,
            timeout=plan.timeout,
            cases=plan.cases,
            failed_probes=failed,
        )
        yield from features.run(wanted)
    probes = smoke.named(failed)
    if _asks(plan, "turns", ("turns",)):
        yield from turns.run(subject, probes, plan.cases)
    if _asks(plan, "tables", ("tables",)):
        yield from _tables(plan, subject, probes)
    if _asks(plan, "refusals", ("refusals",)):
        yield from refusals.run(subject, probes, plan.cases)
    if _asks(plan, "games", ("games",)):
        number = plan.number_of_games
        yield from games.run(subject, probes, plan.cases, seed=plan.seed, number=number)


def _tables(
    plan: Plan, subject: Subject, failed: Sequence[smoke.Probe]
) -> Iterator[Outcome | Counted]:
    """Yield the outcomes of level `tables`: of every table, or of a sample."""
    complete = plan.every_table and plan.found.option == REFERENCE
    known = [case for case in plan.cases if tables.work_of(case)] if complete else []
    if complete and (known or not plan.cases):
        yield from tables.run(processes=PROCESSES, only=known)
    if not complete or len(known) < len(plan.cases):
        yield from covering.run(subject, failed, plan.cases)


def _asks(plan: Plan, level: str, prefixes: Sequence[str]) -> bool:
    """Whether the plan has cases of this level, whose ids begin with one of the prefixes."""
    if level not in plan.levels:
        return False
    return not plan.cases or any(case.split("/")[0] in prefixes for case in plan.cases)
