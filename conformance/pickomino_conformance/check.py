"""A check: the levels one after another, every outcome tallied and reported."""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import msgspec

from pickomino_conformance.cases import Level, Outcome, Verdict, Wanted, smoke
from pickomino_conformance.cases.games import GAMES, SEED
from pickomino_conformance.cases.registry import LEVELS
from pickomino_conformance.diagnose import Diagnosis, Evidence
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.known_failures import Known, KnownFailures, Recognised, Scope
from pickomino_conformance.protocol.conversation import Conduct, Conversation
from pickomino_conformance.protocol.finding import EngineCommand
from pickomino_conformance.protocol.messages import PROTOCOL, Hello
from pickomino_conformance.protocol.translate import as_declared, configuration
from pickomino_conformance.report.jsonl import Report
from pickomino_conformance.report.model import Tally, exit_status
from pickomino_conformance.report.replay import Folder
from pickomino_conformance.specification import rules
from pickomino_reference import Edition, Rulings, ruling_values

NAMES = tuple(level.name for level in LEVELS)
PROBES = LEVELS[0]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be checked, and how.

    Attributes:
        command: the engine.
        edition: what it is judged by.
        as_declared: whether the rulings that it declares come before those of the edition.
        levels: the names of the levels to run; the probes run first in any case.
        cases: the ids of the only cases to be asked; empty for all.
        rules: the ids of the only rules whose cases count; empty for all.
        seed: what the random games are drawn by.
        number_of_games: how many of them are played.
        timeout: the longest wait for an answer, in seconds.
        report: where the report for machines goes, if anywhere.
        case_folder: where the failures go as case files, if anywhere.
        known: the failures that are known, and do not count.
    """

    command: EngineCommand
    edition: Edition
    as_declared: bool = False
    levels: Sequence[str] = NAMES
    cases: Sequence[str] = ()
    rules: Sequence[str] = ()
    seed: int = SEED
    number_of_games: int = GAMES
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
        conduct: how the engine behaved, apart from its answers.
        seconds: how long it took.
    """

    hello: Hello
    rulings: Rulings
    tally: Tally
    diagnosis: Diagnosis
    known: Recognised
    conduct: Conduct
    seconds: float

    @property
    def exit_status(self) -> int:
        """0 if the engine conforms, 1 if it departs or broke down, 2 if nothing was judged."""
        return exit_status(self.tally, self.conduct, self.known)


def run(
    plan: Plan,
    watch: Callable[[str, int], None] = lambda *_: None,
    begin: Callable[[Hello], None] = lambda _: None,
) -> Checked:
    """Check an engine and return what was found.

    `begin` is told what the engine says of itself, before anything else is asked.
    `watch` is told, now and then, the level under way and how many of its cases are done.

    Raises:
        Unusable: the engine does not start, or does not say hello; the report says so.
        OSError: the report or the case files can't be written.
    """
    began = time.monotonic()
    tally, conduct, diagnosis = Tally(rules()), Conduct(), Diagnosis()
    known, recognised = KnownFailures(plan.known), Recognised()
    folder = Folder(plan.case_folder) if plan.case_folder else None
    with Report(plan.report) as report:
        verdict = "error"
        try:
            with _conversation(plan, report) as conversation, ExitStack() as at_last:
                begin(conversation.hello)
                engine = EngineUnderTest(conversation, _rulings(plan, conversation.hello))
                evidence = Evidence(engine.rulings, chooses=engine.chooses)
                # Interrupted here, the level under way is ended, too, with all that it started.
                for found in at_last.enter_context(closing(_outcomes(plan, engine))):
                    outcome = evidence.look(found)
                    if plan.rules and not set(plan.rules).intersection(outcome.rules):
                        continue
                    outcome = known.look(outcome)
                    tally.add(outcome)
                    if report.case(outcome) and folder:
                        folder.write(outcome, engine.hello.name, plan.edition.name, engine.rulings)
                    watch(outcome.level, tally.levels[outcome.level].total())
            for level, counts in tally.levels.items():
                report.level(level, counts)
            diagnosis = evidence.diagnose()
            conduct = conversation.conduct
            recognised = known.recognised(_asked(plan))
            conforms = exit_status(tally, conduct, recognised) == 0
            departs = tally.cases(Verdict.FAIL) or recognised.stale
            verdict = "pass" if conforms else "fail" if departs else "error"
        finally:
            seconds = time.monotonic() - began
            report.rules(tally)
            report.write("diagnosis", msgspec.to_builtins(diagnosis))
            report.breakdowns(conduct)
            end = {
                "verdict": verdict,
                "seconds": round(seconds, 3),
                "restarts": conduct.restarts,
                "stale": [str(one) for one in recognised.stale],
            }
            report.write("footer", end)
    return Checked(engine.hello, engine.rulings, tally, diagnosis, recognised, conduct, seconds)


def _asked(plan: Plan) -> Scope:
    limited = bool(plan.cases or plan.rules)
    ran = {PROBES.name, *plan.levels}
    return Scope(not limited and ran.issuperset(NAMES), () if limited else ran, plan.cases)


def _conversation(plan: Plan, report: Report) -> Conversation:
    """Return the conversation with the engine; the report's header is written in any case."""
    rulings = plan.edition.rulings
    choose = (lambda _: None) if plan.as_declared else configuration(rulings)
    try:
        conversation = Conversation(plan.command.launcher(plan.timeout), choose)
        rulings = _rulings(plan, conversation.hello)
    finally:
        header = {
            "engine": plan.command.label,
            "edition": plan.edition.name,
            "rulings": ruling_values(rulings),
            "as_declared": plan.as_declared,
            "levels": list(plan.levels),
            "suite": version("pickomino-spec"),
            "protocol": PROTOCOL,
        }
        report.write("header", header)
    return conversation


def _rulings(plan: Plan, hello: Hello) -> Rulings:
    return as_declared(plan.edition.rulings, hello) if plan.as_declared else plan.edition.rulings


def _outcomes(plan: Plan, engine: EngineUnderTest) -> Generator[Outcome, None, None]:
    """Yield the outcomes of all levels; the probes first, since they may poison the rest."""
    only = frozenset(plan.cases)
    probed = []
    for outcome in PROBES.run(engine, Wanted()):
        probed.append(outcome)
        if not only or outcome.id in only:
            yield outcome
    wanted = Wanted(smoke.failed_probes(probed), only, plan.seed, plan.number_of_games)
    for level in LEVELS[1:]:
        if _asks(plan, level):
            yield from level.run(engine, wanted)


def _asks(plan: Plan, level: Level) -> bool:
    """Whether the plan has cases of this level."""
    if level.name not in plan.levels:
        return False
    return not plan.cases or any(case.split("/")[0] in level.prefixes for case in plan.cases)
