"""What a referee finds: collected line by line, and explained by faults at the end."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.diagnosis import Diagnosis, Evidence, Trial
from pickomino_conformance.faults import Fault
from pickomino_conformance.referee.departing import Departure
from pickomino_conformance.referee.judging import Judged
from pickomino_conformance.referee.log import LogLine
from pickomino_reference import Rule, Rulings

# So many departures of a kind are kept and explained. The others are counted.
MOST_KEPT = 100

# A fault that explains fewer departures does not outweigh the rule that a departure itself tells.
FEWEST = 2

LEVEL = "referee"

# Departures are of one kind if the same rules come in question. The log's own contradictions
# have no rule.
Kind = tuple[Rule, ...]


class Found(NamedTuple):
    """What was found; see `Refereed`."""

    departures: tuple[Departure, ...]
    broken: Mapping[Rule, int]
    contradictions: int
    exercised: Mapping[Rule, int]
    diagnoses: tuple[Diagnosis, ...]


class _Asked(NamedTuple):
    """What the log tells of the engine, and the places of its departures among those kept."""

    outcome: Outcome
    places: tuple[int, ...]


class Finding:
    """Collects what came of each line."""

    def __init__(self) -> None:
        self._kept: list[Departure] = []
        self._number: Counter[Kind] = Counter()
        self._exercised: Counter[Rule] = Counter()
        self._asked: dict[Rulings, list[_Asked]] = {}

    def add(self, line: LogLine, judged: Judged) -> None:
        """Add what came of a line."""
        self._exercised.update(judged.exercised)
        for exchange, departures in judged.asked:
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
                message=" ".join(one.message for one in kept),
                exchanges=(exchange,),
            )
            self._asked.setdefault(judged.rulings, []).append(_Asked(outcome, tuple(places)))

    def _keep(self, departures: Sequence[Departure]) -> Sequence[int]:
        """Keep those of which there are not too many yet; return their places."""
        before = len(self._kept)
        for departure in departures:
            self._number[departure.rules] += 1
            if self._number[departure.rules] <= MOST_KEPT:
                self._kept.append(departure)
        return range(before, len(self._kept))

    def settle(self, *, claims_told: bool) -> Found:
        """Return what was found, with every departure explained that can be.

        `claims_told` says whether the log told every claim.
        """
        diagnoses: list[Diagnosis] = []
        departures = list(self._kept)
        for rulings, asked in self._asked.items():
            if any(one.outcome.verdict is Verdict.FAIL for one in asked):
                diagnosis = _diagnose(rulings, asked, claims_told=claims_told)
                diagnoses.append(diagnosis)
                for place, rules, faults in _blame(
                    rulings, asked, diagnosis, claims_told=claims_told
                ):
                    departures[place] = departures[place]._replace(rules=rules, faults=faults)
        broken = self._count(departures)
        return Found(
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
        last: dict[Kind, Kind] = {}
        for before, after in zip(self._kept, departures, strict=True):
            broken.update(after.broken)
            last[before.rules] = after.broken
        for kind, rules in last.items():
            more = max(0, self._number[kind] - MOST_KEPT)
            broken.update(dict.fromkeys(rules, more))
        return broken


def _diagnose(rulings: Rulings, asked: Sequence[_Asked], *, claims_told: bool) -> Diagnosis:
    evidence = Evidence(rulings, chooses=claims_told)
    # What is right comes first: no fault may contradict it.
    for one in sorted(asked, key=lambda one: one.outcome.verdict is Verdict.FAIL):
        evidence.look(one.outcome)
    return evidence.diagnose()


def _blame(
    rulings: Rulings, asked: Sequence[_Asked], diagnosis: Diagnosis, *, claims_told: bool
) -> Iterator[tuple[int, Kind, tuple[str, ...]]]:
    """Yield the place, the rules and the faults of each departure that the diagnosis explains."""
    trial = Trial(rulings, chooses=claims_told)
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
