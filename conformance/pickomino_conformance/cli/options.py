"""Options that several commands share, and how their values are read."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from pickomino_conformance.files import printable
from pickomino_reference.editions import (
    DEFAULT_EDITION,
    Contradiction,
    Edition,
    UnknownName,
    find_edition,
    read_rulings,
)

if TYPE_CHECKING:
    from pickomino_conformance.protocol.finding import EngineCommand

BROKEN = 2


def edition_option(text: str) -> Any:
    """Return the option `--edition`, with its help."""
    return typer.Option("--edition", metavar="E[+HOUSE…]", help=text)


EditionOption = Annotated[str, edition_option("Edition, with house rules laid over it.")]
RulingOption = Annotated[
    list[str],
    typer.Option("--ruling", metavar="R=V", help="One ruling, over the edition; repeatable."),
]
EngineArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="ENGINE | -- COMMAND",
        help="A bundled engine (reference, pickomino-env), a Python class (module:attribute), "
        "or any command after --.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


class CommandWords:
    """The words after a literal `--`, which Click would swallow; `main` puts them here."""

    given = False
    words: tuple[str, ...] = ()

    @classmethod
    def cut_off(cls, arguments: list[str]) -> list[str]:
        """Keep what stands after the first `--`, and return what stands before it."""
        cls.given = "--" in arguments
        split = arguments.index("--") if cls.given else len(arguments)
        cls.words = tuple(arguments[split + 1 :])
        return arguments[:split]


def complain(text: str, *more: str) -> None:
    """Print an error on stderr, and more lines on it."""
    typer.secho(printable(text), err=True, fg="red", bold=True)
    for line in filter(None, more):
        typer.echo(printable(line), err=True)


def refuse(text: str, *more: str) -> NoReturn:
    """Say on stderr what is wrong, and leave with the status of what can't be judged."""
    complain(text, *more)
    raise typer.Exit(BROKEN)


def _read_timeout(seconds: float) -> float:
    """Refuse a timeout that is no number of seconds, or more than a day."""
    if not math.isfinite(seconds):
        refuse(f"--timeout takes a number of seconds, not {seconds}.")
    from pickomino_conformance.protocol.wire import LONGEST_TIMEOUT

    if seconds > LONGEST_TIMEOUT:
        refuse(f"--timeout takes at most a day, {LONGEST_TIMEOUT} seconds, not {seconds:g}.")
    return seconds


TimeoutOption = Annotated[
    float,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        min=0.01,
        help="Longest wait for an answer.",
        callback=_read_timeout,
    ),
]


def read_edition(name: str, rulings: list[str] | None = None) -> Edition:
    """Return an edition by its name, with single rulings over it; refuse one there is not."""
    try:
        return find_edition(name, read_rulings(rulings or []))
    except (UnknownName, Contradiction) as error:
        refuse(str(error))


def read_other_edition(name: str | None, rulings: list[str]) -> Edition | None:
    """Return the edition that was asked for; none if neither it nor a ruling was."""
    return read_edition(name or DEFAULT_EDITION, rulings) if name or rulings else None


def find_engine(engine: str | None, usage: str, does: str) -> "EngineCommand":
    """Return the engine that was named, or the command after `--`.

    Whoever names none is told what to type: `pickomino USAGE reference`, and what that `does`.
    """
    from pickomino_conformance.protocol import finding

    if CommandWords.given:
        if engine is not None:
            refuse(f"Name one engine: either {engine!r} or the command after --.")
        if not CommandWords.words:
            refuse("A command is expected after --, such as -- node my-engine.js")
        return finding.of_command(list(CommandWords.words))
    if engine is None:
        refuse(
            f"Name the engine: {', '.join(finding.BUNDLED)}, module:attribute for a Python class, "
            "or a command after --, such as -- node my-engine.js.",
            f"`pickomino {usage} reference` {does} the reference over the protocol.",
        )
    try:
        return finding.find(engine)
    except UnknownName as error:
        refuse(str(error))


def files_before_engine(words: list[str]) -> tuple[list[str], str | None]:
    """Return the files, and the engine, which is the last word unless it names a file, too."""
    from pickomino_conformance.protocol.finding import BUNDLED

    *files, last = words
    is_file = last.endswith(".json") or (last not in BUNDLED and Path(last).exists())
    return (words, None) if CommandWords.given or is_file else (files, last)
