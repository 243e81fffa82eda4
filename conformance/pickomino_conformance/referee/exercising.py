"""Which rules a turn exercises: those whose situation arises in it.

A rule that no turn of a log exercises may be broken without anything to be seen there. So a
situation is told narrowly: it arises where an engine without the rule would have done something
else.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from pickomino_conformance.referee.facts import Facts
from pickomino_conformance.referee.following import Choice, End
from pickomino_reference import (
    BASE,
    ExactOnOpponent,
    LowerTile,
    Rule,
    Score,
    Steal,
    StealBack,
    Table,
)


class Situation(NamedTuple):
    """When a turn exercises a rule.

    Attributes:
        rule: the rule.
        told: the situation, for a person who wonders what a log lacks.
        arises: whether a turn comes to it.
    """

    rule: Rule
    told: str
    arises: Callable[[Facts], bool]


def _face_down_in_the_way(one: Facts) -> bool:
    """Whether a face-down tile lies between the total and what can be taken with it."""
    reached = max((take.tile for take in one.takes), default=0)
    return one.counted and any(reached < tile <= one.total for tile in one.table.face_down)


def order_shows(table: Table, end: End) -> bool:
    """Whether it shows in which direction the dice pass, or that they pass after a claim."""
    return len(table.stacks) > 2 or end is End.CLAIM


def _new_face_shows(choice: Choice) -> bool:
    """Whether a used face was there to be chosen, or a worm and a 5 might be taken for one."""
    if set(choice.rolled) & set(choice.set_aside):
        return True
    twin = {"5": BASE.worm, BASE.worm: "5"}.get(choice.face)
    return twin is not None and twin in choice.rolled + choice.set_aside


def _robs_far_away(one: Facts) -> bool:
    table, claim = one.table, one.claim
    return isinstance(claim, Steal) and claim.player != (table.player + 1) % len(table.stacks)


def _steal_back_shows(one: Facts) -> bool:
    """Whether a tile was stolen back, or was there to be where that is barred."""
    there = one.counted and one.total in one.just_lost and one.total in one.tops
    barred = one.rulings.steal_back is StealBack.BARRED
    return there and (barred or bool(one.stolen_from))


def _optional_shows(one: Facts) -> bool:
    """Whether the grill was chosen over a steal, or was closed by it."""
    closed = one.rulings.exact_on_opponent is ExactOnOpponent.STEAL
    return bool(one.steals) and _lower_open(one) and (closed or bool(one.taken))


def _turned(one: Facts) -> bool:
    return len(one.after.face_down) > len(one.table.face_down)


def _lower_open(one: Facts) -> bool:
    """Whether a tile below the total lies on the grill, and the exact one does not."""
    return one.total not in one.table.grill and one.table.grill[0] < one.total


def _lower_matters(one: Facts) -> bool:
    """Whether it shows which lower tiles may be taken: one was, or was there to be."""
    if one.rulings.lower_tile is not LowerTile.NEXT:
        return one.counted and one.table.grill[0] < one.total
    return 0 < one.taken < one.total


# The situations of a turn, in the order of the rules.
TURN: tuple[Situation, ...] = (
    Situation(Rule.SETUP_DICE, "a first roll", lambda one: bool(one.choices)),
    Situation(
        Rule.SETUP_ORDER,
        "more than two players, or a claim, and a log that tells who is next",
        lambda one: one.next_told and order_shows(one.table, one.end),
    ),
    Situation(
        Rule.ROLLING_ALL_DICE,
        "a roll after dice were set aside",
        lambda one: len(one.choices) > 1 or one.end is End.DEAD_ROLL,
    ),
    Situation(Rule.ROLLING_CHOOSE_A_FACE, "a roll to choose from", lambda one: bool(one.choices)),
    Situation(
        Rule.ROLLING_WHOLE_FACE,
        "a chosen face that several dice show",
        lambda one: any(choice.rolled.count(choice.face) > 1 for choice in one.choices),
    ),
    Situation(
        Rule.ROLLING_NEW_FACE,
        "a roll that shows a face already set aside, or a choice between a worm and a 5",
        lambda one: one.end is End.DEAD_ROLL or any(map(_new_face_shows, one.choices)),
    ),
    Situation(
        Rule.ROLLING_FORCED_END,
        "all dice, or all faces, set aside",
        lambda one: one.forced or _every_face(one),
    ),
    Situation(
        Rule.ROLLING_STOP_FREELY,
        "a stop with nothing to claim, though the player may roll on",
        lambda one: one.end is End.STOP,
    ),
    Situation(
        Rule.CLAIMING_TOTAL,
        "a claim, or none for want of a tile in reach",
        lambda one: one.counted,
    ),
    Situation(
        Rule.CLAIMING_WORM_NEEDED,
        "a total that reaches a tile of the grill, and no worm",
        lambda one: one.settled and not one.worm and one.total >= one.table.grill[0],
    ),
    Situation(
        Rule.CLAIMING_EXACT,
        "the exact tile taken from the grill",
        lambda one: one.taken == one.total,
    ),
    Situation(Rule.CLAIMING_LOWER, "a lower tile taken from the grill", _lower_matters),
    Situation(
        Rule.CLAIMING_ABOVE_HIGHEST,
        "a tile taken with a total above every tile of the grill",
        lambda one: bool(one.taken) and one.total > one.highest,
    ),
    Situation(
        Rule.CLAIMING_OWN_TOP,
        "the total of the own top tile",
        lambda one: one.counted and one.total == one.own_top,
    ),
    Situation(
        Rule.CLAIMING_FACE_DOWN,
        "a face-down tile nearer to the total than what can be taken",
        _face_down_in_the_way,
    ),
    Situation(Rule.CLAIMING_ONE_TILE, "a claim", lambda one: not one.failed),
    Situation(Rule.CLAIMING_STOP_CLAIMS, "a claim", lambda one: not one.failed),
    Situation(
        Rule.STEALING_EXACT,
        "a steal, or nothing to claim with a worm while another player shows a tile",
        lambda one: bool(one.stolen_from) or (one.counted and one.failed and bool(one.tops)),
    ),
    Situation(
        Rule.STEALING_TOP_ONLY,
        "the total of a tile that lies covered on another stack",
        lambda one: one.counted and one.total in one.covered,
    ),
    Situation(
        Rule.STEALING_WORM_NEEDED,
        "the total of another player's top tile, and no worm",
        lambda one: one.settled and not one.worm and one.total in one.tops,
    ),
    Situation(
        Rule.STEALING_OPPONENTS_ONLY,
        "the total of the own top tile, or a steal from another than the next player",
        lambda one: (one.counted and one.total == one.own_top) or _robs_far_away(one),
    ),
    Situation(
        Rule.STEALING_OPTIONAL,
        "the total of another player's top tile, and a lower one taken from the grill",
        _optional_shows,
    ),
    Situation(
        Rule.STEALING_OUT_OF_GRILL_REACH,
        "a steal with a total below every tile of the grill",
        lambda one: bool(one.stolen_from) and one.total < one.table.grill[0],
    ),
    Situation(
        Rule.STEALING_UNCOVERS,
        "a steal from a stack of several tiles",
        lambda one: len(one.stolen_from) > 1,
    ),
    Situation(
        Rule.STEALING_STEAL_BACK,
        "the total of a tile that was stolen from the player since the last own turn",
        _steal_back_shows,
    ),
    Situation(Rule.FAILING_DEAD_ROLL, "a dead roll", lambda one: one.end is End.DEAD_ROLL),
    Situation(
        Rule.FAILING_NO_WORM,
        "a turn that ends without a worm",
        lambda one: one.settled and not one.worm,
    ),
    Situation(
        Rule.FAILING_OUT_OF_REACH,
        "nothing to claim at the end, or a total above 20 with nothing in reach on the way",
        lambda one: (one.settled and one.failed) or one.out_of_reach,
    ),
    Situation(
        Rule.FAILING_RETURN_TOP,
        "a failed turn of a player with a tile",
        lambda one: one.failed and bool(one.own_top),
    ),
    Situation(
        Rule.FAILING_FLIP_HIGHEST,
        "a failed turn that returns a tile below the highest, or turns one",
        lambda one: one.failed and (_turned(one) or 0 < one.own_top < one.highest),
    ),
    Situation(
        Rule.FAILING_RETURNED_HIGHEST,
        "a failed turn that returns a tile above all of the grill",
        lambda one: one.failed and one.own_top > one.highest,
    ),
    Situation(
        Rule.FAILING_NOTHING_RETURNED,
        "a failed turn of a player without a tile",
        lambda one: one.failed and not one.own_top,
    ),
    Situation(
        Rule.FAILING_FACE_DOWN_FOR_GOOD,
        "a face-down tile on the grill",
        lambda one: bool(one.after.face_down),
    ),
    Situation(
        Rule.FAILING_PASSES,
        "a failed turn after which the log tells who is next",
        lambda one: one.failed and one.next_told,
    ),
    Situation(
        Rule.ENDING_GRILL_EMPTY,
        "a grill with a single face-up tile, or with none",
        lambda one: min(len(one.table.grill), len(one.after.grill)) <= 1,
    ),
    Situation(Rule.ENDING_STEAL_NEVER_ENDS, "a steal", lambda one: bool(one.stolen_from)),
)


def _every_face(one: Facts) -> bool:
    return len(one.choices) == len(BASE.points)


# What the beginning and the end of a game exercise.
BEGINNING: tuple[tuple[Rule, str], ...] = (
    (Rule.SETUP_TILES, "the beginning of a game"),
    (Rule.SETUP_PLAYERS, "the beginning of a game"),
)
SCORE: tuple[tuple[Rule, str], ...] = (
    (Rule.SETUP_WORMS, "the worms of a player who owns a tile"),
    (Rule.ENDING_WORMS_WIN, "worms or winners, with somebody owning a tile"),
    (Rule.ENDING_TIE_BREAK, "winners, with several players having the most worms"),
    (Rule.ENDING_NOBODY, "winners, with nobody owning a tile"),
)

# Every rule, and when a log exercises it.
_TOLD = dict((*BEGINNING, *SCORE, *((one.rule, one.told) for one in TURN)))
SITUATIONS: dict[Rule, str] = {rule: _TOLD[rule] for rule in Rule}


def by_turn(one: Facts) -> Iterator[Rule]:
    """Yield the rules that a turn exercises."""
    for situation in TURN:
        if situation.arises(one):
            yield situation.rule


def by_score(score: Score, *, worms_told: bool, winners_told: bool) -> Iterator[Rule]:
    """Yield the rules that the end of a game exercises; `score` is what it must be."""
    owned = any(score.worms)
    if owned and worms_told:
        yield Rule.SETUP_WORMS
    if owned:
        yield Rule.ENDING_WORMS_WIN
    if winners_told and not owned:
        yield Rule.ENDING_NOBODY
    if winners_told and owned and score.worms.count(max(score.worms)) > 1:
        yield Rule.ENDING_TIE_BREAK
