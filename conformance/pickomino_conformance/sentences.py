"""Tables, turns and answers as sentences, for people."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET

from pickomino_conformance.cases import Script
from pickomino_conformance.protocol import (
    MISFIT,
    REFUSED,
    ClaimMessage,
    Decision,
    ErrorData,
    ErrorMessage,
    TableMessage,
)
from pickomino_reference import Table


def dice(roll: str) -> str:
    """Return dice as `1 1 2 W`."""
    return " ".join(roll)


def tiles(numbers: Iterable[int]) -> str:
    """Return tiles as `21 to 24, 36` (runs of three and more joined), or `no tile`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return ", ".join(shown) or "no tile"


def stack(numbers: Sequence[int]) -> str:
    """Return a stack, bottom to top, or `no tile`."""
    return " ".join(map(str, numbers)) or "no tile"


def player(number: int, names: Sequence[str] = ()) -> str:
    """Return a player's name, or `player 0`."""
    return names[number] if number < len(names) else f"player {number}"


def table(value: Table | TableMessage, names: Sequence[str] = ()) -> str:
    """Return a table: the grill, then who owns what, then whose turn it is."""
    parts = [f"grill {tiles(value.grill)}"]
    parts += [f"{player(seat, names)} owns {stack(own)}" for seat, own in enumerate(value.stacks)]
    parts += [
        f"barred to {player(seat, names)}: {tiles(barred)}"
        for seat, barred in enumerate(value.barred or ())
        if barred
    ]
    return "; ".join(parts)


def turn(script: Script, names: Sequence[str] = ()) -> str:
    """Return a turn: who rolls what, sets aside what, and how it ends."""
    parts: list[str] = []
    for index, roll in enumerate(script.rolls):
        parts.append(f"rolls {dice(roll)}")
        if index < len(script.decisions):
            last = index == len(script.rolls) - 1
            parts += _decision(script.decisions[index], names, last=last)
    return f"{player(script.table.player, names)} {', '.join(parts)}"


def claim(message: ClaimMessage, names: Sequence[str] = ()) -> str:
    """Return a claim: `takes 25` or `steals from player 1`."""
    if message.take is not UNSET:
        return f"takes {message.take}"
    assert message.steal is not UNSET
    return f"steals from {player(message.steal, names)}"


def error(message: ErrorMessage) -> str:
    """Return what an engine's error means: refused, or what it asks for instead."""
    said = f" ({message.message})" if message.message else ""
    if message.code == REFUSED:
        return f"it refuses the turn{said}"
    if message.code == MISFIT:
        return f"it does not end the turn there{_wants(message)}{said}"
    return f"error {message.code}{said}"


def _wants(message: ErrorMessage) -> str:
    data = error_data(message)
    wants = "" if data.wants is UNSET else f" but wants a {data.wants}"
    rolls = "" if data.after_rolls is UNSET else f" after roll {data.after_rolls}"
    return wants + rolls


def error_data(message: ErrorMessage) -> ErrorData:
    """Return what is known of an error; nothing if its data is not of that shape."""
    if message.data is UNSET:
        return ErrorData()
    try:
        return msgspec.json.decode(message.data, type=ErrorData)
    except msgspec.DecodeError:
        return ErrorData()


def _decision(decision: Decision, names: Sequence[str], *, last: bool) -> list[str]:
    parts = ["sets nothing aside" if decision.keep is None else f"sets aside {decision.keep}"]
    if decision.then == "stop":
        parts.append("stops" if not decision.claim else f"stops and {claim(decision.claim, names)}")
    elif last:
        parts.append("rolls on")
    return parts
