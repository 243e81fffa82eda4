"""The languages of the site: English text is the key, a table of phrases its translation."""

import tomllib
from collections.abc import Iterable
from html import escape
from pathlib import Path

from generator.places import DEFAULT_LANGUAGE, DOCS

TRANSLATIONS = DOCS / "translations"


class Language:
    """A language that says English text in its own words, and notes what it has no words for.

    Attributes:
        code: `en` or `nl`.
        phrases: its words, by the English text.
        asked: every text that was asked for.
        missing: those of them that have no translation; they were said in English.
    """

    def __init__(self, code: str, phrases: dict[str, str] | None = None) -> None:
        self.code = code
        self.asked: set[str] = set()
        self.missing: dict[str, None] = {}
        self.phrases = phrases or {}

    def __call__(self, english: str, /, **values: object) -> str:
        """Return the text in this language, with its `{values}` filled in."""
        self.asked.add(english)
        text = english
        if self.code != DEFAULT_LANGUAGE:
            if english in self.phrases:
                text = self.phrases[english]
            else:
                self.missing[english] = None
        return text.format(**values) if values else text

    def html(self, english: str) -> str:
        """Return the text in this language as HTML."""
        return escape(self(english), quote=False)

    def each(self, texts: Iterable[str]) -> list[str]:
        """Return several texts in this language."""
        return [self(text) for text in texts]

    @property
    def unused(self) -> list[str]:
        """The English texts that have a translation which nothing asked for."""
        return sorted(set(self.phrases) - self.asked)


def read_language(code: str, folder: Path = TRANSLATIONS) -> Language:
    """Return a language with the phrases of `docs/translations/CODE/*.toml`.

    Raises:
        ValueError: two files translate one text.
    """
    phrases: dict[str, str] = {}
    for path in sorted((folder / code).glob("*.toml")):
        for english, text in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if english in phrases:
                raise ValueError(f"{path.name}: {english!r} is translated in another file too.")
            phrases[english] = text
    return Language(code, phrases)
