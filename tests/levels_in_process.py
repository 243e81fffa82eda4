"""Levels in this process: what an engine object of ours makes of them, and how that is counted."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from pickomino_conformance.cases import Outcome, Verdict, Wanted, smoke
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.translate import configuration
from pickomino_conformance.protocol.wire import InProcess
from pickomino_reference import Rulings, find_edition


def under_test(engine: object, edition: str | Rulings = "zoch-2005") -> EngineUnderTest:
    """Return an engine object of this process as the engine under test."""
    rulings = edition if isinstance(edition, Rulings) else find_edition(edition).rulings
    return EngineUnderTest(Conversation(lambda: InProcess(engine), configuration(rulings)), rulings)


def outcomes_of(
    level: Any, engine: object, edition: str | Rulings = "zoch-2005", **wanted: Any
) -> list[Outcome]:
    """Return what a level makes of an engine, after the probes; the last are options of `Wanted`.

    `failed` are the names of probes that are taken to have failed.
    """
    subject = under_test(engine, edition)
    list(smoke.run(subject, Wanted()))
    failed = frozenset(wanted.pop("failed", ()))
    probes = tuple(probe for probe in smoke.PROBES if probe.name in failed)
    only = frozenset(wanted.pop("only", ()))
    return list(level.run(subject, Wanted(failed=probes, only=only, **wanted)))


def verdicts(outcomes: Iterable[Outcome]) -> Counter[Verdict]:
    """Count the outcomes by verdict."""
    return Counter(one.verdict for one in outcomes)


def failures(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Return those that fail."""
    return [one for one in outcomes if one.verdict is Verdict.FAIL]


def broken(outcomes: Iterable[Outcome]) -> set[str]:
    """Return the rules that some outcome fails."""
    return {rule for one in failures(outcomes) for rule in one.rules}


def wrong_parts(outcomes: Iterable[Outcome]) -> set[str]:
    """Return the parts of answers in which some outcome differs."""
    return {found.part for one in outcomes for found in one.differences}
