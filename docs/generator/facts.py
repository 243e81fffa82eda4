"""A scenario played through the reference: what can be done, and what comes of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pickomino_conformance.cases.scene import Scene
from pickomino_reference import (
    End,
    Options,
    Position,
    Record,
    Refused,
    Rule,
    Rulings,
    Score,
    Script,
    Table,
    Turn,
    legal,
    play_turn,
    score,
    start,
)

NOTHING = Options()


class PlayedAct(NamedTuple):
    """A turn of a scenario, on the table that the one before has left."""

    script: Script
    record: Record


@dataclass(frozen=True, slots=True)
class Facts:
    """What the reference makes of a case.

    Attributes:
        names: the players.
        before: the table before the last turn.
        after: the table after it; the same if it was refused or has not ended.
        rolled: the last roll from which a face was chosen.
        dice: the dice set aside in the last turn.
        options: what could be done after the last choice, before the turn was ended.
        refused: the rule that forbids what came last, if it is forbidden.
        failed: whether the last turn has failed.
        score: what the stacks are worth, where they are counted.
    """

    names: tuple[str, ...]
    before: Table
    after: Table
    rolled: str = ""
    dice: str = ""
    options: Options = NOTHING
    refused: Rule | None = None
    failed: bool = False
    score: Score | None = None

    @property
    def moved(self) -> tuple[int, ...]:
        """The tiles that the player to move has lost in the turn."""
        own = self.before.player
        kept = self.after.stacks[own]
        return tuple(tile for tile in self.before.stacks[own] if tile not in kept)

    @property
    def turned(self) -> tuple[int, ...]:
        """The tiles that were turned face down in the turn."""
        return tuple(tile for tile in self.after.face_down if tile not in self.before.face_down)


def played(scene: Scene, rulings: Rulings) -> Iterator[PlayedAct]:
    """Yield every turn of a scene as it goes under these rulings."""
    table = scene.table
    for act in scene.acts:
        script = act.script(table)
        record = play_turn(script, rulings)
        yield PlayedAct(script, record)
        table = record.position.table


def facts_of(scene: Scene, rulings: Rulings) -> Facts:
    """Return what the reference makes of a case under these rulings."""
    if scene.players is not None:
        return _set_up(scene.players)
    found = Facts(tuple(scene.names), scene.table, scene.table)
    if scene.counts:
        return Facts(
            found.names, found.before, found.after, score=score(found.before.stacks, rulings)
        )
    for script, record in played(scene, rulings):
        found = _facts(found.names, script, record, rulings)
    return found


def _set_up(players: int) -> Facts:
    nothing = Table((), (), (), 0, ())
    try:
        return Facts((), nothing, start(players))
    except Refused as refusal:
        return Facts((), nothing, nothing, refused=refusal.rule)


def _facts(names: tuple[str, ...], script: Script, record: Record, rulings: Rulings) -> Facts:
    pairs = zip(script.rolls, script.decisions, strict=False)
    chosen_from = [roll for roll, decision in pairs if decision.keep]
    options = NOTHING
    if record.set_aside and record.end is not End.FORCED:
        options = legal(Position(script.table, Turn(record.set_aside)), rulings)
    return Facts(
        names,
        script.table,
        record.position.table,
        rolled=chosen_from[-1] if chosen_from else "",
        dice=script.set_aside,
        options=options,
        refused=record.rule if record.end is End.REFUSED else None,
        failed=record.failed,
    )
