"""A random game, asked of an engine and judged turn by turn."""

from collections.abc import Iterator
from typing import NamedTuple

from pickomino_conformance.blame import judge, judge_one, shown
from pickomino_conformance.cases import (
    Exchange,
    Judgement,
    Unanswered,
    Verdict,
    exchange,
    require_answer,
    require_start,
    unanswered,
)
from pickomino_conformance.cases.games.drawing import DrawnGame
from pickomino_conformance.engine import Answered, EngineUnderTest
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.conversation import Breakdown, Reply
from pickomino_conformance.protocol.messages import Params, TurnParams
from pickomino_conformance.protocol.translate import Ask, Scoring, Start, request
from pickomino_reference import Rule, Rulings, Script, score
from pickomino_reference.table import Stacks


class JudgedTurn(NamedTuple):
    """What came of one turn of a game, or of something else that a game asks.

    Attributes:
        turn: the turn; none of a start, of a score, or where the engine broke down somewhere.
        judgement: what came of it.
        exchanges: what was asked, and what came, with the tables told.
    """

    turn: Script | None
    judgement: Judgement
    exchanges: tuple[Exchange, ...]


class Match:
    """A game asked of an engine, and judged turn by turn."""

    def __init__(self, engine: EngineUnderTest, game: DrawnGame) -> None:
        self._engine = engine
        self._game = game
        self._scripts = list(game.turns)
        self._begin = Start(game.players)
        self._set_table = engine.can("set-table")
        self._told = self._set_table and (game.told or not engine.chooses)

    def judge(self) -> list[JudgedTurn]:
        """Return what came of each turn, and of the scores if the game has ended.

        Where the engine has left the game, it is set to the table that must be; an engine that
        can't be set is asked no more. One that knows only how turns end, or how games do, is
        asked for that.
        """
        judged: list[JudgedTurn] = []
        ended = True
        if self._engine.only_settles and self._set_table:
            judged += self._one_by_one()
        elif not self._engine.only_settles and (self._set_table or self._engine.can("start")):
            first: int | None = 0
            while first is not None and first < len(self._scripts):
                first = self._from(first, judged)
            ended = first is not None
        if ended and not self._game.end.grill and self._engine.can("score"):
            judged += self._scores()
        return judged

    def _one_by_one(self) -> Iterator[JudgedTurn]:
        """Yield what came of each turn, on a table of its own."""
        answers = self._engine.ask_each(self._scripts)
        for turn, answered in zip(self._game.turns, answers, strict=True):
            yield JudgedTurn(turn, judge(self._engine, turn, answered), answered.exchanges)

    def _from(self, first: int, judged: list[JudgedTurn]) -> int | None:
        """Ask the turns from this one on.

        Returns the number of the turn to go on with; none if nothing more can be asked.
        """
        rulings = self._engine.rulings
        opening, requests = self._requests(first)
        replies = self._engine.conversation.ask(*opening, *requests)
        if len(replies) < len(opening) + len(requests) or isinstance(replies[0], Breakdown):
            judged.append(self._broken(first, replies[0], starts=bool(opening)))
            return None
        begun = self._begun(replies[0]) if opening else None
        if begun is not None and self._set_table:
            # How a game begins is the business of other cases: this one brings its tables.
            self._told = True
            return 0
        if begun is not None:
            judged.append(begun)
            return None
        for number, reply in enumerate(replies[len(opening) :], start=first):
            turn, script = self._game.turns[number], self._scripts[number]
            again = self._engine.one_more_roll(script, reply)
            if again is not None:
                return self._once_more(number, again, judged)
            told = [exchange(script, reply, rulings)]
            if opening and number == first:
                told.insert(0, exchange(self._begin, replies[0], rulings))
            judgement = judge(self._engine, turn, Answered(script, reply))
            judged.append(JudgedTurn(turn, judgement, tuple(told)))
            passed = judgement.verdict is Verdict.PASS
            if not self._told and (not passed or self._engine.chose_itself(script, reply)):
                # From here on every turn tells its table; one that strays often is not rare.
                self._told = True
                return number + 1 if self._set_table else None
        return len(self._scripts)

    def _once_more(self, number: int, again: Script, judged: list[JudgedTurn]) -> int:
        """Ask a turn that the engine can end by a dead roll more only."""
        if not self._set_table:
            # From the start, with that roll; the turns before come out as they did.
            self._scripts[number] = again
            judged.clear()
            return 0
        (answered,) = self._engine.ask_each([again])
        turn = self._game.turns[number]
        judged.append(JudgedTurn(turn, judge(self._engine, turn, answered), answered.exchanges))
        self._told = True
        return number + 1

    def _requests(self, first: int) -> tuple[list[Params], list[Params]]:
        """Return what begins the game, if anything does, and the turns from this one on."""
        rulings = self._engine.rulings
        turns = [request(script, rulings) for script in self._scripts[first:]]
        starts = first == 0 and not self._told and self._engine.can("start")
        if not self._told:
            for turn in turns if starts else turns[1:]:
                assert isinstance(turn, TurnParams)
                turn.table = None
        return [request(self._begin, rulings)] if starts else [], turns

    def _begun(self, reply: Reply) -> JudgedTurn | None:
        """Return what is wrong with how the engine begins a game, if anything is."""
        try:
            require_start(self._begin, reply, self._engine.rulings)
        except Unanswered as why:
            told = (exchange(self._begin, reply, self._engine.rulings),)
            return JudgedTurn(None, unanswered(why, (str(Rule.SETUP_TILES),)), told)
        return None

    def _broken(self, first: int, reply: Reply, *, starts: bool) -> JudgedTurn:
        """Return the breakdown of the engine somewhere in the game, nobody knows where."""
        rules = dict.fromkeys(rule for turn in self._scripts[first:] for rule in self._rules(turn))
        judgement = Judgement(Verdict.ERROR, tuple(rules), (), "the engine left turns unanswered")
        try:
            require_answer(reply)
        except Unanswered as why:
            judgement = unanswered(why, tuple(rules))
        rulings = self._engine.rulings
        asked: list[Ask] = [*([self._begin] if starts else []), *self._scripts[first:]]
        told = [exchange(ask, None, rulings) for ask in asked[:-1]]
        return JudgedTurn(None, judgement, (*told, exchange(asked[-1], reply, rulings)))

    def _rules(self, turn: Script) -> tuple[str, ...]:
        return shown(due(turn, self._engine.rulings))[-1:]

    def _scores(self) -> Iterator[JudgedTurn]:
        """Yield what came of scoring the end of the game, and a tie beside it."""
        for stacks in (self._game.end.stacks, self._game.tied):
            # What holds if nobody owns a tile is settled by no source.
            if any(stacks):
                yield score_of(self._engine, stacks)


def score_of(engine: EngineUnderTest, stacks: Stacks) -> JudgedTurn:
    """Ask for a score, and return what came of it."""
    ask = Scoring(stacks)
    reply, told = engine.ask_one(ask)
    rules = (str(_shows(stacks, engine.rulings)),)
    return JudgedTurn(None, judge_one(engine, ask, reply, rules), (told,))


def _shows(stacks: Stacks, rulings: Rulings) -> Rule:
    worms, _ = score(stacks, rulings)
    tie = worms.count(max(worms)) > 1
    return Rule.ENDING_TIE_BREAK if tie else Rule.ENDING_WORMS_WIN
