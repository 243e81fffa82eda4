"""What a check found, as data: counted as it comes (`Tally`), and put in order (`Findings`).

No sentence stands here: `phrases` and the renderers tell it to people.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, TypeVar

from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.cases.registry import LEVELS
from pickomino_conformance.cases.smoke import LEVEL as PROBES
from pickomino_conformance.cases.writing import Untold, scenario
from pickomino_conformance.diagnose import Diagnosis
from pickomino_conformance.known_failures import Recognised
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.conversation import Conduct, Reply, Restart
from pickomino_conformance.protocol.messages import CAPABILITIES, Hello
from pickomino_conformance.protocol.translate import declared_rulings
from pickomino_reference import Rulings, ruling_values

if TYPE_CHECKING:
    # A check counts by the tally of this module.
    from pickomino_conformance.check import Checked, Plan

JUDGED = (Verdict.PASS, Verdict.FAIL, Verdict.UNSETTLED, Verdict.KNOWN)
# What a rule's cases are counted against: those that were asked, and answered somehow.
ANSWERED = (*JUDGED, Verdict.ERROR)
UNJUDGED = (Verdict.NOT_REACHED, Verdict.UNSUPPORTED, Verdict.NOT_APPLICABLE)
# Of these the reason is told.
WITH_REASON = (Verdict.UNSUPPORTED, Verdict.NOT_REACHED)
# Levels whose cases are made by hand: few enough to be told one by one.
BY_HAND = frozenset(level.name for level in LEVELS if level.by_hand)
MOST_REASONS = 30
# So many departures of a level are kept, to be shown if nothing explains them.
MOST_DEPARTURES = 150

Counts = dict[Verdict, int]
_Key = TypeVar("_Key")


class ExitStatus(IntEnum):
    """How the command line ends."""

    CONFORMS = 0
    DEPARTS = 1
    NOT_JUDGED = 2
    HARNESS_FAILED = 3


class Conclusion(StrEnum):
    """What is to be said of an engine."""

    NOT_JUDGED = "not judged"
    DEPARTS = "departs"
    ERRED = "erred"
    STALE = "the list of known failures is stale"
    CONFORMS = "conforms"
    IN_PART = "conforms in what was judged"


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
        reasons: why cases were not judged, and how many; those beyond the first few have none.
    """

    def __init__(self, rules: Iterable[str]) -> None:
        self.rules: dict[str, Counter[Verdict]] = {rule: Counter() for rule in rules}
        self.levels: dict[str, Counter[Verdict]] = {}
        self.cells: dict[tuple[str, str], Counter[Verdict]] = {}
        self.smallest: dict[tuple[str, Verdict], Outcome] = {}
        self.smallest_in: dict[tuple[str, str, Verdict], Outcome] = {}
        self.listed: list[Outcome] = []
        self.departures: dict[str, Outcome] = {}
        self.reasons: Counter[tuple[Verdict, str]] = Counter()

    def add(self, outcome: Outcome, cases: int = 1) -> None:
        """Count an outcome, to which so many cases came."""
        verdict = outcome.verdict
        self.levels.setdefault(outcome.level, Counter())[verdict] += cases
        if outcome.level in BY_HAND:
            self.listed.append(outcome)
        if verdict is Verdict.FAIL and self.levels[outcome.level][verdict] <= MOST_DEPARTURES:
            self.departures[outcome.id] = outcome
        if verdict in WITH_REASON:
            key = (verdict, outcome.reason)
            many = key not in self.reasons and len(self.reasons) >= MOST_REASONS
            self.reasons[(verdict, "") if many else key] += cases
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


def _keep_smaller(kept: dict[_Key, Outcome], key: _Key, outcome: Outcome) -> None:
    other = kept.get(key)
    if other is None or outcome.size < other.size:
        kept[key] = outcome


def exit_status(tally: Tally, conduct: Conduct, known: Recognised) -> ExitStatus:
    """Return how a check ends.

    An engine that breaks down never conforms, save where that is known; the list must be true.
    """
    if not tally.cases(*JUDGED):
        return ExitStatus.NOT_JUDGED
    unknown_breakdowns = conduct.restarts > known.breakdowns
    wrong = tally.cases(Verdict.FAIL, Verdict.ERROR) or unknown_breakdowns or known.stale
    return ExitStatus.DEPARTS if wrong else ExitStatus.CONFORMS


@dataclass(frozen=True, slots=True)
class RuleFound:
    """A rule, its verdict, and how many of its cases came to which.

    Attributes:
        id: `chapter.name`.
        chapter: the chapter it stands in.
        verdict: the weightiest among its cases.
        counts: the number of cases by verdict.
    """

    id: str
    chapter: str
    verdict: Verdict
    counts: Counts

    @property
    def asked(self) -> int:
        """How many of its cases were asked, and answered somehow."""
        return sum(self.counts.get(verdict, 0) for verdict in ANSWERED)


@dataclass(frozen=True, slots=True)
class Shown:
    """The smallest case of one verdict, for the rules that share it.

    Attributes:
        outcome: the case, and what came of it.
        rules: the rules of which it is the smallest.
        cases: how many cases of these rules there are.
        right: the reply that must come; none if nothing was asked.
        gherkin: the case as a scenario; empty if there are no steps for it.
        unexplained: whether no fault of the catalogue explains it.
    """

    outcome: Outcome
    rules: tuple[str, ...]
    cases: int
    right: Reply | None
    gherkin: str
    unexplained: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """Why so many cases were not judged, as a clause; it is empty for those beyond the first."""

    verdict: Verdict
    text: str
    cases: int


@dataclass(frozen=True, slots=True)
class Heading:
    """Who is judged by what, known before anything is asked.

    Attributes:
        engine: name and version, as the engine tells them.
        edition, title: the edition by which it is judged.
        declared: the rulings that it declares, if it is judged by them; none if not.
    """

    engine: str
    edition: str
    title: str
    declared: dict[str, str] | None


@dataclass(frozen=True, slots=True)
class Findings:
    """All that is told of a check.

    Attributes:
        heading: who was judged by what.
        hello: all that the engine says of itself.
        conduct: how it behaved, apart from its answers.
        rulings: the value of every ruling.
        exit_status: as the command line ends.
        conclusion: what is to be said of the engine.
        seconds: how long it took.
        only: the rules that were asked for, if not all.
        rules: every rule.
        tally: the number of cases by level, rule and verdict, and the smallest of them.
        diagnosis: the faults that explain the departures.
        hidden_behind: the failed probes behind which more may be wrong.
        departures, errors, unsettled: the smallest cases, and the smallest unexplained ones.
        breakdowns: those that no case tells of, since it was answered when asked once more.
        known: what came of the failures that are known.
        reasons: why cases were not judged.
        lacking: the capabilities that the engine lacks.
    """

    heading: Heading
    hello: Hello
    conduct: Conduct
    rulings: dict[str, str]
    exit_status: ExitStatus
    conclusion: Conclusion
    seconds: float
    only: tuple[str, ...]
    rules: tuple[RuleFound, ...]
    tally: Tally
    diagnosis: Diagnosis
    hidden_behind: tuple[str, ...]
    departures: tuple[Shown, ...]
    errors: tuple[Shown, ...]
    unsettled: tuple[Shown, ...]
    breakdowns: tuple[Restart, ...]
    known: Recognised
    reasons: tuple[Reason, ...]
    lacking: tuple[str, ...]


def heading(plan: "Plan", hello: Hello) -> Heading:
    """Return who is judged by what."""
    declared = {ruling: values[0] for ruling, values in declared_rulings(hello).items()}
    return Heading(
        f"{hello.name} {hello.version}".strip(),
        plan.edition.name,
        plan.edition.title,
        declared if plan.as_declared else None,
    )


def find(plan: "Plan", checked: "Checked") -> Findings:
    """Return what a check found."""
    tally, hello, rulings = checked.tally, checked.hello, checked.rulings
    status = exit_status(tally, checked.conduct, checked.known)
    departures = sorted(
        _shown(tally, Verdict.FAIL, rulings), key=lambda one: _likely_root(one, checked.diagnosis)
    )
    only = tuple(one for one, counts in tally.rules.items() if counts) if plan.cases else ()
    return Findings(
        heading=heading(plan, hello),
        hello=hello,
        conduct=checked.conduct,
        rulings=ruling_values(rulings),
        exit_status=status,
        conclusion=_conclusion(checked, status),
        seconds=checked.seconds,
        only=tuple(plan.rules) or only,
        rules=tuple(
            RuleFound(rule, rule.partition(".")[0], tally.verdict(rule), dict(counts))
            for rule, counts in tally.rules.items()
        ),
        tally=tally,
        diagnosis=checked.diagnosis,
        hidden_behind=tuple(
            outcome.id
            for outcome in tally.listed
            if outcome.level == PROBES and outcome.verdict in (Verdict.FAIL, Verdict.KNOWN)
        ),
        departures=tuple(_with_unexplained(departures, checked)),
        errors=tuple(_shown(tally, Verdict.ERROR, rulings)),
        unsettled=tuple(_shown(tally, Verdict.UNSETTLED, rulings)),
        breakdowns=tuple(
            one
            for one in checked.conduct.breakdowns
            if one.answered or not tally.cases(Verdict.ERROR, Verdict.KNOWN)
        ),
        known=checked.known,
        reasons=tuple(
            Reason(verdict, text, cases) for (verdict, text), cases in tally.reasons.most_common()
        ),
        lacking=tuple(one for one in CAPABILITIES if one not in hello.capabilities),
    )


def _shown(tally: Tally, verdict: Verdict, rulings: Rulings) -> list[Shown]:
    """Return the smallest cases of a verdict, each with the rules that share it.

    In the place of a generated case stands the listed one that shows the same fault.
    """
    found: dict[str, tuple[Outcome, list[str]]] = {}
    listed = {outcome.id: outcome for outcome in tally.listed if outcome.verdict is verdict}
    for rule in tally.with_verdict(verdict):
        smallest = tally.smallest[rule, verdict]
        outcome = listed.get(smallest.listed, smallest)
        found.setdefault(outcome.id, (outcome, []))[1].append(rule)
    return [
        show(outcome, rulings, tuple(broken), sum(tally.rules[rule][verdict] for rule in broken))
        for outcome, broken in found.values()
    ]


def show(
    outcome: Outcome, rulings: Rulings, of_rules: tuple[str, ...] = (), cases: int = 1
) -> Shown:
    """Return a case with what must come of it, and as a scenario."""
    right = due(outcome.judged.ask, rulings).reply if outcome.judged else None
    return Shown(outcome, of_rules or outcome.rules, cases, right, gherkin(outcome, rulings))


def gherkin(outcome: Outcome, rulings: Rulings) -> str:
    """Return a case as a scenario; empty if there are no steps for it."""
    try:
        return scenario(outcome, rulings)
    except Untold:
        return ""


def _likely_root(shown: Shown, diagnosis: Diagnosis) -> tuple[int, int, int]:
    """Return what comes first: the fault that explains most, then what breaks fewest rules."""
    rules, faults = set(shown.rules), diagnosis.faults
    causes = [place for place, fault in enumerate(faults) if not rules.isdisjoint(fault.rules)]
    rolls, _ = shown.outcome.size
    return min(causes, default=len(faults)), len(shown.outcome.rules), rolls


def _with_unexplained(departures: Sequence[Shown], checked: "Checked") -> Iterator[Shown]:
    """Yield departures, each followed by the smallest of its rules that no fault explains."""
    ids = set(checked.diagnosis.unexplained)
    unexplained = [one for one in checked.tally.departures.values() if one.id in ids]
    done = {shown.outcome.id for shown in departures}
    for shown in departures:
        if shown.outcome.id in ids:
            yield replace(shown, unexplained=True)
            continue
        yield shown
        others = [one for one in unexplained if not set(shown.rules).isdisjoint(one.rules)]
        smallest = min(others, key=lambda one: one.size, default=None)
        if smallest is None or smallest.id in done:
            continue
        done.add(smallest.id)
        of_rules = tuple(rule for rule in shown.rules if rule in smallest.rules)
        yield replace(show(smallest, checked.rulings, of_rules, len(others)), unexplained=True)


def _conclusion(checked: "Checked", status: ExitStatus) -> Conclusion:
    tally = checked.tally
    if status is ExitStatus.NOT_JUDGED:
        return Conclusion.NOT_JUDGED
    if tally.cases(Verdict.FAIL):
        return Conclusion.DEPARTS
    if status is ExitStatus.DEPARTS:
        stale = checked.known.stale and not tally.cases(Verdict.ERROR)
        return Conclusion.STALE if stale else Conclusion.ERRED
    return Conclusion.IN_PART if tally.with_verdict(*UNJUDGED) else Conclusion.CONFORMS
