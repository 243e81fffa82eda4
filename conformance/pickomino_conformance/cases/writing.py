"""A case as a Gherkin scenario, in the words of `features/`, ready to be pasted there.

A case of a feature is told as its file tells it. Any other is told by the request that is judged,
with a `Then` for what the engine answered otherwise, or for the whole outcome if it gave none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from itertools import combinations, product
from typing import Any

from pickomino_conformance import Malformed
from pickomino_conformance.cases import Exchange, Outcome
from pickomino_conformance.cases.gherkin import feature_scenarios
from pickomino_conformance.cases.scene import Act, Scene, ended_by_the_dice
from pickomino_conformance.cases.steps import GherkinStep, steps_of
from pickomino_conformance.compare import (
    ANSWER,
    INVARIANT,
    REFUSAL,
    RESULT,
    Difference,
    kind,
    parts,
)
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.translate import Ask, Scoring, Start
from pickomino_conformance.specification import rules
from pickomino_conformance.words import NAMES
from pickomino_reference import Rulings, Script, Steal
from pickomino_reference.editions import ALTERNATIVES

_NO_SLUG = re.compile(r"[^A-Za-z0-9]+")
_KEYWORDS = {"given": "Given", "when": "When", "then": "Then"}

Looks = dict[str, Any]


class Untold(Exception):
    """There are no steps for a case; the text says what there are none for."""


def scenario(outcome: Outcome, rulings: Rulings) -> str:
    """Return a case as a scenario.

    Raises:
        Untold: there are no steps for it.
    """
    source = _source(outcome.id)
    if source is not None:
        return source
    if outcome.judged is None:
        raise Untold("Nothing was asked.")
    try:
        scene, needs = _scene(outcome, outcome.judged, rulings)
    except Malformed as error:
        raise Untold(f"{error}.") from None
    tags = [f"@{rule}" for rule in outcome.rules]
    tags += [f"@{ruling}={value}" for ruling, value in needs]
    slug = _NO_SLUG.sub("-", outcome.id).strip("-").lower()
    lines = [" ".join([*tags, f"@case={slug}"]), f"Scenario: {_title(outcome)}"]
    return "\n".join([*lines, *_written(steps_of(scene))]) + "\n"


def _source(case: str) -> str | None:
    """Return the scenario of a feature file, or none if the case is not of a feature."""
    told = ((one.id, scenario.source) for scenario in feature_scenarios() for one in scenario.cases)
    return next((source for name, source in told if name == case), None)


def _title(outcome: Outcome) -> str:
    """Return what the first rule says, and which case it is told."""
    known = rules().get(outcome.rules[0]) if outcome.rules else None
    claim = known.statement[0].rstrip(".").replace("`", "") if known else "As the rules have it"
    return f"{claim} ({outcome.id})"


def _written(steps: Sequence[GherkinStep]) -> Iterator[str]:
    """Yield the lines of steps."""
    before = ""
    for step in steps:
        yield f"  {'And' if step.kind == before else _KEYWORDS[step.kind]} {step.text}"
        before = step.kind
        if step.rows:
            width = [max(map(len, column)) for column in zip(*step.rows, strict=True)]
            for dice, face in step.rows:
                yield f"    | {dice:{width[0]}} | {face:{width[1]}} |"


def _scene(
    outcome: Outcome, judged: Exchange, rulings: Rulings
) -> tuple[Scene, list[tuple[str, str]]]:
    """Return the scene that a case tells, and the ruling values that it hangs on.

    Raises:
        Untold: there are no steps for it.
        Malformed: a request is none of the game.
    """
    before = outcome.exchanges[: outcome.at % len(outcome.exchanges)]
    if judged.goes_on and before and kind(due(before[-1].ask, rulings).reply) == REFUSAL:
        raise Untold("There are no steps for a turn after one that is refused.")
    ask = _without_roll_at_the_end(judged.ask)
    scene = _asked(ask)
    whole = _looks(ask, rulings)
    if whole is None:
        raise Untold("The request does not fit what the rules make of it.")
    looks = _departed(outcome.differences, whole)
    if not looks:
        raise Untold("What departs is nothing that a step looks at.")
    scene.looks.update(looks)
    return scene, _needs(ask, looks, rulings)


def _asked(ask: Ask) -> Scene:
    """Return the scene of what was asked, before anything is looked at."""
    match ask:
        case Start(players):
            return Scene(players=players)
        case Scoring(stacks):
            counted = dict(enumerate(stacks))
            return Scene(_names(len(stacks)), stacks=counted, counts=True)
        case Script(table, rolls, decisions):
            pass
        case _:
            raise Untold(f"There are no steps for {type(ask).__name__.lower()}.")
    if not rolls:
        raise Untold("There are no steps for a turn without a roll.")
    barred = {seat: tiles for seat, tiles in enumerate(table.barred) if tiles}
    act = Act(table.player, rolls, decisions, _has_an_end(ask))
    last = act.last
    if last and last.keep is None and isinstance(last.claim, Steal):
        raise Untold("There is no step for a steal before choosing.")
    if last and isinstance(last.claim, Steal):
        _names(last.claim.player + 1)
    owned = dict(enumerate(table.stacks))
    return Scene(_names(len(owned)), table.grill, owned, barred, [act])


def _names(number: int) -> list[str]:
    if number > len(NAMES):
        raise Untold(f"There are names for {len(NAMES)} players, not for {number}.")
    return list(NAMES[:number])


def _has_an_end(script: Script) -> bool:
    """Whether a step tells how a turn ends; else the dice end it, or the last roll is dead."""
    if not script.decisions or len(script.decisions) < len(script.rolls):
        return False
    last = script.decisions[-1]
    if last.keep is None or last.then == "roll" or last.claim:
        return True
    return not ended_by_the_dice(script)


def _without_roll_at_the_end(ask: Ask) -> Ask:
    """Return a turn without the dead roll that an engine asks for where its player has stopped."""
    if isinstance(ask, Script) and ask.decisions and ask.decisions[-1].then == "stop":
        return ask._replace(rolls=ask.rolls[: len(ask.decisions)])
    return ask


def _looks(ask: Ask, rulings: Rulings) -> Looks | None:
    """Return all that a step can look at in what must come; none if the script does not fit."""
    reply = due(ask, rulings).reply
    told = parts(reply)
    if told[ANSWER] == REFUSAL:
        return {ANSWER: REFUSAL}
    if told[ANSWER] != RESULT:
        return None
    looks = {name: one for name, one in told.items() if name in ("grill", "player", "over")}
    looks |= {name: one for name, one in told.items() if name.startswith("stack.")}
    looks |= {f"worms.{seat}": one for seat, one in enumerate(told.get("worms", ()))}
    if told.get("winners"):
        looks["winners"] = told["winners"]
    if isinstance(ask, Start):
        stacks = [looks.pop(f"stack.{seat}") for seat in range(ask.players)]
        looks["stacks"] = stacks
    return looks


def _departed(found: Sequence[Difference], whole: Looks) -> Looks:
    """Return what is looked at: where the answer departs, else the whole outcome."""
    names = {one.part for one in found}
    if not names or names & {ANSWER, INVARIANT}:
        return whole
    groups = {"worms": "worms.", "seats": "stack"}
    return {
        part: value
        for part, value in whole.items()
        if part in names
        or any(one in names and part.startswith(group) for one, group in groups.items())
    }


def _needs(ask: Ask, looks: Looks, rulings: Rulings) -> list[tuple[str, str]]:
    """Return the ruling values that the outcome hangs on; several of one ruling will do as well.

    Two rulings may show together only: where they do, no value but the own one is promised.
    """
    same = partial(_same, ask, looks)
    fitting: dict[str, list[StrEnum]] = {
        ruling: [one for one in values if same(_with(rulings, {ruling: one}))]
        for ruling, values in ALTERNATIVES.items()
    }
    own = {ruling: getattr(rulings, ruling.replace("-", "_")) for ruling in fitting}
    others = {ruling: [one for one in fitting[ruling] if one != own[ruling]] for ruling in fitting}
    together = (
        dict(zip(pair, values, strict=True))
        for pair in combinations(fitting, 2)
        for values in product(*(others[ruling] for ruling in pair))
    )
    if not all(same(_with(rulings, values)) for values in together):
        fitting = {ruling: [value] for ruling, value in own.items()}
    return [
        (ruling, str(value))
        for ruling, values in fitting.items()
        for value in values
        if len(values) < len(ALTERNATIVES[ruling])
    ]


def _same(ask: Ask, looks: Looks, rulings: Rulings) -> bool:
    """Whether all that is looked at comes under other rulings, too."""
    other = _looks(ask, rulings) or {}
    return all(name in other and other[name] == value for name, value in looks.items())


def _with(rulings: Rulings, values: Mapping[str, StrEnum]) -> Rulings:
    return replace(rulings, **{ruling.replace("-", "_"): one for ruling, one in values.items()})  # type: ignore[arg-type]  # each value belongs to its ruling
