"""`pickomino explain`: a position with every move, and the rules that allow or forbid it."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import Any

from rich.console import Console
from rich.text import Text

from pickomino_conformance import words
from pickomino_conformance.explain import (
    Explained,
    Explanation,
    Why,
    consequences,
    explain,
    plain_explanation,
    read_position,
)
from pickomino_conformance.files import printable
from pickomino_conformance.specification import rules as prose
from pickomino_reference import Edition, Rule, SetAside, Steal, Stop, Take
from pickomino_reference.data import read_spec
from pickomino_reference.rulings import Rulings

STDIN = "-"
LONGEST_FILE = 1_000_000
WIDTH = 100
ROOM = 4

# A reason for several moves at once, where it is not the same sentence for each of them.
TOGETHER: Mapping[Why, str] = {
    Why.NOT_ROLLED: "The roll shows none of them.",
    Why.USED_FACE: "They were set aside before.",
    Why.FACE_DOWN: "They lie face down.",
    Why.COVERED: "They lie covered in a stack.",
    Why.ON_A_STACK: "They lie on a stack: they are not taken, but stolen.",
    Why.ABOVE_TOTAL: "They are above the total of {total}.",
    Why.ANOTHER_IS_NEXT: "The {next} is the next lower tile.",
    Why.NO_TILE: "They have no tile.",
    Why.NOT_EXACT: "They show other tiles than the total of {total}.",
}


class UnreadableFile(ValueError):
    """A file that holds no position. The text says what was expected, and what came where."""


def read_explanation(name: str, rulings: Rulings) -> Explanation:
    """Return the explanation of the position in a file; of the one on stdin for `-`.

    Raises:
        UnreadableFile: there is no such file, or no position in it.
    """
    where = "stdin" if name == STDIN else name
    try:
        plain = json.loads(_read(name))
    except OSError as error:
        raise UnreadableFile(
            f"{where}: {error.strerror}. Name a file that holds a position."
        ) from (None)
    except UnicodeDecodeError:
        raise UnreadableFile(f"{where}: this is not UTF-8 text.") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise UnreadableFile(
            f'{where}: this is not JSON ({error}). Expected: {{"table": {{"grill": [21, 24, 30], '
            '"stacks": [[], [25]], "player": 0}, "kept": "WW555", "roll": null}'
        ) from None
    try:
        return explain(read_position(plain), rulings)
    except ValueError as error:
        raise UnreadableFile(f"{where}: {error}") from None


def plainly(explanation: Explanation, edition: Edition) -> dict[str, Any]:
    """Return an explanation as JSON values, with the edition and the statements of its rules."""
    statements = {rule: list(prose()[rule].statement) for rule in cited(explanation)}
    return {
        "edition": edition.name,
        **plain_explanation(explanation),
        "statements": statements,
    }


def cited(explanation: Explanation) -> list[Rule]:
    """Return every rule that an explanation names, in the order of the chapters."""
    found: set[Rule] = set(explanation.failed.rules if explanation.failed else ())
    for one in explanation.moves:
        found.update(one.rules)
        if one.consequence:
            found.update(one.consequence.rules)
    return [rule for rule in Rule if rule in found]


def show(explanation: Explanation, edition: Edition) -> None:
    """Print an explanation."""
    print_lines(lambda width: lines(explanation, edition, width))


def print_lines(filled_to: Callable[[int], Iterable[Text]]) -> None:
    """Print the lines that fit to the width of the terminal, or to that of a file."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    for line in filled_to(min(console.width, WIDTH) if console.is_terminal else WIDTH):
        console.print(line)


def lines(explanation: Explanation, edition: Edition, width: int = WIDTH) -> Iterator[Text]:
    """Yield the lines of an explanation, at most so many characters wide."""
    table = explanation.position.table
    yield from filled(f"Judged by {edition.name} ({edition.title})", width)
    yield from filled(f"{capital(words.table(table))}.", width)
    yield from filled(_turn(explanation), width)
    if explanation.failed:
        yield from filled(consequences.failed_turn(explanation.failed), width, style="bold")
        yield from filled(f"by {', '.join(explanation.failed.rules)}", width, style="cyan")
    groups = _grouped(explanation.moves)
    column = min(max(len(_moves(group)) for group in groups), 24) + 4
    for allowed, title in ((True, "Allowed"), (False, "Not allowed")):
        chosen = [group for group in groups if group[0].allowed is allowed]
        if not chosen:
            continue
        yield Text()
        yield Text(title, style="bold green" if allowed else "bold red")
        for group in chosen:
            yield from _group(group, column, width)
    yield Text()
    yield Text("In the words of the specification", style="bold")
    for rule in cited(explanation):
        yield Text(f"  {rule}", style="cyan")
        for sentence in prose()[rule].statement:
            yield from filled(sentence, width, ROOM)
    yield from _rulings(explanation, width)


def _turn(explanation: Explanation) -> str:
    turn, player = explanation.position.turn, explanation.position.table.player
    if explanation.over:
        return "The game is over."
    who = capital(words.player(player))
    if turn.set_aside:
        aside = f"has set aside {words.dice(turn.set_aside)}, total {explanation.total}"
    else:
        aside = "has set nothing aside"
    if turn.rolled:
        return f"{who} {aside}, and has rolled {words.dice(turn.rolled)}."
    return f"{who} {aside}. Dice left: {explanation.dice}."


def _grouped(moves: Sequence[Explained]) -> list[list[Explained]]:
    """Yield moves of a kind that have one reason and one consequence, together."""
    groups: dict[tuple[object, ...], list[Explained]] = {}
    for one in moves:
        key = (type(one.move), one.allowed, one.why, one.rules, one.hinges, one.consequence)
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def _moves(group: Sequence[Explained]) -> str:
    """Return the moves of a group as `take 22, 26 to 29`."""
    moves = [one.move for one in group]
    match moves[0]:
        case SetAside():
            return (
                f"set aside {' '.join(move.face for move in moves if isinstance(move, SetAside))}"
            )
        case Take():
            return f"take {words.tiles(move.tile for move in moves if isinstance(move, Take))}"
        case Steal():
            seats = (str(move.player) for move in moves if isinstance(move, Steal))
            return f"steal from player {' '.join(seats)}"
        case Stop():
            return "stop, claiming nothing"
        case _:
            return "roll"


def _group(group: Sequence[Explained], column: int, width: int) -> Iterator[Text]:
    first = group[0]
    parts = [(_because(group), "")]
    if first.consequence:
        parts.append((consequences.in_words(first.consequence), ""))
    parts.append((f"by {', '.join(first.rules)}", "cyan"))
    if first.consequence and first.consequence.rules:
        parts.append((f"then {', '.join(first.consequence.rules)}", "cyan"))
    if first.hinges:
        hinges = (f"{one.ruling} = {one.value}" for one in first.hinges)
        parts.append((f"hangs on {', '.join(hinges)}", "yellow"))
    head = wrap(_moves(group), column - 4)
    room = max(width - column, 20)
    body = [line for text, style in parts for line in filled(text, room, style=style)]
    for left, line in zip_longest(head, body):
        if line is None:
            yield Text(f"  {left}")
        else:
            yield Text(f"  {left or '':{column - 2}}").append_text(line)


def _because(group: Sequence[Explained]) -> str:
    first = group[0]
    same = {one.because for one in group}
    if len(same) == 1:
        return first.because
    return TOGETHER[first.why].format_map(first.facts)


def _rulings(explanation: Explanation, width: int) -> Iterator[Text]:
    """Yield the rulings on which something hangs, with question and answer."""
    hinges = {hinge.ruling: hinge for one in explanation.moves for hinge in one.hinges}
    if not hinges:
        return
    spec = read_spec("rulings")
    yield Text()
    yield Text("Where editions differ", style="bold")
    for ruling in spec:
        if ruling in hinges:
            value = hinges[ruling].value
            yield Text(f"  {ruling} = {value}", style="yellow")
            asked = f"{spec[ruling]['question']} {spec[ruling]['alternatives'][value]}"
            yield from filled(asked, width, ROOM)


def filled(text: str, width: int, indent: int = 0, style: str = "") -> Iterator[Text]:
    """Yield a text in lines at most so wide, that far from the left."""
    room = " " * indent
    broken = wrap(
        printable(text),
        width,
        initial_indent=room,
        subsequent_indent=room,
        break_on_hyphens=False,
    )
    yield from (Text(line, style=style) for line in broken)


def capital(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def _read(name: str) -> str:
    if name == STDIN:
        return sys.stdin.buffer.read(LONGEST_FILE).decode()
    with Path(name).open("rb") as file:
        return file.read(LONGEST_FILE).decode()
