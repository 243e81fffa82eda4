"""What the pages that are played with need: their data, and Python for the referee.

`page_files` belong to each language's pages, `site_files` to the site once.
"""

import io
import json
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pickomino_conformance
import pickomino_reference
from generator.languages import Language
from generator.names import name_of
from generator.places import BUILD, DOCS
from generator.prose import rule_address
from pickomino_conformance.specification import rules
from pickomino_reference import BASE, DEFAULT_EDITION
from pickomino_reference.data import read_spec, spec_dir

NODE_MODULES = BUILD / "npm" / "node_modules"

# What of the npm package the browser asks for; the rest is for Node, or would fetch from elsewhere.
_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_LOCK = "pyodide-lock.json"
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


def page_files(say: Language) -> Iterator[tuple[str, str]]:
    """Yield the data of the scripts: a path below the pages' folder, and its text."""
    for name, data in (("referee", referee_data(say)), ("which-edition", which_edition_data(say))):
        told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        yield f"javascripts/data/{name}.json", told


def site_files() -> Iterator[tuple[str, bytes]]:
    """Yield Python for the browser: a path below the site's folder, and its bytes.

    Raises:
        FileNotFoundError: the npm package is not there; the text says how it comes there.
    """
    package = NODE_MODULES / "pyodide"
    if not package.is_dir():
        raise FileNotFoundError(
            f"{package} is not there: it is Python for the referee page. "
            "`make site` fetches it with npm, which comes with Node."
        )
    for name in _PYODIDE:
        yield f"python/{name}", (package / name).read_bytes()
    yield f"python/{_LOCK}", _without_packages(package / _LOCK)
    yield "python/rules.zip", rules_zip()


def referee_data(say: Language) -> dict[str, Any]:
    """Return what the referee page is told; `href` is an address seen from the first page."""
    return {
        "words": words(say, "referee"),
        "default": DEFAULT_EDITION,
        "box": {"points": BASE.points, "worm": BASE.worm, "worms": BASE.worms},
        "rules": {
            rule: {"name": name_of(say, "rules", rule), "href": rule_address(rule)}
            for rule in rules()
        },
        "editions": {
            name: {"name": name_of(say, "editions", name), "href": f"editions/{name}/"}
            for name in read_spec("editions")["editions"]
        },
    }


def which_edition_data(say: Language) -> dict[str, Any]:
    """Return what the page "Which edition is in my box?" is told."""
    spec = read_spec("editions")
    return {
        "words": words(say, "which-edition"),
        "first": {"href": "./"},
        "rulings": {
            ruling: {
                "name": name_of(say, "rulings", ruling),
                "question": say(told["question"]),
                "alternatives": {value: say(text) for value, text in told["alternatives"].items()},
                "href": f"rulings/#{ruling}",
            }
            for ruling, told in read_spec("rulings").items()
        },
        "editions": {
            name: {
                "name": name_of(say, "editions", name),
                "found": say(edition["found"]),
                "kind": edition["kind"],
                "rulings": edition["rulings"],
                "href": f"editions/{name}/",
            }
            for name, edition in spec["editions"].items()
        },
    }


def words(say: Language, page: str) -> dict[str, str]:
    """Return the words of a page in a language, as `docs/words/PAGE.toml` has them in English."""
    return {word: say(text) for word, text in read_words(page).items()}


@cache
def read_words(page: str) -> dict[str, str]:
    """Return the words of a page in English."""
    return tomllib.loads((DOCS / "words" / f"{page}.toml").read_text(encoding="utf-8"))


def rules_zip() -> bytes:
    """Return the unmodified reference with its data, and what explains it, as a zip file."""
    reference = Path(pickomino_reference.__path__[0])
    harness = Path(pickomino_conformance.__path__[0])
    packed = {
        **_below(reference, "pickomino_reference", "*.py"),
        **_below(spec_dir(), "pickomino_reference/spec", "*.toml"),
        **_below(harness / "explain", "pickomino_conformance/explain", "*.py"),
        "pickomino_conformance/__init__.py": harness / "__init__.py",
        "referee_bridge.py": DOCS / "browser" / "referee_bridge.py",
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in sorted(packed.items()):
            archive.writestr(
                zipfile.ZipInfo(name, _ZIP_DATE), path.read_bytes(), zipfile.ZIP_DEFLATED
            )
    return made.getvalue()


def _below(folder: Path, place: str, pattern: str) -> dict[str, Path]:
    return {f"{place}/{path.name}": path for path in folder.glob(pattern)}


def _without_packages(lock: Path) -> bytes:
    """Return Pyodide's list of packages, emptied: none is loaded, none can be."""
    told = json.loads(lock.read_bytes()) | {"packages": {}}
    return json.dumps(told).encode()
