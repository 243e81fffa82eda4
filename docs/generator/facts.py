"""A scenario played through the reference: what can be done, and what comes of it."""

from dataclasses import dataclass

from generator.scenarios import Act, Play
from pickomino_reference import (
    BASE,
    Move,
    Options,
    Position,
    Refused,
    Roll,
    Rule,
    Rulings,
    Score,
    SetAside,
    Steal,
    Stop,
    Table,
    Take,
    legal,
    play,
    rolling,
    score,
    start,
)

NOTHING = Options()


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
        score: what the stacks are worth, where they are counted.
    """

    names: tuple[str, ...]
    before: Table
    after: Table
    rolled: str = ""
    dice: str = ""
    options: Options = NOTHING
    refused: Rule | None = None
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

    @property
    def failed(self) -> bool:
        """Whether the turn has ended without a tile."""
        own = self.before.player
        gained = len(self.after.stacks[own]) > len(self.before.stacks[own])
        return self.refused is None and self.after.player != own and not gained


def facts_of(told: Play, rulings: Rulings) -> Facts:
    """Return what the reference makes of a case under these rulings."""
    names = tuple(told.stacks)
    table = _table(told)
    if told.players:
        return _set_up(told.players)
    if told.counts:
        return Facts(names, table, table, score=score(table.stacks, rulings))
    found = Facts(names, table, table)
    for act in told.acts:
        found = _turn(found, act, rulings)
    return found


def _table(told: Play) -> Table:
    seats = list(told.stacks)
    barred = tuple(
        tuple(sorted(tile for tile, robbed in told.stolen if robbed == name)) for name in seats
    )
    return Table(
        grill=told.grill or (),
        face_down=told.face_down,
        stacks=tuple(told.stacks.values()),
        player=seats.index(told.acts[0].player) if told.acts else 0,
        barred=barred,
    )


def _set_up(players: int) -> Facts:
    nothing = Table((), (), (), 0, ())
    try:
        return Facts((), nothing, start(players))
    except Refused as refusal:
        return Facts((), nothing, nothing, refused=refusal.rule)


def _turn(found: Facts, act: Act, rulings: Rulings) -> Facts:
    table = found.after
    position, options, rolled, dice = Position(table), NOTHING, "", ""
    refused = None
    try:
        for roll in act.rolls:
            position = play(position, Roll(roll.dice), rulings)
            if roll.face:
                rolled = roll.dice
                dice += roll.face * roll.dice.count(roll.face)
                position = play(position, SetAside(roll.face), rulings)
                options = _options(position, rulings)
        move = _ending(position, act, found.names)
        if move and position.turn != Position(table).turn:
            position = play(position, move, rulings)
    except Refused as refusal:
        refused = refusal.rule
    after = table if refused else position.table
    return Facts(found.names, table, after, rolled, dice, options, refused)


def _options(position: Position, rulings: Rulings) -> Options:
    """Return what may be done in a turn that is under way; nothing if it has ended."""
    return legal(position, rulings) if position.turn.set_aside else NOTHING


def _ending(position: Position, act: Act, names: tuple[str, ...]) -> Move | None:
    match act.ending:
        case "take":
            return Take(act.tile)
        case "steal":
            return Steal(names.index(act.victim))
        case "stop":
            return Stop()
        case "roll-on":
            return Roll(BASE.worm * rolling.all_dice(position.turn.set_aside, BASE))
    return None
