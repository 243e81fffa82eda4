"""What is in the box (`spec/boxes.toml`): dice, faces, tiles, worms."""

from collections.abc import Mapping
from dataclasses import dataclass

from pickomino_reference.data import read_spec
from pickomino_reference.editions import unknown


@dataclass(frozen=True, eq=False, slots=True)
class Box:
    """The contents of a box.

    Attributes:
        name: its id in `spec/boxes.toml`.
        players: the fewest and the most who can play.
        dice: how many dice there are.
        points: what each face counts for the total; its keys are the faces.
        worm: the face without which nothing can be claimed.
        worms: what each tile counts for the score; its keys are the tiles, ascending.
    """

    name: str
    players: tuple[int, int]
    dice: int
    points: Mapping[str, int]
    worm: str
    worms: Mapping[int, int]


def find_box(name: str) -> Box:
    """Return a box by its id; raise `UnknownName` if there is none."""
    boxes = read_spec("boxes")
    if name not in boxes:
        raise unknown("box", name, boxes)
    box = boxes[name]
    fewest, most = box["players"]
    worms = {int(tile): worms for tile, worms in sorted(box["worms"].items())}
    return Box(name, (fewest, most), box["dice"], box["points"], box["worm"], worms)


BASE = find_box("base")
