"""Why a move may be made or not, and what comes of it.

Everything here but `showing`, which prints it, needs the standard library and
`pickomino_reference` only, so that it runs wherever the reference runs, in a browser too.
`explain_plain` is the whole of it with JSON values in and out.
"""

import difflib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pickomino_conformance.explain.consequences import (
    Claimed,
    Consequence,
    Failed,
    Kept,
    Rolled,
    in_words,
)
from pickomino_conformance.explain.moves import Explained, Explanation, Hinge, Why, explain
from pickomino_reference import (
    BASE,
    Move,
    Position,
    Roll,
    Rulings,
    SetAside,
    Steal,
    StealBack,
    Table,
    Take,
    Turn,
    make_rulings,
    ruling_values,
)

_POSITION = ("table", "kept", "roll")
_TABLE = ("grill", "stacks", "player", "face_down", "barred")


class Unreadable(ValueError):
    """A position that can't be read. The text says what was expected, and what came where."""


def read_position(plain: Any) -> Position:
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
    table = read_table(members["table"])
    kept = _dice(members.get("kept", ""), "kept")
    roll = members.get("roll")
    rolled = "" if roll is None else _dice(roll, "roll")
    left = BASE.dice - len(kept)
    if left < 0:
        raise Unreadable(f"kept has {len(kept)} dice, but there are only {BASE.dice}.")
    if roll is not None and (len(rolled) != left or not left):
        have = "no dice are left to roll" if not left else f"a roll has {left} dice"
        raise Unreadable(
            f"roll has {len(rolled)} dice, but with {len(kept)} dice in kept {have}. "
            "roll is null if no roll lies there."
        )
    return Position(table, Turn(kept, rolled))


def read_table(plain: Any) -> Table:
    """Return the table of `{"grill": [...], "stacks": [[...], ...], "player": 0}`.

    Raises:
        Unreadable: it is of another shape, or it can't be.
    """
    members = _object(plain, "table", _TABLE)
    for name in ("grill", "stacks", "player"):
        if name not in members:
            raise Unreadable(f"table.{name} is missing; a table has grill, stacks and player.")
    grill = _tiles(members["grill"], "table.grill")
    stacks = _stacks(members["stacks"], "table.stacks")
    fewest, most = BASE.players
    if not fewest <= len(stacks) <= most:
        raise Unreadable(
            f"table.stacks has a stack for each of {len(stacks)} players; "
            f"{fewest} to {most} can play."
        )
    _once([*grill, *(tile for stack in stacks for tile in stack)])
    rest = sorted(set(BASE.worms).difference(grill, *stacks))
    if "face_down" in members and members["face_down"] is not None:
        down = _tiles(members["face_down"], "table.face_down")
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
    bars = ((),) * len(stacks) if barred is None else _barred(barred, len(stacks))
    return Table(tuple(sorted(grill)), tuple(rest), stacks, player, bars)


def explain_plain(position: dict[str, Any], rulings: dict[str, str]) -> dict[str, Any]:
    """Return why each move may be made in a position, or why not, as JSON values.

    `position` is `{"table": {...}, "kept": "WW555", "roll": null}`, in the words of the adapter
    protocol. `rulings` are values by the ids of rulings; one that is left out is the
    rulebook's.

    The result has

    - `table`, `kept`, `roll`: the position, in order and complete;
    - `rulings`: the value of every ruling;
    - `total` of the dice set aside, `dice` not set aside, `over`: whether the game is over;
    - `failed`: a failed turn (see below) if the position is one: a dead roll lies there, or the
      rolling is over with nothing to claim; else null;
    - `moves`: every move that a person might try, in this order: `{"keep": face}` for the six
      faces, `{"roll": dice}`, `{"stop": true}` (with nothing to claim), `{"take": tile}` for
      all tiles, `{"steal": player}` for all players, the one to move too.

    A move has

    - `move`, `allowed`;
    - `why`: the reason, a value of `Why`; `because`: the same as an English sentence;
    - `facts`: what the sentence may speak of: `total`, `dice` (how many are left), `mover` (the
      player to move), and as far as there are such: `face`, `tile`, `player` (who owns the tile,
      or is to be robbed), `next` (the next lower tile of the grill);
    - `rules`: ids of the rules that allow or forbid it, the one that decides first;
    - `hinges`: the rulings on which it hangs whether it is allowed, or what comes of it:
      `{"ruling", "value", "otherwise": [values that would change something]}`;
    - `consequence`: what comes of it, null if it is not allowed.

    A consequence has a `kind`, the `rules` that bring it about, `words`: the same as English
    sentences, and by its kind

    - `kept`: `kept`, `total`, `dice`, `rolling_over`, `claims` (what may be claimed now), and
      `failed` if the rolling is over with nothing to claim;
    - `rolled`: `dice`, `dead` (the roll is dead if it shows these faces only), and `failed`
      (what a dead roll brings; null if no roll can be dead);
    - `claimed`: `tile`, `covers`, `uncovers`, `table`, `over`, `worms`, `winners`;
    - `failed`: `returned`, `turned_tiles` (none, one or two), `turned` (the first of them),
      `table`, `over`, `worms`, `winners`.

    Tiles that are not there are null, and so are `worms` and `winners` while the game goes on.

    Raises:
        ValueError: the position, a ruling or a value can't be read or can't be; the text is for
            people.
    """
    return plain_explanation(explain(read_position(position), make_rulings(rulings)))


def plain_explanation(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as `explain_plain` has it."""
    table, turn = explanation.position
    rulings = explanation.rulings
    return {
        "table": _table(table, rulings),
        "kept": turn.set_aside,
        "roll": turn.rolled or None,
        "rulings": ruling_values(rulings),
        "total": explanation.total,
        "dice": explanation.dice,
        "over": explanation.over,
        "failed": _consequence(explanation.failed, rulings),
        "moves": [_explained(one, rulings) for one in explanation.moves],
    }


def _explained(one: Explained, rulings: Rulings) -> dict[str, Any]:
    return {
        "move": plain_move(one.move),
        "allowed": one.allowed,
        "why": str(one.why),
        "facts": dict(one.facts),
        "because": one.because,
        "rules": list(map(str, one.rules)),
        "hinges": [hinge._asdict() | {"otherwise": list(hinge.otherwise)} for hinge in one.hinges],
        "consequence": _consequence(one.consequence, rulings),
    }


def plain_move(move: Move) -> dict[str, Any]:
    """Return a move as one member: `keep`, `roll` (how many dice), `stop`, `take`, `steal`."""
    match move:
        case SetAside(face):
            return {"keep": face}
        case Roll(dice):
            return {"roll": len(dice)}
        case Take(tile):
            return {"take": tile}
        case Steal(player):
            return {"steal": player}
        case _:
            return {"stop": True}


def _consequence(one: Consequence | None, rulings: Rulings) -> dict[str, Any] | None:
    if one is None:
        return None
    plain: dict[str, Any] = {"kind": type(one).__name__.lower(), **one._asdict()}
    plain |= {"rules": list(map(str, one.rules)), "words": in_words(one)}
    if isinstance(one, Kept | Rolled):
        plain["failed"] = _consequence(one.failed, rulings)
    else:
        del plain["score"]
        plain |= {
            "table": _table(one.table, rulings),
            "over": one.score is not None,
            "worms": one.score and list(one.score.worms),
            "winners": one.score and list(one.score.winners),
        }
    if isinstance(one, Kept):
        plain |= {"kept": plain.pop("set_aside"), "claims": list(map(plain_move, one.claims))}
    if isinstance(one, Failed):
        plain["turned"] = one.turned[0] if one.turned else None
        plain["turned_tiles"] = list(one.turned)
    return plain


def _table(table: Table, rulings: Rulings) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "grill": list(table.grill),
        "face_down": list(table.face_down),
        "stacks": [list(stack) for stack in table.stacks],
        "player": table.player,
    }
    if rulings.steal_back is StealBack.BARRED:
        plain["barred"] = [list(tiles) for tiles in table.barred]
    return plain


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


def _dice(plain: Any, name: str) -> str:
    if not isinstance(plain, str):
        raise Unreadable(f'{name} is {_shown(plain)}; it must be dice in quotes, such as "WW555".')
    for face in plain:
        if face not in BASE.points:
            raise Unreadable(
                f"{name} has a die {_shown(face)}; the faces are {' '.join(BASE.points)}."
            )
    return "".join(sorted(plain))


def _tiles(plain: Any, name: str) -> tuple[int, ...]:
    if not isinstance(plain, list | tuple):
        raise Unreadable(f"{name} is {_shown(plain)}; it must be a list of tiles.")
    for tile in plain:
        if not _is_number(tile) or tile not in BASE.worms:
            lowest, highest = min(BASE.worms), max(BASE.worms)
            raise Unreadable(
                f"{name} names {_shown(tile)}; tiles are the numbers {lowest} to {highest}."
            )
    return tuple(plain)


def _stacks(plain: Any, name: str) -> tuple[tuple[int, ...], ...]:
    if not isinstance(plain, list | tuple):
        raise Unreadable(f"{name} is {_shown(plain)}; it must be a list of lists of tiles.")
    return tuple(_tiles(stack, f"{name}[{seat}]") for seat, stack in enumerate(plain))


def _barred(plain: Any, players: int) -> tuple[tuple[int, ...], ...]:
    bars = _stacks(plain, "table.barred")
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


__all__ = [
    "Claimed",
    "Consequence",
    "Explained",
    "Explanation",
    "Failed",
    "Hinge",
    "Kept",
    "Rolled",
    "Unreadable",
    "Why",
    "explain",
    "explain_plain",
    "plain_explanation",
    "plain_move",
    "read_position",
    "read_table",
]
