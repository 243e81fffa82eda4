"""Random games, biased to what is rare; games made shorter, and turns made simpler.

A game is drawn on the reference alone, never on the answers of an engine: a seed always gives
the same game, in every version of Python.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from pickomino_conformance.cases.dice import (
    TILES,
    Dice,
    Lots,
    every_dice,
    position,
    rolls_of,
    script,
    worth,
)
from pickomino_conformance.protocol.translate import complement
from pickomino_reference import (
    BASE,
    Claim,
    End,
    Options,
    Rulings,
    Script,
    Steal,
    Table,
    claiming,
    legal,
    play_turn,
    rolling,
    start,
)
from pickomino_reference.table import Stacks

MOST_TURNS = 80
# From this turn on the players take tiles of the grill more and more often, so that games end.
HURRY = 12
# So many turns with fewer or plainer dice are tried in place of one.
MOST_DICE = 12
HIGHEST_DICE = tuple(total for total in range(TILES[-1] + 1, 8 * BASE.points[BASE.worm] + 1))


class DrawnGame(NamedTuple):
    """A game from its start to its end, or to where it was broken off.

    Attributes:
        players: how many play.
        turns: every turn.
        end: the table at last.
        told: whether every turn is asked on a table of its own, or goes on with the engine's.
        tied: stacks of which two are worth the same, to be scored beside those of the end; empty
            if none were drawn.
    """

    players: int
    turns: tuple[Script, ...]
    end: Table
    told: bool = False
    tied: Stacks = ()


def draw(seed: str, rulings: Rulings, players: tuple[int, int]) -> DrawnGame:
    """Return the game of a seed, for the fewest to the most players given."""
    lots, (fewest, most) = Lots(seed), players
    number = fewest + lots.below(most - fewest + 1)
    told, tied = lots.below(4) == 0, _tied(number, lots)
    table, turns = start(number), list[Script]()
    while table.grill and len(turns) < MOST_TURNS:
        turns.append(_turn(table, lots, len(turns), rulings))
        table = play_turn(turns[-1], rulings).position.table
    return DrawnGame(number, tuple(turns), table, told, tied)


@cache
def _listed(name: str) -> tuple[Dice, ...]:
    """Return the dice for which no table is needed, by what they are good for."""
    lists: dict[str, Callable[[Dice], bool]] = {
        "one face": lambda dice: dice.faces == 1 and dice.left > 0,
        "some faces": lambda dice: dice.faces > 1 and dice.left > 0 and not dice.every_face,
        "every face": lambda dice: dice.every_face,
        "all dice without a worm": lambda dice: not dice.left and not dice.worm,
        "below every tile": lambda dice: dice.total < TILES[0],
        "without a worm": lambda dice: not dice.worm,
    }
    return tuple(filter(lists[name], every_dice()))


def _tied(players: int, lots: Lots) -> Stacks:
    """Return stacks of which two are worth the same; empty if it does not come out even."""
    left = list(TILES)
    stacks: list[list[int]] = [[] for _ in range(players)]
    one = lots.below(players)
    other = (one + 1 + lots.below(players - 1)) % players
    for _ in range(1 + lots.below(3)):
        stacks[one].append(left.pop(lots.below(len(left))))
    missing = sum(BASE.worms[tile] for tile in stacks[one])
    while missing:
        fitting = [tile for tile in left if BASE.worms[tile] <= missing]
        if not fitting:
            return ()
        tile = fitting[lots.below(len(fitting))]
        left.remove(tile)
        stacks[other].append(tile)
        missing -= BASE.worms[tile]
    return tuple(map(tuple, stacks))


def _exact(table: Table, lots: Lots) -> Sequence[Dice]:
    return worth(table.grill[lots.below(len(table.grill))])


def _missing(table: Table, lots: Lots) -> Sequence[Dice]:
    """Return dice whose exact tile is not on the grill, with a lower one there."""
    totals = [total for total in TILES if total > table.grill[0] and total not in table.grill]
    return worth(totals[lots.below(len(totals))]) if totals else ()


def _above_all(_table: Table, lots: Lots) -> Sequence[Dice]:
    return worth(HIGHEST_DICE[lots.below(len(HIGHEST_DICE))])


def _shown(table: Table, lots: Lots) -> Sequence[Dice]:
    """Return dice for the top tile of some stack, the own one included."""
    tops = [stack[-1] for stack in table.stacks if stack]
    return worth(tops[lots.below(len(tops))]) if tops else ()


def _out_of_reach(table: Table, lots: Lots) -> Sequence[Dice]:
    below = range(TILES[0], table.grill[0])
    return worth(below[lots.below(len(below))]) if below else ()


def _any(name: str) -> Callable[[Table, Lots], Sequence[Dice]]:
    return lambda _table, _lots: _listed(name)


class _Aim(NamedTuple):
    """What a turn is drawn to come to, if the table lets it.

    Attributes:
        often: how often it is aimed at, of about a hundred turns.
        dice: the dice that lead there.
        dead: whether a dead roll follows.
    """

    often: int
    dice: Callable[[Table, Lots], Sequence[Dice]]
    dead: bool = False


_TAKE = _Aim(18, _exact)
_DEAD = _Aim(8, _any("one face"), dead=True)
_AIMS = (
    _TAKE,
    _Aim(12, _missing),
    _Aim(5, _above_all),
    _Aim(26, _shown),
    _Aim(4, _out_of_reach),
    _DEAD,
    _Aim(10, _any("some faces"), dead=True),
    _Aim(5, _any("every face")),
    _Aim(4, _any("all dice without a worm")),
    _Aim(4, _any("below every tile")),
    _Aim(4, _any("without a worm")),
)
_OFTEN = tuple(aim for aim in _AIMS for _ in range(aim.often))


def _turn(table: Table, lots: Lots, number: int, rulings: Rulings) -> Script:
    """Return a turn on this table, the next after `number` turns."""
    hurried = lots.below(256) < (number - HURRY) * 8
    aim = _OFTEN[lots.below(len(_OFTEN))]
    if hurried:
        aim = _TAKE
    dead = aim.dead
    dice = lots.early(aim.dice(table, lots) or _listed("one face"))
    options = legal(position(table, dice), rulings)
    # Where the player may not stop, the turn goes on, and fails.
    dead = options.roll and (dead or not options.stop)
    order = _order(dice, lots)
    rolls = rolls_of(dice.kept, order, lambda many, faces: _others(many, faces, lots))
    if dead:
        last = _others(dice.left, "".join(order), lots)
        return script(table, (*rolls, rolling.sort_dice(last)), order, "roll")
    return script(table, rolls, order, claim=_claim(options, lots))


def _claim(options: Options, lots: Lots) -> Claim | None:
    """Return the claim that is made, more often a steal than not."""
    if not options.claims:
        return None
    steals = [claim for claim in options.claims if isinstance(claim, Steal)]
    claims = steals if steals and lots.below(4) else options.claims
    return lots.one_of(claims)


def _order(dice: Dice, lots: Lots) -> list[str]:
    """Return the faces of these dice, in the order in which they are set aside."""
    faces = sorted(set(dice.kept), reverse=True)
    return [faces.pop(lots.below(len(faces))) for _ in range(len(faces))]


def _others(number: int, faces: str, lots: Lots) -> str:
    """Return so many dice of one or two of these faces."""
    one, other = lots.one_of(faces), lots.one_of(faces)
    many = lots.below(4) * number // 3
    return one * (number - many) + other * many


def shorter(game: DrawnGame, rulings: Rulings) -> Iterator[DrawnGame]:
    """Yield the same game without some of its turns, many of them first.

    Those that are left are played on the tables that come then, if they can be.
    """
    size = len(game.turns) // 2
    while size:
        for place in range(0, len(game.turns), size):
            found = _replayed(game, game.turns[:place] + game.turns[place + size :], rulings)
            if found is not None:
                yield found
        size //= 2


def _replayed(game: DrawnGame, turns: Sequence[Script], rulings: Rulings) -> DrawnGame | None:
    table, played = start(game.players), list[Script]()
    for turn in turns:
        again = turn._replace(table=table)
        if not _is_legal(again, rulings):
            return None
        table = play_turn(again, rulings).position.table
        played.append(again)
    return game._replace(turns=tuple(played), end=table)


def simplest(
    turn: Script, rulings: Rulings, fewest: int, differs: Callable[[Script], bool]
) -> Script:
    """Return the turn with fewer players, tiles and rolls, as long as it `differs`.

    `fewest` is how many players there must be. `differs` asks the engine; it is never asked
    about a turn that is not legal.
    """
    simpler = True
    while simpler:
        simpler = False
        for candidate in _simpler(turn, fewest):
            if _is_legal(candidate, rulings) and differs(candidate):
                turn, simpler = candidate, True
                break
    return turn


def fewer_tiles(stacks: Stacks) -> Iterator[Stacks]:
    """Yield the stacks with a player less, or a tile; somebody still owns one."""
    fewest, _ = BASE.players
    for seat, stack in enumerate(stacks):
        before, after = stacks[:seat], stacks[seat + 1 :]
        if len(stacks) > fewest and any(before + after):
            yield before + after
        for place in range(len(stack)):
            fewer = (*before, stack[:place] + stack[place + 1 :], *after)
            if any(fewer):
                yield fewer


def _is_legal(candidate: Script, rulings: Rulings) -> bool:
    """Whether a turn is legal and whole, with nothing left over."""
    if not candidate.table.grill:
        return False
    record = play_turn(candidate, rulings)
    return record.end not in (End.REFUSED, End.UNFINISHED) and not record.left_over


def _simpler(turn: Script, fewest: int) -> Iterator[Script]:
    """Yield turns that are simpler by one step, the largest steps first."""
    table = turn.table
    for seat in range(len(table.stacks)):
        if len(table.stacks) > fewest and seat not in (table.player, _robbed(turn)):
            yield _without(turn, seat)
    for seat, stack in enumerate(table.stacks):
        for fewer in sorted({0, len(stack) // 2, len(stack) - 1}):
            if 0 <= fewer < len(stack):
                # The tiles on top stay: it is they that matter most.
                kept = stack[len(stack) - fewer :]
                stacks = (*table.stacks[:seat], kept, *table.stacks[seat + 1 :])
                yield turn._replace(table=_turned_down(table, table.grill, stacks))
    size = len(table.grill)
    for fewer in sorted({max(size // 2, 1), 1}, reverse=True):
        for place in range(0, size - fewer + 1, fewer):
            grill = table.grill[:place] + table.grill[place + fewer :]
            yield turn._replace(table=_turned_down(table, grill, table.stacks))
    yield from _plainer(turn)


def _robbed(turn: Script) -> int | None:
    claim = turn.decisions[-1].claim if turn.decisions else None
    return claim.player if isinstance(claim, Steal) else None


def _without(turn: Script, seat: int) -> Script:
    """Return the turn with a player less, whose tiles lie face down."""
    table, robbed = turn.table, _robbed(turn)
    stacks = table.stacks[:seat] + table.stacks[seat + 1 :]
    barred = table.barred[:seat] + table.barred[seat + 1 :]
    player = table.player - (seat < table.player)
    fewer = _turned_down(table._replace(player=player, barred=barred), table.grill, stacks)
    decisions = turn.decisions
    if robbed is not None and seat < robbed:
        decisions = (*decisions[:-1], decisions[-1]._replace(claim=Steal(robbed - 1)))
    return Script(fewer, turn.rolls, decisions)


def _turned_down(table: Table, grill: tuple[int, ...], stacks: Stacks) -> Table:
    """Return the table with these tiles left in sight, the others face down."""
    shown = {*grill, *(tile for stack in stacks for tile in stack)}
    barred = tuple(tuple(tile for tile in tiles if tile in shown) for tiles in table.barred)
    return table._replace(
        grill=grill, stacks=stacks, face_down=complement(BASE, shown), barred=barred
    )


def _plainer(turn: Script) -> Iterator[Script]:
    """Yield the turn with fewer rolls, or with plainer ones."""
    if any(decision.keep is None for decision in turn.decisions):
        return
    dead = len(turn.rolls) > len(turn.decisions)
    size = (len(turn.rolls), len(turn.set_aside))
    total = claiming.total(turn.set_aside, BASE)
    dice = _fewest_faces() if dead else worth(total, worm=BASE.worm in turn.set_aside)
    for plain in dice[:MOST_DICE]:
        # The worm first, then what counts least.
        order = sorted(set(plain.kept), key=lambda face: (face != BASE.worm, face))
        rolls = rolls_of(plain.kept, order)
        if dead:
            rolls = (*rolls, order[0] * plain.left)
        plainer = script(
            turn.table,
            rolls,
            order,
            "roll" if dead else "stop",
            turn.decisions[-1].claim,
        )
        if (len(rolls), len(plain.kept)) < size:
            yield plainer
    order = [decision.keep or "" for decision in turn.decisions]
    rolls = rolls_of(turn.set_aside, order) + turn.rolls[len(order) :]
    if rolls != turn.rolls:
        yield turn._replace(rolls=rolls)


def _fewest_faces() -> tuple[Dice, ...]:
    """Return dice of one face, after which a roll may be dead; a worm first."""
    found = [dice for dice in every_dice() if dice.faces == 1 and dice.left]
    return tuple(sorted(found, key=lambda dice: (not dice.worm, len(dice.kept))))
