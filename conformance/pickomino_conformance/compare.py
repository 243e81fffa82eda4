"""The one comparison: an engine's reply held against what must come, part by part.

A reply is taken apart into named parts (`parts`), each a plain JSON value in one canonical form.
Two replies differ where a part that both tell has two values; what an engine leaves out is not
held against it. Nothing here makes or reads a sentence.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from pickomino_conformance.oracle import Due, due, others
from pickomino_conformance.protocol.conversation import Breakdown, Reply
from pickomino_conformance.protocol.messages import (
    CRASHED,
    MISFIT,
    REFUSED,
    ErrorMessage,
    LegalResult,
    ScoreResult,
    StartResult,
    TableMessage,
    TurnResult,
)
from pickomino_conformance.protocol.translate import Ask, Settling, complement
from pickomino_reference import BASE, FlipAfterReturn, Position, Rulings, Script, Table

Parts = Mapping[str, Any]

ANSWER = "answer"
INVARIANT = "invariant"
RESULT, REFUSAL, NO_FIT, CRASH, BREAKDOWN, NOT_ASKED = (
    "result", "refused", "misfit", "crashed", "broken", "not-asked",
)  # fmt: skip
KINDS = {REFUSED: REFUSAL, MISFIT: NO_FIT, CRASHED: CRASH}


class Difference(msgspec.Struct, frozen=True):
    """A part of an answer that is not what it must be.

    Attributes:
        part: `answer` (what kind it is), `invariant` (the table can't be), or a part of a result,
            see `parts`.
        expected, actual: plain JSON values, in the part's canonical form. Of an answer of another
            kind `actual` is the whole answer.
    """

    part: str
    expected: Any
    actual: Any


def kind(reply: Reply) -> str:
    """Return what kind of answer this is."""
    if isinstance(reply, Breakdown):
        return BREAKDOWN if reply.asked else NOT_ASKED
    if isinstance(reply, ErrorMessage):
        return KINDS.get(reply.code, f"error {reply.code}")
    return RESULT


def plain(reply: Reply) -> dict[str, Any]:
    """Return a reply as the answer of an exchange; {} if the engine was not asked."""
    if isinstance(reply, Breakdown):
        return {"broken": reply.reason} if reply.asked else {}
    if isinstance(reply, ErrorMessage):
        return {"error": msgspec.json.decode(msgspec.json.encode(reply))}
    return {"result": msgspec.to_builtins(reply)}


def parts(reply: Reply) -> dict[str, Any]:
    """Return what a reply tells, by parts.

    Of a table: `grill`, `stack.0` and so on, `player`, `barred`; of a turn besides `over`,
    `rolls_used`, `trace` (dice set aside and dice left, after each decision) and `totals`; of a
    score `worms`, `winners`; of what is legal `keep`, `roll`, `stop`, `claims`. A face-down tile
    is one that lies nowhere else, so that it is no part of its own.
    """
    match reply:
        case TurnResult(table=table):
            found = _table_parts(table)
            found["over"] = reply.over
            found["rolls_used"] = reply.rolls_used
            if reply.trace is not UNSET and reply.trace:
                found["trace"] = [["".join(sorted(one.kept)), one.dice] for one in reply.trace]
                found["totals"] = [one.total for one in reply.trace]
        case StartResult(table=table):
            found = _table_parts(table)
            # Any player may begin.
            del found["player"]
        case ScoreResult(worms, winners):
            found = {"worms": UNSET if worms is None else worms}
            found["winners"] = UNSET if winners is None else sorted(winners)
        case LegalResult():
            claims = sorted((msgspec.to_builtins(one) for one in reply.claims), key=str)
            found = {"keep": "".join(sorted(set(reply.keep))), "roll": reply.roll}
            found |= {"stop": reply.stop, "claims": claims}
        case _:
            found = {}
    return {ANSWER: kind(reply)} | {name: one for name, one in found.items() if one is not UNSET}


def _table_parts(table: TableMessage) -> dict[str, Any]:
    found: dict[str, Any] = {"grill": sorted(table.grill), "seats": len(table.stacks)}
    found |= {f"stack.{seat}": list(stack) for seat, stack in enumerate(table.stacks)}
    # Once the grill is empty the game is over, and the player means nothing.
    found["player"] = table.player if table.grill else UNSET
    found["barred"] = UNSET if table.barred is UNSET else list(map(sorted, table.barred))
    return found


def part(told: Parts, name: str) -> Any:
    """Return one part; `face_up.21`, `face_down.21`, `worms.0` and `stacks` are seen from others.

    UNSET if it is not told.
    """
    first, _, number = name.partition(".")
    stacks = [stack for one, stack in told.items() if one.startswith("stack.")]
    if first == "stacks" and "grill" in told:
        return stacks
    if first == "face_up" and "grill" in told:
        return int(number) in told["grill"]
    if first == "face_down" and "grill" in told:
        return int(number) in complement(
            BASE, [*told["grill"], *(tile for stack in stacks for tile in stack)]
        )
    if first == "worms" and number and "worms" in told:
        return told["worms"][int(number)] if int(number) < len(told["worms"]) else None
    return told.get(name, UNSET)


def differences(expected: Parts, reply: Reply) -> tuple[Difference, ...]:
    """Return where a reply differs from these parts, as far as it tells them."""
    told = parts(reply)
    kind_due = expected.get(ANSWER, RESULT)
    if told[ANSWER] != kind_due:
        return (Difference(ANSWER, kind_due, plain(reply)),)
    if kind_due != RESULT:
        return ()
    found = ((name, right, part(told, name)) for name, right in expected.items())
    return tuple(
        Difference(name, right, came)
        for name, right, came in found
        if came is not UNSET and came != right
    )


def untold(expected: Parts, reply: Reply) -> list[str]:
    """Return the parts that a reply leaves out."""
    told = parts(reply)
    return [name for name in expected if part(told, name) is UNSET]


def compare(
    ask: Ask, reply: Reply, rulings: Rulings, *, chooses: bool = True, right: Due | None = None
) -> tuple[Difference, ...]:
    """Return where an engine's reply differs from what must come, in full; nothing if it is right.

    Args:
        ask: what was asked.
        reply: what came.
        rulings: what the engine is judged by.
        chooses: whether the player chooses the claims; else any legal one will do.
        right: what must come, if it is known already.
    """
    right = right or due(ask, rulings)
    if reply == right.reply:
        return ()
    broken = invariant(ask, reply, rulings)
    return (broken,) if broken else against(ask, reply, rulings, right, chooses=chooses)


def against(
    ask: Ask, reply: Reply, rulings: Rulings, right: Due, *, chooses: bool
) -> tuple[Difference, ...]:
    """Return where a reply differs from what is due, whether its table can be or not."""
    found = differences(parts(right.reply), reply)
    will_do = found and _is_another(ask, reply, rulings, right, chooses=chooses)
    return () if will_do else found


def chose_itself(ask: Ask, reply: Reply, rulings: Rulings, right: Due) -> bool:
    """Whether an engine that chooses its claims itself made another legal one than the script."""
    if right.record is None or right.record.claim is None or not isinstance(reply, TurnResult):
        return False
    if not differences(parts(right.reply), reply):
        return False
    return _is_another(ask, reply, rulings, right, chooses=False)


def _is_another(ask: Ask, reply: Reply, rulings: Rulings, right: Due, *, chooses: bool) -> bool:
    """Whether a reply is one that will do as well as the right one."""
    found = others(ask, right, rulings, chooses=chooses)
    return any(not differences(parts(other.reply), reply) for other in found)


def invariant(ask: Ask, reply: Reply, rulings: Rulings) -> Difference | None:
    """Return what is impossible about the table that came, whatever was asked; none if nothing.

    Its `expected` names what holds for every table.
    """
    if not isinstance(reply, TurnResult | StartResult):
        return None
    before = ask.table if isinstance(ask, Script | Settling | Position) else None
    message, table = reply.table, msgspec.to_builtins(reply.table)
    named = [*message.grill, *(tile for own in message.stacks for tile in own)]
    if any(tile not in BASE.worms for tile in named):
        return _broken(
            "tiles-of-the-box", table, [tile for tile in named if tile not in BASE.worms]
        )
    if len(set(named)) < len(named):
        return _broken("each-tile-once", table, [one for one in named if named.count(one) > 1])
    down = complement(BASE, named)
    if message.face_down is not UNSET and tuple(sorted(message.face_down)) != down:
        return _broken("face-down-is-what-is-missing", table, down)
    if before is not None and len(message.stacks) != len(before.stacks):
        return _broken("a-stack-a-player", table, [len(before.stacks)])
    if message.grill and message.player is not UNSET and message.player >= len(message.stacks):
        return _broken("the-player-has-a-seat", table, [message.player])
    return None if before is None else _against(before, down, table, rulings)


def _against(
    before: Table, down: tuple[int, ...], table: dict[str, Any], rulings: Rulings
) -> Difference | None:
    back = set(before.face_down).difference(down)
    if back:
        return _broken("face-down-for-good", table, back)
    lost = set(down).difference(before.face_down)
    most = 2 if rulings.flip_after_return is FlipAfterReturn.BOTH else 1
    return _broken("one-tile-a-turn", table, lost) if len(lost) > most else None


def _broken(what: str, table: dict[str, Any], tiles: Any) -> Difference:
    shown = {"tiles": sorted(set(tiles)), "table": table}
    return Difference(INVARIANT, what, shown)
