"""The languages of the site: a language is a folder of `docs/` with a `language.toml` in it.

Everything of a language lies in that folder, and nowhere else:

- `language.toml`: its name for itself, and how far it has come
- `phrases/*.toml`: its words for what the site says, by the English text
- the pages that are written by hand, under the names that they have in `docs/en/`

What a language has no words for is said in English, and noted.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from generator.places import DEFAULT_LANGUAGE, DOCS

FILE = "language.toml"
_FIELDS: dict[str, type] = {"name": str, "search": str, "complete": bool}


class WrongLanguage(ValueError):
    """A folder of a language that does not say what it should."""


@dataclass(eq=False)
class Language:
    """A language that says English text in its own words, and notes what it has no words for.

    Attributes:
        code: `en` or `nl`, say: the name of its folder.
        phrases: its words, by the English text.
        folder: where its pages are.
        name: what it calls itself.
        search: the language by whose rules the search cuts its words down.
        complete: whether a missing word is a mistake, rather than work to be done.
        asked: every text that was asked for.
        missing: those of them that have no translation; they were said in English.
        missing_pages: the pages that were asked for in vain; they too were told in English.
        misses: how often it fell back on English.
    """

    code: str
    phrases: dict[str, str] = field(default_factory=dict)
    folder: Path = DOCS / DEFAULT_LANGUAGE
    name: str = ""
    search: str = DEFAULT_LANGUAGE
    complete: bool = True
    asked: set[str] = field(default_factory=set, init=False)
    missing: dict[str, None] = field(default_factory=dict, init=False)
    missing_pages: dict[str, None] = field(default_factory=dict, init=False)
    misses: int = field(default=0, init=False)

    def __call__(self, english: str, /, **values: object) -> str:
        """Return the text in this language, with its `{values}` filled in."""
        self.asked.add(english)
        text = english
        if not self.is_default:
            if english in self.phrases:
                text = self.phrases[english]
            else:
                self.missing[english] = None
                self.misses += 1
        return text.format(**values) if values else text

    @property
    def is_default(self) -> bool:
        """Whether this is English, from which all others are translated."""
        return self.code == DEFAULT_LANGUAGE

    @property
    def place(self) -> str:
        """Its address, seen from the site's root."""
        return "" if self.is_default else f"{self.code}/"

    @property
    def unused(self) -> list[str]:
        """The English texts that have a translation which nothing asked for."""
        return sorted(set(self.phrases) - self.asked)

    def html(self, english: str) -> str:
        """Return the text in this language as HTML."""
        return escape(self(english), quote=False)

    def each(self, texts: Iterable[str]) -> list[str]:
        """Return several texts in this language."""
        return [self(text) for text in texts]

    def page(self, name: str) -> str:
        """Return the text of a page that is written by hand, such as `engines/index.md`."""
        path = self.folder / name
        if not path.is_file():
            self.missing_pages[name] = None
            self.misses += 1
            path = DOCS / DEFAULT_LANGUAGE / name
        return path.read_text(encoding="utf-8")


def language_codes(docs: Path = DOCS) -> list[str]:
    """Return the languages that have a folder, English first."""
    codes = [path.parent.name for path in docs.glob(f"*/{FILE}")]
    return sorted(codes, key=lambda code: (code != DEFAULT_LANGUAGE, code))


def read_languages(docs: Path = DOCS) -> list[Language]:
    """Return all languages, English first."""
    return [read_language(code, docs) for code in language_codes(docs)]


def read_language(code: str, docs: Path = DOCS) -> Language:
    """Return the language of a folder.

    Raises:
        WrongLanguage: its `language.toml` lacks something, or two files translate one text.
    """
    folder = docs / code
    told = _read_fields(folder / FILE)
    return Language(code, _read_phrases(folder / "phrases"), folder, **told)


def page_names(folder: Path) -> list[str]:
    """Return the names of the pages that are written by hand in the folder of a language."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))


def _read_fields(path: Path) -> dict[str, Any]:
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    if {name: type(value) for name, value in told.items()} != _FIELDS:
        expected = ", ".join(f"{name} ({kind.__name__})" for name, kind in _FIELDS.items())
        came = ", ".join(f"{name} = {value!r}" for name, value in told.items()) or "nothing"
        raise WrongLanguage(f"{path}: expected {expected}; came {came}.")
    return told


def _read_phrases(folder: Path) -> dict[str, str]:
    phrases: dict[str, str] = {}
    for path in sorted(folder.glob("*.toml")):
        for english, text in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if english in phrases:
                raise WrongLanguage(f"{path}: {english!r} is translated in another file too.")
            phrases[english] = text
    return phrases
