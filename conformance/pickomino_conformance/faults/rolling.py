"""Faults of rolling."""

from pickomino_conformance.faults.fault import fault
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


def _always_all(all_dice, set_aside, box):
    return box.dice


def _never(choose_a_face, turn):
    return False


def _one_die(whole_face, set_aside, rolled, face):
    return rolling.sort_dice(set_aside + face)


def _any_face(new_face, set_aside, rolled):
    return "".join(sorted(set(rolled)))


def _worm_and_five_are_one(new_face, set_aside, rolled):
    used = {"5", "W"} if {"5", "W"}.intersection(set_aside) else set()
    return "".join(face for face in new_face(set_aside, rolled) if face not in used)


def _worm_takes_the_fives(whole_face, set_aside, rolled, face):
    kept = whole_face(set_aside, rolled, face)
    other = {"5": "W", "W": "5"}.get(face)
    return whole_face(kept, rolled, other) if other else kept


def _eight_dice_fail(no_worm, set_aside, box):
    return len(set_aside) == box.dice or no_worm(set_aside, box)


def _fails_below_every_tile(play, position, move, rulings, box=BASE):
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


def _fails_out_of_reach(play, position, move, rulings, box=BASE):
    after = play(position, move, rulings, box)
    kept = after.turn.set_aside
    if type(move) is not SetAside or kept == "" or claiming.total(kept, box) < min(box.worms):
        return after
    if game.reach(after.table, kept, rulings, box):
        return after
    return Position(failing.failed_turn(after.table, rulings), Turn())


FAULTS = (
    fault(
        "all eight dice are rolled again",
        Rule.ROLLING_ALL_DICE,
        at=(rolling, "all_dice"),
        instead=_always_all,
    ),
    fault(
        "one may stop or roll on before a face is chosen",
        Rule.ROLLING_CHOOSE_A_FACE,
        at=(rolling, "choose_a_face"),
        instead=_never,
    ),
    fault(
        "only one die of the chosen face is set aside",
        Rule.ROLLING_WHOLE_FACE,
        at=(rolling, "whole_face"),
        instead=_one_die,
    ),
    fault(
        "a face may be chosen twice",
        Rule.ROLLING_NEW_FACE,
        at=(rolling, "new_face"),
        instead=_any_face,
    ),
    fault(
        "after a worm no 5 may be chosen, nor a worm after a 5",
        Rule.ROLLING_NEW_FACE,
        at=(rolling, "new_face"),
        instead=_worm_and_five_are_one,
    ),
    fault(
        "worms and 5s are set aside together, as one face",
        Rule.ROLLING_WHOLE_FACE,
        Rule.ROLLING_NEW_FACE,
        at=(rolling, "whole_face"),
        instead=_worm_takes_the_fives,
    ),
    fault(
        "with all eight dice set aside the turn always fails",
        Rule.ROLLING_FORCED_END,
        at=(failing, "no_worm"),
        instead=_eight_dice_fail,
    ),
    fault(
        "a total from 21 up that is below every tile fails at once, though dice are left",
        Rule.ROLLING_FORCED_END,
        Rule.FAILING_OUT_OF_REACH,
        at=(game, "play"),
        instead=_fails_below_every_tile,
    ),
    fault(
        "a total from 21 up with nothing in reach fails at once, though dice are left",
        Rule.ROLLING_FORCED_END,
        Rule.FAILING_OUT_OF_REACH,
        at=(game, "play"),
        instead=_fails_out_of_reach,
    ),
)
