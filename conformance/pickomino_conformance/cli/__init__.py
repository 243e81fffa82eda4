"""The command line: the console scripts `pickomino` and `pickomino-spec`, one program.

What only one command needs is imported there, so that `--help` is quick.
"""

import os
import sys
import traceback
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from pickomino_conformance import files, interruption
from pickomino_conformance.cli import engines, rules
from pickomino_conformance.cli.options import BROKEN, CommandWords, complain

SCRIPTS = ("pickomino", "pickomino-spec")
FAILED = 3
TRACEBACK = "PICKOMINO_TRACEBACK"
OURS = {"pickomino_conformance", "pickomino_reference"}

app = typer.Typer(
    help="The rules of Pickomino: check an engine against them, or read what they are.",
    epilog="Example: pickomino check -- node my-engine.js",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
engines.add_to(app)
rules.add_to(app)


def _show_version(wanted: bool) -> None:  # noqa: FBT001  # Typer calls it so
    if wanted:
        from importlib.metadata import version

        typer.echo(f"pickomino-spec {version('pickomino-spec')}")
        raise typer.Exit


@app.callback()
def pickomino(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """The rules of Pickomino: check an engine against them, or read what they are."""


def main() -> None:
    """Run the command line. What stands after a literal `--` is the engine's command.

    The exit status is that of the command; 3 if the program itself has failed.
    """
    arguments = CommandWords.cut_off(sys.argv[1:])
    called = Path(sys.argv[0]).stem
    interruption.listen()
    files.outlive_readers()
    try:
        app(arguments, prog_name=called if called in SCRIPTS else SCRIPTS[0])
    except (KeyboardInterrupt, SystemExit):
        _leave_if_interrupted()
        _flush()
        raise
    except Exception as error:  # noqa: BLE001  # whatever it is, it is told in words
        _leave_if_interrupted()
        _tell_of_failure(error)


def _leave_if_interrupted() -> None:
    """End what still runs, and leave with a word and the status of the signal, if one came."""
    number = interruption.came()
    if number is None:
        return
    interruption.end_all_groups()
    typer.echo("Interrupted.", err=True)
    sys.exit(128 + number)


def _flush() -> None:
    try:
        sys.stdout.flush()
    except OSError as error:
        _tell_of_failure(error)


def _tell_of_failure(error: Exception) -> NoReturn:
    """Say what can't be written, or where the program itself has failed, and leave."""
    if isinstance(error, OSError) and error.filename:
        complain(f"{error.filename}: {error.strerror}. Choose another place.")
        sys.exit(BROKEN)
    if os.environ.get(TRACEBACK):
        traceback.print_exception(error)
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if OURS.intersection(Path(frame.filename).parts)]
    where = (ours or frames)[-1]
    said = f"{type(error).__name__}: {error}".removesuffix(": ")
    complain(
        f"pickomino itself has failed: {said} ({'/'.join(Path(where.filename).parts[-2:])}, "
        f"line {where.lineno}, in {where.name}).",
        "This is a mistake of ours and says nothing about the engine; please report it.",
        f"With {TRACEBACK}=1 in the environment the whole traceback is shown.",
    )
    sys.exit(FAILED)
