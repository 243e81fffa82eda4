"""Level `features`: every scenario of the features that holds for the edition."""

from collections.abc import Iterator, Sequence

import msgspec

from pickomino_conformance.cases import (
    Exchange,
    Judgement,
    NotReached,
    Outcome,
    Unanswered,
    Unsupported,
    Verdict,
    Wanted,
    outcome,
    require_answer,
    unanswered,
)
from pickomino_conformance.cases.gherkin import FeatureCase, feature_cases
from pickomino_conformance.cases.scene import Scene
from pickomino_conformance.cases.smoke import Probe, poisoned
from pickomino_conformance.cases.steps import scene_of
from pickomino_conformance.compare import ANSWER, REFUSAL, Difference, differences, invariant, parts
from pickomino_conformance.compare import untold as left_out
from pickomino_conformance.engine import CHOOSES, EngineUnderTest
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.conversation import Breakdown, Reply
from pickomino_conformance.protocol.messages import ScoreResult, TurnResult
from pickomino_conformance.protocol.translate import Ask, Scoring, Start
from pickomino_reference import Rulings, Script, Take

LEVEL = "features"
# Why a case is not judged whose engine leaves out what a step looks at.
UNTOLD = {
    "player": "the engine does not tell whose turn it is",
    "over": "the engine does not tell whether the game is over",
    "worms": "the engine does not count worms",
    "winners": "the engine does not tell who wins",
}


def run(engine: EngineUnderTest, wanted: Wanted) -> Iterator[Outcome]:
    """Yield the outcome of every case; one that does not hold is not applicable.

    An outline is wanted with all its rows, a chapter with all its cases.
    """
    for case in feature_cases():
        if not any(map(wanted.asks, (case.id, f"{case.chapter}/{case.slug}", case.chapter))):
            continue
        if case.holds(engine.rulings):
            yield judge_case(engine, case, wanted.failed)
        else:
            yield outcome(case.id, LEVEL, Judgement(Verdict.NOT_APPLICABLE, case.rules))


def judge_case(engine: EngineUnderTest, case: FeatureCase, failed: Sequence[Probe] = ()) -> Outcome:
    """Return what comes of a case that holds, given the probes that failed."""
    return judge_scene(engine, case, scene_of(case.steps), failed)


def judge_scene(
    engine: EngineUnderTest, case: FeatureCase, scene: Scene, failed: Sequence[Probe] = ()
) -> Outcome:
    """Return what comes of a case whose steps have told this scene."""
    told: tuple[Exchange, ...] = ()
    try:
        ask, reply, told = _ask(engine, scene, case.rules, failed)
        judgement = _judge(engine, scene, case.rules, ask, reply)
    except Unanswered as why:
        judgement, told = unanswered(why, case.rules), why.exchanges or told
    if judgement.verdict is Verdict.FAIL and case.unsettled:
        judgement = judgement._replace(verdict=Verdict.UNSETTLED)
    found = outcome(case.id, LEVEL, judgement, told)
    return msgspec.structs.replace(found, players=tuple(scene.names))


def _ask(
    engine: EngineUnderTest, scene: Scene, rules: tuple[str, ...], failed: Sequence[Probe]
) -> tuple[Ask, Reply, tuple[Exchange, ...]]:
    """Return what was asked last, the reply to it, and all that was asked.

    Raises:
        Unanswered: it could not be asked.
    """
    (*_, last) = scene.asks
    if not isinstance(last, Script):
        engine.need("start" if isinstance(last, Start) else "score")
        if _is_refused(scene):
            engine.need("refuse")
        reply, told = engine.ask_one(last)
        return last, reply, (told,)
    if any(decision.keep is None for script in scene.scripts for decision in script.decisions):
        engine.need("unresolved")
    if _is_refused(scene) and not engine.can("refuse"):
        _need_a_claim(engine, last)
    why = poisoned(scene.scripts, rules, failed)
    if why is not None:
        raise NotReached(why)
    return engine.ask(*scene.scripts, rules=rules)


def _need_a_claim(engine: EngineUnderTest, script: Script) -> None:
    """Raise `Unsupported` if an engine that does not refuse can give nothing that is forbidden.

    One that has broken down before is not led into temptation: it may do so at each of them.
    """
    if not script.decisions[-1].claim or engine.conversation.conduct.restarts:
        engine.need("refuse")


def _judge(
    engine: EngineUnderTest, scene: Scene, rules: tuple[str, ...], ask: Ask, reply: Reply
) -> Judgement:
    """Return the judgement of a reply.

    Raises:
        Unanswered: it is none, or does not tell what is looked at.
    """
    if isinstance(ask, Script) and _is_refused(scene):
        claims = ask.decisions[-1].claim is not None
        if not engine.can("refuse") or (claims and not engine.chooses):
            return Judgement(Verdict.FAIL, rules, (_given(engine, ask, reply),))
    require_answer(reply)
    broken = _impossible(ask, reply, engine.rulings)
    if broken is not None:
        return Judgement(Verdict.FAIL, rules, (broken,))
    if isinstance(ask, Script) and engine.chose_itself(ask, reply):
        return Judgement(Verdict.PASS, rules)
    found = differences(scene.looks, reply)
    if found:
        return Judgement(Verdict.FAIL, rules, found)
    for part in left_out(scene.looks, reply):
        raise Unsupported(UNTOLD[part.partition(".")[0]])
    return Judgement(Verdict.PASS, rules)


def _given(engine: EngineUnderTest, script: Script, reply: Reply) -> Difference:
    """Return how an engine departs that can't refuse, or not this claim, but must not make it.

    Raises:
        Unanswered: it does not depart, which proves nothing.
    """
    if engine.can("refuse") and isinstance(reply, Breakdown):
        require_answer(reply)
    if isinstance(reply, TurnResult):
        broken = _impossible(script, reply, engine.rulings)
        if broken is not None:
            return broken
        table, own, tile = script.table, script.table.player, _claimed(script)
        before, after = list(table.own), reply.table.stacks[own]
        if after[-1:] == [tile] and before[-1:] != [tile]:
            return Difference(f"stack.{own}", before, after)
    engine.need("refuse")
    raise Unsupported(CHOOSES)


def _claimed(script: Script) -> int | None:
    """Return the tile that the last decision claims; none if there is none to be had."""
    claim = script.decisions[-1].claim
    if isinstance(claim, Take):
        return claim.tile
    stack = script.table.stacks[claim.player] if claim else ()
    return stack[-1] if stack else None


def _is_refused(scene: Scene) -> bool:
    return scene.looks.get(ANSWER) == REFUSAL


def _impossible(ask: Ask, reply: Reply, rulings: Rulings) -> Difference | None:
    """Return what is impossible about a reply, whatever is looked at; none if nothing."""
    if not isinstance(ask, Scoring) or not isinstance(reply, ScoreResult):
        return invariant(ask, reply, rulings)
    right, seats = parts(due(ask, rulings).reply), len(ask.stacks)
    if reply.worms is not None and len(reply.worms) != seats:
        return Difference("worms", right["worms"], reply.worms)
    if any(winner >= seats for winner in reply.winners or ()):
        return Difference("winners", right["winners"], reply.winners)
    return None
