"""The moves of a game, and what may be done next."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice that are left; `dice` is what they show, in any order."""

    dice: str


@dataclass(frozen=True, slots=True)
class SetAside:
    """Set aside all dice of the roll that show `face`."""

    face: str


@dataclass(frozen=True, slots=True)
class Take:
    """Stop and take `tile` from the grill."""

    tile: int


@dataclass(frozen=True, slots=True)
class Steal:
    """Stop and steal the top tile of `player`."""

    player: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop with nothing to claim."""


Claim = Take | Steal
Move = Roll | SetAside | Claim | Stop


class Options(NamedTuple):
    """What the player may do next.

    Attributes:
        faces: the faces of the roll that may be set aside.
        roll: whether the dice that are left may be rolled.
        stop: whether the turn may end here: with a claim if there are any, else as a failure.
        claims: what may be claimed on stopping; tiles of the grill ascending, then steals.
    """

    faces: str = ""
    roll: bool = False
    stop: bool = False
    claims: tuple[Claim, ...] = ()
