"""The engine under test: what it is held to, and how a turn is asked of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from pickomino_conformance import sentences
from pickomino_conformance.cases import (
    Departure,
    Erred,
    Exchange,
    NotReached,
    Script,
    Unsupported,
    exchange,
)
from pickomino_conformance.engines.session import Breakdown, Engine, Reply
from pickomino_conformance.protocol import (
    CRASHED,
    MISFIT,
    REFUSED,
    ErrorMessage,
    Hello,
    Params,
    StartParams,
    StartResult,
    TableMessage,
    TurnResult,
)
from pickomino_conformance.tables import complement, impossible, read_claim, read_table
from pickomino_reference import (
    BASE,
    Claim,
    Position,
    Roll,
    Rulings,
    SetAside,
    StealBack,
    Table,
    UnknownName,
    legal,
    make_rulings,
    play,
    ruling_values,
    start,
)
from pickomino_reference.editions import check_value


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


class Asked(NamedTuple):
    """A turn as it was asked, and the reply to it."""

    script: Script
    reply: Reply


class Subject:
    """An engine, and the rulings that it is judged by.

    Attributes:
        engine: the conversation with it.
        hello: what it says of itself.
        rulings: what it is judged by.
        exchanges: what was asked, and what came, since the list was last cleared.
    """

    def __init__(self, engine: Engine, rulings: Rulings) -> None:
        self.engine = engine
        self.hello = engine.hello
        self.rulings = rulings
        self.exchanges: list[Exchange] = []
        self._capabilities = frozenset(engine.hello.capabilities)

    def can(self, capability: str) -> bool:
        """Whether the engine says that it can."""
        return capability in self._capabilities

    def need(self, *capabilities: str) -> None:
        """Raise `Unsupported` if one of these is missing."""
        for capability in capabilities:
            if not self.can(capability):
                raise Unsupported(f"the engine has no capability {capability!r}")

    def need_players(self, number: int) -> None:
        """Raise `Unsupported` if the engine can't play with so many."""
        fewest, most = self.hello.players
        if not fewest <= number <= most:
            raise Unsupported(f"the engine plays with {fewest} to {most}, not with {number}")

    def requests(self, script: Script, *, goes_on: bool = False) -> list[Params]:
        """Return the requests that set the table and play a turn on it.

        `goes_on` leaves the table to the engine: it is the one that it answered last.

        Raises:
            Unsupported: too many players, or neither `set-table` nor `start`.
            NotReached: without `set-table` only turns from the start of a game can be asked.
        """
        players = len(script.table.stacks)
        self.need_players(players)
        turn = script.params(self.rulings)
        if goes_on:
            turn.table = None
        if goes_on or self.can("set-table"):
            return [turn]
        self.need("start")
        if script.table != start(players):
            raise NotReached("the engine can't be set to this table")
        turn.table = None
        return [StartParams(players), turn]

    def ask(self, script: Script, *following: Script, goes_on: bool = False) -> Asked:
        """Return the last of these turns as it was asked, and the reply to it.

        A following turn goes on with the table that the engine has. If it is not the turn of
        the player whom the script has, that table is set with this player: a turn that passes
        wrongly is no fault of the next one.

        Raises:
            Departure: an earlier turn was not played.
            Erred: the engine broke down on the way.
            NotReached: the game, or an earlier turn, did not lead where it must.
        """
        requests = self.requests(script, goes_on=goes_on)
        *opening, reply = replies = self.engine.ask(*requests)
        told = [*requests[:-1], script.params(self.rulings)]
        self.exchanges += map(exchange, told, map(plain_reply, replies))
        for begun in opening:
            require_start(begun, script.table)
        again = self.one_more_roll(script, reply)
        if again is not None:
            if goes_on and not self.can("set-table"):
                raise NotReached("the engine can't be set to the table of a second turn")
            return self.ask(again, *following)
        if not following:
            return Asked(script, reply)
        require_result(reply)
        assert isinstance(reply, TurnResult)
        require_possible(script.table, reply.table)
        if self.chose_itself(script, reply):
            raise NotReached("the engine chooses its claims itself, and chose another one")
        after, *rest = following
        right_player = reply.table.player in (UNSET, after.table.player)
        if not right_player and not self.can("set-table"):
            raise NotReached("the engine can't be set to the table of a second turn")
        table = read_table(reply.table)._replace(player=after.table.player)
        return self.ask(after._replace(table=table), *rest, goes_on=right_player)

    def ask_one(self, params: Params) -> Reply:
        """Return the reply to a single request."""
        (reply,) = self.engine.ask(params)
        self.exchanges.append(exchange(params, plain_reply(reply)))
        return reply

    def chose_itself(self, script: Script, reply: TurnResult) -> bool:
        """Whether an engine that chooses for itself made another legal claim than the script."""
        claim = script.decisions[-1].claim if script.decisions else None
        if self.can("choose-claim") or not claim:
            return False
        scripted, *others = legal_outcomes(script, self.rulings, read_claim(claim))
        return not same_table(scripted, reply) and any(same_table(one, reply) for one in others)

    def one_more_roll(self, script: Script, reply: Reply) -> Script | None:
        """Return the script with a dead roll more, where an engine may ask for one.

        Its players may be unable to stop with every face set aside while dice are left.
        """
        if not isinstance(reply, ErrorMessage) or reply.code != MISFIT:
            return None
        kept, last = script.set_aside, script.decisions[-1:]
        six_faces = len(set(kept)) == len(BASE.points) and len(kept) < BASE.dice
        if len(script.rolls) != len(script.decisions) or not six_faces:
            return None
        if last[0].then != "stop" or last[0].claim:
            return None
        return script._replace(rolls=(*script.rolls, kept[0] * (BASE.dice - len(kept))))


def plain_reply(reply: Reply) -> dict[str, Any]:
    """Return a reply as the answer of an exchange."""
    if isinstance(reply, Breakdown):
        return {"broken": reply.reason} if reply.asked else {}
    if isinstance(reply, ErrorMessage):
        return {"error": msgspec.json.decode(msgspec.json.encode(reply))}
    return {"result": msgspec.to_builtins(reply)}


def require_start(reply: Reply, table: Table) -> None:
    """Raise unless the engine answered with a new game on this table.

    Raises:
        NotReached: it begins on another table, which is the business of other cases.
        Departure, Erred: it did not begin a game at all.
    """
    require_result(reply)
    assert isinstance(reply, StartResult)
    came = reply.table
    if tuple(sorted(came.grill)) != table.grill or tuple(map(tuple, came.stacks)) != table.stacks:
        raise NotReached(f"a game does not start as it must: {sentences.table(came)}")


def require_result(reply: Reply) -> None:
    """Raise unless the engine answered with a result.

    Raises:
        Departure: it refuses, or the script does not fit what it makes of the turn.
        Erred: it crashed, broke down, or knows no such method.
        NotReached: it was not asked, having broken down too often.
    """
    if isinstance(reply, Breakdown) and not reply.asked:
        raise NotReached(f"the engine was not asked any more: {reply.reason}")
    if isinstance(reply, Breakdown):
        words = f" Its last words: {reply.last_words}" if reply.last_words else ""
        raise Erred(f"The engine broke down: {reply.reason}.{words}")
    if not isinstance(reply, ErrorMessage):
        return
    if reply.code in (REFUSED, MISFIT):
        raise Departure(f"Came: {sentences.error(reply)}.")
    if reply.code == CRASHED:
        raise Erred(f"The engine crashed: {reply.message}")
    raise Erred(f"The engine answers {sentences.error(reply)}.")


def require_refusal(reply: Reply) -> None:
    """Raise unless the engine refused.

    Raises:
        Departure: it accepted, whether it settled the turn or asks for more.
        Erred: it crashed or broke down.
    """
    if isinstance(reply, ErrorMessage):
        if reply.code == REFUSED:
            return
        if reply.code == MISFIT:
            raise Departure(
                f"Expected: it is refused. Came: it is accepted, and {sentences.error(reply)}."
            )
    require_result(reply)
    raise Departure("Expected: it is refused. Came: it is accepted.")


def require_possible(before: Table | None, message: TableMessage) -> None:
    """Raise unless the table can be one of the game, and can follow the one before.

    Raises:
        Departure: a tile is twice, gone, or not in the box; a face-down tile came back.
    """
    named = [*message.grill, *(tile for own in message.stacks for tile in own)]
    wrong = impossible(named, BASE)
    if wrong:
        raise Departure(f"Came: an impossible table, {wrong}: {sentences.table(message)}.")
    down = complement(BASE, named)
    if message.face_down is not UNSET and tuple(sorted(message.face_down)) != down:
        raise Departure(
            f"Came: an impossible table, face-down tiles {sentences.tiles(message.face_down)} "
            f"where {sentences.tiles(down)} are missing elsewhere."
        )
    if before is None:
        return
    if len(message.stacks) != len(before.stacks):
        raise Departure(
            f"Came: an impossible table, {len(message.stacks)} stacks "
            f"for {len(before.stacks)} players."
        )
    back = set(before.face_down).difference(down)
    if back:
        raise Departure(f"Came: face-down tiles are back in the game: {sentences.tiles(back)}.")
    lost = set(down).difference(before.face_down)
    if len(lost) > 1:
        raise Departure(
            f"Came: more than one tile left the game in one turn: {sentences.tiles(lost)}."
        )


def differences(
    expected: Table, answer: TurnResult, rulings: Rulings, names: Sequence[str] = ()
) -> dict[str, tuple[str, str]]:
    """Return what differs, by the part of the answer: what was expected, and what came.

    What an engine leaves out is not held against it.
    """
    came = answer.table
    found: dict[str, tuple[str, str]] = {}
    if tuple(sorted(came.grill)) != expected.grill:
        found["grill"] = (
            f"grill {sentences.tiles(expected.grill)}",
            f"grill {sentences.tiles(came.grill)}",
        )
    for seat, own in enumerate(expected.stacks):
        if tuple(came.stacks[seat]) != own:
            who = sentences.player(seat, names)
            found[f"stack {seat}"] = (
                f"{who} owns {sentences.stack(own)}",
                f"{who} owns {sentences.stack(came.stacks[seat])}",
            )
    over = expected.grill == ()
    if answer.over is not UNSET and answer.over is not over:
        words = ("the game goes on", "the game is over")
        found["over"] = (words[over], words[answer.over])
    if not over and came.player is not UNSET and came.player != expected.player:
        found["player"] = (
            f"{sentences.player(expected.player, names)} is next",
            f"{sentences.player(came.player, names)} is next",
        )
    if rulings.steal_back is StealBack.BARRED and came.barred is not UNSET:
        barred = tuple(tuple(sorted(tiles)) for tiles in came.barred)
        if barred != expected.barred:
            found["barred"] = (f"barred {expected.barred}", f"barred {barred}")
    return found


def describe_differences(found: Mapping[str, tuple[str, str]]) -> str:
    """Return the differences as `Expected: … Came: …`."""
    expected = "; ".join(one for one, _ in found.values())
    came = "; ".join(other for _, other in found.values())
    return f"Expected: {expected}. Came: {came}."


def same_table(expected: Table, answer: TurnResult) -> bool:
    """Whether grill and stacks are as expected."""
    came = answer.table
    return (
        tuple(sorted(came.grill)) == expected.grill
        and tuple(map(tuple, came.stacks)) == expected.stacks
    )


def legal_outcomes(script: Script, rulings: Rulings, first: Claim | None = None) -> list[Table]:
    """Return the table after each legal claim with which this script could end.

    `first`, if it is legal, comes first. Empty if the script does not end by a stop with
    something to claim.
    """
    position = Position(script.table)
    for roll, decision in zip(script.rolls, script.decisions, strict=False):
        if decision.keep is None:
            return []
        position = play(position, Roll(roll), rulings)
        position = play(position, SetAside(decision.keep), rulings)
    claims = sorted(legal(position, rulings).claims, key=lambda claim: claim != first)
    return [play(position, claim, rulings).table for claim in claims]
