"""One page of HTML that shows all of a check; it needs nothing from elsewhere."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from pickomino_conformance.cases import Verdict
from pickomino_conformance.findings import (
    UNEXPLAINED,
    Findings,
    number,
    tell_breakdown,
    tell_diagnosis,
)
from pickomino_conformance.reports.picture import draw
from pickomino_conformance.specification import rules
from pickomino_conformance.terminal import TITLES, printable
from pickomino_reference import make_rulings

MARKS = {
    Verdict.PASS: "✓",
    Verdict.FAIL: "✗",
    Verdict.ERROR: "⚡",
    Verdict.KNOWN: "●",
    Verdict.UNSETTLED: "?",
    Verdict.NOT_REACHED: "·",
    Verdict.UNSUPPORTED: "·",
    Verdict.NOT_APPLICABLE: "·",
}


def render(findings: Findings) -> str:
    """Return what a check found as a page of HTML."""
    rulings = make_rulings(findings.rulings)
    sections = [
        ("departures", "Departures", findings.departures),
        ("errors", "Errors", findings.errors),
        ("unsettled", "Unsettled: no source tells what must come", findings.unsettled),
    ]
    return (
        _environment()
        .get_template("page.html")
        .render(
            found=findings,
            sections=[
                (name, title, [(shown, draw(shown.outcome, rulings)) for shown in cases])
                for name, title, cases in sections
                if cases
            ],
            diagnosis=tell_diagnosis(findings),
            breakdowns=[tell_breakdown(one) for one in findings.breakdowns],
            no_fault=UNEXPLAINED,
            chapters=[
                (title, [rule for rule in findings.rules if rule.chapter == chapter])
                for chapter, title in TITLES.items()
            ],
            statements={rule.id: rule.statement[0] for rule in rules().values()},
            verdicts=[
                one for one in Verdict if any(rule.counts.get(one) for rule in findings.rules)
            ],
            marks=MARKS,
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # What an engine says is shown without what could steer a reader, or turn the text about.
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    environment.filters |= {"counted": number}
    return environment
