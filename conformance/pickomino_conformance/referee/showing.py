"""What a referee found, as text for people and as JSON values."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import Any

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from pickomino_conformance.referee import Departure, Refereed
from pickomino_conformance.referee.exercising import SITUATIONS
from pickomino_conformance.terminal import printable
from pickomino_reference import Rule

WIDTH = 100
ROOM = 4
EVERY = 1000
THE_LOG = "the log contradicts itself"


@contextmanager
def progress() -> Iterator[Callable[[int], None]]:
    """Show how many lines are read, on a terminal; elsewhere show nothing."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.completed} lines"), TimeElapsedColumn())
    disable = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=disable) as bar:
        task = bar.add_task("", total=None)

        def watch(line: int) -> None:
            if line % EVERY == 0:
                bar.update(task, completed=line)

        yield watch


def plainly(refereed: Refereed, name: str) -> dict[str, Any]:
    """Return what was found as JSON values; `name` is that of the log."""
    return {
        "log": name,
        "editions": [edition.name for edition in refereed.editions],
        "games": refereed.games,
        "turns": refereed.turns,
        "not_judged": refereed.not_judged,
        "verdict": "conforms" if refereed.conforms else "departs",
        "broken": {str(rule): number for rule, number in refereed.broken.items()},
        "contradictions": refereed.contradictions,
        "departures": [
            {
                "line": one.line,
                "rules": list(map(str, one.rules)),
                "faults": list(one.faults),
                "message": one.message,
            }
            for one in refereed.departures
        ],
        "diagnosis": [
            {
                "fault": fault.name,
                "rules": list(fault.rules),
                "explains": fault.explains,
                "equally": list(fault.equally),
            }
            for diagnosis in refereed.diagnoses
            for fault in diagnosis.faults
        ],
        "exercised": {str(rule): number for rule, number in refereed.exercised.items()},
        "never_exercised": {str(rule): SITUATIONS[rule] for rule in refereed.never_exercised},
    }


def show(refereed: Refereed, name: str) -> None:
    """Print what was found."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    width = min(console.width, WIDTH) if console.is_terminal else WIDTH
    for line in lines(refereed, name, width):
        console.print(line)


def lines(refereed: Refereed, name: str, width: int = WIDTH) -> Iterator[Text]:
    """Yield the lines of the text, at most so many characters wide."""
    games = "1 game" if refereed.games == 1 else f"{refereed.games} games"
    turns = "1 turn" if refereed.turns == 1 else f"{refereed.turns} turns"
    by = "; ".join(f"{edition.name} ({edition.title})" for edition in refereed.editions)
    yield from _filled(f"{name}: {turns} of {games}, judged by {by}", width)
    yield from _departures(refereed, width)
    yield from _diagnoses(refereed, width)
    yield from _exercised(refereed)
    yield from _never(refereed, width)
    yield Text()
    for line in _summary(refereed):
        yield from _filled(line, width)


def _departures(refereed: Refereed, width: int) -> Iterator[Text]:
    if refereed.conforms:
        return
    yield Text()
    yield Text("Departures", style="bold")
    for rule, number in refereed.broken.items():
        found = [one for one in refereed.departures if rule in one.broken]
        yield from _departure(found, number, str(rule), width)
    if refereed.contradictions:
        found = [one for one in refereed.departures if not one.rules]
        yield from _departure(found, refereed.contradictions, THE_LOG, width)


def _departure(found: Sequence[Departure], number: int, title: str, width: int) -> Iterator[Text]:
    """Yield the smallest of the departures of one rule."""
    smallest = min(found, key=lambda one: (len(one.faults), len(one.message), one.line))
    others = [str(rule) for rule in smallest.rules if rule != title]
    head = Text("  ").append(title, style="bold red")
    if others:
        joined = ", ".join(others)
        head.append(f" (and {joined})" if smallest.faults else f" (or {joined})", style="red")
    of = "" if number == 1 else f", the smallest of {number}"
    yield head.append(f"  line {smallest.line}{of}", style="dim")
    yield from _filled(smallest.message, width, ROOM)
    if smallest.faults:
        yield from _filled(f"Explained by: {'; '.join(smallest.faults)}.", width, ROOM)


def _diagnoses(refereed: Refereed, width: int) -> Iterator[Text]:
    for diagnosis in refereed.diagnoses:
        if not diagnosis.faults:
            continue
        yield Text()
        yield Text("Diagnosis", style="bold")
        words = (
            f"{diagnosis.explained} of the {diagnosis.departures} departures that were looked at "
            "are explained by"
        )
        yield from _filled(words, width, 2)
        for fault in diagnosis.faults:
            told = f"{fault.name} ({', '.join(fault.rules)}): {fault.explains}"
            yield from _filled(told, width, ROOM)
            if fault.equally:
                yield from _filled(f"or as well: {'; '.join(fault.equally)}", width, ROOM + 2)


def _exercised(refereed: Refereed) -> Iterator[Text]:
    yield Text()
    yield Text("Exercised by the log", style="bold")
    column = max(map(len, Rule))
    for rule, number in refereed.exercised.items():
        yield Text(f"  {rule:{column}}  {number:>7}")


def _never(refereed: Refereed, width: int) -> Iterator[Text]:
    if not refereed.never_exercised:
        return
    yield Text()
    yield Text("Never exercised: of these the log proves nothing", style="bold yellow")
    column = max(map(len, Rule)) + ROOM
    for rule in refereed.never_exercised:
        told = wrap(f"It would take {SITUATIONS[rule]}.", width - column)
        yield Text(f"  {rule:{column - 2}}{told[0]}")
        yield from (Text(" " * column + more) for more in told[1:])


def _summary(refereed: Refereed) -> Iterator[str]:
    broken, never, total = len(refereed.broken), len(refereed.never_exercised), len(Rule)
    yield (
        f"Of {total} rules {total - broken - never} were exercised and kept, {broken} broken, "
        f"{never} never exercised."
    )
    if refereed.not_judged:
        yield f"Not judged, since the table before it is impossible: {refereed.not_judged} turns."
    if not refereed.conforms:
        yield "The log departs."
    elif never or refereed.not_judged:
        yield "The log conforms in what it shows."
    else:
        yield "The log conforms."


def _filled(text: str, width: int, indent: int = 0) -> Iterator[Text]:
    room = " " * indent
    broken = wrap(
        printable(text),
        width,
        initial_indent=room,
        subsequent_indent=room,
        break_on_hyphens=False,
    )
    yield from map(Text, broken)
