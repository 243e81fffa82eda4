"""The tally of a check: verdicts by rule and by level, and the smallest failure of each rule."""

from collections import Counter
from collections.abc import Iterable

from pickomino_conformance.cases import Outcome, Verdict

JUDGED = (Verdict.PASS, Verdict.FAIL, Verdict.UNSETTLED, Verdict.KNOWN)


class Tally:
    """Counts outcomes as they come."""

    def __init__(self, rules: Iterable[str]) -> None:
        self.rules: dict[str, Counter[Verdict]] = {rule: Counter() for rule in rules}
        self.levels: dict[str, Counter[Verdict]] = {}
        self.smallest: dict[tuple[str, Verdict], Outcome] = {}

    def add(self, outcome: Outcome, cases: int = 1) -> None:
        """Count an outcome, to which so many cases came."""
        verdict = outcome.verdict
        self.levels.setdefault(outcome.level, Counter())[verdict] += cases
        for rule in outcome.rules:
            self.rules.setdefault(rule, Counter())[verdict] += cases
            if verdict is not Verdict.PASS:
                self._keep_smallest(rule, outcome)

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

    def _keep_smallest(self, rule: str, outcome: Outcome) -> None:
        key = (rule, outcome.verdict)
        other = self.smallest.get(key)
        if other is None or _size(outcome) < _size(other):
            self.smallest[key] = outcome


def _size(outcome: Outcome) -> tuple[int, int]:
    """Return what makes a case small: few rolls, then few words."""
    rolls = sum(len(exchange.params.get("rolls", ())) for exchange in outcome.exchanges)
    return rolls, len(outcome.message)
