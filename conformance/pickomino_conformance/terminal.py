"""What people see: verdicts by chapter, the smallest failure of each rule, a summary."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from textwrap import fill, indent

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.check import Checked, Plan
from pickomino_conformance.levels import smoke
from pickomino_conformance.protocol import CAPABILITIES
from pickomino_conformance.specification import CHAPTERS, rules
from pickomino_conformance.subject import unknown_rulings
from pickomino_conformance.tally import Tally
from pickomino_reference.editions import unknown

TITLES = {
    "setup": "Setting up",
    "rolling": "Rolling",
    "claiming": "Claiming",
    "stealing": "Stealing",
    "failing": "Failing",
    "ending": "Ending",
}
STYLES = {
    Verdict.PASS: "green",
    Verdict.FAIL: "bold red",
    Verdict.ERROR: "bold red",
    Verdict.UNSETTLED: "yellow",
    Verdict.KNOWN: "yellow",
}
LONGEST_NAME = 80
SHOWN = (Verdict.FAIL, Verdict.ERROR, Verdict.UNSETTLED)


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
        tasks: dict[str, object] = {}

        def watch(level: str, done: int) -> None:
            if level not in tasks:
                tasks[level] = bar.add_task(level, total=None)
            if done % 64 == 0:
                bar.update(tasks[level], completed=done)  # type: ignore[arg-type]

        yield watch


def show_check(plan: Plan, checked: Checked) -> None:
    """Print what a check found."""
    console = _console()
    tally = checked.tally
    by = "the rulings that it declares" if plan.as_declared else plan.edition.name
    console.print(Text(f"{_name(checked)}, judged by {by} ({plan.edition.title})"))
    _show_rules(console, tally)
    for verdict, title in (
        (Verdict.FAIL, "Departures"),
        (Verdict.ERROR, "Errors"),
        (Verdict.UNSETTLED, "Unsettled: no source tells what must come"),
    ):
        _show_cases(console, tally, verdict, title)
    for remark in _remarks(checked):
        console.print(Text(printable(remark), style="yellow"))
    for line in _summary(checked):
        console.print(Text(line))


def show_smoke(plan: Plan, checked: Checked) -> None:
    """Print what came of each probe."""
    console = _console()
    console.print(Text(f"{_name(checked)} ({printable(plan.found.label)})"))
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


def _name(checked: Checked) -> str:
    name = f"{checked.hello.name} {checked.hello.version}".strip()
    return printable(name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…")


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


def _show_rules(console: Console, tally: Tally) -> None:
    width = max(map(len, tally.rules))
    for chapter in CHAPTERS:
        console.print()
        console.print(Text(TITLES[chapter], style="bold"))
        for rule, counts in tally.rules.items():
            if rules()[rule].chapter != chapter:
                continue
            verdict = tally.verdict(rule)
            asked = sum(counts[one] for one in (Verdict.PASS, *SHOWN, Verdict.KNOWN))
            line = Text(f"  {rule:{width}}  ")
            line.append(f"{verdict:14}" if asked else verdict, style=STYLES.get(verdict, "dim"))
            line.append(f"  {counts[Verdict.PASS]} of {asked} cases" if asked else "", style="dim")
            console.print(line)
    console.print()


def _show_cases(console: Console, tally: Tally, verdict: Verdict, title: str) -> None:
    found: dict[str, tuple[Outcome, list[str]]] = {}
    for rule in tally.with_verdict(verdict):
        outcome = tally.smallest[rule, verdict]
        found.setdefault(outcome.id, (outcome, []))[1].append(rule)
    if not found:
        return
    console.print(Text(title, style="bold"))
    for outcome, broken in found.values():
        total = sum(tally.rules[rule][verdict] for rule in broken)
        cases = "case" if total == 1 else f"smallest of {total} cases"
        head = Text("  ")
        head.append(", ".join(broken), style=STYLES.get(verdict, ""))
        head.append(f"  {cases}: {printable(outcome.id)}", style="dim")
        console.print(head)
        message = fill(printable(outcome.message), console.width - 4)
        console.print(Text(indent(message, "    ") + "\n"))


def _remarks(checked: Checked) -> Iterator[str]:
    passed_over, restarts = checked.conversation.passed_over, checked.conversation.restarts
    if passed_over:
        lines = "line" if passed_over == 1 else "lines"
        yield (
            f"Passed over: {passed_over} {lines} on the engine's stdout that began with no {{; "
            "logs belong on stderr."
        )
    if restarts:
        times = "once" if restarts == 1 else f"{restarts} times"
        yield f"The engine broke down and was started anew {times}."
    for ruling in unknown_rulings(checked.hello):
        yield f"The engine declares {ruling}, which the specification does not know."
    for capability in checked.hello.capabilities:
        if capability not in CAPABILITIES:
            yield f"The engine claims {unknown('capability', capability, CAPABILITIES)}"


def _summary(checked: Checked) -> Iterator[str]:
    tally = checked.tally
    for level, counts in tally.levels.items():
        told = [f"{number} {verdict}" for verdict in Verdict if (number := counts[verdict])]
        yield f"Level {level}: {', '.join(told)}"
    total = len(tally.rules)
    broken = tally.with_verdict(Verdict.FAIL)
    erred = tally.with_verdict(Verdict.ERROR)
    unjudged = tally.with_verdict(Verdict.NOT_REACHED, Verdict.UNSUPPORTED, Verdict.NOT_APPLICABLE)
    unsettled = tally.with_verdict(Verdict.UNSETTLED)
    holding = tally.with_verdict(Verdict.PASS)
    yield (
        f"Of {total} rules {len(holding)} hold; broken: {len(broken)}, in error: {len(erred)}, "
        f"unsettled: {len(unsettled)}, not judged: {len(unjudged)}."
    )
    status = checked.exit_status
    words = ("conforms", "departs", "could not be judged")[status]
    if status == 1 and not tally.cases(Verdict.FAIL):
        words = "erred"
    if status == 0 and unjudged:
        words += f" in what was judged, {total - len(unjudged)} of {total} rules"
    yield f"The engine {words}. {checked.seconds:.1f} s"
