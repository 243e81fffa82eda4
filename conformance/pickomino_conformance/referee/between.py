"""What lies between two turns of a log: each begins where the one before has ended."""

from collections.abc import Iterator

from msgspec import UNSET

from pickomino_conformance import sentences
from pickomino_conformance.protocol import TableMessage
from pickomino_conformance.referee import blaming
from pickomino_conformance.referee.departing import Departure
from pickomino_conformance.referee.following import Followed
from pickomino_conformance.referee.log import LoggedTurn, MalformedLog
from pickomino_conformance.tables import complement, impossible
from pickomino_reference import BASE, Rule, Rulings, StealBack, Table


def is_start(message: TableMessage) -> bool:
    """Whether this is the table of a new game."""
    return sorted(message.grill) == list(BASE.worms) and not any(message.stacks)


def begins(line: LoggedTurn, message: TableMessage, players: int) -> Iterator[Departure]:
    """Yield where a game that was announced for so many players begins otherwise."""
    if len(message.stacks) != players:
        words = f"Expected: {players} stacks, one a player. Came: {len(message.stacks)}."
        yield Departure(line.line, (Rule.SETUP_PLAYERS,), words)
    elif not is_start(message):
        rule = Rule.SETUP_PLAYERS if any(message.stacks) else Rule.SETUP_TILES
        words = (
            "Expected: the game begins with grill 21 to 36, and nobody owns a tile. "
            f"Came: {sentences.table(message)}."
        )
        yield Departure(line.line, (rule,), words)


def contradicts(line: LoggedTurn, after: TableMessage) -> Iterator[Departure]:
    """Yield where the table before a turn is not the one after the turn before."""
    before = line.table
    if before is None:
        return
    parts = []
    if sorted(after.grill) != sorted(before.grill):
        grills = [f"grill {sentences.tiles(one.grill)}" for one in (after, before)]
        parts.append(grills)
    if after.stacks != before.stacks:
        parts.append(
            [f"stacks {', '.join(map(sentences.stack, one.stacks))}" for one in (after, before)]
        )
    if after.player is not UNSET and before.player is not UNSET and after.player != before.player:
        parts.append([f"{sentences.player(one)} plays" for one in (after.player, before.player)])
    if parts:
        expected, came = ("; ".join(part) for part in zip(*parts, strict=True))
        words = (
            "The log contradicts itself: this turn does not begin where the one before has "
            f"ended. Expected: {expected}. Came: {came}. (A new game begins with a line such as "
            '{"players": 2}.)'
        )
        yield Departure(line.line, (), words)


def hands_over(line: LoggedTurn, followed: Followed) -> Iterator[Departure]:
    """Yield where another player plays than the one who is next, if only this line tells it."""
    expected = followed.after
    assert line.table is not None
    came = line.table.player
    if came is not UNSET and came != expected.player and expected.grill:
        mover = sentences.player(followed.table.player)
        words = (
            f"The turn of {mover} has ended with {followed.end}. "
            f"Expected: {sentences.player(expected.player)} is next. "
            f"Came: {sentences.player(came)} plays."
        )
        yield Departure(line.line, blaming.passing(followed, came), words)


def read_table(
    line: LoggedTurn, message: TableMessage, expected: Table | None, rulings: Rulings
) -> Table:
    """Return the table before a turn, with what the log leaves out filled in.

    `expected` is the table after the turn before, as it must be.

    Raises:
        MalformedLog: the log does not say whose turn it is, or names a player who isn't there.
    """
    stacks = tuple(map(tuple, message.stacks))
    player = message.player
    if player is UNSET:
        if expected is None:
            raise MalformedLog(
                f"line {line.line}: table.player is missing; the first turn of a game says whose "
                "turn it is, a number from 0."
            )
        player = expected.player
    if player >= len(stacks):
        raise MalformedLog(
            f"line {line.line}: table.player is {player}, but there are {len(stacks)} stacks."
        )
    named = [*message.grill, *(tile for stack in stacks for tile in stack)]
    barred: tuple[tuple[int, ...], ...] = ((),) * len(stacks)
    if rulings.steal_back is StealBack.BARRED:
        if message.barred is not UNSET and len(message.barred) == len(stacks):
            barred = tuple(tuple(sorted(tiles)) for tiles in message.barred)
        elif expected is not None and len(expected.barred) == len(stacks):
            barred = expected.barred
    return Table(tuple(sorted(message.grill)), complement(BASE, named), stacks, player, barred)


def not_to_be_judged(table: Table) -> str:
    """Return why no turn can be judged that begins with this table, or an empty text."""
    named = [*table.grill, *(tile for stack in table.stacks for tile in stack)]
    wrong = impossible(named, BASE)
    fewest, most = BASE.players
    if not wrong and not fewest <= len(table.stacks) <= most:
        wrong = f"there are {len(table.stacks)} stacks, and {fewest} to {most} can play"
    return wrong
