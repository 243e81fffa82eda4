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

from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from itertools import chain, combinations
from typing import Any, NamedTuple, TypeAlias

import msgspec

try:
    from hypothesis import strategies as st
    from hypothesis.errors import InvalidArgument
except ModuleNotFoundError as error:
    raise ImportError(
        "The strategies need Hypothesis, which is not installed: "
        "pip install 'pickomino-spec[strategies]'"
    ) from error

from pickomino_conformance.protocol.translate import request
from pickomino_conformance.strategies.drafting import (
    FACES,
    HOLDS,
    DraftEnd,
    LastMove,
    Situation,
    Value,
    bars,
    dice_texts,
    drafts,
    endings_on,
    moves_of,
)
from pickomino_reference import (
    BASE,
    Contradiction,
    Decision,
    Edition,
    Move,
    Position,
    Roll,
    Rulings,
    Script,
    SetAside,
    Steal,
    StealBack,
    StopWithoutClaim,
    Table,
    Take,
    edition_names,
    find_edition,
    house_rule_names,
    play,
    start,
)
from pickomino_reference.editions import ALTERNATIVES

__all__ = [
    "Game",
    "Situation",
    "WholeTurn",
    "editions",
    "games",
    "positions",
    "rolls",
    "rulings",
    "situations",
    "tables",
    "turns",
]

Drawn: TypeAlias = Value | st.SearchStrategy[Value]

PLAYERS = st.integers(*BASE.players)


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
        """The same turn as a script: its rolls and decisions."""
        rolls = tuple(move.dice for move in self.moves if isinstance(move, Roll))
        faces = [move.face for move in self.moves if isinstance(move, SetAside)]
        decisions = [Decision(face, "roll") for face in faces]
        last = self.moves[-1]
        if not isinstance(last, Roll):
            claim = last if isinstance(last, Take | Steal) else None
            decisions[-1] = Decision(faces[-1], "stop", claim)
        return Script(self.table, rolls, tuple(decisions))

    @property
    def request(self) -> dict[str, Any]:
        """The same turn as an engine is asked it: `table`, `rolls` and `decisions`, as in JSON."""
        params: dict[str, Any] = msgspec.to_builtins(request(self.script, self.rulings))
        return params


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
    """Draw a value for every ruling: any combination.

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
    return dice_texts(FACES, dice)


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
    draft = draw(drafts(_value(draw, players)))
    if over:
        draft.face_down += draft.grill
        draft.grill.clear()
    else:
        draft.open_grill()
    return draft.finish(draw(bars(draft, _value(draw, rulings))))


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
    draft = draw(drafts(_value(draw, players)))
    draft.open_grill()
    draft.suit(wanted)
    table = draft.finish(draw(bars(draft, drawn, wanted)))
    holds = HOLDS[wanted]
    endings = [
        (kind, ending)
        for kind, ending in endings_on(table, drawn)
        if holds(DraftEnd(table, kind, ending))
    ]
    return WholeTurn(table, drawn, draw(moves_of(*draw(st.sampled_from(endings)))))


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

    >>> from pickomino_reference import legal
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
        endings = endings_on(reached[-1].table, drawn)
        outcome = draw(st.sampled_from(sorted({_outcome(ending) for _, ending in endings})))
        alike = [one for one in endings if _outcome(one[1]) == outcome]
        turn = draw(moves_of(*draw(st.sampled_from(alike))))
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


def _outcome(ending: LastMove) -> int:
    """Tell takes, failures and steals apart."""
    return 0 if isinstance(ending, Take) else 2 if isinstance(ending, Steal) else 1


def _positions(table: Table, moves: Iterable[Move], rulings: Rulings) -> tuple[Position, ...]:
    reached = [Position(table)]
    for move in moves:
        reached.append(play(reached[-1], move, rulings))
    return tuple(reached)


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
