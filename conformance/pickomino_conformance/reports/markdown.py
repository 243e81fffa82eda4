"""A summary in Markdown, short enough for a pull request."""

import re
from collections.abc import Iterator, Sequence

from pickomino_conformance.cases import Verdict
from pickomino_conformance.findings import (
    UNEXPLAINED,
    Findings,
    Shown,
    number,
    tell_breakdown,
    tell_diagnosis,
)
from pickomino_conformance.terminal import printable

MARKS = {0: "✅", 1: "❌", 2: "⚠️"}
# A comment on a pull request holds 65,536 characters.
MOST_SHOWN = 25
LONGEST = 700

# What means something in the middle of a line of Markdown, or makes a link of a bare word.
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$#@]|:(?=//)|(?<=www)\.|(?<=gh)-", re.IGNORECASE)
_INVISIBLE = "&#8203;"


def plain(text: str) -> str:
    """Return a text that Markdown shows as it is: no markup, no link, nobody is called."""
    cut = printable(text)
    if len(cut) > LONGEST:
        cut = cut[:LONGEST] + "…"
    return _SPECIAL.sub(_escaped, cut)


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    # A mention and the number of an issue are looked for in the text that is shown.
    return f"&#{ord(char)};" + (_INVISIBLE if char in "@#-" else "")


def render(findings: Findings) -> str:
    """Return what a check found as Markdown."""
    head = f"{MARKS[findings.exit_status]} {plain(findings.engine)}: {plain(findings.conclusion)}"
    parts = [
        f"## {head}",
        f"Judged by {plain(findings.judged_by)}.\n{plain(findings.count)}",
        *_diagnosis(findings),
        *_cases("Departures", findings.departures),
        *_cases("Errors", findings.errors),
        *_cases("Unsettled: no source tells what must come", findings.unsettled),
        *_breakdowns(findings),
        *_known(findings),
        *_not_judged(findings),
        *(f"> {plain(remark)}" for remark in findings.remarks),
        _levels(findings),
    ]
    return "\n\n".join(parts) + "\n"


def _diagnosis(findings: Findings) -> Iterator[str]:
    diagnosis = findings.diagnosis
    if not diagnosis.departures:
        return
    lines = [
        f"- **{plain(fault.name)}** ({plain(', '.join(fault.rules))}; "
        f"{number(fault.explains, 'departure')})"
        for fault in diagnosis.faults
    ]
    yield f"### Diagnosis\n\n{plain(tell_diagnosis(findings))}"
    if lines:
        yield "\n".join(lines)


def _cases(title: str, cases: Sequence[Shown]) -> Iterator[str]:
    if not cases:
        return
    rows = [
        (
            "<br>".join(plain(rule) for rule in shown.rules),
            str(shown.cases),
            f"{plain(shown.outcome.id)}: {plain(shown.told)}"
            + (f" ({UNEXPLAINED})" if shown.unexplained else ""),
            plain(shown.expected),
            plain(shown.came),
        )
        for shown in cases[:MOST_SHOWN]
    ]
    yield f"### {title}"
    yield _table(("rule", "cases", "the smallest", "expected", "came"), rows)
    if len(cases) > MOST_SHOWN:
        yield f"And {len(cases) - MOST_SHOWN} more."


def _breakdowns(findings: Findings) -> Iterator[str]:
    if findings.breakdowns:
        yield "### Breakdowns"
        yield "\n".join(f"- {plain(tell_breakdown(one))}" for one in findings.breakdowns)


def _known(findings: Findings) -> Iterator[str]:
    known = findings.known
    if known.covered:
        rows = [
            (plain(str(one.entry)), str(one.cases), plain(one.entry.reason), plain(one.entry.link))
            for one in known.covered
        ]
        yield "### Known"
        yield _table(("entry", "cases", "reason", "link"), rows)
    if known.stale:
        yield "### Stale entries in the list of known failures"
        yield "\n".join(f"- {plain(str(one))}" for one in known.stale)


def _not_judged(findings: Findings) -> Iterator[str]:
    if findings.reasons:
        yield "### Not judged"
        yield "\n".join(
            f"- {number(one.cases, 'case')} {plain(str(one.verdict))}: {plain(one.text)}"
            for one in findings.reasons
        )


def _levels(findings: Findings) -> str:
    shown = [one for one in Verdict if any(counts.get(one) for counts in findings.levels.values())]
    rows = [
        (plain(level), *(str(counts.get(one, 0)) for one in shown))
        for level, counts in findings.levels.items()
    ]
    return "### Cases\n\n" + _table(("level", *map(str, shown)), rows)


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
