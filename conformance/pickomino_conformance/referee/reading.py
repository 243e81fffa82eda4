"""Game logs from files."""

import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO

from pickomino_conformance.referee import Refereed, referee_log
from pickomino_conformance.referee.log import LONGEST_LINE
from pickomino_reference import Edition

STDIN = "-"


def referee_file(
    name: str, edition: Edition | None, watch: Callable[[int], None] | None = None
) -> Refereed:
    """Return what a referee finds in a file; in what comes on stdin for `-`.

    Raises:
        MalformedLog: it is no log.
        OSError: it can't be read.
    """
    stdin = name == STDIN
    with nullcontext(sys.stdin.buffer) if stdin else Path(name).open("rb") as file:
        return referee_log(_lines(file), edition, watch)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield lines; of one that is too long, no more than shows it."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line
