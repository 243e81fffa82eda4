"""JUnit XML: a test suite a level.

Of the levels whose cases are made by hand each case is a test case. Of the generated ones, which
have more cases than a reader of such a file can bear, each rule is one: its name stays the same
from run to run, and its text has the smallest case that failed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pickomino_conformance import words
from pickomino_conformance.cases import Verdict
from pickomino_conformance.files import printable
from pickomino_conformance.report import phrases
from pickomino_conformance.report.model import BY_HAND, Findings

FAILURES = {Verdict.FAIL: "failure", Verdict.ERROR: "error"}


@dataclass(frozen=True, slots=True)
class _Test:
    """A test case: where it stands, what came of it, and why."""

    place: str
    name: str
    verdict: Verdict
    summary: str = ""
    text: str = ""


def render(findings: Findings) -> str:
    """Return what a check found as JUnit XML."""
    root = Element("testsuites", name="pickomino", time=f"{findings.seconds:.3f}")
    for level in findings.tally.levels:
        tests = _listed(findings, level) if level in BY_HAND else _by_rule(findings, level)
        _suite(root, level, list(tests), findings)
    broken = [
        _Test("pickomino.breakdowns", f"breakdown {number_of}", Verdict.ERROR, one.reason, told)
        for number_of, one in enumerate(findings.breakdowns, 1)
        for told in [phrases.breakdown(one)]
    ]
    if broken:
        _suite(root, "breakdowns", broken, findings)
    stale = [
        _Test("pickomino.known-failures", str(one.entry), Verdict.FAIL, one.why, str(one))
        for one in findings.known.stale
    ]
    if stale:
        _suite(root, "known-failures", stale, findings)
    for count in ("tests", "failures", "errors", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _listed(findings: Findings, level: str) -> Iterator[_Test]:
    for outcome in findings.tally.listed:
        if outcome.level == level:
            chapter, _, _ = outcome.id.partition("/")
            place = f"pickomino.{level}" + (f".{chapter}" if chapter != level else "")
            said = (", ".join(outcome.rules), words.tell_verdict(outcome))
            summary, text = ": ".join(filter(None, said)), phrases.message(outcome)
            yield _Test(place, outcome.id, outcome.verdict, summary, text)


def _by_rule(findings: Findings, level: str) -> Iterator[_Test]:
    for (of_level, rule), counts in findings.tally.cells.items():
        if of_level != level:
            continue
        verdict = next(one for one in Verdict if counts.get(one))
        smallest = findings.tally.smallest_in.get((level, rule, verdict))
        number_of = words.count(sum(counts.values()), "case")
        summary = f"{number_of}: {phrases.counted(counts)}"
        text = f"{smallest.id}: {phrases.message(smallest)}" if smallest else ""
        yield _Test(f"pickomino.{level}", rule, verdict, summary, text)


def _suite(root: Element, name: str, tests: Iterable[_Test], findings: Findings) -> None:
    suite = SubElement(root, "testsuite", name=name)
    properties = SubElement(suite, "properties")
    for key, value in (
        ("engine", phrases.engine_name(findings.heading.engine)),
        ("edition", findings.heading.edition),
        *((f"ruling.{ruling}", value) for ruling, value in findings.rulings.items()),
        ("diagnosis", _diagnosis(findings)),
    ):
        SubElement(properties, "property", name=key, value=printable(value))
    counts = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for test in tests:
        counts["tests"] += 1
        case = SubElement(suite, "testcase", classname=test.place, name=printable(test.name))
        if test.verdict is Verdict.PASS:
            continue
        kind = FAILURES.get(test.verdict, "skipped")
        counts[{"failure": "failures", "error": "errors"}.get(kind, kind)] += 1
        end = SubElement(case, kind, type=str(test.verdict))
        end.set("message", printable(f"{test.verdict}: {test.summary}"))
        end.text = printable(test.text)
    for count, found in counts.items():
        suite.set(count, str(found))


def _diagnosis(findings: Findings) -> str:
    if not findings.diagnosis.departures:
        return "nothing departs"
    faults = "; ".join(fault.name for fault in findings.diagnosis.faults)
    return f"{phrases.diagnosis(findings)} {faults}".strip()
