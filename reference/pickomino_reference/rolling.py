"""Rolling: what is rolled, what must be set aside, and when that ends."""

from pickomino_reference import setup
from pickomino_reference.box import Box
from pickomino_reference.rulings import Rulings, SixFaces, StopWithoutClaim
from pickomino_reference.table import Turn


def sort_dice(dice: str) -> str:
    """Return the dice in sorted order: their order never matters."""
    return "".join(sorted(dice))


def all_dice(set_aside: str, box: Box) -> int:
    """rolling.all-dice: the number of dice in the next roll, all that are not set aside."""
    return setup.dice(box) - len(set_aside)


def choose_a_face(turn: Turn) -> bool:
    """rolling.choose-a-face: a roll lies there, so a face must be chosen before all else."""
    return turn.rolled != ""


def whole_face(set_aside: str, rolled: str, face: str) -> str:
    """rolling.whole-face: all dice that show the chosen face join those set aside."""
    return sort_dice(set_aside + face * rolled.count(face))


def new_face(set_aside: str, rolled: str) -> str:
    """rolling.new-face: the faces of a roll that are not set aside yet may be chosen."""
    new = ""
    for face in rolled:
        if face not in set_aside and face not in new:
            new += face
    return new


def forced_end(set_aside: str, rulings: Rulings, box: Box) -> bool:
    """rolling.forced-end: the turn is over with all dice set aside.

    By ruling `six-faces` it is over with all faces set aside, too.
    """
    if len(set_aside) == setup.dice(box):
        return True
    if len(set_aside) < len(box.points):
        return False
    return len(set(set_aside)) == len(box.points) and rulings.six_faces is SixFaces.OVER


def stop_freely(rulings: Rulings) -> bool:
    """rolling.stop-freely: whether one may stop without a claim: ruling `stop-without-claim`."""
    return rulings.stop_without_claim is StopWithoutClaim.FAILS
