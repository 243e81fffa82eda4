"""What a referee found, as text for people and as JSON values."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from pickomino_conformance import words
from pickomino_conformance.explain.showing import ROOM, WIDTH, capital, filled, print_lines
from pickomino_conformance.protocol.messages import TableMessage
from pickomino_conformance.referee import Departure, Matter, Refereed
from pickomino_conformance.referee.exercising import SITUATIONS
from pickomino_reference import BASE, Record, Rule, Script, claiming, rolling

EVERY = 1000
THE_LOG = "the log contradicts itself"
CONTRADICTION = (
    "The log contradicts itself: this turn does not begin where the one before has ended."
)
NEW_GAME = '(A new game begins with a line such as {"players": 2}.)'
SEATS = " to ".join(map(str, BASE.players))


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
                "message": tell(one),
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


def tell(one: Departure) -> str:
    """Return where a log departs: what was played, what was expected and what came."""
    expected, came = words.tell_expected(one.differences), words.tell_came(one.differences)
    both = f"Expected: {expected}. Came: {came}."
    match one:
        case Departure(matter=Matter.PLAYERS):
            return f"A game for {one.differences[0].actual} players. Expected: {SEATS} players."
        case Departure(matter=Matter.IMPOSSIBLE):
            more = f", and {SEATS} can play" if one.differences[0].part == "seats" else ""
            return f"The game begins with {came}{more}."
        case Departure(matter=Matter.BEGINNING):
            return _begins(one, expected)
        case Departure(matter=Matter.CONTRADICTION):
            return f"{CONTRADICTION} {both} {NEW_GAME}"
        case Departure(matter=Matter.END):
            goes_on = f"it goes on, with grill {words.tiles(one.differences[0].actual)}"
            return f"The game ends. Expected: {goes_on}."
        case Departure(matter=Matter.SCORE, stacks=stacks):
            owned = (
                f"{words.player(seat)} owns {words.stack(own)}" for seat, own in enumerate(stacks)
            )
            return f"{capital('; '.join(owned))}. {both}"
        case Departure(matter=Matter.ORDER, script=Script() as script, record=Record() as record):
            mover = words.player(script.table.player)
            plays = f"Came: {words.player(one.differences[0].actual)} plays."
            return f"The turn of {mover} has ended with {record.end}. Expected: {expected}. {plays}"
        case Departure(script=Script() as script, record=Record() as record):
            parted = _parted(one.matter, script, record)
            told = f"{capital(parted)}." if parted else both
            return f"{capital(words.table(script.table))}. {capital(words.turn(script))}. {told}"
    raise AssertionError(one.matter)


def _parted(matter: Matter, script: Script, record: Record) -> str:
    """Return where a turn and the rules part, as a clause; empty if they don't."""
    kept = record.set_aside
    # A roll that can't be made is not counted.
    place = record.rolls_used - (matter is not Matter.WRONG_ROLL)
    left = rolling.all_dice(kept, BASE)
    decision = script.decisions[place] if place < len(script.decisions) else None
    keep, roll = decision and decision.keep, words.dice(script.rolls[place])
    rolled = rolling.sort_dice(script.rolls[place])
    match matter:
        case Matter.OUTCOME:
            return ""
        case Matter.DEAD_ROLL:
            does = "stops" if keep is None else f"sets aside {keep}"
            return f"the roll {roll} is dead, and yet the player {does}"
        case Matter.NO_DECISION:
            new = rolling.new_face(kept, rolled)
            return f"the turn ends with the roll {roll}, although it shows {new}"
        case Matter.NO_ROLL:
            return f"the player rolls on, and yet the turn ends with {left} dice left and no roll"
        case Matter.WRONG_ROLL:
            did = f"roll {place + 1} is {roll} with {left} dice left"
        case Matter.WRONG_CHOICE:
            did = f"{'nothing' if keep is None else keep} is set aside from {words.dice(rolled)}"
        case Matter.WRONG_CLAIM:
            claim = script.decisions[-1].claim
            assert claim is not None
            total = claiming.total(kept, BASE)
            did = f"the player {words.claim(claim)} with {words.dice(kept)}, total {total}"
        case Matter.NO_CLAIM:
            did = "the player stops and claims nothing"
        case _:
            did = "the player rolls on"
    return f"{did}, which is forbidden"


def _begins(one: Departure, expected: str) -> str:
    (found,) = one.differences
    if found.part == "seats":
        return f"Expected: {expected}, one a player. Came: {found.actual}."
    full, came = words.tiles(found.expected["grill"]), msgspec.convert(found.actual, TableMessage)
    begun = f"Expected: the game begins with grill {full}, and nobody owns a tile."
    return f"{begun} Came: {words.table(came)}."


def show(refereed: Refereed, name: str) -> None:
    """Print what was found."""
    print_lines(lambda width: lines(refereed, name, width))


def lines(refereed: Refereed, name: str, width: int = WIDTH) -> Iterator[Text]:
    """Yield the lines of the text, at most so many characters wide."""
    games, turns = words.count(refereed.games, "game"), words.count(refereed.turns, "turn")
    by = "; ".join(f"{edition.name} ({edition.title})" for edition in refereed.editions)
    yield from filled(f"{name}: {turns} of {games}, judged by {by}", width)
    yield from _departures(refereed, width)
    yield from _diagnoses(refereed, width)
    yield from _exercised(refereed)
    yield from _never(refereed, width)
    yield Text()
    for line in _summary(refereed):
        yield from filled(line, width)


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
    smallest = min(found, key=lambda one: (len(one.faults), len(tell(one)), one.line))
    others = [str(rule) for rule in smallest.rules if rule != title]
    head = Text("  ").append(title, style="bold red")
    if others:
        joined = ", ".join(others)
        head.append(f" (and {joined})" if smallest.faults else f" (or {joined})", style="red")
    of = "" if number == 1 else f", the smallest of {number}"
    yield head.append(f"  line {smallest.line}{of}", style="dim")
    yield from filled(tell(smallest), width, ROOM)
    if smallest.faults:
        yield from filled(f"Explained by: {'; '.join(smallest.faults)}.", width, ROOM)


def _diagnoses(refereed: Refereed, width: int) -> Iterator[Text]:
    for diagnosis in refereed.diagnoses:
        if not diagnosis.faults:
            continue
        yield Text()
        yield Text("Diagnosis", style="bold")
        told = (
            f"{diagnosis.explained} of the {diagnosis.departures} departures that were looked at "
            "are explained by"
        )
        yield from filled(told, width, 2)
        for fault in diagnosis.faults:
            told = f"{fault.name} ({', '.join(fault.rules)}): {fault.explains}"
            yield from filled(told, width, ROOM)
            if fault.equally:
                yield from filled(f"or as well: {'; '.join(fault.equally)}", width, ROOM + 2)


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
