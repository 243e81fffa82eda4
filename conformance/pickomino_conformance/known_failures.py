"""Known failures: a TOML file of departures that are known, with the reason for each.

    [[known]]
    rule = "failing.returned-highest"
    reason = "The returned tile is turned even if it is the highest."
    link = "https://example.org/issues/7"

    [[known]]
    case = "rolling/six-faces-no-more-rolls"
    reason = "The player may roll on after six faces."

An entry for a case covers it, whatever came of it. An entry for a rule covers the departures of
its cases, but no breakdown. A case of several rules is covered only if each of them is known:
a departure that breaks another rule, too, is not hidden.

An entry that covers nothing any more is stale, and so is one that names nothing. Both fail the
check, so that the file stays true. An entry is called stale only by a check that asked all that
it could cover.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.cases.registry import level_of
from pickomino_conformance.files import write_whole
from pickomino_conformance.specification import rules
from pickomino_reference.editions import unknown

NOT_EXAMINED = "not examined yet"
# So many single cases of a rule are listed; with more, the rule itself is.
MOST_LISTED = 20


class UnreadableList(Exception):
    """A file is no file of known failures; the text says what was expected, and where."""


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry: a case or a rule, why it fails, and where to read of it."""

    case: str = ""
    rule: str = ""
    reason: str = NOT_EXAMINED
    link: str = ""

    def __post_init__(self) -> None:
        if bool(self.case) is bool(self.rule):
            raise ValueError("an entry has either a case or a rule")

    def __str__(self) -> str:
        return f"case {self.case}" if self.case else f"rule {self.rule}"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    known: list[Known] = []


@dataclass(frozen=True, slots=True)
class Scope:
    """How much of all that there is a check asked.

    Attributes:
        everything: whether all levels that usually run did, with all their cases.
        levels: the levels that ran with all their cases.
        cases: the ids of single cases that were asked.
    """

    everything: bool
    levels: Collection[str]
    cases: Collection[str] = ()

    def whole(self, entry: Known) -> bool:
        """Whether all was asked that an entry could cover."""
        if entry.rule:
            return self.everything
        # Of a level that is drawn, it hangs on the seed which cases are asked.
        level = level_of(entry.case)
        whole = level is not None and level.name in self.levels and not level.drawn
        return entry.case in self.cases or whole


@dataclass(frozen=True, slots=True)
class Covered:
    """An entry, and how many cases it covered."""

    entry: Known
    cases: int


@dataclass(frozen=True, slots=True)
class Stale:
    """An entry that has to go, and why."""

    entry: Known
    why: str

    def __str__(self) -> str:
        return f"{self.entry}: {self.why}"


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a check made of the known failures.

    Attributes:
        covered: the entries that still cover something, and how many cases.
        stale: the entries that have to go.
        updated: the entries as they should be.
        breakdowns: how many of the covered cases were breakdowns of the engine.
    """

    covered: tuple[Covered, ...] = ()
    stale: tuple[Stale, ...] = ()
    updated: tuple[Known, ...] = ()
    breakdowns: int = 0


class KnownFailures:
    """The entries of a file, and what they covered in the check under way."""

    def __init__(self, entries: Iterable[Known] = ()) -> None:
        self._entries = tuple(entries)
        self._cases = {entry.case: entry for entry in self._entries if entry.case}
        self._rules = {entry.rule: entry for entry in self._entries if entry.rule}
        self._covered: Counter[Known] = Counter()
        self._passed: set[str] = set()
        self._seen: set[str] = set()
        self._uncovered: dict[str, list[Outcome]] = {}
        self._number_uncovered: Counter[str] = Counter()
        self._rules_passed: set[str] = set()
        self._breakdowns = 0

    def look(self, outcome: Outcome, cases: int = 1) -> Outcome:
        """Return an outcome, to which so many cases came; as known if it is covered."""
        if outcome.id in self._cases:
            self._seen.add(outcome.id)
        if outcome.verdict is Verdict.PASS:
            self._rules_passed.update(outcome.rules)
            if outcome.id in self._cases:
                self._passed.add(outcome.id)
            return outcome
        if outcome.verdict not in (Verdict.FAIL, Verdict.ERROR):
            return outcome
        covering = self._covering(outcome)
        if not covering:
            self._keep_uncovered(outcome, cases)
            return outcome
        for entry in covering:
            self._covered[entry] += cases
        if outcome.exchanges and "broken" in outcome.exchanges[-1].answer:
            self._breakdowns += 1
        return msgspec.structs.replace(outcome, verdict=Verdict.KNOWN)

    def recognised(self, asked: Scope) -> Recognised:
        """Return what a check that asked so much made of the entries."""
        number = self._covered
        covered = tuple(Covered(one, number[one]) for one in self._entries if number[one])
        found = ((one, self._why_stale(one, asked)) for one in self._entries)
        stale = tuple(Stale(one, why) for one, why in found if why)
        gone = {one.entry for one in stale}
        kept = (one for one in self._entries if one not in gone)
        return Recognised(covered, stale, (*kept, *self._missing()), self._breakdowns)

    def _covering(self, outcome: Outcome) -> list[Known]:
        """Return the entries that cover a failure together; none if it is not covered."""
        if outcome.id in self._cases:
            return [self._cases[outcome.id]]
        by_rule = [self._rules[rule] for rule in outcome.rules if rule in self._rules]
        whole = outcome.verdict is Verdict.FAIL and len(by_rule) == len(outcome.rules)
        return by_rule if whole else []

    def _keep_uncovered(self, outcome: Outcome, cases: int) -> None:
        for rule in outcome.rules or ("",):
            self._number_uncovered[rule] += cases
            kept = self._uncovered.setdefault(rule, [])
            if outcome.verdict is Verdict.ERROR or len(kept) <= MOST_LISTED:
                kept.append(outcome)

    def _why_stale(self, entry: Known, asked: Scope) -> str:
        if entry.rule and entry.rule not in rules():
            return str(unknown("rule", entry.rule, rules()))
        if entry.case and level_of(entry.case) is None:
            return f"there is no level whose cases begin with {entry.case.split('/')[0]!r}"
        if self._covered[entry] or not asked.whole(entry):
            return ""
        if entry.rule:
            return "no case of it departs any more" if entry.rule in self._rules_passed else ""
        if entry.case in self._passed:
            return "it passes"
        # Many passed cases of a generated level share one outcome, without an id.
        if entry.case in self._seen:
            return ""
        return "it passes, or there is no such case"

    def _missing(self) -> Iterator[Known]:
        """Yield new entries: the rule if it breaks as a whole, or often, else its cases."""
        done: set[str] = set()
        for rule, outcomes in self._uncovered.items():
            departs = any(outcome.verdict is Verdict.FAIL for outcome in outcomes)
            many = self._number_uncovered[rule] > MOST_LISTED
            if rule and departs and (many or rule not in self._rules_passed):
                done.add(rule)
                yield Known(rule=rule)
        cases: dict[str, None] = {}
        for outcomes in self._uncovered.values():
            for outcome in outcomes:
                by_rule = outcome.verdict is Verdict.FAIL and done | self._rules.keys() >= set(
                    outcome.rules
                )
                if outcome.id and not by_rule:
                    cases[outcome.id] = None
        yield from (Known(case=case) for case in cases)


def read(path: Path) -> tuple[Known, ...]:
    """Return the entries of a file of known failures.

    Raises:
        UnreadableList: there is no such file, or it is none of known failures.
    """
    try:
        file = msgspec.toml.decode(path.read_text(encoding="utf-8"), type=_File)
    except OSError as error:
        raise UnreadableList(f"{path}: {error.strerror}. --update-known makes one.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableList(f"{path} is no file of known failures: {error}.") from None
    twice = [entry for entry, number in Counter(map(str, file.known)).items() if number > 1]
    if twice:
        raise UnreadableList(f"{path}: {twice[0]} is there twice.")
    return tuple(file.known)


def write(path: Path, entries: Iterable[Known]) -> None:
    """Write a file of known failures, whole or not at all; the comment at its head is kept."""
    blocks = [_head(path)] if _head(path) else []
    for entry in entries:
        members = [(name, value) for name, value in msgspec.structs.asdict(entry).items() if value]
        lines = [f"{name} = {_quoted(value)}" for name, value in members]
        blocks.append("\n".join(["[[known]]", *lines]))
    write_whole(path, "\n\n".join(blocks) + "\n" if blocks else "")


def _head(path: Path) -> str:
    """Return the comment lines with which a file begins."""
    if not path.is_file():
        return ""
    head: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        head.append(line)
    return "\n".join(head)


def _quoted(text: str) -> str:
    """Return a text as a basic string of TOML; its escapes are those of JSON, and one more."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
