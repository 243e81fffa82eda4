"""The referee: holds every line of a log against the rules."""

from dataclasses import dataclass
from typing import NamedTuple

from msgspec import UNSET

from pickomino_conformance import words
from pickomino_conformance.cases import Exchange, exchange
from pickomino_conformance.protocol.messages import (
    ScoreResult,
    StartResult,
    TableMessage,
    TurnResult,
)
from pickomino_conformance.protocol.translate import (
    Scoring,
    Start,
    complement,
    impossible,
    read_claim,
    read_decision,
)
from pickomino_conformance.referee import departing, exercising
from pickomino_conformance.referee.departing import TOO_EARLY, Departure, Matter, seen_claim
from pickomino_conformance.referee.log import (
    Beginning,
    Ending,
    LoggedTurn,
    LogLine,
    MalformedLog,
)
from pickomino_reference import (
    BASE,
    Claim,
    Contradiction,
    Edition,
    End,
    Record,
    Rule,
    Rulings,
    Script,
    Steal,
    StealBack,
    Table,
    UnknownName,
    find_edition,
    play_turn,
    score,
)

# So many turns that are right are kept for the diagnosis, since no fault may contradict them.
SAMPLED = 400


class ToldAnswer(NamedTuple):
    """What a line tells of an engine: as if it had been asked, and had answered.

    Attributes:
        exchange: the request and the answer; none where there is no such request, or one more
            would tell nothing new.
        departures: where the answer departs.
    """

    exchange: Exchange | None
    departures: tuple[Departure, ...] = ()


class Judged(NamedTuple):
    """What came of a line.

    Attributes:
        rulings: what it was judged by.
        told: what it tells of the engine.
        exercised: the rules that it exercises.
    """

    rulings: Rulings
    told: tuple[ToldAnswer, ...] = ()
    exercised: tuple[Rule, ...] = ()


class PlayedTurn(NamedTuple):
    """A logged turn, and what the rules make of it.

    Attributes:
        script: its dice and decisions, with the claim that was made.
        record: what the reference makes of it.
        claim_told: whether the log tells the claim; if not, any will do where one must be made.
    """

    script: Script
    record: Record
    claim_told: bool = True


@dataclass(slots=True)
class _Game:
    """The game under way.

    Attributes:
        edition: what it is judged by.
        players: how many its first line says that there are.
        after: the table after the last turn, as the log has it; none before the first.
        last: the last turn, if the rules let it go to its end.
        expected: the table after the last turn, as it must be.
        lost: for each player the tiles stolen since the last own turn.
    """

    edition: Edition
    players: int | None = None
    after: TableMessage | None = None
    last: PlayedTurn | None = None
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

    def move_on(self, line: LoggedTurn, table: Table, turn: PlayedTurn | None) -> None:
        """Let the next turn follow on this one, which began with this table.

        `turn` is none if the rules did not let it go to its end.
        """
        players = len(table.stacks)
        lost = list(self.lost) if len(self.lost) == players else [frozenset[int]()] * players
        lost[table.player] = frozenset()
        self.expected = table._replace(player=(table.player + 1) % players)
        if turn is not None:
            self.expected, claim = turn.record.position.table, turn.record.claim
            if isinstance(claim, Steal):
                lost[claim.player] |= {table.stacks[claim.player][-1]}
        self.last, self.after, self.lost = turn, line.table_after, tuple(lost)


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
        departures = departing.announces(line)
        return Judged(current.rulings, tuple(ToldAnswer(None, (one,)) for one in departures))

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
        if over and line.table is not None and departing.is_start(line.table):
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
        table = _read_table(line, message, current)
        if not departing.can_be(table):
            self.not_judged += 1
            if current.after is None and not any(one.departures for one in asked):
                asked.append(ToldAnswer(None, (departing.impossible_start(line, table),)))
            current.move_on(line, table, None)
            return Judged(current.rulings, tuple(asked), tuple(exercised))
        turn = _play(line, table, current.rulings)
        self.claims_told = self.claims_told and turn.claim_told
        departure = departing.of_turn(line, turn.script, turn.record, current.rulings)
        parted = departure is not None and departure.matter is not Matter.OUTCOME
        if departure is not None and departure.matter in TOO_EARLY:
            _require_decision(line, table)
        if not parted:
            seen = exercising.see(
                turn.script,
                turn.record,
                current.rulings,
                current.just_lost(table),
                next_told=line.table_after.player is not UNSET,
            )
            exercised += exercising.by_turn(seen)
        if departure is not None or self.turns <= SAMPLED:
            told = _turn_asked(line, turn.script, current)
            asked.append(ToldAnswer(told, (departure,) if departure else ()))
        current.move_on(line, table, None if parted else turn)
        return Judged(current.rulings, tuple(asked), tuple(exercised))

    def _arrive(
        self, current: _Game, line: LoggedTurn, message: TableMessage
    ) -> tuple[list[ToldAnswer], list[Rule]]:
        """Return what the table before a turn tells, and what it exercises."""
        if current.after is None:
            started = departing.is_start(message)
            exercised = [*exercising.BEGINNING] if started else []
            if current.players is None:
                return [], exercised
            departures = tuple(departing.begins(line, message, current.players))
            asked = exchange(Start(current.players), StartResult(message), current.rulings)
            return [ToldAnswer(asked, departures)], exercised
        found = tuple(departing.contradicts(line, current.after))
        only_told_here = current.after.player is UNSET and message.player is not UNSET
        last = current.last
        if found or last is None or not only_told_here:
            return [ToldAnswer(None, found)], []
        claimed = last.record.end is End.CLAIM
        exercised = [Rule.SETUP_ORDER] * exercising.order_shows(last.script.table, claimed=claimed)
        exercised += [Rule.FAILING_PASSES] * (not claimed)
        return [
            ToldAnswer(None, tuple(departing.hands_over(line, last.script, last.record)))
        ], exercised

    def _end(self, line: Ending) -> Judged:
        current = self._game
        if current is None or current.after is None:
            raise MalformedLog(f"line {line.line}: the end of a game stands before any turn of it.")
        self._game = None
        after = current.after
        asked = [ToldAnswer(None, tuple(departing.ends_too_early(line, after)))]
        ask = Scoring(tuple(map(tuple, after.stacks)))
        if impossible(tile for stack in ask.stacks for tile in stack):
            return Judged(current.rulings, tuple(asked))
        right = score(ask.stacks, current.rulings)
        worms_told, winners_told = line.worms is not None, line.winners is not None
        if worms_told or winners_told:
            departures = tuple(departing.of_score(line, ask, right))
            reply = ScoreResult(line.worms, line.winners)
            asked.append(ToldAnswer(exchange(ask, reply, current.rulings), departures))
        exercised = exercising.by_score(right, worms_told=worms_told, winners_told=winners_told)
        return Judged(current.rulings, tuple(asked), tuple(exercised))


def _read_table(line: LoggedTurn, message: TableMessage, current: _Game) -> Table:
    """Return the table before a turn, with what the log leaves out filled in.

    Raises:
        MalformedLog: the log does not say whose turn it is, or names a player who isn't there.
    """
    stacks, expected = tuple(map(tuple, message.stacks)), current.expected
    player = message.player
    if player is UNSET:
        if expected is None:
            raise MalformedLog(
                f"line {line.line}: table.player is missing; the first turn of a game says whose "
                "turn it is, a number from 0."
            )
        player = expected.player
    if player >= len(stacks):
        raise MalformedLog(
            f"line {line.line}: table.player is {player}, but there are {len(stacks)} stacks."
        )
    named = [*message.grill, *(tile for stack in stacks for tile in stack)]
    barred: tuple[tuple[int, ...], ...] = ((),) * len(stacks)
    if current.rulings.steal_back is StealBack.BARRED:
        if message.barred is not UNSET and len(message.barred) == len(stacks):
            barred = tuple(tuple(sorted(tiles)) for tiles in message.barred)
        elif expected is not None and len(expected.barred) == len(stacks):
            barred = expected.barred
    return Table(tuple(sorted(message.grill)), complement(BASE, named), stacks, player, barred)


def _play(line: LoggedTurn, table: Table, rulings: Rulings) -> PlayedTurn:
    """Return a logged turn as the reference plays it.

    A claim that is not told is seen on the stacks; if none is seen there, any will do where one
    must be made.

    Raises:
        MalformedLog: a claim names a player who isn't there.
    """
    last = line.decisions[-1] if line.decisions else None
    told = last is None or last.then == "roll" or last.claim is not UNSET
    script = Script(table, tuple(line.rolls), tuple(map(read_decision, line.decisions)))
    if not told:
        script = _claiming(script, seen_claim(table, line.table_after.stacks))
    elif last is not None and last.claim:
        claim = read_claim(last.claim)
        if isinstance(claim, Steal) and claim.player >= len(table.stacks):
            raise MalformedLog(
                f"line {line.line}: the claim steals from player {claim.player}, but there are "
                f"{len(table.stacks)} stacks."
            )
    record = play_turn(script, rulings)
    if not told and record.wants == "claim":
        script = _claiming(script, record.claims[0])
        record = play_turn(script, rulings)
    return PlayedTurn(script, record, told)


def _claiming(script: Script, claim: Claim | None) -> Script:
    """Return the turn with this claim at its end."""
    *decisions, last = script.decisions
    return script._replace(decisions=(*decisions, last._replace(claim=claim)))


def _require_decision(line: LoggedTurn, table: Table) -> None:
    """Raise if a tile was claimed although no decision stops."""
    seen = seen_claim(table, line.table_after.stacks)
    if seen is not None:
        raise MalformedLog(
            f"line {line.line}: the last decision is missing. {words.player(table.player)} "
            f"{words.claim(seen)}, and no decision stops. (A stop with nothing "
            'set aside from the last roll is {"keep": null, "then": "stop"}.)'
        )


def _turn_asked(line: LoggedTurn, script: Script, current: _Game) -> Exchange:
    # A log tells every roll.
    reply = TurnResult(line.table_after, line.over, len(line.rolls))
    told = exchange(script, reply, current.rulings)
    if current.lost:
        # An engine may bar what was just stolen although it is judged by another ruling.
        told.params["table"].setdefault("barred", [sorted(lost) for lost in current.lost])
    return told
