"""The scenarios of the features as moves of the reference, read anew from their steps."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gherkin import Compiler, Parser

from pickomino_conformance.specification import features_dir
from pickomino_reference import (
    BASE,
    Move,
    Position,
    Roll,
    Rulings,
    SetAside,
    Steal,
    Stop,
    Table,
    Take,
    Turn,
    play,
    rolling,
    ruling_values,
)

REFUSED = "this is refused"


class Act(NamedTuple):
    """What a player does next; a roll without dice stands for any."""

    player: int
    move: Move


class Told(NamedTuple):
    """A scenario of a turn, or of several.

    Attributes:
        name: its chapter and title.
        tags: all its tags, without the `@`.
        table: the table that is laid.
        acts: what the players do, in order.
        refused: whether the last act is refused.
    """

    name: str
    tags: frozenset[str]
    table: Table
    acts: tuple[Act, ...]
    refused: bool

    def holds(self, rulings: Rulings) -> bool:
        """Whether the scenario holds under these rulings."""
        values = [f"{ruling}={value}" for ruling, value in ruling_values(rulings).items()]
        needed = [tag for tag in self.tags if "=" in tag and not tag.startswith("case=")]
        rulings_needed = {tag.partition("=")[0] for tag in needed}
        return len(rulings_needed) == len(set(needed).intersection(values))

    def last_act(self, rulings: Rulings) -> tuple[Position, Act]:
        """Return the position in which the last act is tried, and that act.

        If the game is over before, it is the first one after the end.
        """
        position = Position(self.table)
        for act, following in zip(self.acts, self.acts[1:], strict=False):
            if position.table.grill == ():
                return position, act
            after = play(position, act.move, rulings)
            settled = isinstance(act.move, SetAside) and after.turn.set_aside == ""
            if settled and following.player == act.player:
                # The reference settles a forced failure at once; whoever then stops, or rolls
                # on, does so with these dice.
                table, turn = position
                dice = rolling.whole_face(turn.set_aside, turn.rolled, act.move.face)
                after = Position(table, Turn(dice))
            position = after
        return position, self.acts[-1]


@cache
def told() -> tuple[Told, ...]:
    """Return every scenario that lays a table and takes turns on it; an outline's rows apart."""
    found = []
    for path in sorted(features_dir().glob("*.feature")):
        document = Parser().parse(path.read_text(encoding="utf-8"))
        for pickle in Compiler().compile({**document, "uri": path.name}):
            steps = [(step["text"], _rows(step)) for step in pickle["steps"]]
            if any(text.endswith((" is set up", "are counted")) for text, _ in steps):
                continue
            tags = frozenset(tag["name"].removeprefix("@") for tag in pickle["tags"])
            found.append(_read(f"{path.stem}: {pickle['name']}", tags, steps))
    return tuple(found)


def _rows(step) -> list[tuple[str, ...]]:
    table = step.get("argument", {}).get("dataTable")
    rows = table["rows"][1:] if table else []
    return [tuple(cell["value"] for cell in row["cells"]) for row in rows]


def _read(name, tags, steps) -> Told:
    names: list[str] = []
    stacks: dict[int, tuple[int, ...]] = {}
    barred: dict[int, tuple[int, ...]] = {}
    grill: tuple[int, ...] = ()
    acts: list[Act] = []

    def seat(player: str) -> int:
        if player not in names:
            names.append(player)
        return names.index(player)

    for text, rows in steps:
        if not acts and (row := re.fullmatch(r"the grill shows (.+)", text)):
            grill = _tiles(row[1])
        elif not acts and (owned := re.fullmatch(r"(\w+) owns (.+)", text)):
            stacks[seat(owned[1])] = _tiles(owned[2])
        elif stolen := re.fullmatch(r"the (\d+) was just stolen from (\w+)", text):
            place = seat(stolen[2])
            barred[place] = (*barred.get(place, ()), int(stolen[1]))
        elif acting := re.fullmatch(r"(\w+) (rolls|rolls on|stops)( before choosing)?(.*)", text):
            player = seat(acting[1])
            acts += [Act(player, move) for move in _moves(acting, rows, seat)]
    players = range(len(names))
    piles = tuple(stacks.get(player, ()) for player in players)
    down = sorted(set(BASE.worms).difference(grill, *piles))
    bars = tuple(tuple(sorted(barred.get(player, ()))) for player in players)
    table = Table(grill, tuple(down), piles, acts[0].player, bars)
    return Told(name, tags, table, tuple(acts), steps[-1][0] == REFUSED)


def _moves(acting, rows, seat) -> Iterator[Move]:
    _, does, _, claim = acting.groups()
    if does == "rolls" and rows:
        for dice, face in rows:
            yield Roll(dice.replace(" ", ""))
            if face != "-":
                yield SetAside(face)
    elif does in ("rolls", "rolls on"):
        yield Roll("")
    elif taken := re.fullmatch(r" and takes (\d+)", claim):
        yield Take(int(taken[1]))
    elif robbed := re.fullmatch(r" and steals from (\w+)", claim):
        yield Steal(seat(robbed[1]))
    else:
        yield Stop()


def _tiles(text: str) -> tuple[int, ...]:
    spread = re.sub(
        r"(\d+) to (\d+)",
        lambda run: " ".join(map(str, range(int(run[1]), int(run[2]) + 1))),
        text,
    )
    return () if text == "nothing" else tuple(map(int, spread.split()))
