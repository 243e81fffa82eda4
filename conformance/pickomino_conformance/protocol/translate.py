"""Between the values of the reference and the messages of the protocol; rulings, too."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from pickomino_conformance import Malformed
from pickomino_conformance.protocol.messages import (
    PARAMS,
    ClaimMessage,
    DecisionMessage,
    Hello,
    LegalParams,
    Params,
    ScoreParams,
    SettleParams,
    StartParams,
    StepMessage,
    TableMessage,
    TurnParams,
)
from pickomino_reference import (
    BASE,
    Box,
    Claim,
    Decision,
    Position,
    Rulings,
    Script,
    Steal,
    StealBack,
    Step,
    Table,
    Take,
    Turn,
    UnknownName,
    make_rulings,
    ruling_values,
)
from pickomino_reference.editions import check_value
from pickomino_reference.table import Stacks

NO_RULINGS = Rulings()


class Start(NamedTuple):
    """A game is begun for so many players."""

    players: int


class Scoring(NamedTuple):
    """Stacks are counted."""

    stacks: Stacks


class Settling(NamedTuple):
    """A turn ends with these dice set aside: by a claim, by a stop, or by a last, dead roll."""

    table: Table
    kept: str
    claim: Claim | None = None
    dead: bool = False


Ask = Script | Start | Scoring | Position | Settling
"""What an engine is asked; a position asks what is legal in it."""


def complement(box: Box, tiles: Iterable[int]) -> tuple[int, ...]:
    """Return the tiles of the box that are not among `tiles`, ascending."""
    return tuple(sorted(set(box.worms).difference(tiles)))


def table_message(table: Table, rulings: Rulings = NO_RULINGS) -> TableMessage:
    """Return the message for a table; `barred` stands in it only where it matters."""
    barred: Any = UNSET
    if rulings.steal_back is StealBack.BARRED:
        barred = list(map(list, table.barred))
    return TableMessage(
        list(table.grill),
        list(map(list, table.stacks)),
        list(table.face_down),
        table.player,
        barred,
    )


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
    barred: Stacks = ((),) * len(stacks)
    if message.barred is not UNSET:
        barred = tuple(tuple(sorted(tiles)) for tiles in message.barred)
        if len(barred) != len(stacks):
            raise Malformed(f"barred has {len(barred)} lists for {len(stacks)} players")
    return Table(tuple(sorted(message.grill)), rest, stacks, player, barred)


def impossible(tiles: Iterable[int], box: Box = BASE) -> str:
    """Return what is impossible about these tiles of one table, or an empty text."""
    counted = Counter(tiles)
    unknown = sorted(tile for tile in counted if tile not in box.worms)
    if unknown:
        return f"tile {unknown[0]} is not in the box"
    twice = sorted(tile for tile, number in counted.items() if number > 1)
    return f"tile {twice[0]} is there twice" if twice else ""


@lru_cache(maxsize=256)
def claim_message(claim: Claim) -> ClaimMessage:
    """Return the message for a claim. It is shared: don't change it."""
    if isinstance(claim, Take):
        return ClaimMessage(take=claim.tile)
    return ClaimMessage(steal=claim.player)


def read_claim(message: ClaimMessage) -> Claim:
    """Return the claim of a message."""
    if message.take is not UNSET:
        return Take(message.take)
    assert message.steal is not UNSET
    return Steal(message.steal)


@lru_cache(maxsize=4096)
def decision_message(decision: Decision) -> DecisionMessage:
    """Return the message for a decision; a claim goes with every stop. It is shared."""
    keep, then, claim = decision
    if then == "roll" and claim is None:
        return DecisionMessage(keep, then)
    return DecisionMessage(keep, then, None if claim is None else claim_message(claim))


def read_decision(message: DecisionMessage) -> Decision:
    """Return the decision of a message."""
    claim = read_claim(message.claim) if message.claim else None
    return Decision(message.keep, message.then, claim)


def step_message(step: Step) -> StepMessage:
    """Return the message for a step of a trace."""
    return StepMessage(*step)


def request(ask: Ask, rulings: Rulings) -> Params:
    """Return the request for what is asked, with its table told."""
    match ask:
        case Script(table, rolls, decisions):
            message = table_message(table, rulings)
            return TurnParams(message, list(rolls), list(map(decision_message, decisions)))
        case Start(players):
            return StartParams(players)
        case Scoring(stacks):
            return ScoreParams(list(map(list, stacks)))
        case Position(table, (set_aside, rolled)):
            return LegalParams(table_message(table, rulings), set_aside, rolled or None)
        case Settling(table, kept, claim, dead):
            claimed = None if claim is None else claim_message(claim)
            return SettleParams(table_message(table, rulings), kept, claimed, dead)


def read_request(params: Params, box: Box = BASE) -> Ask:
    """Return what a request asks, whose table is told.

    Raises:
        Malformed: the table is missing, or can't be one of the game.
    """
    match params:
        case StartParams(players):
            return Start(players)
        case ScoreParams(stacks):
            return Scoring(tuple(map(tuple, stacks)))
        case TurnParams(table, rolls, decisions):
            return Script(_told(table, box), tuple(rolls), tuple(map(read_decision, decisions)))
        case LegalParams(table, kept, roll):
            dice = Turn("".join(sorted(kept)), "".join(sorted(roll or "")))
            return Position(_told(table, box), dice)
        case SettleParams(table, kept, claim, dead):
            claimed = read_claim(claim) if claim else None
            return Settling(_told(table, box), "".join(sorted(kept)), claimed, dead)
        case _:
            raise Malformed(f"{type(params).__name__} asks nothing of the game")


def read_plain_request(method: str, plain: Any) -> Ask:
    """Return what a request given as plain JSON values asks.

    Raises:
        Malformed: it is no request of the protocol, or its table can't be one of the game.
    """
    if method not in PARAMS:
        raise Malformed(f"there is no method {method!r}")
    try:
        return read_request(msgspec.convert(plain, PARAMS[method]))
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from None


def _told(message: TableMessage | None, box: Box) -> Table:
    if message is None:
        raise Malformed("a request without a table can't be asked by itself")
    return read_table(message, box)


def declared_rulings(hello: Hello) -> dict[str, list[str]]:
    """Return the values that an engine says it can play, known ones only, the first in front."""
    found: dict[str, list[str]] = {}
    for ruling, values in hello.rulings.items():
        for value in [values] if isinstance(values, str) else values:
            try:
                check_value(ruling, value)
            except UnknownName:
                continue
            found.setdefault(ruling, []).append(value)
    return found


def unknown_rulings(hello: Hello) -> list[str]:
    """Return what an engine declares that the specification does not know."""
    known = declared_rulings(hello)
    return [
        f"{ruling} = {value}"
        for ruling, values in hello.rulings.items()
        for value in ([values] if isinstance(values, str) else values)
        if value not in known.get(ruling, [])
    ]


def as_declared(rulings: Rulings, hello: Hello) -> Rulings:
    """Return the rulings with those that the engine declares; of several values the first."""
    first = {ruling: values[0] for ruling, values in declared_rulings(hello).items()}
    return make_rulings(first, rulings)


def configuration(rulings: Rulings) -> Callable[[Hello], dict[str, str] | None]:
    """Return what chooses the rulings to be sent: the edition's, where the engine can play them."""

    def choose(hello: Hello) -> dict[str, str] | None:
        if "configure" not in hello.capabilities:
            return None
        wanted, offered = ruling_values(rulings), declared_rulings(hello)
        return {
            ruling: value if value in offered.get(ruling, [value]) else offered[ruling][0]
            for ruling, value in wanted.items()
        }

    return choose
