"""Claims about the adapter protocol: its schemas, its transcript, and who speaks it."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from pickomino_conformance import Malformed, Misfit, Refused, protocol
from pickomino_conformance.cases import Script
from pickomino_conformance.engines.host import respond
from pickomino_conformance.engines.reference import ReferenceEngine
from pickomino_conformance.engines.session import Engine, InProcess, Reply
from pickomino_conformance.levels import smoke
from pickomino_conformance.protocol import (
    CAPABILITIES,
    CRASHED,
    INVALID_REQUEST,
    MALFORMED,
    MISFIT,
    NO_SUCH_METHOD,
    PARAMS,
    PARSE_ERROR,
    REFUSED,
    RESULTS,
    ClaimMessage,
    ConfigureParams,
    Decision,
    LegalParams,
    ScoreParams,
    SettleParams,
    StartParams,
    TurnParams,
)
from pickomino_conformance.subject import Subject, configuration
from pickomino_conformance.tables import claim_message, table_message
from pickomino_reference import (
    BASE,
    Claim,
    Position,
    Roll,
    Rulings,
    SetAside,
    StealBack,
    Stop,
    Table,
    find_edition,
    legal,
    play,
    start,
)
from pickomino_reference.data import spec_dir

Message = dict[str, Any]

FOLDER = spec_dir() / "protocol"
URI = "pickomino:protocol/1/"
SERVE = (sys.executable, "-m", "pickomino_conformance.main", "serve")
HOST = (sys.executable, "-m", "pickomino_conformance.engines.host")

SCHEMAS: dict[str, Message] = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text())
    for path in sorted(FOLDER.glob("*.schema.json"))
}
REGISTRY: Registry[Any] = Registry().with_resources(
    [(schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()]
)
TRANSCRIPT: list[Message] = [
    json.loads(line) for line in (FOLDER / "transcript.jsonl").read_text().splitlines()
]
EXCHANGES = list(zip(TRANSCRIPT[::2], TRANSCRIPT[1::2], strict=True))


def objects(value: Any) -> Iterator[Message]:
    """Yield every JSON object in a value, itself included."""
    if isinstance(value, dict):
        yield value
    for one in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from objects(one)


@cache
def validator(name: str, part: str) -> Draft202012Validator:
    """Return what validates by the definition `part` of the schema `name`."""
    return Draft202012Validator({"$ref": f"{URI}{name}#/$defs/{part}"}, registry=REGISTRY)


def faults(name: str, part: str, value: Any) -> list[str]:
    """Return what the definition `part` of the schema `name` has against a value."""
    errors = validator(name, part).iter_errors(value)
    return [f"{error.json_path}: {error.message}" for error in errors]


def kind(request: Message, answer: Message) -> tuple[str, int | None]:
    """Return the method of an exchange, and the code of its error if it is one."""
    return request["method"], answer.get("error", {}).get("code")


def without_words(answer: Message) -> Message:
    """Return an answer without what is free: an error's sentence, and the engine's version."""
    plain: Message = json.loads(json.dumps(answer))
    if "error" in plain:
        del plain["error"]["message"]
    plain.get("result", {}).pop("version", None)
    return plain


def converse(command: Iterable[str], requests: Iterable[Message]) -> list[Message]:
    """Return what a program answers to requests that arrive all at once."""
    text = "".join(f"{json.dumps(request)}\n" for request in requests)
    done = subprocess.run(
        [*command], input=text, capture_output=True, text=True, timeout=20, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(engine: object, method: str, **params: Any) -> Message:
    """Return how the host answers one request for this engine, in this process."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return dict(json.loads(respond(engine, json.dumps(request).encode())))


def with_strangers(value: Any) -> Any:
    """Return a message with an unknown member in every object; in `rulings` names are data."""
    if isinstance(value, list):
        return [with_strangers(one) for one in value]
    if not isinstance(value, dict):
        return value
    told = {name: one if name == "rulings" else with_strangers(one) for name, one in value.items()}
    return {"weather": {"rain": [1, None]}, **told}


# A wider conversation.


class Recorder(InProcess):
    """A wire to the reference that keeps every line of the conversation."""

    def __init__(self, engine: object) -> None:
        super().__init__(engine)
        self.sent: list[Message] = []
        self.came: list[Message] = []

    def send(self, line: bytes) -> None:
        """Keep the request and pass it on."""
        self.sent.append(json.loads(line))
        super().send(line)

    def receive(self) -> bytes:
        """Keep the answer and pass it on."""
        line = super().receive()
        self.came.append(json.loads(line))
        return line


def random_turn(table: Table, rulings: Rulings, dice: random.Random) -> tuple[Script, Table]:
    """Return a turn of a player who likes worms and stops when something can be claimed."""
    position, rolls, decisions = Position(table), [], list[Decision]()
    while True:
        left = BASE.dice - len(position.turn.set_aside)
        rolls.append("".join(dice.choices("12345W", k=left)))
        position = play(position, Roll(rolls[-1]), rulings)
        if position.table is not table:
            return Script(table, tuple(rolls), tuple(decisions)), position.table
        face = max(legal(position, rulings).faces)
        position = play(position, SetAside(face), rulings)
        options = legal(position, rulings)
        settled = position.table is not table
        if not settled and options.roll and not options.claims:
            decisions.append(Decision(keep=face, then="roll"))
            continue
        claim: Claim | None = None if settled or not options.claims else options.claims[-1]
        message = None if claim is None else claim_message(claim)
        decisions.append(Decision(keep=face, then="stop", claim=message))
        if not settled:
            position = play(position, claim or Stop(), rulings)
        return Script(table, tuple(rolls), tuple(decisions)), position.table


def talk(subject: Subject, dice: random.Random) -> None:
    """Play a game turn by turn, with every other question of the protocol on the way."""
    engine, rulings = subject.engine, subject.rulings
    list(smoke.run(subject))
    table = start(dice.randint(2, 7))
    engine.ask(StartParams(len(table.stacks)))
    while table.grill:
        script, after = random_turn(table, rulings, dice)
        message = table_message(table, rulings)
        kept = script.set_aside
        engine.ask(
            LegalParams(message, kept),
            LegalParams(None, "", script.rolls[0]),
            SettleParams(message, kept or "1", dead=True),
            SettleParams(message, "WWWWWW4", ClaimMessage(steal=1)),
            SettleParams(message, "WWWWWW4", ClaimMessage(take=max(table.grill))),
            TurnParams(message, list(script.rolls), []),
        )
        subject.ask(script)
        table = after
    engine.ask(
        ScoreParams([list(stack) for stack in table.stacks]),
        TurnParams(table_message(table, rulings), ["12345WWW"], []),
        TurnParams(table_message(table._replace(grill=(37,)), rulings), ["12345WWW"], []),
        StartParams(8),
    )


@pytest.fixture(scope="module")
def conversation() -> list[tuple[Message, Message]]:
    """Return exchanges of the harness with the reference, in games under two sets of rulings."""
    exchanges: list[tuple[Message, Message]] = []
    dice = random.Random(21)
    for rulings in (
        Rulings(steal_back=StealBack.BARRED),
        find_edition("ultraboardgames+roll-on").rulings,
    ):
        wire = Recorder(ReferenceEngine())
        with Engine(lambda wire=wire: wire, configuration(rulings)) as engine:  # type: ignore[misc]
            talk(Subject(engine, rulings), dice)
        exchanges += zip(wire.sent, wire.came, strict=True)
    fixed = Recorder(ReferenceEngine(find_edition()))
    with Engine(lambda: fixed) as engine:
        engine.ask(ConfigureParams({"steal-back": "barred"}))
    return [*exchanges, *zip(fixed.sent, fixed.came, strict=True)]


# The transcript.


def test_the_reference_answers_the_transcript_word_for_word() -> None:
    """`pickomino serve` gives every answer of the transcript, the whole of it, in order."""
    answers = converse(SERVE, TRANSCRIPT[::2])
    assert [without_words(answer) for _, answer in EXCHANGES] == list(map(without_words, answers))


def test_the_transcript_alternates_between_question_and_answer() -> None:
    """Requests and answers alternate, and each answer bears the id of its request."""
    numbers = range(1, len(EXCHANGES) + 1)
    assert [(n, True, n, False) for n in numbers] == [
        (request["id"], "method" in request, answer["id"], "method" in answer)
        for request, answer in EXCHANGES
    ]


def test_grep_finds_the_requests_of_the_transcript() -> None:
    """The word "method" in quotes stands in the requests and nowhere else, so grep parts them."""
    lines = (FOLDER / "transcript.jsonl").read_text().splitlines()
    assert lines[::2] == [line for line in lines if '"method"' in line]


def test_the_transcript_shows_every_method_and_every_error_of_an_adapter() -> None:
    """Every method is answered with a result; refusals, misfits and the two -326xx are shown."""
    shown = {kind(request, answer) for request, answer in EXCHANGES}
    assert {
        *((method, None) for method in PARAMS),
        ("start", REFUSED),
        ("turn", REFUSED),
        ("turn", MISFIT),
        ("shuffle", NO_SUCH_METHOD),
        ("settle", MALFORMED),
    } == shown


def test_the_transcript_shows_everything_that_a_misfit_can_want() -> None:
    """A script can lack a roll, a decision or a claim, and the transcript shows each."""
    errors = [answer["error"] for _, answer in EXCHANGES if "error" in answer]
    wants = [error["data"]["wants"] for error in errors if error["code"] == MISFIT]
    assert sorted(wants) == ["claim", "decision", "roll"]


def test_every_table_of_the_transcript_holds_every_tile_once() -> None:
    """A table names each of the sixteen tiles exactly once."""
    said = [
        part for line in TRANSCRIPT for name in ("params", "result") if (part := line.get(name))
    ]
    tables = [part["table"] for part in said if part.get("table")]
    assert [sorted(BASE.worms)] * len(tables) == [
        sorted([*table["grill"], *table["face_down"], *chain(*table["stacks"])]) for table in tables
    ]


# The schemas.


def test_there_is_a_schema_for_every_method() -> None:
    """Every method has a schema file, and one more holds what they have in common."""
    assert sorted([*PARAMS, "common"]) == sorted(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    """Every file is a schema of the 2020-12 dialect whose id bears its own name, and no host."""
    Draft202012Validator.check_schema(SCHEMAS[name])
    dialect = "https://json-schema.org/draft/2020-12/schema"
    assert (dialect, URI + name) == (SCHEMAS[name]["$schema"], SCHEMAS[name]["$id"])


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_definition_says_what_it_is(name: str) -> None:
    """Every definition is described by a sentence, with its full stop."""
    definitions = SCHEMAS[name]["$defs"]
    assert list(definitions) == [
        part for part, one in definitions.items() if one["description"].endswith((".", "?"))
    ]


def test_every_reference_between_the_schemas_leads_somewhere() -> None:
    """Each `$ref` names a definition that exists."""
    found = [
        (schema["$id"], part["$ref"])
        for schema in SCHEMAS.values()
        for part in objects(schema)
        if "$ref" in part
    ]
    leads = [
        REGISTRY.resolver(base_uri=base).lookup(target).contents["description"] != ""
        for base, target in found
    ]
    assert [True] * len(found) == leads


def test_the_schemas_name_every_capability() -> None:
    """The capabilities that the schema of hello gives as examples are those of the harness."""
    result = SCHEMAS["hello"]["$defs"]["result"]
    assert list(CAPABILITIES) == result["properties"]["capabilities"]["items"]["examples"]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [pytest.param(*both, id=f"{both[0]['id']}-{both[0]['method']}") for both in EXCHANGES],
)
def test_the_transcript_fits_the_schemas(asked: Message, answer: Message) -> None:
    """A request fits the schema of its method unless it is answered as malformed; answers fit."""
    name = asked["method"] if asked["method"] in PARAMS else "common"
    malformed = answer.get("error", {}).get("code") == MALFORMED
    assert [malformed, False] == [
        faults(name, "request", asked) != [],
        faults(name, "response", answer) != [],
    ]


def test_what_harness_and_reference_say_fits_the_schemas(
    conversation: list[tuple[Message, Message]],
) -> None:
    """Every line of two games under different rulings, errors among them, fits its schema."""
    assert [
        (line, found)
        for request, answer in conversation
        for part, line in (("request", request), ("response", answer))
        if (found := faults(request["method"], part, line))
    ] == []


def test_the_wider_conversation_is_wide(conversation: list[tuple[Message, Message]]) -> None:
    """The conversation has a result of every method, and each error that can be provoked."""
    kinds = {kind(request, answer) for request, answer in conversation}
    assert {
        *((method, None) for method in PARAMS),
        ("start", REFUSED),
        ("turn", REFUSED),
        ("settle", REFUSED),
        ("turn", MISFIT),
        ("turn", MALFORMED),
        ("settle", MALFORMED),
        ("configure", NO_SUCH_METHOD),
    } == kinds


def test_the_schemas_allow_unknown_members() -> None:
    """A member that the schemas don't know is allowed in every object of every message."""
    told = [
        (name, with_strangers(request), with_strangers(answer))
        for request, answer in EXCHANGES
        if (name := request["method"]) in PARAMS and kind(request, answer)[1] != MALFORMED
    ]
    assert [([], [])] * len(told) == [
        (faults(name, "request", request), faults(name, "response", answer))
        for name, request, answer in told
    ]


TABLE = {"grill": [21, 22], "face_down": [], "stacks": [[], [23]], "player": 0}
TURN = {"table": TABLE, "rolls": ["12345WWW"], "decisions": [{"keep": "W", "then": "roll"}]}
HELLO = {"name": "mine", "protocol": 1, "players": [2, 7]}
LEGAL = {"keep": "1W", "roll": False, "stop": False, "claims": []}
STEP = {"kept": "WWW", "dice": 5, "total": 15}


def decided(**changes: Any) -> Message:
    """Return a turn with one decision, changed in these members."""
    return TURN | {"decisions": [{"keep": "W", "then": "stop", "claim": {"take": 21}} | changes]}


# Payloads that the schema and the harness' own decoder both refuse: definition, value, reason.
MALFORMED_PAYLOADS: list[tuple[str, str, Any, str]] = [
    ("hello", "params", {}, "no version of the protocol"),
    ("hello", "params", {"protocol": "1"}, "the version is a text"),
    ("turn", "params", {"rolls": [], "decisions": []}, "no table, not even null"),
    ("turn", "params", TURN | {"table": []}, "the table is a list"),
    ("turn", "params", TURN | {"table": {"grill": [21]}}, "a table without stacks"),
    ("turn", "params", TURN | {"table": TABLE | {"grill": ["21"]}}, "a tile is a text"),
    ("turn", "params", TURN | {"table": TABLE | {"grill": [-1]}}, "a tile is negative"),
    ("turn", "params", TURN | {"table": TABLE | {"grill": 21}}, "the grill is no list"),
    ("turn", "params", TURN | {"table": TABLE | {"stacks": [21, 22]}}, "a stack is no list"),
    ("turn", "params", TURN | {"table": TABLE | {"player": None}}, "nobody is the player"),
    ("turn", "params", TURN | {"table": TABLE | {"player": -1}}, "the player is negative"),
    ("turn", "params", TURN | {"table": TABLE | {"barred": [21]}}, "barred is one list"),
    ("turn", "params", TURN | {"rolls": "12345WWW"}, "the rolls are one text"),
    ("turn", "params", TURN | {"rolls": [[1, 2]]}, "a roll is a list"),
    ("turn", "params", TURN | {"rolls": [""]}, "a roll without dice"),
    ("turn", "params", TURN | {"rolls": ["123456"]}, "a die shows 6"),
    ("turn", "params", TURN | {"rolls": ["12345w"]}, "a small w"),
    ("turn", "params", TURN | {"rolls": ["123451234"]}, "nine dice"),
    ("turn", "params", TURN | {"decisions": ["W"]}, "a decision is a text"),
    ("turn", "params", decided(keep="WW"), "two faces are kept"),
    ("turn", "params", decided(keep=5), "the face is a number"),
    ("turn", "params", decided(keep=""), "an empty face"),
    ("turn", "params", decided(then="end"), "neither roll nor stop"),
    ("turn", "params", decided(claim={}), "a claim of nothing"),
    ("turn", "params", decided(claim=21), "a claim is a number"),
    ("turn", "params", decided(claim={"take": 21, "steal": 1}), "a claim of two tiles"),
    ("turn", "params", decided(claim={"take": None}), "a claim takes null"),
    ("turn", "params", TURN | {"decisions": [{"keep": "W"}]}, "a decision half made"),
    ("start", "params", {}, "no number of players"),
    ("start", "params", {"players": "3"}, "the number of players is a text"),
    ("score", "params", {"stacks": [21]}, "the stacks are one list"),
    ("legal", "params", {"table": TABLE}, "dice set aside are not told"),
    ("legal", "params", {"table": TABLE, "kept": None}, "dice set aside are null"),
    ("legal", "params", {"table": TABLE, "kept": "W", "roll": ""}, "a roll without dice"),
    ("settle", "params", {"table": TABLE, "kept": "W", "dead": None}, "dead is null"),
    ("settle", "params", {"table": TABLE, "kept": "W", "claim": [21]}, "a claim is a list"),
    ("configure", "params", {"rulings": ["steal-back"]}, "rulings without values"),
    ("configure", "params", {"rulings": {"steal-back": True}}, "a value is no text"),
    ("hello", "result", {"name": "mine", "protocol": 1}, "players are not told"),
    ("hello", "result", {"protocol": 1, "players": [2, 7]}, "an engine without a name"),
    ("hello", "result", HELLO | {"players": 7}, "players are one number"),
    ("hello", "result", HELLO | {"players": [2]}, "players have no upper end"),
    ("hello", "result", HELLO | {"players": [2, 3, 4]}, "players are three numbers"),
    ("hello", "result", HELLO | {"capabilities": {"score": True}}, "capabilities are an object"),
    ("hello", "result", HELLO | {"rulings": {"six-faces": None}}, "a ruling is null"),
    ("turn", "result", {}, "no table after the turn"),
    ("turn", "result", {"table": None}, "the table after the turn is null"),
    ("turn", "result", {"table": {"stacks": [[], []]}}, "a table without grill"),
    ("turn", "result", {"table": TABLE, "over": "no"}, "over is a text"),
    ("turn", "result", {"table": TABLE, "over": None}, "over is null, not left out"),
    ("turn", "result", {"table": TABLE, "rolls_used": "2"}, "rolls_used is a text"),
    ("turn", "result", {"table": TABLE, "trace": [{"kept": "W"}]}, "a step lacks its numbers"),
    ("turn", "result", {"table": TABLE, "trace": [STEP | {"kept": "6"}]}, "a step keeps a 6"),
    ("settle", "result", {"grill": [], "stacks": []}, "the table itself is the result"),
    ("start", "result", {"grill": [], "stacks": []}, "the table itself is the result"),
    ("score", "result", {"worms": 5}, "worms are one number"),
    ("score", "result", {"winners": ["0"]}, "a winner is a text"),
    ("legal", "result", {"keep": "1W", "claims": []}, "no word on rolling and stopping"),
    ("legal", "result", LEGAL | {"keep": ["1", "W"]}, "faces are a list"),
    ("legal", "result", LEGAL | {"stop": 0}, "stop is a number"),
    ("legal", "result", LEGAL | {"claims": [21]}, "a claim is a number"),
    ("legal", "result", LEGAL | {"claims": [{"tile": 21}]}, "a claim of neither kind"),
    ("configure", "result", [], "the result is a list"),
]

LINE = {"jsonrpc": "2.0", "id": 1}
MALFORMED_LINES: list[tuple[str, str, Any, str]] = [
    ("turn", "request", {**LINE, "method": "start", "params": TURN}, "another method"),
    ("turn", "request", {**LINE, "params": TURN}, "no method"),
    ("turn", "request", {**LINE, "method": "turn"}, "no params"),
    ("turn", "request", {**LINE, "method": "turn", "params": [TURN]}, "params are a list"),
    ("turn", "request", {"id": 1, "method": "turn", "params": TURN}, "no version of JSON-RPC"),
    ("turn", "request", {"jsonrpc": "2.0", "method": "turn", "params": TURN}, "no id"),
    ("turn", "request", {**LINE, "jsonrpc": 2, "method": "turn", "params": TURN}, "version 2"),
    (
        "turn",
        "request",
        {**LINE, "method": "turn", "params": {**TURN, "table": {"grill": [], "stacks": [[]]}}},
        "a table is sent without its player",
    ),
    ("turn", "response", LINE, "neither result nor error"),
    ("turn", "response", {"jsonrpc": "2.0", "result": {"table": TABLE}}, "an answer without id"),
    ("turn", "response", {**LINE, "id": "1", "result": {"table": TABLE}}, "the id is a text"),
    ("turn", "response", {**LINE, "id": None, "result": {"table": TABLE}}, "the id is null"),
    ("turn", "response", {**LINE, "result": None}, "the result is null"),
    (
        "turn",
        "response",
        {**LINE, "result": {"table": TABLE}, "error": {"code": 1, "message": "no"}},
        "result and error",
    ),
    ("turn", "response", {**LINE, "error": "no"}, "the error is a text"),
    ("turn", "response", {**LINE, "error": {"message": "no"}}, "an error without code"),
    ("turn", "response", {**LINE, "error": {"code": 1}}, "an error without words"),
    ("turn", "response", {**LINE, "error": {"code": "1", "message": ""}}, "the code is a text"),
    ("turn", "response", {**LINE, "error": {"code": 4, "message": ""}}, "a code without meaning"),
    ("turn", "response", {**LINE, "error": {"code": -32700, "message": ""}}, "unread, with an id"),
    (
        "turn",
        "response",
        {**LINE, "error": {"code": 2, "message": "", "data": {"wants": "dice"}}},
        "a misfit wants what no script has",
    ),
    (
        "turn",
        "response",
        {**LINE, "error": {"code": 2, "message": "", "data": {"offers": [24]}}},
        "an offer is a number",
    ),
    (
        "turn",
        "response",
        {**LINE, "error": {"code": 1, "message": "", "data": "claiming.lower"}},
        "the data of a refusal are a text",
    ),
    ("hello", "result", HELLO | {"rulings": {"six-faces": []}}, "a ruling without a value"),
    ("score", "result", {"worms": [-1]}, "worms are negative"),
    ("turn", "result", {"table": TABLE, "rolls_used": -1}, "fewer rolls than none"),
    ("legal", "result", LEGAL | {"keep": "6"}, "a face that no die has"),
]


def by_reason(cases: list[tuple[str, str, Any, str]]) -> list[Any]:
    """Return the cases as parameters, each called by what is wrong with it."""
    return [pytest.param(*case[:3], id=f"{case[0]}: {case[3]}") for case in cases]


@pytest.mark.parametrize(
    ("name", "part", "value"), by_reason([*MALFORMED_PAYLOADS, *MALFORMED_LINES])
)
def test_the_schemas_refuse_what_is_malformed(name: str, part: str, value: Any) -> None:
    """A message of the wrong shape does not fit its schema."""
    assert faults(name, part, value) != []


@pytest.mark.parametrize(("name", "part", "value"), by_reason(MALFORMED_PAYLOADS))
def test_the_harness_refuses_what_its_schemas_refuse(name: str, part: str, value: Any) -> None:
    """What the schemas call malformed, the decoders of the harness do not take either."""
    decoders = {"params": protocol.decode_params, "result": protocol.decode_result}[part]
    with pytest.raises(msgspec.ValidationError) as refusal:
        decoders[name](json.dumps(value).encode())
    assert str(refusal.value) != ""


@pytest.mark.parametrize(
    ("name", "part", "value"),
    [
        ("turn", "params", TURN),
        ("turn", "params", TURN | {"table": None}),
        ("turn", "params", decided(keep=None, claim=None)),
        ("turn", "result", {"table": {"grill": [37, 37], "stacks": []}}),
        ("hello", "result", HELLO),
        ("hello", "result", HELLO | {"capabilities": ["sing"], "rulings": {"x": ["a", "b"]}}),
        ("legal", "result", LEGAL),
        ("score", "result", {"worms": None}),
    ],
)
def test_the_schemas_allow_what_is_well_formed(name: str, part: str, value: Any) -> None:
    """Shape is all that counts: tiles that don't exist and unknown names are well-formed."""
    assert faults(name, part, value) == []


# What the schemas ask for and the harness forgives, by struct.
FORGIVEN = {
    "Request": {"jsonrpc", "params"},
    "ErrorMessage": {"message"},
}
STRUCTS: list[tuple[type[msgspec.Struct], str, str]] = [
    *((params, method, "params") for method, params in PARAMS.items()),
    *((RESULTS[name], name, "result") for name in RESULTS if name not in ("turn", "settle")),
    (protocol.TurnResult, "common", "settled"),
    (protocol.TableMessage, "common", "table"),
    (ClaimMessage, "common", "claim"),
    (Decision, "common", "decision"),
    (protocol.Step, "common", "step"),
    (protocol.Request, "common", "request"),
]


@pytest.mark.parametrize(("struct", "name", "part"), STRUCTS)
def test_structs_and_schemas_agree(struct: type[msgspec.Struct], name: str, part: str) -> None:
    """A message has the same members in the code and in its schema, and needs the same ones."""
    schema = SCHEMAS[name]["$defs"][part]
    fields = msgspec.structs.fields(struct)
    needed = {field.encode_name for field in fields if field.required}
    assert (
        set(schema.get("properties", {})),
        set(schema.get("required", ())),
    ) == (
        {field.encode_name for field in fields},
        needed | FORGIVEN.get(struct.__name__, set()),
    )


def test_errors_agree() -> None:
    """An error has the same members in the code and in the schemas, whatever its code."""
    definitions = SCHEMAS["common"]["$defs"]
    kinds = [definitions[one["$ref"].rpartition("/")[2]] for one in definitions["error"]["oneOf"]]
    data = [one["properties"]["data"]["properties"] for one in kinds if "data" in one["properties"]]
    fields = msgspec.structs.fields(protocol.ErrorMessage)
    needed = {field.encode_name for field in fields if field.required}
    assert (
        [needed | FORGIVEN["ErrorMessage"]] * len(kinds),
        {field.encode_name for field in fields},
        {field.encode_name for field in msgspec.structs.fields(protocol.ErrorData)},
    ) == (
        [set(one["required"]) for one in kinds],
        {name for one in kinds for name in one["properties"]},
        {name for one in data for name in one},
    )


def test_the_codes_agree() -> None:
    """The schemas know exactly the codes that the harness has names for."""
    codes = [
        one["properties"]["code"]
        for one in SCHEMAS["common"]["$defs"].values()
        if "code" in one.get("properties", {})
    ]
    assert sorted(
        [REFUSED, MISFIT, CRASHED, NO_SUCH_METHOD, MALFORMED, INVALID_REQUEST, PARSE_ERROR]
    ) == sorted(code for one in codes for code in one.get("enum", [one.get("const")]))


# How an engine behaves on the wire.


def test_pipelined_requests_come_back_in_order() -> None:
    """A thousand requests sent at once are answered one for one, in their order."""
    requests = [
        {"jsonrpc": "2.0", "id": n, "method": ("start", "legal", "fly")[n % 3], "params": params}
        for n in range(1000)
        for params in [{"players": 2 + n % 6, "table": None, "kept": ""}]
    ]
    assert list(range(1000)) == [answer["id"] for answer in converse(SERVE, requests)]


def test_a_request_is_answered_before_the_next_one_comes() -> None:
    """An engine answers line by line: it does not wait for more, nor for its stdin to close."""
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        heard = []
        for request, _ in EXCHANGES[:4]:
            engine.stdin.write(json.dumps(request).encode() + b"\n")
            engine.stdin.flush()
            heard.append(without_words(json.loads(engine.stdout.readline())))
        engine.stdin.close()
    assert [without_words(answer) for _, answer in EXCHANGES[:4]] == heard


def test_the_engine_leaves_when_its_stdin_is_closed() -> None:
    """At the end of its input an engine leaves by itself, with status 0 and nothing said."""
    done = subprocess.run(SERVE, input=b"", capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_engine_ignores_unknown_members() -> None:
    """The transcript with a stranger in every object of every request gets the same answers."""
    engine, plain = ReferenceEngine(), ReferenceEngine()
    requests = [request for request, _ in EXCHANGES]
    assert [respond(plain, json.dumps(one).encode()) for one in requests] == [
        respond(engine, json.dumps(with_strangers(one)).encode()) for one in requests
    ]


class Talkative(InProcess):
    """A wire to an engine that says more than it was asked, in every object."""

    def receive(self) -> bytes:
        """Return the next answer, with strangers in it."""
        return json.dumps(with_strangers(json.loads(super().receive()))).encode()


def test_the_harness_ignores_unknown_members() -> None:
    """An engine that says more than the protocol knows is understood as if it did not."""

    def replies(wire: InProcess) -> list[Reply]:
        with Engine(lambda: wire) as engine:
            return engine.ask(
                StartParams(3),
                TurnParams(
                    None,
                    ["1234WWW5", "11344"],
                    [Decision("W", "roll"), Decision("4", "stop", ClaimMessage(take=23))],
                ),
                LegalParams(None, "WWW44"),
                ScoreParams([[21], [36]]),
            )

    assert replies(InProcess(ReferenceEngine())) == replies(Talkative(ReferenceEngine()))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"hello", PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":1,', PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"hello"}', INVALID_REQUEST),
    ],
)
def test_a_line_that_is_no_request_is_answered_without_an_id(line: bytes, code: int) -> None:
    """Garbage, and JSON that is no request, are two errors; both are answered with a null id."""
    answer = json.loads(respond(ReferenceEngine(), line))
    assert ([], None, code) == (
        faults("common", "unread", answer),
        answer["id"],
        answer["error"]["code"],
    )


# Engines that are Python classes.


class Grumpy:
    """An engine that does nothing it is asked for, in every way there is."""

    def hello(self) -> Message:
        """Leave out the version of the protocol."""
        return {"name": "grumpy", "players": [2, 7]}

    def start(self, players: int) -> Message:
        """Refuse."""
        raise Refused(f"{players} are too many", rule="setup.players")

    def turn(self, table: Message | None, rolls: list[str], decisions: list[Message]) -> Message:
        """Ask for more."""
        if table is None:
            raise Misfit(
                "more", after_rolls=len(rolls), wants="claim", dice=3, offers=[{"take": 21}]
            )
        raise Refused(f"not with {len(decisions)} decisions")

    def score(self, stacks: list[list[int]]) -> Message:
        """Break down."""
        return {"worms": [100 // len(stack) for stack in stacks]}

    def legal(self, table: Message | None, kept: str, roll: str | None) -> Message:
        """Answer with something that is no JSON."""
        return {"keep": object(), "table": table, "kept": kept, "roll": roll}

    def settle(
        self, table: Message | None, kept: str, claim: Message | None, dead: bool
    ) -> Message:
        """Find no sense in it."""
        raise Malformed(f"{table} {kept} {claim} {dead}")

    def configure(self, rulings: dict[str, str]) -> Message:
        """Know no such thing."""
        raise NotImplementedError(rulings)


@pytest.mark.parametrize(
    ("method", "params", "error"),
    [
        (
            "start",
            {"players": 8},
            {"code": REFUSED, "message": "8 are too many", "data": {"rule": "setup.players"}},
        ),
        (
            "turn",
            {"table": TABLE, "rolls": [], "decisions": []},
            {"code": REFUSED, "message": "not with 0 decisions"},
        ),
        (
            "turn",
            {"table": None, "rolls": ["W"], "decisions": []},
            {
                "code": MISFIT,
                "message": "more",
                "data": {"after_rolls": 1, "wants": "claim", "dice": 3, "offers": [{"take": 21}]},
            },
        ),
        (
            "score",
            {"stacks": [[]]},
            {
                "code": CRASHED,
                "message": "ZeroDivisionError: integer division or modulo by zero "
                "(test_protocol.py, line N)",
            },
        ),
        (
            "legal",
            {"table": None, "kept": ""},
            {
                "code": CRASHED,
                "message": "TypeError: Encoding objects of type object is unsupported",
            },
        ),
        (
            "settle",
            {"table": None, "kept": "W"},
            {"code": MALFORMED, "message": "None W None False"},
        ),
        (
            "configure",
            {"rulings": {}},
            {"code": NO_SUCH_METHOD, "message": "no method 'configure'"},
        ),
    ],
    ids=[
        "refused-by-a-rule",
        "refused",
        "misfit",
        "exception",
        "no-json",
        "malformed",
        "not-implemented",
    ],
)
def test_an_exception_of_a_class_is_an_error_of_the_protocol(
    method: str, params: Message, error: Message
) -> None:
    """`Refused`, `Misfit`, `Malformed`, `NotImplementedError` and any other are five errors."""
    answer = any_line(ask(Grumpy(), method, **params))
    assert ({"jsonrpc": "2.0", "id": 1, "error": error}, []) == (
        answer,
        faults(method, "response", answer),
    )


def any_line(answer: Message) -> Message:
    """Return an answer without the number of the line at which the class failed."""
    if "error" in answer:
        answer["error"]["message"] = re.sub(r"line \d+", "line N", answer["error"]["message"])
    return answer


def test_a_class_need_not_tell_the_version_of_the_protocol() -> None:
    """The host puts the version of the protocol into a hello that leaves it out."""
    hello = {"protocol": 1, "name": "grumpy", "players": [2, 7]}
    assert {"jsonrpc": "2.0", "id": 1, "result": hello} == ask(Grumpy(), "hello", protocol=1)


@pytest.mark.parametrize("method", ["start", "__init__", "respond"])
def test_a_method_that_is_absent_is_no_such_method(method: str) -> None:
    """Methods of the protocol that a class lacks, and any others that it has, are not found."""
    error = {"code": NO_SUCH_METHOD, "message": f"no method {method!r}"}
    answer = ask(object(), method, players=2)
    assert {"jsonrpc": "2.0", "id": 1, "error": error} == answer


NOISY = """
import os, subprocess, sys

print("imported")

class Noisy:
    def __init__(self):
        print("made")

    def hello(self):
        print('{"jsonrpc":"2.0","id":1,"result":"printed"}', flush=True)
        os.write(1, b"written\\n")
        subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)
        return {"name": "noisy", "players": [2, 7]}

    def start(self, players):
        sys.__stdout__.write("the old stdout")
        raise OSError("broken")
"""


def test_what_a_class_prints_stays_off_the_wire(tmp_path: Path) -> None:
    """Prints at import, in the class and from its children go to stderr; stdout has answers."""
    module = tmp_path / "noisy.py"
    module.write_text(NOISY)
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"protocol": 1}},
        {"jsonrpc": "2.0", "id": 2, "method": "start", "params": {"players": 2}},
    ]
    done = subprocess.run(
        [*HOST, f"{module}:Noisy"],
        input="".join(f"{json.dumps(request)}\n" for request in requests),
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    noise = ["imported", "made", "printed", "written", "from a child", "the old stdout"]
    assert (
        [
            {
                "jsonrpc": "2.0",
                "id": 1,
                "result": {"protocol": 1, "name": "noisy", "players": [2, 7]},
            },
            {
                "jsonrpc": "2.0",
                "id": 2,
                "error": {"code": CRASHED, "message": "OSError: broken (noisy.py, line 18)"},
            },
        ],
        noise,
    ) == (
        [json.loads(line) for line in done.stdout.splitlines()],
        [sound for sound in noise if sound in done.stderr],
    )


# The table that null means.


def test_null_means_the_table_that_a_start_or_a_turn_answered() -> None:
    """`settle`, `legal`, `score` and an error leave the table that null means as it is."""
    engine = ReferenceEngine()
    ask(engine, "start", players=2)
    before = ask(engine, "legal", table=None, kept="WWW44", roll=None)
    ask(engine, "settle", table=None, kept="WWW44", claim={"take": 23}, dead=False)
    ask(engine, "legal", table=TABLE, kept="WWW44")
    ask(engine, "score", stacks=[[23], [24]])
    ask(engine, "turn", table=TABLE, rolls=["12345WWW"], decisions=[])
    ask(engine, "start", players=8)
    assert before == ask(engine, "legal", table=None, kept="WWW44", roll=None)


def test_an_engine_remembers_nothing_but_the_table() -> None:
    """A turn is answered alike after any other: here after its own beginning, and a new start."""
    decisions = [
        {"keep": "W", "then": "roll"},
        {"keep": "4", "then": "stop", "claim": {"take": 23}},
    ]
    rolls = ["1234WWW5", "11344"]
    fresh, used = ReferenceEngine(), ReferenceEngine()
    ask(used, "start", players=2)
    ask(used, "turn", table=None, rolls=rolls[:1], decisions=decisions[:1])
    assert [
        ask(fresh, "start", players=2),
        ask(fresh, "turn", table=None, rolls=rolls, decisions=decisions),
    ] == [
        ask(used, "start", players=2),
        ask(used, "turn", table=None, rolls=rolls, decisions=decisions),
    ]


@pytest.mark.parametrize("claim", [{"take": 37}, {"steal": 2}, {"steal": 0}], ids=str)
def test_a_claim_on_what_does_not_exist_is_refused(claim: Message) -> None:
    """To claim a tile or rob a player that there is not is refused, and breaks nothing."""
    decisions = [
        {"keep": "W", "then": "roll"},
        {"keep": "4", "then": "stop", "claim": claim},
    ]
    rolls = ["1234WWW5", "11344"]
    answer = ask(ReferenceEngine(), "turn", table=TABLE, rolls=rolls, decisions=decisions)
    assert answer["error"]["code"] == REFUSED
