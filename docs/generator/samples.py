"""The files that a reader can take along, and the commands that the pages show with their output.

`make shown` runs the commands (`docs/shown.toml`) and keeps what they print in `docs/shown/`;
a test runs them again.
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from os import environ
from pathlib import Path

from generator.places import DOCS, ROOT
from pickomino_reference.data import spec_dir

SAMPLES = DOCS / "samples"
SHOWN = DOCS / "shown"
ENGINE = ROOT / "engines" / "sample-node" / "engine.js"
PLACE = "files"
CUT = "…"

_SECONDS = re.compile(r"\b\d+\.\d+ ?s\b")
_KINDS = {
    ".py": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".toml": "toml",
    ".json": "json",
    ".jsonl": "json",
}


@dataclass(frozen=True, slots=True)
class ShownCommand:
    """A command of `docs/shown.toml`; see there."""

    name: str
    command: str
    status: int
    head: int
    start: str
    lines: int
    after: str

    @property
    def path(self) -> Path:
        """Where its output is kept."""
        return SHOWN / f"{self.name}.txt"

    @property
    def needs(self) -> str:
        """The program besides our own without which it can't be run; empty if there is none."""
        return "node" if " node " in self.command else ""


class Unexpected(Exception):
    """A command ended in another way than the pages say."""


@cache
def read_shown() -> dict[str, ShownCommand]:
    """Return the commands by their names, in order."""
    told = tomllib.loads((DOCS / "shown.toml").read_text(encoding="utf-8"))
    return {
        name: ShownCommand(
            name,
            one["command"],
            one["status"],
            one.get("head", 0),
            one.get("from", ""),
            one.get("lines", 0),
            one.get("after", ""),
        )
        for name, one in told.items()
    }


def files() -> Iterator[Path]:
    """Yield what a reader can take along: the samples, and what the protocol is made of."""
    yield from sorted(path for path in SAMPLES.iterdir() if path.is_file())
    yield ENGINE
    yield from sorted((spec_dir() / "protocol").glob("*.json"))
    yield spec_dir() / "protocol" / "transcript.jsonl"
    yield from sorted(spec_dir().glob("*.schema.json"))
    yield from sorted((spec_dir() / "vectors").glob("*.json"))


def code_of(name: str) -> str:
    """Return a file as a block of Markdown.

    Raises:
        StopIteration: there is no such file to take along.
    """
    path = next(path for path in files() if path.name == name)
    return _fenced(_KINDS[path.suffix], path.read_text(encoding="utf-8"))


def console(name: str) -> str:
    """Return a command with what it prints as a block of Markdown.

    Raises:
        KeyError: there is no such command.
    """
    shown = read_shown()[name]
    return _fenced("console", f"$ {shown.command}\n{shown.path.read_text(encoding='utf-8')}")


def write_shown() -> None:
    """Run every command, and write what each prints.

    Raises:
        Unexpected: one of them ended in another way than it should.
    """
    SHOWN.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        for shown in read_shown().values():
            shown.path.write_text(run(shown, Path(folder)), encoding="utf-8")


def lay_out(folder: Path) -> None:
    """Copy into a folder what the commands need."""
    for path in [*SAMPLES.iterdir(), ENGINE]:
        if path.is_file():
            shutil.copy(path, folder)


def run(shown: ShownCommand, folder: Path) -> str:
    """Return what a command prints in a folder, cut to what is shown.

    Raises:
        Unexpected: it ended in another way than it should.
    """
    ours = str(Path(sys.executable).parent)
    plain = {name: value for name, value in environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(  # noqa: S603 - our own commands
        shlex.split(shown.command),
        cwd=folder,
        env=plain | {"PATH": f"{ours}:{environ['PATH']}", "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != shown.status:
        raise Unexpected(
            f"{shown.command}: expected status {shown.status}, came {done.returncode}.\n"
            f"{done.stdout}{done.stderr}"
        )
    return cut(shown, done.stdout + done.stderr)


def cut(shown: ShownCommand, text: str) -> str:
    """Return the lines of an output that are shown.

    Raises:
        Unexpected: the line from which the rest is shown does not come.
    """
    lines = text.rstrip("\n").split("\n")
    if shown.lines:
        more = [CUT] if len(lines) > shown.lines else []
        return "\n".join([*lines[: shown.lines], *more]) + "\n"
    if not shown.start:
        return "\n".join(lines) + "\n"
    found = [number for number, line in enumerate(lines) if line.startswith(shown.start)]
    if not found:
        raise Unexpected(f"{shown.command}: no line begins with {shown.start!r}.\n{text}")
    return "\n".join([*lines[: shown.head], CUT, *lines[found[0] :]]) + "\n"


def timeless(text: str) -> str:
    """Return an output without the seconds that it took."""
    return _SECONDS.sub("… s", text)


def _fenced(kind: str, text: str) -> str:
    return f"```{kind}\n{text.rstrip()}\n```"
