"""What people see: verdicts by chapter, the smallest failure of each rule, a summary."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from textwrap import fill as fill_lines
from textwrap import indent

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from pickomino_conformance.cases import Verdict
from pickomino_conformance.check import Checked, Plan
from pickomino_conformance.engines.found import Found
from pickomino_conformance.findings import (
    UNEXPLAINED,
    Findings,
    Shown,
    engine_name,
    number,
    tell_breakdown,
    tell_diagnosis,
)
from pickomino_conformance.levels import smoke
from pickomino_conformance.replay import Replayed

TITLES = {
    "setup": "Setting up",
    "rolling": "Rolling",
    "claiming": "Claiming",
    "stealing": "Stealing",
    "failing": "Failing",
    "ending": "Ending",
}
# An id is not broken at its hyphens.
fill = partial(fill_lines, break_on_hyphens=False)
STYLES = {
    Verdict.PASS: "green",
    Verdict.FAIL: "bold red",
    Verdict.ERROR: "bold red",
    Verdict.UNSETTLED: "yellow",
    Verdict.KNOWN: "yellow",
}


def printable(text: str) -> str:
    """Return a text without what could steer a terminal, or feign a line of ours.

    It may come from an engine.
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


@contextmanager
def progress() -> Iterator[Callable[[str, int], None]]:
    """Show how far a check is, on a terminal; elsewhere show nothing."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} cases"))
    with Progress(
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        tasks: dict[str, TaskID] = {}
        latest: dict[str, int] = {}

        def watch(level: str, done: int) -> None:
            if level not in tasks:
                for finished, number_of in latest.items():
                    bar.update(tasks[finished], completed=number_of, total=number_of)
                tasks[level] = bar.add_task(level, total=None)
            latest[level] = done
            if done % 64 == 0:
                bar.update(tasks[level], completed=done)

        yield watch


def show_check(findings: Findings, *, gherkin: bool = False) -> None:
    """Print what a check found; `gherkin` adds to each departure its scenario."""
    console = _console()
    console.print(Text(printable(f"{findings.engine}, judged by {findings.judged_by}")))
    _show_rules(console, findings)
    _show_diagnosis(console, findings)
    for title, cases, verdict in (
        ("Departures", findings.departures, Verdict.FAIL),
        ("Errors", findings.errors, Verdict.ERROR),
        ("Unsettled: no source tells what must come", findings.unsettled, Verdict.UNSETTLED),
    ):
        _show_cases(console, title, cases, STYLES[verdict], gherkin=gherkin)
    _show_breakdowns(console, findings)
    _show_known(console, findings)
    _show_reasons(console, findings)
    for remark in findings.remarks:
        console.print(Text(printable(remark), style="yellow"))
    for level, counts in findings.levels.items():
        told = [f"{counts[verdict]} {verdict}" for verdict in Verdict if counts.get(verdict)]
        console.print(Text(f"Level {level}: {', '.join(told)}"))
    if not findings.only:
        console.print(Text(findings.count))
    console.print(Text(f"{findings.conclusion} {findings.seconds:.1f} s"))


def show_smoke(plan: Plan, checked: Checked) -> None:
    """Print what came of each probe."""
    console = _console()
    console.print(Text(f"{printable(engine_name(checked))} ({printable(plan.found.label)})"))
    outcomes = {outcome.id: outcome for outcome in checked.tally.smallest.values()}
    width = max(len(probe.name) for probe in smoke.PROBES)
    for probe in smoke.PROBES:
        outcome = outcomes.get(f"smoke/{probe.name}")
        verdict = outcome.verdict if outcome else Verdict.PASS
        console.print(Text(f"{probe.name:{width}}  ").append(verdict, STYLES.get(verdict, "dim")))
        if outcome:
            message = fill(printable(outcome.message), console.width - 4)
            console.print(Text(indent(message, "    ")))
    failed = checked.tally.cases(Verdict.FAIL, Verdict.ERROR)
    console.print(
        f"{len(smoke.PROBES) - len(outcomes)} of {len(smoke.PROBES)} probes passed"
        + ("; see to the first one that did not." if failed else ".")
    )


def complain(text: str, *more: str) -> None:
    """Print an error on stderr."""
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    console.print(Text(printable(text), style="bold red"))
    for line in more:
        if line:
            console.print(Text(printable(line)))


def _console() -> Console:
    """Return where people read; a line that is too long for them is not broken in a file."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = 100
    return console


def show_replayed(found: Found, replayed: Sequence[Replayed]) -> None:
    """Print what came of cases that were asked again."""
    console = _console()
    words = {Verdict.PASS: "passes", Verdict.FAIL: "departs", Verdict.ERROR: "erred"}
    for one in replayed:
        line = Text(f"{printable(one.id)}  ")
        line.append(words.get(one.verdict, one.verdict), STYLES.get(one.verdict, "dim"))
        if one.verdict in (Verdict.FAIL, Verdict.ERROR) and one.same_answer is not None:
            line.append(f", by {'the same' if one.same_answer else 'another'} answer", "dim")
        console.print(line)
        if one.verdict is not Verdict.PASS:
            _show_parts(console, *_parts(f"{one.told} {one.message}".strip()))
            console.print()
    tally = Counter(one.verdict for one in replayed)
    told = [f"{tally[verdict]} {verdict}" for verdict in Verdict if tally[verdict]]
    what = f"{number(len(replayed), 'case')} asked again of {printable(found.label)}"
    console.print(Text(f"{what}: {', '.join(told)}"))


def _show_rules(console: Console, findings: Findings) -> None:
    shown = [rule for rule in findings.rules if not findings.only or rule.id in findings.only]
    width = max((len(rule.id) for rule in shown), default=0)
    for chapter, title in TITLES.items():
        of_chapter = [rule for rule in shown if rule.chapter == chapter]
        if of_chapter:
            console.print()
            console.print(Text(title, style="bold"))
        for rule in of_chapter:
            line = Text(f"  {rule.id:{width}}  ")
            style = STYLES.get(rule.verdict, "dim")
            line.append(f"{rule.verdict:14}" if rule.asked else rule.verdict, style)
            if rule.asked:
                passed = rule.counts.get(Verdict.PASS, 0)
                line.append(f"  {passed} of {number(rule.asked, 'case')}", style="dim")
            console.print(line)
    console.print()


def _show_diagnosis(console: Console, findings: Findings) -> None:
    diagnosis = findings.diagnosis
    if not diagnosis.departures:
        return
    console.print(Text("Diagnosis", style="bold"))
    console.print(Text(indent(fill(tell_diagnosis(findings), console.width - 4), "  ")))
    for fault in diagnosis.faults:
        line = Text(f"  - {fault.name}", style=STYLES[Verdict.FAIL])
        told = f"  {', '.join(fault.rules)}: {number(fault.explains, 'departure')}"
        console.print(line.append(told, style="dim"))
        if fault.equally:
            others = fill(f"or as well: {'; '.join(fault.equally)}", console.width - 4)
            console.print(Text(indent(others, "    "), style="dim"))
    console.print()


def _show_cases(
    console: Console, title: str, cases: Sequence[Shown], style: str, *, gherkin: bool
) -> None:
    if not cases:
        return
    console.print(Text(title, style="bold"))
    for shown in cases:
        number_of = "case" if shown.cases == 1 else f"smallest of {shown.cases} cases"
        head = Text("  ")
        head.append(", ".join(shown.rules), style=style)
        head.append(f"  {number_of}: {printable(shown.outcome.id)}", style="dim")
        console.print(head)
        if shown.unexplained:
            console.print(Text(f"    {UNEXPLAINED}", style="yellow"))
        _show_parts(console, shown.told, shown.expected, shown.came)
        if gherkin and shown.gherkin:
            console.print()
            console.print(Text(indent(shown.gherkin.rstrip(), "    ")))
        console.print()


def _show_parts(console: Console, told: str, expected: str, came: str) -> None:
    """Print a case, what was expected, and what came, each from a line of its own."""
    parts = [told, expected and f"Expected: {expected}", came and f"Came: {came}"]
    for part in filter(None, parts):
        filled = fill(printable(part), console.width - 4, subsequent_indent="  ")
        console.print(Text(indent(filled, "    ")))


def _parts(message: str) -> tuple[str, str, str]:
    told, _, due = message.partition("Expected: ")
    expected, _, came = due.partition(" Came: ")
    return told.strip(), expected, came


def _show_breakdowns(console: Console, findings: Findings) -> None:
    if not findings.breakdowns:
        return
    console.print(Text("Breakdowns", style="bold"))
    for restart in findings.breakdowns:
        told = printable(tell_breakdown(restart))
        filled = fill(told, console.width - 4, subsequent_indent="  ")
        console.print(Text(indent(filled, "  "), style=STYLES[Verdict.ERROR]))
    console.print()


def _show_known(console: Console, findings: Findings) -> None:
    known = findings.known
    if known.covered:
        console.print(Text("Known", style="bold"))
    for covered in known.covered:
        entry = covered.entry
        line = Text(f"  {printable(str(entry))}", style=STYLES[Verdict.KNOWN])
        console.print(line.append(f"  {number(covered.cases, 'case')}", style="dim"))
        told = " ".join(filter(None, (entry.reason, entry.link)))
        console.print(Text(indent(fill(printable(told), console.width - 4), "    ")))
    if known.covered:
        console.print()
    if known.stale:
        title = "Stale entries in the list of known failures: take them out (--update-known does)"
        console.print(Text(title, style=STYLES[Verdict.FAIL]))
        for stale in known.stale:
            filled = fill(printable(str(stale)), console.width - 4, subsequent_indent="  ")
            console.print(Text(indent(filled, "  ")))
        console.print()


def _show_reasons(console: Console, findings: Findings) -> None:
    """Print why cases were not judged, and what the engine would need."""
    if not findings.reasons:
        return
    console.print(Text("Not judged", style="bold"))
    for reason in findings.reasons:
        told = f"{number(reason.cases, 'case')} {reason.verdict}: {reason.text}"
        filled = fill(printable(told), console.width - 4, subsequent_indent="  ")
        console.print(Text(indent(filled, "  ")))
    if findings.lacking:
        console.print(Text(f"  Capabilities that it lacks: {', '.join(findings.lacking)}"))
    console.print()
