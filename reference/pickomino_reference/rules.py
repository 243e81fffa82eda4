"""The ids of the rules: the thread through prose, features, code and reports."""

from enum import StrEnum


class Rule(StrEnum):
    """Every rule of the base game by its stable id, in the order of `spec/rules/`."""

    SETUP_TILES = "setup.tiles"
    SETUP_WORMS = "setup.worms"
    SETUP_DICE = "setup.dice"
    SETUP_PLAYERS = "setup.players"
    SETUP_ORDER = "setup.order"
    ROLLING_ALL_DICE = "rolling.all-dice"
    ROLLING_CHOOSE_A_FACE = "rolling.choose-a-face"
    ROLLING_WHOLE_FACE = "rolling.whole-face"
    ROLLING_NEW_FACE = "rolling.new-face"
    ROLLING_FORCED_END = "rolling.forced-end"
    ROLLING_STOP_FREELY = "rolling.stop-freely"
    CLAIMING_TOTAL = "claiming.total"
    CLAIMING_WORM_NEEDED = "claiming.worm-needed"
    CLAIMING_EXACT = "claiming.exact"
    CLAIMING_LOWER = "claiming.lower"
    CLAIMING_ABOVE_HIGHEST = "claiming.above-highest"
    CLAIMING_OWN_TOP = "claiming.own-top"
    CLAIMING_FACE_DOWN = "claiming.face-down"
    CLAIMING_ONE_TILE = "claiming.one-tile"
    CLAIMING_STOP_CLAIMS = "claiming.stop-claims"
    STEALING_EXACT = "stealing.exact"
    STEALING_TOP_ONLY = "stealing.top-only"
    STEALING_WORM_NEEDED = "stealing.worm-needed"
    STEALING_OPPONENTS_ONLY = "stealing.opponents-only"
    STEALING_OPTIONAL = "stealing.optional"
    STEALING_OUT_OF_GRILL_REACH = "stealing.out-of-grill-reach"
    STEALING_UNCOVERS = "stealing.uncovers"
    STEALING_STEAL_BACK = "stealing.steal-back"
    FAILING_DEAD_ROLL = "failing.dead-roll"
    FAILING_NO_WORM = "failing.no-worm"
    FAILING_OUT_OF_REACH = "failing.out-of-reach"
    FAILING_RETURN_TOP = "failing.return-top"
    FAILING_FLIP_HIGHEST = "failing.flip-highest"
    FAILING_RETURNED_HIGHEST = "failing.returned-highest"
    FAILING_NOTHING_RETURNED = "failing.nothing-returned"
    FAILING_FACE_DOWN_FOR_GOOD = "failing.face-down-for-good"
    FAILING_PASSES = "failing.passes"
    ENDING_GRILL_EMPTY = "ending.grill-empty"
    ENDING_STEAL_NEVER_ENDS = "ending.steal-never-ends"
    ENDING_WORMS_WIN = "ending.worms-win"
    ENDING_TIE_BREAK = "ending.tie-break"
    ENDING_NOBODY = "ending.nobody"


class Refused(Exception):
    """A move that a rule forbids, the attribute `rule`."""

    def __init__(self, rule: Rule) -> None:
        super().__init__(rule)
        self.rule = rule
