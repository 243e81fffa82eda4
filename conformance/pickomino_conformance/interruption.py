"""Interruption from outside: one exception, whichever signal it was, so that all is ended in order.

Without it a signal ends us at once, or not at all: in the background of a script SIGINT is
ignored, and we inherit that. No engine outlives us: their process groups are remembered here.
"""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# So long what is under way may be ended in order; a signal after that ends all at once.
PATIENCE = 10.0


class Interrupted(KeyboardInterrupt):
    """A signal came that asks us to leave; what catches all exceptions lets this one pass."""


@dataclass
class _State:
    """What came so far.

    Attributes:
        owner: the process that listens; one forked from it leaves without a word.
        number: the signal that came first, if any.
        since: when it came, in seconds.
        holding: how many blocks are under way that must not be interrupted.
        due: whether the exception is still to be raised.
    """

    owner: int = field(default_factory=os.getpid)
    number: int | None = None
    since: float = 0.0
    holding: int = 0
    due: bool = False


_state = _State()
_groups: set[int] = set()


def group_begun(group: int) -> None:
    """Remember the process group of an engine."""
    _groups.add(group)


def group_ended(group: int) -> None:
    """Forget a group that was ended."""
    _groups.discard(group)


def end_group(group: int) -> None:
    """End every process of a group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def end_all_groups() -> None:
    """End every group that still runs."""
    for group in tuple(_groups):
        end_group(group)


def listen() -> None:
    """Let each signal that asks us to leave raise `Interrupted`, once.

    SIGHUP stays ignored if it is: that is what `nohup` is for.
    """
    _state.owner = os.getpid()
    for one in SIGNALS:
        if one != signal.SIGHUP or signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, _interrupt)


def came() -> int | None:
    """Return the number of the signal that came first, if one did."""
    return _state.number


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Put an interruption off to the end of the block."""
    _state.holding += 1
    try:
        yield
    finally:
        _state.holding -= 1
        if _state.due and not _state.holding:
            _state.due = False
            raise Interrupted


def _interrupt(number: int, _: object) -> None:
    if os.getpid() != _state.owner:
        os._exit(128 + number)
    if _state.number is not None:
        # `timeout` and terminals send a signal twice: the second must not disturb the first.
        if time.monotonic() - _state.since > PATIENCE:
            end_all_groups()
            os._exit(128 + _state.number)
        return
    _state.number, _state.since = number, time.monotonic()
    if _state.holding:
        _state.due = True
        return
    raise Interrupted
