"""The reasons why a move may be made or not, each with its sentence."""

from collections.abc import Mapping
from enum import StrEnum

Facts = Mapping[str, int | str]


class Why(StrEnum):
    """Why a move is allowed, or why not."""

    NEW_FACE = "new-face"
    DICE_LEFT = "dice-left"
    ALL_FACES_ASIDE = "all-faces-aside"
    FREE_STOP = "free-stop"
    FORCED_STOP = "forced-stop"
    EXACT_TILE = "exact-tile"
    NEXT_LOWER = "next-lower"
    ANY_LOWER = "any-lower"
    EXACT_STEAL = "exact-steal"

    GAME_OVER = "game-over"
    DEAD_ROLL = "dead-roll"
    NO_ROLL = "no-roll"
    NOT_ROLLED = "not-rolled"
    USED_FACE = "used-face"
    CHOOSE_FIRST = "choose-first"
    NOTHING_ASIDE = "nothing-aside"
    ROLLING_OVER = "rolling-over"
    SOMETHING_TO_CLAIM = "something-to-claim"
    NO_FREE_STOP = "no-free-stop"
    NO_WORM = "no-worm"
    OWN_TOP = "own-top"
    FACE_DOWN = "face-down"
    COVERED = "covered"
    ON_A_STACK = "on-a-stack"
    ABOVE_TOTAL = "above-total"
    EXACT_LIES_THERE = "exact-lies-there"
    ANOTHER_IS_NEXT = "another-is-next"
    STEAL_INSTEAD = "steal-instead"
    OWN_STACK = "own-stack"
    NO_TILE = "no-tile"
    NOT_EXACT = "not-exact"
    EXACT_IS_COVERED = "exact-is-covered"
    BARRED = "barred"


SENTENCES: Mapping[Why, str] = {
    Why.NEW_FACE: "The roll shows {face}, and it is not set aside yet.",
    Why.DICE_LEFT: "Dice left to roll: {dice}.",
    Why.ALL_FACES_ASIDE: "Dice left to roll: {dice}, though no face is left to choose.",
    Why.FREE_STOP: "One may stop at any time, though nothing can be claimed.",
    Why.FORCED_STOP: "The rolling is over, and nothing can be claimed.",
    Why.EXACT_TILE: "The total is {total}, and the {tile} lies face up on the grill.",
    Why.NEXT_LOWER: "The total is {total}, and the {tile} is the next lower tile on the grill.",
    Why.ANY_LOWER: "The total is {total}, and any lower tile on the grill will do.",
    Why.EXACT_STEAL: "The total is {total}, and player {player} shows the {tile}.",
    Why.GAME_OVER: "The game is over.",
    Why.DEAD_ROLL: "The roll is dead: the turn has failed.",
    Why.NO_ROLL: "No roll lies there to choose from.",
    Why.NOT_ROLLED: "The roll shows no {face}.",
    Why.USED_FACE: "{face} was set aside before.",
    Why.CHOOSE_FIRST: "A roll lies there, and a face must be chosen from it first.",
    Why.NOTHING_ASIDE: "Nothing is set aside yet.",
    Why.ROLLING_OVER: "The rolling is over.",
    Why.SOMETHING_TO_CLAIM: "Something can be claimed, so it must be.",
    Why.NO_FREE_STOP: "Nothing can be claimed, and the rolling is not over.",
    Why.NO_WORM: "No worm is set aside.",
    Why.OWN_TOP: "The {tile} is the player's own top tile.",
    Why.FACE_DOWN: "The {tile} lies face down.",
    Why.COVERED: "The {tile} lies covered in a stack.",
    Why.ON_A_STACK: "The {tile} lies on the stack of player {player}: it is not taken, but stolen.",
    Why.ABOVE_TOTAL: "The {tile} is above the total of {total}.",
    Why.EXACT_LIES_THERE: "The {total} itself lies face up on the grill.",
    Why.ANOTHER_IS_NEXT: "The {next} is the next lower tile, not the {tile}.",
    Why.STEAL_INSTEAD: "The {total} can be stolen, and that closes the lower tiles.",
    Why.OWN_STACK: "Nobody steals from the own stack.",
    Why.NO_TILE: "Player {player} has no tile.",
    Why.NOT_EXACT: "Player {player} shows the {tile}, and the total is {total}.",
    Why.EXACT_IS_COVERED: "Player {player} has the {total}, but it lies covered.",
    Why.BARRED: "The {tile} was just stolen from player {mover}.",
}


def sentence(why: Why, facts: Facts) -> str:
    """Return a reason in words."""
    return SENTENCES[why].format_map(facts)
