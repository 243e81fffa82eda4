"""The commands that tell the rules: `explain`, `referee`, `editions`, `perft`.

`add_to` gives them to the program.
"""

import json
from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import Annotated

import typer

from pickomino_conformance.cli.options import (
    EditionOption,
    JsonOption,
    RulingOption,
    edition_option,
    read_edition,
    read_other_edition,
    refuse,
)
from pickomino_conformance.files import reader_left
from pickomino_reference import (
    BASE,
    DEFAULT_EDITION,
    Box,
    Edition,
    Move,
    Position,
    Refused,
    Roll,
    Rulings,
    SetAside,
    Steal,
    Stop,
    Take,
    UnknownName,
    find_box,
    game,
    house_rule_names,
    rolling,
    ruling_values,
    start,
)
from pickomino_reference.data import read_spec


def add_to(app: typer.Typer) -> None:
    """Give these commands to the program, each with an example at the end of its help."""
    app.command(epilog="Example: pickomino explain --edition sheet-001 position.json")(explain)
    app.command(epilog="Example: pickomino referee --edition sheet-001 game.jsonl")(referee)
    app.command(epilog="Example: pickomino editions zoch-2005 999-games")(editions)
    app.command(epilog="Example: pickomino perft --box tiny --depth 4 --divide")(perft)


def explain(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION.json",
            help='A file with {"table": …, "kept": "WW555", "roll": null}; - is stdin.',
        ),
    ],
    edition: EditionOption = DEFAULT_EDITION,
    ruling: RulingOption = [],  # noqa: B006  # Typer copies it
    as_json: JsonOption = False,
) -> None:
    """Explain which moves a position allows, and by which rules.

    Also explains why the other moves are not allowed.
    """
    from pickomino_conformance.explain import showing

    chosen = read_edition(edition, ruling)
    try:
        explanation = showing.read_explanation(position, chosen.rulings)
    except showing.UnreadableFile as error:
        refuse(str(error))
    if as_json:
        typer.echo(json.dumps(showing.plainly(explanation, chosen), ensure_ascii=False))
    else:
        showing.show(explanation, chosen)


def referee(
    log: Annotated[
        str,
        typer.Argument(metavar="GAME.jsonl", help="A log of games, one turn a line; - is stdin."),
    ],
    edition: Annotated[
        str | None,
        edition_option("Judge by this edition. Without it, by the one in the log, or the default."),
    ] = None,
    ruling: RulingOption = [],  # noqa: B006
    as_json: JsonOption = False,
) -> None:
    """Check a log of games, turn by turn.

    Also lists the rules that the games never put to the test.
    """
    from pickomino_conformance.referee import MalformedLog, referee_file, showing

    chosen = read_other_edition(edition, ruling)
    where = "stdin" if log == "-" else log
    try:
        with showing.progress() as watch:
            found = referee_file(log, chosen, watch)
    except MalformedLog as error:
        refuse(f"{where}, {error}")
    except OSError as error:
        refuse(f"{where}: {error.strerror}. Name a file that holds a game log.")
    if as_json:
        typer.echo(json.dumps(showing.plainly(found, where), ensure_ascii=False))
    else:
        showing.show(found, where)
    raise typer.Exit(0 if found.conforms else 1)


def editions(
    edition: Annotated[str | None, typer.Argument(metavar="[E", show_default=False)] = None,
    other: Annotated[str | None, typer.Argument(metavar="[E2]]", show_default=False)] = None,
) -> None:
    """List the editions, show one, or compare two."""
    if edition is None:
        text = list_editions()
    elif other is None and edition in house_rule_names():
        text = show_house_rule(edition)
    elif other is None:
        text = show_edition(read_edition(edition))
    else:
        text = compare_editions(read_edition(edition), read_edition(other))
    typer.echo(text)


def perft(
    depth: Annotated[int, typer.Option("--depth", metavar="D", min=1, help="Longest sequence.")],
    edition: EditionOption = DEFAULT_EDITION,
    box: Annotated[
        str, typer.Option("--box", metavar="B", help=f"Box: {', '.join(read_spec('boxes'))}.")
    ] = "base",
    players: Annotated[int, typer.Option("--players", metavar="N", help="Number of players.")] = 2,
    divide: Annotated[
        bool, typer.Option("--divide", help="Also count what follows each first move.")
    ] = False,
) -> None:
    """Count the sequences of moves from the start.

    Prints one line `depth count` for each depth.
    """
    try:
        chosen = find_box(box)
        beginning = Position(start(players, chosen))
    except UnknownName as error:
        refuse(str(error))
    except Refused:
        fewest, most = chosen.players
        refuse(f"The box {box!r} is for {fewest} to {most} players, not for {players}.")
    counter = Perft(read_edition(edition).rulings, chosen)
    if divide:
        for move, number in counter.divide(beginning, depth):
            _echo_or_leave(f"{move_word(move)} {number}")
    for length in range(1, depth + 1):
        _echo_or_leave(f"{length} {counter.count(beginning, length)}")


def moves(position: Position, rulings: Rulings, box: Box = BASE) -> list[Move]:
    """Return every legal move; each possible outcome of a roll is one."""
    options = game.legal(position, rulings, box)
    listed: list[Move] = [SetAside(face) for face in options.faces]
    if options.roll:
        dice = rolling.all_dice(position.turn.set_aside, box)
        outcomes = combinations_with_replacement(sorted(box.points), dice)
        listed += [Roll("".join(outcome)) for outcome in outcomes]
    if options.stop:
        listed += options.claims or [Stop()]
    return listed


class Perft:
    """Counts move sequences; positions that several sequences reach are counted once.

    Two implementations are compared by the counts, which depend on what a move is: see
    `pickomino_reference.moves` and `game.play`.
    """

    def __init__(self, rulings: Rulings, box: Box = BASE) -> None:
        self._rulings = rulings
        self._box = box
        self._counted: dict[tuple[Position, int], int] = {}

    def count(self, position: Position, depth: int) -> int:
        """Return the number of move sequences of this length that begin at `position`."""
        if depth == 0:
            return 1
        if depth == 1:
            return self._count_moves(position)
        key = (position, depth)
        found = self._counted.get(key)
        if found is None:
            found = sum(number for _, number in self.divide(position, depth))
            self._counted[key] = found
        return found

    def divide(self, position: Position, depth: int) -> list[tuple[Move, int]]:
        """Return each legal move with the number of sequences that begin with it.

        `depth` is the length of the sequences, at least 1, the move itself included.
        """
        return [
            (move, self.count(game.play(position, move, self._rulings, self._box), depth - 1))
            for move in moves(position, self._rulings, self._box)
        ]

    def _count_moves(self, position: Position) -> int:
        """Count the legal moves without listing the outcomes of a roll."""
        options = game.legal(position, self._rulings, self._box)
        number = len(options.faces)
        if options.roll:
            dice = rolling.all_dice(position.turn.set_aside, self._box)
            number += comb(dice + len(self._box.points) - 1, dice)
        if options.stop:
            number += max(1, len(options.claims))
        return number


def _echo_or_leave(line: str) -> None:
    """Print a line; what nobody reads need not be counted."""
    typer.echo(line)
    if reader_left():
        raise typer.Exit


def list_editions() -> str:
    """Return all editions and house rules, a line each."""
    spec = read_spec("editions")
    lines = ["Editions (the first is the default)", ""]
    rows = [
        (name, one["kind"], one["language"], one["title"]) for name, one in spec["editions"].items()
    ]
    lines += _aligned(rows)
    lines += ["", "House rules, laid over an edition as EDITION+HOUSE", ""]
    lines += _aligned([(name, one["title"]) for name, one in spec["house-rules"].items()])
    return "\n".join(lines)


def show_edition(edition: Edition) -> str:
    """Return every ruling of an edition with the value that it fixes, in words."""
    spec = read_spec("editions")["editions"]
    base = spec[edition.name.split("+")[0].split(" ")[0]]
    lines = [f"{edition.name}: {edition.title}"]
    lines += [f"{base['kind']}, language {base['language']}. {base['found']}"]
    lines += [base["note"]] if "note" in base else []
    for ruling, value in ruling_values(edition.rulings).items():
        lines += _ruling(ruling, value)
    return "\n".join(lines)


def show_house_rule(name: str) -> str:
    """Return what a house rule changes, in words, and how it is laid over an edition."""
    house = read_spec("editions")["house-rules"][name]
    lines = [f"{name}: {house['title']}"]
    lines += [f"A house rule, laid over an edition: {DEFAULT_EDITION}+{name}"]
    for ruling, value in house["rulings"].items():
        lines += _ruling(ruling, value)
    return "\n".join(lines)


def compare_editions(one: Edition, other: Edition) -> str:
    """Return the rulings in which two editions differ, in words."""
    words = read_spec("rulings")
    values, others = ruling_values(one.rulings), ruling_values(other.rulings)
    lines = [f"{one.name} and {other.name}"]
    differing = [ruling for ruling in values if values[ruling] != others[ruling]]
    for ruling in differing:
        told = words[ruling]
        rows = [
            (f"  {name}", value, told["alternatives"][value])
            for name, value in ((one.name, values[ruling]), (other.name, others[ruling]))
        ]
        lines += ["", f"{ruling}: {told['question']}", *_aligned(rows)]
        lines += [f"  rules: {', '.join(told['rules'])}"]
    same = len(values) - len(differing)
    number = "1 ruling" if len(differing) == 1 else f"{len(differing)} rulings"
    lines += ["", f"They differ in {number} and agree in {same}."]
    return "\n".join(lines)


def move_word(move: Move) -> str:
    """Return a move as one word: `roll:1123WWW5`, `keep:W`, `take:25`, `steal:1`, `stop`."""
    match move:
        case Roll(dice):
            return f"roll:{dice}"
        case SetAside(face):
            return f"keep:{face}"
        case Take(tile):
            return f"take:{tile}"
        case Steal(player):
            return f"steal:{player}"
        case _:
            return "stop"


def _ruling(ruling: str, value: str) -> list[str]:
    told = read_spec("rulings")[ruling]
    return ["", f"{ruling} = {value}", f"  {told['question']}", f"  {told['alternatives'][value]}"]


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
