"""What must come: the reference's own reply to a request, and an engine's reply held against it."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from pickomino_conformance import sentences
from pickomino_conformance.cases import VERDICTS, Departure, Exchange, Script, Unsupported
from pickomino_conformance.engines.reference import ReferenceEngine
from pickomino_conformance.engines.session import Engine, InProcess, Reply
from pickomino_conformance.protocol import (
    MISFIT,
    REFUSED,
    ErrorMessage,
    LegalResult,
    Params,
    ScoreParams,
    ScoreResult,
    StartParams,
    StartResult,
    TurnParams,
    TurnResult,
    decode_params,
    decode_result,
)
from pickomino_conformance.subject import (
    Subject,
    account_differences,
    describe_differences,
    differences,
    legal_outcomes,
    require_possible,
    require_refusal,
    require_result,
    same_table,
)
from pickomino_conformance.tables import read_table
from pickomino_reference import BASE, Edition, Rulings, Table

NAMES = ("Ann", "Bob", "Cas", "Dee", "Eve", "Fay", "Gus")
IN_WORDS = {
    "keep": "faces to keep",
    "roll": "may roll",
    "stop": "may stop",
    "claims": "claims",
    "worms": "worms",
}

_DEPARTS: tuple[type[Exception], ...] = (msgspec.MsgspecError, *VERDICTS)

Differences = dict[str, tuple[str, str]]


class NotOfTheGame(Exception):
    """A request that the reference makes nothing of under these rulings; the text says why."""


@cache
def reference(rulings: Rulings) -> Subject:
    """Return the reference, playing these rulings in this process."""
    engine = ReferenceEngine(Edition("", "", rulings))
    return Subject(Engine(lambda: InProcess(engine)), rulings)


def read_params(exchange: Exchange) -> Params:
    """Return the request of an exchange.

    Raises:
        msgspec.ValidationError: it is none of the protocol.
    """
    if exchange.method not in decode_params:
        raise msgspec.ValidationError(f"there is no method {exchange.method!r}")
    params: Params = decode_params[exchange.method](msgspec.json.encode(exchange.params))
    if isinstance(params, TurnParams):
        read_script(params)
    return params


def read_script(params: TurnParams) -> Script:
    """Return the turn of a request whose table is told.

    Raises:
        msgspec.ValidationError: the table is missing, or can't be one of the game.
    """
    if params.table is None:
        raise msgspec.ValidationError("a turn without a table can't be asked by itself")
    try:
        table = read_table(params.table)
    except ValueError as error:
        raise msgspec.ValidationError(f"there is no such table: {error}") from None
    return Script(table, tuple(params.rolls), tuple(params.decisions))


def read_answer(exchange: Exchange) -> Reply | None:
    """Return the reply of an exchange; none if the engine broke down or was not asked."""
    if "error" in exchange.answer:
        return msgspec.json.decode(msgspec.json.encode(exchange.answer["error"]), type=ErrorMessage)
    if "result" not in exchange.answer:
        return None
    result = msgspec.json.encode(exchange.answer["result"])
    return decode_result[exchange.method](result)  # type: ignore[no-any-return]


def expected_reply(params: Params, rulings: Rulings) -> Reply:
    """Return what the reference answers.

    Raises:
        NotOfTheGame: the request does not fit what the rules make of it.
    """
    subject = reference(rulings)
    if isinstance(params, TurnParams):
        reply = subject.ask(read_script(params)).reply
    else:
        reply = subject.ask_one(params)
    subject.exchanges.clear()
    if isinstance(reply, ErrorMessage) and reply.code != REFUSED:
        raise NotOfTheGame(reply.message)
    return reply


class Held(NamedTuple):
    """A request, the reply of an engine, and what it is held against."""

    params: Params
    reply: Reply
    subject: Subject

    def require(self) -> None:
        """Raise unless the reply is the one that the reference gives, as far as it tells.

        Raises:
            Departure, Erred, Unsupported, NotReached: it is not.
            NotOfTheGame: the request does not fit what the rules make of it.
        """
        expected = expected_reply(self.params, self.subject.rulings)
        if isinstance(expected, ErrorMessage):
            self._require_refusal()
            return
        if isinstance(self.reply, ErrorMessage) and self.reply.code in (REFUSED, MISFIT):
            told = sentences.error(self.reply)
            raise Departure(f"Expected: {tell_reply(expected)}. Came: {told}.")
        require_result(self.reply)
        found = self._differences(expected)
        if found:
            raise Departure(describe_differences(found))

    def _require_refusal(self) -> None:
        self.subject.need("refuse")
        if isinstance(self.params, TurnParams):
            claim = self.params.decisions[-1].claim if self.params.decisions else None
            if claim and not self.subject.can("choose-claim"):
                self._require_other_claim()
        require_refusal(self.reply)

    def _require_other_claim(self) -> None:
        """Check that an engine that chooses for itself did not make the forbidden claim."""
        assert isinstance(self.params, TurnParams)
        script = read_script(self.params)
        if isinstance(self.reply, TurnResult):
            require_possible(script.table, self.reply.table)
            tile, player = claimed_tile(script), script.table.player
            own = self.reply.table.stacks[player]
            if own[-1:] == [tile] and script.table.stacks[player][-1:] != (tile,):
                who = sentences.player(player, NAMES)
                raise Departure(
                    f"Expected: {who} does not get the {tile}. Came: {who} owns "
                    f"{sentences.stack(own)}."
                )
        raise Unsupported("the engine chooses its claims itself")

    def _differences(self, expected: Reply) -> Differences:
        match self.reply, expected:
            case TurnResult(), TurnResult():
                return self._turn_differences(self.reply, expected)
            case StartResult(), StartResult():
                require_possible(None, self.reply.table)
                return _start_differences(self.reply, expected)
            case ScoreResult(), ScoreResult():
                return _member_differences(_known_score(self.reply), _known_score(expected))
            case LegalResult(), LegalResult():
                return _member_differences(_sorted_legal(self.reply), _sorted_legal(expected))
            case _:
                return {}

    def _turn_differences(self, came: TurnResult, expected: TurnResult) -> Differences:
        if not isinstance(self.params, TurnParams):
            # `settle`: the dice are told, so that there is nothing but the table to look at.
            return differences(read_table(expected.table), came, self.subject.rulings, NAMES)
        script = read_script(self.params)
        require_possible(script.table, came.table)
        table = read_table(expected.table)
        found = differences(table, came, self.subject.rulings, NAMES)
        if found and not self.subject.can("choose-claim") and not same_table(table, came):
            outcomes = legal_outcomes(script, self.subject.rulings)
            if any(same_table(outcome, came) for outcome in outcomes):
                return {}
        last = expected.trace[-1] if expected.trace else None
        return found | account_differences(came, expected.rolls_used, last)


def up_to_the_departure(exchanges: Sequence[Exchange], rulings: Rulings) -> tuple[Exchange, ...]:
    """Return the exchanges without those after the last one whose answer departs.

    A case may look, once its own turn is played, whether the engine goes on as before. If a
    forbidden turn was accepted, it can't: the table is another one.
    """
    for place, exchange in enumerate(exchanges):
        if is_forbidden(exchange, rulings) and _departs(exchange, rulings):
            return tuple(exchanges[: place + 1])
    for place in range(len(exchanges), 0, -1):
        if _departs(exchanges[place - 1], rulings):
            return tuple(exchanges[:place])
    return tuple(exchanges)


def goes_on_after_a_refusal(exchanges: Sequence[Exchange], rulings: Rulings) -> bool:
    """Whether the last request goes on with the table of one that must be refused."""
    return len(exchanges) > 1 and exchanges[-1].goes_on and is_forbidden(exchanges[-2], rulings)


def is_forbidden(exchange: Exchange, rulings: Rulings) -> bool:
    """Whether the reference refuses a request."""
    try:
        return isinstance(expected_reply(read_params(exchange), rulings), ErrorMessage)
    except NotOfTheGame:
        return False
    except _DEPARTS:
        return False


def _departs(exchange: Exchange, rulings: Rulings) -> bool:
    """Whether the reference answers otherwise; false if nothing was asked."""
    if not exchange.answer:
        return False
    try:
        params, reply = read_params(exchange), read_answer(exchange)
        if reply is not None:
            Held(params, reply, reference(rulings)).require()
    except _DEPARTS:
        return True
    except NotOfTheGame:
        return False
    return reply is None


def claimed_tile(script: Script) -> int | None:
    """Return the tile that the last decision claims, if there is one to be had."""
    claim = script.decisions[-1].claim
    if not claim:
        return None
    if claim.take is not UNSET:
        return claim.take
    assert claim.steal is not UNSET
    stacks = script.table.stacks
    return stacks[claim.steal][-1] if claim.steal < len(stacks) and stacks[claim.steal] else None


def _start_differences(came: StartResult, expected: StartResult) -> Differences:
    due, told = read_table(expected.table), came.table
    if (tuple(sorted(told.grill)), tuple(map(tuple, told.stacks))) == (due.grill, due.stacks):
        return {}
    return {"table": (sentences.table(due, NAMES), sentences.table(told, NAMES))}


def _known_score(score: ScoreResult) -> dict[str, Any]:
    winners = None if score.winners is None else sorted(score.winners)
    return {"worms": score.worms, "winners": winners}


def _sorted_legal(legal: LegalResult) -> dict[str, Any]:
    claims = sorted(str(msgspec.to_builtins(claim)) for claim in legal.claims)
    keep = "".join(sorted(legal.keep))
    return {"keep": keep, "roll": legal.roll, "stop": legal.stop, "claims": claims}


def _member_differences(came: dict[str, Any], expected: dict[str, Any]) -> Differences:
    """Return what differs; a null says that the engine does not know."""
    return {
        name: (_tell_member(name, due), _tell_member(name, came[name]))
        for name, due in expected.items()
        if came[name] is not None and came[name] != due
    }


def _tell_member(name: str, value: Any) -> str:
    if name == "winners":
        players = [sentences.player(seat, NAMES) for seat in value]
        return f"won by {' and '.join(players) or 'nobody'}"
    return f"{IN_WORDS[name]} {value}"


def tell_request(params: Params) -> str:
    """Return a request as a sentence, without its full stop."""
    match params:
        case TurnParams():
            script = read_script(params)
            table = sentences.table(script.table, NAMES)
            return f"{table}. {sentences.turn(script, NAMES)}"
        case StartParams(players):
            return f"A game for {players} player{'' if players == 1 else 's'} is set up"
        case ScoreParams(stacks):
            owned = [
                f"{sentences.player(seat, NAMES)} owns {sentences.stack(own)}"
                for seat, own in enumerate(stacks)
            ]
            return f"{'; '.join(owned)}. The worms are counted"
        case _:
            return f"The engine is asked: {msgspec.json.encode(params).decode()}"


def tell_reply(reply: Reply, names: Sequence[str] = NAMES) -> str:
    """Return a reply as a part of a sentence."""
    match reply:
        case TurnResult(table=table) | StartResult(table=table):
            return sentences.table(table, names)
        case ErrorMessage():
            return "it is refused" if reply.code == REFUSED else sentences.error(reply)
        case _:
            return msgspec.json.encode(reply).decode()


def table_of(reply: Reply | None) -> Table | None:
    """Return the table that a reply tells; none if it tells none, or an impossible one."""
    if not isinstance(reply, TurnResult | StartResult):
        return None
    try:
        return read_table(reply.table, BASE)
    except ValueError:
        return None
