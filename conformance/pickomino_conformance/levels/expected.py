"""What must come of a scripted turn, and how an engine's answer is held against it."""

from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import astuple

from pickomino_conformance import blame, sentences
from pickomino_conformance.cases import (
    VERDICTS,
    Departure,
    Exchange,
    Outcome,
    Script,
    Verdict,
)
from pickomino_conformance.engines.session import Reply
from pickomino_conformance.protocol import ErrorMessage, Step, TurnResult
from pickomino_conformance.subject import (
    Answered,
    Subject,
    describe_differences,
    differences,
    require_possible,
    require_result,
)
from pickomino_conformance.tables import read_claim
from pickomino_reference import (
    BASE,
    Position,
    Roll,
    Rule,
    Rulings,
    SetAside,
    Stop,
    Table,
    claiming,
    legal,
    play,
    rolling,
)


class Expected(NamedTuple):
    """A scripted turn, and what must come of it.

    Attributes:
        script: the turn.
        table: the table after it.
        rule: the rule that decides last: what is claimed, or what a failure turns over.
        why: the rule by which the turn has failed; none if something is claimed.
        trace: what each decision leaves.
    """

    script: Script
    table: Table
    rule: Rule
    why: Rule | None
    trace: tuple[Step, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules for which the turn counts if it is played rightly."""
        return (str(self.rule),) if self.why is None else (str(self.why), str(self.rule))


def play_out(script: Script, rulings: Rulings) -> Expected:
    """Return what must come of a turn that is legal and whole.

    Raises:
        Refused: it is not legal.
        ValueError: it is not whole, or goes on after its end.
    """
    position, trace, kept = Position(script.table), list[Step](), ""
    decisions = iter(script.decisions)
    for number, roll in enumerate(script.rolls, start=1):
        position = play(position, Roll(roll), rulings)
        last = number == len(script.rolls)
        if position.table is not script.table:
            if not last or next(decisions, None) is not None:
                raise ValueError("the turn goes on after a dead roll")
            why = blame.why_failed(kept, dead=True, forced=False)
            return _failed(script, position.table, why, trace, rulings)
        decision = next(decisions, None)
        if decision is None or decision.keep is None or (decision.then == "stop") is not last:
            raise ValueError("the turn does not end where its dice do")
        kept = rolling.whole_face(kept, roll, decision.keep)
        position = play(position, SetAside(decision.keep), rulings)
        trace.append(Step(kept, rolling.all_dice(kept, BASE), claiming.total(kept, BASE)))
    forced = rolling.forced_end(kept, rulings, BASE)
    if position.table is not script.table:
        why = blame.why_failed(kept, dead=False, forced=True)
        return _failed(script, position.table, why, trace, rulings)
    claim = script.decisions[-1].claim
    if not claim:
        table = play(position, Stop(), rulings).table
        why = blame.why_failed(kept, dead=False, forced=forced)
        return _failed(script, table, why, trace, rulings)
    made = read_claim(claim)
    rule = blame.chosen(kept, made, legal(position, rulings).claims)
    return Expected(script, play(position, made, rulings).table, rule, None, tuple(trace))


def _failed(
    script: Script, table: Table, why: Rule, trace: list[Step], rulings: Rulings
) -> Expected:
    return Expected(script, table, blame.failed(script.table, rulings), why, tuple(trace))


class Finding(NamedTuple):
    """What came of a turn.

    Attributes:
        verdict: what came of it.
        rules: those that it counts for.
        message: what was expected and what came; empty for a pass.
    """

    verdict: Verdict
    rules: tuple[str, ...]
    message: str = ""


def judge(subject: Subject, expected: Expected, answered: Answered) -> Finding:
    """Return what came of a turn that was asked."""
    rule = expected.rule
    try:
        reply = answered.required()
        rule = _decides(expected, reply)
        require_result(reply)
        assert isinstance(reply, TurnResult)
        require_possible(expected.script.table, reply.table)
        found = compare(subject, expected, reply, one_more=_one_more(expected, answered))
        if found:
            rule = blame.differing(rule, found)
            raise Departure(describe_differences(found))
    except tuple(VERDICTS) as failure:
        return Finding(VERDICTS[type(failure)], (str(rule),), str(failure))
    return Finding(Verdict.PASS, subject.shows(expected.rules))


def compare(
    subject: Subject, expected: Expected, answer: TurnResult, *, one_more: bool = False
) -> dict[str, tuple[str, str]]:
    """Return what differs, by the part of the answer; its table must be a possible one.

    `one_more` says that the turn was asked with a dead roll more, which may be counted or not.
    """
    if subject.chose_itself(expected.script, answer):
        return {}
    found = differences(expected.table, answer, subject.rulings)
    used, rolls = answer.rolls_used, len(expected.script.rolls)
    if used is not UNSET and used not in (rolls, rolls + one_more):
        found["rolls_used"] = (f"{rolls} rolls used", f"{used} rolls used")
    if answer.trace is not UNSET and answer.trace:
        came = [(rolling.sort_dice(step.kept), step.dice, step.total) for step in answer.trace]
        right = [astuple(step) for step in expected.trace]
        if came != right:
            alike = [step[:2] for step in came] == [step[:2] for step in right]
            part = "total" if alike else "trace"
            found[part] = (f"trace {_told(right)}", f"trace {_told(came)}")
    return found


def outcome(
    name: str, level: str, expected: Expected, finding: Finding, exchanges: tuple[Exchange, ...]
) -> Outcome:
    """Return the outcome of a case that is one turn."""
    script = expected.script
    told = f"{sentences.table(script.table)}. {sentences.turn(script)}. {finding.message}"
    message = told if finding.message else ""
    return Outcome(name, level, finding.rules, finding.verdict, message, exchanges)


def _decides(expected: Expected, reply: Reply) -> Rule:
    """Return the rule to blame if the answer is wrong.

    A failed turn that is paid out, refused or not ended breaks the rule by which it fails; one
    that leaves the player's top tile where it was, the rule by which that goes back.
    """
    if expected.why is None:
        return expected.rule
    if isinstance(reply, ErrorMessage):
        return expected.why
    before = expected.script.table
    if not isinstance(reply, TurnResult) or len(reply.table.stacks) != len(before.stacks):
        return expected.rule
    own, came = before.stacks[before.player], tuple(reply.table.stacks[before.player])
    if len(came) > len(own):
        return expected.why
    return expected.rule if came == own[:-1] else Rule.FAILING_RETURN_TOP


def _one_more(expected: Expected, answered: Answered) -> bool:
    """Whether the turn was asked with a dead roll more."""
    return len(answered.script.rolls) > len(expected.script.rolls)


def _told(steps: list[tuple[str, int, int]]) -> str:
    return ", ".join(f"{kept}: {dice} left, total {total}" for kept, dice, total in steps)
