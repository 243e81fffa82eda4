"""The answers that the reference gives, with faults or without, and whether an engine agrees."""

from collections.abc import Callable, Iterable, Iterator
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
        return not any(self._differing(exchanges, refused))

    def differing(self, exchanges: Iterable[Exchange], refused: Iterable[bool]) -> frozenset[str]:
        """Return the parts of the answers in which the engine and this reference differ."""
        found = self._differing(exchanges, refused)
        return frozenset(f"{place} {part}" for place, parts in enumerate(found) for part in parts)

    def _differing(
        self, exchanges: Iterable[Exchange], refused: Iterable[bool]
    ) -> Iterator[frozenset[str]]:
        """Yield, request by request, the parts of the answer that differ."""
        led = False
        for exchange, must_refuse in zip(exchanges, refused, strict=True):
            # What it goes on with may be from another case, if nothing in this one led there.
            if exchange.answer and (led or not exchange.goes_on):
                yield self._parts(exchange, refused=must_refuse)
            led = led or "result" in exchange.answer

    def _parts(self, exchange: Exchange, *, refused: bool) -> frozenset[str]:
        came, params = exchange.answer, _params(exchange)
        parts = _differences(self._ask(exchange.method, params), came, refused=refused)
        if not parts or self._chooses or "result" not in came:
            return parts
        claimed_otherwise = any(
            not _differences(self._ask(exchange.method, other), came, refused=refused)
            for other in _other_claims(exchange)
        )
        return frozenset() if claimed_otherwise else parts

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


def _differences(expected: Answer, came: Answer, *, refused: bool) -> frozenset[str]:
    """Return the parts of two answers that differ."""
    if "error" in came:
        if "error" not in expected:
            return frozenset(("error",))
        same = not refused or came["error"]["code"] == expected["error"]["code"]
        return frozenset() if same else frozenset(("code",))
    if "result" not in came or "result" not in expected:
        return frozenset(("error",))
    result: Answer = expected["result"]
    told = {**came["result"], **came["result"].get("table", {})}
    due = {**result, **result.get("table", {})}
    return frozenset(
        name
        for name, value in told.items()
        if name in _PARTS and name in due and value is not None
        if not _PARTS[name](due[name], value, result)
    )


def _same_player(expected: int, came: int, result: Answer) -> bool:
    return bool(result.get("over", False)) or expected == came


def _same_barred(expected: list[list[int]], came: list[list[int]], _: Answer) -> bool:
    return [sorted(own) for own in came] == expected


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
    "grill": _same_set,
    "stacks": _equal,
    "face_down": _same_set,
    "player": _same_player,
    "barred": _same_barred,
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
