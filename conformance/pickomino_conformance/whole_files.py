"""Files that are written whole or not at all."""

import os
from pathlib import Path


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
