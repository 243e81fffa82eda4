"""What the referee page asks of the reference: JSON in, JSON out.

Runs in the reader's browser, beside the unmodified reference and the reasons of the harness;
like them it needs nothing but the standard library. A position has the words of the adapter
protocol: `table`, `kept` and `roll`.
"""

import json
from typing import Any, NamedTuple

from pickomino_conformance.explain import explain_plain, plain_move, read_position
from pickomino_reference import (
    BASE,
    Move,
    Position,
    Refused,
    Roll,
    Rulings,
    Score,
    SetAside,
    Steal,
    Stop,
    Table,
    Take,
    Turn,
    edition_names,
    failing,
    find_edition,
    legal,
    make_rulings,
    play,
    rolling,
    score,
)

Plain = dict[str, Any]


def answer(request: str) -> str:
    """Return the answer to a request, both as JSON.

    A request is `{"position", "rulings"}`, which is explained, or the same with a `move`, which
    is played. The answer is what `explained` or `played` returns; `{"refused": rule}` if a rule
    forbids the move; `{"problem": sentence}` if there can't be such a position, or
    `{"problem": "roll-after-end"}` if a roll lies there though the rolling is over.
    """
    asked = json.loads(request)
    try:
        if _rolled_after_end(asked["position"], asked["rulings"]):
            told = {"problem": "roll-after-end"}
        elif "move" in asked:
            told = played(asked["position"], asked["move"], asked["rulings"])
        else:
            told = explained(asked["position"], asked["rulings"])
    except Refused as refused:
        told = {"refused": refused.rule}
    except ValueError as wrong:
        told = {"problem": str(wrong)}
    return json.dumps(told)


def explained(position: Plain, rulings: Plain) -> Plain:
    """Return the explanation of a position, and what other editions say otherwise.

    Returns:
        What `explain_plain` returns, and with it
        `score`: `worms` and `winners`, if the game is over;
        `others`: for each different answer of other editions their `editions`, the moves that
        are `also` allowed there or are `barred`, the `cost` of a failed turn if that differs
        (`returned`, `turned`, `turned_tiles`), the moves that else come out `otherwise`, and
        whether the game `ends_otherwise`.
    """
    chosen = make_rulings(rulings)
    read = read_position(position)
    told = explain_plain(position, rulings)
    over = not read.table.grill
    return told | {
        "score": score(read.table.stacks, chosen)._asdict() if over else None,
        "others": _others(read, _Outcomes.of(read, chosen)),
    }


def played(position: Plain, move: Plain, rulings: Plain) -> Plain:
    """Return the position after a move.

    A move is `{"roll": dice}`, `{"keep": face}`, `{"take": tile}`, `{"steal": player}`, or
    `{"stop": true}`, which also settles a dead roll that lies there.

    Raises:
        Refused: a rule forbids the move.
    """
    before, made = read_position(position), _read_move(move)
    if before.turn.rolled and isinstance(made, Stop) and failing.dead_roll(*before.turn):
        made = Roll(before.turn.rolled)
        before = Position(before.table, Turn(before.turn.set_aside))
    table, turn = play(before, made, make_rulings(rulings))
    return {"table": table._asdict(), "kept": turn.set_aside, "roll": turn.rolled or None}


class _Outcomes(NamedTuple):
    """All that an edition may decide about in a position: each move's outcome, and a failure's."""

    moves: dict[Move, Position]
    rolls_on: bool
    failure: Table | None
    score: Score | None

    @classmethod
    def of(cls, position: Position, rulings: Rulings) -> "_Outcomes":
        table, turn = position
        if not table.grill:
            return cls({}, rolls_on=False, failure=None, score=score(table.stacks, rulings))
        options = legal(position, rulings)
        stops = options.stop and not options.claims
        moves: list[Move] = [SetAside(face) for face in options.faces]
        moves += options.claims or [Stop()] * stops
        may_fail = turn.set_aside != "" or rolling.choose_a_face(turn)
        return cls(
            moves={move: play(position, move, rulings) for move in moves},
            rolls_on=options.roll,
            failure=failing.failed_turn(table, rulings) if may_fail else None,
            score=None,
        )


def _others(position: Position, here: _Outcomes) -> list[Plain]:
    """Return where the editions differ from what holds here, those of one answer together."""
    found: list[Plain] = []
    for name in edition_names():
        there = _Outcomes.of(position, find_edition(name).rulings)
        if there == here:
            continue
        told = _difference(position, here, there)
        same = [one for one in found if {**one, "editions": None} == {**told, "editions": None}]
        if same:
            same[0]["editions"].append(name)
        else:
            found.append(told | {"editions": [name]})
    return found


def _difference(position: Position, here: _Outcomes, there: _Outcomes) -> Plain:
    also = [plain_move(move) for move in there.moves if move not in here.moves]
    barred = [plain_move(move) for move in here.moves if move not in there.moves]
    roll = {"roll": rolling.all_dice(position.turn.set_aside, BASE)}
    also += [roll] * (there.rolls_on and not here.rolls_on)
    barred += [roll] * (here.rolls_on and not there.rolls_on)
    cost = None
    if there.failure is not None and there.failure != here.failure:
        cost = _cost(position.table, there.failure)
    otherwise = [
        plain_move(move)
        for move, outcome in here.moves.items()
        if cost is None and there.moves.get(move, outcome) != outcome
    ]
    return {
        "also": also,
        "barred": barred,
        "cost": cost,
        "otherwise": otherwise,
        "ends_otherwise": there.score != here.score,
    }


def _cost(before: Table, after: Table) -> Plain:
    down = sorted(set(after.face_down) - set(before.face_down))
    own = before.stacks[before.player]
    returned, turned = own[-1] if own else None, down[0] if down else None
    return {"returned": returned, "turned": turned, "turned_tiles": down}


def _rolled_after_end(position: Plain, rulings: Plain) -> bool:
    """Whether a roll lies there that nobody could make, which other editions may allow."""
    kept = position["kept"]
    return bool(position["roll"]) and rolling.forced_end(kept, make_rulings(rulings), BASE)


def _read_move(plain: Plain) -> Move:
    match plain:
        case {"roll": str(dice)}:
            return Roll(dice)
        case {"keep": str(face)}:
            return SetAside(face)
        case {"take": int(tile)}:
            return Take(tile)
        case {"steal": int(player)}:
            return Steal(player)
    return Stop()
