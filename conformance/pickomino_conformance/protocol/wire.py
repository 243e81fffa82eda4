"""Wires to an engine: a program on stdin and stdout, or an object in this process.

A program is started, fed, read, and ended with its whole process group. Nothing here trusts it.
It may hang, flood, die or print garbage; what comes out is either a line that begins with an
object, or a reason why none will come.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from pickomino_conformance import interruption
from pickomino_conformance.protocol.host import respond

LINE_LIMIT = 1 << 20
STDERR_KEPT = 4000
CHUNK = 1 << 16
# So much waits to be sent before it is sent at once.
MANY = 1 << 13
GRACE = 2.0
# Seconds; more than a day is no limit, and much more than the clock can count.
LONGEST_TIMEOUT = 24 * 60 * 60
SHOWN = 80


class Broken(Exception):
    """The program will not answer any more; the text says why, in a sentence."""


class Wire(Protocol):
    """Where lines go and come from."""

    passed_over: int

    def send(self, line: bytes) -> None:
        """Queue a line."""

    def receive(self) -> bytes:
        """Return the next line, or raise `Broken`."""

    def last_words(self) -> str:
        """Return the end of stderr."""

    def close(self, grace: float = GRACE) -> None:
        """End the engine; it may take so many seconds to leave by itself."""


class Pipe:
    """A running program. `send` queues lines, `receive` returns the next line of JSON.

    Args:
        command: the program and its arguments.
        timeout: the longest time, in seconds, between two answers.

    Raises:
        Broken: the program can't be started.
    """

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        try:
            with interruption.held():
                self._process = subprocess.Popen(  # noqa: S603  # that is what we are asked for
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,
                )
                interruption.group_begun(self._process.pid)
        except FileNotFoundError:
            raise Broken(f"there is no program {command[0]!r}; check its name and path") from None
        except OSError as error:
            raise Broken(f"{command[0]!r} can't be started: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        self._stderr = self._process.stderr.fileno()
        self._timeout = timeout
        self._outgoing = bytearray()
        self._rest = bytearray()
        self._lines: deque[bytes] = deque()
        self._last_words = bytearray()
        self._last_passed_over = b""
        self.passed_over = 0
        self._selector = selectors.DefaultSelector()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream, False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    def send(self, line: bytes) -> None:
        """Queue a line; it goes out while lines are received, or once there are many.

        So the engine is at work on some while the answers to others are looked at.
        """
        if not self._outgoing:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._outgoing += line
        self._outgoing += b"\n"
        if len(self._outgoing) >= MANY:
            self._write()

    def receive(self) -> bytes:
        """Return the next line that begins an object; others are passed over and counted.

        Raises:
            Broken: no such line came in time, or none will come.
        """
        deadline = time.monotonic() + self._timeout
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Broken(self._silence())
            for key, _ in self._selector.select(left):
                if key.fd == self._stdin:
                    self._write()
                elif key.fd == self._stdout:
                    self._read()
                else:
                    self._listen()
        return self._lines.popleft()

    def last_words(self) -> str:
        """Return the end of what the program said on stderr."""
        with contextlib.suppress(OSError, ValueError):
            self._listen()
        return self._last_words.decode(errors="replace").strip()

    def close(self, grace: float = GRACE) -> None:
        """Close the program's stdin; once it left, or its grace is over, end its process group."""
        with contextlib.suppress(OSError):
            self._process.stdin and self._process.stdin.close()
        self._drain(grace)
        # The program itself is not reaped yet, so its number is still the group's.
        interruption.end_group(self._process.pid)
        with interruption.held():
            self._process.wait()
            interruption.group_ended(self._process.pid)
        self._selector.close()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _left(self) -> os.waitid_result | None:
        """Return how the program left, if it did; it is not reaped, so its number stays taken."""
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)

    def _drain(self, seconds: float) -> None:
        """Wait until the program left, reading what it still says so that it can leave."""
        deadline = time.monotonic() + seconds
        while self._left() is None and time.monotonic() < deadline:
            for stream in (self._stdout, self._stderr):
                with contextlib.suppress(OSError):
                    self._keep(os.read(stream, CHUNK), stream)
            time.sleep(0.005)

    def _write(self) -> None:
        try:
            sent = os.write(self._stdin, memoryview(self._outgoing)[:CHUNK])
        except BlockingIOError:
            return
        except OSError:
            # It closed its stdin; what it still says, or its end, is told by the reading side.
            self._outgoing.clear()
            self._selector.unregister(self._stdin)
            return
        del self._outgoing[:sent]
        if not self._outgoing:
            self._selector.unregister(self._stdin)

    def _read(self) -> None:
        try:
            chunk = os.read(self._stdout, CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            raise Broken(self._farewell())
        *lines, rest = chunk.split(b"\n")
        if not lines:
            self._rest += rest
        else:
            lines[0] = bytes(self._rest) + lines[0]
            self._rest = bytearray(rest)
            for line in lines:
                if line.startswith(b"{"):
                    self._lines.append(line)
                elif line.strip():
                    self.passed_over += 1
                    self._last_passed_over = line[:SHOWN]
        if len(self._rest) > LINE_LIMIT:
            raise Broken(f"a line longer than {LINE_LIMIT} bytes")

    def _listen(self) -> None:
        try:
            chunk = os.read(self._stderr, CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            with contextlib.suppress(KeyError):
                self._selector.unregister(self._stderr)
            return
        self._keep(chunk, self._stderr)

    def _keep(self, chunk: bytes, stream: int) -> None:
        if stream == self._stderr:
            self._last_words += chunk
            del self._last_words[:-STDERR_KEPT]

    def _silence(self) -> str:
        """Say that no answer came in time; the program may have left and its child stayed."""
        if self._left() is None:
            return f"no answer within {self._timeout:g} s{self._instead()}"
        return f"{self._end()}, but a child of it holds its stdout{self._instead()}"

    def _farewell(self) -> str:
        """Say how the program ended, once it closed its stdout."""
        self._drain(0.5)
        return self._end() + self._instead()

    def _end(self) -> str:
        left = self._left()
        if left is None:
            return "it closed its stdout"
        if left.si_code == os.CLD_EXITED:
            return f"it left with status {left.si_status}"
        return f"it was ended by signal {left.si_status} ({signal.strsignal(left.si_status)})"

    def _instead(self) -> str:
        """Say what came instead of a whole answer, if anything did."""
        if self._rest:
            return f"; its last line has no end: {_start(self._rest)!r}"
        if self.passed_over:
            lines = "line" if self.passed_over == 1 else "lines"
            return (
                f"; passed over: {self.passed_over} {lines} that began with no {{, "
                f"the last one: {_start(self._last_passed_over)!r}"
            )
        return ""


class InProcess:
    """A wire to an engine object in this process; used for our own reference."""

    def __init__(self, engine: object) -> None:
        self._engine = engine
        self._answers: deque[bytes] = deque()
        self.passed_over = 0

    def send(self, line: bytes) -> None:
        """Answer at once."""
        self._answers.append(respond(self._engine, line))

    def receive(self) -> bytes:
        """Return the answer of the oldest line."""
        return self._answers.popleft()

    def last_words(self) -> str:
        """Return nothing: there is no stderr of its own."""
        return ""

    def close(self, grace: float = GRACE) -> None:
        """Do nothing: there is no process."""


def _start(line: bytes | bytearray) -> str:
    return line[:SHOWN].decode(errors="replace")
