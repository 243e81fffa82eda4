"""An engine that is a Python class, run as a program of the adapter protocol.

`python -m pickomino_conformance.protocol.host module:attribute` reads requests on stdin and
answers on stdout. What the class prints goes to stderr, so it can't disturb the answers.
"""

import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from pickomino_conformance import Malformed, Misfit, Refused
from pickomino_conformance.protocol.messages import (
    CRASHED,
    INVALID_REQUEST,
    MALFORMED,
    MISFIT,
    NO_SUCH_METHOD,
    PARAMS,
    PARSE_ERROR,
    PROTOCOL,
    REFUSED,
    Request,
    decode_params,
    decode_request,
)

CHUNK = 1 << 16
# The arguments of a method are the members of its params; hello has none.
ARGUMENTS: dict[str, list[tuple[str, Any]]] = {
    method: [(one.name, one.default) for one in msgspec.structs.fields(params)]
    for method, params in PARAMS.items()
} | {"hello": []}


class CannotLoad(Exception):
    """The class that was named can't be imported or made; the text says why."""


def load(name: str) -> Any:
    """Return an engine from `module:attribute` or `path/to/file.py:attribute`.

    The attribute is a class or a function without arguments, or a ready engine.

    Raises:
        CannotLoad: no such module or attribute, or making the engine failed.
    """
    place, _, attribute = name.rpartition(":")
    try:
        module = _module(place)
        found = getattr(module, attribute)
        return found() if callable(found) else found
    except Exception as error:
        raise CannotLoad(
            f"Can't make an engine of {name!r}: {type(error).__name__}: {error}{_place(error)}"
        ) from error


def _place(error: Exception) -> str:
    """Return where in the engine's own code an error is; nothing if it did not come so far."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename != __file__ and "<" not in frame.filename]
    return f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""


def _module(place: str) -> ModuleType:
    if not place.endswith(".py"):
        sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(place)
    spec = importlib.util.spec_from_file_location("pickomino_engine_under_test", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def serve(engine: Any) -> None:
    """Answer requests on stdin until it is closed.

    Requests may be pipelined; whatever has arrived is answered with a single write.
    """
    with quiet_stdout() as sink:
        rest = b""
        while chunk := os.read(0, CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            answers = [respond(engine, line) for line in lines if line.strip()]
            if answers:
                _write(sink, b"\n".join(answers) + b"\n")
        if rest.strip():
            _write(sink, respond(engine, rest) + b"\n")


def respond(engine: Any, line: bytes) -> bytes:
    """Return the line that answers a request."""
    try:
        request = decode_request(line)
    except msgspec.ValidationError as error:
        return _error(None, INVALID_REQUEST, f"not a request: {error}")
    except msgspec.DecodeError as error:
        return _error(None, PARSE_ERROR, f"not a line of JSON: {error}")
    method: Callable[..., Any] | None = getattr(engine, request.method, None)
    if request.method not in PARAMS or method is None:
        return _error(request.id, NO_SUCH_METHOD, f"no method {request.method!r}")
    try:
        params = _params(request)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        return _error(request.id, MALFORMED, f"malformed params of {request.method}: {error}")
    return _call(request, method, params)


def _params(request: Request) -> dict[str, Any]:
    """Return the params as plain dicts and lists, once their shape was checked."""
    raw = b"{}" if isinstance(request.params, msgspec.UnsetType) else bytes(request.params)
    if request.method != "hello":
        decode_params[request.method](raw)
    plain = msgspec.json.decode(raw)
    if not isinstance(plain, dict):
        raise msgspec.ValidationError("expected an object")
    return plain


def _call(request: Request, method: Callable[..., Any], params: dict[str, Any]) -> bytes:
    arguments = [params.get(name, default) for name, default in ARGUMENTS[request.method]]
    try:
        result = method(*arguments)
        if request.method == "hello":
            result = {"protocol": PROTOCOL, **result}
        return msgspec.json.encode({"jsonrpc": "2.0", "id": request.id, "result": result})
    except Refused as refused:
        data = {"rule": refused.rule} if refused.rule else None
        return _error(request.id, REFUSED, str(refused), data)
    except Misfit as misfit:
        return _error(request.id, MISFIT, str(misfit), misfit.data)
    except NotImplementedError:
        return _error(request.id, NO_SUCH_METHOD, f"no method {request.method!r}")
    except Malformed as error:
        return _error(request.id, MALFORMED, str(error))
    except Exception as error:  # noqa: BLE001  # whatever it is, the engine crashed
        traceback.print_exc()
        return _error(request.id, CRASHED, f"{type(error).__name__}: {error}{_place(error)}")


def _error(
    identity: int | str | None, code: int, message: str, data: dict[str, Any] | None = None
) -> bytes:
    error: dict[str, Any] = {"code": code, "message": message}
    if data:
        error["data"] = data
    return msgspec.json.encode({"jsonrpc": "2.0", "id": identity, "error": error})


@contextmanager
def quiet_stdout() -> Iterator[int]:
    """Send to stderr what is printed meanwhile; the value is the real standard output."""
    sys.stdout.flush()
    real = os.dup(1)
    os.dup2(2, 1)
    try:
        yield real
    finally:
        sys.stdout.flush()
        os.dup2(real, 1)
        os.close(real)


def _write(sink: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(sink, view) :]


def main(arguments: list[str]) -> int:
    """Run the engine that is named; return the exit status."""
    if len(arguments) != 1:
        print("Expected one argument, module:attribute.", file=sys.stderr)
        return 2
    try:
        with quiet_stdout():
            engine = load(arguments[0])
    except CannotLoad as error:
        print(error, file=sys.stderr)
        return 2
    serve(engine)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
