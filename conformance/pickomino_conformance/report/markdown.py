"""A summary in Markdown, short enough for a pull request."""

import re
from collections.abc import Iterator, Sequence

from pickomino_conformance.cases import Verdict
from pickomino_conformance.files import printable
from pickomino_conformance.report import phrases
from pickomino_conformance.report.model import ExitStatus, Findings
from pickomino_conformance.words import count

MARKS = {ExitStatus.CONFORMS: "✅", ExitStatus.DEPARTS: "❌", ExitStatus.NOT_JUDGED: "⚠️"}
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
    name, end = (
        plain(phrases.engine_name(findings.heading.engine)),
        plain(phrases.conclusion(findings)),
    )
    by = plain(phrases.judged_by(findings.heading))
    parts = [
        f"## {MARKS[findings.exit_status]} {name}: {end}",
        f"Judged by {by}.\n{phrases.rules_counted(findings)}",
        *_diagnosis(findings),
        *(part for section in phrases.sections(findings) for part in _cases(section)),
        *_breakdowns(findings),
        *_known(findings),
        *_not_judged(findings),
        *(f"> {plain(remark)}" for remark in phrases.remarks(findings)),
        _levels(findings),
    ]
    return "\n\n".join(parts) + "\n"


def _diagnosis(findings: Findings) -> Iterator[str]:
    diagnosis = findings.diagnosis
    if not diagnosis.departures:
        return
    lines = [
        f"- **{plain(fault.name)}** ({plain(', '.join(fault.rules))}; "
        f"{count(fault.explains, 'departure')})"
        for fault in diagnosis.faults
    ]
    yield f"### Diagnosis\n\n{plain(phrases.diagnosis(findings))}"
    if lines:
        yield "\n".join(lines)


def _cases(section: phrases.Section) -> Iterator[str]:
    cases = section.cases
    rows = [
        (
            "<br>".join(plain(rule) for rule in shown.rules),
            str(shown.cases),
            f"{plain(shown.outcome.id)}: {plain(told.case)}"
            + (f" ({phrases.UNEXPLAINED})" if shown.unexplained else ""),
            plain(told.expected),
            plain(told.came),
        )
        for shown in cases[:MOST_SHOWN]
        for told in [phrases.tell(shown.outcome, shown.right)]
    ]
    yield f"### {section.title}"
    yield _table(("rule", "cases", "the smallest", "expected", "came"), rows)
    if len(cases) > MOST_SHOWN:
        yield f"And {len(cases) - MOST_SHOWN} more."


def _breakdowns(findings: Findings) -> Iterator[str]:
    if findings.breakdowns:
        yield "### Breakdowns"
        yield "\n".join(f"- {plain(phrases.breakdown(one))}" for one in findings.breakdowns)


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
        yield "\n".join(f"- {plain(phrases.reason(one))}" for one in findings.reasons)


def _levels(findings: Findings) -> str:
    shown = [
        one for one in Verdict if any(counts.get(one) for counts in findings.tally.levels.values())
    ]
    rows = [
        (plain(level), *(str(counts.get(one, 0)) for one in shown))
        for level, counts in findings.tally.levels.items()
    ]
    return "### Cases\n\n" + _table(("level", *map(str, shown)), rows)


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
