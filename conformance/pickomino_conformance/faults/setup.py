"""Faults of setting up."""

from pickomino_conformance.faults.fault import fault
from pickomino_reference import Rule, failing, setup


def _without_the_last(tiles, box):
    return tiles(box)[:-1]


def _three_worms_at_most(worms, tile, box):
    return min(3, worms(tile, box))


def _one_die_fewer(dice, box):
    return dice(box) - 1


def _any_number(players, number, box):
    return ((),) * number


def _to_the_right(passes, table):
    return passes(table)._replace(player=(table.player - 1) % len(table.stacks))


FAULTS = (
    fault(
        "the highest tile is missing from the grill",
        Rule.SETUP_TILES,
        at=(setup, "tiles"),
        instead=_without_the_last,
    ),
    fault(
        "the tiles from 33 up are worth three worms",
        Rule.SETUP_WORMS,
        at=(setup, "worms"),
        instead=_three_worms_at_most,
    ),
    fault(
        "there are seven dice",
        Rule.SETUP_DICE,
        at=(setup, "dice"),
        instead=_one_die_fewer,
    ),
    fault(
        "any number of players may play",
        Rule.SETUP_PLAYERS,
        at=(setup, "players"),
        instead=_any_number,
    ),
    fault(
        "the dice pass to the right",
        Rule.SETUP_ORDER,
        at=(failing, "passes"),
        instead=_to_the_right,
    ),
)
