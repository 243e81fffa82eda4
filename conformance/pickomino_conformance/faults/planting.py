"""What a fault is: a change to the reference, in plain words, tied to the rules it breaks."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from pickomino_conformance.protocol.reference import Plain, ReferenceEngine
from pickomino_conformance.protocol.translate import Ask
from pickomino_reference import Edition, Rule, Rulings, find_edition, make_rulings, ruling_values
from pickomino_reference.data import read_spec


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


class Faults(list[Fault]):
    """Faults in their order, each written down above what stands in the place of a function."""

    def add(
        self,
        name: str,
        *rules: Rule,
        at: tuple[ModuleType, str] | None = None,
        beside: tuple[Change, ...] = (),
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Return a decorator that adds the fault of replacing a function by the one below.

        Args:
            name: what is wrong, as a sentence without its stop.
            rules: the rules that it breaks.
            at: the function replaced, as its module and name; the one of the first rule if not
                given.
            beside: what else it replaces.
        """
        place = at or _function_of(rules[0])

        def plant(instead: Callable[..., Any]) -> Callable[..., Any]:
            self.append(Fault(name, rules, (*beside, Change(*place, instead))))
            return instead

        return plant


def _function_of(rule: Rule) -> tuple[ModuleType, str]:
    chapter, _, name = rule.partition(".")
    return import_module(f"pickomino_reference.{chapter}"), name.replace("-", "_")


def always(answer: object) -> Callable[..., Any]:
    """Return what stands in the place of a function and answers the same to all."""
    return lambda _original, *_: answer


def unchanged(_original: object, first: Any, *_: object) -> Any:
    """Return the table, or whatever else comes first, as it is."""
    return first


def ruling_faults(judged: Rulings) -> tuple[Fault, ...]:
    """Return a fault for every value of a ruling that is not the one asked for.

    Its words stand in `spec/rulings.toml`.
    """
    values, found = ruling_values(judged), []
    for ruling, told in read_spec("rulings").items():
        for value, name in told["faults"].items():
            if value != values[ruling]:
                rules = tuple(map(Rule, told["rules"]))
                if ruling == "flip-after-return":
                    rules = (_parted_by(values[ruling], value),)
                found.append(Fault(name, rules, rulings={ruling: value}))
    return tuple(found)


def _parted_by(judged: str, value: str) -> Rule:
    """Return the rule that parts two values of the flip: of the returned tile, or of another."""
    of_any_tile = {"never", "both"}.intersection((judged, value))
    return Rule.FAILING_FLIP_HIGHEST if of_any_tile else Rule.FAILING_RETURNED_HIGHEST


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


class FaultyEngine(ReferenceEngine):
    """The reference with these faults, and only while it is asked something.

    Args:
        faults: what is planted.
        edition: what it plays where the faults say nothing; the default one if not given.
    """

    def __init__(self, faults: Iterable[Fault], edition: Edition | None = None) -> None:
        edition = edition or find_edition()
        self._faults = tuple(faults)
        rulings = edition.rulings
        for one in self._faults:
            rulings = one.rulings_played(rulings)
        super().__init__(Edition(edition.name, edition.title, rulings))

    def _answer(self, ask: Ask, *, moves_on: bool = False) -> Plain:
        with planted(self._faults):
            return super()._answer(ask, moves_on=moves_on)
