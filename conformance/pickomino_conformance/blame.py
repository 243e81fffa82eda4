"""Blame: which rule decided an answer, and so is broken if the answer is wrong."""

from collections.abc import Collection

from pickomino_conformance.cases import Judgement, Unanswered, Verdict, require_answer, unanswered
from pickomino_conformance.compare import Difference
from pickomino_conformance.engine import Answered, EngineUnderTest
from pickomino_conformance.oracle import Due, due
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.messages import ErrorMessage, LegalResult, TurnResult
from pickomino_conformance.protocol.translate import Ask, Scoring, Settling, Start, read_claim
from pickomino_reference import (
    Options,
    Position,
    Rule,
    Rulings,
    Script,
    Table,
    game,
    reasons,
    score,
)

# What an answer gets wrong although nothing else in it is: the rule that is broken then.
ALONE = {
    "player": Rule.FAILING_PASSES,
    "over": Rule.ENDING_GRILL_EMPTY,
    "barred": Rule.STEALING_STEAL_BACK,
    "rolls_used": Rule.ROLLING_FORCED_END,
    "trace": Rule.ROLLING_WHOLE_FACE,
    "totals": Rule.CLAIMING_TOTAL,
}


def shown(right: Due) -> tuple[str, ...]:
    """Return the rules for which a turn counts that is played rightly."""
    record = right.record
    assert record is not None
    found = (record.why, record.rule)
    return tuple(str(rule) for rule in found if rule is not None)


def judge(engine: EngineUnderTest, script: Script, answered: Answered) -> Judgement:
    """Return what came of a turn that was asked."""
    right = due(script, engine.rulings)
    rules = shown(right)
    try:
        reply = answered.required()
        require_answer(reply)
    except Unanswered as why:
        return unanswered(why, rules[-1:])
    found = engine.compare(script, reply, right)
    if len(answered.script.rolls) > len(script.rolls):
        # It was asked with a dead roll more, which may be counted or not.
        found = tuple(one for one in found if one.part != "rolls_used")
    if found:
        rule = blamed(script, right, reply, found, engine.rulings)
        return Judgement(Verdict.FAIL, (str(rule),), found)
    return Judgement(Verdict.PASS, engine.shows(rules))


def judge_one(engine: EngineUnderTest, ask: Ask, reply: Reply, rules: tuple[str, ...]) -> Judgement:
    """Return what came of any other request, which counts for these rules if it is right."""
    try:
        require_answer(reply)
    except Unanswered as why:
        return unanswered(why, rules)
    right = due(ask, engine.rulings)
    found = engine.compare(ask, reply, right)
    if not found:
        return Judgement(Verdict.PASS, rules)
    rule = blamed(ask, right, reply, found, engine.rulings)
    return Judgement(Verdict.FAIL, (str(rule),), found)


def blamed(
    ask: Ask, right: Due, reply: Reply, found: Collection[Difference], rulings: Rulings
) -> Rule:
    """Return the rule that is broken where an answer departs in this way."""
    match ask:
        case Start():
            return Rule.SETUP_PLAYERS if isinstance(right.reply, ErrorMessage) else Rule.SETUP_TILES
        case Scoring(stacks):
            return _of_score(stacks, found, rulings)
        case Position(table, turn):
            return _of_legal(Position(table, turn), reply, rulings)
        case Script(table=table) | Settling(table=table):
            return _of_turn(table, right, reply, found)


def _of_turn(table: Table, right: Due, reply: Reply, found: Collection[Difference]) -> Rule:
    record = right.record
    assert record is not None
    assert record.rule is not None
    alone = [ALONE.get(one.part) for one in found]
    if len(alone) == 1 and alone[0] is not None:
        return alone[0]
    if record.why is None:
        return record.rule
    # A failed turn that is paid out, refused or not ended breaks the rule by which it fails; one
    # that leaves the player's top tile where it was, the rule by which that goes back.
    if isinstance(reply, ErrorMessage):
        return record.why
    if not isinstance(reply, TurnResult) or len(reply.table.stacks) != len(table.stacks):
        return record.rule
    came = tuple(reply.table.stacks[table.player])
    if len(came) > len(table.own):
        return record.why
    return record.rule if came == table.own[:-1] else Rule.FAILING_RETURN_TOP


def _of_score(
    stacks: tuple[tuple[int, ...], ...], found: Collection[Difference], rulings: Rulings
) -> Rule:
    worms, _ = score(stacks, rulings)
    if not any(stacks):
        return Rule.ENDING_NOBODY
    tie = worms.count(max(worms)) > 1 and "worms" not in {one.part for one in found}
    return Rule.ENDING_TIE_BREAK if tie else Rule.ENDING_WORMS_WIN


def _of_legal(position: Position, reply: Reply, rulings: Rulings) -> Rule:
    """Return the rule that is broken where an engine allows something else than it must."""
    expected = game.legal(position, rulings)
    if not isinstance(reply, LegalResult):
        return Rule.ROLLING_CHOOSE_A_FACE
    claims = tuple(map(read_claim, reply.claims))
    return offered(position, expected, Options(reply.keep, reply.roll, reply.stop, claims))


def offered(position: Position, expected: Options, came: Options) -> Rule:
    """Return the rule that is broken where what came is offered instead."""
    table, (kept, rolled) = position
    if set(expected.faces) != set(came.faces):
        return Rule.ROLLING_NEW_FACE if rolled else Rule.ROLLING_CHOOSE_A_FACE
    for claim in expected.claims:
        if claim not in came.claims:
            return reasons.decides_claim(table, kept, claim, expected.claims)
    for claim in came.claims:
        if claim not in expected.claims:
            return reasons.forbids(table, kept, claim)
    if rolled or not kept:
        return Rule.ROLLING_CHOOSE_A_FACE
    if expected.roll is not came.roll or not expected.roll:
        return Rule.ROLLING_FORCED_END
    return Rule.CLAIMING_STOP_CLAIMS if expected.claims else Rule.ROLLING_STOP_FREELY
