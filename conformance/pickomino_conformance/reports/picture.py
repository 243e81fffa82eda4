"""A case as a picture: the table before, the dice, and the table as it must be and as it came."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from pickomino_conformance import sentences
from pickomino_conformance.by_reference import (
    NAMES,
    NotOfTheGame,
    expected_reply,
    read_answer,
    read_params,
    read_script,
    table_of,
    up_to_the_departure,
)
from pickomino_conformance.cases import Outcome, Script
from pickomino_conformance.protocol import TurnParams
from pickomino_reference import BASE, Rulings, Table

DOWN = "face down"


class Tile(NamedTuple):
    """A tile, its worms, and whether it lies elsewhere on the other table."""

    number: int
    worms: int
    differs: bool


class Owner(NamedTuple):
    """A player and the own tiles, bottom to top."""

    name: str
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table, ready to be drawn."""

    title: str
    grill: tuple[Tile, ...]
    owners: tuple[Owner, ...]


class Die(NamedTuple):
    """A die, and whether it is set aside from this roll."""

    face: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll, and what the player does with it, in words."""

    dice: tuple[Die, ...]
    then: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A turn, ready to be drawn; tables that nobody knows are left out."""

    player: str
    before: Drawn
    rolls: tuple[Rolled, ...]
    after: tuple[Drawn, ...]


def draw(outcome: Outcome, rulings: Rulings) -> Picture | None:
    """Return the turn that departs as a picture; none if it is no turn."""
    if not outcome.exchanges:
        return None
    last = up_to_the_departure(outcome.exchanges, rulings)[-1]
    try:
        params = read_params(last)
        came = table_of(read_answer(last))
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None
    if not isinstance(params, TurnParams):
        return None
    script = read_script(params)
    names = NAMES if outcome.level == "features" else ()
    try:
        due = table_of(expected_reply(params, rulings))
    except NotOfTheGame:
        due = None
    differing = _differing(due, came) if due and came else frozenset()
    after = [("Expected", due), ("Came", came)]
    return Picture(
        player=sentences.player(script.table.player, names),
        before=_drawn("Before", script.table, names),
        rolls=tuple(_rolls(script, names)),
        after=tuple(_drawn(title, table, names, differing) for title, table in after if table),
    )


def _differing(one: Table, other: Table) -> frozenset[int]:
    """Return the tiles that do not lie at the same place."""
    here, there = _places(one), _places(other)
    return frozenset(tile for tile in BASE.worms if here.get(tile) != there.get(tile))


def _places(table: Table) -> dict[int, object]:
    places: dict[int, object] = dict.fromkeys(table.grill, "grill")
    for seat, own in enumerate(table.stacks):
        places |= {tile: (seat, height) for height, tile in enumerate(own)}
    return places


def _drawn(
    title: str, table: Table, names: Sequence[str], differing: frozenset[int] = frozenset()
) -> Drawn:
    def tiles(numbers: Sequence[int]) -> tuple[Tile, ...]:
        return tuple(Tile(one, BASE.worms[one], one in differing) for one in numbers)

    owners = (
        Owner(sentences.player(seat, names), tiles(own)) for seat, own in enumerate(table.stacks)
    )
    return Drawn(title, tiles(table.grill), tuple(owners))


def _rolls(script: Script, names: Sequence[str]) -> list[Rolled]:
    found = []
    for place, roll in enumerate(script.rolls):
        decision = script.decisions[place] if place < len(script.decisions) else None
        then = "no choice: the roll is dead"
        if decision is not None:
            then = f"sets aside {decision.keep}" if decision.keep else "sets nothing aside"
            if decision.claim:
                then += f", {sentences.claim(decision.claim, names)}"
            elif decision.then == "stop":
                then += ", stops"
            elif place == len(script.rolls) - 1:
                then += ", rolls on"
        kept = decision.keep if decision else None
        found.append(Rolled(tuple(Die(face, face == kept) for face in roll), then))
    return found
