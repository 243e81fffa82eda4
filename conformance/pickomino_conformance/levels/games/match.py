"""A random game, asked of an engine and judged turn by turn."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pickomino_conformance import sentences
from pickomino_conformance.cases import (
    VERDICTS,
    Departure,
    Erred,
    Exchange,
    Script,
    Verdict,
    exchange,
)
from pickomino_conformance.engines.session import Breakdown, Reply
from pickomino_conformance.levels.expected import Expected, Finding, judge
from pickomino_conformance.levels.games.drawing import Game, Stacks
from pickomino_conformance.protocol import (
    Params,
    ScoreParams,
    ScoreResult,
    StartParams,
    TurnResult,
)
from pickomino_conformance.subject import (
    Answered,
    Subject,
    plain_reply,
    require_result,
    require_start,
)
from pickomino_reference import Rule, Rulings, score, start


class Judged(NamedTuple):
    """What came of one turn of a game, or of something else that a game asks.

    Attributes:
        turn: the turn; none of a start, of a score, or where the engine broke down somewhere.
        finding: what came of it.
        exchanges: what was asked, and what came, with the tables told.
    """

    turn: Expected | None
    finding: Finding
    exchanges: tuple[Exchange, ...]


class Match:
    """A game asked of an engine, and judged turn by turn."""

    def __init__(self, subject: Subject, game: Game) -> None:
        self._subject = subject
        self._game = game
        self._scripts = [turn.script for turn in game.turns]
        self._set_table = subject.can("set-table")
        self._told = self._set_table and (game.told or not subject.can("choose-claim"))

    def judge(self) -> list[Judged]:
        """Return what came of each turn, and of the scores if the game has ended.

        Where the engine has left the game, it is set to the table that must be; an engine that
        can't be set is asked no more. One that knows only how turns end, or how games do, is
        asked for that.
        """
        judged: list[Judged] = []
        ended = True
        if self._subject.only_settles and self._set_table:
            judged += self._one_by_one()
        elif not self._subject.only_settles and (self._set_table or self._subject.can("start")):
            first: int | None = 0
            while first is not None and first < len(self._scripts):
                first = self._from(first, judged)
            ended = first is not None
        if ended and not self._game.table.grill and self._subject.can("score"):
            judged += self._scores()
        return judged

    def _one_by_one(self) -> Iterator[Judged]:
        """Yield what came of each turn, on a table of its own."""
        answers = self._subject.ask_each(self._scripts)
        for turn, answered in zip(self._game.turns, answers, strict=True):
            yield Judged(turn, judge(self._subject, turn, answered), answered.exchanges)

    def _from(self, first: int, judged: list[Judged]) -> int | None:
        """Ask the turns from this one on.

        Returns the number of the turn to go on with; none if nothing more can be asked.
        """
        rulings = self._subject.rulings
        opening, requests = self._requests(first)
        replies = self._subject.engine.ask(*opening, *requests)
        if len(replies) < len(opening) + len(requests) or isinstance(replies[0], Breakdown):
            judged.append(self._broken(opening, first, replies[0]))
            return None
        begun = self._begun(opening[0], replies[0]) if opening else None
        if begun is not None and self._set_table:
            # How a game begins is the business of other cases: this one brings its tables.
            self._told = True
            return 0
        if begun is not None:
            judged.append(begun)
            return None
        came = replies[len(opening) :]
        for number, reply in enumerate(came, start=first):
            turn, script = self._game.turns[number], self._scripts[number]
            again = self._subject.one_more_roll(script, reply)
            if again is not None:
                return self._once_more(number, again, judged)
            told = [exchange(script.params(rulings), plain_reply(reply))]
            if opening and number == first:
                told.insert(0, exchange(opening[0], plain_reply(replies[0])))
            finding = judge(self._subject, turn, Answered(script, reply))
            judged.append(Judged(turn, finding, tuple(told)))
            left = finding.verdict is not Verdict.PASS or self._chose_itself(script, reply)
            if left and not self._told:
                # From here on every turn tells its table; one that strays often is not rare.
                self._told = True
                return number + 1 if self._set_table else None
        return len(self._scripts)

    def _once_more(self, number: int, again: Script, judged: list[Judged]) -> int:
        """Ask a turn that the engine can end by a dead roll more only."""
        if not self._set_table:
            # From the start, with that roll; the turns before come out as they did.
            self._scripts[number] = again
            judged.clear()
            return 0
        (answered,) = self._subject.ask_each([again])
        turn = self._game.turns[number]
        finding = judge(self._subject, turn, answered)
        judged.append(Judged(turn, finding, answered.exchanges))
        self._told = True
        return number + 1

    def _requests(self, first: int) -> tuple[list[Params], list[Params]]:
        """Return what begins the game, if anything does, and the turns from this one on."""
        rulings = self._subject.rulings
        opening: list[Params] = []
        turns = [script.params(rulings) for script in self._scripts[first:]]
        starts = first == 0 and not self._told and self._subject.can("start")
        if starts:
            opening.append(StartParams(self._game.players))
        if not self._told:
            for turn in turns if starts else turns[1:]:
                turn.table = None
        return opening, list(turns)

    def _begun(self, params: Params, reply: Reply) -> Judged | None:
        """Return what is wrong with how the engine begins a game, if anything is."""
        try:
            require_start(reply, start(self._game.players))
        except tuple(VERDICTS) as failure:
            finding = Finding(VERDICTS[type(failure)], (str(Rule.SETUP_TILES),), str(failure))
            return Judged(None, finding, (exchange(params, plain_reply(reply)),))
        return None

    def _broken(self, opening: list[Params], first: int, reply: Reply) -> Judged:
        """Return the breakdown of the engine somewhere in the game, nobody knows where."""
        rulings, scripts = self._subject.rulings, self._scripts[first:]
        try:
            require_result(reply)
            raise Erred("The engine left requests unanswered.")
        except tuple(VERDICTS) as failure:
            message = (
                f"In a game for {self._game.players}, of {len(self._scripts)} turns. {failure}"
            )
            rules = dict.fromkeys(str(turn.rule) for turn in self._game.turns[first:])
            finding = Finding(VERDICTS[type(failure)], tuple(rules), message)
        asked = [*opening, *(script.params(rulings) for script in scripts)]
        before = map(exchange, asked[:-1])
        return Judged(None, finding, (*before, exchange(asked[-1], plain_reply(reply))))

    def _chose_itself(self, script: Script, reply: Reply) -> bool:
        return isinstance(reply, TurnResult) and self._subject.chose_itself(script, reply)

    def _scores(self) -> Iterator[Judged]:
        """Yield what came of scoring the end of the game, and a tie beside it."""
        asked = [self._game.table.stacks, *([self._game.tied] if self._game.tied else [])]
        # What holds if nobody owns a tile is settled by no source.
        owned = [stacks for stacks in asked if any(stacks)]
        for stacks in owned:
            yield score_of(self._subject, stacks)


def score_of(subject: Subject, stacks: Stacks) -> Judged:
    """Ask for a score, and return what came of it."""
    request = ScoreParams([list(stack) for stack in stacks])
    (reply,) = subject.engine.ask(request)
    told = (exchange(request, plain_reply(reply)),)
    return Judged(None, _scored(stacks, reply, subject.rulings), told)


def stacks_of(scored: Judged) -> Stacks:
    """Return the stacks that were scored."""
    return tuple(map(tuple, scored.exchanges[-1].params["stacks"]))


def _scored(stacks: Stacks, reply: Reply, rulings: Rulings) -> Finding:
    """Return what came of a score."""
    worms, winners = score(stacks, rulings)
    tie = worms.count(max(worms)) > 1
    rule = Rule.ENDING_TIE_BREAK if tie else Rule.ENDING_WORMS_WIN
    told = "; ".join(
        f"{sentences.player(seat)} owns {sentences.stack(own)}" for seat, own in enumerate(stacks)
    )
    try:
        require_result(reply)
        assert isinstance(reply, ScoreResult)
        if reply.worms is not None and tuple(reply.worms) != worms:
            rule = Rule.ENDING_WORMS_WIN
            raise Departure(
                f"Expected: {_listed(worms)} worms. Came: {_listed(reply.worms)} worms."
            )
        if reply.winners is not None and tuple(sorted(reply.winners)) != winners:
            raise Departure(f"Expected: {_win(winners)}. Came: {_win(sorted(reply.winners))}.")
    except tuple(VERDICTS) as failure:
        message = f"{told}. The worms are counted. {failure}"
        return Finding(VERDICTS[type(failure)], (str(rule),), message)
    return Finding(Verdict.PASS, (str(rule),))


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _win(winners: Sequence[int]) -> str:
    """Return who wins, in words."""
    if not winners:
        return "nobody wins"
    players = " and ".join(map(sentences.player, winners))
    return f"{players} {'wins' if len(winners) == 1 else 'win'}"
