"""The names by which people read rules, rulings and editions (`docs/names.toml`)."""

import tomllib
from functools import cache

from generator.languages import Language
from generator.places import DOCS


@cache
def _names() -> dict[str, dict[str, str]]:
    return tomllib.loads((DOCS / "names.toml").read_text(encoding="utf-8"))


def name_of(say: Language, what: str, ident: str) -> str:
    """Return the name of an id; `what` is a table of `docs/names.toml`, such as `rules`.

    Raises:
        KeyError: the id has no name.
    """
    return say(_names()[what][ident])


def named(what: str) -> list[str]:
    """Return the ids that have a name, in order."""
    return list(_names()[what])
