"""A position as JSON has it, read into one of the reference, with errors for people."""

import difflib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pickomino_reference import BASE, Box, Position, Table, Turn

_POSITION = ("table", "kept", "roll")
_TABLE = ("grill", "stacks", "player", "face_down", "barred")


class Unreadable(ValueError):
    """A position that can't be read. The text says what was expected, and what came where."""


def read_position(plain: Any, box: Box = BASE) -> Position:
    """Return the position of `{"table": {...}, "kept": "WW555", "roll": null}`.

    `kept` may be left out if nothing is set aside, `roll` if no roll lies there. A table has
    `grill`, `stacks` (bottom to top), `player`, and maybe `face_down` and `barred`; tiles that
    it does not name lie face down.

    Raises:
        Unreadable: it is of another shape, or it can't be.
    """
    members = _object(plain, "the position", _POSITION)
    if "table" not in members:
        raise Unreadable("table is missing: what lies on the table, with grill, stacks and player.")
    table = read_table(members["table"], box)
    kept = _dice(members.get("kept", ""), "kept", box)
    roll = members.get("roll")
    rolled = "" if roll is None else _dice(roll, "roll", box)
    left = box.dice - len(kept)
    if left < 0:
        raise Unreadable(f"kept has {len(kept)} dice, but there are only {box.dice}.")
    if roll is not None and (len(rolled) != left or not left):
        have = "no dice are left to roll" if not left else f"a roll has {left} dice"
        raise Unreadable(
            f"roll has {len(rolled)} dice, but with {len(kept)} dice in kept {have}. "
            "roll is null if no roll lies there."
        )
    return Position(table, Turn(kept, rolled))


def read_table(plain: Any, box: Box = BASE) -> Table:
    """Return the table of `{"grill": [...], "stacks": [[...], ...], "player": 0}`.

    Raises:
        Unreadable: it is of another shape, or it can't be.
    """
    members = _object(plain, "table", _TABLE)
    for name in ("grill", "stacks", "player"):
        if name not in members:
            raise Unreadable(f"table.{name} is missing; a table has grill, stacks and player.")
    grill = _tiles(members["grill"], "table.grill", box)
    stacks = _stacks(members["stacks"], "table.stacks", box)
    fewest, most = box.players
    if not fewest <= len(stacks) <= most:
        raise Unreadable(
            f"table.stacks has a stack for each of {len(stacks)} players; "
            f"{fewest} to {most} can play."
        )
    _once([*grill, *(tile for stack in stacks for tile in stack)])
    rest = sorted(set(box.worms).difference(grill, *stacks))
    if "face_down" in members and members["face_down"] is not None:
        down = _tiles(members["face_down"], "table.face_down", box)
        if sorted(down) != rest:
            raise Unreadable(
                f"table.face_down names {_listed(down)}, but on the grill and the stacks "
                f"{_listed(rest)} are missing. Leave it out, and it is what is missing there."
            )
    player = members["player"]
    if not _is_number(player) or not 0 <= player < len(stacks):
        raise Unreadable(
            f"table.player is {_shown(player)}; it is whose turn it is, "
            f"a number from 0 to {len(stacks) - 1}."
        )
    barred = members.get("barred")
    bars = ((),) * len(stacks) if barred is None else _barred(barred, len(stacks), box)
    return Table(tuple(sorted(grill)), tuple(rest), stacks, player, bars)


def _object(plain: Any, name: str, known: Iterable[str]) -> Mapping[str, Any]:
    known = list(known)
    if not isinstance(plain, Mapping):
        raise Unreadable(f"{name} is {_shown(plain)}; it must be an object with {_and(known)}.")
    for member in plain:
        if member not in known:
            near = difflib.get_close_matches(str(member), known, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise Unreadable(
                f"{name} has a member {_shown(member)}, which is none of {_and(known)}.{hint}"
            )
    return plain


def _dice(plain: Any, name: str, box: Box) -> str:
    if not isinstance(plain, str):
        raise Unreadable(f'{name} is {_shown(plain)}; it must be dice in quotes, such as "WW555".')
    for face in plain:
        if face not in box.points:
            raise Unreadable(
                f"{name} has a die {_shown(face)}; the faces are {' '.join(box.points)}."
            )
    return "".join(sorted(plain))


def _tiles(plain: Any, name: str, box: Box) -> tuple[int, ...]:
    if not isinstance(plain, list | tuple):
        raise Unreadable(f"{name} is {_shown(plain)}; it must be a list of tiles.")
    for tile in plain:
        if not _is_number(tile) or tile not in box.worms:
            lowest, highest = min(box.worms), max(box.worms)
            raise Unreadable(
                f"{name} names {_shown(tile)}; tiles are the numbers {lowest} to {highest}."
            )
    return tuple(plain)


def _stacks(plain: Any, name: str, box: Box) -> tuple[tuple[int, ...], ...]:
    if not isinstance(plain, list | tuple):
        raise Unreadable(f"{name} is {_shown(plain)}; it must be a list of lists of tiles.")
    return tuple(_tiles(stack, f"{name}[{seat}]", box) for seat, stack in enumerate(plain))


def _barred(plain: Any, players: int, box: Box) -> tuple[tuple[int, ...], ...]:
    bars = _stacks(plain, "table.barred", box)
    if len(bars) != players:
        raise Unreadable(f"table.barred has {len(bars)} lists for {players} players.")
    return tuple(tuple(sorted(set(tiles))) for tiles in bars)


def _once(tiles: list[int]) -> None:
    twice = [tile for tile, number in Counter(tiles).items() if number > 1]
    if twice:
        raise Unreadable(f"The {twice[0]} lies in two places; each tile is there once.")


def _is_number(plain: Any) -> bool:
    return isinstance(plain, int) and not isinstance(plain, bool)


def _listed(tiles: Iterable[int]) -> str:
    return " ".join(map(str, sorted(tiles))) or "no tile"


def _and(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _shown(plain: Any) -> str:
    text = json.dumps(plain, ensure_ascii=False, default=repr)
    return text if len(text) <= 40 else f"{text[:40]}…"
