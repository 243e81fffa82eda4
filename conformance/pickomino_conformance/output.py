"""Standard output that may be closed, or full, without a change of what we found."""

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


def reader_left() -> bool:
    """Return whether nobody reads stdout any more."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(raw, _Output) and raw.reader_left
