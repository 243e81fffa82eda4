"""Where a turn, or the end of a game, departs from the rules."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from pickomino_conformance import cases, sentences, subject
from pickomino_conformance.protocol import Decision, TableMessage, TurnResult
from pickomino_conformance.referee import blaming
from pickomino_conformance.referee.following import Followed, Script
from pickomino_conformance.referee.log import Ending, LoggedTurn, MalformedLog
from pickomino_conformance.tables import claim_message, complement, read_claim
from pickomino_reference import BASE, Claim, Rule, Rulings, Score, Steal, Table


class Departure(NamedTuple):
    """Where a log departs from the rules.

    Attributes:
        line: the line of the log.
        rules: the rule that is broken, then others that could be broken instead; none if the
            log contradicts itself.
        message: what was played, what was expected and what came.
        faults: what the diagnosis explains it by; then `rules` are those of the faults.
    """

    line: int
    rules: tuple[Rule, ...]
    message: str
    faults: tuple[str, ...] = ()

    @property
    def broken(self) -> tuple[Rule, ...]:
        """The rules that are broken: all of an explanation, else the likeliest one."""
        return self.rules if self.faults else self.rules[:1]


def read_script(line: LoggedTurn, table: Table) -> Script:
    """Return what was rolled and decided; a claim that is not told is seen from the stacks.

    Raises:
        MalformedLog: a claim names a player who isn't there.
    """
    last = line.decisions[-1] if line.decisions else None
    if last is None or last.then != "stop" or last.claim is None:
        return Script(line.rolls, line.decisions, None, claim_told=True)
    if last.claim is UNSET:
        claim = _seen(line, table)
        return Script(line.rolls, line.decisions, claim, claim_told=False)
    claim = read_claim(last.claim)
    if isinstance(claim, Steal) and claim.player >= len(table.stacks):
        raise MalformedLog(
            f"line {line.line}: the claim steals from player {claim.player}, but there are "
            f"{len(table.stacks)} stacks."
        )
    return Script(line.rolls, line.decisions, claim, claim_told=True)


def of_turn(
    line: LoggedTurn, followed: Followed, script: Script, rulings: Rulings
) -> Departure | None:
    """Return where a turn departs, if it does.

    Raises:
        MalformedLog: the log lacks the decision by which the turn ended.
    """
    table, after, parted = followed.table, line.table_after, followed.parted
    turn = cases.Script(table, tuple(line.rolls), decisions(line, followed, script))
    played = f"{_capital(sentences.table(table))}. {_capital(sentences.turn(turn))}."
    if parted is not None:
        if parted.too_early:
            _require_decision(line, table)
        return Departure(line.line, parted.rules, f"{played} {_capital(parted.told)}.")
    seats = len(after.stacks)
    if seats == len(table.stacks) and after.player is not UNSET and after.player >= seats:
        words = f"Came: player {after.player} is next, of {seats}."
        return Departure(line.line, (Rule.SETUP_ORDER,), f"{played} {words}")
    try:
        subject.require_possible(table, _as_far_as_told(line, table))
    except cases.Departure as impossible:
        if len(after.stacks) != len(table.stacks):
            return Departure(line.line, (Rule.SETUP_PLAYERS,), f"{played} {impossible}")
        rules = blaming.differing(followed, _came(after, followed), {"grill"}, rulings)
        return Departure(line.line, rules, f"{played} {impossible}")
    answer = TurnResult(table=after, over=line.over)
    found = subject.differences(followed.after, answer, rulings)
    if not found:
        return None
    rules = blaming.differing(followed, _came(after, followed), set(found), rulings)
    return Departure(line.line, rules, f"{played} {subject.describe_differences(found)}")


def too_early(line: Ending, after: TableMessage) -> Iterator[Departure]:
    """Yield where a game ends with face-up tiles on the grill."""
    if line.over and after.grill:
        words = f"The game ends. Expected: it goes on, with grill {sentences.tiles(after.grill)}."
        yield Departure(line.line, (Rule.ENDING_GRILL_EMPTY,), words)


def of_score(line: Ending, after: TableMessage, right: Score) -> Iterator[Departure]:
    """Yield where worms or winners depart; `right` is what they must be."""
    owned = "; ".join(
        f"{sentences.player(seat)} owns {sentences.stack(stack)}"
        for seat, stack in enumerate(after.stacks)
    )
    owned = f"{_capital(owned)}."
    if line.worms is not None and tuple(line.worms) != right.worms:
        words = f"Expected: worms {_numbers(right.worms)}. Came: worms {_numbers(line.worms)}."
        rules = (Rule.ENDING_WORMS_WIN, Rule.SETUP_WORMS)
        yield Departure(line.line, rules, f"{owned} {words}")
    if line.winners is not None and tuple(sorted(line.winners)) != right.winners:
        expected, came = (_players(winners) for winners in (right.winners, line.winners))
        words = f"Expected: won by {expected}. Came: won by {came}."
        yield Departure(line.line, blaming.winning(right, line.winners), f"{owned} {words}")


def decisions(line: LoggedTurn, followed: Followed, script: Script) -> tuple[Decision, ...]:
    """Return the decisions of a turn, with the claim that the log leaves to be seen."""
    claim = followed.claim or script.claim
    if script.claim_told or claim is None:
        return tuple(line.decisions)
    last = msgspec.structs.replace(line.decisions[-1], claim=claim_message(claim))
    return (*line.decisions[:-1], last)


def _seen(line: LoggedTurn, table: Table) -> Claim | None:
    if len(line.table_after.stacks) != len(table.stacks):
        return None
    return blaming.seen_claim(table, line.table_after.stacks)


def _require_decision(line: LoggedTurn, table: Table) -> None:
    """Raise if a tile was claimed although no decision stops."""
    seen = _seen(line, table)
    if seen is not None:
        raise MalformedLog(
            f"line {line.line}: the last decision is missing. {sentences.player(table.player)} "
            f"{sentences.claim(claim_message(seen))}, and no decision stops. (A stop with nothing "
            'set aside from the last roll is {"keep": null, "then": "stop"}.)'
        )


def _as_far_as_told(line: LoggedTurn, table: Table) -> TableMessage:
    """Return the table after a turn, without face-down tiles that were wrong before it."""
    before, after = line.table, line.table_after
    if before is None or before.face_down is UNSET:
        return after
    if tuple(sorted(before.face_down)) == table.face_down:
        return after
    return msgspec.structs.replace(after, face_down=UNSET)


def _came(after: TableMessage, followed: Followed) -> Table:
    """Return the table that came, as it is; what it does not tell is as it must be."""
    expected = followed.after
    named = [*after.grill, *(tile for stack in after.stacks for tile in stack)]
    player = expected.player if after.player is UNSET else after.player
    stacks = tuple(map(tuple, after.stacks))
    down = complement(BASE, named)
    return Table(tuple(sorted(after.grill)), down, stacks, player, expected.barred)


def _numbers(numbers: tuple[int, ...] | list[int]) -> str:
    return " ".join(map(str, numbers))


def _players(numbers: tuple[int, ...] | list[int]) -> str:
    return " and ".join(sentences.player(number) for number in sorted(numbers)) or "nobody"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
