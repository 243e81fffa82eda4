"""The oracle: what the reference answers, which is what must come.

One function for all who need it: the reference as an engine, the comparison, the diagnosis (which
plants faults in the reference before it asks), the referee and the vectors.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from pickomino_conformance.protocol.messages import (
    MALFORMED,
    MISFIT,
    REFUSED,
    ErrorData,
    ErrorMessage,
    LegalResult,
    Result,
    ScoreResult,
    StartResult,
    TurnResult,
    encode,
)
from pickomino_conformance.protocol.translate import (
    Ask,
    Scoring,
    Settling,
    Start,
    claim_message,
    step_message,
    table_message,
)
from pickomino_reference import (
    BASE,
    Claim,
    Decision,
    End,
    Position,
    Record,
    Refused,
    Rule,
    Rulings,
    Script,
    Stop,
    Table,
    Turn,
    ending,
    failing,
    game,
    play_turn,
    reasons,
    rolling,
)
from pickomino_reference.turn import Step


class Due(NamedTuple):
    """What must come of a request.

    Attributes:
        reply: the reply.
        record: what became of the turn, if one was asked.
        table: the table that lies there afterwards, if the reply tells one.
    """

    reply: Result | ErrorMessage
    record: Record | None = None
    table: Table | None = None


def due(ask: Ask, rulings: Rulings) -> Due:
    """Return what must come of a request under these rulings."""
    match ask:
        case Script():
            return of_record(play_turn(ask, rulings), rulings)
        case Start(players):
            try:
                table = game.start(players)
            except Refused as refused:
                return Due(refusal(refused.rule))
            return Due(StartResult(table_message(table, rulings)), table=table)
        case Scoring(stacks):
            worms, winners = game.score(stacks, rulings)
            return Due(ScoreResult(list(worms), list(winners)))
        case Position(table, turn):
            return Due(_legal(table, turn, rulings))
        case Settling():
            return _settle(ask, rulings)


def of_record(record: Record, rulings: Rulings) -> Due:
    """Return the reply to a turn that was played."""
    table = record.position.table
    if record.end is End.REFUSED:
        assert record.rule is not None
        return Due(refusal(record.rule), record)
    if record.end is End.UNFINISHED:
        return Due(_misfit(record), record)
    trace = [step_message(step) for step in record.trace]
    reply = TurnResult(
        table_message(table, rulings), ending.grill_empty(table), record.rolls_used, trace
    )
    return Due(reply, record, table)


def refusal(rule: Rule) -> ErrorMessage:
    """Return the reply to what a rule forbids."""
    data = msgspec.Raw(encode(ErrorData(rule=str(rule))))
    return ErrorMessage(REFUSED, f"forbidden by {rule}", data)


def others(ask: Ask, right: Due, rulings: Rulings, *, chooses: bool) -> Iterator[Due]:
    """Yield what will do as well as the right reply.

    Where the engine chooses its claims itself (`chooses` is false), any legal claim; where a
    player rolls on at a forced end, the result of that end; where the script has something left
    over, that it does not fit.
    """
    record = right.record
    if not isinstance(ask, Script) or record is None:
        return
    if record.left_over:
        yield Due(ErrorMessage(MISFIT), record)
    if record.end is End.CLAIM and not chooses:
        yield from _with_claims(ask, record, record.claims, rulings)
    last = ask.decisions[-1] if ask.decisions else Decision(None, "stop")
    rolls_on = record.rule is Rule.ROLLING_FORCED_END and last.then == "roll"
    # It can't be told what to claim, and so it can't refuse that.
    claims_itself = record.end is End.REFUSED and not chooses and last.claim is not None
    if rolls_on or claims_itself:
        claims = game.reach(ask.table, record.set_aside, rulings)
        yield from _with_claims(ask, record, claims or (None,), rulings)


def _with_claims(
    ask: Script, record: Record, claims: tuple[Claim | None, ...], rulings: Rulings
) -> Iterator[Due]:
    """Yield what comes of the same turn ended by each of these claims."""
    place = len(record.trace) - 1
    for claim in claims:
        if claim != ask.decisions[place].claim or ask.decisions[place].then == "roll":
            last = Decision(ask.decisions[place].keep, "stop", claim)
            other = ask._replace(decisions=(*ask.decisions[:place], last))
            yield of_record(play_turn(other, rulings), rulings)


def _legal(table: Table, turn: Turn, rulings: Rulings) -> LegalResult | ErrorMessage:
    left = rolling.all_dice(turn.set_aside, BASE)
    if turn.rolled and len(turn.rolled) != left:
        aside = len(turn.set_aside)
        said = f"with {aside} dice set aside a roll has {left}, not {len(turn.rolled)}"
        return ErrorMessage(MALFORMED, said)
    options = game.legal(Position(table, turn), rulings)
    claims = list(map(claim_message, options.claims))
    return LegalResult(options.faces, options.roll, options.stop, claims)


def _settle(ask: Settling, rulings: Rulings) -> Due:
    table, kept, claim, dead = ask
    if ending.grill_empty(table):
        return Due(refusal(Rule.ENDING_GRILL_EMPTY))
    if kept == "":
        return Due(ErrorMessage(MALFORMED, "no turn ends before a face was set aside"))
    if dead and (claim is not None or rolling.forced_end(kept, rulings, BASE)):
        said = "a dead roll claims nothing" if claim else f"after {kept!r} no roll can follow"
        return Due(ErrorMessage(MALFORMED, said))
    step = Step(kept, rolling.all_dice(kept, BASE), 0)
    position = Position(table, Turn(kept))
    record = Record(position, (step,), rule=reasons.decides_failure(table, rulings))
    claims = game.reach(table, kept, rulings)
    if dead:
        after = failing.failed_turn(table, rulings)
        record = record._replace(end=End.DEAD_ROLL, why=Rule.FAILING_DEAD_ROLL)
    elif claim is None and claims:
        unfinished = record._replace(end=End.UNFINISHED, claims=claims, wants="claim")
        return Due(_misfit(unfinished), unfinished)
    else:
        try:
            after = game.play(position, claim or Stop(), rulings).table
        except Refused as refused:
            return Due(refusal(refused.rule), record._replace(end=End.REFUSED, rule=refused.rule))
        if claim is None:
            record = record._replace(end=End.STOP, why=reasons.without_claim(kept))
        else:
            rule = reasons.decides_claim(table, kept, claim, claims)
            record = record._replace(end=End.CLAIM, rule=rule, claims=claims, claim=claim)
    reply = TurnResult(table_message(after, rulings), ending.grill_empty(after))
    return Due(reply, record._replace(position=Position(after)), after)


def _misfit(record: Record) -> ErrorMessage:
    wants, used = record.wants, record.rolls_used
    dice = rolling.all_dice(record.set_aside, BASE)
    offers = list(map(claim_message, record.claims)) or UNSET
    data = ErrorData(after_rolls=used, wants=wants, dice=dice, offers=offers)
    said = f"after {used} rolls the turn wants a {wants}"
    return ErrorMessage(MISFIT, said, msgspec.Raw(encode(data)))
