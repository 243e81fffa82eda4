"""One page of HTML that shows all of a check; it needs nothing from elsewhere.

A case is drawn: the table before, the dice, and the table as it must be and as it came.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from pickomino_conformance import Malformed, words
from pickomino_conformance.cases import Verdict
from pickomino_conformance.files import printable
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.messages import StartResult, TurnResult
from pickomino_conformance.protocol.translate import read_table
from pickomino_conformance.report import phrases
from pickomino_conformance.report.model import Findings, Shown
from pickomino_conformance.specification import rules
from pickomino_reference import BASE, Script, Table

MARKS = {
    Verdict.PASS: "✓",
    Verdict.FAIL: "✗",
    Verdict.ERROR: "⚡",
    Verdict.KNOWN: "●",
    Verdict.UNSETTLED: "?",
    Verdict.NOT_REACHED: "·",
    Verdict.UNSUPPORTED: "·",
    Verdict.NOT_APPLICABLE: "·",
}


class Tile(NamedTuple):
    """A tile, its worms, and whether it lies elsewhere on the other table."""

    number: int
    worms: int
    differs: bool


class Owner(NamedTuple):
    """A player and the own tiles, bottom to top."""

    name: str
    tiles: tuple[Tile, ...]


class Die(NamedTuple):
    """A die, and whether it is set aside from this roll."""

    face: str
    kept: bool


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table, ready to be drawn."""

    title: str
    grill: tuple[Tile, ...]
    owners: tuple[Owner, ...]


@dataclass(frozen=True, slots=True)
class DrawnRoll:
    """A roll, and what the player does with it, in words."""

    dice: tuple[Die, ...]
    then: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A turn, ready to be drawn; tables that nobody knows are left out."""

    player: str
    before: DrawnTable
    rolls: tuple[DrawnRoll, ...]
    after: tuple[DrawnTable, ...]


def render(findings: Findings) -> str:
    """Return what a check found as a page of HTML."""
    sections = [
        (
            section,
            [(one, phrases.tell(one.outcome, one.right), draw(one)) for one in section.cases],
        )
        for section in phrases.sections(findings)
    ]
    template = _environment().get_template("page.html")
    return template.render(
        found=findings,
        phrases=phrases,
        sections=sections,
        chapters=[
            (title, [rule for rule in findings.rules if rule.chapter == chapter])
            for chapter, title in phrases.TITLES.items()
        ],
        statements={rule.id: rule.statement[0] for rule in rules().values()},
        verdicts=[one for one in Verdict if any(rule.counts.get(one) for rule in findings.rules)],
        marks=MARKS,
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # What an engine says is shown without what could steer a reader, or turn the text about.
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    environment.filters |= {"counted": words.count}
    return environment


def draw(shown: Shown) -> Picture | None:
    """Return the turn that is judged as a picture; none if it is no turn."""
    judged = shown.outcome.judged
    if judged is None or not isinstance(judged.ask, Script):
        return None
    script, names = judged.ask, shown.outcome.players
    due, came = _table_of(shown.right), _table_of(judged.reply)
    differing = _differing(due, came) if due and came else frozenset()
    after = [("Expected", due), ("Came", came)]
    return Picture(
        player=words.player(script.table.player, names),
        before=_drawn("Before", script.table, names),
        rolls=tuple(_rolls(script, names)),
        after=tuple(_drawn(title, table, names, differing) for title, table in after if table),
    )


def _table_of(reply: Reply | None) -> Table | None:
    """Return the table that a reply tells; none if it tells none, or an impossible one."""
    if not isinstance(reply, TurnResult | StartResult):
        return None
    try:
        return read_table(reply.table)
    except Malformed:
        return None


def _differing(one: Table, other: Table) -> frozenset[int]:
    here, there = _places(one), _places(other)
    return frozenset(tile for tile in BASE.worms if here.get(tile) != there.get(tile))


def _places(table: Table) -> dict[int, object]:
    places: dict[int, object] = dict.fromkeys(table.grill, "grill")
    for seat, own in enumerate(table.stacks):
        places |= {tile: (seat, height) for height, tile in enumerate(own)}
    return places


def _drawn(
    title: str, table: Table, names: words.Names, differing: frozenset[int] = frozenset()
) -> DrawnTable:
    def tiles(numbers: Sequence[int]) -> tuple[Tile, ...]:
        return tuple(Tile(one, BASE.worms[one], one in differing) for one in numbers)

    owners = (Owner(words.player(seat, names), tiles(own)) for seat, own in enumerate(table.stacks))
    return DrawnTable(title, tiles(table.grill), tuple(owners))


def _rolls(script: Script, names: words.Names) -> list[DrawnRoll]:
    found = []
    for place, roll in enumerate(script.rolls):
        decision = script.decisions[place] if place < len(script.decisions) else None
        then = "no choice: the roll is dead"
        if decision is not None:
            last = place == len(script.rolls) - 1
            then = ", ".join(words.decision(decision, names, last=last))
        kept = decision.keep if decision else None
        found.append(DrawnRoll(tuple(Die(face, face == kept) for face in roll), then))
    return found
