"""The messages of the adapter protocol for its tests: schemas, transcript, and how to ask."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from pickomino_conformance.protocol.host import respond
from pickomino_reference.data import spec_dir

Message = dict[str, Any]

FOLDER = spec_dir() / "protocol"
URI = "pickomino:protocol/1/"

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
TABLE = {"grill": [21, 22], "face_down": [], "stacks": [[], [23]], "player": 0}


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
