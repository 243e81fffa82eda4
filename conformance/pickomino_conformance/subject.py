"""The engine under test: what it is held to, and how a turn is asked of it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from pickomino_conformance import sentences, settling
from pickomino_conformance.arriving import Leg, find_way, hangs_on
from pickomino_conformance.cases import (
    VERDICTS,
    Departure,
    Erred,
    Exchange,
    NotReached,
    Script,
    Unsupported,
    exchange,
)
from pickomino_conformance.engines.session import Breakdown, Engine, Reply, Talk
from pickomino_conformance.protocol import (
    CRASHED,
    MISFIT,
    NO_SUCH_METHOD,
    REFUSED,
    ErrorMessage,
    Hello,
    Params,
    SettleParams,
    StartParams,
    StartResult,
    Step,
    TableMessage,
    TurnParams,
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
    rolling,
    ruling_values,
    start,
)
from pickomino_reference.editions import check_value

# So many turns are asked at once of an engine that can be set to their tables.
AT_ONCE = 256


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


class Answered(NamedTuple):
    """A turn as it was asked, and what came of it.

    Attributes:
        script: the turn, perhaps with a dead roll more (`Subject.one_more_roll`).
        reply: the reply to it; none if it could not be asked.
        failure: why it could not be asked, one of the exceptions of `cases.VERDICTS`.
        exchanges: what was asked, and what came, with the tables told.
    """

    script: Script
    reply: Reply | None
    failure: Exception | None = None
    exchanges: tuple[Exchange, ...] = ()

    def required(self) -> Reply:
        """Return the reply.

        Raises:
            Departure, Erred, Unsupported, NotReached: there is none.
        """
        if self.failure is not None:
            raise self.failure
        assert self.reply is not None
        return self.reply


class Subject:
    """An engine, and the rulings that it is judged by.

    Attributes:
        engine: the conversation with it.
        hello: what it says of itself.
        rulings: what it is judged by.
        exchanges: what was asked, and what came, since the list was last cleared.
        only_settles: whether it has turned out to know only how turns end (`settle`).
    """

    def __init__(self, engine: Engine, rulings: Rulings) -> None:
        self.engine = engine
        self.hello = engine.hello
        self.rulings = rulings
        self.exchanges: list[Exchange] = []
        self.only_settles = False
        self._prefers_the_grill = False
        self._astray: frozenset[str] = frozenset()
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

    def shows(self, rules: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the rules that the engine's answers to turns can be judged by."""
        if not self.only_settles:
            return rules
        return tuple(rule for rule in rules if rule not in settling.ON_THE_WAY)

    def requests(self, script: Script) -> list[Params]:
        """Return the requests that set the table and play a turn on it, to be sent at once.

        Raises:
            Unsupported: too many players, neither `set-table` nor `start`, or no `turn`.
            NotReached: without `set-table` only a turn from the start of a game is so asked.
        """
        self._need_turns(script.table)
        if self.only_settles:
            raise Unsupported(settling.ONLY_SETTLES)
        turn = script.params(self.rulings)
        if self.can("set-table"):
            return [turn]
        players = len(script.table.stacks)
        if script.table != start(players):
            raise NotReached("the engine can't be set to this table")
        turn.table = None
        return [StartParams(players), turn]

    def ask(self, script: Script, *following: Script, rules: Collection[str] = ()) -> Asked:
        """Return the last of these turns as it was asked, and the reply to it.

        An engine that can't be set to the table of the first turn is played there. A following
        turn goes on with the table that the engine has. If it is not the turn of the player
        whom the script has, that table is set with this player: a turn that passes wrongly is
        no fault of the next one.

        `rules` are the ids of the rules that the turns are about.

        Raises:
            Departure: an earlier turn was not played.
            Erred: the engine broke down on the way.
            NotReached: the game, or an earlier turn, did not lead where it must.
            Unsupported: the engine can't be asked this.
        """
        told: list[Exchange] = []

        def talk() -> Talk[Asked]:
            told.clear()
            return self._turns([script, *following], frozenset(rules), told)

        try:
            return self.engine.converse(talk)
        finally:
            self.exchanges += told

    def _turns(
        self, scripts: list[Script], rules: frozenset[str], told: list[Exchange]
    ) -> Talk[Asked]:
        """Ask turns, one after another; `told` gets what was asked, and what came."""
        self._need_turns(scripts[0].table, rules)
        left_alone = False
        if not self.can("set-table"):
            yield from self._arrive(scripts[0].table, rules, told)
            left_alone = True
        for number, script in enumerate(scripts):
            whole = self._request(script)
            reply = yield _left_alone(whole) if left_alone else whole
            if self._has_no_turn(whole, reply):
                return (yield from self._turns(scripts, rules, told))
            goes_on = left_alone and number > 0
            told.append(exchange(whole, plain_reply(reply), goes_on=goes_on))
            again = self.one_more_roll(script, reply)
            if again is not None:
                earlier = [] if self.can("set-table") else scripts[:number]
                rest = [*earlier, again, *scripts[number + 1 :]]
                return (yield from self._turns(rest, rules, told))
            if number + 1 < len(scripts):
                after, left_alone = self._following(script, reply, scripts[number + 1])
                scripts[number + 1] = after
        return Asked(script, reply)

    def _arrive(self, table: Table, rules: frozenset[str], told: list[Exchange]) -> Talk[None]:
        """Begin a game and play it to this table; `told` gets what went wrong.

        Raises:
            NotReached: no way leads there, or the engine left it.
            Departure: it did not begin a game at all.
            Erred: it broke down on the way.
        """
        legs = self._way(table, rules)
        if legs and self.only_settles:
            raise NotReached(f"{settling.ONLY_SETTLES}, and can't be set to this table")
        begin = StartParams(len(table.stacks))
        reply = yield begin
        told.append(exchange(begin, plain_reply(reply)))
        require_start(reply, start(len(table.stacks)))
        for leg in legs:
            told.pop()
            request = leg.script.params(self.rulings)
            reply = yield _left_alone(request)
            told.append(exchange(request, plain_reply(reply)))
            try:
                self._require_arrival(leg, reply)
            except NotReached:
                if not self._is_another_way(leg, reply, table, rules):
                    raise
                told.pop()
                yield from self._arrive(table, rules, told)
                return
        told.pop()

    def _way(self, table: Table, rules: frozenset[str]) -> tuple[Leg, ...]:
        """Return the way to a table, off what led this engine astray, if that can be helped."""
        avoided = rules | self._astray
        return find_way(table, self.rulings, avoided, ambiguous=not self._prefers_the_grill)

    def _is_another_way(self, leg: Leg, reply: Reply, table: Table, rules: frozenset[str]) -> bool:
        """Whether another way leads to the table, on which such a turn does not occur.

        What led an engine astray is remembered, for all ways from now on.
        """
        if isinstance(reply, Breakdown):
            return False
        chose = isinstance(reply, TurnResult) and self._chose_on_the_way(leg, reply)
        if chose and not self._prefers_the_grill:
            self._prefers_the_grill = True
            return True
        disputed = hangs_on(leg)
        if not disputed or disputed <= self._astray:
            return False
        self._astray |= disputed
        try:
            return not any(disputed & hangs_on(other) for other in self._way(table, rules))
        except NotReached:
            return False

    def _chose_on_the_way(self, leg: Leg, reply: TurnResult) -> bool:
        same_players = len(reply.table.stacks) == len(leg.after.stacks)
        return same_players and self.chose_itself(leg.script, reply)

    def _require_arrival(self, leg: Leg, reply: Reply) -> None:
        """Raise unless a turn on the way led where it must.

        Whether the game is over by now is asked of the table alone, by the turn that follows.

        Raises:
            NotReached: it did not.
            Erred: the engine broke down.
        """
        try:
            if isinstance(reply, TurnResult):
                if self._chose_on_the_way(leg, reply):
                    raise NotReached(
                        "the engine chooses its claims itself, and another one on the way"
                    )
                reply = msgspec.structs.replace(reply, over=UNSET)
            require_turn(leg.script, leg.after, reply, self.rulings)
        except Departure as departure:
            where, turn = sentences.table(leg.script.table), sentences.turn(leg.script)
            raise NotReached(
                f"On the way there: {where}. {turn}. {departure} "
                "The engine departs on the way to this table"
            ) from None

    def _following(self, script: Script, reply: Reply, after: Script) -> tuple[Script, bool]:
        """Return the turn after this one, on the table that came, and whether it is left alone.

        Raises:
            Departure, Erred: this one was not played.
            NotReached: the next one can't be asked.
        """
        require_result(reply)
        assert isinstance(reply, TurnResult)
        require_possible(script.table, reply.table)
        if self.chose_itself(script, reply):
            raise NotReached("the engine chooses its claims itself, and chose another one")
        left_alone = reply.table.player in (UNSET, after.table.player) and not self.only_settles
        if not left_alone and not self.can("set-table"):
            raise NotReached("the engine can't be set to the table of a second turn")
        table = read_table(reply.table)._replace(player=after.table.player)
        return after._replace(table=table), left_alone

    def _request(self, script: Script) -> TurnParams | SettleParams:
        """Return the request for a turn, with its table told."""
        if self.only_settles:
            return settling.settled(script, self.rulings)
        return script.params(self.rulings)

    def _has_no_turn(self, request: Params, reply: Reply) -> bool:
        """Whether the engine has just shown that it can only settle turns."""
        if not isinstance(request, TurnParams) or not isinstance(reply, ErrorMessage):
            return False
        if reply.code == NO_SUCH_METHOD and self.can("settle"):
            self.only_settles = True
        return self.only_settles

    def _need_turns(self, table: Table, rules: Collection[str] = ()) -> None:
        """Raise `Unsupported` if turns of these rules, with so many players, can't be asked."""
        self.need_players(len(table.stacks))
        if not self.can("set-table"):
            self.need("start")
        if self.only_settles:
            settling.need_no_way(rules)

    def ask_each(self, scripts: Iterable[Script]) -> Iterator[Answered]:
        """Yield what came of each turn, in order.

        An engine that can be set to a table is sent many at once; any other is played to each.
        What else is asked between two of them does not disturb.
        """
        waiting = iter(scripts)
        ask_some = self._ask_at_once if self.can("set-table") else self._ask_alone
        while some := list(islice(waiting, AT_ONCE)):
            yield from ask_some(some)

    def _ask_at_once(self, scripts: Sequence[Script]) -> list[Answered]:
        """Return what came of turns that need no `start`; they are pipelined."""
        answered: dict[int, Answered] = {}
        asked: list[tuple[int, Script, TurnParams | SettleParams]] = []
        for number, script in enumerate(scripts):
            try:
                self._need_turns(script.table)
                asked.append((number, script, self._request(script)))
            except tuple(VERDICTS) as failure:
                answered[number] = Answered(script, None, failure)
        replies = list(self.engine.ask_many([[request] for *_, request in asked]))
        for (number, script, request), (reply,) in zip(asked, replies, strict=True):
            if self._has_no_turn(request, reply):
                return self._ask_at_once(scripts)
            told = (exchange(request, plain_reply(reply)),)
            answered[number] = Answered(script, reply, None, told)
        for (number, script, _), (reply,) in zip(asked, replies, strict=True):
            again = self.one_more_roll(script, reply)
            if again is not None:
                (answer,) = self._ask_at_once([again])
                both = answered[number].exchanges + answer.exchanges
                answered[number] = answer._replace(exchanges=both)
        return [answered[number] for number in range(len(scripts))]

    def _ask_alone(self, scripts: Sequence[Script]) -> Iterator[Answered]:
        """Yield what came of each turn, asking one after another."""
        for script in scripts:
            kept, self.exchanges = self.exchanges, []
            asked: Script | None = None
            reply: Reply | None = None
            why: Exception | None = None
            try:
                asked, reply = self.ask(script)
            except tuple(VERDICTS) as failure:
                why = failure
            told, self.exchanges = tuple(self.exchanges), kept
            yield Answered(asked or script, reply, why, told)

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


def _left_alone(params: TurnParams | SettleParams) -> Params:
    """Return the request with the table left to the engine: the one that it answered last."""
    return msgspec.structs.replace(params, table=None)


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
        Departure: a tile is twice, gone, or not in the box; a face-down tile came back; the
            player to move has no seat.
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
    if before is not None and len(message.stacks) != len(before.stacks):
        raise Departure(
            f"Came: an impossible table, {len(message.stacks)} stacks "
            f"for {len(before.stacks)} players."
        )
    # Once the grill is empty the game is over, and the player means nothing.
    if message.grill and message.player is not UNSET and message.player >= len(message.stacks):
        raise Departure(
            f"Came: an impossible table, player {message.player} has no seat; "
            f"players are numbered from 0: {sentences.table(message)}."
        )
    if before is None:
        return
    back = set(before.face_down).difference(down)
    if back:
        raise Departure(f"Came: face-down tiles are back in the game: {sentences.tiles(back)}.")
    lost = set(down).difference(before.face_down)
    if len(lost) > 1:
        raise Departure(
            f"Came: more than one tile left the game in one turn: {sentences.tiles(lost)}."
        )


def require_turn(script: Script, expected: Table, reply: Reply, rulings: Rulings) -> None:
    """Raise unless a turn was played and led to the table expected.

    Raises:
        Departure: it did not.
        Erred, NotReached: as `require_result`.
    """
    require_result(reply)
    assert isinstance(reply, TurnResult)
    require_possible(script.table, reply.table)
    found = differences(expected, reply, rulings)
    if found:
        raise Departure(describe_differences(found))


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


def account_differences(
    answer: TurnResult, rolls_used: int | UnsetType, last: Step | None
) -> dict[str, tuple[str, str]]:
    """Return what differs in an engine's own account of the dice, as `differences` does.

    `last` is the trace of the last decision; none if there was no decision.
    """
    found: dict[str, tuple[str, str]] = {}
    if answer.rolls_used is not UNSET and answer.rolls_used != rolls_used:
        found["rolls_used"] = (f"{rolls_used} rolls used", f"{answer.rolls_used} rolls used")
    if last is not None and answer.trace is not UNSET and answer.trace:
        came = msgspec.structs.replace(
            answer.trace[-1], kept=rolling.sort_dice(answer.trace[-1].kept)
        )
        if came != last:
            words = "{} set aside, {} dice left, total {}"
            told = answer.trace[-1]
            found["trace"] = (
                words.format(last.kept, last.dice, last.total),
                words.format(told.kept, told.dice, told.total),
            )
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
