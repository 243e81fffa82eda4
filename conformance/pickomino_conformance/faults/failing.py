"""Faults of failing."""

from bisect import insort

from pickomino_conformance.faults.fault import fault
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
    failing,
    game,
    rolling,
)
from pickomino_reference.table import with_stack


def _is_dead(position: Position, move: Move) -> bool:
    """Whether this move is a dead roll."""
    if type(move) is not Roll or position.turn.set_aside == "":
        return False
    return failing.dead_roll(position.turn.set_aside, rolling.sort_dice(move.dice))


def _dead_roll_costs_nothing(play, position, move, rulings, box=BASE):
    after = play(position, move, rulings, box)
    if _is_dead(position, move):
        return Position(failing.passes(position.table), Turn())
    return after


def _dead_roll_pays(play, position, move, rulings, box=BASE):
    after = play(position, move, rulings, box)
    if not _is_dead(position, move):
        return after
    claims = game.reach(position.table, position.turn.set_aside, rulings, box)
    takes = [claim for claim in claims if isinstance(claim, Take)]
    best = max(takes, key=lambda take: take.tile) if takes else next(iter(claims), None)
    return after if best is None else play(position, best, rulings, box)


def _no_roll_is_dead(dead_roll, set_aside, rolled):
    return False


def _without_worm_costs_nothing(play, position, move, rulings, box=BASE):
    after = play(position, move, rulings, box)
    if type(move) in (Take, Steal) or after.table is position.table or _is_dead(position, move):
        return after
    kept = position.turn.set_aside + position.turn.rolled.replace(box.worm, "")
    if box.worm in position.turn.set_aside or getattr(move, "face", "") == box.worm or not kept:
        return after
    return Position(failing.passes(position.table), Turn())


def _consolation(reach, table, set_aside, rulings, box=BASE):
    lowest = tuple(map(Take, table.grill[:1]))
    return reach(table, set_aside, rulings, box) or lowest


def _costs_nothing(failed_turn, table, rulings):
    return failing.passes(table)


def _bottom(return_top, table):
    tile, *rest = table.stacks[table.player]
    grill = tuple(sorted((*table.grill, tile)))
    return table._replace(grill=grill, stacks=with_stack(table.stacks, table.player, tuple(rest)))


def _whole_stack(return_top, table):
    grill = tuple(sorted(table.grill + table.stacks[table.player]))
    return table._replace(grill=grill, stacks=with_stack(table.stacks, table.player, ()))


def _kept(return_top, table):
    return table


def _lose_top(table: Table) -> Table:
    """Return the table without the player's top tile, which leaves the game."""
    *rest, tile = table.stacks[table.player]
    down = list(table.face_down)
    insort(down, tile)
    stacks = with_stack(table.stacks, table.player, tuple(rest))
    return table._replace(face_down=tuple(down), stacks=stacks)


def _returned_is_lost(failed_turn, table, rulings):
    if not table.stacks[table.player]:
        return failed_turn(table, rulings)
    return failing.passes(_lose_top(table))


def _returned_is_lost_and_highest_turned(failed_turn, table, rulings):
    if not table.stacks[table.player]:
        return failed_turn(table, rulings)
    return failing.passes(failing.flip_highest(_lose_top(table)))


def _highest_returned_is_lost(failed_turn, table, rulings):
    stack = table.stacks[table.player]
    if not stack or stack[-1] < max(table.grill, default=0):
        return failed_turn(table, rulings)
    # It leaves the table altogether: it does not even lie face down.
    return failing.passes(_lose_top(table)._replace(face_down=table.face_down))


def _lowest(flip_highest, table):
    lowest, *rest = table.grill
    down = tuple(sorted((*table.face_down, lowest)))
    return table._replace(grill=tuple(rest), face_down=down)


def _not_turned(flip_highest, table):
    return table


def _all_turned_up(return_top, table):
    after = return_top(table)
    grill = tuple(sorted(after.grill + after.face_down))
    return after._replace(grill=grill, face_down=())


def _stays(passes, table):
    return table


def _failed_player_goes_on(failed_turn, table, rulings):
    return failed_turn(table, rulings)._replace(player=table.player)


FAULTS = (
    fault(
        "a dead roll costs nothing",
        Rule.FAILING_DEAD_ROLL,
        at=(game, "play"),
        instead=_dead_roll_costs_nothing,
    ),
    fault(
        "a dead roll pays out what was set aside before",
        Rule.FAILING_DEAD_ROLL,
        at=(game, "play"),
        instead=_dead_roll_pays,
    ),
    fault(
        "a dead roll does not end the turn",
        Rule.FAILING_DEAD_ROLL,
        at=(failing, "dead_roll"),
        instead=_no_roll_is_dead,
    ),
    fault(
        "a turn without a worm costs nothing",
        Rule.FAILING_NO_WORM,
        at=(game, "play"),
        instead=_without_worm_costs_nothing,
    ),
    fault(
        "with nothing in reach the lowest tile may be taken",
        Rule.FAILING_OUT_OF_REACH,
        at=(game, "reach"),
        instead=_consolation,
    ),
    fault(
        "a failed turn costs nothing",
        Rule.FAILING_RETURN_TOP,
        Rule.FAILING_FLIP_HIGHEST,
        at=(failing, "failed_turn"),
        instead=_costs_nothing,
    ),
    fault(
        "the bottom tile is returned",
        Rule.FAILING_RETURN_TOP,
        at=(failing, "return_top"),
        instead=_bottom,
    ),
    fault(
        "the whole stack is returned",
        Rule.FAILING_RETURN_TOP,
        at=(failing, "return_top"),
        instead=_whole_stack,
    ),
    fault(
        "no tile is returned, yet the highest is turned",
        Rule.FAILING_RETURN_TOP,
        at=(failing, "return_top"),
        instead=_kept,
    ),
    fault(
        "the returned tile is lost, and nothing is turned",
        Rule.FAILING_RETURN_TOP,
        at=(failing, "failed_turn"),
        instead=_returned_is_lost,
    ),
    fault(
        "the returned tile is lost, and the highest is turned",
        Rule.FAILING_RETURN_TOP,
        at=(failing, "failed_turn"),
        instead=_returned_is_lost_and_highest_turned,
    ),
    fault(
        "the returned tile is lost if it is the highest",
        Rule.FAILING_RETURNED_HIGHEST,
        at=(failing, "failed_turn"),
        instead=_highest_returned_is_lost,
    ),
    fault(
        "the lowest tile is turned",
        Rule.FAILING_FLIP_HIGHEST,
        at=(failing, "flip_highest"),
        instead=_lowest,
    ),
    fault(
        "no tile is ever turned",
        Rule.FAILING_FLIP_HIGHEST,
        at=(failing, "flip_highest"),
        instead=_not_turned,
    ),
    fault(
        "face-down tiles are turned up again when a tile comes back",
        Rule.FAILING_FACE_DOWN_FOR_GOOD,
        at=(failing, "return_top"),
        instead=_all_turned_up,
    ),
    fault(
        "the turn does not pass",
        Rule.FAILING_PASSES,
        at=(failing, "passes"),
        instead=_stays,
    ),
    fault(
        "a player who fails keeps the dice",
        Rule.FAILING_PASSES,
        at=(failing, "failed_turn"),
        instead=_failed_player_goes_on,
    ),
)
