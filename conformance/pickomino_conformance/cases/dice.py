"""Scripts of whole turns: dice that come to something, and rolls that set them aside."""

import random
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Literal, NamedTuple, TypeVar

from pickomino_reference import (
    BASE,
    Claim,
    Decision,
    Position,
    Script,
    Table,
    Take,
    Turn,
    claiming,
    rolling,
)

FACES = "".join(sorted(BASE.points))
TILES = tuple(BASE.worms)

Value = TypeVar("Value")

Fill = Callable[[int, str], str]
"""Returns what so many dice show, of these faces."""


class Lots:
    """Draws by lot, the same in every Python: only `random()` is promised to stay as it is."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random  # noqa: S311  # a sample, no secret

    def below(self, number: int) -> int:
        """Return a number from 0, less than `number`."""
        return int(self._random() * number)

    def one_of(self, values: Sequence[Value]) -> Value:
        """Return one of these."""
        return values[self.below(len(values))]

    def early(self, values: Sequence[Value]) -> Value:
        """Return one of these, rather one of the first than of the last."""
        lot = self._random()
        return values[int(lot * lot * len(values))]

    def shuffled(self, values: Sequence[Value]) -> list[Value]:
        """Return these in an order drawn by lot."""
        return [
            values[place] for _, place in sorted((self._random(), i) for i in range(len(values)))
        ]


class Dice(NamedTuple):
    """Dice that a turn can set aside.

    Attributes:
        kept: the dice, sorted.
        total: what they are worth.
        worm: whether one of them shows a worm.
        faces: how many faces they show, and so how many rolls they take.
    """

    kept: str
    total: int
    worm: bool
    faces: int

    @property
    def left(self) -> int:
        """How many dice are left to roll."""
        return BASE.dice - len(self.kept)

    @property
    def every_face(self) -> bool:
        """Whether every face is set aside, and dice are left."""
        return self.faces == len(FACES) and self.left > 0


@cache
def every_dice() -> tuple[Dice, ...]:
    """Return all that a turn can set aside, the fewest dice first."""
    return tuple(
        Dice("".join(dice), claiming.total("".join(dice), BASE), BASE.worm in dice, len(set(dice)))
        for number in range(1, BASE.dice + 1)
        for dice in combinations_with_replacement(FACES, number)
    )


@cache
def worth(total: int, *, worm: bool = True) -> tuple[Dice, ...]:
    """Return all dice of this total, with a worm or without, those of the fewest faces first."""
    found = [dice for dice in every_dice() if (dice.total, dice.worm) == (total, worm)]
    return tuple(sorted(found, key=lambda dice: (dice.faces, len(dice.kept))))


@cache
def plainest(total: int) -> Dice:
    """Return the dice of this total, with a worm, that no engine should see otherwise.

    If there are any: without a 5, with at most seven dice and five faces.
    """
    return min(
        worth(total),
        key=lambda dice: ("5" in dice.kept, dice.left == 0, dice.every_face, dice.faces),
    )


def first_face(number: int, faces: str) -> str:
    """Return so many dice that all show the first of these faces."""
    return faces[0] * number


def rolls_of(kept: str, order: Iterable[str], fill: Fill = first_face) -> tuple[str, ...]:
    """Return rolls that set these dice aside, a face a roll in the order given.

    `fill` says what the other dice of a roll show.
    """
    rolls, left = [], BASE.dice
    for face in order:
        count = kept.count(face)
        others = fill(left - count, FACES.replace(face, ""))
        rolls.append(rolling.sort_dice(face * count + others))
        left -= count
    return tuple(rolls)


def script(
    table: Table,
    rolls: tuple[str, ...],
    order: Sequence[str],
    then: Literal["roll", "stop"] = "stop",
    claim: Claim | None = None,
) -> Script:
    """Return a turn that sets aside a face a roll, in the order given, and ends so.

    A last, dead roll has no decision; the player has rolled `then`.
    """
    decisions = [Decision(face, "roll") for face in order]
    if then == "stop":
        decisions[-1] = Decision(order[-1], "stop", claim)
    return Script(table, rolls, tuple(decisions))


def position(table: Table, dice: Dice) -> Position:
    """Return the position in which these dice are set aside, and none is rolled."""
    return Position(table, Turn(dice.kept))


def claiming_turn(table: Table, total: int, claim: Claim) -> Script:
    """Return the plainest turn with exactly this total that ends with this claim.

    The total comes to 21 with the last face only, since some engines look for a tile from there
    on, and else the worm comes first: others fail a turn that can reach no tile any more.
    """
    kept = plainest(total).kept
    worth_of = {face: kept.count(face) * BASE.points[face] for face in set(kept)}
    order = sorted(worth_of, key=lambda face: (worth_of[face] >= TILES[0], face != BASE.worm, face))
    return script(table, rolls_of(kept, order), order, claim=claim)


def taking(table: Table, tile: int) -> Script:
    """Return the plainest turn that takes this tile of the grill with its exact total."""
    return claiming_turn(table, tile, Take(tile))


def dead_turn(table: Table) -> Script:
    """Return the plainest turn that fails: a worm, then a dead roll."""
    rolls = rolls_of(BASE.worm, BASE.worm)
    return script(table, (*rolls, BASE.worm * (BASE.dice - 1)), BASE.worm, "roll")
