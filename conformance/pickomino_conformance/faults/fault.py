"""What a fault is: a change to the reference, in plain words, tied to the rules it breaks."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from pickomino_reference import Rule, Rulings, make_rulings


class Change(NamedTuple):
    """One function of the reference that gives way.

    Attributes:
        module: the module in which it is looked up when it is called.
        name: its name there.
        instead: what stands in its place; its first argument is what stood there before, so
            that several changes of one function can be laid over each other.
    """

    module: ModuleType
    name: str
    instead: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that people make.

    Attributes:
        name: what is wrong, as a sentence without its stop.
        rules: the rules that it breaks.
        changes: what it replaces in the reference.
        rulings: the values that it plays for rulings, whatever it is judged by.
    """

    name: str
    rules: tuple[Rule, ...]
    changes: tuple[Change, ...] = ()
    rulings: Mapping[str, str] = field(default_factory=dict, hash=False)

    def rulings_played(self, rulings: Rulings) -> Rulings:
        """Return what an engine with this fault plays where these rulings are asked for."""
        return make_rulings(self.rulings, rulings)


def fault(
    name: str, *rules: Rule, at: tuple[ModuleType, str], instead: Callable[..., Any]
) -> Fault:
    """Return a fault that replaces a single function."""
    return Fault(name, rules, (Change(*at, instead),))


@contextmanager
def planted(faults: Iterable[Fault]) -> Iterator[None]:
    """Let the reference of this process have these faults, and mend it at the end.

    All threads of the process see them: whoever judges meanwhile must do so in another process.
    """
    replaced: list[tuple[ModuleType, str, Any]] = []
    try:
        for one in faults:
            for module, name, instead in one.changes:
                original = getattr(module, name)
                replaced.append((module, name, original))
                setattr(module, name, partial(instead, original))
        yield
    finally:
        for module, name, original in reversed(replaced):
            setattr(module, name, original)
