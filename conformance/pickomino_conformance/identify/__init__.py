"""Which value of each ruling an engine really plays: told by asking, not by its hello."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from msgspec import UNSET

from pickomino_conformance import words
from pickomino_conformance.cases import Departed, Unanswered, require_answer
from pickomino_conformance.compare import invariant
from pickomino_conformance.engine import CHOOSES, EngineUnderTest
from pickomino_conformance.identify.situations import (
    Control,
    TellingSituation,
    controls,
    situations,
)
from pickomino_conformance.oracle import Due, due, others
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.messages import TurnResult
from pickomino_conformance.protocol.translate import Scoring, declared_rulings
from pickomino_reference import (
    BASE,
    Edition,
    FlipAfterReturn,
    Rulings,
    Script,
    edition_names,
    find_edition,
    make_rulings,
    ruling_values,
)
from pickomino_reference.editions import ALTERNATIVES
from pickomino_reference.table import Stacks


class Seen(NamedTuple):
    """What came of one situation.

    Attributes:
        situation: what was asked.
        values: the values of the ruling that give what came; empty if none does.
        shown: what came, as its `look` sees it.
        why: why it could not be asked, as a clause; else empty.
        stacks: what the players own then, where an engine has chosen a claim by itself.
    """

    situation: TellingSituation
    values: frozenset[str] = frozenset()
    shown: Any = None
    why: str = ""
    stacks: Stacks = ()


class Under(NamedTuple):
    """What is played under some conditions, where an engine contradicts itself.

    Attributes:
        values: the values that fit what was seen there.
        conditions: the conditions, each a name and what holds; none if no condition tells it.
        seen: one situation of them.
    """

    values: tuple[str, ...]
    conditions: tuple[tuple[str, str], ...]
    seen: Seen


@dataclass(frozen=True, slots=True)
class Played:
    """What an engine plays for one ruling.

    Attributes:
        ruling: its id.
        values: the values that fit everything that was seen; one if it could be told.
        seen: how many situations told something.
        asked: how many there were.
        contradiction: what it plays under which conditions, if no value fits everything.
        none_of_these: what it did outside all alternatives, if it did.
        why: why nothing, or not all, could be asked, as a clause; else empty.
        declared: the values that its hello names.
    """

    ruling: str
    values: tuple[str, ...] = ()
    seen: int = 0
    asked: int = 0
    contradiction: tuple[Under, ...] = ()
    none_of_these: Seen | None = None
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

    def departs(self, value: str) -> bool:
        """Whether something else is played than this value."""
        if self.contradiction or self.none_of_these:
            return True
        return self.seen > 0 and value not in self.values


@dataclass(frozen=True, slots=True)
class Nearest:
    """The edition that comes nearest to an engine.

    Attributes:
        edition: the edition.
        departing: the rulings in which the engine plays something else.
        as_near: other editions that are as near.
    """

    edition: Edition
    departing: tuple[Played, ...]
    as_near: tuple[str, ...] = ()


def identify(engine: EngineUnderTest) -> list[Played]:
    """Return what an engine plays for each ruling, in the order of the rulings."""
    fewest, most = engine.hello.players
    fewest, most = max(fewest, BASE.players[0]), min(most, BASE.players[1])
    by_ruling: dict[str, list[Seen]] = {ruling: [] for ruling in ALTERNATIVES}
    lame = {control.name: _fails(engine, control) for control in controls(fewest)}
    # An engine that must be played to each table is slow: few and many players must do.
    numbers = range(fewest, most + 1) if engine.can("set-table") else {fewest, most}
    for situation in situations(sorted(numbers)):
        why = lame.get(situation.control, "")
        seen = Seen(situation, why=why) if why else _see(engine, situation)
        by_ruling[situation.ruling].append(seen)
    declared = declared_rulings(engine.hello)
    return [
        _find(ruling, seen, tuple(declared.get(ruling, ()))) for ruling, seen in by_ruling.items()
    ]


def nearest(played: Sequence[Played]) -> Nearest:
    """Return the edition from which the engine departs in the fewest rulings."""
    departing: dict[str, tuple[Played, ...]] = {}
    for name in edition_names():
        values = ruling_values(find_edition(name).rulings)
        departing[name] = tuple(one for one in played if one.departs(values[one.ruling]))
    best = min(departing, key=lambda name: len(departing[name]))
    as_near = [name for name in departing if len(departing[name]) == len(departing[best])]
    return Nearest(find_edition(best), departing[best], tuple(as_near[1:]))


def _fails(engine: EngineUnderTest, control: Control) -> str:
    """Return why an engine does not play an undisputed turn, or an empty text if it does.

    What it turns down of the disputed ones would else be taken for a ruling.
    """
    try:
        heard = _ask(engine, control.turns)
    except Unanswered as failure:
        return _clause(failure)
    return "" if control.plays(heard) else f"it does not play an undisputed turn: {control.name}"


def _see(engine: EngineUnderTest, situation: TellingSituation) -> Seen:
    """Ask a situation, and return which values of its ruling give what came."""
    try:
        heard = _ask(engine, situation.turns, situation.stacks)
        _require_possible(situation, heard, engine.rulings)
    except Unanswered as failure:
        return Seen(situation, why=_clause(failure))
    shown = situation.look.see(heard)
    if not situation.turns and shown is UNSET:
        return Seen(situation, why="the engine does not tell who wins")
    if situation.claims and not engine.chooses:
        return _see_choice(situation, engine.rulings, heard)
    values = [
        value
        for value, rulings in _alternatives(situation, engine.rulings)
        if situation.look.see(_due(situation, rulings).reply) == shown
    ]
    return Seen(situation, frozenset(values), shown)


def _see_choice(situation: TellingSituation, rulings: Rulings, heard: Reply) -> Seen:
    """Return which values allow the claim that an engine chose by itself."""
    if not isinstance(heard, TurnResult):
        return Seen(situation, why=CHOOSES)
    (script,) = situation.turns
    came = (tuple(sorted(heard.table.grill)), tuple(map(tuple, heard.table.stacks)))
    open_to: dict[str, set[object]] = {}
    for value, judged in _alternatives(situation, rulings):
        right = due(script, judged)
        every = (right, *others(script, right, judged, chooses=False))
        open_to[value] = {(one.table.grill, one.table.stacks) for one in every if one.table}
    fitting = [value for value, tables in open_to.items() if came in tables]
    # What it chooses is what it plays: of the values that fit, the one that leaves it least.
    least = min((len(open_to[value]) for value in fitting), default=0)
    values = frozenset(one for one in fitting if len(open_to[one]) == least)
    return Seen(situation, values, stacks=came[1])


def _alternatives(situation: TellingSituation, rulings: Rulings) -> Iterator[tuple[str, Rulings]]:
    """Yield every value of the ruling of a situation, and the rulings with it."""
    for value in map(str, ALTERNATIVES[situation.ruling]):
        yield value, make_rulings({situation.ruling: value}, rulings)


def _due(situation: TellingSituation, rulings: Rulings) -> Due:
    """Return what must come of a situation, the turns played one after the other."""
    if not situation.turns:
        return due(Scoring(situation.stacks), rulings)
    first, *following = situation.turns
    right = due(first, rulings)
    for script in following:
        assert right.table is not None
        table = right.table._replace(player=script.table.player)
        right = due(script._replace(table=table), rulings)
    return right


def _ask(engine: EngineUnderTest, turns: Sequence[Script], stacks: Stacks = ()) -> Reply:
    """Return the reply to the last of these turns; to the scoring of stacks if there are none.

    Raises:
        Unanswered: it could not be asked, or it broke the engine.
    """
    if turns:
        reply = engine.ask(*turns).reply
    else:
        engine.need("score")
        reply, _ = engine.ask_one(Scoring(stacks))
    require_answer(reply)
    return reply


def _require_possible(situation: TellingSituation, heard: Reply, rulings: Rulings) -> None:
    """Raise `Departed` if the table that came can't be, whatever the engine plays."""
    most = replace(rulings, flip_after_return=FlipAfterReturn.BOTH)
    broken = invariant(situation.turns[0], heard, most) if situation.turns else None
    if broken is not None:
        raise Departed((broken,))


def _clause(failure: Unanswered) -> str:
    """Return why something could not be asked."""
    if isinstance(failure, Departed):
        return words.tell_came(failure.differences)
    return str(failure)


def _find(ruling: str, seen: list[Seen], declared: tuple[str, ...]) -> Played:
    told = [one for one in seen if not one.why]
    why = next((one.why for one in seen if one.why), "")
    strange = next((one for one in told if not one.values), None)
    values = _common(told) if told and strange is None else frozenset()
    contradiction = () if values or strange or not told else _contradiction(told)
    return Played(
        ruling,
        tuple(str(value) for value in ALTERNATIVES[ruling] if value in values),
        seen=len(told),
        asked=len(seen),
        contradiction=contradiction,
        none_of_these=strange,
        why=why or ("" if told else "no situation could be asked"),
        declared=declared,
    )


def _common(seen: Iterable[Seen]) -> frozenset[str]:
    """Return the values that fit all of these."""
    first, *rest = (one.values for one in seen)
    return first.intersection(*rest)


def _contradiction(told: Sequence[Seen]) -> tuple[Under, ...]:
    """Return what is played under which conditions: of the one with the fewest different cases."""
    found: list[dict[tuple[str, ...], list[tuple[str, str]]]] = []
    names = dict.fromkeys(name for one in told for name in one.situation.conditions)
    for name in names:
        parts: dict[str, list[Seen]] = defaultdict(list)
        for one in told:
            parts[one.situation.conditions.get(name, "")].append(one)
        common = {part: _common(seen) for part, seen in parts.items()}
        if all(common.values()):
            played: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
            for part, values in common.items():
                played[tuple(sorted(values))].append((name, part))
            found.append(played)
    if not found:
        return tuple(Under(tuple(sorted(one.values)), (), one) for one in _two_that_differ(told))
    best = min(found, key=lambda played: sum(map(len, played.values())))
    return tuple(Under(values, tuple(parts), told[0]) for values, parts in best.items())


def _two_that_differ(told: Sequence[Seen]) -> tuple[Seen, Seen]:
    return next((one, other) for one in told for other in told if not one.values & other.values)


def tell(found: Sequence[Played], near: Nearest, restarts: int = 0) -> Iterator[str]:
    """Yield a line a ruling, with what else is to be said of it; then the nearest edition.

    `restarts` is how often the engine broke down meanwhile.
    """
    widest = max(len(one.ruling) for one in found)
    told = max((len(tell_played(one)) for one in found if not _long(one)), default=0)
    for one in found:
        counted = f"{one.seen} of {one.asked} situations"
        tail = "" if _long(one) else f"  {counted}"
        yield f"{one.ruling:{widest}}  {tell_played(one):{0 if _long(one) else told}}{tail}"
        if one.belied:
            yield f"{'':{widest}}  its hello says {' or '.join(one.declared)}"
        if one.seen and one.why:
            yield f"{'':{widest}}  the others could not be asked: {one.why}"
    yield ""
    if restarts:
        yield f"The engine broke down {'once' if restarts == 1 else f'{restarts} times'} meanwhile."
    if not any(one.seen for one in found):
        yield "Nothing could be told; `pickomino smoke` says more."
        return
    yield f"nearest edition: {near.edition.name}"
    values = ruling_values(near.edition.rulings)
    for one in near.departing:
        instead = (
            _tell_contradiction(one.contradiction) or " or ".join(one.values) or "none of these"
        )
        yield f"  departs: {one.ruling} = {values[one.ruling]} there; it plays {instead}"
    if near.as_near:
        yield f"  as near: {', '.join(near.as_near)}"
    unknown = [one.ruling for one in found if not one.seen]
    if unknown:
        yield f"  not told: {', '.join(unknown)}"


def tell_played(one: Played) -> str:
    """Return what is played for a ruling, or why that is not known."""
    if one.contradiction:
        return f"contradicts itself: {_tell_contradiction(one.contradiction)}"
    if one.none_of_these is not None:
        return f"none of these. {_situation(one.none_of_these)}"
    return " or ".join(one.values) if one.seen else f"not told: {one.why}"


def _long(one: Played) -> bool:
    return bool(one.contradiction or one.none_of_these or not one.seen)


def _tell_contradiction(found: Sequence[Under]) -> str:
    return "; ".join(
        f"{' or '.join(one.values)} with {_conditions(one.conditions)}"
        if one.conditions
        else f"{' or '.join(one.values)} in: {_situation(one.seen)}"
        for one in found
    )


def _conditions(conditions: Sequence[tuple[str, str]]) -> str:
    """Return `players 3, 4 and 5`."""
    name, (*first, last) = conditions[0][0], (held for _, held in conditions)
    return f"{name} {', '.join(first)} and {last}" if first else f"{name} {last}".strip()


def _situation(seen: Seen) -> str:
    """Return what was asked, and what came."""
    turns, stacks = seen.situation.turns, seen.situation.stacks
    came = seen.situation.look.tell(seen.shown)
    if seen.stacks:
        came = f"player 0 then owns {words.stack(seen.stacks[0])}"
    if not turns:
        owned = (f"{words.player(seat)} owns {words.stack(own)}" for seat, own in enumerate(stacks))
        return f"{'; '.join(owned)}. The worms are counted. Came: {came}."
    played = "; then ".join(map(words.turn, turns))
    return f"{words.table(turns[0].table)}. {played}. Came: {came}."


__all__ = ["Nearest", "Played", "Seen", "Under", "identify", "nearest", "tell", "tell_played"]
