"""The protocol's schemas: what they refuse, and that the code agrees with them."""

import json
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from pickomino_conformance.protocol import messages
from pickomino_conformance.protocol.messages import (
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
)
from protocol_messages import (
    EXCHANGES,
    REGISTRY,
    SCHEMAS,
    TABLE,
    URI,
    Message,
    faults,
    kind,
    objects,
    with_strangers,
)


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
    decoders = {"params": messages.decode_params, "result": messages.decode_result}[part]
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
    (messages.TurnResult, "common", "settled"),
    (messages.TableMessage, "common", "table"),
    (messages.ClaimMessage, "common", "claim"),
    (messages.DecisionMessage, "common", "decision"),
    (messages.StepMessage, "common", "step"),
    (messages.Request, "common", "request"),
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
    fields = msgspec.structs.fields(messages.ErrorMessage)
    needed = {field.encode_name for field in fields if field.required}
    assert (
        [needed | FORGIVEN["ErrorMessage"]] * len(kinds),
        {field.encode_name for field in fields},
        {field.encode_name for field in msgspec.structs.fields(messages.ErrorData)},
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
