"""Level `smoke`: does the adapter speak the protocol, and do dice and tables arrive as sent?

A probe for each root cause that would poison everything else. A failed probe counts against
the rules it is tagged with; what it poisons is not asked any more.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pickomino_conformance import sentences
from pickomino_conformance.cases import (
    VERDICTS,
    Departure,
    Outcome,
    Script,
    Verdict,
)
from pickomino_conformance.engines.session import Reply
from pickomino_conformance.protocol import (
    MISFIT,
    REFUSED,
    ClaimMessage,
    Decision,
    ErrorMessage,
    TurnResult,
)
from pickomino_conformance.subject import Asked, Subject, require_possible, require_result
from pickomino_reference import Rule, Table, start


@dataclass(frozen=True, slots=True)
class Probe:
    """One question.

    Attributes:
        name: what must hold, in a few words; its id in reports.
        rules: the rules that are broken if it does not.
        script: the turn that is asked.
        following: the turns after it, each on the table that the engine answered last, told by
            null; the answer to the last one is looked at.
        passes: whether the table that came answers the question well.
        expected: what must come, in words.
        poisons: whether a failure makes another turn meaningless.
        poisons_following: whether a failure makes every turn after another one meaningless.
        lesson: what an adapter's author should look at.
        roots: the rules that may have been broken to make it fail; their scenarios are asked all
            the same.
        any_answer: whether a refusal, or a script that does not fit, will do as well.
    """

    name: str
    rules: tuple[Rule, ...]
    script: Script
    passes: Callable[[TurnResult], bool]
    expected: str
    poisons: Callable[[Script], bool]
    lesson: str
    roots: tuple[Rule, ...] = ()
    any_answer: bool = False
    following: tuple[Script, ...] = ()
    poisons_following: bool = False

    @property
    def scripts(self) -> tuple[Script, ...]:
        """All its turns, in order."""
        return (self.script, *self.following)


def _turn(table: Table, *rows: tuple[str, str], take: int) -> Script:
    """Return a turn that sets aside a face a roll and takes a tile in the end."""
    *on, (_, last) = rows
    decisions = [Decision(keep=face, then="roll") for _, face in on]
    decisions.append(Decision(keep=last, then="stop", claim=ClaimMessage(take=take)))
    return Script(table, tuple(roll for roll, _ in rows), tuple(decisions))


def _took(seat: int, *stack: int) -> Callable[[TurnResult], bool]:
    """Return whether this player's stack came back so, and its top tile left the grill."""
    return lambda answer: (
        tuple(answer.table.stacks[seat]) == stack and stack[-1] not in answer.table.grill
    )


_START = start(2)
_OWNED = _START._replace(grill=(21, 23, *range(25, 37)), stacks=((22,), (24,)))

PROBES = (
    Probe(
        name="every-turn-is-answered",
        rules=(Rule.SETUP_TILES,),
        script=_turn(_START, ("11234WWW", "W"), ("12344", "4"), take=23),
        passes=lambda _: True,
        expected="a turn is answered, if with a table, then with one that can be",
        poisons=lambda _: True,
        lesson=(
            "This is the plainest turn there is: three worms, then two 4s, stop, take the 23. "
            "Answer it with a result that holds the table after the turn. "
            "Any answer of the protocol passes this probe; this is none. "
            "Players are numbered from 0, in every table."
        ),
        any_answer=True,
    ),
    Probe(
        name="an-exact-tile-is-taken",
        rules=(Rule.CLAIMING_EXACT, Rule.CLAIMING_TOTAL),
        script=_turn(_START, ("11234WWW", "W"), ("12344", "4"), take=23),
        passes=_took(0, 23),
        expected="player 0 owns the 23, and it has left the grill",
        poisons=lambda script: any(decision.claim for decision in script.decisions),
        lesson=(
            "Three worms and two 4s are 23. Look at how dice and the claim reach the engine, "
            "and at how grill and stacks come back."
        ),
        roots=(
            Rule.SETUP_DICE,
            Rule.ROLLING_ALL_DICE,
            Rule.ROLLING_WHOLE_FACE,
            Rule.CLAIMING_STOP_CLAIMS,
            Rule.CLAIMING_ONE_TILE,
        ),
    ),
    Probe(
        name="five-is-not-a-worm",
        rules=(Rule.ROLLING_NEW_FACE,),
        script=_turn(_START, ("1123455W", "5"), ("12344W", "W"), ("12344", "4"), take=23),
        passes=_took(0, 23),
        expected="5s and then a worm are set aside as two faces, and player 0 takes the 23",
        poisons=lambda script: "5" in script.set_aside and "W" in script.set_aside,
        lesson=(
            "A worm counts five, but it is a face of its own. Look at how the adapter maps "
            "the faces 5 and W."
        ),
        roots=(Rule.ROLLING_WHOLE_FACE,),
    ),
    Probe(
        name="eight-dice-settle",
        rules=(Rule.ROLLING_FORCED_END,),
        script=_turn(_START, ("1113WWWW", "W"), ("1113", "1"), ("3", "3"), take=26),
        passes=_took(0, 26),
        expected="a turn that sets aside all eight dice ends, and player 0 takes the 26",
        poisons=lambda script: len(script.set_aside) == 8,
        lesson=(
            "With all dice set aside there is nothing left to roll: `stop` then means that the "
            "engine settles the turn by whatever move is left."
        ),
    ),
    Probe(
        name="stacks-run-bottom-to-top",
        rules=(Rule.CLAIMING_ONE_TILE,),
        script=_turn(_OWNED, ("11234WWW", "W"), ("12344", "4"), take=23),
        passes=_took(0, 22, 23),
        expected="the 23 comes on top of the 22: player 0 owns 22 23",
        poisons=lambda script: any(len(stack) > 1 for stack in script.table.stacks),
        lesson="A stack is listed from bottom to top: the newest tile comes last.",
    ),
    Probe(
        name="a-null-table-goes-on",
        rules=(Rule.SETUP_TILES,),
        script=_turn(_START, ("11234WWW", "W"), ("12344", "4"), take=23),
        following=(_turn(_START._replace(player=1), ("11234WWW", "W"), ("12333", "3"), take=24),),
        passes=lambda answer: answer.table.stacks == [[23], [24]],
        expected="the second turn goes on with the table of the first: player 0 owns 23, "
        "player 1 owns 24",
        poisons=lambda _: False,
        lesson=(
            "The second turn is sent with `table` null. That means: the table that the last "
            "`start` or `turn` answered, so the adapter must keep it."
        ),
        poisons_following=True,
    ),
)


def _is_answer(reply: Reply) -> bool:
    """Whether the engine refused, or the script did not fit: that is an answer, too."""
    return isinstance(reply, ErrorMessage) and reply.code in (REFUSED, MISFIT)


def _judge(probe: Probe, asked: Asked) -> None:
    reply = asked.reply
    require_result(reply)
    assert isinstance(reply, TurnResult)
    require_possible(asked.script.table, reply.table)
    if not probe.passes(reply):
        raise Departure(f"Expected: {probe.expected}. Came: {sentences.table(reply.table)}.")


def ask(subject: Subject, probe: Probe) -> Outcome:
    """Return what came of a probe."""
    verdict, message = Verdict.PASS, ""
    subject.exchanges.clear()
    try:
        asked = subject.ask(*probe.scripts, rules=probe.rules)
        if not (probe.any_answer and _is_answer(asked.reply)):
            _judge(probe, asked)
    except tuple(VERDICTS) as failure:
        verdict = VERDICTS[type(failure)]
        message = str(failure)
        if verdict in (Verdict.FAIL, Verdict.ERROR):
            message = _message(probe, message)
    return Outcome(
        id=f"smoke/{probe.name}",
        level="smoke",
        rules=tuple(map(str, probe.rules)),
        verdict=verdict,
        message=message,
        exchanges=tuple(subject.exchanges),
    )


def run(subject: Subject) -> Iterator[Outcome]:
    """Yield the outcome of every probe; what a failed one poisons is not asked."""
    failed: list[Probe] = []
    for probe in PROBES:
        poison = any_poisoned(probe.scripts, (), failed)
        if poison is not None:
            yield Outcome(
                f"smoke/{probe.name}",
                "smoke",
                tuple(map(str, probe.rules)),
                Verdict.NOT_REACHED,
                poison,
            )
            continue
        outcome = ask(subject, probe)
        if outcome.verdict in (Verdict.FAIL, Verdict.ERROR):
            failed.append(probe)
        yield outcome


def any_poisoned(
    scripts: Sequence[Script], rules: tuple[str, ...], failed: list[Probe]
) -> str | None:
    """Return why turns that follow one another can tell nothing; none if they can."""
    found = (
        poisoned(script, rules, failed, follows=number > 0) for number, script in enumerate(scripts)
    )
    return next(filter(None, found), None)


def poisoned(
    script: Script, rules: tuple[str, ...], failed: list[Probe], *, follows: bool = False
) -> str | None:
    """Return why a turn can tell nothing, after these probes failed; none if it can.

    A case of the probe's own rules, or of those that may be the root, is asked all the same.
    `follows` says that it goes on with the table of a turn before.
    """
    for probe in failed:
        poisons = probe.poisons(script) or (follows and probe.poisons_following)
        if poisons and not set(rules).intersection(probe.rules + probe.roots):
            return f"not asked: it tells nothing while the probe {probe.name} fails"
    return None


def named(names: list[str]) -> list[Probe]:
    """Return the probes of these names."""
    return [probe for probe in PROBES if probe.name in names]


def _message(probe: Probe, failure: str) -> str:
    where = sentences.table(probe.script.table)
    stop = "" if failure.endswith(".") else "."
    turns = "; then ".join(map(sentences.turn, probe.scripts))
    return f"{where}. {turns}. {failure}{stop} {probe.lesson}"
