"""Which value of each ruling an engine really plays: told by asking, not by its hello."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pickomino_conformance import sentences
from pickomino_conformance.cases import VERDICTS
from pickomino_conformance.engines.reference import ReferenceEngine
from pickomino_conformance.engines.session import Breakdown, Engine, InProcess, Reply
from pickomino_conformance.identify.situations import (
    Control,
    Heard,
    Situation,
    controls,
    situations,
)
from pickomino_conformance.protocol import (
    MISFIT,
    REFUSED,
    ErrorMessage,
    ScoreParams,
    ScoreResult,
    TurnResult,
)
from pickomino_conformance.subject import (
    Subject,
    declared_rulings,
    legal_outcomes,
    require_possible,
    require_result,
)
from pickomino_conformance.tables import read_claim
from pickomino_reference import (
    BASE,
    Edition,
    Rulings,
    edition_names,
    find_edition,
    make_rulings,
    ruling_values,
)
from pickomino_reference.editions import ALTERNATIVES


class Seen(NamedTuple):
    """What came of one situation.

    Attributes:
        situation: what was asked.
        values: the values of the ruling that give what came; empty if none does.
        shown: what came, in words; empty if it could not be asked.
        why: why it could not be asked, or an empty text.
    """

    situation: Situation
    values: frozenset[str]
    shown: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What an engine plays for one ruling.

    Attributes:
        ruling: its id.
        values: the values that fit everything that was seen; one if it could be told.
        seen: how many situations told something.
        asked: how many there were.
        contradiction: what it plays under which condition, if no value fits everything.
        none_of_these: what it did outside all alternatives, with the case, or an empty text.
        why: why nothing, or not all, could be asked, or an empty text.
        declared: the values that its hello names.
    """

    ruling: str
    values: tuple[str, ...] = ()
    seen: int = 0
    asked: int = 0
    contradiction: str = ""
    none_of_these: str = ""
    why: str = ""
    declared: tuple[str, ...] = ()

    @property
    def value(self) -> str | None:
        """The value that is played, if it could be told."""
        return self.values[0] if len(self.values) == 1 else None

    @property
    def belied(self) -> bool:
        """Whether the hello names other values than the one played."""
        return self.value is not None and self.declared != () and self.value not in self.declared


@dataclass(frozen=True, slots=True)
class Nearest:
    """The edition that comes nearest to an engine.

    Attributes:
        edition: the edition.
        departing: for each ruling in which the engine plays something else, what it plays.
        as_near: other editions that are as near.
    """

    edition: Edition
    departing: dict[str, str]
    as_near: tuple[str, ...] = ()


def identify(subject: Subject) -> list[Finding]:
    """Return what an engine plays for each ruling, in the order of the rulings."""
    fewest, most = subject.hello.players
    fewest, most = max(fewest, BASE.players[0]), min(most, BASE.players[1])
    by_ruling: dict[str, list[Seen]] = {ruling: [] for ruling in ALTERNATIVES}
    judges = _Judges(subject.rulings)
    lame = {control.name: _fails(subject, control) for control in controls(fewest)}
    # An engine that must be played to each table is slow: few and many players must do.
    numbers = range(fewest, most + 1) if subject.can("set-table") else {fewest, most}
    for situation in situations(sorted(numbers)):
        why = lame[situation.control]
        seen = Seen(situation, frozenset(), why=why) if why else _see(subject, judges, situation)
        by_ruling[situation.ruling].append(seen)
    declared = declared_rulings(subject.hello)
    return [
        _find(ruling, seen, tuple(declared.get(ruling, ()))) for ruling, seen in by_ruling.items()
    ]


def nearest(findings: Sequence[Finding]) -> Nearest:
    """Return the edition from which the engine departs in the fewest rulings."""
    departing: dict[str, dict[str, str]] = {}
    for name in edition_names():
        values = ruling_values(find_edition(name).rulings)
        departing[name] = {
            finding.ruling: played
            for finding in findings
            if (played := _departs(finding, values[finding.ruling]))
        }
    best = min(departing, key=lambda name: len(departing[name]))
    as_near = [name for name in departing if len(departing[name]) == len(departing[best])]
    return Nearest(find_edition(best), departing[best], tuple(as_near[1:]))


def _departs(finding: Finding, value: str) -> str:
    """Return what is played in the place of a value, or an empty text."""
    if finding.contradiction or finding.none_of_these:
        return finding.contradiction or "none of these"
    if not finding.seen or value in finding.values:
        return ""
    return " or ".join(finding.values)


def _fails(subject: Subject, control: Control) -> str:
    """Return why an engine does not play an undisputed turn, or an empty text if it does.

    What it turns down of the disputed ones would else be taken for a ruling.
    """
    if not control.turns:
        return ""
    try:
        heard = _heard(subject.ask(*control.turns).reply)
    except tuple(VERDICTS) as failure:
        return str(failure)
    return "" if control.plays(heard) else f"it does not play an undisputed turn: {control.name}"


class _Judges:
    """The reference under every value of a ruling, to see what each of them gives."""

    def __init__(self, rulings: Rulings) -> None:
        self._rulings = rulings
        self._subjects: dict[tuple[str, str], Subject] = {}

    def rulings(self, ruling: str, value: str) -> Rulings:
        """Return the rulings with this value."""
        return make_rulings({ruling: value}, self._rulings)

    def subject(self, ruling: str, value: str) -> Subject:
        """Return the reference that plays this value."""
        key = (ruling, value)
        if key not in self._subjects:
            rulings = self.rulings(ruling, value)
            engine = Engine(lambda: InProcess(ReferenceEngine(Edition(value, "", rulings))))
            self._subjects[key] = Subject(engine, rulings)
        return self._subjects[key]


def _see(subject: Subject, judges: _Judges, situation: Situation) -> Seen:
    """Ask a situation, and return which values of its ruling give what came."""
    try:
        heard = _heard(_ask(subject, situation))
        if isinstance(heard, TurnResult) and situation.turns:
            require_possible(situation.turns[0].table, heard.table)
    except tuple(VERDICTS) as failure:
        return Seen(situation, frozenset(), why=str(failure))
    if isinstance(heard, ScoreResult) and heard.winners is None:
        return Seen(situation, frozenset(), why="the engine does not tell who wins")
    if situation.claims and not subject.can("choose-claim"):
        return _see_choice(situation, judges, heard)
    shown = situation.look(heard)
    values = [
        value
        for value in map(str, ALTERNATIVES[situation.ruling])
        if situation.look(_heard(_ask(judges.subject(situation.ruling, value), situation))) == shown
    ]
    return Seen(situation, frozenset(values), shown)


def _see_choice(situation: Situation, judges: _Judges, heard: Heard) -> Seen:
    """Return which values allow the claim that an engine chose by itself."""
    if not isinstance(heard, TurnResult):
        return Seen(situation, frozenset(), why="the engine chooses its claims itself")
    (script,) = situation.turns
    claim = script.decisions[-1].claim
    came = (tuple(sorted(heard.table.grill)), tuple(map(tuple, heard.table.stacks)))
    shown = f"player 0 then owns {sentences.stack(heard.table.stacks[0])}"
    open_to: dict[str, set[object]] = {}
    for value in map(str, ALTERNATIVES[situation.ruling]):
        rulings = judges.rulings(situation.ruling, value)
        first = read_claim(claim) if claim else None
        open_to[value] = {
            (table.grill, table.stacks) for table in legal_outcomes(script, rulings, first)
        }
    fitting = [value for value, tables in open_to.items() if came in tables]
    # What it chooses is what it plays: of the values that fit, the one that leaves it least.
    least = min((len(open_to[value]) for value in fitting), default=0)
    return Seen(situation, frozenset(one for one in fitting if len(open_to[one]) == least), shown)


def _ask(subject: Subject, situation: Situation) -> Reply:
    """Return the reply to a situation.

    Raises:
        One of `VERDICTS`: it could not be asked.
    """
    if not situation.turns:
        subject.need("score")
        return subject.ask_one(ScoreParams([list(stack) for stack in situation.stacks]))
    return subject.ask(*situation.turns).reply


def _heard(reply: Reply) -> Heard:
    """Return a reply in which something can be seen.

    Raises:
        Erred: the engine broke down, or answered with another error than a refusal.
    """
    if isinstance(reply, Breakdown) or (
        isinstance(reply, ErrorMessage) and reply.code not in (REFUSED, MISFIT)
    ):
        require_result(reply)
    assert isinstance(reply, Heard)
    return reply


def _find(ruling: str, seen: list[Seen], declared: tuple[str, ...]) -> Finding:
    told = [one for one in seen if not one.why]
    if not told:
        why = next((one.why for one in seen), "no situation could be asked")
        return Finding(ruling, asked=len(seen), why=why, declared=declared)
    why = next((one.why for one in seen if one.why), "")
    known = {"seen": len(told), "asked": len(seen), "declared": declared, "why": why}
    strange = [one for one in told if not one.values]
    if strange:
        return Finding(ruling, none_of_these=_tell(strange[0]), **known)  # type: ignore[arg-type]
    values = _common(told)
    if values:
        ordered = [str(value) for value in ALTERNATIVES[ruling] if value in values]
        return Finding(ruling, tuple(ordered), **known)  # type: ignore[arg-type]
    return Finding(ruling, contradiction=_contradiction(told), **known)  # type: ignore[arg-type]


def _common(seen: Iterable[Seen]) -> frozenset[str]:
    """Return the values that fit all of these."""
    first, *others = (one.values for one in seen)
    return first.intersection(*others)


def _contradiction(told: Sequence[Seen]) -> str:
    """Return what is played under which condition: the one with the fewest different cases."""
    found: list[dict[str, list[str]]] = []
    names = list(dict.fromkeys(name for one in told for name in one.situation.conditions))
    for name in names:
        parts: dict[str, list[Seen]] = defaultdict(list)
        for one in told:
            parts[f"{name} {one.situation.conditions.get(name, '')}".strip()].append(one)
        common = {part: _common(seen) for part, seen in parts.items()}
        if all(common.values()):
            played: dict[str, list[str]] = defaultdict(list)
            for part, values in common.items():
                played[" or ".join(sorted(values))].append(part)
            found.append(played)
    if not found:
        return "; ".join(f"{_or(one.values)} in: {_tell(one)}" for one in _two_that_differ(told))
    best = min(found, key=lambda played: sum(map(len, played.values())))
    return "; ".join(f"{value} with {_join(parts)}" for value, parts in best.items())


def _two_that_differ(told: Sequence[Seen]) -> tuple[Seen, Seen]:
    return next((one, other) for one in told for other in told if not one.values & other.values)


def _or(values: Iterable[str]) -> str:
    return " or ".join(sorted(values))


def _join(parts: Sequence[str]) -> str:
    """Return `players 3, 4 and 5` of `players 3`, `players 4`, `players 5`."""
    *first, last = parts
    if not first:
        return last
    words = last.split(" ")
    same = " ".join(words[:-1])
    if same and all(part.startswith(f"{same} ") for part in first):
        short = [part.removeprefix(f"{same} ") for part in first]
        return f"{same} {', '.join(short)} and {words[-1]}"
    return f"{', '.join(first)} and {last}"


def _tell(seen: Seen) -> str:
    situation = seen.situation
    if not situation.turns:
        owned = [
            f"{sentences.player(seat)} owns {sentences.stack(own)}"
            for seat, own in enumerate(situation.stacks)
        ]
        return f"{'; '.join(owned)}. The worms are counted. Came: {seen.shown}."
    turns = "; then ".join(sentences.turn(script) for script in situation.turns)
    return f"{sentences.table(situation.turns[0].table)}. {turns}. Came: {seen.shown}."


__all__ = ["Finding", "Nearest", "identify", "nearest"]
