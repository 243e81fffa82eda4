"""Between the tables and claims of messages and those of the reference."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import UNSET

from pickomino_conformance import Malformed
from pickomino_conformance.protocol import ClaimMessage, TableMessage
from pickomino_reference import BASE, Box, Claim, Steal, StealBack, Table, Take
from pickomino_reference.rulings import Rulings

NO_RULINGS = Rulings()


def complement(box: Box, tiles: Iterable[int]) -> tuple[int, ...]:
    """Return the tiles of the box that are not among `tiles`, ascending."""
    return tuple(sorted(set(box.worms).difference(tiles)))


def table_message(table: Table, rulings: Rulings = NO_RULINGS) -> TableMessage:
    """Return the message for a table; `barred` stands in it only where it matters."""
    return msgspec.convert(plain_table(table, rulings), TableMessage)


def plain_table(table: Table, rulings: Rulings = NO_RULINGS) -> dict[str, Any]:
    """Return the message for a table as plain JSON values."""
    plain: dict[str, Any] = {
        "grill": list(table.grill),
        "face_down": list(table.face_down),
        "stacks": [list(stack) for stack in table.stacks],
        "player": table.player,
    }
    if rulings.steal_back is StealBack.BARRED:
        plain["barred"] = [list(tiles) for tiles in table.barred]
    return plain


def read_table(message: TableMessage, box: Box = BASE) -> Table:
    """Return the table of a message; tiles that it does not name lie face down.

    Raises:
        Malformed: a tile stands in it twice or is not in the box, or the player has no seat.
    """
    stacks = tuple(map(tuple, message.stacks))
    named = [*message.grill, *(tile for stack in stacks for tile in stack)]
    rest = complement(box, named)
    if len(named) + len(rest) != len(box.worms):
        raise Malformed(impossible(named, box))
    player = 0 if message.player is UNSET else message.player
    if not player < len(stacks):
        raise Malformed(f"player {player} has no stack; the table has {len(stacks)} stacks")
    if message.barred is UNSET:
        barred: tuple[tuple[int, ...], ...] = ((),) * len(stacks)
    else:
        barred = tuple(tuple(sorted(tiles)) for tiles in message.barred)
        if len(barred) != len(stacks):
            raise Malformed(f"barred has {len(barred)} lists for {len(stacks)} players")
    return Table(tuple(sorted(message.grill)), rest, stacks, player, barred)


def impossible(tiles: list[int], box: Box) -> str:
    """Return what is impossible about these tiles of one table, or an empty text."""
    unknown = sorted({tile for tile in tiles if tile not in box.worms})
    if unknown:
        return f"tile {unknown[0]} is not in the box"
    twice = sorted(tile for tile, number in Counter(tiles).items() if number > 1)
    return f"tile {twice[0]} is there twice" if twice else ""


def claim_message(claim: Claim) -> ClaimMessage:
    """Return the message for a claim."""
    if isinstance(claim, Take):
        return ClaimMessage(take=claim.tile)
    return ClaimMessage(steal=claim.player)


def read_claim(message: ClaimMessage) -> Claim:
    """Return the claim of a message."""
    if message.take is not UNSET:
        return Take(message.take)
    assert message.steal is not UNSET
    return Steal(message.steal)
