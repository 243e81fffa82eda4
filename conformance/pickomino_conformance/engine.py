"""The engine under test: what it can do, what it is held to, and how a turn is put to it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from pickomino_conformance.cases import (
    Exchange,
    NotReached,
    Unanswered,
    Unsupported,
    exchange,
    require_answer,
    require_played,
    require_start,
)
from pickomino_conformance.compare import Difference, chose_itself, compare
from pickomino_conformance.oracle import Due, due
from pickomino_conformance.path import Leg, find_path, hangs_on
from pickomino_conformance.protocol.conversation import Breakdown, Conversation, Reply, Talk
from pickomino_conformance.protocol.messages import (
    MISFIT,
    NO_SUCH_METHOD,
    ErrorMessage,
    Params,
    SettleParams,
    TurnParams,
    TurnResult,
)
from pickomino_conformance.protocol.translate import Ask, Settling, Start, read_table, request
from pickomino_reference import BASE, End, Rule, Rulings, Script, Table, play_turn

# So many turns are asked at once of an engine that can be set to their tables.
AT_ONCE = 256
# An engine that only settles turns is told which dice are set aside, and that a roll was dead: it
# shows none of these.
ON_THE_WAY = frozenset(
    (
        Rule.ROLLING_ALL_DICE,
        Rule.ROLLING_CHOOSE_A_FACE,
        Rule.ROLLING_WHOLE_FACE,
        Rule.ROLLING_NEW_FACE,
        Rule.ROLLING_FORCED_END,
        Rule.FAILING_DEAD_ROLL,
    )
)
ONLY_SETTLES = "the engine only settles turns"
CHOOSES = "the engine chooses its claims itself"


class Asked(NamedTuple):
    """A turn as it was asked (perhaps with a dead roll more), the reply, and all that was asked."""

    script: Script
    reply: Reply
    exchanges: tuple[Exchange, ...] = ()


class Answered(NamedTuple):
    """A turn as it was asked, and what came of it.

    Attributes:
        script: the turn, perhaps with a dead roll more (`EngineUnderTest.one_more_roll`).
        reply: the reply to it; none if it could not be asked.
        failure: why it could not be asked, a `cases.Unanswered`.
        exchanges: what was asked, and what came, with the tables told.
    """

    script: Script
    reply: Reply | None
    failure: Unanswered | None = None
    exchanges: tuple[Exchange, ...] = ()

    def required(self) -> Reply:
        """Return the reply.

        Raises:
            Departed, Erred, Unsupported, NotReached: there is none.
        """
        if self.failure is not None:
            raise self.failure
        assert self.reply is not None
        return self.reply


class EngineUnderTest:
    """An engine, and the rulings that it is judged by.

    Attributes:
        conversation: the conversation with it.
        hello: what it says of itself.
        rulings: what it is judged by.
        only_settles: whether it has turned out to know only how turns end (`settle`).
    """

    def __init__(self, conversation: Conversation, rulings: Rulings) -> None:
        self.conversation = conversation
        self.hello = conversation.hello
        self.rulings = rulings
        self.only_settles = False
        self._prefers_the_grill = False
        self._astray: frozenset[str] = frozenset()
        self._capabilities = frozenset(conversation.hello.capabilities)

    def can(self, capability: str) -> bool:
        """Whether the engine says that it can."""
        return capability in self._capabilities

    @property
    def chooses(self) -> bool:
        """Whether the player chooses the claims, and not the engine by itself."""
        return self.can("choose-claim")

    @property
    def sets_tables(self) -> bool:
        """Whether the engine can be set to any table, and play a turn there."""
        return self.can("set-table") and not self.only_settles

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

    def need_turns(self, table: Table, rules: Collection[str] = ()) -> None:
        """Raise `Unsupported` if turns of these rules, with so many players, can't be asked."""
        self.need_players(len(table.stacks))
        if not self.can("set-table"):
            self.need("start")
        for rule in ON_THE_WAY.intersection(rules) if self.only_settles else ():
            raise Unsupported(f"{ONLY_SETTLES}, and {rule} is about what comes before")

    def shows(self, rules: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the rules that the engine's answers to turns can be judged by."""
        return tuple(one for one in rules if not (self.only_settles and one in ON_THE_WAY))

    def compare(self, ask: Ask, reply: Reply, right: Due | None = None) -> tuple[Difference, ...]:
        """Return where a reply differs from what must come, in full."""
        return compare(ask, reply, self.rulings, chooses=self.chooses, right=right)

    def chose_itself(self, script: Script, reply: Reply) -> bool:
        """Whether an engine that chooses for itself made another legal claim than the script."""
        if self.chooses:
            return False
        return chose_itself(script, reply, self.rulings, due(script, self.rulings))

    def ask_one(self, ask: Ask) -> tuple[Reply, Exchange]:
        """Return the reply to a single request, and the exchange."""
        (reply,) = self.conversation.ask(request(ask, self.rulings))
        return reply, exchange(ask, reply, self.rulings)

    def ask(self, script: Script, *following: Script, rules: Collection[str] = ()) -> Asked:
        """Return the last of these turns as it was asked, and the reply to it.

        An engine that can't be set to the table of the first turn is played there. A following
        turn goes on with the table that the engine has. If it is not the turn of the player
        whom the script has, that table is set with this player: a turn that passes wrongly is
        no fault of the next one.

        `rules` are the ids of the rules that the turns are about.

        Raises:
            Departed: an earlier turn was not played.
            Erred: the engine broke down on the way.
            NotReached: the game, or an earlier turn, did not lead where it must.
            Unsupported: the engine can't be asked this.
        Each of them has what was asked and what came in its attribute `exchanges`.
        """
        told: list[Exchange] = []

        def talk() -> Talk[Asked]:
            told.clear()
            return self._turns([script, *following], frozenset(rules), told)

        try:
            return self.conversation.converse(talk)._replace(exchanges=tuple(told))
        except Unanswered as why:
            why.exchanges = tuple(told)
            raise

    def ask_each(self, scripts: Iterable[Script]) -> Iterator[Answered]:
        """Yield what came of each turn, in order.

        An engine that can be set to a table is sent many at once; any other is played to each.
        What else is asked between two of them does not disturb.
        """
        waiting = iter(scripts)
        ask_some = self._ask_at_once if self.can("set-table") else self._ask_alone
        while some := list(islice(waiting, AT_ONCE)):
            yield from ask_some(some)

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

    def _turns(
        self, scripts: list[Script], rules: frozenset[str], told: list[Exchange]
    ) -> Talk[Asked]:
        """Ask turns, one after another; `told` gets what was asked, and what came."""
        self.need_turns(scripts[0].table, rules)
        left_alone = False
        if not self.can("set-table"):
            yield from self._arrive(scripts[0].table, rules, told)
            left_alone = True
        for number, script in enumerate(scripts):
            ask = self._asked_as(script)
            whole = request(ask, self.rulings)
            reply = yield left_to_the_engine(whole) if left_alone else whole
            if self._has_no_turn(whole, reply):
                return (yield from self._turns(scripts, rules, told))
            told.append(exchange(ask, reply, self.rulings, goes_on=left_alone and number > 0))
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
            NotReached: no path leads there, or the engine left it.
            Departed: it did not begin a game at all.
            Erred: it broke down on the way.
        """
        legs = self._path(table, rules)
        if legs and self.only_settles:
            raise NotReached(f"{ONLY_SETTLES}, and can't be set to this table")
        begin = Start(len(table.stacks))
        reply = yield request(begin, self.rulings)
        told.append(exchange(begin, reply, self.rulings))
        require_start(begin, reply, self.rulings)
        for leg in legs:
            told.pop()
            whole = request(leg.script, self.rulings)
            reply = yield left_to_the_engine(whole)
            told.append(exchange(leg.script, reply, self.rulings))
            try:
                self._require_arrival(leg, reply)
            except NotReached:
                if not self._is_another_path(leg, reply, table, rules):
                    raise
                told.pop()
                yield from self._arrive(table, rules, told)
                return
        told.pop()

    def _path(self, table: Table, rules: frozenset[str]) -> tuple[Leg, ...]:
        """Return the path to a table, off what led this engine astray, if that can be helped."""
        avoided = rules | self._astray
        return find_path(table, self.rulings, avoided, ambiguous=not self._prefers_the_grill)

    def _is_another_path(self, leg: Leg, reply: Reply, table: Table, rules: frozenset[str]) -> bool:
        """Whether another path leads to the table, on which such a turn does not occur.

        What led an engine astray is remembered, for all paths from now on.
        """
        if isinstance(reply, Breakdown):
            return False
        if self.chose_itself(leg.script, reply) and not self._prefers_the_grill:
            self._prefers_the_grill = True
            return True
        disputed = hangs_on(leg)
        if not disputed or disputed <= self._astray:
            return False
        self._astray |= disputed
        try:
            return not any(disputed & hangs_on(other) for other in self._path(table, rules))
        except NotReached:
            return False

    def _require_arrival(self, leg: Leg, reply: Reply) -> None:
        """Raise unless a turn on the way led where it must.

        Only the table is looked at: what else the engine tells is the business of other cases.

        Raises:
            NotReached: it did not.
            Erred: the engine broke down.
        """
        require_answer(reply)
        if self.chose_itself(leg.script, reply):
            raise NotReached(f"{CHOOSES}, and another one on the way")
        if isinstance(reply, TurnResult):
            reply = TurnResult(reply.table)
        if self.compare(leg.script, reply):
            raise NotReached("the engine departs on the way to this table")

    def _following(self, script: Script, reply: Reply, after: Script) -> tuple[Script, bool]:
        """Return the turn after this one, on the table that came, and whether it is left alone.

        Raises:
            Departed, Erred: this one was not played.
            NotReached: the next one can't be asked.
        """
        require_played(script, reply, self.rulings)
        assert isinstance(reply, TurnResult)
        if self.chose_itself(script, reply):
            raise NotReached(f"{CHOOSES}, and chose another one")
        left_alone = reply.table.player in (UNSET, after.table.player) and not self.only_settles
        if not left_alone and not self.can("set-table"):
            raise NotReached("the engine can't be set to the table of a second turn")
        table = read_table(msgspec.structs.replace(reply.table, player=after.table.player))
        return after._replace(table=table), left_alone

    def _asked_as(self, script: Script) -> Script | Settling:
        return settled(script, self.rulings) if self.only_settles else script

    def _has_no_turn(self, params: Params, reply: Reply) -> bool:
        """Whether the engine has just shown that it can only settle turns."""
        if not isinstance(params, TurnParams) or not isinstance(reply, ErrorMessage):
            return False
        if reply.code == NO_SUCH_METHOD and self.can("settle"):
            self.only_settles = True
        return self.only_settles

    def _ask_at_once(self, scripts: Sequence[Script]) -> list[Answered]:
        """Return what came of turns that need no `start`; they are pipelined."""
        answered: dict[int, Answered] = {}
        asked: list[tuple[int, Script, Ask, Params]] = []
        for number, script in enumerate(scripts):
            try:
                self.need_turns(script.table)
                asked_as = self._asked_as(script)
                asked.append((number, script, asked_as, request(asked_as, self.rulings)))
            except Unanswered as failure:
                answered[number] = Answered(script, None, failure)
        replies = list(self.conversation.ask_many([[params] for *_, params in asked]))
        for (number, script, ask, params), (reply,) in zip(asked, replies, strict=True):
            if self._has_no_turn(params, reply):
                return self._ask_at_once(scripts)
            told = (exchange(ask, reply, self.rulings),)
            answered[number] = Answered(script, reply, None, told)
        for (number, script, *_), (reply,) in zip(asked, replies, strict=True):
            again = self.one_more_roll(script, reply)
            if again is not None:
                (answer,) = self._ask_at_once([again])
                both = answered[number].exchanges + answer.exchanges
                answered[number] = answer._replace(exchanges=both)
        return [answered[number] for number in range(len(scripts))]

    def _ask_alone(self, scripts: Sequence[Script]) -> Iterator[Answered]:
        """Yield what came of each turn, asking one after another."""
        for script in scripts:
            try:
                asked = self.ask(script)
                yield Answered(asked.script, asked.reply, None, asked.exchanges)
            except Unanswered as why:
                yield Answered(script, None, why, why.exchanges)


def left_to_the_engine(params: Params) -> Params:
    """Return the request with the table left to the engine: the one that it answered last."""
    assert isinstance(params, TurnParams | SettleParams)
    return msgspec.structs.replace(params, table=None)


def settled(script: Script, rulings: Rulings) -> Settling:
    """Return what ends a turn as this script ends it, for an engine that only settles.

    Raises:
        Unsupported: the script does not end the turn, or a rule forbids what comes before.
    """
    dead = len(script.rolls) == len(script.decisions) + 1
    last = script.decisions[-1] if script.decisions else None
    if last is None or not (dead or last.then == "stop"):
        raise Unsupported(f"{ONLY_SETTLES}, and this one does not end")
    record = play_turn(script, rulings)
    on_the_way = record.end is End.REFUSED and record.rule in ON_THE_WAY
    undecided = len(record.trace) < len(script.decisions)
    if on_the_way or (undecided and record.rule is not Rule.ENDING_GRILL_EMPTY):
        raise Unsupported(f"{ONLY_SETTLES}, and this is about what comes before")
    kept = "".join(sorted(script.set_aside))
    return Settling(script.table, kept, None if dead else last.claim, dead)
