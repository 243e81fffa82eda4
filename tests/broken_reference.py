"""The reference with one rule broken, as a program: `python tests/broken_reference.py FAULT`."""

import sys
from collections.abc import Callable
from unittest.mock import patch

from pickomino_conformance.engines.host import serve
from pickomino_conformance.engines.reference import ReferenceEngine
from pickomino_reference import claiming, ending, failing, rolling, setup, stealing

Fault = tuple[object, str, Callable[..., object]]


def _flip_lowest(table):
    lowest, *rest = table.grill
    down = tuple(sorted((*table.face_down, lowest)))
    return table._replace(grill=tuple(rest), face_down=down)


def _return_bottom(table):
    tile, *rest = table.stacks[table.player]
    stacks = list(table.stacks)
    stacks[table.player] = tuple(rest)
    return table._replace(grill=tuple(sorted((*table.grill, tile))), stacks=tuple(stacks))


def _claim_to_the_bottom(table, tile):
    stacks = list(table.stacks)
    stacks[table.player] = (tile, *stacks[table.player])
    return table._replace(stacks=tuple(stacks))


def _most_tiles(tied, stacks, rulings):
    return (max(tied, key=lambda player: len(stacks[player])),)


# Each fault: the chapter, the rule's function, and what stands in its place.
FAULTS: dict[str, Fault] = {
    "33 and up are worth three worms": (setup, "worms", lambda tile, box: min(3, box.worms[tile])),
    "eight players may play": (setup, "players", lambda number, box: ((),) * number),
    "a face may be chosen twice": (
        rolling,
        "new_face",
        lambda set_aside, rolled: "".join(sorted(set(rolled))),
    ),
    "one may roll on before choosing": (rolling, "choose_a_face", lambda turn: False),
    "a stop needs something to claim": (rolling, "stop_freely", lambda rulings: False),
    "the sixth face does not end the turn": (
        rolling,
        "forced_end",
        lambda set_aside, rulings, box: len(set_aside) == box.dice,
    ),
    "no worm is needed to take a tile": (claiming, "worm_needed", lambda set_aside, box: True),
    "a worm counts six": (
        claiming,
        "total",
        lambda set_aside, box: sum(6 if face == "W" else int(face) for face in set_aside),
    ),
    "no lower tile may be taken": (claiming, "lower", lambda tiles, total, rulings: ()),
    "a claimed tile goes to the bottom of the stack": (claiming, "one_tile", _claim_to_the_bottom),
    "a higher total steals too": (stealing, "exact", lambda tile, total: tile <= total),
    "no worm is needed to steal": (stealing, "worm_needed", lambda set_aside, box: True),
    "covered tiles can be stolen": (stealing, "top_only", lambda stack: stack),
    "stealing is forced": (
        stealing,
        "optional",
        lambda takes, steals, total, rulings: steals or takes,
    ),
    "the bottom tile is returned": (failing, "return_top", _return_bottom),
    "the lowest tile is turned": (failing, "flip_highest", _flip_lowest),
    "the returned tile is turned though it is the highest": (
        failing,
        "returned_highest",
        lambda table, returned, rulings: False,
    ),
    "the highest tile is turned though none came back": (
        failing,
        "nothing_returned",
        lambda table, rulings: failing.flip_highest(table),
    ),
    "the turn does not pass": (failing, "passes", lambda table: table),
    "the game ends with one tile left": (ending, "grill_empty", lambda table: len(table.grill) < 2),
    "a tie goes to the one with most tiles": (ending, "tie_break", _most_tiles),
}

# A turn that ends without a worm has failed by two rules; both give way.
ALSO: dict[str, list[Fault]] = {
    "no worm is needed to take a tile": [(failing, "no_worm", lambda set_aside, box: False)],
    "no worm is needed to steal": [(failing, "no_worm", lambda set_aside, box: False)],
}

if __name__ == "__main__":
    fault = sys.argv[1]
    for module, name, replacement in [FAULTS[fault], *ALSO.get(fault, [])]:
        patch.object(module, name, replacement).start()
    serve(ReferenceEngine())
