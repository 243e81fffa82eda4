"""Where a log departs from the rules, and which rule is broken there; as data.

The rule that is broken stands first; others that could be broken instead stand behind it.
`showing.tell` says it in words.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from pickomino_conformance import blame, compare
from pickomino_conformance.compare import Difference
from pickomino_conformance.oracle import due, of_record
from pickomino_conformance.protocol.messages import StartResult, TableMessage, TurnResult
from pickomino_conformance.protocol.translate import Scoring, Start, complement, table_message
from pickomino_conformance.referee.log import Beginning, Ending, LoggedTurn
from pickomino_reference import (
    BASE,
    Claim,
    End,
    Record,
    Rule,
    Rulings,
    Score,
    Script,
    Steal,
    Table,
    Take,
    game,
    reasons,
    rolling,
)
from pickomino_reference.table import Stacks

# The rules that forbid a claim which another total would allow.
_BY_TOTAL = (Rule.CLAIMING_EXACT, Rule.CLAIMING_LOWER, Rule.STEALING_EXACT)
SEAT = "the-player-has-a-seat"


class Matter(StrEnum):
    """What departs."""

    PLAYERS = "the number of players for which a game is announced"
    IMPOSSIBLE = "a table that can't be"
    BEGINNING = "the table with which a game begins"
    CONTRADICTION = "a turn that does not begin where the one before has ended"
    ORDER = "whose turn it is"
    WRONG_ROLL = "a roll that can't be made"
    WRONG_CHOICE = "a face that can't be set aside"
    WRONG_CLAIM = "a claim that is forbidden"
    NO_CLAIM = "a stop with no claim, where the player must go on or claim"
    ROLLS_ON = "rolling on at a forced end"
    DEAD_ROLL = "a decision on a dead roll"
    NO_DECISION = "a roll taken for a dead one"
    NO_ROLL = "a turn that ends though the player rolls on"
    OUTCOME = "the table after a turn"
    END = "a game that ends too early"
    SCORE = "worms or winners"


TOO_EARLY = (Matter.NO_DECISION, Matter.NO_ROLL)
"""The turn ends although the player has to go on."""


class Departure(NamedTuple):
    """Where a log departs from the rules.

    Attributes:
        line: the line of the log.
        rules: the rule that is broken, then others that could be broken instead; none if the
            log contradicts itself.
        matter: what departs.
        differences: what was expected and what came, where that is what departs.
        script: the turn, with the claim that was made.
        record: what the rules make of it.
        stacks: what the players own in the end, where they are scored.
        faults: what the diagnosis explains it by; then `rules` are those of the faults.
    """

    line: int
    rules: tuple[Rule, ...]
    matter: Matter
    differences: tuple[Difference, ...] = ()
    script: Script | None = None
    record: Record | None = None
    stacks: Stacks = ()
    faults: tuple[str, ...] = ()

    @property
    def broken(self) -> tuple[Rule, ...]:
        """The rules that are broken: all of an explanation, else the likeliest one."""
        return self.rules if self.faults else self.rules[:1]


def is_start(message: TableMessage) -> bool:
    """Whether this is the table of a new game."""
    return sorted(message.grill) == list(BASE.worms) and not any(message.stacks)


def can_be(table: Table) -> bool:
    """Whether a table can be one of the game, so that a turn on it can be judged."""
    return _impossible(table) is None


def announces(line: Beginning) -> Iterator[Departure]:
    """Yield where a game is announced for more or fewer players than can play."""
    fewest, most = BASE.players
    if line.players is not None and not fewest <= line.players <= most:
        found = Difference("players", list(BASE.players), line.players)
        yield Departure(line.line, (Rule.SETUP_PLAYERS,), Matter.PLAYERS, (found,))


def impossible_start(line: LoggedTurn, table: Table) -> Departure:
    """Return that a game begins with a table that can't be."""
    found = _impossible(table)
    assert found is not None
    return Departure(line.line, (Rule.SETUP_TILES,), Matter.IMPOSSIBLE, (found,))


def _impossible(table: Table) -> Difference | None:
    players = len(table.stacks)
    reply = StartResult(table_message(table))
    broken = compare.invariant(Start(players), reply, Rulings())
    fewest, most = BASE.players
    if broken is None and not fewest <= players <= most:
        return Difference("seats", list(BASE.players), players)
    return broken


def begins(line: LoggedTurn, message: TableMessage, players: int) -> Iterator[Departure]:
    """Yield where a game that was announced for so many players begins otherwise."""
    if len(message.stacks) != players:
        found = Difference("seats", players, len(message.stacks))
        yield Departure(line.line, (Rule.SETUP_PLAYERS,), Matter.BEGINNING, (found,))
    elif not is_start(message):
        rule = Rule.SETUP_PLAYERS if any(message.stacks) else Rule.SETUP_TILES
        right = due(Start(players), Rulings()).table
        found = Difference("table", right and right._asdict(), msgspec.to_builtins(message))
        yield Departure(line.line, (rule,), Matter.BEGINNING, (found,))


def contradicts(line: LoggedTurn, after: TableMessage) -> Iterator[Departure]:
    """Yield where the table before a turn is not the one after the turn before."""
    before = line.table
    if before is None:
        return
    parts: list[tuple[str, Any, Any]] = [
        ("grill", sorted(after.grill), sorted(before.grill)),
        ("stacks", after.stacks, before.stacks),
    ]
    if UNSET not in (after.player, before.player):
        parts.append(("player", after.player, before.player))
    found = tuple(Difference(*one) for one in parts if one[1] != one[2])
    if found:
        yield Departure(line.line, (), Matter.CONTRADICTION, found)


def hands_over(line: LoggedTurn, script: Script, record: Record) -> Iterator[Departure]:
    """Yield where another player plays than the one who is next, if only this line tells it.

    `script` and `record` are those of the turn before.
    """
    expected = record.position.table
    assert line.table is not None
    came = line.table.player
    if came is not UNSET and came != expected.player and expected.grill:
        found = (Difference("player", expected.player, came),)
        rules = _passing(script.table, record, came)
        yield Departure(line.line, rules, Matter.ORDER, found, script, record)


def of_turn(line: LoggedTurn, script: Script, record: Record, rulings: Rulings) -> Departure | None:
    """Return where a turn departs, if it does."""
    parted = _parted(script, record, rulings)
    if parted is not None:
        matter, likely = parted
        return Departure(line.line, tuple(likely), matter, (), script, record)
    reply = TurnResult(_as_far_as_told(line, script.table), line.over)
    broken = compare.invariant(script, reply, rulings)
    right = compare.parts(of_record(record, rulings).reply)
    found = (broken,) if broken else compare.differences(right, reply)
    if not found:
        return None
    rules = _differing(script, record, line.table_after, found, rulings)
    return Departure(line.line, rules, Matter.OUTCOME, found, script, record)


def ends_too_early(line: Ending, after: TableMessage) -> Iterator[Departure]:
    """Yield where a game ends with face-up tiles on the grill."""
    if line.over and after.grill:
        found = (Difference("grill", [], sorted(after.grill)),)
        yield Departure(line.line, (Rule.ENDING_GRILL_EMPTY,), Matter.END, found)


def of_score(line: Ending, ask: Scoring, right: Score) -> Iterator[Departure]:
    """Yield where worms or winners depart; `right` is what they must be."""
    worms, winners = line.worms, line.winners
    if worms is not None and tuple(worms) != right.worms:
        found = (Difference("worms", list(right.worms), worms),)
        rules = (Rule.ENDING_WORMS_WIN, Rule.SETUP_WORMS)
        yield Departure(line.line, rules, Matter.SCORE, found, stacks=ask.stacks)
    if winners is not None and tuple(sorted(winners)) != right.winners:
        found = (Difference("winners", list(right.winners), sorted(winners)),)
        rule = _winning(right, winners)
        yield Departure(line.line, (rule,), Matter.SCORE, found, stacks=ask.stacks)


def seen_claim(before: Table, stacks: Sequence[Sequence[int]]) -> Claim | None:
    """Return the claim that a single new tile on the player's stack tells of, if any."""
    if len(stacks) != len(before.stacks):
        return None
    own, came = before.own, stacks[before.player]
    if len(came) != len(own) + 1 or tuple(came[:-1]) != own:
        return None
    tile = came[-1]
    for seat, stack in enumerate(before.stacks):
        if seat != before.player and stack[-1:] == (tile,):
            return Steal(seat)
    return Take(tile)


def _parted(script: Script, record: Record, rulings: Rulings) -> tuple[Matter, list[Rule]] | None:
    """Return where a turn and the rules part before its end, and the rules that may be broken."""
    table, kept, rule = script.table, record.set_aside, record.rule
    decided = len(record.trace) == record.rolls_used
    forced = [Rule.ROLLING_FORCED_END] * rolling.forced_end(kept, rulings, BASE)
    claims = game.reach(table, kept, rulings)
    # What an engine may have in mind that ends a turn too early.
    in_vain = [] if claims else [Rule.FAILING_OUT_OF_REACH]
    if record.end is End.DEAD_ROLL and record.left_over:
        face, roll = (
            script.decisions[record.rolls_used - 1].keep,
            script.rolls[record.rolls_used - 1],
        )
        new_face = [Rule.ROLLING_NEW_FACE] * (face is not None and face in roll)
        return Matter.DEAD_ROLL, [*new_face, Rule.FAILING_DEAD_ROLL]
    if record.end is End.UNFINISHED:
        if record.wants == "decision":
            return Matter.NO_DECISION, [Rule.FAILING_DEAD_ROLL, *in_vain]
        if record.wants == "claim":
            offered = reasons.offers(table, kept, claims[0], claims)
            return Matter.NO_CLAIM, [Rule.CLAIMING_STOP_CLAIMS, *offered, *forced]
        if record.rolls_used < len(script.rolls):
            other = Rule.ROLLING_WHOLE_FACE if record.trace else Rule.SETUP_DICE
            return Matter.WRONG_ROLL, [Rule.ROLLING_ALL_DICE, other]
        if script.decisions[-1].then == "stop":
            return Matter.NO_CLAIM, [Rule.ROLLING_STOP_FREELY]
        return Matter.NO_ROLL, [Rule.ROLLING_FORCED_END, *in_vain]
    if record.end is not End.REFUSED:
        return None
    assert rule is not None
    match rule:
        case Rule.ENDING_GRILL_EMPTY:
            return Matter.WRONG_ROLL, [rule]
        case Rule.ROLLING_FORCED_END:
            return Matter.ROLLS_ON, [rule]
        case Rule.ROLLING_STOP_FREELY:
            return Matter.NO_CLAIM, [rule]
    if not decided:
        return Matter.WRONG_CHOICE, [rule]
    total = [Rule.CLAIMING_TOTAL] * (rule in _BY_TOTAL)
    return Matter.WRONG_CLAIM, [rule, *total, *([] if claims else [reasons.without_claim(kept)])]


def _as_far_as_told(line: LoggedTurn, table: Table) -> TableMessage:
    """Return the table after a turn, without face-down tiles that were wrong before it."""
    before, after = line.table, line.table_after
    if before is None or before.face_down is UNSET:
        return after
    if tuple(sorted(before.face_down)) == table.face_down:
        return after
    return msgspec.structs.replace(after, face_down=UNSET)


def _differing(
    script: Script,
    record: Record,
    after: TableMessage,
    found: Sequence[Difference],
    rulings: Rulings,
) -> tuple[Rule, ...]:
    """Return the rules that may be broken where the table after a turn is not as it must be."""
    if len(after.stacks) != len(script.table.stacks):
        return (Rule.SETUP_PLAYERS,)
    if any(one.part == compare.INVARIANT and one.expected == SEAT for one in found):
        return (Rule.SETUP_ORDER,)
    before, right = script.table, record.position.table
    came = _came(after, right)
    parts = {one.part for one in found}
    if len(parts) == 1 and parts <= {"over", "barred"}:
        return (blame.ALONE[parts.pop()],)
    if parts <= {"player", "over", "barred"}:
        return _passing(before, record, came.player)
    if set(before.face_down).difference(came.face_down):
        return (Rule.FAILING_FACE_DOWN_FOR_GOOD,)
    if record.claim is None:
        likely = _failed(before, record, came)
    else:
        likely = _claimed(before, record, came, rulings)
    return tuple(dict.fromkeys(likely))


def _came(after: TableMessage, expected: Table) -> Table:
    """Return the table that came, as it is; what it does not tell is as it must be."""
    named = [*after.grill, *(tile for stack in after.stacks for tile in stack)]
    player = expected.player if after.player is UNSET else after.player
    stacks = tuple(map(tuple, after.stacks))
    return Table(
        tuple(sorted(after.grill)), complement(BASE, named), stacks, player, expected.barred
    )


def _failed(table: Table, record: Record, came: Table) -> list[Rule]:
    """Return the rules of a failed turn that was settled otherwise."""
    expected, player, decides = record.position.table, table.player, record.rule
    own, left = table.own, came.stacks[player]
    dead = record.end is End.DEAD_ROLL
    why = Rule.FAILING_DEAD_ROLL if dead else reasons.without_claim(record.set_aside)
    assert decides is not None
    if _others(came, player) != _others(table, player) and left == expected.stacks[player]:
        return [Rule.FAILING_PASSES]
    if len(left) > len(own):
        claim = seen_claim(table, came.stacks)
        if claim is None or dead:
            return [why]
        return [reasons.forbids(table, record.set_aside, claim), why]
    if left != expected.stacks[player]:
        costs_nothing = came.stacks == table.stacks and came.grill == table.grill
        return [Rule.FAILING_RETURN_TOP, *[decides, why] * costs_nothing]
    lost = own and own[-1] in expected.grill and own[-1] not in came.grill
    if lost and decides is not Rule.FAILING_RETURNED_HIGHEST:
        return [Rule.FAILING_RETURN_TOP]
    return [decides]


def _claimed(table: Table, record: Record, came: Table, rulings: Rulings) -> list[Rule]:
    """Return the rules of a claim that was settled otherwise."""
    expected, player = record.position.table, table.player
    claim, kept = record.claim, record.set_aside
    assert claim is not None
    own, left = table.own, came.stacks[player]
    if left == expected.stacks[player]:
        if isinstance(claim, Steal):
            if came.stacks[claim.player] != expected.stacks[claim.player]:
                return [Rule.STEALING_UNCOVERS]
            if came.grill != expected.grill:
                return [Rule.ENDING_STEAL_NEVER_ENDS, Rule.CLAIMING_ONE_TILE]
        return [Rule.CLAIMING_ONE_TILE, Rule.CLAIMING_STOP_CLAIMS]
    other = seen_claim(table, came.stacks)
    if other is not None:
        legal = other in record.claims
        return [Rule.CLAIMING_STOP_CLAIMS if legal else reasons.forbids(table, kept, other)]
    if len(left) > len(own):
        several = len(left) > len(own) + 1 and isinstance(claim, Steal)
        return [Rule.STEALING_UNCOVERS if several else Rule.CLAIMING_ONE_TILE]
    offered = reasons.offers(table, kept, claim, record.claims)
    if _vanished(table, came, claim):
        return [Rule.CLAIMING_ONE_TILE, *offered]
    # Nothing was claimed. What the position brings in, such as a total above every tile, tells
    # more than the first rule that offers the claim.
    first, *more = offered
    ranked = sorted([*more, first], key=lambda rule: rule is Rule.STEALING_OPTIONAL)
    forced = rolling.forced_end(kept, rulings, BASE)
    return [*ranked, *[Rule.ROLLING_FORCED_END] * forced, Rule.CLAIMING_STOP_CLAIMS]


def _vanished(table: Table, came: Table, claim: Claim) -> bool:
    """Whether the tile claimed has left its place, and is on no stack."""
    tile = claim.tile if isinstance(claim, Take) else table.stacks[claim.player][-1]
    return tile in came.face_down and len(came.face_down) > len(table.face_down)


def _passing(table: Table, record: Record, came: int) -> tuple[Rule, ...]:
    """Return the rules that may be broken where the dice go to this player."""
    if record.end is End.CLAIM:
        return (Rule.SETUP_ORDER,)
    if came == table.player:
        return (Rule.FAILING_PASSES, Rule.SETUP_ORDER)
    return (Rule.SETUP_ORDER, Rule.FAILING_PASSES)


def _winning(right: Score, winners: Sequence[int]) -> Rule:
    """Return the rule that may be broken where others are said to win."""
    if not any(right.worms):
        return Rule.ENDING_NOBODY
    most = max(right.worms)
    tied = {player for player, worms in enumerate(right.worms) if worms == most}
    among_them = bool(winners) and tied.issuperset(winners)
    return Rule.ENDING_TIE_BREAK if among_them else Rule.ENDING_WORMS_WIN


def _others(table: Table, player: int) -> Stacks:
    return table.stacks[:player] + table.stacks[player + 1 :]
