"""The test vectors: they are what the check asks, and the reference answers as they say."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from levels_in_process import under_test
from pickomino_conformance.cases import Verdict, Wanted, features, refusals, smoke
from pickomino_conformance.cases.gherkin import feature_cases
from pickomino_conformance.cases.vectors import vectors, write
from pickomino_conformance.compare import differences, kind
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import read_plain_request
from pickomino_conformance.protocol.wire import InProcess
from pickomino_reference import Edition, Rulings, make_rulings
from pickomino_reference.data import spec_dir
from protocol_messages import faults

FOLDER = spec_dir() / "vectors"
SCHEMA = json.loads((FOLDER / "vectors.schema.json").read_text(encoding="utf-8"))
LEVELS = ("smoke", "features", "refusals")


@cache
def written(level: str) -> dict[str, dict[str, Any]]:
    """Return the vectors of a level as they are committed, by their ids."""
    told = json.loads((FOLDER / f"{level}.json").read_text(encoding="utf-8"))
    assert told["level"] == level
    return {case["id"]: case for case in told["cases"]}


def rulings_of(case: dict[str, Any]) -> Iterator[Rulings]:
    """Yield the rulings under which a vector holds: all combinations of the values it names."""
    for values in product(*case["rulings"].values()):
        yield make_rulings(dict(zip(case["rulings"], values, strict=True)))


class Recorder(InProcess):
    """A wire to the reference that keeps what it was sent."""

    def __init__(self, rulings: Rulings) -> None:
        super().__init__(ReferenceEngine(Edition("", "", rulings)))
        self.sent: list[dict[str, Any]] = []

    def send(self, line: bytes) -> None:
        """Keep the request, and answer it."""
        told = json.loads(line)
        self.sent.append({"method": told["method"], "params": told["params"]})
        super().send(line)


def sent_for(level: str, name: str, rulings: Rulings) -> list[dict[str, Any]]:
    """Return the requests that a check sends for a case, to an engine that can do all."""
    wire = Recorder(rulings)
    engine = EngineUnderTest(Conversation(lambda: wire), rulings)
    wire.sent.clear()
    if level == "smoke":
        (probe,) = (one for one in smoke.PROBES if f"smoke/{one.name}" == name)
        outcomes = [smoke.ask(engine, probe)]
    elif level == "features":
        (case,) = (one for one in feature_cases() if one.id == name)
        outcomes = [features.judge_case(engine, case)]
    else:
        outcomes = list(refusals.run(engine, Wanted(only=frozenset([name]))))
    assert [(one.id, one.verdict) for one in outcomes] == [(name, Verdict.PASS)]
    return wire.sent


def test_the_committed_files_are_what_the_command_writes(tmp_path) -> None:
    """`python -m pickomino_conformance.cases.vectors` has been run since anything changed."""
    write(tmp_path)
    for level in LEVELS:
        assert (FOLDER / f"{level}.json").read_text() == (tmp_path / f"{level}.json").read_text()
    assert list(vectors()) == list(LEVELS)


@pytest.mark.parametrize("level", LEVELS)
def test_the_files_are_as_their_schema_says(level: str) -> None:
    """Every member is described, and every part of an answer is one of the vocabulary."""
    Draft202012Validator.check_schema(SCHEMA)
    told = json.loads((FOLDER / f"{level}.json").read_text(encoding="utf-8"))
    found = Draft202012Validator(SCHEMA).iter_errors(told)
    assert [f"{error.json_path}: {error.message}" for error in found] == []
    described = set(SCHEMA["$defs"]["case"]["properties"])
    assert {name for case in told["cases"] for name in case} <= described


def test_the_schema_refuses_what_is_no_vector() -> None:
    """A part of no answer, a ruling without a value, a case that asks nothing."""
    (case, *_) = written("features").values()
    (step,) = case["steps"]
    for wrong in (
        case | {"steps": []},
        case | {"rulings": {"lower-tile": []}},
        case | {"steps": [step | {"expected": {"stack.7": [21]}}]},
        case | {"steps": [step | {"expected": {"grill": [20]}}]},
        case | {"needs": ["luck"]},
    ):
        told = {"level": "features", "cases": [wrong]}
        assert not Draft202012Validator(SCHEMA).is_valid(told)


@pytest.mark.parametrize("level", LEVELS)
def test_every_request_is_one_of_the_protocol(level: str) -> None:
    """By the schema of its method."""
    for case in written(level).values():
        for step in case["steps"]:
            request = step["request"]
            asked = {"jsonrpc": "2.0", "id": 1, **request}
            assert faults(request["method"], "request", asked) == [], case["id"]


@pytest.mark.parametrize("level", LEVELS)
def test_the_vectors_are_what_the_check_asks(level: str) -> None:
    """Request by request, in order, under all rulings for which a vector holds."""
    for name, case in written(level).items():
        asked = [step["request"] for step in case["steps"]]
        for rulings in rulings_of(case):
            assert sent_for(level, name, rulings) == asked, name


def test_no_case_made_by_hand_is_missing() -> None:
    """Every probe, every scenario and every refusal under whatever rulings."""
    assert list(written("smoke")) == [f"smoke/{probe.name}" for probe in smoke.PROBES]
    assert list(written("features")) == [case.id for case in feature_cases()]
    kinds = {case.id for rulings in map(make_rulings, ({}, *SHUT)) for case in of(rulings)}
    assert set(written("refusals")) == kinds | set(refusals.starts())


# What one value of a ruling forbids and the other allows.
SHUT = (
    {"stop-without-claim": "barred"},
    {"exact-on-opponent": "steal"},
    {"steal-back": "barred"},
)


def of(rulings: Rulings) -> list[refusals.RefusalCase]:
    """Return the refusals under these rulings."""
    return refusals.cases(rulings)


@pytest.mark.parametrize("level", LEVELS)
def test_the_reference_answers_as_the_vectors_say(level: str) -> None:
    """Each step on the table that the one before has left, under all rulings that are named."""
    for name, case in written(level).items():
        for rulings in rulings_of(case):
            engine = under_test(ReferenceEngine(Edition("", "", rulings)), rulings)
            table: Any = None
            for step in case["steps"]:
                params = step["request"]["params"]
                if "table" in params and params["table"] is None:
                    params = params | {"table": table}
                ask = read_plain_request(step["request"]["method"], params)
                reply, told = engine.ask_one(ask)
                assert differences(step["expected"], reply) == (), (name, rulings)
                assert kind(reply) == kind(due(ask, rulings).reply)
                table = told.answer.get("result", {}).get("table", table)


def test_a_case_needs_what_it_uses() -> None:
    """A claim that is to be refused needs a player who chooses; a choice of nothing, patience."""
    for level in LEVELS:
        for case in written(level).values():
            last = case["steps"][-1 if level != "refusals" or len(case["steps"]) < 2 else 1]
            refused = last["expected"] == {"answer": "refused"}
            decisions = last["request"]["params"].get("decisions", [])
            assert ("refuse" in case["needs"]) is refused, case["id"]
            assert ("unresolved" in case["needs"]) is any(
                one["keep"] is None for one in decisions
            ), case["id"]
