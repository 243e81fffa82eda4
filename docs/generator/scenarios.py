"""The scenarios of `features/`: what lies on the table, what is played, what follows."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import Any

from gherkin import Compiler, Parser

from pickomino_conformance.data import features_dir
from pickomino_conformance.specification import CHAPTERS
from pickomino_reference import BASE

NO_CHOICE = "-"

Reader = Callable[..., None]


class UnreadStep(ValueError):
    """A step that this module has no words for."""


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll, the face set aside from it, and the total of all dice set aside by then.

    `face` is empty if no face was left to choose, or none was chosen.
    """

    dice: str
    face: str
    total: int


@dataclass(frozen=True, slots=True)
class Act:
    """What one player does in a turn.

    Attributes:
        player: the name.
        rolls: in order.
        ending: `take`, `steal`, `stop`, `roll-on`, or empty if the dice ended the turn.
        tile: the tile that is taken or stolen; 0 if there is none.
        victim: who is stolen from.
        early: whether the ending comes before a face of the last roll was chosen.
    """

    player: str
    rolls: tuple[Roll, ...] = ()
    ending: str = ""
    tile: int = 0
    victim: str = ""
    early: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What follows.

    Attributes:
        kind: `grill`, `owns`, `nobody-owns`, `face-up`, `face-down`, `next`, `over`, `goes-on`,
            `refused`, `worms` or `wins`.
        tiles: the tiles it is about.
        names: the players it is about.
        number: worms.
    """

    kind: str
    tiles: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    number: int = 0


@dataclass(slots=True)
class Play:
    """One case of a scenario.

    Attributes:
        grill: the face-up tiles at the start; None if the scenario lays no grill.
        stacks: the tiles of each player by name, bottom to top.
        stolen: tiles that were just stolen, with the robbed player.
        acts: the turns.
        players: how many a game is set up for, or 0.
        counts: whether the worms are counted.
        outcomes: what follows.
    """

    grill: tuple[int, ...] | None = None
    stacks: dict[str, tuple[int, ...]] = field(default_factory=dict)
    stolen: list[tuple[int, str]] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    players: int = 0
    counts: bool = False
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def face_down(self) -> tuple[int, ...]:
        """The tiles that lie neither on the grill nor on a stack at the start."""
        owned = {tile for stack in self.stacks.values() for tile in stack}
        return tuple(tile for tile in BASE.worms if tile not in {*(self.grill or ()), *owned})


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario of a chapter, with all its cases.

    Attributes:
        chapter: the feature file that it stands in.
        slug: its part of the case ids.
        title: what it claims.
        rules: the rules that it shows.
        needs: for each ruling that it hangs on, the values under which it holds.
        unsettled: whether no source tells what is right.
        plays: its cases; one, unless it is an outline.
    """

    chapter: str
    slug: str
    title: str
    rules: tuple[str, ...]
    needs: dict[str, tuple[str, ...]]
    unsettled: bool
    plays: tuple[Play, ...]

    @property
    def anchor(self) -> str:
        """Where it stands on the page of its chapter."""
        return f"case-{self.slug}"


@cache
def read_scenarios() -> tuple[Scenario, ...]:
    """Return every scenario, in the order of the chapters."""
    return tuple(scenario for chapter in CHAPTERS for scenario in _read_chapter(chapter))


def tiles(text: str) -> tuple[int, ...]:
    """Return the tiles of `21 to 23 36`; none of `nothing`."""
    found: list[int] = []
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


def read_play(steps: list[dict[str, Any]]) -> Play:
    """Return one case from its steps, each with a `text` and perhaps a table.

    Raises:
        UnreadStep: a step is of no known form.
    """
    play = Play()
    for step in steps:
        _read_step(play, step)
    return play


def _read_chapter(chapter: str) -> Iterator[Scenario]:
    text = (features_dir() / f"{chapter}.feature").read_text(encoding="utf-8")
    document: Any = Parser().parse(text)
    document["uri"] = chapter
    pickles: Any = Compiler().compile(document)
    for _, cases in groupby(pickles, key=lambda pickle: pickle["astNodeIds"][0]):
        yield _scenario(chapter, list(cases))


def _scenario(chapter: str, pickles: list[Any]) -> Scenario:
    tags = [tag["name"].removeprefix("@") for tag in pickles[0]["tags"]]
    values = [tag.partition("=") for tag in tags if "=" in tag]
    needs: dict[str, tuple[str, ...]] = {}
    for name, _, value in values:
        if name != "case":
            needs[name] = (*needs.get(name, ()), value)
    return Scenario(
        chapter=chapter,
        slug=next(value for name, _, value in values if name == "case"),
        title=pickles[0]["name"],
        rules=tuple(tag for tag in tags if "=" not in tag and "." in tag),
        needs=needs,
        unsettled="unsettled" in tags,
        plays=tuple(read_play(pickle["steps"]) for pickle in pickles),
    )


def _read_step(play: Play, step: dict[str, Any]) -> None:
    text = step["text"]
    if "argument" in step:
        _roll(play, text.removesuffix(" rolls"), step["argument"]["dataTable"]["rows"][1:])
        return
    for pattern, read in _STEPS.items():
        if found := re.fullmatch(pattern, text):
            read(play, *found.groups())
            return
    raise UnreadStep(f"The site has no drawing for the step {text!r}.")


def _roll(play: Play, name: str, rows: list[dict[str, Any]]) -> None:
    rolls: list[Roll] = []
    total = 0
    for row in rows:
        dice, face = (cell["value"] for cell in row["cells"])
        shown = dice.replace(" ", "")
        chosen = "" if face == NO_CHOICE else face
        total += shown.count(chosen) * BASE.points[chosen] if chosen else 0
        rolls.append(Roll(shown, chosen, total))
    play.acts.append(Act(name, tuple(rolls)))


def _lay_grill(play: Play, row: str) -> None:
    if play.acts or play.players:
        play.outcomes.append(Outcome("grill", tiles(row)))
    else:
        play.grill = tiles(row)


def _lay_stack(play: Play, name: str, own: str) -> None:
    if play.acts or play.players:
        play.outcomes.append(Outcome("owns", tiles(own), (name,)))
    else:
        play.stacks[name] = tiles(own)


def _end(ending: str, *, early: bool = False) -> Reader:
    def read(play: Play, name: str, what: str = "") -> None:
        act = play.acts.pop()
        victim = what if ending == "steal" else ""
        tile = int(what) if ending == "take" else _top(play, victim)
        play.acts.append(Act(name, act.rolls, ending, tile, victim, early))

    return read


def _top(play: Play, victim: str) -> int:
    """Return the tile that a player shows after the turns so far, or 0."""
    stacks = {name: list(stack) for name, stack in play.stacks.items()}
    for act in play.acts:
        if act.ending == "steal" and stacks[act.victim]:
            stacks[act.victim].pop()
        if act.tile:
            stacks[act.player].append(act.tile)
        elif stacks[act.player]:
            stacks[act.player].pop()
    return stacks[victim][-1] if stacks.get(victim) else 0


def _outcome(kind: str) -> Reader:
    def read(play: Play, *found: str) -> None:
        numbers = tuple(int(one) for one in found if one.isdecimal())
        words = [one for one in found if not one.isdecimal()]
        names = tuple(name for word in words for name in re.split(r", | and ", word))
        about_worms = kind == "worms"
        play.outcomes.append(
            Outcome(kind, () if about_worms else numbers, names, numbers[0] if about_worms else 0)
        )

    return read


def _set_up(play: Play, players: str) -> None:
    play.players = int(players)


def _steal_just_now(play: Play, tile: str, name: str) -> None:
    play.stolen.append((int(tile), name))


def _count(play: Play) -> None:
    play.counts = True


_STEPS: dict[str, Reader] = {
    r"the grill shows (.+)": _lay_grill,
    r"nobody owns a tile": _outcome("nobody-owns"),
    r"(\w+) owns (.+)": _lay_stack,
    r"the (\d+) was just stolen from (\w+)": _steal_just_now,
    r"(\w+) stops": _end("stop"),
    r"(\w+) stops and takes (\d+)": _end("take"),
    r"(\w+) stops and steals from (\w+)": _end("steal"),
    r"(\w+) rolls on": _end("roll-on"),
    r"(\w+) rolls on before choosing": _end("roll-on", early=True),
    r"(\w+) stops before choosing": _end("stop", early=True),
    r"(\w+) stops before choosing and takes (\d+)": _end("take", early=True),
    r"a game for (\d+) players is set up": _set_up,
    r"the worms are counted": _count,
    r"the (\d+) is face up": _outcome("face-up"),
    r"the (\d+) is face down": _outcome("face-down"),
    r"it is (\w+)'s turn": _outcome("next"),
    r"the game is over": _outcome("over"),
    r"the game goes on": _outcome("goes-on"),
    r"this is refused": _outcome("refused"),
    r"(\w+) has (\d+) worms": _outcome("worms"),
    r"(\w+) wins": _outcome("wins"),
    r"(.+) win together": _outcome("wins"),
}
