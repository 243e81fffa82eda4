"""What people see: verdicts by chapter, the smallest failure of each rule, a summary."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from textwrap import fill as fill_lines
from textwrap import indent
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from pickomino_conformance.cases import Verdict, smoke
from pickomino_conformance.files import printable
from pickomino_conformance.protocol.finding import EngineCommand
from pickomino_conformance.report import phrases
from pickomino_conformance.report.model import Findings, Heading
from pickomino_conformance.report.replay import Replayed
from pickomino_conformance.words import NAMES, count

if TYPE_CHECKING:
    from pickomino_conformance.check import Checked, Plan

# So many characters of what an engine says are shown: a few lines.
MOST_SHOWN = 300
# An id is not broken at its hyphens.
fill = partial(fill_lines, break_on_hyphens=False)
STYLES = {
    Verdict.PASS: "green",
    Verdict.FAIL: "bold red",
    Verdict.ERROR: "bold red",
    Verdict.UNSETTLED: "yellow",
    Verdict.KNOWN: "yellow",
}
REPLAYED = {Verdict.PASS: "passes", Verdict.FAIL: "departs", Verdict.ERROR: "erred"}


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


def show_heading(heading: Heading) -> None:
    """Print who is judged by what."""
    head = f"{phrases.engine_name(heading.engine)}, judged by {phrases.judged_by(heading)}"
    _console().print(Text(printable(head)))


def show_check(found: Findings, *, gherkin: bool = False) -> None:
    """Print what a check found, below its heading; `gherkin` adds scenarios to departures."""
    console = _console()
    _show_rules(console, found)
    _show_diagnosis(console, found)
    for section in phrases.sections(found):
        _show_section(console, section, gherkin=gherkin)
    _show_breakdowns(console, found)
    _show_known(console, found)
    _show_reasons(console, found)
    for remark in phrases.remarks(found):
        console.print(Text(printable(remark), style="yellow"))
    for level, counts in found.tally.levels.items():
        console.print(Text(f"Level {level}: {phrases.counted(counts)}"))
    if not found.only:
        console.print(Text(phrases.rules_counted(found)))
    console.print(Text(f"{phrases.conclusion(found)} {found.seconds:.1f} s"))


def show_smoke(plan: "Plan", checked: "Checked") -> None:
    """Print what came of each probe."""
    console = _console()
    name = phrases.engine_name(f"{checked.hello.name} {checked.hello.version}".strip())
    console.print(Text(printable(f"{name} ({plan.command.label})")))
    outcomes = {outcome.id: outcome for outcome in checked.tally.smallest.values()}
    width = max(len(probe.name) for probe in smoke.PROBES)
    for probe in smoke.PROBES:
        outcome = outcomes.get(f"{smoke.LEVEL}/{probe.name}")
        verdict = outcome.verdict if outcome else Verdict.PASS
        console.print(Text(f"{probe.name:{width}}  ").append(verdict, STYLES.get(verdict, "dim")))
        if outcome:
            _show_filled(console, phrases.message(outcome), 4, "")
    failed = checked.tally.cases(Verdict.FAIL, Verdict.ERROR)
    console.print(
        f"{len(smoke.PROBES) - len(outcomes)} of {len(smoke.PROBES)} probes passed"
        + ("; see to the first one that did not." if failed else ".")
    )


def show_replayed(command: EngineCommand, replayed: Sequence[Replayed]) -> None:
    """Print what came of cases that were asked again."""
    console = _console()
    for one in replayed:
        line = Text(f"{printable(one.outcome.id)}  ")
        line.append(REPLAYED.get(one.verdict, one.verdict), STYLES.get(one.verdict, "dim"))
        if one.verdict in (Verdict.FAIL, Verdict.ERROR) and one.same_answer is not None:
            line.append(f", by {'the same' if one.same_answer else 'another'} answer", "dim")
        console.print(line)
        if one.verdict is not Verdict.PASS:
            _show_told(console, phrases.tell(one.outcome, one.right, NAMES, MOST_SHOWN))
            console.print()
    counts = Counter(one.verdict for one in replayed)
    what = f"{count(len(replayed), 'case')} asked again of {printable(command.label)}"
    console.print(Text(f"{what}: {phrases.counted(counts)}"))


def _console() -> Console:
    """Return where people read; a line that is too long for them is not broken in a file."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = 100
    return console


def _show_filled(
    console: Console, text: str, left: int, hanging: str = "  ", style: str = ""
) -> None:
    """Print a text in lines, so far from the left; those after its first are hanging."""
    filled = fill(printable(text), console.width - 4, subsequent_indent=hanging)
    console.print(Text(indent(filled, " " * left), style=style))


def _show_rules(console: Console, found: Findings) -> None:
    shown = [rule for rule in found.rules if not found.only or rule.id in found.only]
    width = max((len(rule.id) for rule in shown), default=0)
    for chapter, title in phrases.TITLES.items():
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
                line.append(f"  {passed} of {count(rule.asked, 'case')}", style="dim")
            console.print(line)
    console.print()


def _show_diagnosis(console: Console, found: Findings) -> None:
    if not found.diagnosis.departures:
        return
    console.print(Text("Diagnosis", style="bold"))
    _show_filled(console, phrases.diagnosis(found), 2, "")
    for fault in found.diagnosis.faults:
        line = Text(f"  - {fault.name}", style=STYLES[Verdict.FAIL])
        told = f"  {', '.join(fault.rules)}: {count(fault.explains, 'departure')}"
        console.print(line.append(told, style="dim"))
        if fault.equally:
            _show_filled(console, f"or as well: {'; '.join(fault.equally)}", 4, "", "dim")
    console.print()


def _show_section(console: Console, section: phrases.Section, *, gherkin: bool) -> None:
    console.print(Text(section.title, style="bold"))
    for shown in section.cases:
        number_of = "case" if shown.cases == 1 else f"smallest of {shown.cases} cases"
        head = Text("  ")
        head.append(", ".join(shown.rules), style=STYLES[section.verdict])
        head.append(f"  {number_of}: {printable(shown.outcome.id)}", style="dim")
        console.print(head)
        if shown.unexplained:
            console.print(Text(f"    {phrases.UNEXPLAINED}", style="yellow"))
        _show_told(console, phrases.tell(shown.outcome, shown.right, most=MOST_SHOWN))
        if gherkin and shown.gherkin:
            console.print()
            console.print(Text(indent(shown.gherkin.rstrip(), "    ")))
        console.print()


def _show_told(console: Console, told: phrases.Told) -> None:
    for begin, part in (("", told.case), ("Expected: ", told.expected), ("Came: ", told.came)):
        if part:
            _show_filled(console, begin + part, 4)


def _show_breakdowns(console: Console, found: Findings) -> None:
    if not found.breakdowns:
        return
    console.print(Text("Breakdowns", style="bold"))
    for restart in found.breakdowns:
        told = phrases.breakdown(restart, MOST_SHOWN)
        _show_filled(console, told, 2, style=STYLES[Verdict.ERROR])
    console.print()


def _show_known(console: Console, found: Findings) -> None:
    known = found.known
    if known.covered:
        console.print(Text("Known", style="bold"))
    for covered in known.covered:
        entry = covered.entry
        line = Text(f"  {printable(str(entry))}", style=STYLES[Verdict.KNOWN])
        console.print(line.append(f"  {count(covered.cases, 'case')}", style="dim"))
        _show_filled(console, " ".join(filter(None, (entry.reason, entry.link))), 4, "")
    if known.covered:
        console.print()
    if known.stale:
        title = "Stale entries in the list of known failures: take them out (--update-known does)"
        console.print(Text(title, style=STYLES[Verdict.FAIL]))
        for stale in known.stale:
            _show_filled(console, str(stale), 2)
        console.print()


def _show_reasons(console: Console, found: Findings) -> None:
    """Print why cases were not judged, and what the engine would need."""
    if not found.reasons:
        return
    console.print(Text("Not judged", style="bold"))
    for reason in found.reasons:
        _show_filled(console, phrases.reason(reason, MOST_SHOWN), 2)
    if found.lacking:
        console.print(Text(f"  Capabilities that it lacks: {', '.join(found.lacking)}"))
    console.print()
