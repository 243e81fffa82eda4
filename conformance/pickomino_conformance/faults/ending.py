"""Faults of how a turn fails, and of how a game ends."""

from pickomino_conformance.faults.planting import Change, Faults, always, unchanged
from pickomino_reference import (
    BASE,
    Move,
    Position,
    Roll,
    Rule,
    Steal,
    Table,
    Take,
    Turn,
    ending,
    failing,
    game,
    rolling,
    setup,
)
from pickomino_reference.table import with_stack

FAULTS = Faults()
fault = FAULTS.add


def _is_dead(position: Position, move: Move) -> bool:
    if type(move) is not Roll or position.turn.set_aside == "":
        return False
    return failing.dead_roll(position.turn.set_aside, rolling.sort_dice(move.dice))


@fault("a dead roll costs nothing", Rule.FAILING_DEAD_ROLL, at=(game, "play"))
def _(play, position, move, rulings, box=BASE):
    after = play(position, move, rulings, box)
    if _is_dead(position, move):
        return Position(failing.passes(position.table), Turn())
    return after


@fault("a dead roll pays out what was set aside before", Rule.FAILING_DEAD_ROLL, at=(game, "play"))
def _(play, position, move, rulings, box=BASE):
    after = play(position, move, rulings, box)
    if not _is_dead(position, move):
        return after
    claims = game.reach(position.table, position.turn.set_aside, rulings, box)
    takes = [claim for claim in claims if isinstance(claim, Take)]
    best = max(takes, key=lambda take: take.tile) if takes else next(iter(claims), None)
    return after if best is None else play(position, best, rulings, box)


fault("a dead roll does not end the turn", Rule.FAILING_DEAD_ROLL)(always(False))


@fault("a turn without a worm costs nothing", Rule.FAILING_NO_WORM, at=(game, "play"))
def _(play, position, move, rulings, box=BASE):
    after = play(position, move, rulings, box)
    if type(move) in (Take, Steal) or after.table is position.table or _is_dead(position, move):
        return after
    kept = position.turn.set_aside + position.turn.rolled.replace(box.worm, "")
    if box.worm in position.turn.set_aside or getattr(move, "face", "") == box.worm or not kept:
        return after
    return Position(failing.passes(position.table), Turn())


@fault(
    "with nothing in reach the lowest tile may be taken",
    Rule.FAILING_OUT_OF_REACH,
    at=(game, "reach"),
)
def _(reach, table, set_aside, rulings, box=BASE):
    lowest = tuple(map(Take, table.grill[:1]))
    return reach(table, set_aside, rulings, box) or lowest


@fault(
    "a failed turn costs nothing",
    Rule.FAILING_RETURN_TOP,
    Rule.FAILING_FLIP_HIGHEST,
    at=(failing, "failed_turn"),
)
def _(failed_turn, table, rulings):
    return failing.passes(table)


@fault("the bottom tile is returned", Rule.FAILING_RETURN_TOP)
def _(return_top, table):
    tile, *rest = table.stacks[table.player]
    grill = tuple(sorted((*table.grill, tile)))
    return table._replace(grill=grill, stacks=with_stack(table.stacks, table.player, tuple(rest)))


@fault("the whole stack is returned", Rule.FAILING_RETURN_TOP)
def _(return_top, table):
    grill = tuple(sorted(table.grill + table.stacks[table.player]))
    return table._replace(grill=grill, stacks=with_stack(table.stacks, table.player, ()))


fault("no tile is returned, yet the highest is turned", Rule.FAILING_RETURN_TOP)(unchanged)


def _lose_top(table: Table) -> Table:
    """Return the table without the player's top tile, which leaves the game."""
    *rest, tile = table.stacks[table.player]
    down = tuple(sorted((*table.face_down, tile)))
    stacks = with_stack(table.stacks, table.player, tuple(rest))
    return table._replace(face_down=down, stacks=stacks)


@fault(
    "the returned tile is lost, and nothing is turned",
    Rule.FAILING_RETURN_TOP,
    at=(failing, "failed_turn"),
)
def _(failed_turn, table, rulings):
    if not table.stacks[table.player]:
        return failed_turn(table, rulings)
    return failing.passes(_lose_top(table))


@fault(
    "the returned tile is lost, and the highest is turned",
    Rule.FAILING_RETURN_TOP,
    at=(failing, "failed_turn"),
)
def _(failed_turn, table, rulings):
    if not table.stacks[table.player]:
        return failed_turn(table, rulings)
    return failing.passes(failing.flip_highest(_lose_top(table)))


@fault(
    "the returned tile is lost if it is the highest",
    Rule.FAILING_RETURNED_HIGHEST,
    at=(failing, "failed_turn"),
)
def _(failed_turn, table, rulings):
    stack = table.stacks[table.player]
    if not stack or stack[-1] < max(table.grill, default=0):
        return failed_turn(table, rulings)
    # It leaves the table altogether: it does not even lie face down.
    return failing.passes(_lose_top(table)._replace(face_down=table.face_down))


@fault("the lowest tile is turned", Rule.FAILING_FLIP_HIGHEST)
def _(flip_highest, table):
    lowest, *rest = table.grill
    down = tuple(sorted((*table.face_down, lowest)))
    return table._replace(grill=tuple(rest), face_down=down)


fault("no tile is ever turned", Rule.FAILING_FLIP_HIGHEST)(unchanged)


@fault(
    "face-down tiles are turned up again when a tile comes back",
    Rule.FAILING_FACE_DOWN_FOR_GOOD,
    at=(failing, "return_top"),
)
def _(return_top, table):
    after = return_top(table)
    grill = tuple(sorted(after.grill + after.face_down))
    return after._replace(grill=grill, face_down=())


fault("the turn does not pass", Rule.FAILING_PASSES)(unchanged)


@fault("a player who fails keeps the dice", Rule.FAILING_PASSES, at=(failing, "failed_turn"))
def _(failed_turn, table, rulings):
    return failed_turn(table, rulings)._replace(player=table.player)


def _turned_if_any(flip_highest, table):
    return flip_highest(table) if table.grill else table


_TURNED_IF_ANY = (Change(failing, "flip_highest", _turned_if_any),)

fault("the game goes on after the last tile", Rule.ENDING_GRILL_EMPTY, beside=_TURNED_IF_ANY)(
    always(False)
)


@fault(
    "a move after the end is played",
    Rule.ENDING_GRILL_EMPTY,
    at=(game, "play"),
    beside=_TURNED_IF_ANY,
)
def _(play, position, move, rulings, box=BASE):
    if not ending.grill_empty(position.table):
        return play(position, move, rulings, box)
    asked = ending.grill_empty
    try:
        ending.grill_empty = always(False)
        return play(position, move, rulings, box)
    finally:
        ending.grill_empty = asked


@fault("the game ends with one tile left", Rule.ENDING_GRILL_EMPTY)
def _(grill_empty, table):
    return len(table.grill) < 2


@fault("worms are counted for the top tile only", Rule.ENDING_WORMS_WIN)
def _(worms_win, stacks, box):
    return tuple(sum(setup.worms(tile, box) for tile in stack[-1:]) for stack in stacks)


@fault("the numbers on the tiles are counted", Rule.ENDING_WORMS_WIN)
def _(worms_win, stacks, box):
    return tuple(map(sum, stacks))


@fault("every tile counts one", Rule.ENDING_WORMS_WIN)
def _(worms_win, stacks, box):
    return tuple(map(len, stacks))


@fault("a tie goes to the first of the tied players", Rule.ENDING_TIE_BREAK)
def _(tie_break, tied, stacks, rulings):
    return tied[:1]


@fault("a tie goes to the last of the tied players", Rule.ENDING_TIE_BREAK)
def _(tie_break, tied, stacks, rulings):
    return tied[-1:]


@fault("a tie goes to the one with more tiles", Rule.ENDING_TIE_BREAK)
def _(tie_break, tied, stacks, rulings):
    return (max(tied, key=lambda player: len(stacks[player])),)


@fault("a tie goes to the higher top tile", Rule.ENDING_TIE_BREAK)
def _(tie_break, tied, stacks, rulings):
    return (max(tied, key=lambda player: stacks[player][-1]),)


@fault("if nobody owns a tile, the first player wins", Rule.ENDING_NOBODY)
def _(nobody, stacks):
    return () if any(stacks) else (0,)
