"""The phrases that the reports share: what a check found, in sentences."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pickomino_conformance import words
from pickomino_conformance.cases import Outcome, Verdict, smoke
from pickomino_conformance.protocol.conversation import Reply, Restart
from pickomino_conformance.protocol.messages import CAPABILITIES, MOST_QUOTED, cut, quoted
from pickomino_conformance.protocol.translate import unknown_rulings
from pickomino_conformance.report.model import (
    UNJUDGED,
    Conclusion,
    Findings,
    Heading,
    Reason,
    Shown,
)
from pickomino_conformance.words import count
from pickomino_reference.editions import unknown

LONGEST_NAME = 80
MOST_UNEXPLAINED = 8
UNEXPLAINED = "no fault of the catalogue explains this"
TITLES = {
    "setup": "Setting up",
    "rolling": "Rolling",
    "claiming": "Claiming",
    "stealing": "Stealing",
    "failing": "Failing",
    "ending": "Ending",
}
_CONCLUSIONS = {
    Conclusion.NOT_JUDGED: "The engine could not be judged.",
    Conclusion.DEPARTS: "The engine departs.",
    Conclusion.ERRED: "The engine erred.",
    Conclusion.STALE: "The list of known failures is stale.",
}


def engine_name(name: str) -> str:
    """Return name and version as the engine tells them, cut if they are long."""
    return cut(name, LONGEST_NAME)


class Section(NamedTuple):
    """The smallest cases of one verdict, under their title."""

    name: str
    title: str
    verdict: Verdict
    cases: tuple[Shown, ...]


def sections(found: Findings) -> list[Section]:
    """Return the sections that have cases."""
    unsettled = "Unsettled: no source tells what must come"
    every = (
        Section("departures", "Departures", Verdict.FAIL, found.departures),
        Section("errors", "Errors", Verdict.ERROR, found.errors),
        Section("unsettled", unsettled, Verdict.UNSETTLED, found.unsettled),
    )
    return [one for one in every if one.cases]


class Told(NamedTuple):
    """A case in words, in sentences: what was asked (and why nothing came), and what came."""

    case: str
    expected: str
    came: str


def tell(
    outcome: Outcome,
    right: Reply | None = None,
    names: words.Names | None = None,
    most: int = MOST_QUOTED,
) -> Told:
    """Return a case in words.

    Args:
        outcome: the case, and what came of it.
        right: the reply that must come, if it is known.
        names: the names of the players; those of the case if not given.
        most: how many characters of what the engine says are told.
    """
    names = outcome.players if names is None else names
    found = outcome.differences
    parts = (words.tell_case(outcome, names), words.tell_reason(outcome, most), lesson(outcome))
    return Told(
        " ".join(words.sentence(part) for part in parts if part),
        words.sentence(words.tell_expected(found, names, right)),
        words.sentence(words.tell_came(found, names, most)),
    )


def message(outcome: Outcome) -> str:
    """Return a case, what must come and what came, and what to look at, in a few sentences."""
    return f"{words.message(outcome)} {lesson(outcome)}".strip()


def lesson(outcome: Outcome) -> str:
    """Return what the author of an adapter should look at; empty if it is no failed probe."""
    failed = outcome.verdict in (Verdict.FAIL, Verdict.ERROR, Verdict.KNOWN)
    return smoke.lesson(outcome.id) if failed else ""


def judged_by(heading: Heading) -> str:
    """Return by what an engine is judged."""
    edition = f"{heading.edition} ({heading.title})"
    if heading.declared is None:
        return edition
    if not heading.declared:
        return f"{edition}, since it declares no rulings"
    declared = ", ".join(f"{ruling} = {value}" for ruling, value in heading.declared.items())
    return f"the rulings that it declares ({declared}), else by {edition}"


def rules_counted(found: Findings) -> str:
    """Return how many rules hold, are broken, and so on, in a sentence."""
    counts = {
        "broken": found.tally.with_verdict(Verdict.FAIL),
        "in error": found.tally.with_verdict(Verdict.ERROR),
        "known to fail": found.tally.with_verdict(Verdict.KNOWN),
        "unsettled": found.tally.with_verdict(Verdict.UNSETTLED),
        "not judged": found.tally.with_verdict(*UNJUDGED),
    }
    if not counts["known to fail"]:
        counts.pop("known to fail")
    others = ", ".join(f"{name}: {len(rules)}" for name, rules in counts.items())
    hold = len(found.tally.with_verdict(Verdict.PASS))
    return f"Of {len(found.rules)} rules {hold} hold; {others}."


def conclusion(found: Findings) -> str:
    """Return what is to be said of the engine, in a sentence."""
    if found.conclusion in _CONCLUSIONS:
        return _CONCLUSIONS[found.conclusion]
    known = ", but for what is known" if found.tally.cases(Verdict.KNOWN) else ""
    if found.conclusion is Conclusion.CONFORMS:
        return f"The engine conforms{known}."
    judged = f"{len(found.rules) - len(found.tally.with_verdict(*UNJUDGED))} of {len(found.rules)}"
    return f"The engine conforms in what was judged, {judged} rules{known}."


def diagnosis(found: Findings) -> str:
    """Return how far the diagnosis goes, in a few sentences; empty if nothing departs."""
    if not found.diagnosis.departures:
        return ""
    told = _explained(found)
    not_reached = found.tally.cases(Verdict.NOT_REACHED)
    if not found.hidden_behind or not not_reached:
        return told
    return (
        f"{told.rstrip('.')}. Further faults may be hidden behind "
        f"{', '.join(found.hidden_behind)}: {count(not_reached, 'case')} could not be reached."
    )


def _explained(found: Findings) -> str:
    faults, unexplained = found.diagnosis.faults, found.diagnosis.unexplained
    looked_at = count(found.diagnosis.departures, "departure")
    if not faults:
        return f"No fault of the catalogue explains any of the {looked_at} looked at."
    verb = "explains" if len(faults) == 1 else "explain"
    explained = f"{verb} {found.diagnosis.explained} of the {looked_at} looked at"
    told = f"{count(len(faults), 'fault')} {explained}."
    if not unexplained:
        return told
    more = ", …" if len(unexplained) > MOST_UNEXPLAINED else ""
    return f"{told} Unexplained: {', '.join(unexplained[:MOST_UNEXPLAINED])}{more}"


def breakdown(restart: Restart, most: int = MOST_QUOTED) -> str:
    """Return how an engine broke down, and on what, in a few sentences."""
    asked = ", ".join(filter(None, (restart.method, " ".join(restart.rolls))))
    said = f" Its last words: {quoted(restart.last_words, most)}" if restart.last_words else ""
    again = "answered" if restart.answered else "not answered"
    return f"{asked or 'the start'}: {restart.reason}; asked once more, it was {again}.{said}"


def reason(one: Reason, most: int = MOST_QUOTED) -> str:
    """Return why cases were not judged, and how many."""
    told = cut(one.text, most) or "other reasons"
    return f"{count(one.cases, 'case')} {one.verdict}: {told}"


def remarks(found: Findings) -> Iterator[str]:
    """Yield what else is to be said of the engine, each in a sentence."""
    conduct = found.conduct
    if conduct.passed_over:
        yield (
            f"Passed over: {count(conduct.passed_over, 'line')} on the engine's stdout that began "
            "with no {; logs belong on stderr."
        )
    if conduct.restarts:
        times = "once" if conduct.restarts == 1 else f"{conduct.restarts} times"
        yield f"The engine broke down and was started anew {times}."
    for ruling in unknown_rulings(found.hello):
        yield f"The engine declares {quoted(ruling)}, which the specification does not know."
    for capability in found.hello.capabilities:
        if capability not in CAPABILITIES:
            known = unknown("capability", cut(capability, MOST_QUOTED), CAPABILITIES)
            yield f"The engine claims an unknown capability. {known}"


def counted(counts: Mapping[Verdict, int]) -> str:
    """Return `3 pass, 1 fail`: how many cases came to which verdict, the weightiest first."""
    return ", ".join(f"{counts[one]} {one}" for one in Verdict if counts.get(one))
