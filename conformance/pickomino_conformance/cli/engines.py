"""The commands that ask an engine: `check`, `smoke`, `replay`, `identify`; and `serve`, an engine.

`add_to` gives them to the program.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from pickomino_conformance import report as reports
from pickomino_conformance.cli.options import (
    BROKEN,
    EditionOption,
    EngineArgument,
    RulingOption,
    TimeoutOption,
    edition_option,
    files_before_engine,
    find_engine,
    read_edition,
    read_other_edition,
    refuse,
)
from pickomino_conformance.files import printable, require_writable, same_file
from pickomino_reference.editions import DEFAULT_EDITION, unknown

if TYPE_CHECKING:
    from pickomino_conformance.check import Checked, Plan
    from pickomino_conformance.known_failures import Known
    from pickomino_conformance.protocol.finding import EngineCommand
    from pickomino_conformance.protocol.messages import Hello


class CheckCommand(TyperCommand):
    """The command `check`, with an option for each form of report, `--junit FILE` and so on.

    Its help lists the levels, which are looked up only there.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        place = [option.name for option in self.params].index("report") + 1
        self.params[place:place] = [
            TyperOption(
                param_decls=[f"--{name}"],
                metavar="FILE",
                help=form.help,
                expose_value=False,
                callback=_keep,
            )
            for name, form in reports.FORMS.items()
        ]

    def get_help(self, ctx: Any) -> str:
        """Return the help."""
        from pickomino_conformance.cases.registry import LEVELS

        for option in self.params:
            if isinstance(option, TyperOption) and option.name == "level":
                names = ", ".join(level.name for level in LEVELS)
                option.help = f"{option.help} Levels: {names}."
        return super().get_help(ctx)


def _keep(context: typer.Context, option: TyperOption, value: str | None) -> None:
    context.ensure_object(dict)
    if value is not None:
        context.obj[option.name] = Path(value)


def add_to(app: typer.Typer) -> None:
    """Give these commands to the program, each with an example at the end of its help."""
    app.command(
        cls=CheckCommand,
        epilog="Example: pickomino check --edition 999-games -- node my-engine.js",
    )(check)
    app.command(epilog="Example: pickomino smoke my_engine:Engine")(smoke)
    app.command(epilog="Example: pickomino replay failures/ -- node my-engine.js")(replay)
    app.command(epilog="Example: pickomino identify pickomino-env")(identify)
    app.command(epilog="Example: pickomino check -- pickomino serve --edition sheet-001")(serve)


def check(
    context: typer.Context,
    engine: EngineArgument = None,
    edition: EditionOption = DEFAULT_EDITION,
    ruling: RulingOption = [],  # noqa: B006  # Typer copies it
    as_declared: Annotated[
        bool,
        typer.Option("--as-declared", help="Judge by the rulings that the engine declares."),
    ] = False,
    level: Annotated[
        list[str],
        typer.Option("--level", metavar="L", help="Run only this level; repeatable."),
    ] = [],  # noqa: B006
    case: Annotated[
        list[str],
        typer.Option("--case", metavar="ID", help="Run only this case, or this rule; repeatable."),
    ] = [],  # noqa: B006
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Seed of the random games.")
    ] = 1,
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=1, help="Number of random games.")
    ] = 100,
    gherkin: Annotated[
        bool, typer.Option("--gherkin", help="Also show each departure as a Gherkin scenario.")
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write a report for programs, JSON lines."),
    ] = None,
    cases: Annotated[
        Path | None,
        typer.Option("--cases", metavar="DIR", help="Write each failure as a file for `replay`."),
    ] = None,
    known_failures: Annotated[
        Path | None,
        typer.Option(
            "--known-failures", metavar="FILE", help="Don't count the failures that FILE lists."
        ),
    ] = None,
    update_known: Annotated[
        bool,
        typer.Option("--update-known", help="Rewrite that list with what fails now."),
    ] = False,
    timeout: TimeoutOption = 5.0,
) -> None:
    """Show which rules of an edition an engine breaks.

    Each comes with its smallest example.

    Exit status: 0 if the engine conforms, 1 if it does not, 2 if it could not be judged, 3 if
    pickomino itself failed.
    """
    from pickomino_conformance.cases.registry import LEVELS
    from pickomino_conformance.check import Plan
    from pickomino_conformance.report import model, terminal

    names = [one.name for one in LEVELS]
    for name in level:
        if name not in names:
            refuse(str(unknown("level", name, names)))
    only_cases, only_rules = _cases_or_rules(case)
    judged_by = read_edition(edition, ruling)
    known = _known(known_failures, update=update_known)
    in_one_go: dict[str, Path] = context.obj
    outputs = {**in_one_go, **({"report": report} if report else {})}
    _require_writable(outputs)
    _require_one_file_each(
        {**outputs, **({"known-failures": known_failures} if known_failures else {})}
    )
    plan = Plan(
        command=find_engine(engine, "check", "checks"),
        edition=judged_by,
        as_declared=as_declared,
        levels=tuple(name for name in names if name in (level or names)),
        cases=only_cases,
        rules=only_rules,
        seed=seed,
        number_of_games=games,
        timeout=timeout,
        report=report,
        case_folder=cases,
        known=known,
    )
    checked = _run(plan, lambda hello: terminal.show_heading(model.heading(plan, hello)))
    if case and not checked.tally.levels:
        refuse(f"There is no case {', '.join(case)} in the levels that ran.")
    found = model.find(plan, checked)
    terminal.show_check(found, gherkin=gherkin)
    try:
        for name, path in in_one_go.items():
            reports.write(name, path, found)
        if update_known and known_failures:
            _update_known(known_failures, checked)
            raise typer.Exit(BROKEN if checked.exit_status == BROKEN else 0)
    except OSError as error:
        refuse(f"{error.filename}: {error.strerror}.")
    raise typer.Exit(checked.exit_status)


def smoke(engine: EngineArgument = None, timeout: TimeoutOption = 5.0) -> None:
    """Test whether the adapter works at all.

    A few probes tell a broken adapter from a wrong engine.
    """
    from pickomino_conformance.check import Plan
    from pickomino_conformance.report import terminal

    plan = Plan(
        command=find_engine(engine, "smoke", "asks"),
        edition=read_edition(DEFAULT_EDITION),
        levels=("smoke",),
        timeout=timeout,
    )
    checked = _run(plan)
    terminal.show_smoke(plan, checked)
    raise typer.Exit(checked.exit_status)


def replay(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="CASE.json… [ENGINE | -- COMMAND]",
            help="Case files, or folders of them, then the engine.",
            show_default=False,
        ),
    ],
    edition: Annotated[
        str | None,
        edition_option("Judge by this edition instead of the rulings in the file."),
    ] = None,
    ruling: RulingOption = [],  # noqa: B006
    timeout: TimeoutOption = 5.0,
) -> None:
    """Ask an engine again the cases that `check --cases` wrote.

    Shows which of them still fail.
    """
    from pickomino_conformance.report import replay, terminal

    files, engine = files_before_engine(words)
    other = read_other_edition(edition, ruling)
    try:
        paths = [path for file in files for path in replay.find(Path(file))]
        cases = [replay.read(path) for path in paths]
    except replay.UnreadableCase as error:
        refuse(str(error))
    command = find_engine(engine, "replay CASE.json", "asks")
    with _telling_of(command):
        replayed = replay.replay_all(cases, other, command, timeout)
    terminal.show_replayed(command, replayed)
    raise typer.Exit(replay.exit_status(replayed))


def identify(engine: EngineArgument = None, timeout: TimeoutOption = 5.0) -> None:
    """Find out which rulings an engine really plays.

    Prints one line a ruling, and the nearest edition.
    """
    from pickomino_conformance.engine import EngineUnderTest
    from pickomino_conformance.identify import identify as ask
    from pickomino_conformance.identify import nearest, tell
    from pickomino_conformance.protocol.conversation import Conversation

    command = find_engine(engine, "identify", "asks")
    with _telling_of(command), Conversation(command.launcher(timeout)) as conversation:
        found = ask(EngineUnderTest(conversation, read_edition(DEFAULT_EDITION).rulings))
    for line in tell(found, nearest(found), conversation.conduct.restarts):
        typer.echo(printable(line))
    if not any(one.seen for one in found):
        raise typer.Exit(BROKEN)


def serve(
    edition: Annotated[
        str | None,
        edition_option("Play only this edition. Without it the engine can be configured."),
    ] = None,
    ruling: RulingOption = [],  # noqa: B006
) -> None:
    """Run the reference implementation as an engine (stdin/stdout)."""
    from pickomino_conformance.protocol import host
    from pickomino_conformance.protocol.reference import ReferenceEngine

    host.serve(ReferenceEngine(read_other_edition(edition, ruling)))


def _cases_or_rules(words: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of cases (or of chapters) and those of rules; there may only be one kind."""
    from pickomino_conformance.specification import rules

    asked = [word for word in words if "." in word and "/" not in word]
    for word in asked:
        if word not in rules():
            hint = "A case has a / in its id, such as failing/question-21."
            refuse(f"{unknown('rule', word, rules())} {hint}")
    if asked and len(asked) < len(words):
        refuse("--case takes ids of cases or ids of rules, not both at once.")
    return ((), tuple(asked)) if asked else (tuple(words), ())


def _known(path: Path | None, *, update: bool) -> "tuple[Known, ...]":
    if path is None:
        if update:
            refuse("--update-known rewrites the file that --known-failures names.")
        return ()
    if update:
        _require_writable({"known-failures": path})
        if not path.exists():
            return ()
    from pickomino_conformance import known_failures

    try:
        return known_failures.read(path)
    except known_failures.UnreadableList as error:
        refuse(str(error))


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


def _require_writable(outputs: dict[str, Path]) -> None:
    """Refuse a file that can't be written, before anything is asked."""
    for option, path in outputs.items():
        try:
            require_writable(path)
        except OSError as error:
            refuse(f"--{option} {path}: {error.strerror}. Choose another file.")


def _require_one_file_each(outputs: dict[str, Path]) -> None:
    """Refuse two options that name one file: the second would overwrite the first."""
    for (one, path), (other, same) in combinations(outputs.items(), 2):
        if same_file(path, same):
            refuse(f"--{one} and --{other} both name {path}. Choose another file for one of them.")


@contextmanager
def _telling_of(command: "EngineCommand", written: str = "") -> Iterator[None]:
    """Turn what keeps an engine from being judged into words; `written` is what can't be."""
    from pickomino_conformance.protocol.conversation import Unusable

    try:
        yield
    except Unusable as error:
        words = f"Its last words: {error.last_words}" if error.last_words else ""
        refuse(f"The engine {command.label!r} can't be judged: {error}.", words, error.hint)
    except OSError as error:
        if not (error.filename or written):
            raise
        refuse(f"{error.filename or written}: {error.strerror}. Choose another place.")


def _run(plan: "Plan", begin: Callable[["Hello"], None] = lambda _: None) -> "Checked":
    from pickomino_conformance import check
    from pickomino_conformance.report import terminal

    written = str(plan.report) if plan.report else ""
    with _telling_of(plan.command, written), terminal.progress() as watch:
        return check.run(plan, watch, begin)
