"""The console script `pickomino`.

What is needed by one command only is imported there, so that `--help` is quick.
"""

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pickomino_conformance import interruption, output
from pickomino_conformance.engines import groups
from pickomino_reference.editions import DEFAULT_EDITION

if TYPE_CHECKING:
    from pickomino_conformance.check import Checked, Plan
    from pickomino_conformance.engines.found import Found
    from pickomino_conformance.known_failures import Known
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
        typer.Option(
            "--level",
            metavar="L",
            help="Level: smoke, features, turns, tables, refusals, games; repeatable.",
        ),
    ] = [],  # noqa: B006
    case: Annotated[
        list[str],
        typer.Option("--case", metavar="ID", help="Only this case, or this rule; repeatable."),
    ] = [],  # noqa: B006
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="What random games are drawn by.")
    ] = 1,
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=1, help="How many random games are played.")
    ] = 100,
    gherkin: Annotated[
        bool, typer.Option("--gherkin", help="Show each departure as a scenario, too.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a report, JSON lines.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FILE", help="Write a summary for a pull request."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a page that shows all, drawn."),
    ] = None,
    cases: Annotated[
        Path | None,
        typer.Option("--cases", metavar="DIR", help="Write each failure as a file for `replay`."),
    ] = None,
    known_failures: Annotated[
        Path | None,
        typer.Option("--known-failures", metavar="FILE", help="Failures that do not count, TOML."),
    ] = None,
    update_known: Annotated[
        bool,
        typer.Option("--update-known", help="Write that file anew, with what fails now."),
    ] = False,
    timeout: TimeoutOption = 5.0,
) -> None:
    """Tell which rules of an edition an engine breaks, by the smallest example."""
    _check_timeout(timeout)
    from pickomino_conformance import findings, reports, terminal
    from pickomino_conformance.check import LEVELS, USUAL_LEVELS, Plan
    from pickomino_reference.editions import unknown

    for name in level:
        if name not in LEVELS:
            _refuse(str(unknown("level", name, LEVELS)))
    found = _find(engine)
    only_cases, only_rules = _cases_or_rules(case)
    plan = Plan(
        found=found,
        edition=_edition(edition, ruling),
        as_declared=as_declared,
        levels=tuple(one for one in LEVELS if one in (level or USUAL_LEVELS)),
        every_table="tables" in level,
        cases=only_cases,
        rules=only_rules,
        seed=seed,
        number_of_games=games,
        timeout=timeout,
        report=report,
        case_folder=cases,
        known=_known(known_failures, update=update_known),
    )
    written = {"junit": junit, "markdown": markdown, "html": html}
    in_one_go = {name: path for name, path in written.items() if path}
    outputs = {**in_one_go, **({"report": report} if report else {})}
    _require_writable(outputs)
    _require_one_file_each(
        {**outputs, **({"known-failures": known_failures} if known_failures else {})}
    )
    checked = _run(plan)
    if case and not checked.tally.levels:
        _refuse(f"There is no case {', '.join(case)} in the levels that ran.")
    found_out = findings.find(plan, checked)
    terminal.show_check(found_out, gherkin=gherkin)
    try:
        for name, path in in_one_go.items():
            reports.write(name, path, found_out)
        if update_known and known_failures:
            _update_known(known_failures, checked)
            raise typer.Exit(BROKEN if checked.exit_status == BROKEN else 0)
    except OSError as error:
        _refuse(f"{error.filename}: {error.strerror}.")
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
def replay(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="CASE.json… [ENGINE | -- COMMAND]",
            help="Case files, or folders of them, and the engine that is to be asked again.",
            show_default=False,
        ),
    ],
    edition: Annotated[
        str | None,
        typer.Option(
            "--edition",
            metavar="E[+HOUSE…]",
            help="Judge by this edition, not by the rulings of the file.",
        ),
    ] = None,
    ruling: RulingOption = [],  # noqa: B006
    timeout: TimeoutOption = 5.0,
) -> None:
    """Ask the cases of `check --cases` again, and tell which still depart."""
    _check_timeout(timeout)
    from pickomino_conformance import case_files, replay, terminal

    files, engine = _files_before_engine(words)
    other = _edition(edition or DEFAULT_EDITION, ruling) if edition or ruling else None
    try:
        paths = [path for file in files for path in case_files.find(Path(file))]
        cases = [case_files.read(path) for path in paths]
    except case_files.Unreadable as error:
        _refuse(str(error))
    found = _find(engine)
    with _telling_of(found):
        replayed = replay.replay_all(cases, other, found, timeout)
    terminal.show_replayed(found, replayed)
    raise typer.Exit(replay.exit_status(replayed))


@app.command()
def identify(engine: EngineArgument = None, timeout: TimeoutOption = 5.0) -> None:
    """Tell which value of each ruling an engine really plays, and the nearest edition."""
    _check_timeout(timeout)
    from pickomino_conformance import terminal
    from pickomino_conformance.engines.session import Engine, program
    from pickomino_conformance.identify import identify as ask
    from pickomino_conformance.identify import nearest
    from pickomino_conformance.identify.telling import tell
    from pickomino_conformance.subject import Subject

    found = _find(engine)
    with _telling_of(found), Engine(program(found.command, timeout)) as connected:
        findings = ask(Subject(connected, _edition(DEFAULT_EDITION).rulings))
    for line in tell(findings, nearest(findings), connected.conversation.restarts):
        typer.echo(terminal.printable(line))
    if not any(finding.seen for finding in findings):
        raise typer.Exit(BROKEN)


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
def explain(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION.json",
            help='A file with {"table": …, "kept": "WW555", "roll": null}; - is stdin.',
        ),
    ],
    edition: EditionOption = DEFAULT_EDITION,
    ruling: RulingOption = [],  # noqa: B006
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Tell for a position which moves are allowed, which are not, and by which rules."""
    import json

    from pickomino_conformance import explain as explaining

    chosen = _edition(edition, ruling)
    try:
        explanation = explaining.read_explanation(position, chosen.rulings)
    except explaining.UnreadableFile as error:
        _refuse(str(error))
    if as_json:
        typer.echo(json.dumps(explaining.plainly(explanation, chosen), ensure_ascii=False))
    else:
        explaining.show(explanation, chosen)


@app.command()
def referee(
    log: Annotated[
        str, typer.Argument(metavar="GAME.jsonl", help="A log of games, a turn a line; - is stdin.")
    ],
    edition: Annotated[
        str | None,
        typer.Option(
            "--edition",
            metavar="E[+HOUSE…]",
            help="Judge by this edition. Without it by what the log names, or by the default.",
        ),
    ] = None,
    ruling: RulingOption = [],  # noqa: B006
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Check a game log turn by turn, and tell which rules it never exercised."""
    import json

    from pickomino_conformance.referee import MalformedLog, reading, showing

    chosen = _edition(edition or DEFAULT_EDITION, ruling) if edition or ruling else None
    where = "stdin" if log == "-" else log
    try:
        with showing.progress() as watch:
            found = reading.referee_file(log, chosen, watch)
    except MalformedLog as error:
        _refuse(f"{where}, {error}")
    except OSError as error:
        _refuse(f"{where}: {error.strerror}. Name a file that holds a game log.")
    if as_json:
        typer.echo(json.dumps(showing.plainly(found, where), ensure_ascii=False))
    else:
        showing.show(found, where)
    raise typer.Exit(0 if found.conforms else 1)


@app.command()
def editions(
    edition: Annotated[str | None, typer.Argument(metavar="[E", show_default=False)] = None,
    other: Annotated[str | None, typer.Argument(metavar="[E2]]", show_default=False)] = None,
) -> None:
    """List the editions, show one (or a house rule), or show where two differ."""
    from pickomino_conformance import readings
    from pickomino_reference.editions import house_rule_names

    if edition is None:
        text = readings.list_editions()
    elif other is None and edition in house_rule_names():
        text = readings.show_house_rule(edition)
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
            _echo_or_leave(f"{readings.move(move)} {number}")
    for length in range(1, depth + 1):
        _echo_or_leave(f"{length} {counter.count(beginning, length)}")


def _echo_or_leave(line: str) -> None:
    """Print a line; what nobody reads need not be counted."""
    typer.echo(line)
    if output.reader_left():
        raise typer.Exit


def main() -> None:
    """Run the command line. What stands after a literal `--` is the engine's command."""
    arguments = sys.argv[1:]
    if "--" in arguments:
        split = arguments.index("--")
        _Command.words = arguments[split + 1 :]
        _Command.given = True
        arguments = arguments[:split]
    interruption.listen()
    output.outlive_readers()
    try:
        app(arguments, prog_name="pickomino")
    except (KeyboardInterrupt, SystemExit):
        _leave_if_interrupted()
        _flush()
        raise
    except OSError as error:
        _tell_of_file(error)


def _leave_if_interrupted() -> None:
    """End what still runs, and leave with a word and the status of the signal, if one came."""
    number = interruption.came()
    if number is None:
        return
    groups.end_all()
    typer.echo("Interrupted.", err=True)
    sys.exit(128 + number)


def _flush() -> None:
    try:
        sys.stdout.flush()
    except OSError as error:
        _tell_of_file(error)


def _tell_of_file(error: OSError) -> NoReturn:
    """Say what can't be written, and leave."""
    from pickomino_conformance import terminal

    terminal.complain(f"{error.filename}: {error.strerror}. Choose another place.")
    sys.exit(BROKEN)


class _Command:
    """The words after a literal `--`, which Click would swallow."""

    given = False
    words: list[str] = []  # noqa: RUF012


def _refuse(text: str, *more: str) -> NoReturn:
    from pickomino_conformance import terminal

    terminal.complain(text, *more)
    raise typer.Exit(BROKEN)


def _check_timeout(seconds: float) -> None:
    if not math.isfinite(seconds):
        _refuse(f"--timeout takes a number of seconds, not {seconds}.")
    from pickomino_conformance.engines.pipe import LONGEST_TIMEOUT

    if seconds > LONGEST_TIMEOUT:
        _refuse(f"--timeout takes at most a day, {LONGEST_TIMEOUT} seconds, not {seconds:g}.")


def _edition(name: str, rulings: list[str] | None = None) -> "Edition":
    from pickomino_reference.editions import Contradiction, UnknownName, find_edition, read_rulings

    try:
        return find_edition(name, read_rulings(rulings or []))
    except (UnknownName, Contradiction) as error:
        _refuse(str(error))


def _cases_or_rules(words: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of cases (or of chapters) and those of rules; there may only be one kind."""
    from pickomino_conformance.specification import rules
    from pickomino_reference.editions import unknown

    asked = [word for word in words if "." in word and "/" not in word]
    for word in asked:
        if word not in rules():
            hint = "A case has a / in its id, such as failing/question-21."
            _refuse(f"{unknown('rule', word, rules())} {hint}")
    if asked and len(asked) < len(words):
        _refuse("--case takes ids of cases or ids of rules, not both at once.")
    return ((), tuple(asked)) if asked else (tuple(words), ())


def _known(path: Path | None, *, update: bool) -> "tuple[Known, ...]":
    """Return the known failures of a file; none if it is to be made."""
    from pickomino_conformance import known_failures

    if path is None:
        if update:
            _refuse("--update-known writes the file that --known-failures names.")
        return ()
    if update:
        _require_writable({"known-failures": path})
        if not path.exists():
            return ()
    try:
        return known_failures.read(path)
    except known_failures.Unreadable as error:
        _refuse(str(error))


def _update_known(path: Path, checked: "Checked") -> None:
    from pickomino_conformance import known_failures

    before, after = checked.known, checked.known.updated
    known_failures.write(path, after)
    added = sum(one.reason == known_failures.NOT_EXAMINED for one in after)
    failures = "1 known failure" if len(after) == 1 else f"{len(after)} known failures"
    typer.echo(
        f"Written: {path}, {failures}; {len(before.stale)} taken out. "
        f"Without a reason yet: {added}."
    )


def _require_writable(files: dict[str, Path]) -> None:
    """Refuse a file that can't be written, before anything is asked."""
    from pickomino_conformance.whole_files import require_writable

    for option, path in files.items():
        try:
            require_writable(path)
        except OSError as error:
            _refuse(f"--{option} {path}: {error.strerror}. Choose another file.")


def _require_one_file_each(files: dict[str, Path]) -> None:
    """Refuse two options that name one file: the one would be written over the other."""
    from itertools import combinations

    from pickomino_conformance.whole_files import same_file

    for (one, path), (other, same) in combinations(files.items(), 2):
        if same_file(path, same):
            _refuse(f"--{one} and --{other} both name {path}. Choose another file for one of them.")


def _files_before_engine(words: list[str]) -> tuple[list[str], str | None]:
    """Return the files, and the engine, which is the last word unless it names a file, too."""
    from pickomino_conformance.engines.found import BUNDLED

    *files, last = words
    is_file = last.endswith(".json") or (last not in BUNDLED and Path(last).exists())
    return (words, None) if _Command.given or is_file or not files else (files, last)


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


@contextmanager
def _telling_of(found: "Found", written: str = "") -> Iterator[None]:
    """Turn what keeps an engine from being judged into words; `written` is what can't be."""
    from pickomino_conformance.engines.session import Unusable
    from pickomino_conformance.levels.features import SuiteFailed

    try:
        yield
    except Unusable as error:
        words = f"Its last words: {error.last_words}" if error.last_words else ""
        _refuse(f"The engine {found.label!r} can't be judged: {error}.", words, error.hint)
    except SuiteFailed as error:
        _refuse("The features could not be run; pytest says:", str(error))
    except OSError as error:
        _refuse(f"{error.filename or written}: {error.strerror}. Choose another place.")


def _run(plan: "Plan") -> "Checked":
    from pickomino_conformance import check, terminal

    with _telling_of(plan.found, str(plan.report)), terminal.progress() as watch:
        return check.run(plan, watch)


if __name__ == "__main__":
    main()
