"""Which rules a turn exercises: those whose situation arises in it.

A rule that no turn of a log exercises may be broken without anything to be seen there. So a
situation is told narrowly: it arises where an engine without the rule would have done something
else.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pickomino_reference import (
    BASE,
    End,
    ExactOnOpponent,
    LowerTile,
    Record,
    Rule,
    Rulings,
    Score,
    Script,
    Steal,
    StealBack,
    Table,
    Take,
    claiming,
    game,
    rolling,
)
from pickomino_reference.table import Tiles

LOWEST = min(BASE.worms)


class Choice(NamedTuple):
    """A face chosen from a roll, and what was set aside before."""

    set_aside: str
    rolled: str
    face: str


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """What is asked about a turn that the rules let go to its end.

    Attributes:
        table, after: before it and after it.
        rulings: what it is judged by.
        record: what came of it.
        choices: the faces chosen.
        total: of the dice set aside.
        settled: whether it ended otherwise than by a dead roll, so that the total counted.
        counted: whether the total of dice with a worm decided what could be claimed.
        no_worm: whether the total counted, and there was no worm.
        takes: the tiles that could be taken.
        taken: the tile taken from the grill; 0 if there is none.
        stolen_from: the stack that was stolen from, as it was before; empty if nothing was.
        own_top: the player's top tile before it; 0 if there is none.
        tops, covered: the tiles on top of the opponents' stacks, and those below them.
        out_of_reach: whether the player rolled on with a total above 20 and nothing in reach.
        just_lost: the tiles stolen from the player since the last own turn.
        next_told: whether the log tells who is next.
    """

    table: Table
    after: Table
    rulings: Rulings
    record: Record
    choices: tuple[Choice, ...]
    total: int
    settled: bool
    counted: bool
    no_worm: bool
    takes: Tiles
    taken: int
    stolen_from: Tiles
    own_top: int
    tops: frozenset[int]
    covered: frozenset[int]
    out_of_reach: bool
    just_lost: frozenset[int]
    next_told: bool

    @property
    def lowest(self) -> int:
        """The lowest tile face up before the turn."""
        return self.table.grill[0]

    @property
    def highest(self) -> int:
        """The highest tile face up before the turn."""
        return self.table.grill[-1]


def see(
    script: Script, record: Record, rulings: Rulings, just_lost: frozenset[int], *, next_told: bool
) -> SeenTurn:
    """Return what is asked about a turn, of which this has come; see `SeenTurn`."""
    table, kept, claim = script.table, record.set_aside, record.claim
    others = [stack for seat, stack in enumerate(table.stacks) if seat != table.player]
    settled = record.end is not End.DEAD_ROLL
    before = ["", *(step.kept for step in record.trace)]
    decided = zip(before, script.rolls, script.decisions, strict=False)
    choices = tuple(Choice(aside, roll, one.keep or "") for aside, roll, one in decided)
    rolled_on = [choice.set_aside for choice in choices] + [kept] * (not settled)
    return SeenTurn(
        table=table,
        after=record.position.table,
        rulings=rulings,
        record=record,
        choices=choices,
        total=claiming.total(kept, BASE),
        settled=settled,
        counted=settled and BASE.worm in kept,
        no_worm=settled and BASE.worm not in kept,
        takes=tuple(one.tile for one in record.claims if isinstance(one, Take)),
        taken=claim.tile if isinstance(claim, Take) else 0,
        stolen_from=table.stacks[claim.player] if isinstance(claim, Steal) else (),
        own_top=table.own[-1] if table.own else 0,
        tops=frozenset(stack[-1] for stack in others if stack),
        covered=frozenset(tile for stack in others for tile in stack[:-1]),
        out_of_reach=any(
            claiming.total(dice, BASE) >= LOWEST and not game.reach(table, dice, rulings)
            for dice in rolled_on
        ),
        just_lost=just_lost,
        next_told=next_told,
    )


def _face_down_in_the_way(one: SeenTurn) -> bool:
    """Whether a face-down tile lies between the total and what can be taken with it."""
    reached = max(one.takes, default=0)
    return one.counted and any(reached < tile <= one.total for tile in one.table.face_down)


def order_shows(table: Table, *, claimed: bool) -> bool:
    """Whether it shows in which direction the dice pass, or that they pass after a claim."""
    return len(table.stacks) > 2 or claimed


def _new_face_shows(choice: Choice) -> bool:
    """Whether a used face was there to be chosen, or a worm and a 5 might be taken for one."""
    if set(choice.rolled) & set(choice.set_aside):
        return True
    twin = {"5": BASE.worm, BASE.worm: "5"}.get(choice.face)
    return twin is not None and twin in choice.rolled + choice.set_aside


def _robs_far_away(one: SeenTurn) -> bool:
    table, claim = one.table, one.record.claim
    return isinstance(claim, Steal) and claim.player != (table.player + 1) % len(table.stacks)


def _steal_back_shows(one: SeenTurn) -> bool:
    """Whether a tile was stolen back, or was there to be where that is barred."""
    there = one.counted and one.total in one.just_lost and one.total in one.tops
    barred = one.rulings.steal_back is StealBack.BARRED
    return there and (barred or bool(one.stolen_from))


def _optional_shows(one: SeenTurn) -> bool:
    """Whether the grill was chosen over a steal, or was closed by it."""
    closed = one.rulings.exact_on_opponent is ExactOnOpponent.STEAL
    return (
        len(one.takes) < len(one.record.claims) and _lower_open(one) and (closed or bool(one.taken))
    )


def _turned(one: SeenTurn) -> bool:
    return len(one.after.face_down) > len(one.table.face_down)


def _lower_open(one: SeenTurn) -> bool:
    """Whether a tile below the total lies on the grill, and the exact one does not."""
    return one.total not in one.table.grill and one.lowest < one.total


def _lower_matters(one: SeenTurn) -> bool:
    """Whether it shows which lower tiles may be taken: one was, or was there to be."""
    if one.rulings.lower_tile is not LowerTile.NEXT:
        return one.counted and one.lowest < one.total
    return 0 < one.taken < one.total


def _all_aside(one: SeenTurn) -> bool:
    every_face = len(one.choices) == len(BASE.points)
    return every_face or rolling.forced_end(one.record.set_aside, one.rulings, BASE)


# When a turn exercises each rule, in the order of the rules; `situations.toml` says it in words.
TURN: Mapping[Rule, Callable[[SeenTurn], bool]] = {
    Rule.SETUP_DICE: lambda one: bool(one.choices),
    Rule.SETUP_ORDER: lambda one: (
        one.next_told and order_shows(one.table, claimed=not one.record.failed)
    ),
    Rule.ROLLING_ALL_DICE: lambda one: len(one.choices) > 1 or not one.settled,
    Rule.ROLLING_CHOOSE_A_FACE: lambda one: bool(one.choices),
    Rule.ROLLING_WHOLE_FACE: lambda one: any(
        choice.rolled.count(choice.face) > 1 for choice in one.choices
    ),
    Rule.ROLLING_NEW_FACE: lambda one: not one.settled or any(map(_new_face_shows, one.choices)),
    Rule.ROLLING_FORCED_END: _all_aside,
    Rule.ROLLING_STOP_FREELY: lambda one: one.record.end is End.STOP,
    Rule.CLAIMING_TOTAL: lambda one: one.counted,
    Rule.CLAIMING_WORM_NEEDED: lambda one: one.no_worm and one.total >= one.lowest,
    Rule.CLAIMING_EXACT: lambda one: one.taken == one.total,
    Rule.CLAIMING_LOWER: _lower_matters,
    Rule.CLAIMING_ABOVE_HIGHEST: lambda one: bool(one.taken) and one.total > one.highest,
    Rule.CLAIMING_OWN_TOP: lambda one: one.counted and one.total == one.own_top,
    Rule.CLAIMING_FACE_DOWN: _face_down_in_the_way,
    Rule.CLAIMING_ONE_TILE: lambda one: not one.record.failed,
    Rule.CLAIMING_STOP_CLAIMS: lambda one: not one.record.failed,
    Rule.STEALING_EXACT: lambda one: (
        bool(one.stolen_from) or (one.counted and one.record.failed and bool(one.tops))
    ),
    Rule.STEALING_TOP_ONLY: lambda one: one.counted and one.total in one.covered,
    Rule.STEALING_WORM_NEEDED: lambda one: one.no_worm and one.total in one.tops,
    Rule.STEALING_OPPONENTS_ONLY: lambda one: (
        (one.counted and one.total == one.own_top) or _robs_far_away(one)
    ),
    Rule.STEALING_OPTIONAL: _optional_shows,
    Rule.STEALING_OUT_OF_GRILL_REACH: lambda one: bool(one.stolen_from) and one.total < one.lowest,
    Rule.STEALING_UNCOVERS: lambda one: len(one.stolen_from) > 1,
    Rule.STEALING_STEAL_BACK: _steal_back_shows,
    Rule.FAILING_DEAD_ROLL: lambda one: not one.settled,
    Rule.FAILING_NO_WORM: lambda one: one.no_worm,
    Rule.FAILING_OUT_OF_REACH: lambda one: (one.settled and one.record.failed) or one.out_of_reach,
    Rule.FAILING_RETURN_TOP: lambda one: one.record.failed and bool(one.own_top),
    Rule.FAILING_FLIP_HIGHEST: lambda one: (
        one.record.failed and (_turned(one) or 0 < one.own_top < one.highest)
    ),
    Rule.FAILING_RETURNED_HIGHEST: lambda one: one.record.failed and one.own_top > one.highest,
    Rule.FAILING_NOTHING_RETURNED: lambda one: one.record.failed and not one.own_top,
    Rule.FAILING_FACE_DOWN_FOR_GOOD: lambda one: bool(one.after.face_down),
    Rule.FAILING_PASSES: lambda one: one.record.failed and one.next_told,
    Rule.ENDING_GRILL_EMPTY: lambda one: min(len(one.table.grill), len(one.after.grill)) <= 1,
    Rule.ENDING_STEAL_NEVER_ENDS: lambda one: bool(one.stolen_from),
}

# What the table of a new game exercises.
BEGINNING = (Rule.SETUP_TILES, Rule.SETUP_PLAYERS)

_TOLD = tomllib.loads(Path(__file__).with_name("situations.toml").read_text(encoding="utf-8"))
SITUATIONS: dict[Rule, str] = {rule: _TOLD[rule] for rule in Rule}


def by_turn(one: SeenTurn) -> Iterator[Rule]:
    """Yield the rules that a turn exercises."""
    return (rule for rule, arises in TURN.items() if arises(one))


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
