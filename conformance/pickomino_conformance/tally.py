"""The tally of a check: verdicts by rule and by level, and the smallest failure of each rule."""

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from pickomino_conformance.cases import Outcome, Verdict

JUDGED = (Verdict.PASS, Verdict.FAIL, Verdict.UNSETTLED, Verdict.KNOWN)
NOT_JUDGED = (Verdict.UNSUPPORTED, Verdict.NOT_REACHED)
# Levels whose cases are made by hand: few enough to be listed one by one.
LISTED = ("smoke", "features")
MOST_REASONS = 30
OTHER_REASONS = "other reasons"
# So many departures of a level are kept, to be shown if nothing explains them.
MOST_DEPARTURES = 150


class Tally:
    """Counts outcomes as they come.

    Attributes:
        rules: how many cases of a rule came to which verdict.
        levels: how many cases of a level came to which verdict.
        cells: the same by level and rule.
        smallest: the smallest case of a rule that came to a verdict other than pass.
        smallest_in: the same by level.
        listed: every outcome of the levels whose cases are made by hand.
        departures: the first departures of each level, by their ids.
        reasons: why cases were not judged, and how many.
    """

    def __init__(self, rules: Iterable[str]) -> None:
        self.rules: dict[str, Counter[Verdict]] = {rule: Counter() for rule in rules}
        self.levels: dict[str, Counter[Verdict]] = {}
        self.cells: dict[tuple[str, str], Counter[Verdict]] = {}
        self.smallest: dict[tuple[str, Verdict], Outcome] = {}
        self.smallest_in: dict[tuple[str, str, Verdict], Outcome] = {}
        self.listed: list[Outcome] = []
        self.departures: dict[str, Outcome] = {}
        self.reasons: dict[tuple[Verdict, str], int] = {}

    def add(self, outcome: Outcome, cases: int = 1) -> None:
        """Count an outcome, to which so many cases came."""
        verdict = outcome.verdict
        self.levels.setdefault(outcome.level, Counter())[verdict] += cases
        if outcome.level in LISTED:
            self.listed.append(outcome)
        if verdict is Verdict.FAIL and self.levels[outcome.level][verdict] <= MOST_DEPARTURES:
            self.departures[outcome.id] = outcome
        if verdict in NOT_JUDGED:
            self._count_reason(outcome, cases)
        for rule in outcome.rules:
            self.rules.setdefault(rule, Counter())[verdict] += cases
            self.cells.setdefault((outcome.level, rule), Counter())[verdict] += cases
            if verdict is not Verdict.PASS:
                _keep_smaller(self.smallest, (rule, verdict), outcome)
                _keep_smaller(self.smallest_in, (outcome.level, rule, verdict), outcome)

    def verdict(self, rule: str) -> Verdict:
        """Return the verdict of a rule: the weightiest among its cases."""
        counts = self.rules[rule]
        return next((one for one in Verdict if counts[one]), Verdict.NOT_REACHED)

    def with_verdict(self, *verdicts: Verdict) -> list[str]:
        """Return the rules that have one of these verdicts."""
        return [rule for rule in self.rules if self.verdict(rule) in verdicts]

    def cases(self, *verdicts: Verdict) -> int:
        """Return how many cases came to one of these verdicts."""
        return sum(counts[one] for counts in self.levels.values() for one in verdicts)

    def exit_status(self) -> int:
        """Return 0 if the engine conforms, 1 if it departs, 2 if nothing could be judged."""
        if not self.cases(*JUDGED):
            return 2
        return 1 if self.cases(Verdict.FAIL, Verdict.ERROR) else 0

    def _count_reason(self, outcome: Outcome, cases: int) -> None:
        # The message tells the case first, then the reason.
        reason = outcome.message.rpartition(". ")[2].rstrip(".")
        key = (outcome.verdict, reason)
        if key not in self.reasons and len(self.reasons) >= MOST_REASONS:
            key = (outcome.verdict, OTHER_REASONS)
        self.reasons[key] = self.reasons.get(key, 0) + cases


_Key = TypeVar("_Key")


def _keep_smaller(kept: dict[_Key, Outcome], key: _Key, outcome: Outcome) -> None:
    other = kept.get(key)
    if other is None or size(outcome) < size(other):
        kept[key] = outcome


def size(outcome: Outcome) -> tuple[int, int]:
    """Return what makes a case small: few rolls, then few words."""
    rolls = sum(len(exchange.params.get("rolls", ())) for exchange in outcome.exchanges)
    return rolls, len(outcome.message)
