"""Test vectors: every case that is made by hand as plain JSON, for authors in any language.

`python -m pickomino_conformance.cases.vectors` writes `spec/vectors/*.json`, a file a level, in
the form of `spec/vectors/vectors.schema.json`. A case is a few requests, each with the parts of
its answer that must come (`compare.parts` names them). The requests of a case are sent in order;
one whose table is null goes on with the table that the engine answered last.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from pickomino_conformance.cases import features, refusals, smoke
from pickomino_conformance.cases.gherkin import feature_cases
from pickomino_conformance.cases.steps import scene_of
from pickomino_conformance.compare import ANSWER, REFUSAL, Parts, parts
from pickomino_conformance.files import write_whole
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.messages import METHODS, encode
from pickomino_conformance.protocol.translate import Ask, request
from pickomino_reference import Rule, Rulings, Script, make_rulings
from pickomino_reference.data import spec_dir

Plain = dict[str, Any]

NO_PARTS: Parts = {}
REFUSED: Parts = {ANSWER: REFUSAL}
# What a method needs of the engine, besides what the case needs.
CAPABILITIES = {"turn": ("set-table",), "start": ("start",), "score": ("score",)}
NOT_TOLD = (ANSWER, "barred", "seats", "rolls_used", "trace", "totals")


def vectors() -> dict[str, list[Plain]]:
    """Return every case by its level, as plain JSON values."""
    return {
        smoke.LEVEL: list(_probes()),
        features.LEVEL: list(_features()),
        refusals.LEVEL: list(_refusals()),
    }


def _probes() -> Iterator[Plain]:
    for probe in smoke.PROBES:
        looks = [NO_PARTS] * len(probe.following) + [probe.looks]
        rules = tuple(map(str, probe.rules))
        yield _case(probe.id, rules, {}, (), probe.scripts, looks)


def _features() -> Iterator[Plain]:
    for case in feature_cases():
        scene = scene_of(case.steps)
        asks = scene.asks
        needs = ["refuse"] if scene.looks.get(ANSWER) == REFUSAL else []
        if needs and any(one.claim for script in scene.scripts for one in script.decisions):
            needs.append("choose-claim")
        if any(one.keep is None for script in scene.scripts for one in script.decisions):
            needs.append("unresolved")
        looks = [NO_PARTS] * (len(asks) - 1) + [scene.looks]
        plain = _case(case.id, case.rules, case.needs, tuple(needs), asks, looks)
        yield plain | {"unsettled": True} if case.unsettled else plain


def _refusals() -> Iterator[Plain]:
    for name, begin in refusals.starts().items():
        rules = (str(Rule.SETUP_PLAYERS),)
        yield _case(name, rules, {}, ("refuse",), (begin,), [REFUSED])
    for kind in refusals.KINDS:
        rulings = _rulings(kind.rulings)
        for case in refusals.of_kind(kind):
            after = () if case.after is None else (case.after,)
            asks = (case.before, case.script, *after)
            looks = [_all(asks[0], rulings), REFUSED, *(_all(one, rulings) for one in after)]
            needs = ("refuse", *case.needs)
            yield _case(case.id, (str(case.rule),), kind.rulings, needs, asks, looks)


def _all(ask: Ask, rulings: Rulings) -> Parts:
    """Return all parts of the answer that is due, but for the account of the dice."""
    told = parts(due(ask, rulings).reply)
    return {name: one for name, one in told.items() if name not in NOT_TOLD}


def _rulings(values: dict[str, tuple[str, ...]]) -> Rulings:
    """Return rulings under which a case holds."""
    return make_rulings({ruling: fitting[0] for ruling, fitting in values.items()})


def _case(  # noqa: PLR0917  # what a vector has
    name: str,
    rules: tuple[str, ...],
    values: dict[str, tuple[str, ...]],
    needs: tuple[str, ...],
    asks: tuple[Ask, ...],
    looks: list[Parts],
) -> Plain:
    rulings = _rulings(values)
    steps = []
    for place, (ask, expected) in enumerate(zip(asks, looks, strict=True)):
        message = request(ask, rulings)
        plain = msgspec.json.decode(encode(message))
        # A turn goes on with the table that the one before has left; a refused one leaves none.
        if place and isinstance(ask, Script) and expected is not REFUSED:
            plain["table"] = None
        asked = {"method": METHODS[type(message)], "params": plain}
        steps.append({"request": asked, "expected": dict(expected)})
    told = {"id": name, "rules": list(rules), "rulings": values, "needs": list(needs)}
    return {**told, "steps": steps}


def write(folder: Path) -> None:
    """Write the files, each whole or not at all."""
    folder.mkdir(exist_ok=True)
    for level, cases in vectors().items():
        lines = ",\n".join("  " + msgspec.json.encode(case).decode() for case in cases)
        text = f'{{"level": "{level}", "cases": [\n{lines}\n]}}\n'
        write_whole(folder / f"{level}.json", text)


if __name__ == "__main__":
    write(spec_dir() / "vectors")
    sys.stdout.write(f"Written: {spec_dir() / 'vectors'}\n")
