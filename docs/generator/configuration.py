"""The configuration of MkDocs for a language: `mkdocs.yml`, which is English, in its words."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import yaml

from generator.languages import Language
from generator.places import DEFAULT_LANGUAGE, ROOT

FILE = ROOT / "mkdocs.yml"
UNTRANSLATED = "This page is not translated yet."


def configuration(
    say: Language, every: Iterable[Language], english_titles: Mapping[str, str]
) -> dict[str, Any]:
    """Return what a language changes in `mkdocs.yml`; paths are told from `build/`.

    `every` is all languages, which the reader can change to. `english_titles` has the title of
    each page that is shown in English; the navigation names these in the language itself, all
    others bear their own titles.
    """
    base = _base()
    return {
        "INHERIT": str(FILE),
        "site_name": say(base["site_name"]),
        "site_description": say(base["site_description"]),
        "copyright": say(base["copyright"]),
        "docs_dir": f"pages/{say.code}",
        "site_dir": f"site/{say.code}",
        "theme": {
            "custom_dir": f"theme/{say.code}",
            "language": say.code,
            "palette": [_scheme(say, one) for one in base["theme"]["palette"]],
        },
        "extra": {
            "root": "" if say.is_default else "../",
            "languages": [
                {"code": one.code, "name": one.name, "place": one.place}
                for one in every
                if one.code != say.code
            ],
            "untranslated": say(UNTRANSLATED),
        },
        "markdown_extensions": [_extension(say, one) for one in base["markdown_extensions"]],
        "plugins": [{"search": {"lang": _search(say)}}],
        "nav": _navigation(say, base["nav"], english_titles),
    }


@cache
def _base() -> Any:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def _scheme(say: Language, scheme: dict[str, Any]) -> dict[str, Any]:
    """Return a colour scheme with the name of the button that leaves it."""
    toggle = scheme["toggle"]
    return scheme | {"toggle": toggle | {"name": say(toggle["name"])}}


def _extension(say: Language, extension: str | dict[str, Any]) -> str | dict[str, Any]:
    """Return an extension of Markdown; that of headings says what their links are for."""
    if isinstance(extension, str) or "toc" not in extension:
        return extension
    options = extension["toc"]
    return {"toc": options | {"permalink_title": say(options["permalink_title"])}}


def _search(say: Language) -> list[str]:
    """Return the languages of the words on the pages; some may be English still."""
    return list(dict.fromkeys([say.search] if say.complete else [say.search, DEFAULT_LANGUAGE]))


def _navigation(say: Language, entries: list[Any], english_titles: Mapping[str, str]) -> list[Any]:
    return [_entry(say, entry, english_titles) for entry in entries]


def _entry(say: Language, entry: Any, english_titles: Mapping[str, str]) -> Any:
    """Return an entry: the name of a page, or a title with a page or the entries below it."""
    if isinstance(entry, str):
        return {say(english_titles[entry]): entry} if entry in english_titles else entry
    ((title, below),) = entry.items()
    if isinstance(below, str):
        return {say(title): below}
    return {say(title): _navigation(say, below, english_titles)}
