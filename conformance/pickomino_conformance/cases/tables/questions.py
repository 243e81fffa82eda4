"""What the rules ask about a table and a turn on it, and which answers can't go together.

The answers and what excludes what are data, `questions.toml`; here is how a question is answered.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

import msgspec

from pickomino_conformance.cases import fits
from pickomino_conformance.cases.dice import TILES, Dice
from pickomino_reference import (
    Claim,
    ExactOnOpponent,
    Rulings,
    Steal,
    StealBack,
    Table,
    Take,
)

HIGHEST = TILES[-1]
LOWEST = TILES[0]


class Drawn(NamedTuple):
    """A table, and a turn that ends on it.

    Attributes:
        table: the table.
        dice: what is set aside in the end.
        dead: whether a dead roll ends the turn.
        claim: what is claimed, if anything.
        claims: what can be claimed; nothing after a dead roll.
    """

    table: Table
    dice: Dice
    dead: bool
    claim: Claim | None
    claims: tuple[Claim, ...]

    @property
    def own(self) -> tuple[int, ...]:
        """The stack of the player to move."""
        return self.table.stacks[self.table.player]

    @property
    def opponents(self) -> list[tuple[int, ...]]:
        """The other stacks, that of the next player first."""
        stacks, player = self.table.stacks, self.table.player
        return [*stacks[player + 1 :], *stacks[:player]]

    @property
    def lower(self) -> list[int]:
        """The tiles of the grill below the total."""
        return [tile for tile in self.table.grill if tile < self.dice.total]


class TableQuestion(NamedTuple):
    """Something that the rules ask about a table or a turn.

    Attributes:
        name: the question, in a few words.
        answers: all answers, in the order in which they are listed.
        answer: tells the answer; none where the question makes no sense.
    """

    name: str
    answers: tuple[str, ...]
    answer: Callable[[Drawn], str | None]


Condition = tuple[str, str]
"""A question, and one of its answers."""

Pair = frozenset[Condition]
"""Two answers to different questions."""


class Never(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Answers of which one never holds together with one of the others.

    Attributes:
        why: why they can't go together.
        one: the answers, by their questions.
        other: the others, by their questions.
        rulings: the values of the rulings under which that is so; all that are not told.
    """

    why: str
    one: dict[str, tuple[str, ...]]
    other: dict[str, tuple[str, ...]]
    rulings: dict[str, tuple[str, ...]] = {}


class _ToldQuestion(msgspec.Struct, forbid_unknown_fields=True):
    """What `questions.toml` tells."""

    answers: dict[str, tuple[str, ...]]
    never: tuple[Never, ...]


_TOLD = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=_ToldQuestion)
NEVER = _TOLD.never
PLACES = _TOLD.answers["exact tile"]
SEATS = _TOLD.answers["seat"]
NUMBERS = _TOLD.answers["own stack"]


def _number(of: int) -> str:
    return NUMBERS[min(of, 3)]


def _own_top(drawn: Drawn) -> str | None:
    if not drawn.own:
        return None
    top, grill = drawn.own[-1], drawn.table.grill
    return "lower" if top < grill[0] else "higher" if top > grill[-1] else "between"


def _where(tile: int, drawn: Drawn) -> str:
    if tile in drawn.table.grill:
        return "on the grill"
    if tile in drawn.own:
        return "own top" if drawn.own[-1] == tile else "covered in the own stack"
    for stack in drawn.opponents:
        if tile in stack:
            return "shown by an opponent" if stack[-1] == tile else "covered by an opponent"
    return "face down"


def _shown_by(drawn: Drawn) -> str | None:
    tops = [stack[-1:] for stack in drawn.opponents]
    exact = (drawn.dice.total,)
    if exact not in tops:
        return None
    place = tops.index(exact)
    return (
        "the next player"
        if not place
        else "another one"
        if place < len(tops) - 1
        else "the one before"
    )


def _total(drawn: Drawn) -> str:
    total, grill = drawn.dice.total, drawn.table.grill
    if total < LOWEST:
        return "below every tile"
    if total > HIGHEST:
        return "above every tile"
    return (
        "below the grill"
        if total < grill[0]
        else "above the grill"
        if total > grill[-1]
        else "within the grill"
    )


def _next_lower(drawn: Drawn) -> str | None:
    if not drawn.lower:
        return None
    return "adjacent" if drawn.lower[-1] == drawn.dice.total - 1 else "with a gap"


def _end(drawn: Drawn) -> str:
    if drawn.dead:
        return "dead roll"
    if not drawn.dice.left:
        return "all dice"
    return "every face" if drawn.dice.every_face else "stop"


def _outcome(drawn: Drawn) -> str:
    if isinstance(drawn.claim, Steal):
        return "steals"
    if isinstance(drawn.claim, Take):
        return "takes the exact" if drawn.claim.tile == drawn.dice.total else "takes a lower one"
    return "fails"


def _choice(drawn: Drawn) -> str | None:
    if drawn.dead:
        return None
    kinds = {type(claim) for claim in drawn.claims}
    if len(kinds) == 2:
        return "the grill or a steal"
    if not kinds:
        return "nothing"
    return "the grill" if Take in kinds else "a steal"


def _grill(drawn: Drawn) -> str:
    size = len(drawn.table.grill)
    return "one tile" if size == 1 else "few tiles" if size < 5 else "many tiles"


def _after(drawn: Drawn) -> str | None:
    """Return whether the last tile is taken; what a failure leaves is not asked here."""
    if drawn.claim is None:
        return None
    last = isinstance(drawn.claim, Take) and len(drawn.table.grill) == 1
    return "the game is over" if last else "the game goes on"


def _barred(drawn: Drawn) -> str:
    barred, player = drawn.table.barred, drawn.table.player
    if drawn.dice.total in barred[player]:
        return "the exact tile"
    if barred[player]:
        return "another tile"
    return "a tile to an opponent" if any(barred) else "nothing"


_ANSWERS: dict[str, Callable[[Drawn], str | None]] = {
    "players": lambda drawn: str(len(drawn.table.stacks)),
    "seat": lambda drawn: str(drawn.table.player),
    "own stack": lambda drawn: _number(len(drawn.own)),
    "own top and the grill": _own_top,
    "tallest stack of an opponent": lambda drawn: _number(max(map(len, drawn.opponents))),
    f"the {HIGHEST}": lambda drawn: _where(HIGHEST, drawn),
    "exact tile": lambda drawn: (
        _where(drawn.dice.total, drawn) if drawn.dice.total in TILES else None
    ),
    "shown by": _shown_by,
    "total": _total,
    "lower tiles": lambda drawn: NUMBERS[min(len(drawn.lower), 2)],
    "next lower tile": _next_lower,
    "worm": lambda drawn: "yes" if drawn.dice.worm else "no",
    "end": _end,
    "faces": lambda drawn: _number(min(drawn.dice.faces, 3)),
    "outcome": _outcome,
    "to be claimed": _choice,
    "grill": _grill,
    "face down": lambda drawn: NUMBERS[min(len(drawn.table.face_down), 2)],
    "after": _after,
    "barred": _barred,
}
*QUESTIONS, BARRED = (
    TableQuestion(name, answers, _ANSWERS[name]) for name, answers in _TOLD.answers.items()
)


def questions(rulings: Rulings) -> tuple[TableQuestion, ...]:
    """Return what the rules ask under these rulings, with the answers that there can be."""
    asked = [*QUESTIONS, BARRED] if rulings.steal_back is StealBack.BARRED else [*QUESTIONS]
    if rulings.exact_on_opponent is ExactOnOpponent.STEAL:
        # Where the exact tile can be stolen, nothing else can be claimed.
        asked = [
            one._replace(answers=one.answers[:-1]) if one.answer is _choice else one
            for one in asked
        ]
    return tuple(asked)


def conditions(rulings: Rulings) -> list[Condition]:
    """Return every answer to every question under these rulings."""
    return _conditions({one.name: one.answers for one in questions(rulings)})


def conditions_of(drawn: Drawn, asked: tuple[TableQuestion, ...]) -> list[Condition]:
    """Return the conditions that hold, in the order of the questions."""
    answers = ((question.name, question.answer(drawn)) for question in asked)
    return [(name, answer) for name, answer in answers if answer is not None]


def impossible(rulings: Rulings) -> dict[Pair, str]:
    """Return the pairs of conditions that can't go together, each with the reason."""
    found: dict[Pair, str] = {}
    for never in NEVER:
        if fits(rulings, never.rulings):
            for pair in product(_conditions(never.one), _conditions(never.other)):
                found[frozenset(pair)] = never.why
    return found


def possible(rulings: Rulings) -> Iterator[tuple[Condition, Condition]]:
    """Yield the pairs of answers to different questions that can go together."""
    never = impossible(rulings)
    for one, other in combinations(conditions(rulings), 2):
        if one[0] != other[0] and frozenset((one, other)) not in never:
            yield one, other


def _conditions(told: dict[str, tuple[str, ...]]) -> list[Condition]:
    return [(question, answer) for question, answers in told.items() for answer in answers]
