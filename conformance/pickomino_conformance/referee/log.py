"""Game logs: what an engine played with its own dice, one JSON object a line.

`spec/game-log.md` tells the format, `spec/game-log.schema.json` its exact shape.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from pickomino_conformance.protocol.messages import (
    DecisionMessage,
    Number,
    Roll,
    TableMessage,
)

LONGEST_LINE = 1_000_000


class MalformedLog(ValueError):
    """A log that can't be read. The text says where, what was expected, and what came."""


class Beginning(Struct, frozen=True):
    """The first line of a game.

    Attributes:
        line: its number, from 1.
        name: what the game, or the engine, is called.
        edition: the edition it was played by, with house rules.
        rulings: values of single rulings, by their ids.
        players: how many play; then the game begins with its first turn.
    """

    line: int
    name: str = ""
    edition: str = ""
    rulings: dict[str, str] = {}
    players: int | None = None


class LoggedTurn(Struct, frozen=True):
    """A turn as it was played.

    Attributes:
        line: its number, from 1.
        table: the table before it; none if it is the one after the turn before.
        rolls, decisions: as in the protocol. A stop without `claim` leaves it to the table
            after it to tell what was claimed.
        table_after: the table after it.
        over: whether the engine says that the game is over.
    """

    line: int
    table: TableMessage | None
    rolls: list[str]
    decisions: list[DecisionMessage]
    table_after: TableMessage
    over: bool | UnsetType = UNSET


class Ending(Struct, frozen=True):
    """The last line of a game.

    Attributes:
        line: its number, from 1.
        over: whether the engine says that the game is over; if not, it was broken off.
        worms: the worms of each player.
        winners: the numbers of those who win.
    """

    line: int
    over: bool = True
    worms: list[int] | None = None
    winners: list[int] | None = None


LogLine: TypeAlias = Beginning | LoggedTurn | Ending


class _Line(Struct):
    name: str | UnsetType = UNSET
    edition: str | UnsetType = UNSET
    rulings: dict[str, str] | UnsetType = UNSET
    players: Number | UnsetType = UNSET
    table: TableMessage | UnsetType | None = UNSET
    rolls: list[Roll] | UnsetType = UNSET
    decisions: list[DecisionMessage] | UnsetType = UNSET
    table_after: TableMessage | UnsetType = UNSET
    over: bool | UnsetType = UNSET
    worms: list[Number] | UnsetType | None = UNSET
    winners: list[Number] | UnsetType | None = UNSET


_BEGINNING = ("name", "edition", "rulings", "players")
_TURN = ("rolls", "decisions", "table_after")
_ENDING = ("worms", "winners", "over")

_DICE = re.compile(r"`str` matching regex '[^']*'")
_decode = msgspec.json.Decoder(_Line).decode


def read_lines(lines: Iterable[bytes]) -> Iterator[LogLine]:
    """Yield what each line of a log says; empty lines are passed over.

    Raises:
        MalformedLog: a line is no JSON, too long, or of another shape.
    """
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            _malformed(number, f"it has more than {LONGEST_LINE} characters")
        if not line.strip():
            continue
        try:
            read = _decode(line)
        except msgspec.DecodeError as error:
            _malformed(number, _in_words(error))
        except RecursionError:
            _malformed(number, "it is nested too deeply")
        yield _read(number, read)


def read_objects(objects: Iterable[Mapping[str, Any]]) -> Iterator[LogLine]:
    """Yield what each object of a log says; they are numbered from 1, like lines.

    Raises:
        MalformedLog: an object is of another shape.
    """
    for number, plain in enumerate(objects, start=1):
        try:
            read = msgspec.convert(plain, _Line)
        except msgspec.ValidationError as error:
            _malformed(number, _in_words(error))
        yield _read(number, read)


def _read(number: int, line: _Line) -> LogLine:
    if _has(line, _TURN):
        return _turn(number, line)
    if line.table is not UNSET:
        _malformed(number, "a turn needs table, rolls, decisions and table_after")
    if _has(line, _ENDING):
        if _has(line, _BEGINNING):
            _malformed(number, "a line either begins a game or ends one; divide it in two")
        over = True if line.over is UNSET else line.over
        return Ending(number, over, line.worms or None, _or_none(line.winners))
    if not _has(line, _BEGINNING):
        _malformed(
            number,
            "it has none of the members of a log; a turn has table, rolls, decisions and "
            "table_after",
        )
    return Beginning(
        number,
        "" if line.name is UNSET else line.name,
        "" if line.edition is UNSET else line.edition,
        {} if line.rulings is UNSET else line.rulings,
        None if line.players is UNSET else line.players,
    )


def _turn(number: int, line: _Line) -> LoggedTurn:
    if line.rolls is UNSET or line.decisions is UNSET or line.table_after is UNSET:
        missing = [name for name in _TURN if getattr(line, name) is UNSET]
        _malformed(number, f"the turn lacks {' and '.join(missing)}")
    if _has(line, (*_BEGINNING, "worms", "winners")):
        _malformed(number, "a turn stands on a line of its own")
    rolls, decisions = line.rolls, line.decisions
    _require_script(number, len(rolls), decisions)
    table = None if line.table is UNSET else line.table
    return LoggedTurn(number, table, rolls, decisions, line.table_after, line.over)


def _require_script(number: int, rolls: int, decisions: list[DecisionMessage]) -> None:
    """Raise unless there is a decision for every roll but for a last, dead one."""
    if not rolls:
        _malformed(number, "the turn has no roll")
    if len(decisions) > rolls:
        _malformed(number, f"there are {len(decisions)} decisions for {rolls} rolls")
    stops = [place for place, decision in enumerate(decisions, start=1) if decision.then == "stop"]
    if stops and (stops[0] < len(decisions) or len(decisions) < rolls):
        _malformed(number, f"the player stops with decision {stops[0]}, and yet goes on after it")
    if len(decisions) < rolls - 1:
        _malformed(
            number,
            f"there are {len(decisions)} decisions for {rolls} rolls; every roll needs one, but "
            "for a dead roll at the end",
        )
    for place, decision in enumerate(decisions, start=1):
        if decision.then == "roll" and decision.claim:
            _malformed(number, f"decision {place} rolls on, and yet claims something")


def _has(line: _Line, names: Iterable[str]) -> bool:
    return any(getattr(line, name) is not UNSET for name in names)


def _or_none(value: list[int] | UnsetType | None) -> list[int] | None:
    return None if value is UNSET else value


def _malformed(number: int, words: str) -> NoReturn:
    raise MalformedLog(f"line {number}: {words}.")


def _in_words(error: msgspec.DecodeError) -> str:
    """Return an error of msgspec as `table.grill[0]: expected an int, got a str`."""
    text = _DICE.sub("dice, such as 1123WWW5", str(error))
    place = re.fullmatch(r"(.+) - at `\$\.?(.*)`", text, re.DOTALL)
    if isinstance(error, msgspec.ValidationError) and place:
        return f"{place[2] or 'the line'}: {_lowered(place[1])}"
    if isinstance(error, msgspec.ValidationError):
        return _lowered(text)
    return f"this is not JSON ({_lowered(text)})"


def _lowered(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
