"""Level `refusals`: what a rule forbids must be refused, and must change nothing.

Each kind of forbidden decision is tried on tables of two, three and five players. It is always
the last of its turn, on a roll with a face that may be chosen, so that a refusal is told from a
script that does not fit; only after the end of a game nothing may be chosen any more.

An engine that can be set to a table is asked three turns: one that leads to the table, the
forbidden one, and a plain one that leaves the table to the engine. The last one shows whether
dice or tiles of the refused turn have stayed.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from pickomino_conformance import sentences
from pickomino_conformance.cases import (
    VERDICTS,
    Departure,
    Exchange,
    NotReached,
    Outcome,
    Script,
    Unsupported,
    Verdict,
    exchange,
)
from pickomino_conformance.engines.session import Reply
from pickomino_conformance.levels import smoke
from pickomino_conformance.levels.expected import Expected, judge, play_out
from pickomino_conformance.levels.scripting import TILES, rolls_of, taking
from pickomino_conformance.protocol import (
    ClaimMessage,
    Decision,
    Params,
    StartParams,
    TurnParams,
)
from pickomino_conformance.subject import (
    Answered,
    Subject,
    plain_reply,
    require_refusal,
)
from pickomino_conformance.tables import complement
from pickomino_reference import (
    BASE,
    ExactOnOpponent,
    LowerTile,
    Rule,
    Rulings,
    SixFaces,
    StealBack,
    StopWithoutClaim,
    Table,
    claiming,
)

LEVEL = "refusals"
# Of the passed cases one in so many is told whole, as evidence for the diagnosis.
SHOW_EVERY = 2

Holds = Callable[[Rulings], bool]


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


class Kind(NamedTuple):
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
        holds: whether it is forbidden under these rulings.
        needs: the capabilities that it needs.
    """

    name: str
    rule: Rule
    grill: tuple[int, ...]
    own: tuple[int, ...] = ()
    others: tuple[tuple[int, ...], ...] = ((21, 32), (28, 33))
    aside: tuple[str, ...] = ()
    roll: str = ""
    keep: str | None = None
    then: Literal["roll", "stop"] = "stop"
    take: int | None = None
    steal: int | None = None
    barred: tuple[int, ...] = ()
    holds: Holds = lambda _: True
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
        decisions = [Decision(keep=face, then="roll") for face in order]
        if self.roll:
            rolls.append(self.roll)
            decisions.append(Decision(keep=self.keep, then=self.then))
        else:
            decisions[-1] = Decision(keep=order[-1], then=self.then)
        if self.then == "stop":
            decisions[-1].claim = self._claim(table)
        return Script(table, tuple(rolls), tuple(decisions))

    def _claim(self, table: Table) -> ClaimMessage | None:
        if self.take is not None:
            return ClaimMessage(take=self.take)
        if self.steal is None:
            return None
        # The player before sits one seat back, however many sit between.
        seat = table.player + (self.steal if self.steal < 2 else -1)
        return ClaimMessage(steal=seat % len(table.stacks))

    def _between(self, number: int) -> list[tuple[int, ...]]:
        """Return the stacks of more players: two tiles each that don't matter, from the lowest."""
        named = {*self.grill, *self.own, *self.others[0], *self.others[1]}
        matter = {claiming.total(self.kept, BASE), self.take}
        spare = [tile for tile in TILES if tile not in named | matter]
        return [tuple(spare[place * 2 : place * 2 + 2]) for place in range(number)]


def _next_only(rulings: Rulings) -> bool:
    return rulings.lower_tile is LowerTile.NEXT


def _exact_first(rulings: Rulings) -> bool:
    return rulings.lower_tile is not LowerTile.ANY


def _six_faces_end(rulings: Rulings) -> bool:
    return rulings.six_faces is SixFaces.OVER


def _stop_needs_a_claim(rulings: Rulings) -> bool:
    return rulings.stop_without_claim is StopWithoutClaim.BARRED


def _steal_closes_the_grill(rulings: Rulings) -> bool:
    return rulings.exact_on_opponent is ExactOnOpponent.STEAL


def _no_steal_back(rulings: Rulings) -> bool:
    return rulings.steal_back is StealBack.BARRED


_UNRESOLVED = ("unresolved",)
_CLAIMS = ("choose-claim",)
_FACE = Rule.ROLLING_CHOOSE_A_FACE
_FORCED = Rule.ROLLING_FORCED_END
_GRILL = (22, 23, 24, 26, 30)
_LATE = (23, 36)
_OWN = (27, 29)

KINDS = (
    Kind(
        "face-already-used", Rule.ROLLING_NEW_FACE, _GRILL, aside=("WWW",), roll="1144W",
        keep="W", then="roll",
    ),
    Kind(
        "face-already-used-twice", Rule.ROLLING_NEW_FACE, _GRILL, _OWN, aside=("55", "WW", "3"),
        roll="135", keep="5", then="roll",
    ),
    Kind(
        "face-already-used-for-a-claim", Rule.ROLLING_NEW_FACE, (23, 28, 30), _OWN,
        ((21, 32), (33,)), aside=("WWW", "44"), roll="24W", keep="W", take=28,
    ),
    Kind("face-not-rolled", _FACE, _GRILL, roll="11233445", keep="W", then="roll"),
    Kind(
        "face-not-rolled-later", _FACE, _GRILL, _OWN, aside=("WWW",), roll="11225", keep="4",
        then="roll",
    ),
    Kind("stop-before-choosing", _FACE, _GRILL, _OWN, roll="123345WW", needs=_UNRESOLVED),
    Kind(
        "stop-before-choosing-later", _FACE, _GRILL, aside=("WW",), roll="112345",
        needs=_UNRESOLVED,
    ),
    Kind(
        "claim-before-choosing", _FACE, _GRILL, _OWN, aside=("WWW", "44"), roll="125", take=23,
        needs=_UNRESOLVED,
    ),
    Kind(
        "steal-before-choosing", _FACE, _GRILL, (), ((21, 25), (33,)), aside=("WWW", "55"),
        roll="124", steal=1, needs=_UNRESOLVED,
    ),
    Kind("roll-before-choosing", _FACE, _GRILL, roll="11122345", then="roll", needs=_UNRESOLVED),
    Kind(
        "roll-before-choosing-later", _FACE, _GRILL, _OWN, aside=("WWW",), roll="12233",
        then="roll", needs=_UNRESOLVED,
    ),
    Kind(
        "roll-on-with-no-die-left", _FORCED, _GRILL, _OWN, aside=("WWWW", "111", "3"),
        then="roll",
    ),
    Kind("roll-on-after-eight-worms", _FORCED, _LATE, aside=("WWWWWWWW",), then="roll"),
    Kind(
        "roll-on-with-no-die-left-without-a-worm", _FORCED, _GRILL, _OWN,
        aside=("555", "44444"), then="roll",
    ),
    Kind(
        "roll-on-with-no-die-left-out-of-reach", _FORCED, (34, 36), aside=("W", "1111111"),
        then="roll",
    ),
    Kind(
        "roll-on-after-six-faces", _FORCED, (25, 36), _OWN,
        aside=("1", "2", "3", "4", "W", "55"), then="roll", holds=_six_faces_end,
    ),
    Kind(
        "roll-on-after-six-faces-out-of-reach", _FORCED, _LATE,
        aside=("W", "5", "4", "3", "2", "1"), then="roll", holds=_six_faces_end,
    ),
    Kind(
        "stop-below-every-tile", Rule.ROLLING_STOP_FREELY, _GRILL, _OWN, aside=("WW",),
        holds=_stop_needs_a_claim,
    ),
    Kind(
        "stop-without-a-worm", Rule.ROLLING_STOP_FREELY, _GRILL, aside=("555", "44"),
        holds=_stop_needs_a_claim,
    ),
    Kind(
        "stop-out-of-reach", Rule.ROLLING_STOP_FREELY, (30, 36), _OWN, aside=("WWW", "55"),
        holds=_stop_needs_a_claim,
    ),
    Kind("higher-tile", Rule.CLAIMING_EXACT, _GRILL, aside=("WWW", "44"), take=24, needs=_CLAIMS),
    Kind(
        "higher-tile-out-of-reach", Rule.CLAIMING_EXACT, (30, 36), _OWN, aside=("WWW", "44"),
        take=30, needs=_CLAIMS,
    ),
    Kind(
        "free-lower-tile", Rule.CLAIMING_LOWER, (22, 23, 24, 26), aside=("WWW", "55"), take=22,
        holds=_next_only, needs=_CLAIMS,
    ),
    Kind(
        "free-lower-tile-above-36", Rule.CLAIMING_LOWER, _LATE, _OWN,
        aside=("WWWW", "555", "3"), take=23, holds=_next_only, needs=_CLAIMS,
    ),
    Kind(
        "lower-tile-beside-the-exact", Rule.CLAIMING_LOWER, _GRILL, _OWN, aside=("WWW", "44"),
        take=22, holds=_exact_first, needs=_CLAIMS,
    ),
    Kind(
        "exact-tile-without-a-worm", Rule.CLAIMING_WORM_NEEDED, _GRILL, aside=("555", "44"),
        take=23, needs=_CLAIMS,
    ),
    Kind(
        "lower-tile-without-a-worm", Rule.CLAIMING_WORM_NEEDED, _GRILL, _OWN,
        aside=("555", "44", "22"), take=26, needs=_CLAIMS,
    ),
    Kind(
        "face-down-tile", Rule.CLAIMING_FACE_DOWN, _GRILL, aside=("WWW", "55"), take=25,
        needs=_CLAIMS,
    ),
    Kind(
        "lower-face-down-tile", Rule.CLAIMING_FACE_DOWN, (22, 23, 30), _OWN,
        aside=("WWW", "55"), take=24, needs=_CLAIMS,
    ),
    Kind(
        "own-top-tile", Rule.CLAIMING_OWN_TOP, _GRILL, (27, 25), aside=("WWW", "55"), take=25,
        needs=_CLAIMS,
    ),
    Kind(
        "steal-a-covered-tile", Rule.STEALING_TOP_ONLY, _GRILL, _OWN, ((21, 25, 32), (33,)),
        ("WWW", "55"), steal=1, needs=_CLAIMS,
    ),
    Kind(
        "steal-a-covered-tile-below-the-grill", Rule.STEALING_TOP_ONLY, (30, 36), (),
        ((), (21, 25, 32)), ("WWW", "55"), steal=2, needs=_CLAIMS,
    ),
    Kind(
        "steal-one-above", Rule.STEALING_EXACT, _GRILL, (), ((21, 25), (33,)), ("WWW", "333"),
        steal=1, needs=_CLAIMS,
    ),
    Kind(
        "steal-one-below", Rule.STEALING_EXACT, (22, 23, 30), _OWN, ((31,), (21, 25)),
        ("WWW", "333"), steal=2, needs=_CLAIMS,
    ),
    Kind(
        "steal-a-higher-tile", Rule.STEALING_EXACT, _GRILL, _OWN, ((21, 28), (33,)),
        ("WWW", "44"), steal=1, needs=_CLAIMS,
    ),
    Kind(
        "steal-the-36-with-more", Rule.STEALING_EXACT, _GRILL, (), ((21, 36), (33,)),
        ("WWWW", "555", "3"), steal=1, needs=_CLAIMS,
    ),
    Kind(
        "steal-without-a-worm", Rule.STEALING_WORM_NEEDED, (22, 24, 30), _OWN,
        ((21, 23), (33,)), ("555", "44"), steal=1, needs=_CLAIMS,
    ),
    Kind(
        "steal-from-oneself", Rule.STEALING_OPPONENTS_ONLY, _GRILL, (27, 25), aside=("WWW", "55"),
        steal=0, needs=_CLAIMS,
    ),
    Kind(
        "steal-where-nobody-owns-a-tile", Rule.STEALING_TOP_ONLY, _GRILL, _OWN, ((), (21, 33)),
        ("WWW", "55"), steal=1, needs=_CLAIMS,
    ),
    Kind(
        "lower-tile-beside-a-steal", Rule.STEALING_OPTIONAL, (21, 24, 30), _OWN,
        ((31, 25), (33,)), ("WWW", "55"), take=24, holds=_steal_closes_the_grill, needs=_CLAIMS,
    ),
    Kind(
        "steal-back", Rule.STEALING_STEAL_BACK, (21, 24, 30), _OWN, ((31, 25), (33,)),
        ("WWW", "55"), steal=1, barred=(25,), holds=_no_steal_back, needs=_CLAIMS,
    ),
    Kind(
        "roll-after-the-end", Rule.ENDING_GRILL_EMPTY, (), _OWN, roll="11234WWW", keep="W",
        then="roll",
    ),
    Kind(
        "steal-after-the-end", Rule.ENDING_GRILL_EMPTY, (), (), ((21, 23), (33,)), ("WWW", "44"),
        steal=1,
    ),
)  # fmt: skip


class Case(NamedTuple):
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
    before: Expected
    after: Expected | None


def cases(rulings: Rulings) -> list[Case]:
    """Return everything that is tried under these rulings."""
    return [
        _case(kind, seats, rulings)
        for kind in KINDS
        if kind.holds(rulings)
        for seats in kind.seats()
    ]


def _case(kind: Kind, seats: Seats, rulings: Rulings) -> Case:
    script = kind.script(seats)
    table = script.table
    name = f"{LEVEL}/{kind.name}/{len(table.stacks)}-players-seat-{table.player}"
    before = _leading_to(table, rulings)
    after = play_out(taking(table, table.grill[-1]), rulings) if table.grill else None
    return Case(name, kind.rule, script, kind.needs, before, after)


def _leading_to(table: Table, rulings: Rulings) -> Expected:
    """Return a turn that leads to a table: the player before has taken the top tile."""
    seat = (table.player - 1) % len(table.stacks)
    *rest, tile = table.stacks[seat]
    stacks = (*table.stacks[:seat], tuple(rest), *table.stacks[seat + 1 :])
    grill = tuple(sorted((*table.grill, tile)))
    earlier = table._replace(grill=grill, stacks=stacks, player=seat)
    return play_out(taking(earlier, tile), rulings)


def run(
    subject: Subject,
    failed_probes: Sequence[smoke.Probe] = (),
    only: Collection[str] = (),
) -> Iterator[Outcome]:
    """Yield the outcome of every case. `only` are the ids of the only ones; empty for all."""
    level = Level(subject, list(failed_probes))
    yield from level.starts(frozenset(only))
    yield from level.turns([case for case in cases(subject.rulings) if not only or case.id in only])


class Level:
    """The level on one engine."""

    def __init__(self, subject: Subject, failed: list[smoke.Probe]) -> None:
        self._subject = subject
        self._failed = failed
        # A turn that goes on with the engine's own table tells nothing while that fails.
        self._goes_on = not any(probe.poisons_following for probe in failed)
        self._passes = 0

    def starts(self, only: frozenset[str]) -> Iterator[Outcome]:
        """Yield what came of beginning a game with too few and too many players."""
        fewest, most = BASE.players
        for number in (fewest - 1, most + 1):
            name = f"{LEVEL}/start/{number}-players"
            if only and name not in only:
                continue
            params, told = StartParams(number), list[Exchange]()
            verdict, message = Verdict.PASS, ""
            try:
                self._subject.need("start", "refuse")
                (reply,) = self._subject.engine.ask(params)
                told.append(exchange(params, plain_reply(reply)))
                require_refusal(reply)
            except tuple(VERDICTS) as failure:
                verdict = VERDICTS[type(failure)]
                message = f"A game for {number} is set up. {failure}"
            rules = (str(Rule.SETUP_PLAYERS),)
            yield Outcome(name, LEVEL, rules, verdict, message, tuple(told))

    def turns(self, every: list[Case]) -> Iterator[Outcome]:
        """Yield what came of every forbidden turn."""
        asked: list[Case] = []
        for case in every:
            try:
                self._need(case)
            except tuple(VERDICTS) as why:
                yield self._outcome(case, VERDICTS[type(why)], str(why))
            else:
                asked.append(case)
        set_table = self._subject.can("set-table") and not self._subject.only_settles
        ask = self._three_turns if set_table else self._one_turn
        yield from ask(asked)

    def _need(self, case: Case) -> None:
        self._subject.need("refuse")
        for need in case.needs:
            if need == "choose-claim" and not self._subject.can(need):
                raise Unsupported("the engine chooses its claims itself")
            self._subject.need(need)
        self._subject.need_players(len(case.script.table.stacks))
        why = smoke.poisoned(case.script, (case.rule,), self._failed)
        if why is not None:
            raise NotReached(why)

    def _one_turn(self, asked: list[Case]) -> Iterator[Outcome]:
        """Ask the forbidden turn alone, on a table that the engine is played to."""
        answers = self._subject.ask_each(case.script for case in asked)
        for case, answered in zip(asked, answers, strict=True):
            try:
                require_refusal(answered.required())
            except tuple(VERDICTS) as failure:
                yield self._failed_case(case, failure, answered.exchanges)
            else:
                yield self._outcome(case, Verdict.PASS, "", answered.exchanges)

    def _three_turns(self, asked: list[Case]) -> Iterator[Outcome]:
        """Ask a turn that leads to the table, the forbidden one, and one that can follow it."""
        requests = [self._requests(case) for case in asked]
        replies = self._subject.engine.ask_many([[one for one, _ in row] for row in requests])
        for case, row, answers in zip(asked, requests, replies, strict=True):
            # Of an engine that broke down on the way there is one reply: it answered none for good.
            came = answers if len(answers) == len(row) else answers * len(row)
            told = tuple(
                exchange(params, plain_reply(reply), goes_on=_goes_on(sent))
                for (sent, params), reply in zip(row, came, strict=True)
            )
            try:
                self._judge(case, came)
            except tuple(VERDICTS) as failure:
                yield self._failed_case(case, failure, told)
            else:
                yield self._outcome(case, Verdict.PASS, "", told)

    def _requests(self, case: Case) -> list[tuple[Params, Params]]:
        """Return what is asked, and the same with the table told."""
        rulings = self._subject.rulings
        asked: list[tuple[Params, Params]] = []
        for script in (case.before.script, case.script):
            params = script.params(rulings)
            asked.append((params, params))
        if case.after is not None and self._goes_on:
            told = case.after.script.params(rulings)
            asked.append((msgspec.structs.replace(told, table=None), told))
        return asked

    def _judge(self, case: Case, came: list[Reply]) -> None:
        """Raise unless the forbidden turn was refused, and changed nothing."""
        require_refusal(came[1])
        if case.after is None or not self._goes_on:
            return
        if judge(self._subject, case.before, _alone(case.before, came[0])).verdict is Verdict.PASS:
            finding = judge(self._subject, case.after, _alone(case.after, came[2]))
            if finding.verdict is Verdict.FAIL:
                after = sentences.turn(case.after.script)
                raise Departure(
                    f"It is refused, as it must be, and then: {after}. {finding.message}"
                )

    def _failed_case(self, case: Case, failure: Exception, told: tuple[Exchange, ...]) -> Outcome:
        return self._outcome(case, VERDICTS[type(failure)], str(failure), told)

    def _outcome(
        self, case: Case, verdict: Verdict, message: str, told: tuple[Exchange, ...] = ()
    ) -> Outcome:
        if verdict is Verdict.PASS:
            self._passes += 1
            told = told if self._passes % SHOW_EVERY == 0 else ()
        where = f"{sentences.table(case.script.table)}. {sentences.turn(case.script)}."
        message = f"{where} {message}" if message else ""
        return Outcome(case.id, LEVEL, (str(case.rule),), verdict, message, told)


def _alone(expected: Expected, reply: Reply) -> Answered:
    return Answered(expected.script, reply)


def _goes_on(sent: Params) -> bool:
    """Whether a request leaves the engine the table that it answered last."""
    return isinstance(sent, TurnParams) and sent.table is None
