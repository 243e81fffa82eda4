"""Tables, turns, answers and differences as sentences, for people.

They are made here, and nowhere is one taken apart again. What an engine says stands in them as a
quotation (`quoted`), never as words of ours.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import UNSET

from pickomino_conformance.cases import Outcome
from pickomino_conformance.compare import (
    ANSWER,
    BREAKDOWN,
    INVARIANT,
    NO_FIT,
    REFUSAL,
    RESULT,
    Difference,
    parts,
)
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.messages import (
    MISFIT,
    MOST_QUOTED,
    REFUSED,
    ClaimMessage,
    ErrorData,
    ErrorMessage,
    StartResult,
    TableMessage,
    TurnResult,
    cut,
    quoted,
)
from pickomino_conformance.protocol.translate import Ask, Scoring, Settling, Start, read_claim
from pickomino_reference import Claim, Decision, Position, Script, Table, Take

# The players, where they have names.
NAMES = ("Ann", "Bob", "Cas", "Dee", "Eve", "Fay", "Gus")
WANTED = ("roll", "decision", "claim")

Names = Sequence[str]


def message(outcome: Outcome) -> str:
    """Return a case, what must come and what came (or why nothing did), in a few sentences."""
    return f"{sentence(tell_case(outcome))} {tell_verdict(outcome)}".strip()


def tell_verdict(outcome: Outcome) -> str:
    """Return what must come, and what came; or why nothing did; in sentences."""
    names = outcome.players
    told = (
        ("Expected: ", tell_expected(outcome.differences, names)),
        ("Came: ", tell_came(outcome.differences, names)),
        ("", tell_reason(outcome)),
    )
    return " ".join(begin + sentence(clause) for begin, clause in told if clause)


def tell_reason(outcome: Outcome, most: int = MOST_QUOTED) -> str:
    """Return why a case was not judged, or how the engine erred; empty if neither."""
    reason = cut(outcome.reason, most)
    return reason[:1].upper() + reason[1:]


def tell_case(outcome: Outcome, names: Names | None = None) -> str:
    """Return what was asked, as a sentence without its full stop; empty if nothing was.

    The requests with whose table it goes on are told, too.
    """
    if not outcome.exchanges:
        return ""
    names = outcome.players if names is None else names
    last = outcome.at % len(outcome.exchanges)
    first = last
    while first > 0 and outcome.exchanges[first].goes_on:
        first -= 1
    told = tell_ask(outcome.exchanges[first].ask, names)
    for before, then in pairwise(outcome.exchanges[first : last + 1]):
        refused = before.answer.get("error", {}).get("code") == REFUSED
        joint = ". It is refused, as it must be, and then: " if refused else "; then "
        told += joint + _act(then.ask, names)
    return told


def tell_expected(
    differences: Iterable[Difference], names: Names = (), right: Reply | None = None
) -> str:
    """Return what must come, as a clause; empty if nothing differs.

    `right`, if it is given, is told where the whole answer is of another kind.
    """
    found = tuple(differences)
    if right is not None and any(one.part in (ANSWER, INVARIANT) for one in found):
        return reply(right, names)
    return "; ".join(_expected(one, names) for one in found)


def tell_came(differences: Iterable[Difference], names: Names = (), most: int = MOST_QUOTED) -> str:
    """Return what came instead, as a clause; empty if nothing differs."""
    return "; ".join(_came(one, names, most) for one in differences)


def tell_ask(ask: Ask, names: Names = ()) -> str:
    """Return what is asked, as a sentence without its full stop."""
    match ask:
        case Start():
            return _act(ask, names)
        case Scoring(stacks):
            return f"{_owners(stacks, names)}. {_act(ask, names)}"
        case _:
            return f"{table(ask.table, names)}. {_act(ask, names)}"


def reply(told: Reply, names: Names = (), most: int = MOST_QUOTED) -> str:
    """Return a reply, as a clause."""
    match told:
        case TurnResult() | StartResult():
            return table(told.table, names)
        case ErrorMessage(code=code) if code == REFUSED:
            return "it is refused"
        case ErrorMessage():
            return error(told, most)
        case _:
            found = parts(told).items()
            return "; ".join(_part(name, one, names) for name, one in found if name != ANSWER)


def sentence(clause: str) -> str:
    """Return a clause with its full stop."""
    return clause if not clause or clause.endswith((".", "?", "!")) else f"{clause}."


def count(number: int, noun: str) -> str:
    """Return `1 case`, `2 cases`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def dice(roll: str) -> str:
    """Return dice as `1 1 2 W`."""
    return " ".join(roll)


def tiles(numbers: Iterable[int]) -> str:
    """Return tiles as `21 to 24, 36` (runs of three and more joined), or `no tile`."""
    return spans(sorted(numbers), between=", ", nothing="no tile")


def spans(
    numbers: Iterable[int], to: str = "{} to {}", between: str = " ", nothing: str = "nothing"
) -> str:
    """Return numbers as `21 to 23 36`, in their order.

    Args:
        numbers: tiles.
        to: the form of a run of three and more.
        between: what stands between two.
        nothing: what is said for none.
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = [
        to.format(run[0], run[-1]) if len(run) > 2 else between.join(map(str, run)) for run in runs
    ]
    return between.join(shown) or nothing


def stack(numbers: Sequence[int]) -> str:
    """Return a stack, bottom to top, or `no tile`."""
    return " ".join(map(str, numbers)) or "no tile"


def player(number: int, names: Names = ()) -> str:
    """Return a player's name, or `player 0`."""
    return names[number] if number < len(names) else f"player {number}"


def table(value: Table | TableMessage, names: Names = ()) -> str:
    """Return a table: the grill, then who owns what, and what is barred to whom."""
    told = [f"grill {tiles(value.grill)}"]
    if value.stacks:
        told.append(_owners(value.stacks, names))
    if value.barred and any(value.barred):
        told.append(_barred(value.barred, names))
    return "; ".join(told)


def turn(script: Script, names: Names = ()) -> str:
    """Return a turn: who rolls what, sets aside what, and how it ends."""
    told: list[str] = []
    for index, roll in enumerate(script.rolls):
        told.append(f"rolls {dice(roll)}")
        if index < len(script.decisions):
            last = index == len(script.rolls) - 1
            told += decision(script.decisions[index], names, last=last)
    return f"{player(script.table.player, names)} {', '.join(told)}"


def claim(made: Claim, names: Names = ()) -> str:
    """Return a claim: `takes 25` or `steals from player 1`."""
    if isinstance(made, Take):
        return f"takes {made.tile}"
    return f"steals from {player(made.player, names)}"


def error(told: ErrorMessage, most: int = MOST_QUOTED) -> str:
    """Return what an engine's error means, and what it says: that it refuses, or asks for more."""
    said = f" ({quoted(told.message, most)})" if told.message else ""
    if told.code == REFUSED:
        return f"it refuses the turn{said}"
    if told.code == MISFIT:
        return f"it does not end the turn there{_wants(told, most)}{said}"
    return f"error {told.code}{said}"


def _wants(told: ErrorMessage, most: int) -> str:
    data = ErrorData()
    # Whatever else an engine says there is none of our business.
    with suppress(msgspec.DecodeError):
        data = msgspec.json.decode(told.data or b"{}", type=ErrorData)
    wants = ""
    if data.wants is not UNSET:
        known = data.wants in WANTED
        wants = f" but wants {f'a {data.wants}' if known else quoted(data.wants, most)}"
    rolls = "" if data.after_rolls is UNSET else f" after roll {data.after_rolls}"
    return wants + rolls


def decision(made: Decision, names: Names = (), *, last: bool) -> list[str]:
    """Return what is done with a roll; to roll on is told of the last one only."""
    told = ["sets nothing aside" if made.keep is None else f"sets aside {made.keep}"]
    if made.then == "stop":
        end = "stops" if made.claim is None else f"stops and {claim(made.claim, names)}"
        told.append(end)
    elif last:
        told.append("rolls on")
    return told


def _act(ask: Ask, names: Names) -> str:
    """Return what is done on the table of a request."""
    match ask:
        case Script():
            return turn(ask, names)
        case Start(players):
            return f"A game for {count(players, 'player')} is set up"
        case Scoring():
            return "The worms are counted"
        case Position(before, (set_aside, rolled)):
            roll = f", and has rolled {dice(rolled)}" if rolled else ""
            aside = f"{player(before.player, names)} has {dice(set_aside) or 'nothing'} set aside"
            return f"{aside}{roll}. What is legal is asked"
        case Settling(before, kept, claimed, dead):
            end = "stops" if claimed is None else f"stops and {claim(claimed, names)}"
            end = "rolls no face that is new" if dead else end
            return f"{player(before.player, names)} has {dice(kept)} set aside, and {end}"


def _owners(stacks: Sequence[Sequence[int]], names: Names) -> str:
    return "; ".join(f"{player(seat, names)} owns {stack(own)}" for seat, own in enumerate(stacks))


def _barred(barred: Sequence[Sequence[int]], names: Names) -> str:
    told = (
        f"barred to {player(seat, names)}: {tiles(some)}"
        for seat, some in enumerate(barred)
        if some
    )
    return "; ".join(told) or "nothing is barred"


def _winners(seats: Sequence[int], names: Names) -> str:
    players = " and ".join(player(seat, names) for seat in seats)
    return f"won by {players or 'nobody'}"


# How a part of an answer is told, by the first word of its name; see `compare.parts`. What is left
# of its name is the number of a player, or of a tile.
_PARTS: dict[str, Callable[[Any, str, Names], str]] = {
    "grill": lambda value, _, __: f"grill {tiles(value)}",
    "seats": lambda value, _, __: count(value, "stack"),
    "stack": lambda value, seat, names: f"{player(int(seat), names)} owns {stack(value)}",
    "stacks": lambda value, _, names: _owners(value, names),
    "player": lambda value, _, names: f"{player(value, names)} is next",
    "barred": lambda value, _, names: _barred(value, names),
    "over": lambda value, _, __: "the game is over" if value else "the game goes on",
    "rolls_used": lambda value, _, __: f"{count(value, 'roll')} used",
    "trace": lambda value, _, __: (
        f"trace {', '.join(f'{kept}: {left} left' for kept, left in value)}"
    ),
    "totals": lambda value, _, __: f"totals {', '.join(map(str, value))}",
    "face_up": lambda value, tile, __: (
        f"the {tile} is {'' if value else 'not '}face up on the grill"
    ),
    "face_down": lambda value, tile, __: f"the {tile} is {'' if value else 'not '}face down",
    "winners": lambda value, _, names: _winners(value, names),
    "keep": lambda value, _, __: f"may set aside {', '.join(value) or 'nothing'}",
    "roll": lambda value, _, __: "may roll" if value else "may not roll",
    "stop": lambda value, _, __: "may stop" if value else "may not stop",
    "claims": lambda value, _, names: (
        ", ".join(claim(read_claim(msgspec.convert(one, ClaimMessage)), names) for one in value)
        or "nothing to claim"
    ),
}

# What holds for every table, and what a table shows for which it does not hold; see
# `compare.invariant`.
_INVARIANTS: dict[str, tuple[str, Callable[[list[int], TableMessage], str]]] = {
    "tiles-of-the-box": (
        "only tiles of the box",
        lambda found, _: f"tile {found[0]} is not in the box",
    ),
    "each-tile-once": ("every tile once", lambda found, _: f"tile {found[0]} is there twice"),
    "face-down-is-what-is-missing": (
        "what is face down lies nowhere else",
        lambda found, told: (
            f"face-down tiles {tiles(told.face_down or ())} where {tiles(found)} are missing "
            "elsewhere"
        ),
    ),
    "a-stack-a-player": (
        "a stack for each player",
        lambda found, told: f"{len(told.stacks)} stacks for {found[0]} players",
    ),
    "the-player-has-a-seat": (
        "a player who has a seat is next",
        lambda found, _: f"player {found[0]} has no seat; players are numbered from 0",
    ),
    "face-down-for-good": (
        "what is face down is out of the game",
        lambda found, _: f"face-down tiles are back in the game: {tiles(found)}",
    ),
    "one-tile-a-turn": (
        "one tile at most leaves the game in a turn",
        lambda found, _: f"more than one tile left the game in one turn: {tiles(found)}",
    ),
}
_KINDS = {
    RESULT: "it is accepted",
    REFUSAL: "it is refused",
    NO_FIT: "the turn does not end there",
    BREAKDOWN: "it breaks down",
}


def _part(name: str, value: Any, names: Names) -> str:
    """Return a part of an answer, as a clause; none is the value of what is not there."""
    first, _, number = name.partition(".")
    if first == "worms":
        who = f"{player(int(number), names)} has " if number else ""
        counts = [value] if number else value
        return f"{who}{', '.join('no' if one is None else str(one) for one in counts)} worms"
    return _PARTS[first](value, number, names) if first in _PARTS else f"{name} {value}"


def _expected(one: Difference, names: Names) -> str:
    if one.part == ANSWER:
        return _KINDS.get(one.expected, str(one.expected))
    if one.part == INVARIANT:
        return _INVARIANTS[one.expected][0]
    return _part(one.part, one.expected, names)


def _came(one: Difference, names: Names, most: int) -> str:
    if one.part == ANSWER:
        return _answer(one, names, most)
    if one.part == INVARIANT:
        told = msgspec.convert(one.actual["table"], TableMessage)
        what = _INVARIANTS[one.expected][1](one.actual["tiles"], told)
        return f"an impossible table, {what}: {table(told, names)}"
    return _part(one.part, one.actual, names)


def _answer(one: Difference, names: Names, most: int) -> str:
    """Return a whole answer that is of another kind than it must be."""
    answer: dict[str, Any] = one.actual
    if "result" in answer:
        shown = answer["result"].get("table")
        lies = f": {table(msgspec.convert(shown, TableMessage), names)}" if shown else ""
        return f"it is accepted{lies}"
    if "error" in answer:
        told = msgspec.json.decode(msgspec.json.encode(answer["error"]), type=ErrorMessage)
        accepted = one.expected == REFUSAL and told.code == MISFIT
        return f"{'it is accepted, and ' if accepted else ''}{error(told, most)}"
    return f"it breaks down ({quoted(answer['broken'], most)})" if answer else "nothing was asked"
