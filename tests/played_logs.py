"""Logs of random games that the reference plays, as it is or with faults planted in it."""

import json
import random
from collections.abc import Iterable, Iterator
from typing import Any

from pickomino_conformance.faults import Fault, planted
from pickomino_conformance.protocol.messages import encode
from pickomino_conformance.protocol.translate import table_message
from pickomino_reference import (
    BASE,
    Options,
    Position,
    Roll,
    Rulings,
    SetAside,
    Steal,
    Stop,
    Table,
    Take,
    game,
    rolling,
)

LONGEST_GAME = 80


def play_log(
    rulings: Rulings,
    seed: int,
    *,
    games: int = 1,
    players: int = 2,
    faults: Iterable[Fault] = (),
    announced: bool = True,
) -> list[dict[str, Any]]:
    """Return the log of some games; each begins and ends with a line of its own."""
    chance = random.Random(seed)
    lines: list[dict[str, Any]] = []
    with planted(faults):
        for _ in range(games):
            if announced:
                lines.append({"players": players})
            lines += _play_game(rulings, chance, players)
    return lines


def _play_game(rulings: Rulings, chance: random.Random, players: int) -> Iterator[dict[str, Any]]:
    table = game.start(players)
    for _ in range(LONGEST_GAME):
        line, table = _play_turn(table, rulings, chance)
        yield line
        if game.legal(Position(table), rulings) == Options():
            score = game.score(table.stacks, rulings)
            yield {"over": True, "worms": list(score.worms), "winners": list(score.winners)}
            return
    yield {"over": False}


def _play_turn(
    table: Table, rulings: Rulings, chance: random.Random
) -> tuple[dict[str, Any], Table]:
    position, rolls, decisions = Position(table), [], []
    after = None
    while after is None:
        dice = rolling.all_dice(position.turn.set_aside, BASE)
        roll = "".join(chance.choice("12345WW") for _ in range(dice))
        rolls.append(roll)
        rolled = game.play(position, Roll(roll), rulings)
        if rolled.turn.rolled == "":
            after = rolled.table
            break
        faces = game.legal(rolled, rulings).faces
        decision = {"keep": chance.choice(faces or rolled.turn.rolled), "then": "roll"}
        decisions.append(decision)
        position = game.play(rolled, SetAside(decision["keep"]), rulings)
        if position.turn.set_aside == "":
            after = position.table
            kept = rolling.whole_face(rolled.turn.set_aside, roll, decision["keep"])
            if rolling.forced_end(kept, rulings, BASE):
                decision |= {"then": "stop", "claim": None}
            break
        move = _stop(position, rulings, chance)
        if move is not None:
            decision |= {"then": "stop", "claim": _plain(move)}
            after = game.play(position, move, rulings).table
    line = {
        "table": _table(table, rulings),
        "rolls": rolls,
        "decisions": decisions,
        "table_after": _table(after, rulings),
        "over": after.grill == (),
    }
    return line, after


def _stop(position: Position, rulings: Rulings, chance: random.Random):
    """Return how the player stops; nothing to roll on."""
    options = game.legal(position, rulings)
    steals = [claim for claim in options.claims if isinstance(claim, Steal)]
    if not options.roll or (options.claims and chance.random() < (0.9 if steals else 0.6)):
        liked = steals if steals and chance.random() < 0.5 else options.claims
        return chance.choice(liked) if liked else Stop()
    if options.stop and not options.claims and chance.random() < 0.1:
        return Stop()
    return None


def _plain(move) -> dict[str, int] | None:
    if isinstance(move, Take):
        return {"take": move.tile}
    return {"steal": move.player} if isinstance(move, Steal) else None


def _table(table: Table, rulings: Rulings) -> dict[str, Any]:
    return json.loads(encode(table_message(table, rulings)))
