"""Level `games`: random games, played on the engine and the reference side by side.

Dice and decisions come from Hypothesis, biased to what is rare. Most games are begun by `start`
and go on with the table that the engine has; in every fourth each turn tells its table. The
turns of a game are sent ahead, since the reference knows every table.

A game ends with its last tile, or after 80 turns. From the twelfth turn on more and more tiles
are taken, so that nearly all end.

A turn that differs is cut out where the engine can be set to its table, and made simpler as long
as the engine still departs in the same rule. Where it can't, or where the turn alone is played
rightly, Hypothesis shrinks the whole game.
"""

import time
from collections.abc import Callable, Collection, Iterator, Sequence

import msgspec

from pickomino_conformance.cases import Exchange, Outcome, Verdict
from pickomino_conformance.levels import smoke
from pickomino_conformance.levels.expected import Expected, Finding, judge, outcome
from pickomino_conformance.levels.games.drawing import Game, draw, shrink
from pickomino_conformance.levels.games.match import Judged, Match, score_of, stacks_of
from pickomino_conformance.levels.games.shrinking import fewer_tiles, simplest
from pickomino_conformance.subject import Subject
from pickomino_reference import BASE

LEVEL = "games"
SEED = 1
GAMES = 100
# Of the passed games one in so many is told whole, as evidence for the diagnosis.
SHOW_EVERY = 10
# All departures together are made simpler for at most so long.
MOST_SECONDS = 20.0

Listed = Callable[[Outcome], Outcome]
"""Returns, for a departure, the shortest listed case with the same diagnosis, or itself."""

Rules = tuple[str, ...]


def run(
    subject: Subject,
    failed_probes: Sequence[smoke.Probe] = (),
    only: Collection[str] = (),
    *,
    seed: int = SEED,
    number: int = GAMES,
    listed: Listed = lambda departure: departure,
) -> Iterator[Outcome]:
    """Yield the outcome of every game.

    The first departure in a rule is made simpler, and replaced by what `listed` makes of it; of
    the later ones only the turn is told.

    `only` are the ids of the only games to be played, whatever `seed` and `number` are; empty
    for all.
    """
    level = Level(subject, list(failed_probes), listed)
    drawn = list(map(read_id, only)) if only else [(seed, place) for place in range(number)]
    for one in drawn:
        if one is not None:
            yield level.outcome(*one)


def read_id(case: str) -> tuple[int, int] | None:
    """Return the seed and the number of a game by its id, or none if it is no such id."""
    level, _, name = case.partition("/")
    seed, _, place = name.partition("-")
    if level != LEVEL or not (seed.isdecimal() and place.isdecimal()):
        return None
    return int(seed), int(place)


class Level:
    """The level on one engine."""

    def __init__(
        self,
        subject: Subject,
        failed: list[smoke.Probe],
        listed: Listed = lambda departure: departure,
    ) -> None:
        self._subject = subject
        self._failed = failed
        self._listed = listed
        self._told: set[Rules] = set()
        self._seconds = MOST_SECONDS
        self._passes = 0
        fewest, most = subject.hello.players
        self._players = (max(BASE.players[0], fewest), min(BASE.players[1], most))

    def outcome(self, seed: int, place: int) -> Outcome:
        """Return what came of the game of this seed and number."""
        name, drawn_by = f"{LEVEL}/{seed}-{place}", f"{seed}-{place}"
        fewest, most = self._players
        if fewest > most:
            why = f"the engine plays with {self._subject.hello.players}, fewest and most"
            return Outcome(name, LEVEL, (), Verdict.UNSUPPORTED, why)
        game = draw(drawn_by, self._subject.rulings, self._players)
        for number, turn in enumerate(game.turns if self._failed else ()):
            follows = number > 0 and not game.told
            why_not = smoke.poisoned(turn.script, (), self._failed, follows=follows)
            if why_not is not None:
                return Outcome(name, LEVEL, turn.rules, Verdict.NOT_REACHED, why_not)
        judged = Match(self._subject, game).judge()
        departures = [one for one in judged if one.finding.verdict is not Verdict.PASS]
        if not judged:
            why = "the engine plays no games, and does not score them"
            return Outcome(name, LEVEL, (), Verdict.UNSUPPORTED, why)
        if not departures:
            return self._passed(name, judged)
        departure = self._foremost(departures)
        if departure.finding.verdict is not Verdict.FAIL or departure.finding.rules in self._told:
            return _outcome(name, departure)
        self._told.add(departure.finding.rules)
        began = time.monotonic()
        found = self._smallest(name, drawn_by, game, departure, began + self._seconds)
        self._seconds = max(0.0, self._seconds - (time.monotonic() - began))
        return msgspec.structs.replace(self._listed(found), id=name, level=LEVEL)

    def _passed(self, name: str, judged: list[Judged]) -> Outcome:
        self._passes += 1
        shown = judged if self._passes % SHOW_EVERY == 0 else ()
        rules = dict.fromkeys(rule for one in judged for rule in one.finding.rules)
        return Outcome(name, LEVEL, tuple(rules), Verdict.PASS, "", _exchanges(shown))

    def _foremost(self, departures: list[Judged]) -> Judged:
        """Return the departure that is told: the first one in a rule that was not told yet."""
        new = [one for one in departures if one.finding.rules not in self._told]
        failed = [one for one in new if one.finding.verdict is Verdict.FAIL]
        return (failed or new or departures)[0]

    def _smallest(
        self, name: str, drawn_by: str, game: Game, departure: Judged, ends: float
    ) -> Outcome:
        """Return the departure, as small as it can be made in time."""
        rules = departure.finding.rules
        if departure.turn is None and "stacks" in departure.exchanges[-1].params:
            return _outcome(name, self._smallest_score(departure, ends))
        if departure.turn is not None and self._subject.can("set-table"):
            alone = self._smallest_turn(departure.turn, rules, ends)
            if alone is not None:
                return _outcome(name, alone)
        return self._smallest_game(name, drawn_by, game, departure, ends)

    def _smallest_score(self, departure: Judged, ends: float) -> Judged:
        """Return the score of the fewest tiles that departs in the same rule."""
        simpler = True
        while simpler:
            simpler = False
            for stacks in fewer_tiles(stacks_of(departure)):
                if time.monotonic() > ends:
                    break
                again = score_of(self._subject, stacks)
                if again.finding[:2] == departure.finding[:2]:
                    departure, simpler = again, True
                    break
        return departure

    def _smallest_turn(self, turn: Expected, rules: Rules, ends: float) -> Judged | None:
        """Return the simplest turn that departs in the same rule; none if it passes alone."""
        found: Judged | None = None

        def differs(simpler: Expected) -> bool:
            nonlocal found
            if time.monotonic() > ends:
                return False
            finding, told = self._alone(simpler)
            if finding[:2] != (Verdict.FAIL, rules):
                return False
            found = Judged(simpler, finding, told)
            return True

        if differs(turn):
            simplest(turn, self._subject.rulings, self._players[0], differs)
        return found

    def _alone(self, turn: Expected) -> tuple[Finding, tuple[Exchange, ...]]:
        """Return what comes of a turn on a table of its own."""
        (answered,) = self._subject.ask_each([turn.script])
        return judge(self._subject, turn, answered), answered.exchanges

    def _smallest_game(
        self, name: str, drawn_by: str, game: Game, departure: Judged, ends: float
    ) -> Outcome:
        """Return the departure in the smallest game that Hypothesis finds to have it."""
        rules = departure.finding.rules
        smallest = self._departing(game, rules)

        def departs(shrunk: Game) -> bool:
            nonlocal smallest
            if time.monotonic() > ends:
                return False
            found = self._departing(shrunk, rules)
            if found and (not smallest or _size(found) < _size(smallest)):
                smallest = found
            return bool(found)

        shrink(drawn_by, self._subject.rulings, self._players, departs)
        if not smallest:
            # The engine has changed its mind since.
            return _outcome(name, departure)
        *before, last = smallest
        found = _outcome(name, last._replace(exchanges=_exchanges(smallest)))
        turns = sum(one.turn is not None for one in before)
        after = f"After {turns} {'turn' if turns == 1 else 'turns'} of a game: " if turns else ""
        return msgspec.structs.replace(found, message=after + found.message)

    def _departing(self, game: Game, rules: Rules) -> list[Judged]:
        """Return what a game comes to, up to the departure in these rules; nothing if none."""
        judged = Match(self._subject, game).judge()
        for place, one in enumerate(judged):
            if one.finding[:2] == (Verdict.FAIL, rules):
                return judged[: place + 1]
        return []


def _size(judged: list[Judged]) -> tuple[int, int]:
    """Return what makes a departure small: few turns, few rolls."""
    turns = [one.turn for one in judged if one.turn is not None]
    return len(turns), sum(len(turn.script.rolls) for turn in turns)


def _exchanges(judged: Sequence[Judged]) -> tuple[Exchange, ...]:
    return tuple(told for one in judged for told in one.exchanges)


def _outcome(name: str, judged: Judged) -> Outcome:
    """Return what came of a part of a game as the outcome of the game."""
    if judged.turn is not None:
        return outcome(name, LEVEL, judged.turn, judged.finding, judged.exchanges)
    verdict, rules, message = judged.finding
    return Outcome(name, LEVEL, rules, verdict, message, judged.exchanges)
