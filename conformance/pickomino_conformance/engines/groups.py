"""The process groups of the engines that run, so that none of them outlives us.

Written to a file as well, they can be ended by another process, whatever became of ours.
"""

import contextlib
import os
import signal
from pathlib import Path

_running: set[int] = set()
_files: list[Path] = []


def file_beside(results: Path) -> Path:
    """Return where the suite keeps its groups: beside its results."""
    return results.with_suffix(".groups")


def keep_in(file: Path) -> None:
    """Write to this file, too, which groups begin and which have ended."""
    _files.append(file)


def begun(group: int) -> None:
    """Remember a group."""
    _running.add(group)
    _write(f"+{group}")


def ended(group: int) -> None:
    """Forget a group that was ended."""
    _running.discard(group)
    _write(f"-{group}")


def end(group: int) -> None:
    """End every process of a group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def end_all() -> None:
    """End every group that still runs."""
    for group in tuple(_running):
        end(group)


def end_those_in(file: Path) -> None:
    """End the groups that a process wrote to its file, and did not end itself."""
    lines = file.read_text().split() if file.exists() else []
    left = {line[1:] for line in lines if line[0] == "+"}
    left -= {line[1:] for line in lines if line[0] == "-"}
    for group in left:
        end(int(group))


def _write(line: str) -> None:
    for file in _files:
        # Its folder goes with the process that reads it; ours has its own list.
        with contextlib.suppress(OSError), file.open("a") as out:
            out.write(f"{line}\n")
