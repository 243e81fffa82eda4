"""Faults of the moves: setting up, rolling, claiming and stealing."""

from pickomino_conformance.faults.planting import Change, Faults, always, unchanged
from pickomino_reference import (
    BASE,
    Position,
    Rule,
    SetAside,
    Turn,
    claiming,
    failing,
    game,
    rolling,
    stealing,
)
from pickomino_reference.table import with_stack

FAULTS = Faults()
fault = FAULTS.add

_WITHOUT_FAILURE = (Change(failing, "no_worm", always(False)),)


@fault("the highest tile is missing from the grill", Rule.SETUP_TILES)
def _(tiles, box):
    return tiles(box)[:-1]


@fault("the tiles from 33 up are worth three worms", Rule.SETUP_WORMS)
def _(worms, tile, box):
    return min(3, worms(tile, box))


@fault("there are seven dice", Rule.SETUP_DICE)
def _(dice, box):
    return dice(box) - 1


@fault("any number of players may play", Rule.SETUP_PLAYERS)
def _(players, number, box):
    return ((),) * number


@fault("the dice pass to the right", Rule.SETUP_ORDER, at=(failing, "passes"))
def _(passes, table):
    return passes(table)._replace(player=(table.player - 1) % len(table.stacks))


@fault("all eight dice are rolled again", Rule.ROLLING_ALL_DICE)
def _(all_dice, set_aside, box):
    return box.dice


fault("one may stop or roll on before a face is chosen", Rule.ROLLING_CHOOSE_A_FACE)(always(False))


@fault("only one die of the chosen face is set aside", Rule.ROLLING_WHOLE_FACE)
def _(whole_face, set_aside, rolled, face):
    return rolling.sort_dice(set_aside + face)


@fault("a face may be chosen twice", Rule.ROLLING_NEW_FACE)
def _(new_face, set_aside, rolled):
    return "".join(sorted(set(rolled)))


@fault("after a worm no 5 may be chosen, nor a worm after a 5", Rule.ROLLING_NEW_FACE)
def _(new_face, set_aside, rolled):
    used = {"5", "W"} if {"5", "W"}.intersection(set_aside) else set()
    return "".join(face for face in new_face(set_aside, rolled) if face not in used)


@fault(
    "worms and 5s are set aside together, as one face",
    Rule.ROLLING_WHOLE_FACE,
    Rule.ROLLING_NEW_FACE,
)
def _(whole_face, set_aside, rolled, face):
    kept = whole_face(set_aside, rolled, face)
    other = {"5": "W", "W": "5"}.get(face)
    return whole_face(kept, rolled, other) if other else kept


@fault(
    "with all eight dice set aside the turn always fails",
    Rule.ROLLING_FORCED_END,
    at=(failing, "no_worm"),
)
def _(no_worm, set_aside, box):
    return len(set_aside) == box.dice or no_worm(set_aside, box)


@fault(
    "a total from 21 up that is below every tile fails at once, though dice are left",
    Rule.ROLLING_FORCED_END,
    Rule.FAILING_OUT_OF_REACH,
    at=(game, "play"),
)
def _(play, position, move, rulings, box=BASE):
    after = play(position, move, rulings, box)
    table, kept = after.table, after.turn.set_aside
    if type(move) is not SetAside or kept == "":
        return after
    total = claiming.total(kept, box)
    # Whether a worm is there is not looked at.
    shown = any(table.stacks[other][-1:] == (total,) for other in stealing.opponents_only(table))
    if min(box.worms) <= total < min(table.grill, default=0) and not shown:
        return Position(failing.failed_turn(table, rulings), Turn())
    return after


@fault(
    "a total from 21 up with nothing in reach fails at once, though dice are left",
    Rule.ROLLING_FORCED_END,
    Rule.FAILING_OUT_OF_REACH,
    at=(game, "play"),
)
def _(play, position, move, rulings, box=BASE):
    after = play(position, move, rulings, box)
    kept = after.turn.set_aside
    if type(move) is not SetAside or kept == "" or claiming.total(kept, box) < min(box.worms):
        return after
    if game.reach(after.table, kept, rulings, box):
        return after
    return Position(failing.failed_turn(after.table, rulings), Turn())


@fault("a worm counts six", Rule.CLAIMING_TOTAL)
def _(total, set_aside, box):
    return total(set_aside, box) + set_aside.count(box.worm) * (6 - box.points[box.worm])


@fault("a worm counts nothing", Rule.CLAIMING_TOTAL)
def _(total, set_aside, box):
    return total(set_aside.replace(box.worm, ""), box)


@fault("a total above 36 counts as 36", Rule.CLAIMING_TOTAL, Rule.STEALING_EXACT)
def _(total, set_aside, box):
    return min(total(set_aside, box), max(box.worms))


fault(
    "no worm is needed to take a tile",
    Rule.CLAIMING_WORM_NEEDED,
    Rule.FAILING_NO_WORM,
    beside=_WITHOUT_FAILURE,
)(always(True))
fault("the exact tile is never taken", Rule.CLAIMING_EXACT)(always(()))


@fault(
    "the next lower tile is taken although the exact one lies there",
    Rule.CLAIMING_EXACT,
    at=(claiming, "lower"),
    beside=(Change(claiming, "exact", always(())),),
)
def _(lower, tiles, total, rulings):
    below = tuple(tile for tile in tiles if tile < total)
    return below[-1:]


fault("no lower tile may be taken", Rule.CLAIMING_LOWER)(always(()))


@fault("only the tile exactly one lower may be taken", Rule.CLAIMING_LOWER)
def _(lower, tiles, total, rulings):
    return tuple(tile for tile in lower(tiles, total, rulings) if tile == total - 1)


@fault("the lowest tile is taken instead of the next lower one", Rule.CLAIMING_LOWER)
def _(lower, tiles, total, rulings):
    return tiles[:1] if lower(tiles, total, rulings) else ()


@fault("a total above 36 takes nothing", Rule.CLAIMING_ABOVE_HIGHEST, at=(claiming, "takes"))
def _(takes, table, set_aside, total, rulings, box):
    return takes(table, set_aside, total, rulings, box) if total <= max(box.worms) else ()


@fault(
    "a total above every tile takes nothing", Rule.CLAIMING_ABOVE_HIGHEST, at=(claiming, "lower")
)
def _(lower, tiles, total, rulings):
    return lower(tiles, total, rulings) if total <= max(tiles, default=0) else ()


@fault(
    "with the total of the own top tile nothing may be taken",
    Rule.CLAIMING_OWN_TOP,
    at=(claiming, "takes"),
)
def _(takes, table, set_aside, total, rulings, box):
    own = claiming.own_top(table, total)
    return () if own else takes(table, set_aside, total, rulings, box)


def _takes_a_face_down_tile(take, table, tile):
    if tile not in table.face_down:
        return take(table, tile)
    down = tuple(other for other in table.face_down if other != tile)
    return claiming.one_tile(table._replace(face_down=down), tile)


@fault(
    "a face-down tile may be taken",
    Rule.CLAIMING_FACE_DOWN,
    at=(claiming, "takes"),
    beside=(Change(claiming, "take", _takes_a_face_down_tile),),
)
def _(takes, table, set_aside, total, rulings, box):
    row = tuple(sorted(table.grill + table.face_down))
    return takes(table._replace(grill=row), set_aside, total, rulings, box)


@fault(
    "a face-down tile stands in the way of a lower one",
    Rule.CLAIMING_FACE_DOWN,
    at=(claiming, "takes"),
)
def _(takes, table, set_aside, total, rulings, box):
    return () if total in table.face_down else takes(table, set_aside, total, rulings, box)


@fault("a claimed tile goes to the bottom of the stack", Rule.CLAIMING_ONE_TILE)
def _(one_tile, table, tile):
    stack = (tile, *table.stacks[table.player])
    return table._replace(stacks=with_stack(table.stacks, table.player, stack))


fault("the tile taken stays on the grill", Rule.CLAIMING_STOP_CLAIMS, at=(claiming, "take"))(
    unchanged
)
fault(
    "no worm is needed to steal",
    Rule.STEALING_WORM_NEEDED,
    Rule.FAILING_NO_WORM,
    beside=_WITHOUT_FAILURE,
)(always(True))


@fault("one may steal from oneself", Rule.STEALING_OPPONENTS_ONLY)
def _(opponents_only, table):
    return tuple(range(len(table.stacks)))


@fault("only the next player can be robbed", Rule.STEALING_OPPONENTS_ONLY)
def _(opponents_only, table):
    return ((table.player + 1) % len(table.stacks),)


@fault("a tile below the total can be stolen", Rule.STEALING_EXACT)
def _(exact, tile, total):
    return tile <= total


@fault("a tile above the total can be stolen", Rule.STEALING_EXACT)
def _(exact, tile, total):
    return tile >= total


fault("covered tiles can be stolen", Rule.STEALING_TOP_ONLY)(unchanged)


@fault("nothing can be stolen while a tile of the grill can be taken", Rule.STEALING_OPTIONAL)
def _(optional, takes, steals, total, rulings):
    return takes or steals


fault("nothing can be stolen at all", Rule.STEALING_EXACT, at=(stealing, "steals"))(always(()))


@fault(
    "nothing can be stolen with a total below every tile of the grill",
    Rule.STEALING_OUT_OF_GRILL_REACH,
    at=(stealing, "steals"),
)
def _(steals, table, set_aside, total, rulings, box):
    lowest = min(table.grill, default=0)
    return steals(table, set_aside, total, rulings, box) if total >= lowest else ()


@fault(
    "a stolen tile vanishes",
    Rule.CLAIMING_ONE_TILE,
    Rule.STEALING_EXACT,
    at=(stealing, "steal"),
)
def _(steal, table, victim, rulings):
    *rest, _ = table.stacks[victim]
    return table._replace(stacks=with_stack(table.stacks, victim, tuple(rest)))


@fault(
    "a stolen tile stays with the robbed player, too",
    Rule.STEALING_UNCOVERS,
    at=(stealing, "steal"),
)
def _(steal, table, victim, rulings):
    after = steal(table, victim, rulings)
    return after._replace(stacks=with_stack(after.stacks, victim, table.stacks[victim]))


@fault("a steal takes the whole stack", Rule.STEALING_UNCOVERS, at=(stealing, "steal"))
def _(steal, table, victim, rulings):
    *rest, _ = table.stacks[victim]
    after = steal(table, victim, rulings)
    *own, tile = after.stacks[table.player]
    stacks = with_stack(after.stacks, victim, ())
    return after._replace(stacks=with_stack(stacks, table.player, (*own, *rest, tile)))


@fault(
    "a steal turns the last tile of the grill",
    Rule.ENDING_STEAL_NEVER_ENDS,
    at=(stealing, "steal"),
)
def _(steal, table, victim, rulings):
    after = steal(table, victim, rulings)
    return failing.flip_highest(after) if len(after.grill) == 1 else after
