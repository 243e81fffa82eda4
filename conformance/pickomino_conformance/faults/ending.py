"""Faults of ending."""

from functools import partial

from pickomino_conformance.faults.fault import Change, Fault, fault
from pickomino_reference import BASE, Rule, ending, failing, game, setup


def _goes_on(grill_empty, table):
    return False


def _turned_if_any(flip_highest, table):
    return flip_highest(table) if table.grill else table


def _played_after_the_end(play, position, move, rulings, box=BASE):
    if not ending.grill_empty(position.table):
        return play(position, move, rulings, box)
    asked = ending.grill_empty
    try:
        ending.grill_empty = partial(_goes_on, asked)
        return play(position, move, rulings, box)
    finally:
        ending.grill_empty = asked


def _with_one_left(grill_empty, table):
    return len(table.grill) < 2


def _first(tie_break, tied, stacks, rulings):
    return tied[:1]


def _last(tie_break, tied, stacks, rulings):
    return tied[-1:]


def _most_tiles(tie_break, tied, stacks, rulings):
    return (max(tied, key=lambda player: len(stacks[player])),)


def _top_tile(tie_break, tied, stacks, rulings):
    return (max(tied, key=lambda player: stacks[player][-1]),)


def _top_only(worms_win, stacks, box):
    return tuple(sum(setup.worms(tile, box) for tile in stack[-1:]) for stack in stacks)


def _numbers(worms_win, stacks, box):
    return tuple(map(sum, stacks))


def _tiles(worms_win, stacks, box):
    return tuple(map(len, stacks))


def _first_of_all(nobody, stacks):
    return () if any(stacks) else (0,)


FAULTS = (
    Fault(
        "the game goes on after the last tile",
        (Rule.ENDING_GRILL_EMPTY,),
        (
            Change(ending, "grill_empty", _goes_on),
            Change(failing, "flip_highest", _turned_if_any),
        ),
    ),
    Fault(
        "a move after the end is played",
        (Rule.ENDING_GRILL_EMPTY,),
        (
            Change(game, "play", _played_after_the_end),
            Change(failing, "flip_highest", _turned_if_any),
        ),
    ),
    fault(
        "the game ends with one tile left",
        Rule.ENDING_GRILL_EMPTY,
        at=(ending, "grill_empty"),
        instead=_with_one_left,
    ),
    fault(
        "worms are counted for the top tile only",
        Rule.ENDING_WORMS_WIN,
        at=(ending, "worms_win"),
        instead=_top_only,
    ),
    fault(
        "the numbers on the tiles are counted",
        Rule.ENDING_WORMS_WIN,
        at=(ending, "worms_win"),
        instead=_numbers,
    ),
    fault(
        "every tile counts one",
        Rule.ENDING_WORMS_WIN,
        at=(ending, "worms_win"),
        instead=_tiles,
    ),
    fault(
        "a tie goes to the first of the tied players",
        Rule.ENDING_TIE_BREAK,
        at=(ending, "tie_break"),
        instead=_first,
    ),
    fault(
        "a tie goes to the last of the tied players",
        Rule.ENDING_TIE_BREAK,
        at=(ending, "tie_break"),
        instead=_last,
    ),
    fault(
        "a tie goes to the one with more tiles",
        Rule.ENDING_TIE_BREAK,
        at=(ending, "tie_break"),
        instead=_most_tiles,
    ),
    fault(
        "a tie goes to the higher top tile",
        Rule.ENDING_TIE_BREAK,
        at=(ending, "tie_break"),
        instead=_top_tile,
    ),
    fault(
        "if nobody owns a tile, the first player wins",
        Rule.ENDING_NOBODY,
        at=(ending, "nobody"),
        instead=_first_of_all,
    ),
)
