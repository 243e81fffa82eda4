"""An explanation with JSON values in and out."""

from typing import Any

from pickomino_conformance.reasons.consequences import Claimed, Consequence, Failed, Kept, Rolled
from pickomino_conformance.reasons.explaining import Explained, Explanation, explain
from pickomino_conformance.reasons.positions import read_position
from pickomino_conformance.reasons.words import consequence as in_words
from pickomino_reference import (
    Claim,
    Move,
    Roll,
    Rulings,
    Score,
    SetAside,
    Steal,
    StealBack,
    Table,
    Take,
    make_rulings,
    ruling_values,
)


def explain_plain(position: dict[str, Any], rulings: dict[str, str]) -> dict[str, Any]:
    """Return why each move may be made in a position, or why not, as JSON values.

    `position` is `{"table": {...}, "kept": "WW555", "roll": null}`, in the words of the adapter
    protocol. `rulings` are values by the ids of rulings; one that is left out is the
    rulebook's.

    The result has

    - `table`, `kept`, `roll`: the position, in order and complete;
    - `rulings`: the value of every ruling;
    - `total` of the dice set aside, `dice` not set aside, `over`: whether the game is over;
    - `failed`: a failed turn (see below) if the position is one: a dead roll lies there, or the
      rolling is over with nothing to claim; else null;
    - `moves`: every move that a person might try, in this order: `{"keep": face}` for the six
      faces, `{"roll": dice}`, `{"stop": true}` (with nothing to claim), `{"take": tile}` for
      all tiles, `{"steal": player}` for all players, the one to move too.

    A move has

    - `move`, `allowed`;
    - `why`: the reason, a value of `Why`; `because`: the same as an English sentence;
    - `facts`: what the sentence may speak of: `total`, `dice` (how many are left), `mover` (the
      player to move), and as far as there are such: `face`, `tile`, `player` (who owns the tile,
      or is to be robbed), `next` (the next lower tile of the grill);
    - `rules`: ids of the rules that allow or forbid it, the one that decides first;
    - `hinges`: the rulings on which it hangs whether it is allowed, or what comes of it:
      `{"ruling", "value", "otherwise": [values that would change something]}`;
    - `consequence`: what comes of it, null if it is not allowed.

    A consequence has a `kind`, the `rules` that bring it about, `words`: the same as English
    sentences, and by its kind

    - `kept`: `kept`, `total`, `dice`, `rolling_over`, `claims` (what may be claimed now), and
      `failed` if the rolling is over with nothing to claim;
    - `rolled`: `dice`, `dead` (the roll is dead if it shows these faces only), and `failed`
      (what a dead roll brings; null if no roll can be dead);
    - `claimed`: `tile`, `covers`, `uncovers`, `table`, `over`, `worms`, `winners`;
    - `failed`: `returned`, `turned`, `table`, `over`, `worms`, `winners`.

    Tiles that are not there are null, and so are `worms` and `winners` while the game goes on.

    Raises:
        ValueError: the position, a ruling or a value can't be read or can't be; the text is for
            people.
    """
    chosen = make_rulings(rulings)
    return plain_explanation(explain(read_position(position), chosen))


def plain_explanation(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as `explain_plain` has it."""
    table, turn = explanation.position
    rulings = explanation.rulings
    failed = explanation.failed
    return {
        "table": _table(table, rulings),
        "kept": turn.set_aside,
        "roll": turn.rolled or None,
        "rulings": ruling_values(rulings),
        "total": explanation.total,
        "dice": explanation.dice,
        "over": explanation.over,
        "failed": None if failed is None else _consequence(failed, rulings),
        "moves": [_explained(one, explanation) for one in explanation.moves],
    }


def _explained(one: Explained, explanation: Explanation) -> dict[str, Any]:
    consequence = one.consequence
    return {
        "move": plain_move(one.move),
        "allowed": one.allowed,
        "why": str(one.why),
        "facts": dict(one.facts),
        "because": one.because,
        "rules": list(map(str, one.rules)),
        "hinges": [
            {"ruling": hinge.ruling, "value": hinge.value, "otherwise": list(hinge.otherwise)}
            for hinge in one.hinges
        ],
        "consequence": (
            None if consequence is None else _consequence(consequence, explanation.rulings)
        ),
    }


def plain_move(move: Move) -> dict[str, Any]:
    """Return a move as one member: `keep`, `roll` (how many dice), `stop`, `take`, `steal`."""
    match move:
        case SetAside(face):
            return {"keep": face}
        case Roll(dice):
            return {"roll": len(dice)}
        case Take() | Steal():
            return dict(_claim(move))
        case _:
            return {"stop": True}


def _claim(claim: Claim) -> dict[str, int]:
    return {"take": claim.tile} if isinstance(claim, Take) else {"steal": claim.player}


def _consequence(consequence: Consequence, rulings: Rulings) -> dict[str, Any]:
    rules, words = list(map(str, consequence.rules)), in_words(consequence)
    match consequence:
        case Kept():
            return {
                "kind": "kept",
                "rules": rules,
                "words": words,
                "kept": consequence.set_aside,
                "total": consequence.total,
                "dice": consequence.dice,
                "rolling_over": consequence.rolling_over,
                "claims": [_claim(claim) for claim in consequence.claims],
                "failed": _maybe(consequence.failed, rulings),
            }
        case Rolled():
            return {
                "kind": "rolled",
                "rules": rules,
                "words": words,
                "dice": consequence.dice,
                "dead": consequence.dead,
                "failed": _maybe(consequence.failed, rulings),
            }
        case Claimed():
            return {
                "kind": "claimed",
                "rules": rules,
                "words": words,
                "tile": consequence.tile,
                "covers": consequence.covers,
                "uncovers": consequence.uncovers,
                **_settled(consequence.table, consequence.score, rulings),
            }
        case Failed():
            return {
                "kind": "failed",
                "rules": rules,
                "words": words,
                "returned": consequence.returned,
                "turned": consequence.turned,
                **_settled(consequence.table, consequence.score, rulings),
            }


def _maybe(failed: Failed | None, rulings: Rulings) -> dict[str, Any] | None:
    return None if failed is None else _consequence(failed, rulings)


def _settled(table: Table, score: Score | None, rulings: Rulings) -> dict[str, Any]:
    return {
        "table": _table(table, rulings),
        "over": score is not None,
        "worms": None if score is None else list(score.worms),
        "winners": None if score is None else list(score.winners),
    }


def _table(table: Table, rulings: Rulings) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "grill": list(table.grill),
        "face_down": list(table.face_down),
        "stacks": [list(stack) for stack in table.stacks],
        "player": table.player,
    }
    if rulings.steal_back is StealBack.BARRED:
        plain["barred"] = [list(tiles) for tiles in table.barred]
    return plain
