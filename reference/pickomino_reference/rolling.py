"""Rolling: what is rolled, what must be set aside, and when that ends."""

from functools import cache, lru_cache

from pickomino_reference import setup
from pickomino_reference.box import Box
from pickomino_reference.rulings import Rulings, SixFaces, StopWithoutClaim
from pickomino_reference.table import Turn


@lru_cache(maxsize=1 << 16)
def sort_dice(dice: str) -> str:
    """Return the dice in sorted order: their order never matters."""
    return "".join(sorted(dice))


def all_dice(set_aside: str, box: Box) -> int:
    """rolling.all-dice: the number of dice in the next roll, all that are not set aside."""
    return setup.dice(box) - len(set_aside)


def choose_a_face(turn: Turn) -> bool:
    """rolling.choose-a-face: a roll lies there, so a face must be chosen before all else."""
    return turn.rolled != ""


@cache
def whole_face(set_aside: str, rolled: str, face: str) -> str:
    """rolling.whole-face: all dice that show the chosen face join those set aside."""
    return sort_dice(set_aside + face * rolled.count(face))


@cache
def new_face(set_aside: str, rolled: str) -> str:
    """rolling.new-face: the faces of a roll that are not set aside yet may be chosen."""
    return "".join(sorted(set(rolled) - set(set_aside)))


def forced_end(set_aside: str, rulings: Rulings, box: Box) -> bool:
    """rolling.forced-end: the turn is over with all dice, or all faces, set aside.

    Ruling `six-faces`: whether all faces end it too while dice are left.
    """
    number, faces = len(set_aside), len(box.points)
    if number < faces and number < box.dice:
        # Too few for either; most are, and this is quick.
        return False
    if number == setup.dice(box):
        return True
    return rulings.six_faces is SixFaces.OVER and len(set(set_aside)) == faces


def stop_freely(rulings: Rulings) -> bool:
    """rolling.stop-freely: a player may stop even with nothing to claim.

    Ruling `stop-without-claim`.
    """
    return rulings.stop_without_claim is StopWithoutClaim.FAILS
