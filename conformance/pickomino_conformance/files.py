"""What we write: standard output, which may close or fill up, and whole files or none."""

import errno
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STDOUT = 1


class _Output(io.FileIO):
    """A file descriptor that people or programs read, and may leave.

    Once it can't be written, all that is still to come goes nowhere.

    Attributes:
        reader_left: whether nobody reads any more.
    """

    reader_left = False

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write what can be written.

        Raises:
            OSError: stdout can't be written, for another reason than that the reader left.
        """
        try:
            return super().write(data) or 0
        except OSError as error:
            self._write_nowhere()
            self.reader_left = error.errno == errno.EPIPE
            if not self.reader_left and self.fileno() == STDOUT:
                raise OSError(error.errno, error.strerror, "stdout") from None
            return memoryview(data).nbytes

    def _write_nowhere(self) -> None:
        """Let what is still to be written go nowhere, so that leaving does not fail again."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


def outlive_readers() -> None:
    """Let stdout and stderr outlive those who read them."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # It was closed before we were started; what is opened next must not take its place.
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115  # never closed
        elif isinstance(stream, io.TextIOWrapper):
            stream.flush()
            raw = _Output(stream.fileno(), "w", closefd=False)
            buffered = io.BufferedWriter(raw)
            line_buffering = stream.line_buffering
            text = io.TextIOWrapper(
                buffered, stream.encoding, stream.errors, line_buffering=line_buffering
            )
            setattr(sys, name, text)


def printable(text: str) -> str:
    """Return a text without what could steer a terminal, or feign a line of ours.

    It may come from an engine.
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def reader_left() -> bool:
    """Return whether nobody reads stdout any more."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(raw, _Output) and raw.reader_left


def require_writable(path: Path) -> None:
    """Raise unless a file can be written there; nothing is left behind.

    Raises:
        OSError: it can't; the error names the place.
    """
    if path.is_dir():
        raise IsADirectoryError(21, "it is a folder", str(path))
    if _is_special(path):
        return
    beside = _beside(path)
    try:
        beside.touch()
        beside.unlink()
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None


def write_whole(path: Path, text: str) -> None:
    """Write a text as UTF-8; a file that stood there is replaced in one step.

    What is no file, such as a pipe, is written to as it is.

    Raises:
        OSError: it can't be written; what stood there stays as it was.
    """
    try:
        _write(path, text.encode(errors="backslashreplace"))
    except OSError as error:
        # Where a disk is full, the error names no file; elsewhere perhaps the one beside.
        raise type(error)(error.errno, error.strerror, str(path)) from None


def _write(path: Path, data: bytes) -> None:
    if _is_special(path):
        path.write_bytes(data)
        return
    beside = _beside(path)
    try:
        beside.write_bytes(data)
        beside.replace(path.resolve())
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _beside(path: Path) -> Path:
    """Return a file in the same folder that nobody else writes."""
    return path.resolve().with_name(f".pickomino-{os.getpid()}.part")


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, of which the second text written would be left only."""
    return one.resolve() == other.resolve() and not _is_special(one)


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()
