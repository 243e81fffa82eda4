"""Tables in the making, and the ways in which a turn on them may end.

What `pickomino_conformance.strategies` draws from; no public name is here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

from pickomino_reference import (
    BASE,
    Claim,
    Move,
    Position,
    Roll,
    Rulings,
    SetAside,
    Steal,
    StealBack,
    Stop,
    Table,
    Take,
    Turn,
    legal,
)

Value = TypeVar("Value")

FACES = "".join(BASE.points)
TILES = tuple(BASE.worms)


class Situation(StrEnum):
    """What a turn comes to. Most of these would seldom be drawn by chance."""

    TAKE = "a tile of the grill is taken"
    EXACT_OR_LOWER = "a claim, with the exact tile and a lower one on the grill"
    STEAL = "a tile is stolen"
    STEAL_OR_LOWER = "a claim, with the exact tile to steal and a lower one on the grill"
    BARRED_STEAL = "the turn ends with the total of a tile that the player may not steal back"
    ABOVE_36 = "a tile is taken with a total above all tiles"
    LAST_TILE = "the last face-up tile is taken"
    EIGHT_DICE = "all dice are set aside"
    SIX_FACES = "all faces are set aside, and dice are left"
    DEAD_ROLL = "a dead roll"
    FORCED_FAILURE = "a forced end with nothing to claim"
    FREE_STOP = "a stop with nothing to claim that is not forced"
    NO_WORM = "an end with total enough for the grill, but no worm"
    RETURNED_HIGHEST = "a failure whose returned tile is the highest face up"
    RETURNED_LOWER = "a failure whose returned tile is not the highest face up"
    EMPTY_HANDED = "a failure with no tile to return"


# How a turn ends once its last dice are set aside: with a claim or a stop, with a dead roll
# (whatever it shows), or by itself.
DEAD_ROLL = Roll("")
LastMove = Claim | Stop | Roll | None


class DraftKind(NamedTuple):
    """What decides on the end of a turn about the dice set aside."""

    total: int
    worm: bool
    all_dice: bool
    all_faces: bool


class DraftEnd(NamedTuple):
    """A table, and how a turn on it would end."""

    table: Table
    kind: DraftKind
    ending: LastMove

    @property
    def fails(self) -> bool:
        """Whether nothing is claimed."""
        return not isinstance(self.ending, Take | Steal)

    @property
    def claims_or_stops(self) -> bool:
        """Whether it is no dead roll."""
        return not isinstance(self.ending, Roll)

    @property
    def returned(self) -> int:
        """The tile that a failure would return, 0 for none."""
        return max(self.table.stacks[self.table.player][-1:], default=0)

    @property
    def stealable(self) -> bool:
        """Whether an opponent shows the tile of the total, and it is not barred."""
        tops = [stack[-1:] for stack in _others(self.table.stacks, self.table.player)]
        barred = self.kind.total in self.table.barred[self.table.player]
        return self.kind.worm and (self.kind.total,) in tops and not barred


HOLDS: Mapping[Situation, Callable[[DraftEnd], bool]] = {
    Situation.TAKE: lambda end: isinstance(end.ending, Take),
    Situation.EXACT_OR_LOWER: lambda end: not end.fails and end.kind.total in end.table.grill[1:],
    Situation.STEAL: lambda end: isinstance(end.ending, Steal),
    Situation.STEAL_OR_LOWER: lambda end: (
        not end.fails and end.stealable and end.table.grill[0] < end.kind.total
    ),
    Situation.BARRED_STEAL: lambda end: (
        end.claims_or_stops
        and end.kind.worm
        and end.kind.total in end.table.barred[end.table.player]
    ),
    Situation.ABOVE_36: lambda end: isinstance(end.ending, Take) and end.kind.total > TILES[-1],
    Situation.LAST_TILE: lambda end: isinstance(end.ending, Take),
    Situation.EIGHT_DICE: lambda end: end.kind.all_dice,
    Situation.SIX_FACES: lambda end: end.kind.all_faces and not end.kind.all_dice,
    Situation.DEAD_ROLL: lambda end: isinstance(end.ending, Roll),
    Situation.FORCED_FAILURE: lambda end: end.ending is None,
    Situation.FREE_STOP: lambda end: isinstance(end.ending, Stop),
    Situation.NO_WORM: lambda end: (
        end.claims_or_stops and not end.kind.worm and end.kind.total >= end.table.grill[0]
    ),
    Situation.RETURNED_HIGHEST: lambda end: end.fails and end.returned > end.table.grill[-1],
    Situation.RETURNED_LOWER: lambda end: end.fails and 0 < end.returned < end.table.grill[-1],
    Situation.EMPTY_HANDED: lambda end: end.fails and not end.returned,
}


@dataclass
class Draft:
    """A table in the making, still without bars. Stacks run from bottom to top."""

    grill: list[int]
    face_down: list[int]
    stacks: list[list[int]]
    player: int

    @property
    def own(self) -> list[int]:
        """The stack of the player to move."""
        return self.stacks[self.player]

    @property
    def robbed(self) -> list[int]:
        """The opponent's stack with the highest top tile."""
        return max(_others(self.stacks, self.player), key=lambda stack: stack[-1:])

    def open_grill(self) -> None:
        """See to it that a tile lies face up."""
        if not self.grill:
            self.grill.append(self._spare())

    def suit(self, situation: Situation) -> None:
        """Change what would rule the situation out."""
        match situation:
            case Situation.EXACT_OR_LOWER:
                if len(self.grill) == 1:
                    self.grill.append(self._spare())
            case Situation.STEAL | Situation.BARRED_STEAL:
                self._arm_opponents()
            case Situation.STEAL_OR_LOWER:
                self._arm_opponents()
                if self.robbed[-1] < min(self.grill):
                    self._swap(self.robbed, min(self.grill))
            case Situation.LAST_TILE:
                self.face_down += self.grill[1:]
                del self.grill[1:]
            case Situation.RETURNED_HIGHEST:
                self._arm_player()
                if self.own[-1] < max(self.grill):
                    self._swap(self.own, max(self.grill))
            case Situation.RETURNED_LOWER:
                self._arm_player()
                if self.own[-1] > max(self.grill):
                    self._swap(self.own, max(self.grill))
            case Situation.EMPTY_HANDED:
                self.face_down += self.own
                self.own.clear()
            case _:
                pass

    def finish(self, barred: tuple[tuple[int, ...], ...]) -> Table:
        """Return the table, with these tiles barred to each player."""
        return Table(
            tuple(sorted(self.grill)),
            tuple(sorted(self.face_down)),
            tuple(map(tuple, self.stacks)),
            self.player,
            barred,
        )

    def _arm_player(self) -> None:
        if not self.own:
            self.own.append(self._spare())

    def _arm_opponents(self) -> None:
        if not self.robbed:
            self.robbed.append(self._spare())

    def _swap(self, stack: list[int], tile: int) -> None:
        """Exchange the top of a stack for a tile of the grill."""
        self.grill.remove(tile)
        self.grill.append(stack.pop())
        stack.append(tile)

    def _spare(self) -> int:
        """Take a tile away from where it is missed least."""
        if self.face_down:
            return self.face_down.pop(0)
        source = self.grill if len(self.grill) > 1 else max(self.stacks, key=len)
        return source.pop(0)


@st.composite
def drafts(draw: st.DrawFn, players: int) -> Draft:
    """Draw where each tile lies, and whose turn it is."""
    face_down, grill = list[int](), list[int]()
    stacks = [list[int]() for _ in range(players)]
    player = draw(st.integers(0, players - 1))
    # The grill twice, else seven players would leave hardly anything on it. The own stack comes
    # first of all stacks, so that a table can lose players and stay as it is.
    places = [face_down, grill, grill, *stacks[player:], *stacks[:player]]
    order = _shuffled(draw, TILES)
    for tile, place in zip(order, draw(dice_texts(KEYS[: len(places)], len(TILES))), strict=True):
        places[KEYS.index(place)].append(tile)
    return Draft(grill, face_down, stacks, player)


@st.composite
def bars(
    draw: st.DrawFn, draft: Draft, rulings: Rulings, situation: Situation | None = None
) -> tuple[tuple[int, ...], ...]:
    """Draw what the last round of turns has barred, for each player.

    The last turns are undone, the latest first: whoever moved may have stolen the own top
    tile from one whose turn has not ended since. So a bar always has a theft behind it.
    """
    players = len(draft.stacks)
    if rulings.steal_back is StealBack.ALLOWED:
        return ((),) * players
    seats = [(draft.player + later) % players for later in range(players)]
    stacks = [list(draft.stacks[seat]) for seat in seats]
    barred: list[set[int]] = [set() for _ in seats]
    target = max((stack[-1] for stack in stacks[1:] if stack), default=0)
    holder = next((later for later, stack in enumerate(stacks) if target in stack[-1:]), 0)
    must = situation is Situation.BARRED_STEAL
    must_not = situation in (Situation.STEAL, Situation.STEAL_OR_LOWER)
    for thief in range(players - 1, 0, -1):
        if not stacks[thief]:
            continue
        tile = stacks[thief][-1]
        victims: list[int | None] = [None, *range(thief)]
        if must and thief == holder:
            victims = [0]
        elif must and holder in victims:
            victims.remove(holder)
        elif must_not and tile == target:
            victims.remove(0)
        victim = draw(st.sampled_from(victims))
        if victim is not None:
            stacks[victim].append(stacks[thief].pop())
            barred[victim].add(tile)
    return tuple(tuple(sorted(barred[seats.index(seat)])) for seat in range(players))


@st.composite
def moves_of(draw: st.DrawFn, kind: DraftKind, ending: LastMove) -> tuple[Move, ...]:
    """Draw the moves of a turn that sets such dice aside and ends so."""
    set_aside = draw(st.sampled_from(_sets_aside()[kind]))
    moves: list[Move] = []
    left = BASE.dice
    for face in _shuffled(draw, sorted(set(set_aside))):
        count = set_aside.count(face)
        others = draw(dice_texts(FACES.replace(face, ""), left - count))
        moves += [Roll(face * count + others), SetAside(face)]
        left -= count
    if ending == DEAD_ROLL:
        moves.append(Roll(draw(dice_texts("".join(sorted(set(set_aside))), left))))
    elif ending is not None:
        moves.append(ending)
    return tuple(moves)


# A text is a single choice for Hypothesis, and so much cheaper than a list.
# In this order its characters count as ever less simple.
KEYS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@cache
def dice_texts(faces: str, number: int) -> st.SearchStrategy[str]:
    """Draw so many of these faces, as a text."""
    return st.text(faces, min_size=number, max_size=number)


def _shuffled(draw: st.DrawFn, items: Sequence[Value]) -> list[Value]:
    """Draw an order; the simplest is the one given."""
    keys = draw(dice_texts(KEYS, len(items)))
    return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]


@cache
def _sets_aside() -> dict[DraftKind, list[str]]:
    """Return all dice that can be set aside, by what they decide, the fewest first."""
    found: dict[DraftKind, list[str]] = {}
    for dice in range(1, BASE.dice + 1):
        for faces in combinations_with_replacement(FACES, dice):
            total = sum(BASE.points[face] for face in faces)
            all_faces = len(set(faces)) == len(FACES)
            kind = DraftKind(total, BASE.worm in faces, dice == BASE.dice, all_faces)
            found.setdefault(kind, []).append("".join(faces))
    return found


def endings_on(table: Table, rulings: Rulings) -> list[tuple[DraftKind, LastMove]]:
    """Return every way in which a turn on this table may end."""
    return [
        (kind, ending)
        for kind, (example, *_) in _sets_aside().items()
        for ending in _endings_after(Position(table, Turn(example)), rulings)
    ]


def _endings_after(position: Position, rulings: Rulings) -> Iterable[LastMove]:
    options = legal(position, rulings)
    yield from options.claims
    if not options.claims and options.stop:
        yield Stop() if options.roll else None
    if options.roll:
        yield DEAD_ROLL


def _others(stacks: Iterable[Value], player: int) -> list[Value]:
    return [stack for seat, stack in enumerate(stacks) if seat != player]
