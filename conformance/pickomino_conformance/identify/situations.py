"""The situations in which the values of a ruling part: what is asked to tell which one is played.

Each hangs on its own ruling alone. What is looked at is one thing, told in a few words, so that
other faults of an engine do not get in the way.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pickomino_conformance.cases import Script
from pickomino_conformance.levels.scripting import rolls_of, script
from pickomino_conformance.protocol import (
    ClaimMessage,
    ErrorMessage,
    ScoreResult,
    TurnResult,
)
from pickomino_conformance.sentences import tiles
from pickomino_conformance.tables import complement
from pickomino_reference import BASE, Table

Stacks = tuple[tuple[int, ...], ...]
Heard = TurnResult | ScoreResult | ErrorMessage

# A total of 15 with the dice to go on; of 24 in two rolls; 25 with every face and a die left.
FIFTEEN = (("W", 3),)
TWENTY_FOUR = (("W", 3), ("3", 3))
# What the other players own where each owns one tile.
OTHERS = (26, 27, 28, 29, 31, 32)
EVERY_FACE = (("W", 1), ("1", 1), ("2", 1), ("3", 1), ("4", 1), ("5", 2))


class Situation(NamedTuple):
    """What is asked of an engine about a ruling.

    Attributes:
        ruling: the ruling whose values it parts.
        conditions: what else could matter to an engine, by name, to find a contradiction.
        turns: the turns to be played, one after the other; empty if stacks are scored.
        stacks: the stacks to be scored.
        look: what the last answer shows, in words.
        control: the name of the undisputed turn that an engine must be able to play for this.
        claims: whether the engine's own choice of a claim tells the value.
    """

    ruling: str
    conditions: dict[str, str]
    turns: tuple[Script, ...]
    stacks: Stacks
    look: Callable[[Heard], str]
    control: str
    claims: bool = False


class Control(NamedTuple):
    """An undisputed turn, which an engine plays whatever its rulings are.

    Attributes:
        name: what happens in it.
        turns: the turn; none where no turn is asked about.
        plays: whether an answer shows that it was played.
    """

    name: str
    turns: tuple[Script, ...]
    plays: Callable[[Heard], bool]


FAILS = "a dead roll after three worms"
TAKES = "the exact 24 is taken"
NO_TURN = "worms are counted"


def controls(players: int) -> Iterator[Control]:
    """Yield the undisputed turns, on the table of a new game for so many players."""
    table = _table(tuple(BASE.worms), [], players)
    failed = _turn(table, FIFTEEN, dead=True)
    taken = _turn(table, TWENTY_FOUR, ClaimMessage(take=24))
    yield Control(FAILS, (failed,), lambda heard: isinstance(heard, TurnResult))
    yield Control(TAKES, (taken,), lambda heard: _owns(0, 24)(heard) == _owned(24))
    yield Control(NO_TURN, (), lambda _: True)


def situations(numbers: Sequence[int]) -> Iterator[Situation]:
    """Yield every situation for games of these numbers of players.

    An engine that can't be set to a table must be played there: so each ruling has a situation in
    which nothing lies face down and all own as many tiles. The 21 never lies face down, since by
    most editions no game leads there.
    """
    for number in numbers:
        yield from _returns(number)
        yield from _no_returns(number)
        yield from _lower_tiles(number)
        yield from _exact_on_opponent(number)
        yield from _stops(number)
        yield from _steals_back(number)
        yield from _ties(number)
        yield from _six_faces(number)


def _players(number: int) -> dict[str, str]:
    return {"players": str(number)}


def _table(grill: Sequence[int], stacks: Sequence[tuple[int, ...]], players: int) -> Table:
    """Return a table with these stacks from player 0 on; the others own nothing."""
    whole = (*stacks, *((),) * (players - len(stacks)))
    named = [*grill, *(tile for stack in stacks for tile in stack)]
    return Table(tuple(grill), complement(BASE, named), whole, 0, ((),) * players)


def _one_each(players: int, *tiles: int) -> Table:
    """Return a table on which each player owns one tile, the first ones these."""
    stacks = [(tile,) for tile in (*tiles, *OTHERS[: players - len(tiles)])]
    owned = {tile for stack in stacks for tile in stack}
    return _table([tile for tile in BASE.worms if tile not in owned], stacks, players)


def _turn(
    table: Table,
    kept: Sequence[tuple[str, int]],
    claim: ClaimMessage | None = None,
    *,
    dead: bool = False,
) -> Script:
    """Return a turn that sets these dice aside; it ends by a stop, or by a dead roll."""
    dice, order = "".join(face * count for face, count in kept), [face for face, _ in kept]
    rolls = rolls_of(dice, order)
    if dead:
        last = order[0] * (BASE.dice - len(dice))
        return script(table, (*rolls, last), order, then="roll")
    return script(table, rolls, order, claim=claim)


def _grill(heard: Heard) -> str:
    if not isinstance(heard, TurnResult):
        return "the turn is not played"
    return f"the grill then shows {tiles(heard.table.grill)}"


def _accepted(what: str) -> Callable[[Heard], str]:
    """Return what tells whether a turn was played at all."""
    return lambda heard: what if isinstance(heard, TurnResult) else f"no: not {what}"


def _owns(seat: int, tile: int) -> Callable[[Heard], str]:
    def look(heard: Heard) -> str:
        got = isinstance(heard, TurnResult) and heard.table.stacks[seat][-1:] == [tile]
        return _owned(tile) if got else f"the {tile} is not claimed"

    return look


def _owned(tile: int) -> str:
    return f"the {tile} is claimed"


def _returns(players: int) -> Iterator[Situation]:
    for tile, which in ((36, "is the highest"), (30, "is not the highest")):
        turn = _turn(_one_each(players, tile), FIFTEEN, dead=True)
        conditions = {**_players(players), "own tiles": "1", "an opponent owns": "a tile"}
        conditions["the returned tile"] = which
        yield Situation("flip-after-return", conditions, (turn,), (), _grill, FAILS)
    for own, others in (((30,), ()), ((29, 30), ()), ((30,), (36,)), ((24, 30), (22,))):
        grill = tuple(tile for tile in (21, 23, 26, 28) if tile not in own + others)
        for highest in (False, True):
            row = grill if highest else (*grill, 34)
            table = _table(row, [own, others], players)
            conditions = {
                **_players(players),
                "own tiles": str(len(own)),
                "an opponent owns": "a tile" if others else "none",
                "the returned tile": "is the highest" if highest else "is not the highest",
            }
            turn = _turn(table, FIFTEEN, dead=True)
            yield Situation("flip-after-return", conditions, (turn,), (), _grill, FAILS)


def _no_returns(players: int) -> Iterator[Situation]:
    rows = ((tuple(BASE.worms), ()), ((21, 27, 34), (30,)), ((21,), (36,)), ((21, 36), (30, 25)))
    for grill, others in rows:
        table = _table(grill, [(), others], players)
        conditions = {
            **_players(players),
            "an opponent owns": "a tile" if others else "none",
            "face-up tiles": "all" if len(grill) == len(BASE.worms) else str(len(grill)),
        }
        turn = _turn(table, FIFTEEN, dead=True)
        yield Situation("flip-without-return", conditions, (turn,), (), _grill, FAILS)


def _lower_tiles(players: int) -> Iterator[Situation]:
    tables = [
        (_table(grill, [], players), 21)
        for grill in ((21, 22, 24, 30), (21, 22, 30), (21, 23, 36), tuple(BASE.worms))
    ]
    for table, lower in (*tables, (_one_each(players, 24), 22)):
        exact = "is there" if 24 in table.grill else "is gone"  # noqa: PLR2004  # the total
        conditions = {**_players(players), "the exact tile": exact}
        turn = _turn(table, TWENTY_FOUR, ClaimMessage(take=lower))
        yield Situation("lower-tile", conditions, (turn,), (), _owns(0, lower), TAKES, True)


def _exact_on_opponent(players: int) -> Iterator[Situation]:
    for victim in range(1, players):
        stacks = [(24,) if seat == victim else () for seat in range(players)]
        tables = [(_table((21, 22, 30), stacks, players), 22)]
        tables.append((_table((21, 23), stacks, players), 23))
        if victim == 1:
            tables.append((_one_each(players, 36, 24), 23))
        for table, lower in tables:
            conditions = {**_players(players), "the exact tile is owned by": f"player {victim}"}
            turn = _turn(table, TWENTY_FOUR, ClaimMessage(take=lower))
            look = _owns(0, lower)
            yield Situation("exact-on-opponent", conditions, (turn,), (), look, TAKES, True)


def _stops(players: int) -> Iterator[Situation]:
    for table in (
        _table((21, 25, 28), [], players),
        _table((21, 25, 28), [(30,)], players),
        _table(tuple(BASE.worms), [], players),
        _one_each(players, 36),
    ):
        conditions = {**_players(players), "own tiles": str(len(table.stacks[0]))}
        turn = _turn(table, FIFTEEN)
        look = _accepted("one may stop with nothing to claim")
        yield Situation("stop-without-claim", conditions, (turn,), (), look, FAILS)


def _steals_back(players: int) -> Iterator[Situation]:
    for table in (
        _table((21, 22, 30), [(), (24,)], players),
        _table((22, 30), [(), (21, 24)], players),
        _one_each(players, 36, 24),
    ):
        conditions = {**_players(players), "tiles below": str(len(table.stacks[1]) - 1)}
        first = _turn(table, TWENTY_FOUR, ClaimMessage(steal=1))
        back = _turn(table._replace(player=1), TWENTY_FOUR, ClaimMessage(steal=0))
        yield Situation("steal-back", conditions, (first, back), (), _owns(1, 24), TAKES)


def _ties(players: int) -> Iterator[Situation]:
    for pair in (((33,), (27, 28)), ((27, 28), (33,)), ((25, 30), (36, 24)), ((21, 24), (28,))):
        stacks = (*pair, *((),) * (players - 2))
        conditions = {**_players(players), "most tiles": "first" if len(pair[0]) > 1 else "later"}
        yield Situation("tie-break", conditions, (), stacks, _winners, NO_TURN)


def _winners(heard: Heard) -> str:
    if not isinstance(heard, ScoreResult) or heard.winners is None:
        return "no winner is told"
    won = " and ".join(f"player {winner}" for winner in sorted(heard.winners))
    return f"won by {won or 'nobody'}"


def _six_faces(players: int) -> Iterator[Situation]:
    for table in (
        _table((21, 25, 36), [], players),
        _table((21, 25, 36), [(30,)], players),
        _table(tuple(BASE.worms), [], players),
        _one_each(players, 36),
    ):
        conditions = {**_players(players), "own tiles": str(len(table.stacks[0]))}
        turn = _turn(table, EVERY_FACE, dead=True)
        yield Situation("six-faces", conditions, (turn,), (), _rolled_on, FAILS)


def _rolled_on(heard: Heard) -> str:
    """Whether a roll after six faces was played; a claim would have ended the turn before it."""
    if isinstance(heard, TurnResult) and 25 in heard.table.grill:  # noqa: PLR2004  # see the table
        return "one may roll on after six faces"
    return "the turn is over with six faces"
