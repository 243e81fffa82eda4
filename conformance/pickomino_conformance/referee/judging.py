"""The referee: holds every line of a log against the rules."""

from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from pickomino_conformance import cases
from pickomino_conformance.protocol import (
    ScoreParams,
    StartParams,
    StartResult,
    TableMessage,
    TurnResult,
)
from pickomino_conformance.referee import between, departing, exercising
from pickomino_conformance.referee.departing import Departure
from pickomino_conformance.referee.facts import facts_of
from pickomino_conformance.referee.following import End, Followed, Script, follow
from pickomino_conformance.referee.log import (
    Beginning,
    Ending,
    LoggedTurn,
    LogLine,
    MalformedLog,
)
from pickomino_conformance.tables import impossible
from pickomino_reference import (
    BASE,
    Contradiction,
    Edition,
    Rule,
    Rulings,
    Steal,
    Table,
    UnknownName,
    find_edition,
    score,
)

# So many turns that are right are kept for the diagnosis, since no fault may contradict them.
SAMPLED = 400


class Asked(NamedTuple):
    """What a line tells of an engine: as if it had been asked, and had answered.

    Attributes:
        exchange: the request and the answer; none where there is no such request, or one more
            would tell nothing new.
        departures: where the answer departs.
    """

    exchange: cases.Exchange | None
    departures: tuple[Departure, ...] = ()


class Judged(NamedTuple):
    """What came of a line.

    Attributes:
        rulings: what it was judged by.
        asked: what it tells of the engine.
        exercised: the rules that it exercises.
    """

    rulings: Rulings
    asked: tuple[Asked, ...] = ()
    exercised: tuple[Rule, ...] = ()


@dataclass(slots=True)
class _Game:
    """The game under way.

    Attributes:
        edition: what it is judged by.
        players: how many its first line says that there are.
        after: the table after the last turn, as the log has it; none before the first.
        followed: the last turn, if it could be followed to its end.
        expected: the table after the last turn, as it must be.
        lost: for each player the tiles stolen since the last own turn.
    """

    edition: Edition
    players: int | None = None
    after: TableMessage | None = None
    followed: Followed | None = None
    expected: Table | None = None
    lost: tuple[frozenset[int], ...] = ()

    @property
    def rulings(self) -> Rulings:
        """What it is judged by."""
        return self.edition.rulings

    def just_lost(self, table: Table) -> frozenset[int]:
        """Return the tiles stolen from the player to move since the last own turn."""
        seen = self.lost[table.player] if table.player < len(self.lost) else frozenset()
        return seen.union(table.barred[table.player])

    def move_on(self, line: LoggedTurn, table: Table, followed: Followed | None) -> None:
        """Let the next turn follow on this one, which began with this table."""
        players = len(table.stacks)
        lost = list(self.lost) if len(self.lost) == players else [frozenset[int]()] * players
        lost[table.player] = frozenset()
        self.followed = followed if followed is not None and followed.end is not None else None
        if self.followed is None:
            self.expected = table._replace(player=(table.player + 1) % players)
        else:
            self.expected = self.followed.after
            if isinstance(self.followed.claim, Steal):
                victim = self.followed.claim.player
                lost[victim] |= {table.stacks[victim][-1]}
        self.after = line.table_after
        self.lost = tuple(lost)


class Referee:
    """Judges a log line by line.

    Args:
        edition: what it is judged by, whatever the log says of itself; if none is given, what
            the log says, or else the default edition.
    """

    def __init__(self, edition: Edition | None = None) -> None:
        self._edition = edition
        self.editions: dict[str, Edition] = {}
        self.games = 0
        self.turns = 0
        self.not_judged = 0
        # Whether the log told every claim, so that no other one would do as well.
        self.claims_told = True
        self._game: _Game | None = None

    def judge(self, line: LogLine) -> Judged:
        """Return what comes of the next line.

        Raises:
            MalformedLog: it does not fit to what stands before it.
        """
        if isinstance(line, Beginning):
            return self._begin(line)
        if isinstance(line, LoggedTurn):
            return self._turn(line)
        return self._end(line)

    def _begin(self, line: Beginning) -> Judged:
        edition = self._edition
        if edition is None:
            try:
                edition = find_edition(line.edition or find_edition().name, line.rulings)
            except (UnknownName, Contradiction) as error:
                raise MalformedLog(f"line {line.line}: {error}") from None
        current = self._open(edition, line.players)
        fewest, most = BASE.players
        if line.players is None or fewest <= line.players <= most:
            return Judged(current.rulings)
        words = f"A game for {line.players} players. Expected: {fewest} to {most} players."
        departure = Departure(line.line, (Rule.SETUP_PLAYERS,), words)
        return Judged(current.rulings, (Asked(None, (departure,)),))

    def _open(self, edition: Edition, players: int | None = None) -> _Game:
        self.editions[edition.name] = edition
        self.games += 1
        self._game = _Game(edition, players)
        return self._game

    def _current(self, line: LoggedTurn) -> _Game:
        """Return the game to which a turn belongs."""
        current = self._game
        if current is None:
            return self._open(self._edition or find_edition())
        over = current.after is not None and not current.after.grill
        if over and line.table is not None and between.is_start(line.table):
            return self._open(current.edition)
        return current

    def _turn(self, line: LoggedTurn) -> Judged:
        current = self._current(line)
        self.turns += 1
        message = line.table if line.table is not None else current.after
        if message is None:
            raise MalformedLog(
                f"line {line.line}: the first turn of a game needs the table before it."
            )
        asked, exercised = self._arrive(current, line, message)
        table = between.read_table(line, message, current.expected, current.rulings)
        wrong = between.not_to_be_judged(table)
        if wrong:
            self.not_judged += 1
            if current.after is None and not any(one.departures for one in asked):
                words = f"The game begins with an impossible table: {wrong}."
                asked.append(Asked(None, (Departure(line.line, (Rule.SETUP_TILES,), words),)))
            current.move_on(line, table, None)
            return Judged(current.rulings, tuple(asked), tuple(exercised))
        script = departing.read_script(line, table)
        self.claims_told = self.claims_told and script.claim_told
        followed = follow(table, script, current.rulings)
        departure = departing.of_turn(line, followed, script, current.rulings)
        if followed.end is not None:
            next_told = line.table_after.player is not UNSET
            lost = current.just_lost(table)
            facts = facts_of(followed, current.rulings, lost, next_told=next_told)
            exercised += exercising.by_turn(facts)
        if departure is not None or self.turns <= SAMPLED:
            exchange = _turn_asked(line, followed, script, current)
            asked.append(Asked(exchange, (departure,) if departure else ()))
        current.move_on(line, table, followed)
        return Judged(current.rulings, tuple(asked), tuple(exercised))

    def _arrive(
        self, current: _Game, line: LoggedTurn, message: TableMessage
    ) -> tuple[list[Asked], list[Rule]]:
        """Return what the table before a turn tells, and what it exercises."""
        if current.after is None:
            started = between.is_start(message)
            exercised = [rule for rule, _ in exercising.BEGINNING] if started else []
            if current.players is None:
                return [], exercised
            departures = tuple(between.begins(line, message, current.players))
            return [Asked(_start_asked(message, current.players), departures)], exercised
        found = tuple(between.contradicts(line, current.after))
        only_told_here = current.after.player is UNSET and message.player is not UNSET
        followed = current.followed
        if found or followed is None or not only_told_here:
            return [Asked(None, found)], []
        assert followed.end is not None
        shows = exercising.order_shows(followed.table, followed.end)
        exercised = [Rule.SETUP_ORDER] * shows
        exercised += [Rule.FAILING_PASSES] * (followed.end is not End.CLAIM)
        return [Asked(None, tuple(between.hands_over(line, followed)))], exercised

    def _end(self, line: Ending) -> Judged:
        current = self._game
        if current is None or current.after is None:
            raise MalformedLog(f"line {line.line}: the end of a game stands before any turn of it.")
        self._game = None
        after = current.after
        asked = [Asked(None, tuple(departing.too_early(line, after)))]
        stacks = tuple(map(tuple, after.stacks))
        if impossible([tile for stack in stacks for tile in stack], BASE):
            return Judged(current.rulings, tuple(asked))
        right = score(stacks, current.rulings)
        worms_told, winners_told = line.worms is not None, line.winners is not None
        if worms_told or winners_told:
            departures = tuple(departing.of_score(line, after, right))
            asked.append(Asked(_score_asked(line, after), departures))
        exercised = exercising.by_score(right, worms_told=worms_told, winners_told=winners_told)
        return Judged(current.rulings, tuple(asked), tuple(exercised))


def _turn_asked(
    line: LoggedTurn, followed: Followed, script: Script, current: _Game
) -> cases.Exchange:
    decisions = departing.decisions(line, followed, script)
    turn = cases.Script(followed.table, tuple(line.rolls), decisions)
    answer = msgspec.to_builtins(TurnResult(table=line.table_after, over=line.over))
    exchange = cases.exchange(turn.params(current.rulings), {"result": answer})
    if current.lost:
        # An engine may bar what was just stolen although it is judged by another ruling.
        exchange.params["table"].setdefault("barred", [sorted(lost) for lost in current.lost])
    return exchange


def _start_asked(message: TableMessage, players: int) -> cases.Exchange:
    answer = msgspec.to_builtins(StartResult(table=message))
    return cases.exchange(StartParams(players), {"result": answer})


def _score_asked(line: Ending, after: TableMessage) -> cases.Exchange:
    answer = {"worms": line.worms, "winners": line.winners}
    return cases.exchange(ScoreParams(after.stacks), {"result": answer})
