"""Level `smoke`: does the adapter speak the protocol, and do dice and tables arrive as sent?

A probe for each root cause that would poison everything else. A failed probe counts against
the rules it is tagged with; what it poisons is not asked any more.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pickomino_conformance.cases import (
    Exchange,
    Judgement,
    Outcome,
    Unanswered,
    Verdict,
    Wanted,
    outcome,
    require_answer,
    require_played,
    unanswered,
)
from pickomino_conformance.compare import differences
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.protocol.messages import ErrorMessage
from pickomino_reference import Decision, Rule, Script, Table, Take, start

LEVEL = "smoke"


@dataclass(frozen=True, slots=True)
class Probe:
    """One question.

    Attributes:
        name: what must hold, in a few words; its id in reports.
        rules: the rules that are broken if it does not.
        script: the turn that is asked.
        following: the turns after it, each on the table that the engine answered last, told by
            null; the answer to the last one is looked at.
        looks: the parts of the answer that are looked at, and what they must be; none for any
            table that can be.
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
    poisons: Callable[[Script], bool]
    lesson: str
    looks: Mapping[str, Any] = field(default_factory=dict)
    roots: tuple[Rule, ...] = ()
    any_answer: bool = False
    following: tuple[Script, ...] = ()
    poisons_following: bool = False

    @property
    def id(self) -> str:
        """The id of its case."""
        return f"{LEVEL}/{self.name}"

    @property
    def scripts(self) -> tuple[Script, ...]:
        """All its turns, in order."""
        return (self.script, *self.following)


def _turn(table: Table, *rows: tuple[str, str], take: int) -> Script:
    """Return a turn that sets aside a face a roll and takes a tile in the end."""
    *on, (_, last) = rows
    decisions = [Decision(face, "roll") for _, face in on]
    decisions.append(Decision(last, "stop", Take(take)))
    return Script(table, tuple(roll for roll, _ in rows), tuple(decisions))


def _took(*stack: int) -> dict[str, Any]:
    """Return what shows that player 0 owns this stack, and its top tile has left the grill."""
    return {"stack.0": list(stack), f"face_up.{stack[-1]}": False}


_START = start(2)
_OWNED = _START._replace(grill=(21, 23, *range(25, 37)), stacks=((22,), (24,)))

PROBES = (
    Probe(
        name="every-turn-is-answered",
        rules=(Rule.SETUP_TILES,),
        script=_turn(_START, ("11234WWW", "W"), ("12344", "4"), take=23),
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
        looks=_took(23),
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
        looks=_took(23),
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
        looks=_took(26),
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
        looks=_took(22, 23),
        poisons=lambda script: any(len(stack) > 1 for stack in script.table.stacks),
        lesson="A stack is listed from bottom to top: the newest tile comes last.",
    ),
    Probe(
        name="a-null-table-goes-on",
        rules=(Rule.SETUP_TILES,),
        script=_turn(_START, ("11234WWW", "W"), ("12344", "4"), take=23),
        following=(_turn(_START._replace(player=1), ("11234WWW", "W"), ("12333", "3"), take=24),),
        looks={"stack.0": [23], "stack.1": [24]},
        poisons=lambda _: False,
        lesson=(
            "The second turn is sent with `table` null. That means: the table that the last "
            "`start` or `turn` answered, so the adapter must keep it."
        ),
        poisons_following=True,
    ),
)


def ask(engine: EngineUnderTest, probe: Probe) -> Outcome:
    """Return what came of a probe."""
    rules = tuple(map(str, probe.rules))
    judgement, told = Judgement(Verdict.PASS, rules), tuple[Exchange, ...]()
    try:
        asked = engine.ask(*probe.scripts, rules=rules)
        told = asked.exchanges
        require_answer(asked.reply)
        if not (probe.any_answer and isinstance(asked.reply, ErrorMessage)):
            require_played(asked.script, asked.reply, engine.rulings)
            found = differences(probe.looks, asked.reply)
            judgement = Judgement(Verdict.FAIL, rules, found) if found else judgement
    except Unanswered as why:
        judgement, told = unanswered(why, rules), why.exchanges or told
    return outcome(probe.id, LEVEL, judgement, told)


def run(engine: EngineUnderTest, _: Wanted) -> Iterator[Outcome]:
    """Yield the outcome of every probe; what a failed one poisons is not asked.

    All of them are asked, whatever is wanted: they may poison the rest.
    """
    failed: list[Probe] = []
    for probe in PROBES:
        poison = poisoned(probe.scripts, (), failed)
        if poison is not None:
            judgement = Judgement(Verdict.NOT_REACHED, tuple(map(str, probe.rules)), (), poison)
            yield outcome(probe.id, LEVEL, judgement)
            continue
        found = ask(engine, probe)
        failed += failed_probes([found])
        yield found


def poisoned(
    scripts: Iterable[Script],
    rules: tuple[str, ...],
    failed: Sequence[Probe],
    *,
    told: bool = False,
) -> str | None:
    """Return why turns can tell nothing, after these probes failed; none if they can.

    A case of the probe's own rules, or of those that may be the root, is asked all the same.
    Each turn goes on with the table of the one before, unless every table is `told`.
    """
    poison = [one for one in failed if not set(rules).intersection(one.rules + one.roots)]
    for number, script in enumerate(scripts if poison else ()):
        follows = number > 0 and not told
        for probe in poison:
            if probe.poisons(script) or (follows and probe.poisons_following):
                return f"not asked: it tells nothing while the probe {probe.name} fails"
    return None


def failed_probes(outcomes: Sequence[Outcome]) -> tuple[Probe, ...]:
    """Return the probes that failed, given what came of all."""
    wrong = (Verdict.FAIL, Verdict.ERROR)
    failed = {one.id for one in outcomes if one.level == LEVEL and one.verdict in wrong}
    return tuple(probe for probe in PROBES if probe.id in failed)


def lesson(case: str) -> str:
    """Return what the author of an adapter should look at if this probe fails; empty if none."""
    return next((one.lesson for one in PROBES if one.id == case), "")
