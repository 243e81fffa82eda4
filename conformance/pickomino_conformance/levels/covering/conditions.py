"""What the rules ask about a table and a turn on it, and which answers can't go together."""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import NamedTuple

from pickomino_conformance.levels.scripting import TILES, Dice
from pickomino_reference import (
    BASE,
    Claim,
    ExactOnOpponent,
    LowerTile,
    Rulings,
    SixFaces,
    Steal,
    StealBack,
    StopWithoutClaim,
    Table,
    Take,
)

HIGHEST = TILES[-1]
LOWEST = TILES[0]


class Facts(NamedTuple):
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


class Question(NamedTuple):
    """Something that the rules ask about a table or a turn.

    Attributes:
        name: the question, in a few words.
        answers: all answers, in the order in which they are listed.
        answer: tells the answer; none where the question makes no sense.
    """

    name: str
    answers: tuple[str, ...]
    answer: Callable[[Facts], str | None]


Condition = tuple[str, str]
"""A question, and one of its answers."""

Pair = frozenset[Condition]
"""Two answers to different questions."""

NUMBERS = ("none", "one", "two", "more")


def _number(of: int) -> str:
    return NUMBERS[min(of, 3)]


def _own_top(facts: Facts) -> str | None:
    if not facts.own:
        return None
    top, grill = facts.own[-1], facts.table.grill
    return "lower" if top < grill[0] else "higher" if top > grill[-1] else "between"


def _where(tile: int, facts: Facts) -> str:
    if tile in facts.table.grill:
        return "on the grill"
    if tile in facts.own:
        return "own top" if facts.own[-1] == tile else "covered in the own stack"
    for stack in facts.opponents:
        if tile in stack:
            return "shown by an opponent" if stack[-1] == tile else "covered by an opponent"
    return "face down"


def _shown_by(facts: Facts) -> str | None:
    tops = [stack[-1:] for stack in facts.opponents]
    exact = (facts.dice.total,)
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


def _total(facts: Facts) -> str:
    total, grill = facts.dice.total, facts.table.grill
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


def _next_lower(facts: Facts) -> str | None:
    if not facts.lower:
        return None
    return "adjacent" if facts.lower[-1] == facts.dice.total - 1 else "with a gap"


def _end(facts: Facts) -> str:
    if facts.dead:
        return "dead roll"
    if not facts.dice.left:
        return "all dice"
    return "every face" if facts.dice.every_face else "stop"


def _outcome(facts: Facts) -> str:
    if isinstance(facts.claim, Steal):
        return "steals"
    if isinstance(facts.claim, Take):
        return "takes the exact" if facts.claim.tile == facts.dice.total else "takes a lower one"
    return "fails"


def _choice(facts: Facts) -> str | None:
    if facts.dead:
        return None
    kinds = {type(claim) for claim in facts.claims}
    if len(kinds) == 2:
        return "the grill or a steal"
    if not kinds:
        return "nothing"
    return "the grill" if Take in kinds else "a steal"


def _grill(facts: Facts) -> str:
    size = len(facts.table.grill)
    return "one tile" if size == 1 else "few tiles" if size < 5 else "many tiles"


def _after(facts: Facts) -> str | None:
    """Return whether the last tile is taken; what a failure leaves is not asked here."""
    if facts.claim is None:
        return None
    last = isinstance(facts.claim, Take) and len(facts.table.grill) == 1
    return "the game is over" if last else "the game goes on"


def _barred(facts: Facts) -> str:
    barred, player = facts.table.barred, facts.table.player
    if facts.dice.total in barred[player]:
        return "the exact tile"
    if barred[player]:
        return "another tile"
    return "a tile to an opponent" if any(barred) else "nothing"


PLACES = (
    "on the grill",
    "own top",
    "covered in the own stack",
    "shown by an opponent",
    "covered by an opponent",
    "face down",
)
OPEN = ("the grill", "a steal", "the grill or a steal")
SEATS = tuple(map(str, range(BASE.players[1])))
QUESTIONS = (
    Question("players", ("2", "3", "4", "5", "6", "7"), lambda f: str(len(f.table.stacks))),
    Question("seat", SEATS, lambda f: str(f.table.player)),
    Question("own stack", NUMBERS, lambda f: _number(len(f.own))),
    Question("own top and the grill", ("lower", "between", "higher"), _own_top),
    Question(
        "tallest stack of an opponent", NUMBERS, lambda f: _number(max(map(len, f.opponents)))
    ),
    Question(f"the {HIGHEST}", PLACES, lambda f: _where(HIGHEST, f)),
    Question(
        "exact tile",
        PLACES,
        lambda f: _where(f.dice.total, f) if f.dice.total in TILES else None,
    ),
    Question("shown by", ("the next player", "another one", "the one before"), _shown_by),
    Question(
        "total",
        (
            "below every tile",
            "below the grill",
            "within the grill",
            "above the grill",
            "above every tile",
        ),
        _total,
    ),
    Question("lower tiles", NUMBERS[:3], lambda f: NUMBERS[min(len(f.lower), 2)]),
    Question("next lower tile", ("adjacent", "with a gap"), _next_lower),
    Question("worm", ("yes", "no"), lambda f: "yes" if f.dice.worm else "no"),
    Question("end", ("stop", "all dice", "every face", "dead roll"), _end),
    Question("faces", ("one", "two", "more"), lambda f: _number(min(f.dice.faces, 3))),
    Question("outcome", ("takes the exact", "takes a lower one", "steals", "fails"), _outcome),
    Question("to be claimed", ("nothing", "the grill", "a steal", "the grill or a steal"), _choice),
    Question("grill", ("one tile", "few tiles", "many tiles"), _grill),
    Question("face down", NUMBERS[:3], lambda f: NUMBERS[min(len(f.table.face_down), 2)]),
    Question("after", ("the game goes on", "the game is over"), _after),
)
BARRED = Question(
    "barred", ("nothing", "the exact tile", "another tile", "a tile to an opponent"), _barred
)


def questions(rulings: Rulings) -> tuple[Question, ...]:
    """Return what the rules ask under these rulings, with the answers that there can be."""
    asked = [*QUESTIONS, BARRED] if rulings.steal_back is StealBack.BARRED else [*QUESTIONS]
    if rulings.exact_on_opponent is ExactOnOpponent.STEAL:
        # Where the exact tile can be stolen, nothing else can be claimed.
        asked = [
            one._replace(answers=("nothing", *OPEN[:2])) if one.answer is _choice else one
            for one in asked
        ]
    return tuple(asked)


class Never(NamedTuple):
    """Conditions of which one never holds together with one of the others.

    Attributes:
        question, answers: the ones.
        other, others: the others.
        why: why they can't go together.
        holds: whether that is so under these rulings.
    """

    question: str
    answers: tuple[str, ...]
    other: str
    others: tuple[str, ...]
    why: str
    holds: Callable[[Rulings], bool] = lambda _: True


def _steal_is_a_choice(rulings: Rulings) -> bool:
    return rulings.exact_on_opponent is ExactOnOpponent.CHOICE


def _no_steal_is_barred(rulings: Rulings) -> bool:
    return rulings.steal_back is StealBack.ALLOWED


def _a_steal_closes_the_grill(rulings: Rulings) -> bool:
    return not _steal_is_a_choice(rulings) and _no_steal_is_barred(rulings)


def _exact_closes_the_lower(rulings: Rulings) -> bool:
    return rulings.lower_tile is not LowerTile.ANY


def _a_stop_claims(rulings: Rulings) -> bool:
    return rulings.stop_without_claim is StopWithoutClaim.BARRED


def _every_face_is_a_stop_that_claims(rulings: Rulings) -> bool:
    return _a_stop_claims(rulings) and rulings.six_faces is SixFaces.ROLL_ON


def _steal_back_barred(rulings: Rulings) -> bool:
    return rulings.steal_back is StealBack.BARRED


_SHOWN = "shown by an opponent"
_BY = ("the next player", "another one", "the one before")
_OUTSIDE = ("below every tile", "above every tile")
_CLAIMS = ("takes the exact", "takes a lower one", "steals")
_STEALS = ("a steal", "the grill or a steal")
_TAKES = ("the grill", "the grill or a steal")
_AFTER = ("the game goes on", "the game is over")
_TALLEST = "tallest stack of an opponent"
_OWN_TOP = "own top and the grill"
_THE_HIGHEST = f"the {HIGHEST}"


def _elsewhere(*places: str) -> tuple[str, ...]:
    """Return the places where a tile can lie, but for these."""
    return tuple(place for place in PLACES if place not in places)


NEVER = (
    *(
        Never("players", (str(players),), "seat", SEATS[players:], "there are not so many seats")
        for players in range(BASE.players[0], BASE.players[1])
    ),
    Never("players", ("2",), "shown by", _BY[1:], "two players have one opponent each"),
    Never("players", ("3",), "shown by", _BY[1:2], "one opponent comes next, one came before"),
    Never("own stack", ("none",), _OWN_TOP, ("lower", "between", "higher"), "there is no own top"),
    *(
        never
        for tile in (_THE_HIGHEST, "exact tile")
        for never in (
            Never(
                "own stack", ("none",), tile, ("own top", "covered in the own stack"), "no own tile"
            ),
            Never("own stack", ("one",), tile, ("covered in the own stack",), "one covers nothing"),
            Never(
                _TALLEST,
                ("none",),
                tile,
                (_SHOWN, "covered by an opponent"),
                "the opponents own nothing",
            ),
            Never(_TALLEST, ("one",), tile, ("covered by an opponent",), "one covers nothing"),
            Never("face down", ("none",), tile, ("face down",), "it is face down itself"),
        )
    ),
    Never(_OWN_TOP, ("lower", "between"), _THE_HIGHEST, ("own top",), "it is the highest of all"),
    Never(_OWN_TOP, ("higher",), _THE_HIGHEST, ("on the grill",), "it is the highest of all"),
    Never(_OWN_TOP, ("between",), "grill", ("one tile",), "nothing is between one tile"),
    Never(
        _OWN_TOP, ("between",), "after", ("the game is over",), "nothing is between the last tile"
    ),
    Never(_TALLEST, ("none",), "shown by", _BY, "the opponents own nothing"),
    Never(_TALLEST, ("none",), "outcome", ("steals",), "the opponents own nothing"),
    Never(_TALLEST, ("none",), "to be claimed", _STEALS, "the opponents own nothing"),
    Never(
        _THE_HIGHEST, ("on the grill",), "total", ("above the grill",), "no tile is above the 36"
    ),
    Never("exact tile", _elsewhere(_SHOWN), "shown by", _BY, "it lies elsewhere"),
    Never("exact tile", PLACES, "total", _OUTSIDE, "no tile has such a number"),
    Never("shown by", _BY, "total", _OUTSIDE, "no tile has such a number"),
    Never(
        "exact tile",
        ("on the grill",),
        "total",
        ("below the grill", "above the grill"),
        "the total is a number of the grill",
    ),
    Never(
        "exact tile",
        ("on the grill",),
        "outcome",
        ("takes a lower one",),
        "the exact tile closes the lower ones",
        _exact_closes_the_lower,
    ),
    Never(
        "exact tile", _elsewhere("on the grill"), "outcome", ("takes the exact",), "it is not there"
    ),
    Never("shown by", _BY, "outcome", ("takes the exact",), "it is not on the grill"),
    Never("exact tile", _elsewhere(_SHOWN), "outcome", ("steals",), "nobody shows it"),
    Never("exact tile", _elsewhere(_SHOWN), "to be claimed", _STEALS, "nobody shows it"),
    *(
        Never(question, shown, "to be claimed", ("the grill",), "it can be stolen", holds)
        for question, shown in (("exact tile", (_SHOWN,)), ("shown by", _BY))
        for holds in (_no_steal_is_barred,)
    ),
    *(
        Never(
            question,
            shown,
            other,
            (answer,),
            "the steal closes the grill",
            _a_steal_closes_the_grill,
        )
        for question, shown in (("exact tile", (_SHOWN,)), ("shown by", _BY))
        for other, answer in (("outcome", "takes a lower one"), ("after", "the game is over"))
    ),
    *(
        never
        for total in ("below every tile", "below the grill")
        for never in (
            Never("total", (total,), "lower tiles", ("one", "two"), "no tile is below it"),
            Never(
                "total", (total,), "next lower tile", ("adjacent", "with a gap"), "none is below it"
            ),
            Never("total", (total,), "outcome", _CLAIMS[:2], "no tile of the grill is in reach"),
            Never("total", (total,), "to be claimed", _TAKES, "no tile of the grill is in reach"),
            Never("total", (total,), "after", ("the game is over",), "the last tile stays"),
        )
    ),
    Never("total", _OUTSIDE, "outcome", ("steals",), "no tile has such a number"),
    Never("total", _OUTSIDE, "to be claimed", _STEALS, "no tile has such a number"),
    Never("total", ("below every tile",), "after", ("the game goes on",), "nothing is claimed"),
    Never(
        "total",
        ("within the grill", "above the grill"),
        "to be claimed",
        ("a steal",),
        "the grill has a tile in reach",
        _steal_is_a_choice,
    ),
    Never(
        "lower tiles",
        ("one", "two"),
        "to be claimed",
        ("a steal",),
        "the grill has a tile in reach",
        _steal_is_a_choice,
    ),
    Never(
        "next lower tile",
        ("adjacent", "with a gap"),
        "to be claimed",
        ("a steal",),
        "the grill has a tile in reach",
        _steal_is_a_choice,
    ),
    Never(
        "total",
        ("above the grill", "above every tile"),
        "lower tiles",
        ("none",),
        "the whole grill is lower",
    ),
    Never(
        "total",
        ("above the grill", "above every tile"),
        "outcome",
        ("takes the exact",),
        "the grill has no such tile",
    ),
    Never(
        "total",
        ("above every tile",),
        "end",
        ("stop", "every face", "dead roll"),
        "seven dice count 35 at most",
    ),
    Never("lower tiles", ("none",), "next lower tile", ("adjacent", "with a gap"), "there is none"),
    Never("lower tiles", ("none",), "outcome", ("takes a lower one",), "there is none"),
    Never(
        "lower tiles",
        ("none",),
        "to be claimed",
        ("the grill or a steal",),
        "a tile to steal is not on the grill, so a lower one is",
    ),
    Never("lower tiles", ("two",), "grill", ("one tile",), "there is one tile"),
    Never("lower tiles", ("two",), "after", ("the game is over",), "one of the two is left"),
    Never("worm", ("no",), "end", ("every face",), "a worm is one of the faces"),
    Never("worm", ("no",), "outcome", _CLAIMS, "nothing is claimed without a worm"),
    Never("worm", ("no",), "to be claimed", OPEN, "nothing is claimed without a worm"),
    Never("worm", ("no",), "after", _AFTER, "nothing is claimed without a worm"),
    Never("end", ("every face",), "faces", ("one", "two"), "there are six"),
    Never("end", ("dead roll",), "outcome", _CLAIMS, "a dead roll fails"),
    Never(
        "end", ("dead roll",), "to be claimed", ("nothing", *OPEN), "after a dead roll none asks"
    ),
    Never("end", ("dead roll",), "after", _AFTER, "a dead roll claims nothing"),
    Never("outcome", _CLAIMS, "to be claimed", ("nothing",), "something is claimed"),
    Never("outcome", _CLAIMS[:2], "to be claimed", ("a steal",), "a tile of the grill is taken"),
    Never(
        "outcome",
        ("takes the exact",),
        "to be claimed",
        ("the grill or a steal",),
        "the exact tile can't be stolen: it is on the grill",
    ),
    Never("outcome", ("steals",), "to be claimed", ("the grill",), "a tile is stolen"),
    Never("outcome", ("steals",), "after", ("the game is over",), "the grill stays as it is"),
    Never("outcome", ("fails",), "to be claimed", OPEN, "whoever can claim must"),
    Never("outcome", ("fails",), "after", _AFTER, "nothing is claimed"),
    Never("to be claimed", ("nothing",), "after", _AFTER, "nothing is claimed"),
    Never("to be claimed", ("a steal",), "after", ("the game is over",), "the grill stays"),
    Never("grill", ("few tiles", "many tiles"), "after", ("the game is over",), "tiles are left"),
    *(
        Never("end", ends, question, answers, "one may not stop without a claim", holds)
        for ends, holds in (
            (("stop",), _a_stop_claims),
            (("every face",), _every_face_is_a_stop_that_claims),
        )
        for question, answers in (
            ("outcome", ("fails",)),
            ("to be claimed", ("nothing",)),
            ("worm", ("no",)),
            ("total", ("below every tile",)),
        )
        if (ends, question) != (("every face",), "worm")
    ),
    *(
        Never("barred", ("the exact tile",), question, answers, why, _steal_back_barred)
        for question, answers, why in (
            ("exact tile", _elsewhere(_SHOWN), "what is barred shows on another's stack"),
            ("total", _OUTSIDE, "no tile has such a number"),
            (_TALLEST, ("none",), "what is barred shows on another's stack"),
            ("outcome", ("takes the exact", "steals"), "the exact tile shows, and is barred"),
            ("to be claimed", _STEALS, "the exact tile is barred"),
        )
    ),
    Never(
        "barred",
        ("another tile",),
        _TALLEST,
        ("none",),
        "what is barred shows on another's stack",
        _steal_back_barred,
    ),
)


def conditions(rulings: Rulings) -> list[Condition]:
    """Return every answer to every question under these rulings."""
    return [(one.name, answer) for one in questions(rulings) for answer in one.answers]


def conditions_of(facts: Facts, asked: tuple[Question, ...]) -> list[Condition]:
    """Return the conditions that hold, in the order of the questions."""
    answers = ((question.name, question.answer(facts)) for question in asked)
    return [(name, answer) for name, answer in answers if answer is not None]


def impossible(rulings: Rulings) -> dict[Pair, str]:
    """Return the pairs of conditions that can't go together, each with the reason."""
    found: dict[Pair, str] = {}
    for never in NEVER:
        if never.holds(rulings):
            for answer, other in product(never.answers, never.others):
                found[frozenset(((never.question, answer), (never.other, other)))] = never.why
    return found


def possible(rulings: Rulings) -> Iterator[tuple[Condition, Condition]]:
    """Yield the pairs of answers to different questions that can go together."""
    never = impossible(rulings)
    for one, other in combinations(conditions(rulings), 2):
        if one[0] != other[0] and frozenset((one, other)) not in never:
            yield one, other
