"""The situations in which the values of a ruling part: what is asked to tell which one is played.

Each hangs on its own ruling alone. What is looked at is one thing, told in a few words, so that
other faults of an engine do not get in the way.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET

from pickomino_conformance.cases.dice import rolls_of, script
from pickomino_conformance.compare import part, parts
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.messages import TurnResult
from pickomino_conformance.protocol.translate import complement
from pickomino_conformance.words import player, tiles
from pickomino_reference import BASE, Claim, Script, Steal, Table, Take
from pickomino_reference.table import Stacks

# A total of 15 with the dice to go on; of 24 in two rolls; 25 with every face and a die left.
FIFTEEN = (("W", 3),)
TWENTY_FOUR = (("W", 3), ("3", 3))
# What the other players own where each owns one tile.
OTHERS = (26, 27, 28, 29, 31, 32)
EVERY_FACE = (("W", 1), ("1", 1), ("2", 1), ("3", 1), ("4", 1), ("5", 2))


class Look(NamedTuple):
    """What is looked at in an answer.

    Attributes:
        see: returns what an answer shows, as a plain value; two values of a ruling part if these
            differ.
        tell: says that in words.
    """

    see: Callable[[Reply], Any]
    tell: Callable[[Any], str]


class TellingSituation(NamedTuple):
    """What is asked of an engine about a ruling.

    Attributes:
        ruling: the ruling whose values it parts.
        conditions: what else could matter to an engine, by name, to find a contradiction.
        turns: the turns to be played, one after the other; empty if stacks are scored.
        stacks: the stacks to be scored.
        look: what is looked at in the last answer.
        control: the name of the undisputed turn that an engine must be able to play for this;
            empty if no turn is asked about.
        claims: whether the engine's own choice of a claim tells the value.
    """

    ruling: str
    conditions: dict[str, str]
    turns: tuple[Script, ...]
    stacks: Stacks
    look: Look
    control: str
    claims: bool = False


class Control(NamedTuple):
    """An undisputed turn, which an engine plays whatever its rulings are.

    Attributes:
        name: what happens in it.
        turns: the turn.
        plays: whether an answer shows that it was played.
    """

    name: str
    turns: tuple[Script, ...]
    plays: Callable[[Reply], bool]


FAILS = "a dead roll after three worms"
TAKES = "the exact 24 is taken"


def controls(players: int) -> Iterator[Control]:
    """Yield the undisputed turns, on the table of a new game for so many players."""
    table = _table(tuple(BASE.worms), [], players)
    failed = _turn(table, FIFTEEN, dead=True)
    taken = _turn(table, TWENTY_FOUR, Take(24))
    yield Control(FAILS, (failed,), _is_played)
    yield Control(TAKES, (taken,), claims(0, 24).see)


def situations(numbers: Sequence[int]) -> Iterator[TellingSituation]:
    """Yield every situation for games of these numbers of players.

    An engine that can't be set to a table must be played there: so each ruling has a situation in
    which nothing lies face down and all own as many tiles. The 21 never lies face down, since by
    most editions no game leads there.
    """
    for number in numbers:
        for parting in PARTING:
            for one in parting(number):
                yield one._replace(conditions={"players": str(number), **one.conditions})


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
    claim: Claim | None = None,
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


def claims(seat: int, tile: int) -> Look:
    """Return the look at whether this player has this tile on top then."""

    def see(heard: Reply) -> bool:
        return (part(parts(heard), f"stack.{seat}") or [0])[-1:] == [tile]

    return Look(see, lambda claimed: f"the {tile} is {'' if claimed else 'not '}claimed")


def _tell_grill(grill: Any) -> str:
    return f"the grill then shows {tiles(grill)}" if grill else "the turn is not played"


def _tell_winners(winners: list[int]) -> str:
    return f"won by {' and '.join(map(player, winners)) or 'nobody'}"


def _is_played(heard: Reply) -> bool:
    return isinstance(heard, TurnResult)


def _is_rolled_on(heard: Reply) -> bool:
    """Whether a roll after six faces was played; a claim would have ended the turn before it."""
    if not isinstance(heard, TurnResult) or heard.rolls_used not in (UNSET, len(EVERY_FACE) + 1):
        return False
    return 25 in heard.table.grill  # noqa: PLR2004  # see the table


GRILL = Look(lambda heard: part(parts(heard), "grill"), _tell_grill)
WINNERS = Look(lambda heard: part(parts(heard), "winners"), _tell_winners)
STOPS = Look(
    _is_played,
    lambda played: f"{'' if played else 'no: not '}one may stop with nothing to claim",
)
ROLLS_ON = Look(
    _is_rolled_on,
    lambda rolled_on: (
        "one may roll on after six faces" if rolled_on else "the turn is over with six faces"
    ),
)


def _returns(players: int) -> Iterator[TellingSituation]:
    for tile, which in ((36, "is the highest"), (30, "is not the highest")):
        turn = _turn(_one_each(players, tile), FIFTEEN, dead=True)
        conditions = {"own tiles": "1", "an opponent owns": "a tile"}
        conditions["the returned tile"] = which
        yield TellingSituation("flip-after-return", conditions, (turn,), (), GRILL, FAILS)
    for own, others in (((30,), ()), ((29, 30), ()), ((30,), (36,)), ((24, 30), (22,))):
        grill = tuple(tile for tile in (21, 23, 26, 28) if tile not in own + others)
        for highest in (False, True):
            row = grill if highest else (*grill, 34)
            table = _table(row, [own, others], players)
            conditions = {
                "own tiles": str(len(own)),
                "an opponent owns": "a tile" if others else "none",
                "the returned tile": "is the highest" if highest else "is not the highest",
            }
            turn = _turn(table, FIFTEEN, dead=True)
            yield TellingSituation("flip-after-return", conditions, (turn,), (), GRILL, FAILS)


def _no_returns(players: int) -> Iterator[TellingSituation]:
    rows = ((tuple(BASE.worms), ()), ((21, 27, 34), (30,)), ((21,), (36,)), ((21, 36), (30, 25)))
    for grill, others in rows:
        table = _table(grill, [(), others], players)
        conditions = {
            "an opponent owns": "a tile" if others else "none",
            "face-up tiles": "all" if len(grill) == len(BASE.worms) else str(len(grill)),
        }
        turn = _turn(table, FIFTEEN, dead=True)
        yield TellingSituation("flip-without-return", conditions, (turn,), (), GRILL, FAILS)


def _lower_tiles(players: int) -> Iterator[TellingSituation]:
    tables = [
        (_table(grill, [], players), 21)
        for grill in ((21, 22, 24, 30), (21, 22, 30), (21, 23, 36), tuple(BASE.worms))
    ]
    for table, lower in (*tables, (_one_each(players, 24), 22)):
        exact = "is there" if 24 in table.grill else "is gone"  # noqa: PLR2004  # the total
        conditions = {"the exact tile": exact}
        turn = _turn(table, TWENTY_FOUR, Take(lower))
        yield TellingSituation("lower-tile", conditions, (turn,), (), claims(0, lower), TAKES, True)


def _exact_on_opponent(players: int) -> Iterator[TellingSituation]:
    for victim in range(1, players):
        stacks = [(24,) if seat == victim else () for seat in range(players)]
        tables = [(_table(grill, stacks, players), grill[1]) for grill in ((21, 22, 30), (21, 23))]
        if victim == 1:
            tables.append((_one_each(players, 36, 24), 23))
        for table, lower in tables:
            conditions = {"the exact tile is owned by": f"player {victim}"}
            turn = _turn(table, TWENTY_FOUR, Take(lower))
            look = claims(0, lower)
            yield TellingSituation("exact-on-opponent", conditions, (turn,), (), look, TAKES, True)


def _stops(players: int) -> Iterator[TellingSituation]:
    for table in _with_little(players, 28):
        conditions = {"own tiles": str(len(table.own))}
        turn = _turn(table, FIFTEEN)
        yield TellingSituation("stop-without-claim", conditions, (turn,), (), STOPS, FAILS)


def _six_faces(players: int) -> Iterator[TellingSituation]:
    for table in _with_little(players, 36):
        conditions = {"own tiles": str(len(table.own))}
        turn = _turn(table, EVERY_FACE, dead=True)
        yield TellingSituation("six-faces", conditions, (turn,), (), ROLLS_ON, FAILS)


def _with_little(players: int, highest: int) -> Iterator[Table]:
    """Yield tables with few tiles and with all, on which the player owns one tile at most."""
    yield _table((21, 25, highest), [], players)
    yield _table((21, 25, highest), [(30,)], players)
    yield _table(tuple(BASE.worms), [], players)
    yield _one_each(players, 36)


def _steals_back(players: int) -> Iterator[TellingSituation]:
    for table in (
        _table((21, 22, 30), [(), (24,)], players),
        _table((22, 30), [(), (21, 24)], players),
        _one_each(players, 36, 24),
    ):
        conditions = {"tiles below": str(len(table.stacks[1]) - 1)}
        first = _turn(table, TWENTY_FOUR, Steal(1))
        back = _turn(table._replace(player=1), TWENTY_FOUR, Steal(0))
        yield TellingSituation("steal-back", conditions, (first, back), (), claims(1, 24), TAKES)


def _ties(players: int) -> Iterator[TellingSituation]:
    for pair in (((33,), (27, 28)), ((27, 28), (33,)), ((25, 30), (36, 24)), ((21, 24), (28,))):
        stacks = (*pair, *((),) * (players - 2))
        conditions = {"most tiles": "first" if len(pair[0]) > 1 else "later"}
        yield TellingSituation("tie-break", conditions, (), stacks, WINNERS, "")


# In the order of the report.
PARTING = (
    _returns,
    _no_returns,
    _lower_tiles,
    _exact_on_opponent,
    _stops,
    _steals_back,
    _ties,
    _six_faces,
)
