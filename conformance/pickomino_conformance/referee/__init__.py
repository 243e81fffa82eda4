"""The referee: a game log is checked turn by turn, and every departure named with its rule.

For engines whose dice can't be forced. `referee_log` reads a log of JSON lines,
`referee_turns` takes the same objects from a test:

    from pickomino_conformance.referee import referee_turns

    def test_my_game_is_by_the_rules():
        assert referee_turns(my_log).departures == ()
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.diagnose import Diagnosis, Evidence, Trial
from pickomino_conformance.faults import Fault
from pickomino_conformance.referee.departing import Departure, Matter
from pickomino_conformance.referee.exercising import SITUATIONS
from pickomino_conformance.referee.judging import Judged, Referee
from pickomino_conformance.referee.log import (
    LONGEST_LINE,
    Beginning,
    Ending,
    LoggedTurn,
    LogLine,
    MalformedLog,
    read_lines,
    read_objects,
)
from pickomino_reference import Edition, Rule, Rulings, find_edition

# So many departures of a kind are kept and explained. The others are counted.
MOST_KEPT = 100

# A fault that explains fewer departures does not outweigh the rule that a departure itself tells.
FEWEST = 2

LEVEL = "referee"

STDIN = "-"

DepartureKind = tuple[Rule, ...]
"""Departures are of one kind if the same rules come in question; contradictions have none."""


@dataclass(frozen=True, slots=True)
class Refereed:
    """What a referee found in a log.

    Attributes:
        editions: what the games were judged by.
        games, turns: how many there are.
        not_judged: how many turns begin with an impossible table.
        departures: where the log departs, in its order; at most `MOST_KEPT` of a kind.
        broken: how many departures there are, by the rule that is broken; those that were not
            kept are counted like the last one of their kind that was.
        contradictions: how often the log contradicts itself.
        exercised: how many turns, or beginnings or ends of games, exercise a rule.
        diagnoses: the faults that explain what departs; one for each set of rulings by which
            something was judged that departs.
    """

    editions: tuple[Edition, ...]
    games: int
    turns: int
    not_judged: int
    departures: tuple[Departure, ...]
    broken: Mapping[Rule, int]
    contradictions: int
    exercised: Mapping[Rule, int]
    diagnoses: tuple[Diagnosis, ...] = ()

    @property
    def never_exercised(self) -> tuple[Rule, ...]:
        """The rules of which the log shows nothing, so that its silence proves nothing."""
        shown = {*self.exercised, *self.broken}
        return tuple(rule for rule in SITUATIONS if rule not in shown)

    @property
    def conforms(self) -> bool:
        """Whether the log departs nowhere."""
        return not self.broken and not self.contradictions


def referee_turns(
    objects: Iterable[Mapping[str, Any]], edition: Edition | str | None = None
) -> Refereed:
    """Return what a referee finds in a log given as objects, numbered from 1 like lines.

    `edition` is what the log is judged by; if it is not given, what the log says of itself, or
    else the default edition.

    Raises:
        MalformedLog: an object is of another shape than that of a log.
        UnknownName: there is no such edition.
    """
    chosen = find_edition(edition) if isinstance(edition, str) else edition
    return _judge(read_objects(objects), chosen, None)


def referee_log(
    lines: Iterable[bytes],
    edition: Edition | None = None,
    watch: Callable[[int], None] | None = None,
) -> Refereed:
    """Return what a referee finds in a log of JSON lines; `watch` is told each line's number.

    Raises:
        MalformedLog: a line is no JSON, or of another shape than that of a log.
    """
    return _judge(read_lines(lines), edition, watch)


def referee_file(
    name: str, edition: Edition | None = None, watch: Callable[[int], None] | None = None
) -> Refereed:
    """Return what a referee finds in a file; in what comes on stdin for `-`.

    Raises:
        MalformedLog: it is no log.
        OSError: it can't be read.
    """
    with nullcontext(sys.stdin.buffer) if name == STDIN else Path(name).open("rb") as file:
        # Of a line that is too long, no more than shows it.
        return referee_log(iter(lambda: file.readline(LONGEST_LINE + 1), b""), edition, watch)


def _judge(
    lines: Iterable[LogLine], edition: Edition | None, watch: Callable[[int], None] | None
) -> Refereed:
    referee, docket = Referee(edition), _Docket()
    for line in lines:
        docket.add(line, referee.judge(line))
        if watch is not None:
            watch(line.line)
    if not referee.turns:
        raise MalformedLog(
            "there is no turn in the log; a turn is a line with table, rolls, decisions and "
            "table_after."
        )
    return docket.settle(referee)


class _Kept(NamedTuple):
    """What the log tells of the engine, and the places of its departures among those kept."""

    outcome: Outcome
    places: tuple[int, ...]


class _Docket:
    """Collects what came of each line, and explains it by faults at the end."""

    def __init__(self) -> None:
        self._kept: list[Departure] = []
        self._number: Counter[DepartureKind] = Counter()
        self._exercised: Counter[Rule] = Counter()
        self._asked: dict[Rulings, list[_Kept]] = {}

    def add(self, line: LogLine, judged: Judged) -> None:
        """Add what came of a line."""
        self._exercised.update(judged.exercised)
        for exchange, departures in judged.told:
            places = self._keep(departures)
            if exchange is None or (departures and not places):
                continue
            kept = [self._kept[place] for place in places]
            rules = dict.fromkeys(str(rule) for one in kept for rule in one.rules)
            outcome = Outcome(
                id=f"line {line.line}, {exchange.method}",
                level=LEVEL,
                rules=tuple(rules),
                verdict=Verdict.FAIL if kept else Verdict.PASS,
                differences=tuple(found for one in kept for found in one.differences),
                exchanges=(exchange,),
            )
            self._asked.setdefault(judged.rulings, []).append(_Kept(outcome, tuple(places)))

    def _keep(self, departures: Sequence[Departure]) -> Sequence[int]:
        """Keep those of which there are not too many yet; return their places."""
        before = len(self._kept)
        for departure in departures:
            self._number[departure.rules] += 1
            if self._number[departure.rules] <= MOST_KEPT:
                self._kept.append(departure)
        return range(before, len(self._kept))

    def settle(self, referee: Referee) -> Refereed:
        """Return what was found, with every departure explained that can be."""
        diagnoses: list[Diagnosis] = []
        departures = list(self._kept)
        chooses = referee.claims_told
        for rulings, asked in self._asked.items():
            if any(one.outcome.verdict is Verdict.FAIL for one in asked):
                diagnosis = _diagnose(rulings, asked, chooses=chooses)
                diagnoses.append(diagnosis)
                for place, rules, faults in _blame(rulings, asked, diagnosis, chooses=chooses):
                    departures[place] = departures[place]._replace(rules=rules, faults=faults)
        broken = self._count(departures)
        return Refereed(
            editions=tuple(referee.editions.values()),
            games=referee.games,
            turns=referee.turns,
            not_judged=referee.not_judged,
            departures=tuple(departures),
            broken={rule: broken[rule] for rule in Rule if broken[rule]},
            contradictions=self._number[()],
            exercised={rule: self._exercised[rule] for rule in Rule if self._exercised[rule]},
            diagnoses=tuple(diagnoses),
        )

    def _count(self, departures: Sequence[Departure]) -> Counter[Rule]:
        """Return how many departures there are of each rule.

        Those that were not kept are counted like the last one of their kind that was.
        """
        broken: Counter[Rule] = Counter()
        last: dict[DepartureKind, DepartureKind] = {}
        for before, after in zip(self._kept, departures, strict=True):
            broken.update(after.broken)
            last[before.rules] = after.broken
        for kind, rules in last.items():
            more = max(0, self._number[kind] - MOST_KEPT)
            broken.update(dict.fromkeys(rules, more))
        return broken


def _diagnose(rulings: Rulings, asked: Sequence[_Kept], *, chooses: bool) -> Diagnosis:
    evidence = Evidence(rulings, chooses=chooses)
    # What is right comes first: no fault may contradict it.
    for one in sorted(asked, key=lambda one: one.outcome.verdict is Verdict.FAIL):
        evidence.look(one.outcome)
    return evidence.diagnose()


def _blame(
    rulings: Rulings, asked: Sequence[_Kept], diagnosis: Diagnosis, *, chooses: bool
) -> Iterator[tuple[int, DepartureKind, tuple[str, ...]]]:
    """Yield the place, the rules and the faults of each departure that the diagnosis explains."""
    trial = Trial(rulings, chooses=chooses)
    places = {fault.name: place for place, fault in enumerate(trial.faults)}
    equally = {
        places[one.name]: [trial.faults[places[name]] for name in (one.name, *one.equally)]
        for one in diagnosis.faults
    }
    faults = frozenset(equally)
    sure = {places[one.name] for one in diagnosis.faults if one.explains >= FEWEST}
    for one in asked:
        if not sure or one.outcome.verdict is not Verdict.FAIL:
            continue
        case = trial.case(one.outcome)
        needed = trial.needed(faults, case) if trial.agrees(faults, case) else []
        if needed and sure.issuperset(needed):
            chosen = [_likeliest(equally[place], one.outcome.rules) for place in needed]
            rules = dict.fromkeys(rule for fault in chosen for rule in fault.rules)
            for place in one.places:
                yield place, tuple(rules), tuple(fault.name for fault in chosen)


def _likeliest(faults: Sequence[Fault], rules: Sequence[str]) -> Fault:
    """Return the fault that breaks the likeliest rule; the first if none breaks any of them."""

    def rank(fault: Fault) -> int:
        return min((rules.index(rule) for rule in fault.rules if rule in rules), default=len(rules))

    return min(faults, key=rank)


__all__ = [
    "Beginning",
    "Departure",
    "Ending",
    "LogLine",
    "LoggedTurn",
    "MalformedLog",
    "Matter",
    "Refereed",
    "referee_file",
    "referee_log",
    "referee_turns",
]
