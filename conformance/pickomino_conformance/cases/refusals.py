"""Level `refusals`: what a rule forbids must be refused, and must change nothing.

Each kind of forbidden decision (`forbidden.toml`) is tried on tables of two, three and five
players. It is always the last one of its turn, on a roll with a face that may be chosen, so that
a refusal is told from a script that does not fit; only after the end of a game nothing may be
chosen any more.

 An engine that can be set to a table is asked three turns: one that leads to the table,
the forbidden one, and a plain one that leaves the table to the engine. The last one shows whether
dice or tiles of the refused turn have stayed.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from pickomino_conformance.blame import judge, judge_one
from pickomino_conformance.cases import (
    Judgement,
    NotReached,
    Outcome,
    Telling,
    Unanswered,
    Unsupported,
    Verdict,
    Wanted,
    exchange,
    fits,
    outcome,
    require_answer,
    unanswered,
)
from pickomino_conformance.cases.dice import TILES, rolls_of, taking
from pickomino_conformance.cases.smoke import poisoned
from pickomino_conformance.engine import CHOOSES, Answered, EngineUnderTest, left_to_the_engine
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.translate import Start, complement, request
from pickomino_reference import (
    BASE,
    Claim,
    Decision,
    Rule,
    Rulings,
    Script,
    Steal,
    Table,
    Take,
    claiming,
)
from pickomino_reference.table import with_stack

LEVEL = "refusals"


class Seats(NamedTuple):
    """Who sits where, and so one table more for each kind.

    Attributes:
        more: how many players more sit between the three that a kind names; with -1 only two
            play, the one to move and the one on whom the kind depends.
        shift: how many seats the player to move is away from seat 0.
    """

    more: int
    shift: int


SEATS = (Seats(-1, 0), Seats(0, 1), Seats(2, 2))


class ForbiddenKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of forbidden decision.

    Attributes:
        name: what is tried, in a few words.
        rule: the rule that forbids it.
        grill: the face-up tiles.
        own: the stack of the player to move.
        others: the stacks of the next player and of the one before, bottom to top.
        aside: the dice set aside, a roll each.
        roll: a roll more, on which the forbidden decision is made.
        keep: the face kept of it; none if nothing is chosen.
        then: what the player does then, on that roll or on the last of those before.
        take: the tile that is claimed.
        steal: how many seats further the player sits who is to be robbed; 0 is the own seat.
        barred: the tiles barred to the player to move.
        rulings: the values of the rulings under which it is forbidden; all that are not told.
        needs: the capabilities that it needs.
    """

    name: str
    rule: Rule
    grill: tuple[int, ...] = (22, 23, 24, 26, 30)
    own: tuple[int, ...] = ()
    others: tuple[tuple[int, ...], ...] = ((21, 32), (28, 33))
    aside: tuple[str, ...] = ()
    roll: str = ""
    keep: str | None = None
    then: Literal["roll", "stop"] = "stop"
    take: int | None = None
    steal: int | None = None
    barred: tuple[int, ...] = ()
    rulings: dict[str, tuple[str, ...]] = {}
    needs: tuple[str, ...] = ()

    @property
    def kept(self) -> str:
        """All dice set aside before the roll more."""
        return "".join(self.aside)

    def table(self, seats: Seats) -> Table:
        """Return the table."""
        following, before = self.others
        stacks = (self.own, following, *self._between(seats.more), before)
        if seats.more < 0:
            stacks = (self.own, before if self.steal == 2 else following)
        barred = (self.barred, *((),) * (len(stacks) - 1))
        shift = seats.shift % len(stacks)
        turned = stacks[-shift:] + stacks[:-shift] if shift else stacks
        bars = barred[-shift:] + barred[:-shift] if shift else barred
        named = [*self.grill, *(tile for stack in stacks for tile in stack)]
        return Table(self.grill, complement(BASE, named), turned, shift, bars)

    def seats(self) -> Iterator[Seats]:
        """Yield the seats on which it is tried; the player before must own a tile."""
        for seats in SEATS:
            if seats.more >= 0 or self.table(seats).stacks[-1]:
                yield seats

    def script(self, seats: Seats) -> Script:
        """Return the turn that ends with the forbidden decision."""
        table = self.table(seats)
        order = [dice[0] for dice in self.aside]
        rolls = list(rolls_of(self.kept, order))
        decisions = [Decision(face, "roll") for face in order]
        claim = self._claim(table) if self.then == "stop" else None
        if self.roll:
            rolls.append(self.roll)
            decisions.append(Decision(self.keep, self.then, claim))
        else:
            decisions[-1] = Decision(order[-1], self.then, claim)
        return Script(table, tuple(rolls), tuple(decisions))

    def _claim(self, table: Table) -> Claim | None:
        if self.take is not None:
            return Take(self.take)
        if self.steal is None:
            return None
        # The player before sits one seat back, however many sit between.
        seat = table.player + (self.steal if self.steal < 2 else -1)
        return Steal(seat % len(table.stacks))

    def _between(self, number: int) -> list[tuple[int, ...]]:
        """Return the stacks of more players: two tiles each that don't matter, from the lowest."""
        named = {*self.grill, *self.own, *self.others[0], *self.others[1]}
        matter = {claiming.total(self.kept, BASE), self.take}
        spare = [tile for tile in TILES if tile not in named | matter]
        return [tuple(spare[place * 2 : place * 2 + 2]) for place in range(number)]


class _ToldKind(msgspec.Struct, forbid_unknown_fields=True):
    """What `forbidden.toml` tells."""

    kind: tuple[ForbiddenKind, ...]


_FILE = Path(__file__).with_name("forbidden.toml")
KINDS = msgspec.toml.decode(_FILE.read_bytes(), type=_ToldKind).kind


class RefusalCase(NamedTuple):
    """One forbidden decision on one table.

    Attributes:
        id: the kind, how many play, and the seat of the player to move.
        rule: the rule that forbids it.
        script: the turn that ends with it.
        needs: the capabilities that it needs.
        before: a turn that leads to the table.
        after: a turn that can follow there; none if the game is over.
    """

    id: str
    rule: Rule
    script: Script
    needs: tuple[str, ...]
    before: Script
    after: Script | None


def cases(rulings: Rulings) -> list[RefusalCase]:
    """Return everything that is tried under these rulings."""
    return [case for kind in KINDS if fits(rulings, kind.rulings) for case in of_kind(kind)]


def of_kind(kind: ForbiddenKind) -> list[RefusalCase]:
    """Return the cases of a kind, for all seats on which it is tried."""
    return [_case(kind, seats) for seats in kind.seats()]


def starts() -> dict[str, Start]:
    """Return the games that must be refused, by the ids of their cases."""
    fewest, most = BASE.players
    return {f"{LEVEL}/start/{one}-players": Start(one) for one in (fewest - 1, most + 1)}


def _case(kind: ForbiddenKind, seats: Seats) -> RefusalCase:
    script = kind.script(seats)
    table = script.table
    name = f"{LEVEL}/{kind.name}/{len(table.stacks)}-players-seat-{table.player}"
    after = taking(table, table.grill[-1]) if table.grill else None
    return RefusalCase(name, kind.rule, script, kind.needs, _leading_to(table), after)


def _leading_to(table: Table) -> Script:
    """Return a turn that leads to a table: the player before has taken the top tile."""
    seat = (table.player - 1) % len(table.stacks)
    *rest, tile = table.stacks[seat]
    stacks = with_stack(table.stacks, seat, tuple(rest))
    grill = tuple(sorted((*table.grill, tile)))
    return taking(table._replace(grill=grill, stacks=stacks, player=seat), tile)


def run(engine: EngineUnderTest, wanted: Wanted) -> Iterator[Outcome]:
    """Yield the outcome of every case."""
    asking = AskingRefusals(engine, wanted)
    yield from asking.starts()
    yield from asking.turns([case for case in cases(engine.rulings) if wanted.asks(case.id)])


class AskingRefusals:
    """The level on one engine."""

    def __init__(self, engine: EngineUnderTest, wanted: Wanted) -> None:
        self._engine = engine
        self._wanted = wanted
        # A turn that goes on with the engine's own table tells nothing while that fails.
        self._goes_on = not any(probe.poisons_following for probe in wanted.failed)
        self._outcome = Telling(LEVEL, one_in=2).outcome

    def starts(self) -> Iterator[Outcome]:
        """Yield what came of beginning a game with too few and too many players."""
        rules = (str(Rule.SETUP_PLAYERS),)
        for name, begin in starts().items():
            if not self._wanted.asks(name):
                continue
            try:
                self._engine.need("start", "refuse")
            except Unsupported as why:
                yield outcome(name, LEVEL, unanswered(why, rules))
                continue
            reply, told = self._engine.ask_one(begin)
            yield outcome(name, LEVEL, judge_one(self._engine, begin, reply, rules), (told,))

    def turns(self, every: Sequence[RefusalCase]) -> Iterator[Outcome]:
        """Yield what came of every forbidden turn."""
        asked: list[RefusalCase] = []
        for case in every:
            try:
                self._need(case)
            except Unanswered as why:
                told = exchange(case.script, None, self._engine.rulings)
                yield outcome(case.id, LEVEL, unanswered(why, (str(case.rule),)), (told,))
            else:
                asked.append(case)
        yield from self._three_turns(asked) if self._engine.sets_tables else self._one_turn(asked)

    def _need(self, case: RefusalCase) -> None:
        self._engine.need("refuse")
        for need in case.needs:
            if need == "choose-claim" and not self._engine.chooses:
                raise Unsupported(CHOOSES)
            self._engine.need(need)
        self._engine.need_players(len(case.script.table.stacks))
        why = poisoned([case.script], (str(case.rule),), self._wanted.failed)
        if why is not None:
            raise NotReached(why)

    def _one_turn(self, asked: Sequence[RefusalCase]) -> Iterator[Outcome]:
        """Ask the forbidden turn alone, on a table that the engine is played to."""
        answers = self._engine.ask_each(case.script for case in asked)
        for case, answered in zip(asked, answers, strict=True):
            judgement = self._refused(case, answered)
            yield self._outcome(case.id, judgement, answered.exchanges)

    def _three_turns(self, asked: Sequence[RefusalCase]) -> Iterator[Outcome]:
        """Ask a turn that leads to the table, the forbidden one, and one that can follow it."""
        engine, rulings = self._engine, self._engine.rulings
        rows = [self._row(case) for case in asked]
        requests = []
        for row in rows:
            sent = [request(script, rulings) for script in row]
            requests.append([*sent[:2], *map(left_to_the_engine, sent[2:])])
        replies = engine.conversation.ask_many(requests)
        for case, row, answers in zip(asked, rows, replies, strict=True):
            # Of an engine that broke down on the way there is one reply: it answered none for good.
            came = answers if len(answers) == len(row) else answers * len(row)
            told = tuple(
                exchange(script, reply, rulings, goes_on=place == 2)
                for place, (script, reply) in enumerate(zip(row, came, strict=True))
            )
            judgement, at = self._judge(case, came)
            yield self._outcome(case.id, judgement, told, at)

    def _row(self, case: RefusalCase) -> list[Script]:
        after = [case.after] if case.after is not None and self._goes_on else []
        return [case.before, case.script, *after]

    def _judge(self, case: RefusalCase, came: Sequence[Reply]) -> tuple[Judgement, int]:
        """Return what came of the forbidden turn, and which request tells it."""
        refused = self._refused(case, Answered(case.script, came[1]))
        if refused.verdict is not Verdict.PASS or len(came) < 3 or case.after is None:
            return refused, 1
        before = judge(self._engine, case.before, Answered(case.before, came[0]))
        after = judge(self._engine, case.after, Answered(case.after, came[2]))
        if before.verdict is Verdict.PASS and after.verdict is Verdict.FAIL:
            # It is refused, as it must be, and has changed something all the same.
            return after._replace(rules=(str(case.rule),)), 2
        return refused, 1

    def _refused(self, case: RefusalCase, answered: Answered) -> Judgement:
        rules = (str(case.rule),)
        try:
            reply = answered.required()
            require_answer(reply)
        except Unanswered as why:
            return unanswered(why, rules)
        found = self._engine.compare(case.script, reply)
        return Judgement(Verdict.FAIL if found else Verdict.PASS, rules, found)
