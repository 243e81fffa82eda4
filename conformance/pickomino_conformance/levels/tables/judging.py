"""What came of the cases of level `tables`, and why one did not pass."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from types import SimpleNamespace
from typing import NamedTuple, cast

from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.levels.tables.laying import (
    LEVEL,
    MOST_SHOWN,
    ClaimCase,
    FailedTurn,
)
from pickomino_conformance.protocol import TurnResult
from pickomino_conformance.subject import describe_differences, differences
from pickomino_conformance.tables import table_message
from pickomino_reference import (
    Position,
    Rule,
    Rulings,
)


@dataclass(slots=True)
class Judged:
    """What came of some cases.

    Attributes:
        counts: how many cases came to a verdict, by the rule that they count for.
        shown: those that did not pass, at most 100 a rule and verdict.
    """

    counts: Counter[tuple[Rule, Verdict]] = field(default_factory=Counter)
    shown: list[Outcome] = field(default_factory=list)

    def credit(self, shows: Rule, cases: int) -> None:
        """Count cases as passed for the rule that they show; what departs is taken back."""
        self.counts[shows, Verdict.PASS] += cases

    def depart(self, shows: Rule, case: FailedTurn | ClaimCase, departed: "Departed") -> None:
        """Count a case that did not pass for the rule that is to blame."""
        rule, verdict, message = departed
        self.counts[shows, Verdict.PASS] -= 1
        self.counts[rule, verdict] += 1
        if self.counts[rule, verdict] <= MOST_SHOWN:
            told, request = f"{case.sentence()}. {message}", case.request()
            self.shown.append(Outcome(case.id, LEVEL, (str(rule),), verdict, told, (request,)))

    def outcomes(self) -> Iterator["Counted"]:
        """Yield the departures that are shown, then the other cases, shared by their rules."""
        others = Counter(self.counts)
        shared: dict[tuple[Rule, Verdict], Outcome] = {}
        for outcome in self.shown:
            key = (Rule(outcome.rules[0]), outcome.verdict)
            others[key] -= 1
            shared.setdefault(key, outcome)
            yield Counted(outcome, 1)
        for (rule, verdict), cases in others.items():
            if cases:
                plain = Outcome("", LEVEL, (str(rule),), verdict)
                yield Counted(shared.get((rule, verdict), plain), cases)


class Counted(NamedTuple):
    """An outcome, and how many cases came out so."""

    outcome: Outcome
    cases: int


class Departed(NamedTuple):
    """Why a case did not pass: the rule to blame, the verdict, what was expected and came."""

    rule: Rule
    verdict: Verdict
    message: str


def broke(rule: Rule, error: Exception) -> Departed:
    """Return the departure of a reference that raised."""
    return Departed(rule, Verdict.ERROR, f"The reference broke down: {error!r}.")


def left_otherwise(
    rule: Rule, expected: Position, came: Position | Exception, rulings: Rulings
) -> Departed:
    """Return the departure of a turn that left something else."""
    if isinstance(came, Exception):
        return broke(rule, came)
    answer = TurnResult(table_message(came.table, rulings))
    found = differences(expected.table, answer, rulings)
    if came.table[:3] == expected.table[:3]:
        # Every tile lies where it must.
        passes = came.table.player != expected.table.player
        rule = Rule.FAILING_PASSES if passes else Rule.STEALING_STEAL_BACK
    words = found or {"position": (str(expected), str(came))}
    return Departed(rule, Verdict.FAIL, describe_differences(words))


def only(**rulings: StrEnum) -> Rulings:
    """Return a stand-in that tells these rulings and no other.

    With it the reference is asked once for all combinations that have these values: a ruling
    that is not looked at can't matter. One that is looked at though it is not told makes the
    reference break down, and then each combination is asked for itself.
    """
    return cast("Rulings", SimpleNamespace(**rulings))
