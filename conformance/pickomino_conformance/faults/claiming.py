"""Faults of claiming."""

from collections.abc import Callable

from pickomino_conformance.faults.fault import Change, Fault, fault
from pickomino_reference import Rule, claiming, failing
from pickomino_reference.table import with_stack


def _worm_counts(points: int) -> Callable[..., int]:
    def total(original, set_aside, box):
        return sum(points if face == box.worm else box.points[face] for face in set_aside)

    return total


def _capped(total, set_aside, box):
    return min(total(set_aside, box), max(box.worms))


def _not_needed(worm_needed, set_aside, box):
    return True


def _no_failure(no_worm, set_aside, box):
    return False


def _never(exact, tiles, total):
    return ()


def _next_lower_even_beside_the_exact(lower, tiles, total, rulings):
    below = tuple(tile for tile in tiles if tile < total)
    return below[-1:]


def _one_below_only(lower, tiles, total, rulings):
    return tuple(tile for tile in lower(tiles, total, rulings) if tile == total - 1)


def _lowest(lower, tiles, total, rulings):
    return tiles[:1] if lower(tiles, total, rulings) else ()


def _none(lower, tiles, total, rulings):
    return ()


def _nothing_above_the_box(takes, table, set_aside, total, rulings, box):
    return takes(table, set_aside, total, rulings, box) if total <= max(box.worms) else ()


def _nothing_above_the_grill(lower, tiles, total, rulings):
    return lower(tiles, total, rulings) if total <= max(tiles, default=0) else ()


def _own_top_closes_the_grill(takes, table, set_aside, total, rulings, box):
    own = claiming.own_top(table, total)
    return () if own else takes(table, set_aside, total, rulings, box)


def _all_lie_open(face_down, table):
    return tuple(sorted(table.grill + table.face_down))


def _takes_a_face_down_tile(take, table, tile):
    if tile not in table.face_down:
        return take(table, tile)
    down = tuple(other for other in table.face_down if other != tile)
    return claiming.one_tile(table._replace(face_down=down), tile)


def _face_down_stands_in_the_way(takes, table, set_aside, total, rulings, box):
    return () if total in table.face_down else takes(table, set_aside, total, rulings, box)


def _to_the_bottom(one_tile, table, tile):
    stack = (tile, *table.stacks[table.player])
    return table._replace(stacks=with_stack(table.stacks, table.player, stack))


def _stays_on_the_grill(take, table, tile):
    return table


FAULTS = (
    fault(
        "a worm counts six",
        Rule.CLAIMING_TOTAL,
        at=(claiming, "total"),
        instead=_worm_counts(6),
    ),
    fault(
        "a worm counts nothing",
        Rule.CLAIMING_TOTAL,
        at=(claiming, "total"),
        instead=_worm_counts(0),
    ),
    fault(
        "a total above 36 counts as 36",
        Rule.CLAIMING_TOTAL,
        Rule.STEALING_EXACT,
        at=(claiming, "total"),
        instead=_capped,
    ),
    Fault(
        "no worm is needed to take a tile",
        (Rule.CLAIMING_WORM_NEEDED, Rule.FAILING_NO_WORM),
        (Change(claiming, "worm_needed", _not_needed), Change(failing, "no_worm", _no_failure)),
    ),
    fault(
        "the exact tile is never taken",
        Rule.CLAIMING_EXACT,
        at=(claiming, "exact"),
        instead=_never,
    ),
    Fault(
        "the next lower tile is taken although the exact one lies there",
        (Rule.CLAIMING_EXACT,),
        (
            Change(claiming, "exact", _never),
            Change(claiming, "lower", _next_lower_even_beside_the_exact),
        ),
    ),
    fault(
        "no lower tile may be taken",
        Rule.CLAIMING_LOWER,
        at=(claiming, "lower"),
        instead=_none,
    ),
    fault(
        "only the tile exactly one lower may be taken",
        Rule.CLAIMING_LOWER,
        at=(claiming, "lower"),
        instead=_one_below_only,
    ),
    fault(
        "the lowest tile is taken instead of the next lower one",
        Rule.CLAIMING_LOWER,
        at=(claiming, "lower"),
        instead=_lowest,
    ),
    fault(
        "a total above 36 takes nothing",
        Rule.CLAIMING_ABOVE_HIGHEST,
        at=(claiming, "takes"),
        instead=_nothing_above_the_box,
    ),
    fault(
        "a total above every tile takes nothing",
        Rule.CLAIMING_ABOVE_HIGHEST,
        at=(claiming, "lower"),
        instead=_nothing_above_the_grill,
    ),
    fault(
        "with the total of the own top tile nothing may be taken",
        Rule.CLAIMING_OWN_TOP,
        at=(claiming, "takes"),
        instead=_own_top_closes_the_grill,
    ),
    Fault(
        "a face-down tile may be taken",
        (Rule.CLAIMING_FACE_DOWN,),
        (
            Change(claiming, "face_down", _all_lie_open),
            Change(claiming, "take", _takes_a_face_down_tile),
        ),
    ),
    fault(
        "a face-down tile stands in the way of a lower one",
        Rule.CLAIMING_FACE_DOWN,
        at=(claiming, "takes"),
        instead=_face_down_stands_in_the_way,
    ),
    fault(
        "a claimed tile goes to the bottom of the stack",
        Rule.CLAIMING_ONE_TILE,
        at=(claiming, "one_tile"),
        instead=_to_the_bottom,
    ),
    fault(
        "the tile taken stays on the grill",
        Rule.CLAIMING_STOP_CLAIMS,
        at=(claiming, "take"),
        instead=_stays_on_the_grill,
    ),
)
