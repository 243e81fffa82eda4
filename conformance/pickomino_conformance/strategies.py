"""Hypothesis strategies for Pickomino: rulings, editions, tables, rolls, turns and games.

For your own tests, with or without an engine of ours; all values are those of
`pickomino_reference`, of the base game. What fails shrinks to few players, few tiles out of
place, few dice and short games, under the rulings of the rulebook.

    from hypothesis import given
    from pickomino_conformance.strategies import Situation, turns

    @given(turns(situation=Situation.STEAL))
    def test_a_steal_leaves_the_grill_as_it_is(turn):
        assert my_engine.play(turn.table, turn.moves).grill == turn.table.grill
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from typing import Any, NamedTuple, TypeAlias, TypeVar

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from pickomino_conformance.cases import Script
from pickomino_conformance.protocol import Decision
from pickomino_conformance.tables import claim_message
from pickomino_reference import (
    BASE,
    Claim,
    Contradiction,
    Edition,
    Move,
    Position,
    Roll,
    Rulings,
    SetAside,
    Steal,
    StealBack,
    Stop,
    StopWithoutClaim,
    Table,
    Take,
    Turn,
    edition_names,
    find_edition,
    house_rule_names,
    legal,
    play,
    start,
)
from pickomino_reference.editions import ALTERNATIVES

Value = TypeVar("Value")
Drawn: TypeAlias = Value | st.SearchStrategy[Value]

FACES = "".join(BASE.points)
TILES = tuple(BASE.worms)
PLAYERS = st.integers(*BASE.players)


class Situation(StrEnum):
    """What a turn comes to. Most of these would seldom be drawn by chance."""

    TAKE = "a tile of the grill is taken"
    EXACT_OR_LOWER = "a claim, with the exact tile and a lower one on the grill"
    STEAL = "a tile is stolen"
    STEAL_OR_LOWER = "a claim, with the exact tile to steal and a lower one on the grill"
    BARRED_STEAL = "the turn ends with the total of a tile that the player may not steal back"
    ABOVE_36 = "a tile is taken with a total above all tiles"
    LAST_TILE = "the last face-up tile is taken"
    EIGHT_DICE = "all dice are set aside"
    SIX_FACES = "all faces are set aside, and dice are left"
    DEAD_ROLL = "a dead roll"
    FORCED_FAILURE = "a forced end with nothing to claim"
    FREE_STOP = "a stop with nothing to claim that is not forced"
    NO_WORM = "an end with total enough for the grill, but no worm"
    RETURNED_HIGHEST = "a failure whose returned tile is the highest face up"
    RETURNED_LOWER = "a failure whose returned tile is not the highest face up"
    EMPTY_HANDED = "a failure with no tile to return"


class WholeTurn(NamedTuple):
    """A table and everything that happens in one turn on it.

    Attributes:
        table: the table before the turn.
        rulings: those under which the turn is legal.
        moves: rolls and set-asides in turn, then a claim or a stop; a dead roll is the last
            move, and so is the set-aside that makes a forced end with nothing to claim.
    """

    table: Table
    rulings: Rulings
    moves: tuple[Move, ...]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The position before each move, and the one after the last."""
        return _positions(self.table, self.moves, self.rulings)

    @property
    def set_aside(self) -> str:
        """All dice that the turn sets aside, in sorted order."""
        return "".join(sorted(self.script.set_aside))

    @property
    def after(self) -> Table:
        """The table after the turn."""
        return self.positions[-1].table

    @property
    def script(self) -> Script:
        """The same turn as the adapter protocol has it, as rolls and decisions."""
        rolls = tuple(move.dice for move in self.moves if isinstance(move, Roll))
        faces = [move.face for move in self.moves if isinstance(move, SetAside)]
        decisions = [Decision(keep=face, then="roll") for face in faces]
        last = self.moves[-1]
        if not isinstance(last, Roll):
            claim = claim_message(last) if isinstance(last, Take | Steal) else None
            decisions[-1] = Decision(keep=faces[-1], then="stop", claim=claim)
        return Script(self.table, rolls, tuple(decisions))


class Game(NamedTuple):
    """A game, or a part of one.

    Attributes:
        rulings: those it is played by.
        positions: the position before each move, and the one after the last.
        moves: the moves, one fewer than positions.
    """

    rulings: Rulings
    positions: tuple[Position, ...]
    moves: tuple[Move, ...]


def rulings(**fixed: StrEnum) -> st.SearchStrategy[Rulings]:
    """Draw a value for every ruling: any of the 768 combinations.

    `fixed` are single rulings by the names of their attributes, which keep their value.

    >>> from pickomino_reference import StealBack
    >>> rulings(steal_back=StealBack.BARRED).example().steal_back
    <StealBack.BARRED: 'barred'>
    """
    values: dict[str, Any] = {
        name.replace("-", "_"): st.sampled_from(enum) for name, enum in ALTERNATIVES.items()
    }
    return st.builds(Rulings, **(values | {name: st.just(one) for name, one in fixed.items()}))


def editions() -> st.SearchStrategy[Edition]:
    """Draw a named edition, with or without house rules that go together.

    >>> editions().example().name.split("+")[0] in edition_names()
    True
    """
    names = st.tuples(st.sampled_from(edition_names()), st.sampled_from(_house_rules()))
    return names.map(lambda drawn: find_edition("+".join((drawn[0], *drawn[1]))))


def rolls(dice: int = BASE.dice) -> st.SearchStrategy[str]:
    """Draw what so many dice show, in any order.

    >>> len(rolls(5).example())
    5
    """
    return _dice(FACES, dice)


@st.composite
def tables(
    draw: st.DrawFn,
    *,
    players: Drawn[int] = PLAYERS,
    rulings: Drawn[Rulings] = Rulings(),  # noqa: B008  # a frozen value
    over: bool = False,
) -> Table:
    """Draw a table as it may lie between two turns, every tile somewhere once.

    `players` is how many there are, 2 to 7. Under `steal-back = barred` some tiles may be
    barred, as thefts of the last turns have left them. The grill has a face-up tile;
    with `over` it has none, for a game that is over.

    >>> table = tables(players=3).example()
    >>> sorted((*table.grill, *table.face_down, *sum(table.stacks, ()))) == list(range(21, 37))
    True
    >>> tables(over=True).example().grill
    ()
    """
    draft = draw(_drafts(_value(draw, players)))
    if over:
        draft.face_down += draft.grill
        draft.grill.clear()
    else:
        draft.open_grill()
    return draft.finish(draw(_bars(draft, _value(draw, rulings))))


@st.composite
def turns(
    draw: st.DrawFn,
    *,
    players: Drawn[int] = PLAYERS,
    rulings: Drawn[Rulings] | None = None,
    situation: Drawn[Situation] | None = None,
) -> WholeTurn:
    """Draw a table and a whole turn on it, with its dice, legal under its rulings.

    `rulings` are any if not given. `situation` is what the turn must come to; if not given it
    is any that can be under the rulings, all of them about as often.

    Raises:
        InvalidArgument: the rulings rule the situation out, such as a `FREE_STOP` where one
            may not stop without a claim.

    >>> turn = turns(situation=Situation.STEAL).example()
    >>> turn.after.grill == turn.table.grill
    True
    """
    drawn = _rulings(draw, rulings, situation)
    possible = situations(drawn)
    wanted = draw(st.sampled_from(possible)) if situation is None else _value(draw, situation)
    if wanted not in possible:
        raise InvalidArgument(f"{wanted.name} can't be under {drawn}")
    draft = draw(_drafts(_value(draw, players)))
    draft.open_grill()
    draft.suit(wanted)
    table = draft.finish(draw(_bars(draft, drawn, wanted)))
    holds = _HOLDS[wanted]
    endings = [
        (kind, ending)
        for kind, ending in _endings(table, drawn)
        if holds(_End(table, kind, ending))
    ]
    return WholeTurn(table, drawn, draw(_moves(*draw(st.sampled_from(endings)))))


@st.composite
def positions(
    draw: st.DrawFn,
    *,
    players: Drawn[int] = PLAYERS,
    rulings: Drawn[Rulings] | None = None,
    situation: Drawn[Situation] | None = None,
) -> tuple[Position, Rulings]:
    """Draw a position, before or within a turn, and the rulings it came about under.

    The arguments are those of `turns`.

    >>> position, rulings = positions().example()
    >>> any(legal(position, rulings))  # something can always be done
    True
    """
    turn = draw(turns(players=players, rulings=rulings, situation=situation))
    before = draw(st.integers(0, len(turn.moves) - 1))
    return _positions(turn.table, turn.moves[:before], turn.rulings)[-1], turn.rulings


@st.composite
def games(
    draw: st.DrawFn,
    *,
    players: Drawn[int] = PLAYERS,
    rulings: Drawn[Rulings] | None = None,
    table: Drawn[Table] | None = None,
    turns: int = 8,
) -> Game:
    """Draw a game of at most so many turns, which ends sooner if the grill is empty.

    It begins at `table`, or else with a new game for `players`. Takes, steals and failures
    come about as often as each other, where they can.

    >>> game = games(players=2, turns=3).example()
    >>> game.positions[0] == Position(start(2))
    True
    >>> len(game.positions) - len(game.moves)
    1
    """
    drawn = _rulings(draw, rulings)
    now = start(_value(draw, players)) if table is None else _value(draw, table)
    reached, moves = [Position(now)], list[Move]()
    for _ in range(draw(st.integers(0, turns))):
        if not reached[-1].table.grill:
            break
        endings = _endings(reached[-1].table, drawn)
        outcome = draw(st.sampled_from(sorted({_outcome(ending) for _, ending in endings})))
        alike = [one for one in endings if _outcome(one[1]) == outcome]
        turn = draw(_moves(*draw(st.sampled_from(alike))))
        reached += _positions(reached[-1].table, turn, drawn)[1:]
        moves += turn
    return Game(drawn, tuple(reached), tuple(moves))


def situations(rulings: Rulings) -> list[Situation]:
    """Return the situations that a turn can come to under these rulings.

    >>> Situation.BARRED_STEAL in situations(Rulings())
    False
    """
    needs = {
        Situation.FREE_STOP: rulings.stop_without_claim is StopWithoutClaim.FAILS,
        Situation.BARRED_STEAL: rulings.steal_back is StealBack.BARRED,
    }
    return [situation for situation in Situation if needs.get(situation, True)]


# How a turn ends once its last dice are set aside: with a claim or a stop, with a dead roll
# (whatever it shows), or by itself.
_DEAD_ROLL = Roll("")
_Ending = Claim | Stop | Roll | None


class _Kind(NamedTuple):
    """What decides on the end of a turn about the dice set aside."""

    total: int
    worm: bool
    all_dice: bool
    all_faces: bool


class _End(NamedTuple):
    """A table, and how a turn on it would end."""

    table: Table
    kind: _Kind
    ending: _Ending

    @property
    def fails(self) -> bool:
        return not isinstance(self.ending, Take | Steal)

    @property
    def claims_or_stops(self) -> bool:
        return not isinstance(self.ending, Roll)

    @property
    def returned(self) -> int:
        """The tile that a failure would return, 0 for none."""
        return max(self.table.stacks[self.table.player][-1:], default=0)

    @property
    def stealable(self) -> bool:
        tops = [stack[-1:] for stack in _others(self.table.stacks, self.table.player)]
        barred = self.kind.total in self.table.barred[self.table.player]
        return self.kind.worm and (self.kind.total,) in tops and not barred


_HOLDS: Mapping[Situation, Callable[[_End], bool]] = {
    Situation.TAKE: lambda end: isinstance(end.ending, Take),
    Situation.EXACT_OR_LOWER: lambda end: not end.fails and end.kind.total in end.table.grill[1:],
    Situation.STEAL: lambda end: isinstance(end.ending, Steal),
    Situation.STEAL_OR_LOWER: lambda end: (
        not end.fails and end.stealable and end.table.grill[0] < end.kind.total
    ),
    Situation.BARRED_STEAL: lambda end: (
        end.claims_or_stops
        and end.kind.worm
        and end.kind.total in end.table.barred[end.table.player]
    ),
    Situation.ABOVE_36: lambda end: isinstance(end.ending, Take) and end.kind.total > TILES[-1],
    Situation.LAST_TILE: lambda end: isinstance(end.ending, Take),
    Situation.EIGHT_DICE: lambda end: end.kind.all_dice,
    Situation.SIX_FACES: lambda end: end.kind.all_faces and not end.kind.all_dice,
    Situation.DEAD_ROLL: lambda end: isinstance(end.ending, Roll),
    Situation.FORCED_FAILURE: lambda end: end.ending is None,
    Situation.FREE_STOP: lambda end: isinstance(end.ending, Stop),
    Situation.NO_WORM: lambda end: (
        end.claims_or_stops and not end.kind.worm and end.kind.total >= end.table.grill[0]
    ),
    Situation.RETURNED_HIGHEST: lambda end: end.fails and end.returned > end.table.grill[-1],
    Situation.RETURNED_LOWER: lambda end: end.fails and 0 < end.returned < end.table.grill[-1],
    Situation.EMPTY_HANDED: lambda end: end.fails and not end.returned,
}


@dataclass
class _Draft:
    """A table in the making, still without bars. Stacks run from bottom to top."""

    grill: list[int]
    face_down: list[int]
    stacks: list[list[int]]
    player: int

    @property
    def own(self) -> list[int]:
        return self.stacks[self.player]

    @property
    def robbed(self) -> list[int]:
        """The opponent's stack with the highest top tile."""
        return max(_others(self.stacks, self.player), key=lambda stack: stack[-1:])

    def open_grill(self) -> None:
        """See to it that a tile lies face up."""
        if not self.grill:
            self.grill.append(self._spare())

    def suit(self, situation: Situation) -> None:
        """Change what would rule the situation out."""
        match situation:
            case Situation.EXACT_OR_LOWER:
                if len(self.grill) == 1:
                    self.grill.append(self._spare())
            case Situation.STEAL | Situation.BARRED_STEAL:
                self._arm_opponents()
            case Situation.STEAL_OR_LOWER:
                self._arm_opponents()
                if self.robbed[-1] < min(self.grill):
                    self._swap(self.robbed, min(self.grill))
            case Situation.LAST_TILE:
                self.face_down += self.grill[1:]
                del self.grill[1:]
            case Situation.RETURNED_HIGHEST:
                self._arm_player()
                if self.own[-1] < max(self.grill):
                    self._swap(self.own, max(self.grill))
            case Situation.RETURNED_LOWER:
                self._arm_player()
                if self.own[-1] > max(self.grill):
                    self._swap(self.own, max(self.grill))
            case Situation.EMPTY_HANDED:
                self.face_down += self.own
                self.own.clear()
            case _:
                pass

    def finish(self, barred: tuple[tuple[int, ...], ...]) -> Table:
        return Table(
            tuple(sorted(self.grill)),
            tuple(sorted(self.face_down)),
            tuple(map(tuple, self.stacks)),
            self.player,
            barred,
        )

    def _arm_player(self) -> None:
        if not self.own:
            self.own.append(self._spare())

    def _arm_opponents(self) -> None:
        if not self.robbed:
            self.robbed.append(self._spare())

    def _swap(self, stack: list[int], tile: int) -> None:
        """Exchange the top of a stack for a tile of the grill."""
        self.grill.remove(tile)
        self.grill.append(stack.pop())
        stack.append(tile)

    def _spare(self) -> int:
        """Take a tile away from where it is missed least."""
        if self.face_down:
            return self.face_down.pop(0)
        source = self.grill if len(self.grill) > 1 else max(self.stacks, key=len)
        return source.pop(0)


@st.composite
def _drafts(draw: st.DrawFn, players: int) -> _Draft:
    face_down, grill = list[int](), list[int]()
    stacks = [list[int]() for _ in range(players)]
    player = draw(st.integers(0, players - 1))
    # The grill twice, else seven players would leave hardly anything on it. The own stack comes
    # first of all stacks, so that a table can lose players and stay as it is.
    places = [face_down, grill, grill, *stacks[player:], *stacks[:player]]
    order = _shuffled(draw, TILES)
    for tile, place in zip(order, draw(_dice(_KEYS[: len(places)], len(TILES))), strict=True):
        places[_KEYS.index(place)].append(tile)
    return _Draft(grill, face_down, stacks, player)


@st.composite
def _bars(
    draw: st.DrawFn, draft: _Draft, rulings: Rulings, situation: Situation | None = None
) -> tuple[tuple[int, ...], ...]:
    """Draw what the last round of turns has barred, for each player.

    The last turns are undone, the latest first: whoever moved may have stolen the own top
    tile from one whose turn has not ended since. So a bar always has a theft behind it.
    """
    players = len(draft.stacks)
    if rulings.steal_back is StealBack.ALLOWED:
        return ((),) * players
    seats = [(draft.player + later) % players for later in range(players)]
    stacks = [list(draft.stacks[seat]) for seat in seats]
    barred: list[set[int]] = [set() for _ in seats]
    target = max((stack[-1] for stack in stacks[1:] if stack), default=0)
    holder = next((later for later, stack in enumerate(stacks) if target in stack[-1:]), 0)
    must = situation is Situation.BARRED_STEAL
    must_not = situation in (Situation.STEAL, Situation.STEAL_OR_LOWER)
    for thief in range(players - 1, 0, -1):
        if not stacks[thief]:
            continue
        tile = stacks[thief][-1]
        victims: list[int | None] = [None, *range(thief)]
        if must and thief == holder:
            victims = [0]
        elif must and holder in victims:
            victims.remove(holder)
        elif must_not and tile == target:
            victims.remove(0)
        victim = draw(st.sampled_from(victims))
        if victim is not None:
            stacks[victim].append(stacks[thief].pop())
            barred[victim].add(tile)
    return tuple(tuple(sorted(barred[seats.index(seat)])) for seat in range(players))


@st.composite
def _moves(draw: st.DrawFn, kind: _Kind, ending: _Ending) -> tuple[Move, ...]:
    """Draw the moves of a turn that sets such dice aside and ends so."""
    set_aside = draw(st.sampled_from(_sets_aside()[kind]))
    moves: list[Move] = []
    left = BASE.dice
    for face in _shuffled(draw, sorted(set(set_aside))):
        count = set_aside.count(face)
        others = draw(_dice(FACES.replace(face, ""), left - count))
        moves += [Roll(face * count + others), SetAside(face)]
        left -= count
    if ending == _DEAD_ROLL:
        moves.append(Roll(draw(_dice("".join(sorted(set(set_aside))), left))))
    elif ending is not None:
        moves.append(ending)
    return tuple(moves)


# A text is a single choice for Hypothesis, and so much cheaper than a list.
# In this order its characters count as ever less simple.
_KEYS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@cache
def _dice(faces: str, number: int) -> st.SearchStrategy[str]:
    return st.text(faces, min_size=number, max_size=number)


def _shuffled(draw: st.DrawFn, items: Sequence[Value]) -> list[Value]:
    """Draw an order; the simplest is the one given."""
    keys = draw(_dice(_KEYS, len(items)))
    return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]


@cache
def _sets_aside() -> dict[_Kind, list[str]]:
    """Return all dice that can be set aside, by what they decide, the fewest first."""
    found: dict[_Kind, list[str]] = {}
    for dice in range(1, BASE.dice + 1):
        for faces in combinations_with_replacement(FACES, dice):
            total = sum(BASE.points[face] for face in faces)
            all_faces = len(set(faces)) == len(FACES)
            kind = _Kind(total, BASE.worm in faces, dice == BASE.dice, all_faces)
            found.setdefault(kind, []).append("".join(faces))
    return found


def _endings(table: Table, rulings: Rulings) -> list[tuple[_Kind, _Ending]]:
    """Return every way in which a turn on this table may end."""
    return [
        (kind, ending)
        for kind, (example, *_) in _sets_aside().items()
        for ending in _endings_after(Position(table, Turn(example)), rulings)
    ]


def _endings_after(position: Position, rulings: Rulings) -> Iterable[_Ending]:
    options = legal(position, rulings)
    yield from options.claims
    if not options.claims and options.stop:
        yield Stop() if options.roll else None
    if options.roll:
        yield _DEAD_ROLL


def _outcome(ending: _Ending) -> int:
    """Tell takes, failures and steals apart."""
    return 0 if isinstance(ending, Take) else 2 if isinstance(ending, Steal) else 1


def _positions(table: Table, moves: Iterable[Move], rulings: Rulings) -> tuple[Position, ...]:
    reached = [Position(table)]
    for move in moves:
        reached.append(play(reached[-1], move, rulings))
    return tuple(reached)


def _others(stacks: Iterable[Value], player: int) -> list[Value]:
    return [stack for seat, stack in enumerate(stacks) if seat != player]


def _value(draw: st.DrawFn, value: Drawn[Value]) -> Value:
    return draw(value) if isinstance(value, st.SearchStrategy) else value


def _rulings(
    draw: st.DrawFn, value: Drawn[Rulings] | None, situation: Drawn[Situation] | None = None
) -> Rulings:
    """Draw the rulings; if any will do, such that the situation can be."""
    if value is not None:
        return _value(draw, value)
    fixed: dict[Any, dict[str, StrEnum]] = {
        Situation.FREE_STOP: {"stop_without_claim": StopWithoutClaim.FAILS},
        Situation.BARRED_STEAL: {"steal_back": StealBack.BARRED},
    }
    known = fixed.get(situation, {}) if isinstance(situation, Situation) else {}
    return draw(rulings(**known))


@cache
def _house_rules() -> list[tuple[str, ...]]:
    """Return the sets of house rules that do not contradict each other, the smallest first."""
    names = house_rule_names()
    sets = chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))
    return [chosen for chosen in sets if _go_together(chosen)]


def _go_together(house_rules: tuple[str, ...]) -> bool:
    first, *_ = edition_names()
    try:
        find_edition("+".join((first, *house_rules)))
    except Contradiction:
        return False
    return True
