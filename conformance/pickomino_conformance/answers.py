"""The answers that the reference gives, with faults or without, and whether an engine agrees."""

from collections.abc import Callable, Iterable
from typing import Any

from pickomino_conformance import Malformed, Misfit, Refused
from pickomino_conformance.cases import Exchange
from pickomino_conformance.faults import Fault
from pickomino_conformance.faults.engine import FaultyEngine
from pickomino_conformance.protocol import MALFORMED, MISFIT, REFUSED
from pickomino_reference import BASE, Edition, Rulings

Answer = dict[str, Any]

_CRASHED: Answer = {"broken": "the reference with these faults crashes"}


class Answers:
    """What the reference answers under these rulings, with these faults planted.

    Args:
        rulings: what the engine is judged by.
        faults: what is planted.
        chooses: whether the player chooses the claims; else any claim that the reference makes
            with these faults will do.
    """

    def __init__(
        self, rulings: Rulings, faults: Iterable[Fault] = (), *, chooses: bool = True
    ) -> None:
        self._chooses = chooses
        self._faults = tuple(faults)
        self._engine = FaultyEngine(self._faults, Edition("", "", rulings))

    def to(self, exchanges: Iterable[Exchange]) -> list[Answer]:
        """Return the answers to the requests of a case; a crash is one, too."""
        return [self._ask(one.method, _params(one)) for one in exchanges]

    def agree(self, exchanges: Iterable[Exchange], refused: Iterable[bool]) -> bool:
        """Whether the engine answered all requests of a case like this reference.

        What an engine leaves out is not held against it. `refused` says of each request whether
        the right answer is a refusal: only then it matters how it was turned down.
        """
        return all(
            self._agrees(exchange, refused=must_refuse)
            for exchange, must_refuse in zip(exchanges, refused, strict=True)
            if exchange.answer
        )

    def _agrees(self, exchange: Exchange, *, refused: bool) -> bool:
        came, params = exchange.answer, _params(exchange)
        if _same(self._ask(exchange.method, params), came, refused=refused):
            return True
        if self._chooses or "result" not in came:
            return False
        return any(
            _same(self._ask(exchange.method, other), came, refused=refused)
            for other in _other_claims(exchange)
        )

    def _ask(self, method: str, params: dict[str, Any]) -> Answer:
        try:
            return {"result": getattr(self._engine, method)(**params)}
        except Refused:
            return {"error": {"code": REFUSED}}
        except Misfit:
            return {"error": {"code": MISFIT}}
        except Malformed:
            return {"error": {"code": MALFORMED}}
        except Exception:  # noqa: BLE001  # with a fault planted anything may come
            return _CRASHED


def _params(exchange: Exchange) -> dict[str, Any]:
    """Return the params as they were sent: without the table that the engine was left."""
    return {**exchange.params, "table": None} if exchange.goes_on else exchange.params


def _other_claims(exchange: Exchange) -> Iterable[dict[str, Any]]:
    """Yield the same turn with every claim that could be tried in the place of its own."""
    decisions = exchange.params.get("decisions")
    if not decisions or not decisions[-1].get("claim"):
        return
    tiles: list[dict[str, int]] = [{"take": tile} for tile in BASE.worms]
    seats = range(len(exchange.params["table"]["stacks"]))
    for claim in (*tiles, *({"steal": seat} for seat in seats)):
        last = {**decisions[-1], "claim": claim}
        yield {**exchange.params, "decisions": [*decisions[:-1], last]}


def _same(expected: Answer, came: Answer, *, refused: bool) -> bool:
    if "error" in came:
        if "error" not in expected:
            return False
        return not refused or bool(came["error"]["code"] == expected["error"]["code"])
    if "result" not in came or "result" not in expected:
        return False
    result: Answer = expected["result"]
    return all(
        _PARTS[name](result[name], value, result)
        for name, value in came["result"].items()
        if name in _PARTS and name in result and value is not None
    )


def _same_table(expected: Answer, came: Answer, result: Answer) -> bool:
    if sorted(came["grill"]) != expected["grill"] or came["stacks"] != expected["stacks"]:
        return False
    if "face_down" in came and sorted(came["face_down"]) != expected["face_down"]:
        return False
    over = result.get("over", False)
    if "player" in came and not over and came["player"] != expected["player"]:
        return False
    if "barred" in came and "barred" in expected:
        return bool([sorted(own) for own in came["barred"]] == expected["barred"])
    return True


def _same_trace(expected: list[Answer], came: list[Answer], _: Answer) -> bool:
    if not expected or not came:
        return True
    last = {**came[-1], "kept": "".join(sorted(came[-1]["kept"]))}
    return bool(last == {**expected[-1], "kept": "".join(sorted(expected[-1]["kept"]))})


def _same_claims(expected: list[Answer], came: list[Answer], _: Answer) -> bool:
    return sorted(map(str, expected)) == sorted(map(str, came))


def _same_set(expected: Any, came: Any, _: Answer) -> bool:
    return sorted(expected) == sorted(came)


def _equal(expected: Any, came: Any, _: Answer) -> bool:
    return bool(expected == came)


_PARTS: dict[str, Callable[[Any, Any, Answer], bool]] = {
    "table": _same_table,
    "over": _equal,
    "rolls_used": _equal,
    "trace": _same_trace,
    "worms": _equal,
    "winners": _same_set,
    "keep": _same_set,
    "roll": _equal,
    "stop": _equal,
    "claims": _same_claims,
}
