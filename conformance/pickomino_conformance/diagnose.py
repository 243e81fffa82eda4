"""The diagnosis: the smallest set of faults that gives all of an engine's answers.

A departure is tried against the catalogue of faults. A fault that gives exactly the engine's
answer explains it, unless it contradicts another answer; several faults are tried together,
since one can hide the other.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import msgspec

from pickomino_conformance.cases import Exchange, Outcome, Verdict
from pickomino_conformance.compare import Difference, against
from pickomino_conformance.faults import faults_against, planted
from pickomino_conformance.oracle import Due, due
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.messages import CRASHED, ErrorMessage
from pickomino_conformance.protocol.translate import Ask, Settling
from pickomino_reference import Rulings, Script

# What is looked at: so many departures of a hand-made and of a generated level, and so many passes.
MOST_HAND_MADE = 150
MOST_GENERATED = 60
MOST_PASSED_HAND_MADE = 300
MOST_PASSED_GENERATED = 250
# How wide and how far the search for a set of faults goes.
MOST_FAULTS = 8
WIDTH = 5
SMALLEST = 8
# In seconds of this process's own time: the machine may be busy.
MOST_SECONDS = 12.0
# How many generated cases are tried against the whole catalogue, one by one.
MOST_SEARCHES = 40
HAND_MADE = ("smoke", "features")

Set = frozenset[int]

_CRASH = Due(ErrorMessage(CRASHED, "the reference with these faults crashes"))


@dataclass(frozen=True, slots=True)
class ExplainingFault:
    """A fault that the engine seems to have.

    Attributes:
        name: the fault, in words.
        rules: the rules that it breaks.
        explains: how many of the departures it has a part in.
        equally: other faults that would explain the same as well.
    """

    name: str
    rules: tuple[str, ...]
    explains: int
    equally: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is wrong with an engine.

    Attributes:
        faults: the faults that it seems to have, those that explain most first.
        departures: how many departures were looked at.
        explained: how many of them these faults explain.
        unexplained: the cases of the others.
    """

    faults: tuple[ExplainingFault, ...] = ()
    departures: int = 0
    explained: int = 0
    unexplained: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that these faults break, each once."""
        return tuple(dict.fromkeys(rule for fault in self.faults for rule in fault.rules))


class Heard(NamedTuple):
    """A request and its answer, read again.

    Attributes:
        ask: what was asked, its table told.
        reply: what came.
        goes_on: whether the engine was left the table that it had answered last.
        more_rolls: whether the turn was asked with a dead roll more than the one before.
    """

    ask: Ask
    reply: Reply
    goes_on: bool
    more_rolls: bool


class Tried(NamedTuple):
    """A case as it is tried: its outcome, all that was answered, and its number in the trial."""

    outcome: Outcome
    heard: tuple[Heard, ...]
    number: int


class Trial:
    """Tries faults against the answers of an engine.

    Args:
        rulings: what the engine is judged by.
        chooses: whether the player chooses the claims; else any claim that the reference makes
            with these faults will do.
    """

    def __init__(self, rulings: Rulings, *, chooses: bool = True) -> None:
        self.faults = faults_against(rulings)
        self._rulings = rulings
        self._chooses = chooses
        self._played: dict[Set, Rulings] = {}
        self._agreed: dict[tuple[Set, int], bool] = {}
        self._numbers = count()

    def case(self, outcome: Outcome) -> Tried:
        """Return a case as it is tried."""
        return Tried(outcome, tuple(_heard(outcome.exchanges)), next(self._numbers))

    def agrees(self, faults: Set, case: Tried) -> bool:
        """Whether the reference with these faults gives all answers of a case."""
        agreed = self._agreed.get((faults, case.number))
        if agreed is None:
            agreed = self._agreed[faults, case.number] = not any(self._differing(faults, case))
        return agreed

    def differing(self, faults: Set, case: Tried) -> frozenset[str]:
        """Return the parts of a case's answers that the reference with these faults has not."""
        found = enumerate(self._differing(faults, case))
        return frozenset(f"{place} {one.part}" for place, parts in found for one in parts)

    def single(self, case: Tried) -> list[int]:
        """Return the faults each of which gives all answers of a case."""
        return [one for one in range(len(self.faults)) if self.agrees(frozenset((one,)), case)]

    def needed(self, faults: Set, case: Tried) -> list[int]:
        """Return those of these faults without which the answers would differ."""
        found = [one for one in sorted(faults) if not self.agrees(faults - {one}, case)]
        return found or [one for one in sorted(faults) if self.agrees(frozenset((one,)), case)]

    def _differing(self, faults: Set, case: Tried) -> Iterator[tuple[Difference, ...]]:
        """Yield, request by request, where the engine and this reference differ."""
        rulings, last = self._rulings_of(faults), None
        with planted(self.faults[one] for one in sorted(faults)):
            for heard in case.heard:
                ask = heard.ask
                # What it goes on with is what this reference has left, if it left something.
                if heard.goes_on and last is not None and isinstance(ask, Script | Settling):
                    ask = ask._replace(table=last._replace(player=ask.table.player))
                right, found = self._against(ask, heard.reply, rulings)
                last = right.table or last
                if heard.more_rolls:
                    found = tuple(one for one in found if one.part != "rolls_used")
                yield found

    def _rulings_of(self, faults: Set) -> Rulings:
        rulings = self._played.get(faults)
        if rulings is None:
            rulings = self._rulings
            for one in sorted(faults):
                rulings = self.faults[one].rulings_played(rulings)
            self._played[faults] = rulings
        return rulings

    def _against(
        self, ask: Ask, reply: Reply, rulings: Rulings
    ) -> tuple[Due, tuple[Difference, ...]]:
        """Return what this reference answers, and where the reply differs from it."""
        try:
            right = due(ask, rulings)
            return right, against(ask, reply, rulings, right, chooses=self._chooses)
        except Exception:  # noqa: BLE001  # with a fault planted anything may come
            return _CRASH, against(ask, reply, rulings, _CRASH, chooses=True)


def _answered(outcome: Outcome) -> bool:
    told = [one.answer for one in outcome.exchanges]
    return any(told) and not any("broken" in one for one in told)


def _heard(exchanges: tuple[Exchange, ...]) -> Iterator[Heard]:
    """Yield what was asked and answered, without what was asked once more with a dead roll."""
    for place, one in enumerate(exchanges):
        rest = exchanges[place + 1 :]
        if one.answer and not (rest and one.once_more(rest[0])):
            more = place > 0 and exchanges[place - 1].once_more(one)
            yield Heard(one.ask, one.reply, one.goes_on, more)


class Evidence:
    """Collects the answers of an engine that the diagnosis looks at, and blames meanwhile.

    Hand-made cases belong to the rules of their tags. A generated one touches many rules: it
    is explained, and then belongs to the rules of the fault.
    """

    def __init__(self, rulings: Rulings, *, chooses: bool = True) -> None:
        self._trial = Trial(rulings, chooses=chooses)
        self._departures: dict[str, list[Tried]] = {}
        self._passes: dict[str, list[Tried]] = {}
        self._found: set[int] = set()
        self._listed: dict[Set, str] = {}
        self._searches = 0
        self._diagnosed = False

    def look(self, outcome: Outcome) -> Outcome:
        """Return the outcome, blamed on the rules of the fault that explains it, if need be."""
        if outcome.level not in HAND_MADE:
            outcome = self._explain(outcome)
        hand_made = outcome.level in HAND_MADE
        if outcome.verdict is Verdict.PASS and outcome.exchanges:
            most = MOST_PASSED_HAND_MADE if hand_made else MOST_PASSED_GENERATED
            self._keep(self._passes, outcome, most)
        elif outcome.verdict in (Verdict.FAIL, Verdict.KNOWN) and _answered(outcome):
            self._keep(self._departures, outcome, MOST_HAND_MADE if hand_made else MOST_GENERATED)
        return outcome

    def diagnose(self) -> Diagnosis:
        """Return which faults explain the departures."""
        departures = [case for level in self._departures.values() for case in level]
        return _diagnose(self._trial, departures, self._passed())

    def _keep(self, kept: dict[str, list[Tried]], outcome: Outcome, most: int) -> None:
        cases = kept.setdefault(outcome.level, [])
        if len(cases) < most:
            cases.append(self._trial.case(outcome))

    def _passed(self) -> list[Tried]:
        return [case for level in self._passes.values() for case in level]

    def _explain(self, outcome: Outcome) -> Outcome:
        if outcome.verdict is not Verdict.FAIL or not _answered(outcome):
            return outcome
        if not self._diagnosed:
            # The hand-made cases come first and tell most.
            self._diagnosed = True
            names = {fault.name for fault in self.diagnose().faults}
            self._found = {i for i, one in enumerate(self._trial.faults) if one.name in names}
            self._list()
        case = self._trial.case(outcome)
        blamed = self._by_found(case) or self._by_search(case)
        if not blamed:
            return msgspec.structs.replace(outcome, unexplained=True)
        self._found.update(blamed)
        rules = dict.fromkeys(str(rule) for i in blamed for rule in self._trial.faults[i].rules)
        listed = self._listed.get(frozenset(blamed), "")
        return msgspec.structs.replace(outcome, rules=tuple(rules), listed=listed)

    def _list(self) -> None:
        """Keep the shortest of the hand-made cases that show the same faults."""
        found = frozenset(self._found)
        listed = [case for level in HAND_MADE for case in self._departures.get(level, ())]
        for case in sorted(listed, key=lambda case: case.outcome.size):
            if self._trial.agrees(found, case):
                shown = frozenset(self._trial.needed(found, case))
                self._listed.setdefault(shown, case.outcome.id)

    def _by_found(self, case: Tried) -> list[int]:
        """Return those of the faults found so far that explain a case."""
        found = frozenset(self._found)
        if found and self._trial.agrees(found, case):
            return self._trial.needed(found, case)
        return next(
            ([one] for one in sorted(found) if self._trial.agrees(frozenset((one,)), case)), []
        )

    def _by_search(self, case: Tried) -> list[int]:
        """Return the single fault that explains a case and contradicts the fewest others."""
        if self._searches >= MOST_SEARCHES:
            return []
        self._searches += 1
        single = self._trial.single(case)
        if len(single) < 2:  # noqa: PLR2004  # nothing to choose from
            return single
        others = [*self._departures.get(case.outcome.level, ())[:SMALLEST], *self._passed()]
        return [min(single, key=lambda one: self._contradicted(one, others))]

    def _contradicted(self, one: int, others: Iterable[Tried]) -> int:
        faults = frozenset((one,))
        return sum(not self._trial.agrees(faults, other) for other in others)


def _diagnose(trial: Trial, departures: Sequence[Tried], passes: Sequence[Tried]) -> Diagnosis:
    cases = sorted(departures, key=lambda case: case.outcome.size) + list(passes)
    # The hand-made cases isolate their rules: they tell most, and soon.
    hand_made = [case for case in cases if case.outcome.level in HAND_MADE]
    begun, _ = _smallest_set(trial, hand_made, frozenset())
    found, wrong = _smallest_set(trial, cases, begun)
    found, equally = _first_of_equals(trial, found, cases, wrong)
    explains = dict.fromkeys(found, 0)
    left = {cases[place].outcome.id for place in wrong if place < len(departures)}
    for case in departures:
        if case.outcome.id not in left:
            for one in trial.needed(found, case):
                explains[one] += 1
    named = [
        ExplainingFault(
            name=trial.faults[one].name,
            rules=tuple(map(str, trial.faults[one].rules)),
            explains=explains[one],
            equally=tuple(trial.faults[other].name for other in equally[one]),
        )
        for one in sorted(found, key=lambda one: (-explains[one], one))
    ]
    return Diagnosis(
        faults=tuple(named),
        departures=len(departures),
        explained=len(departures) - len(left),
        unexplained=tuple(sorted(left)),
    )


def _smallest_set(trial: Trial, cases: Sequence[Tried], begun: Set) -> tuple[Set, list[int]]:
    """Return the faults that leave the fewest cases wrong, and those cases, by their places.

    Each step mends one of the smallest cases that are still wrong by one more fault.
    """
    ends = time.process_time() + MOST_SECONDS
    # It is begun with nothing, too: what explains a few cases may explain the others wrongly.
    beam = [(faults, _wrong(trial, faults, cases)) for faults in {begun, frozenset[int]()}]
    best, fewest = min(beam, key=lambda item: (len(item[1]), len(item[0])))
    for _ in range(MOST_FAULTS):
        if not fewest:
            break
        grown: dict[Set, list[int]] = {}
        for faults, wrong in beam:
            for more in _mending(trial, faults, [cases[index] for index in wrong[:SMALLEST]]):
                if more not in grown and time.process_time() < ends:
                    grown[more] = _wrong(trial, more, cases)
        beam = sorted(grown.items(), key=lambda item: len(item[1]))[:WIDTH]
        if not beam:
            break
        if len(beam[0][1]) < len(fewest):
            best, fewest = beam[0]
    for one in sorted(best):
        without = _wrong(trial, best - {one}, cases)
        if len(without) <= len(fewest):
            best, fewest = best - {one}, without
    return best, fewest


def _wrong(trial: Trial, faults: Set, cases: Sequence[Tried]) -> list[int]:
    """Return the places of the cases whose answers these faults do not give."""
    return [place for place, case in enumerate(cases) if not trial.agrees(faults, case)]


def _mending(trial: Trial, faults: Set, wrong: Sequence[Tried]) -> list[Set]:
    """Return the sets with one more fault that give the answers of one of these cases.

    If there are none, those that give some more part of an answer: each may hide another.
    """
    more = [faults | {one} for one in range(len(trial.faults)) if one not in faults]
    found = [grown for grown in more if any(trial.agrees(grown, case) for case in wrong)]
    return found or [
        grown for grown in more if any(_nearer(trial, faults, grown, case) for case in wrong)
    ]


def _nearer(trial: Trial, faults: Set, more: Set, case: Tried) -> bool:
    return trial.differing(more, case) < trial.differing(faults, case)


def _first_of_equals(
    trial: Trial, found: Set, cases: Sequence[Tried], wrong: list[int]
) -> tuple[Set, dict[int, list[int]]]:
    """Return the faults, each the first in the catalogue that explains as much, and its equals."""
    equally: dict[int, list[int]] = {}
    for one in sorted(found):
        without = found - {one}
        chosen, *others = sorted([one, *_equals(trial, without, one, cases, wrong)])
        found = without | {chosen}
        equally[chosen] = others
    return found, equally


def _equals(
    trial: Trial, without: Set, one: int, cases: Sequence[Tried], wrong: list[int]
) -> Iterable[int]:
    """Yield the faults that could stand in the place of one, beside those that are left."""
    missing = next((case for case in cases if not trial.agrees(without, case)), None)
    if missing is None:
        return
    for other in range(len(trial.faults)):
        instead = without | {other}
        if other == one or other in without or not trial.agrees(instead, missing):
            continue
        if len(_wrong(trial, instead, cases)) <= len(wrong):
            yield other
