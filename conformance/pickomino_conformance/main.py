"""The console script `pickomino`.

What is needed by one command only is imported there, so that `--help` is quick.
"""

import math
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pickomino_reference.editions import DEFAULT_EDITION

if TYPE_CHECKING:
    from pickomino_conformance.check import Checked, Plan
    from pickomino_conformance.engines.found import Found
    from pickomino_reference import Edition

BROKEN = 2

app = typer.Typer(
    help="The rules of Pickomino: check an engine against them, or read what they are.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

EditionOption = Annotated[
    str,
    typer.Option("--edition", metavar="E[+HOUSE…]", help="Edition, with house rules laid over it."),
]
RulingOption = Annotated[
    list[str],
    typer.Option("--ruling", metavar="R=V", help="One ruling, over the edition; repeatable."),
]
EngineArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[ENGINE | -- COMMAND]",
        help="A bundled engine (reference, pickomino-env), a Python class module:attribute, "
        "or after -- any command. Without it the reference is checked.",
        show_default=False,
    ),
]
TimeoutOption = Annotated[
    float,
    typer.Option("--timeout", metavar="SECONDS", min=0.01, help="Longest wait for an answer."),
]


@app.command()
def check(
    engine: EngineArgument = None,
    edition: EditionOption = DEFAULT_EDITION,
    ruling: RulingOption = [],  # noqa: B006  # Typer copies it
    as_declared: Annotated[
        bool, typer.Option("--as-declared", help="Judge by the rulings that the engine declares.")
    ] = False,
    level: Annotated[
        list[str],
        typer.Option("--level", metavar="L", help="Level: smoke, features, turns; repeatable."),
    ] = [],  # noqa: B006
    case: Annotated[
        list[str], typer.Option("--case", metavar="ID", help="Only this case; repeatable.")
    ] = [],  # noqa: B006
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a report, JSON lines.")
    ] = None,
    timeout: TimeoutOption = 5.0,
) -> None:
    """Tell which rules of an edition an engine breaks, by the smallest example."""
    _check_timeout(timeout)
    from pickomino_conformance import terminal
    from pickomino_conformance.check import LEVELS, USUAL_LEVELS, Plan
    from pickomino_conformance.engines.found import REFERENCE
    from pickomino_reference.editions import unknown

    for name in level:
        if name not in LEVELS:
            _refuse(str(unknown("level", name, LEVELS)))
    found = _find(engine)
    if "tables" in level and found.option != REFERENCE:
        _refuse("The level 'tables' asks the bundled reference only: pickomino check reference.")
    plan = Plan(
        found=found,
        edition=_edition(edition, ruling),
        as_declared=as_declared,
        levels=tuple(one for one in LEVELS if one in (level or USUAL_LEVELS)),
        cases=tuple(case),
        timeout=timeout,
        report=report,
    )
    checked = _run(plan)
    if case and not checked.tally.levels:
        _refuse(f"There is no case {', '.join(case)} in the levels that ran.")
    terminal.show_check(plan, checked)
    raise typer.Exit(checked.exit_status)


@app.command()
def smoke(engine: EngineArgument = None, timeout: TimeoutOption = 5.0) -> None:
    """Ask what tells a broken adapter from a wrong engine."""
    _check_timeout(timeout)
    from pickomino_conformance import terminal
    from pickomino_conformance.check import Plan

    plan = Plan(
        found=_find(engine), edition=_edition(DEFAULT_EDITION), levels=("smoke",), timeout=timeout
    )
    checked = _run(plan)
    terminal.show_smoke(plan, checked)
    raise typer.Exit(checked.exit_status)


@app.command()
def serve(
    edition: Annotated[
        str | None,
        typer.Option(
            "--edition",
            metavar="E[+HOUSE…]",
            help="Play this edition, fixed. Without it the engine can be configured.",
        ),
    ] = None,
    ruling: RulingOption = [],  # noqa: B006
) -> None:
    """Be the reference as an engine, on stdin and stdout."""
    from pickomino_conformance.engines import host
    from pickomino_conformance.engines.reference import ReferenceEngine

    fixed = _edition(edition or DEFAULT_EDITION, ruling) if edition or ruling else None
    host.serve(ReferenceEngine(fixed))


@app.command()
def editions(
    edition: Annotated[str | None, typer.Argument(metavar="[E", show_default=False)] = None,
    other: Annotated[str | None, typer.Argument(metavar="[E2]]", show_default=False)] = None,
) -> None:
    """List the editions, show one, or show where two differ."""
    from pickomino_conformance import readings

    if edition is None:
        text = readings.list_editions()
    elif other is None:
        text = readings.show_edition(_edition(edition))
    else:
        text = readings.compare_editions(_edition(edition), _edition(other))
    typer.echo(text)


@app.command()
def perft(
    depth: Annotated[int, typer.Option("--depth", metavar="D", min=1, help="Longest sequence.")],
    edition: EditionOption = DEFAULT_EDITION,
    box: Annotated[
        str, typer.Option("--box", metavar="B", help="What is in the box: base or tiny.")
    ] = "base",
    players: Annotated[int, typer.Option("--players", metavar="N", help="Players.")] = 2,
    divide: Annotated[
        bool, typer.Option("--divide", help="Show the count behind each first move, too.")
    ] = False,
) -> None:
    """Count the sequences of moves, a line `depth count` each."""
    from pickomino_conformance import readings
    from pickomino_reference import Perft, Position, Refused, UnknownName, find_box, start

    try:
        chosen = find_box(box)
        beginning = Position(start(players, chosen))
    except UnknownName as error:
        _refuse(str(error))
    except Refused:
        fewest, most = chosen.players
        _refuse(f"The box {box!r} is for {fewest} to {most} players, not for {players}.")
    counter = Perft(_edition(edition).rulings, chosen)
    if divide:
        for move, number in counter.divide(beginning, depth):
            typer.echo(f"{readings.move(move)} {number}")
    for length in range(1, depth + 1):
        typer.echo(f"{length} {counter.count(beginning, length)}")


def main() -> None:
    """Run the command line. What stands after a literal `--` is the engine's command."""
    arguments = sys.argv[1:]
    if "--" in arguments:
        split = arguments.index("--")
        _Command.words = arguments[split + 1 :]
        _Command.given = True
        arguments = arguments[:split]
    signal.signal(signal.SIGTERM, _leave)
    try:
        app(arguments, prog_name="pickomino")
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(BROKEN)


class _Command:
    """The words after a literal `--`, which Click would swallow."""

    given = False
    words: list[str] = []  # noqa: RUF012


def _leave(*_: object) -> NoReturn:
    """End by an exception, so that every engine process is ended on the way."""
    sys.exit(128 + signal.SIGTERM)


def _refuse(text: str, *more: str) -> NoReturn:
    from pickomino_conformance import terminal

    terminal.complain(text, *more)
    raise typer.Exit(BROKEN)


def _check_timeout(seconds: float) -> None:
    if not math.isfinite(seconds):
        _refuse(f"--timeout takes a number of seconds, not {seconds}.")


def _edition(name: str, rulings: list[str] | None = None) -> "Edition":
    from pickomino_reference.editions import Contradiction, UnknownName, find_edition, read_rulings

    try:
        return find_edition(name, read_rulings(rulings or []))
    except (UnknownName, Contradiction) as error:
        _refuse(str(error))


def _find(engine: str | None) -> "Found":
    from pickomino_conformance.engines import found
    from pickomino_reference.editions import UnknownName

    if _Command.given:
        if engine is not None:
            _refuse(f"Name one engine: either {engine!r} or the command after --.")
        if not _Command.words:
            _refuse("A command is expected after --, such as -- node my-engine.js")
        return found.of_command(_Command.words)
    try:
        return found.find(found.REFERENCE if engine is None else engine)
    except UnknownName as error:
        _refuse(str(error))


def _run(plan: "Plan") -> "Checked":
    from pickomino_conformance import check, terminal
    from pickomino_conformance.engines.session import Unusable
    from pickomino_conformance.levels.features import SuiteFailed

    try:
        with terminal.progress() as watch:
            return check.run(plan, watch)
    except Unusable as error:
        words = f"Its last words: {error.last_words}" if error.last_words else ""
        _refuse(f"The engine {plan.found.label!r} can't be judged: {error}.", words, error.hint)
    except SuiteFailed as error:
        _refuse("The features could not be run; pytest says:", str(error))
    except OSError as error:
        place = error.filename or plan.report
        _refuse(f"{place}: {error.strerror}. Choose another file for --report.")


if __name__ == "__main__":
    main()
