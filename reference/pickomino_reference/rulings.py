"""The contested points of the game (`spec/rulings.toml`), each an enum of its alternatives."""

from dataclasses import dataclass
from enum import StrEnum


class FlipAfterReturn(StrEnum):
    """Which tiles are turned when a failed turn has cost a tile."""

    UNLESS_HIGHEST = "unless-highest"
    ALWAYS = "always"
    BEFORE_RETURN = "before-return"
    BOTH = "both"
    NEVER = "never"


class FlipWithoutReturn(StrEnum):
    """Whether the highest tile is turned when there was none to put back."""

    NO = "no"
    YES = "yes"


class LowerTile(StrEnum):
    """Which tiles below the total may be taken from the grill."""

    NEXT = "next"
    ANY = "any"
    ANY_IF_EXACT_GONE = "any-if-exact-gone"


class ExactOnOpponent(StrEnum):
    """Whether a lower tile may be taken while the exact one can be stolen."""

    CHOICE = "choice"
    STEAL = "steal"


class StopWithoutClaim(StrEnum):
    """Whether a player may stop with nothing to claim while the turn could go on."""

    FAILS = "fails"
    BARRED = "barred"


class StealBack(StrEnum):
    """Whether the tile just stolen may be stolen back at once."""

    ALLOWED = "allowed"
    BARRED = "barred"


class TieBreak(StrEnum):
    """Who wins among those with the most worms."""

    HIGHEST_TILE = "highest-tile"
    SHARED = "shared"


class SixFaces(StrEnum):
    """Whether the turn is over once every face is set aside, though dice are left."""

    OVER = "over"
    ROLL_ON = "roll-on"


@dataclass(frozen=True, slots=True)
class Rulings:
    """A value for every ruling. The defaults are those of the Zoch rulebook."""

    flip_after_return: FlipAfterReturn = FlipAfterReturn.UNLESS_HIGHEST
    flip_without_return: FlipWithoutReturn = FlipWithoutReturn.NO
    lower_tile: LowerTile = LowerTile.NEXT
    exact_on_opponent: ExactOnOpponent = ExactOnOpponent.CHOICE
    stop_without_claim: StopWithoutClaim = StopWithoutClaim.FAILS
    steal_back: StealBack = StealBack.ALLOWED
    tie_break: TieBreak = TieBreak.HIGHEST_TILE
    six_faces: SixFaces = SixFaces.OVER
