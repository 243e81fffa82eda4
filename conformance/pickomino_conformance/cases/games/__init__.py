"""Level `games`: random games, played on the engine and the reference side by side.

Most games are begun by `start` and go on with the table that the engine has; in every fourth each
turn tells its table. The turns of a game are sent ahead, since the reference knows every table.

A game ends with its last tile, or after 80 turns. From the twelfth turn on more and more tiles
are taken, so that nearly all end.

A turn that differs is cut out where the engine can be set to its table, and made simpler as long
as the engine still departs in the same rule. Where it can't, or where the turn alone is played
rightly, the game is made shorter.
"""

import time
from collections.abc import Iterator, Sequence

from pickomino_conformance.blame import judge
from pickomino_conformance.cases import Exchange, Judgement, Outcome, Telling, Verdict, Wanted
from pickomino_conformance.cases.games.drawing import (
    DrawnGame,
    draw,
    fewer_tiles,
    shorter,
    simplest,
)
from pickomino_conformance.cases.games.match import JudgedTurn, Match, score_of
from pickomino_conformance.cases.smoke import poisoned
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.protocol.translate import Scoring
from pickomino_reference import BASE, Script

LEVEL = "games"
SEED = 1
GAMES = 100
# All departures together are made simpler for at most so long.
MOST_SECONDS = 20.0

Rules = tuple[str, ...]


def run(engine: EngineUnderTest, wanted: Wanted) -> Iterator[Outcome]:
    """Yield the outcome of every game.

    The first departure in a rule is made simpler; of the later ones only the turn is told. If
    only some games are wanted, they are played whatever the seed and their number are.
    """
    asking = AskingGames(engine, wanted)
    drawn = [f"{wanted.seed}-{place}" for place in range(wanted.games)]
    if wanted.only:
        names = (case.removeprefix(f"{LEVEL}/") for case in wanted.only if case.startswith(LEVEL))
        drawn = [name for name in names if _is_name(name)]
    for name in drawn:
        yield asking.outcome(name)


def _is_name(name: str) -> bool:
    """Whether this is a seed and the number of a game."""
    seed, _, place = name.partition("-")
    return seed.isdecimal() and place.isdecimal()


class AskingGames:
    """The level on one engine."""

    def __init__(self, engine: EngineUnderTest, wanted: Wanted = Wanted()) -> None:  # noqa: B008  # a frozen value
        self._engine = engine
        self._wanted = wanted
        self._told: set[Rules] = set()
        self._seconds = MOST_SECONDS
        self._outcome = Telling(LEVEL, one_in=10).outcome
        fewest, most = engine.hello.players
        self._players = (max(BASE.players[0], fewest), min(BASE.players[1], most))

    def outcome(self, drawn_by: str) -> Outcome:
        """Return what came of the game of this seed and number."""
        name = f"{LEVEL}/{drawn_by}"
        game = draw(drawn_by, self._engine.rulings, self._players)
        why = poisoned(game.turns, (), self._wanted.failed, told=game.told)
        if why is not None:
            return self._outcome(name, Judgement(Verdict.NOT_REACHED, (), (), why))
        judged = Match(self._engine, game).judge()
        departures = [one for one in judged if one.judgement.verdict is not Verdict.PASS]
        if not judged:
            why = "the engine plays no games, and does not score them"
            return self._outcome(name, Judgement(Verdict.UNSUPPORTED, (), (), why))
        if not departures:
            rules = dict.fromkeys(rule for one in judged for rule in one.judgement.rules)
            passed = Judgement(Verdict.PASS, tuple(rules))
            return self._outcome(name, passed, _exchanges(judged))
        departure = self._foremost(departures)
        judgement = departure.judgement
        if judgement.verdict is Verdict.FAIL and judgement.rules not in self._told:
            self._told.add(judgement.rules)
            began = time.monotonic()
            departure = self._smallest(game, departure, began + self._seconds)
            self._seconds = max(0.0, self._seconds - (time.monotonic() - began))
        return self._outcome(name, departure.judgement, departure.exchanges)

    def _foremost(self, departures: list[JudgedTurn]) -> JudgedTurn:
        """Return the departure that is told: the first one in a rule that was not told yet."""
        new = [one for one in departures if one.judgement.rules not in self._told]
        failed = [one for one in new if one.judgement.verdict is Verdict.FAIL]
        return (failed or new or departures)[0]

    def _smallest(self, game: DrawnGame, departure: JudgedTurn, ends: float) -> JudgedTurn:
        """Return the departure, as small as it can be made in time."""
        rules = departure.judgement.rules
        if departure.turn is None and isinstance(departure.exchanges[-1].ask, Scoring):
            return self._smallest_score(departure, ends)
        if departure.turn is not None and self._engine.can("set-table"):
            alone = self._smallest_turn(departure.turn, rules, ends)
            if alone is not None:
                return alone
        return self._smallest_game(game, departure, ends)

    def _smallest_score(self, departure: JudgedTurn, ends: float) -> JudgedTurn:
        """Return the score of the fewest tiles that departs in the same rule."""
        simpler = True
        while simpler:
            simpler = False
            ask = departure.exchanges[-1].ask
            assert isinstance(ask, Scoring)
            for stacks in fewer_tiles(ask.stacks):
                if time.monotonic() > ends:
                    break
                again = score_of(self._engine, stacks)
                if again.judgement[:2] == departure.judgement[:2]:
                    departure, simpler = again, True
                    break
        return departure

    def _smallest_turn(self, turn: Script, rules: Rules, ends: float) -> JudgedTurn | None:
        """Return the simplest turn that departs in the same rule; none if it passes alone."""
        found: JudgedTurn | None = None

        def differs(simpler: Script) -> bool:
            nonlocal found
            if time.monotonic() > ends:
                return False
            (answered,) = self._engine.ask_each([simpler])
            judgement = judge(self._engine, simpler, answered)
            if judgement[:2] != (Verdict.FAIL, rules):
                return False
            found = JudgedTurn(simpler, judgement, answered.exchanges)
            return True

        if differs(turn):
            simplest(turn, self._engine.rulings, self._players[0], differs)
        return found

    def _smallest_game(self, game: DrawnGame, departure: JudgedTurn, ends: float) -> JudgedTurn:
        """Return the departure in the shortest game that is found to have it.

        Its exchanges are those of the whole game, from its start.
        """
        rules, best = departure.judgement.rules, self._departing(game, departure.judgement.rules)
        simpler = True
        while simpler and best:
            simpler = False
            for candidate in shorter(game, self._engine.rulings):
                if time.monotonic() > ends:
                    break
                found = self._departing(candidate, rules)
                if found:
                    game, best, simpler = candidate, found, True
                    break
        # It may be that the engine has changed its mind since.
        return best[-1]._replace(exchanges=_exchanges(best)) if best else departure

    def _departing(self, game: DrawnGame, rules: Rules) -> list[JudgedTurn]:
        """Return what a game comes to, up to the departure in these rules; nothing if none."""
        judged = Match(self._engine, game).judge()
        for place, one in enumerate(judged):
            if one.judgement[:2] == (Verdict.FAIL, rules):
                return judged[: place + 1]
        return []


def _exchanges(judged: Sequence[JudgedTurn]) -> tuple[Exchange, ...]:
    return tuple(told for one in judged for told in one.exchanges)
