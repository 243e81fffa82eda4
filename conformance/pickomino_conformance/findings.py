"""What a check found, ready to be told: on a terminal, in Markdown, JUnit or HTML."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from pickomino_conformance.by_reference import (
    NAMES,
    NotOfTheGame,
    expected_reply,
    read_params,
    tell_reply,
    up_to_the_departure,
)
from pickomino_conformance.cases import Outcome, Restart, Verdict
from pickomino_conformance.check import Checked, Plan
from pickomino_conformance.diagnosis import Diagnosis
from pickomino_conformance.known_failures import Recognised
from pickomino_conformance.protocol import CAPABILITIES
from pickomino_conformance.scenarios import Untold, scenario
from pickomino_conformance.subject import declared_rulings, unknown_rulings
from pickomino_conformance.tally import Tally, size
from pickomino_reference import Rulings, ruling_values
from pickomino_reference.editions import unknown

LONGEST_NAME = 80
MOST_UNEXPLAINED = 8
PROBES = "smoke"
UNEXPLAINED = "no fault of the catalogue explains this"
# What a rule's cases are counted against: those that were asked, and answered somehow.
ANSWERED = (Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.UNSETTLED, Verdict.KNOWN)
UNJUDGED = (Verdict.NOT_REACHED, Verdict.UNSUPPORTED, Verdict.NOT_APPLICABLE)


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
    counts: dict[Verdict, int]

    @property
    def asked(self) -> int:
        """How many of its cases were asked, and answered somehow."""
        return sum(self.counts.get(verdict, 0) for verdict in ANSWERED)


@dataclass(frozen=True, slots=True)
class Shown:
    """The smallest case of one verdict, for the rules that share it.

    Attributes:
        outcome: the case.
        rules: the rules of which it is the smallest.
        cases: how many cases of these rules there are.
        told: the case as a sentence.
        expected: what must come, in words; empty if the message tells it all.
        came: what came, in words.
        gherkin: the case as a scenario; empty if there are no steps for it.
        unexplained: whether no fault of the catalogue explains it.
    """

    outcome: Outcome
    rules: tuple[str, ...]
    cases: int
    told: str
    expected: str
    came: str
    gherkin: str
    unexplained: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """Why cases were not judged.

    Attributes:
        verdict: `unsupported` or `not-reached`.
        text: the reason, in words.
        cases: how many there are.
    """

    verdict: Verdict
    text: str
    cases: int


@dataclass(frozen=True, slots=True)
class Findings:
    """All that is told of a check.

    Attributes:
        engine: name and version, as the engine tells them.
        label: what was asked for on the command line.
        edition: the edition's name.
        judged_by: the edition or the declared rulings, in words.
        rulings: the value of every ruling.
        exit_status: as the command line ends.
        conclusion: what is to be said of the engine, in a sentence.
        count: how many rules hold, are broken, and so on, in a sentence.
        seconds: how long it took.
        only: the rules that were asked for, if not all.
        rules: every rule.
        levels: the number of cases by level and verdict.
        cells: the number of cases by level and rule, and verdict.
        smallest: the smallest case by level, rule and verdict.
        listed: every case of the levels whose cases are made by hand.
        diagnosis: the faults that explain the departures.
        departures, errors, unsettled: the smallest cases; of departures that no fault explains
            the smallest, too.
        breakdowns: those that no case tells of, since it was answered when asked once more.
        known: what came of the failures that are known.
        reasons: why cases were not judged.
        lacking: the capabilities that the engine lacks.
        remarks: what else is to be said of the conversation.
    """

    engine: str
    label: str
    edition: str
    judged_by: str
    rulings: dict[str, str]
    exit_status: int
    conclusion: str
    count: str
    seconds: float
    only: tuple[str, ...]
    rules: tuple[RuleFound, ...]
    levels: dict[str, dict[Verdict, int]]
    cells: dict[tuple[str, str], dict[Verdict, int]]
    smallest: dict[tuple[str, str, Verdict], Outcome]
    listed: tuple[Outcome, ...]
    diagnosis: Diagnosis
    departures: tuple[Shown, ...]
    errors: tuple[Shown, ...]
    unsettled: tuple[Shown, ...]
    breakdowns: tuple[Restart, ...]
    known: Recognised
    reasons: tuple[Reason, ...]
    lacking: tuple[str, ...]
    remarks: tuple[str, ...]


def find(plan: Plan, checked: Checked) -> Findings:
    """Return what a check found."""
    tally, rulings = checked.tally, checked.rulings
    departures = sorted(
        _shown(tally, Verdict.FAIL, rulings),
        key=lambda one: _likely_root(one, checked.diagnosis),
    )
    return Findings(
        engine=engine_name(checked),
        label=plan.found.label,
        edition=plan.edition.name,
        judged_by=_judged_by(plan, checked),
        rulings=ruling_values(rulings),
        exit_status=checked.exit_status,
        conclusion=_conclusion(checked),
        count=_count(tally),
        seconds=checked.seconds,
        only=_only(plan, tally),
        rules=tuple(
            RuleFound(rule, rule.partition(".")[0], tally.verdict(rule), dict(counts))
            for rule, counts in tally.rules.items()
        ),
        levels={level: dict(counts) for level, counts in tally.levels.items()},
        cells={cell: dict(counts) for cell, counts in tally.cells.items()},
        smallest=dict(tally.smallest_in),
        listed=tuple(tally.listed),
        diagnosis=checked.diagnosis,
        departures=tuple(_with_unexplained(departures, checked)),
        errors=tuple(_shown(tally, Verdict.ERROR, rulings)),
        unsettled=tuple(_shown(tally, Verdict.UNSETTLED, rulings)),
        breakdowns=tuple(_untold_breakdowns(checked)),
        known=checked.known,
        reasons=tuple(
            Reason(verdict, text, cases)
            for (verdict, text), cases in sorted(tally.reasons.items(), key=lambda one: -one[1])
        ),
        lacking=tuple(one for one in CAPABILITIES if one not in checked.hello.capabilities),
        remarks=tuple(_remarks(checked)),
    )


def engine_name(checked: Checked) -> str:
    """Return name and version as the engine tells them, cut if they are long."""
    name = f"{checked.hello.name} {checked.hello.version}".strip()
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…"


def number(count: int, noun: str) -> str:
    """Return `1 case`, `2 cases`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def tell_diagnosis(findings: Findings) -> str:
    """Return how far the diagnosis goes, in a few sentences; empty if nothing departs."""
    if not findings.diagnosis.departures:
        return ""
    told = _explained(findings.diagnosis)
    failed = [
        outcome.id
        for outcome in findings.listed
        if outcome.level == PROBES and outcome.verdict in (Verdict.FAIL, Verdict.KNOWN)
    ]
    not_reached = sum(counts.get(Verdict.NOT_REACHED, 0) for counts in findings.levels.values())
    if not failed or not not_reached:
        return told
    return (
        f"{told.rstrip('.')}. Further faults may be hidden behind {', '.join(failed)}: "
        f"{number(not_reached, 'case')} could not be reached."
    )


def tell_breakdown(restart: Restart) -> str:
    """Return how an engine broke down, and on what, in a few sentences."""
    asked = ", ".join(filter(None, (restart.method, " ".join(restart.rolls))))
    words = f" Its last words: {restart.last_words}" if restart.last_words else ""
    again = "answered" if restart.answered else "not answered"
    return f"{asked or 'the start'}: {restart.reason}; asked once more, it was {again}.{words}"


def _explained(diagnosis: Diagnosis) -> str:
    looked_at = number(diagnosis.departures, "departure")
    faults = number(len(diagnosis.faults), "fault")
    if not diagnosis.faults:
        return f"No fault of the catalogue explains any of the {looked_at} looked at."
    verb = "explains" if len(diagnosis.faults) == 1 else "explain"
    told = f"{faults} {verb} {diagnosis.explained} of the {looked_at} looked at"
    unexplained = diagnosis.unexplained
    if not unexplained:
        return f"{told}."
    more = ", …" if len(unexplained) > MOST_UNEXPLAINED else ""
    return f"{told}. Unexplained: {', '.join(unexplained[:MOST_UNEXPLAINED])}{more}"


def _judged_by(plan: Plan, checked: Checked) -> str:
    edition = f"{plan.edition.name} ({plan.edition.title})"
    if not plan.as_declared:
        return edition
    declared = [
        f"{ruling} = {values[0]}" for ruling, values in declared_rulings(checked.hello).items()
    ]
    if not declared:
        return f"{edition}, since it declares no rulings"
    return f"the rulings that it declares ({', '.join(declared)}), else by {edition}"


def _only(plan: Plan, tally: Tally) -> tuple[str, ...]:
    """Return the rules that were asked for; empty for all."""
    if plan.rules:
        return tuple(plan.rules)
    return tuple(one for one, counts in tally.rules.items() if counts) if plan.cases else ()


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
    """Return a case with its message in parts, and as a scenario."""
    told, expects, due = outcome.message.partition(" Expected: ")
    if expects:
        expected, _, came = due.partition(" Came: ")
    else:
        told, comes, came = outcome.message.partition(" Came: ")
        expected = _expected(outcome, rulings) if comes else ""
    try:
        gherkin = scenario(outcome, rulings)
    except Untold:
        gherkin = ""
    return Shown(outcome, of_rules or outcome.rules, cases, told, expected, came, gherkin)


def _expected(outcome: Outcome, rulings: Rulings) -> str:
    """Return what the reference answers to the last request; empty if it can't be told."""
    if not outcome.exchanges:
        return ""
    names = NAMES if outcome.level == "features" else ()
    try:
        last = up_to_the_departure(outcome.exchanges, rulings)[-1]
        reply = expected_reply(read_params(last), rulings)
    except (msgspec.ValidationError, NotOfTheGame):
        return ""
    return f"{tell_reply(reply, names)}."


def _likely_root(shown: Shown, diagnosis: Diagnosis) -> tuple[int, int, int]:
    """Return what comes first: the fault that explains most, then what breaks fewest rules."""
    faults = [place for place, fault in enumerate(diagnosis.faults) if _part(shown, fault.rules)]
    rolls = sum(len(one.params.get("rolls", ())) for one in shown.outcome.exchanges)
    return min(faults, default=len(diagnosis.faults)), len(shown.outcome.rules), rolls


def _with_unexplained(departures: Sequence[Shown], checked: Checked) -> Iterator[Shown]:
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
        smallest = min(others, key=size, default=None)
        if smallest is None or smallest.id in done:
            continue
        done.add(smallest.id)
        of_rules = tuple(rule for rule in shown.rules if rule in smallest.rules)
        told = show(smallest, checked.rulings, of_rules, len(others))
        yield replace(told, unexplained=True)


def _untold_breakdowns(checked: Checked) -> Iterator[Restart]:
    """Yield the breakdowns that no case tells of."""
    told = checked.tally.cases(Verdict.ERROR, Verdict.KNOWN)
    for restart in checked.conversation.breakdowns:
        if restart.answered or not told:
            yield restart


def _part(shown: Shown, of_fault: tuple[str, ...]) -> bool:
    return not set(shown.rules).isdisjoint(of_fault)


def _remarks(checked: Checked) -> Iterator[str]:
    passed_over, restarts = checked.conversation.passed_over, checked.conversation.restarts
    if passed_over:
        yield (
            f"Passed over: {number(passed_over, 'line')} on the engine's stdout that began with "
            "no {; logs belong on stderr."
        )
    if restarts:
        times = "once" if restarts == 1 else f"{restarts} times"
        yield f"The engine broke down and was started anew {times}."
    for ruling in unknown_rulings(checked.hello):
        yield f"The engine declares {ruling}, which the specification does not know."
    for capability in checked.hello.capabilities:
        if capability not in CAPABILITIES:
            yield f"The engine claims {unknown('capability', capability, CAPABILITIES)}"


def _count(tally: Tally) -> str:
    counts = {
        "hold": tally.with_verdict(Verdict.PASS),
        "broken": tally.with_verdict(Verdict.FAIL),
        "in error": tally.with_verdict(Verdict.ERROR),
        "known to fail": tally.with_verdict(Verdict.KNOWN),
        "unsettled": tally.with_verdict(Verdict.UNSETTLED),
        "not judged": tally.with_verdict(*UNJUDGED),
    }
    hold = len(counts.pop("hold"))
    if not counts["known to fail"]:
        counts.pop("known to fail")
    others = ", ".join(f"{name}: {len(found)}" for name, found in counts.items())
    return f"Of {len(tally.rules)} rules {hold} hold; {others}."


def _conclusion(checked: Checked) -> str:
    tally, status = checked.tally, checked.exit_status
    if status == 2:
        return "The engine could not be judged."
    if tally.cases(Verdict.FAIL):
        return "The engine departs."
    if status == 1:
        if checked.known.stale and not tally.cases(Verdict.ERROR):
            return "The list of known failures is stale."
        return "The engine erred."
    unjudged = tally.with_verdict(*UNJUDGED)
    known = ", but for what is known" if tally.cases(Verdict.KNOWN) else ""
    if not unjudged:
        return f"The engine conforms{known}."
    judged = len(tally.rules) - len(unjudged)
    return f"The engine conforms in what was judged, {judged} of {len(tally.rules)} rules{known}."
