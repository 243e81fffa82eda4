"""Finding the engine that somebody named, and connecting to it."""

import re
import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.wire import InProcess, Pipe, Wire
from pickomino_reference.editions import UnknownName, unknown

REFERENCE = "reference"
BUNDLED = {
    REFERENCE: "",
    "pickomino-env": "pickomino-env/adapter.py:PickominoEnv",
}
HOST = "pickomino_conformance.protocol.host"
SERVE = "pickomino_conformance"

_CLASS = re.compile(r"[\w./-]+:\w+")


@dataclass(frozen=True, slots=True)
class EngineCommand:
    """An engine that was found.

    Attributes:
        label: what it is called in reports.
        command: what runs it.
        option: the same engine as one text, for `parse`.
    """

    label: str
    command: tuple[str, ...]
    option: str

    def launcher(self, timeout: float) -> Callable[[], Wire]:
        """Return what starts it anew; each answer may take so many seconds."""
        return lambda: Pipe(self.command, timeout)


def bundled_dir() -> Path:
    """Return the folder of the bundled engines, installed or in the repository."""
    packaged = Path(__file__).parents[1] / "bundled"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "engines"


def find(name: str) -> EngineCommand:
    """Return the engine of a bundled name or of `module:attribute`.

    Raises:
        UnknownName: it is neither.
    """
    if name == REFERENCE:
        return EngineCommand(name, (sys.executable, "-m", SERVE, "serve"), name)
    if name in BUNDLED:
        command = (sys.executable, "-m", HOST, f"{bundled_dir()}/{BUNDLED[name]}")
        return EngineCommand(name, command, name)
    if _CLASS.fullmatch(name):
        return EngineCommand(name, (sys.executable, "-m", HOST, name), name)
    if " " in name:
        raise UnknownName(f"A command is written after --, without quotes: -- {name}")
    error = unknown("bundled engine", name, BUNDLED)
    raise UnknownName(
        f"{error} A Python class is named module:attribute; a command comes after --: -- {name}"
    )


def of_command(command: list[str]) -> EngineCommand:
    """Return the engine that a command runs.

    A program that is not on the path may be one of our own virtual environment, such as
    `pickomino` itself.
    """
    program, *arguments = command
    scripts = Path(sys.executable).parent
    if shutil.which(program) is None:
        program = shutil.which(program, path=str(scripts)) or program
    found = (program, *arguments)
    return EngineCommand(shlex.join(command), found, f"-- {shlex.join(found)}")


def parse(text: str) -> EngineCommand:
    """Return the engine of one text, as options and settings have it.

    A text that begins with `-- `, or has several words, is a command.

    Raises:
        UnknownName: it is one word, and neither a bundled name nor `module:attribute`.
    """
    words = shlex.split(text)
    if words[:1] == ["--"] and words[1:]:
        return of_command(words[1:])
    return of_command(words) if len(words) > 1 else find(text)


def connect(text: str, timeout: float) -> Conversation:
    """Return the engine of one text, started; the reference runs in this process.

    Raises:
        UnknownName: there is no such engine.
        Unusable: it does not start, or does not say hello.
    """
    if text == REFERENCE:
        return Conversation(_reference)
    return Conversation(parse(text).launcher(timeout))


def _reference() -> Wire:
    from pickomino_conformance.protocol.reference import ReferenceEngine

    return InProcess(ReferenceEngine())
