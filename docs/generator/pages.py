"""Every page of the site in one language, and the files that go with them.

A page, or the data of one, for which a language lacks any word is shown in English as a whole:
readers, and the voices that read to them, do well with either language, but not with a mixture.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from generator import (
    api,
    chapters,
    editions,
    frame,
    play_data,
    questions,
    rulings,
    samples,
    words,
)
from generator.languages import Language, page_names
from generator.macros import expand
from generator.places import DEFAULT_LANGUAGE, DOCS
from pickomino_conformance.specification import CHAPTERS

Named = tuple[str, str]

_FRONT = re.compile(r"\A---\n(.*?)^---\n", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r"^title: .*\n", re.MULTILINE)
_FIRST_TITLE = re.compile(r"^(?:title: |# )(.+?)(?: \{:.*\})?$", re.MULTILINE)


class Page(NamedTuple):
    """A page, or a file of data.

    Attributes:
        name: its path below the pages' folder.
        text: its Markdown, or its data.
        translated: whether it is in the language that was asked for, and not in English instead.
    """

    name: str
    text: str
    translated: bool

    @property
    def title(self) -> str:
        """Its title: that of its front matter, or its first heading."""
        found = _FIRST_TITLE.search(self.text)
        assert found, f"{self.name} has no title"
        return found[1]


def pages(say: Language) -> Iterator[Page]:
    """Yield every page."""
    return _all_or_nothing(say, _pages)


def data(say: Language) -> Iterator[Page]:
    """Yield the data of the pages that are played with."""
    return _all_or_nothing(say, play_data.page_files)


def write_pages(say: Language, folder: Path) -> dict[str, str]:
    """Write all pages of a language, with scripts, styles and pictures, into an empty folder.

    Returns:
        The English titles of the pages that are shown in English, by their names.
    """
    english_titles = {}
    for page in pages(say):
        if page.translated:
            _write(folder / page.name, page.text)
        else:
            _write(folder / page.name, marked_english(page.text))
            english_titles[page.name] = page.title
    for part in ("images", "javascripts", "stylesheets"):
        shutil.copytree(DOCS / part, folder / part)
    _write(folder / "javascripts" / "editions.js", frame.edition_script(say))
    for page in data(say):
        _write(folder / page.name, page.text)
    (folder / samples.PLACE).mkdir()
    for path in samples.files():
        shutil.copy(path, folder / samples.PLACE)
    return english_titles


def write_theme(say: Language, folder: Path) -> None:
    """Write what is laid over the theme into an empty folder."""
    shutil.copytree(DOCS / "overrides", folder, dirs_exist_ok=True)
    _write(folder / "partials" / "edition-picker.html", frame.edition_picker(say))


def marked_english(text: str) -> str:
    """Return a page that says of itself `in_english`, for the theme, in place of its title."""
    front = _FRONT.match(text)
    if not front:
        return f"---\nin_english: true\n---\n\n{text}"
    return f"---\nin_english: true\n{_TITLE.sub('', front[1])}---\n{text[front.end() :]}"


def _pages(say: Language) -> Iterator[Named]:
    yield from _written_pages(say)
    for chapter in CHAPTERS:
        yield f"rules/{chapter}.md", chapters.chapter_page(say, chapter)
    yield questions.PAGE, questions.questions_page(say)
    yield rulings.PAGE, rulings.rulings_page(say)
    yield from editions.pages(say)
    yield from words.pages(say)
    yield from api.pages(say)


def _written_pages(say: Language) -> Iterator[Named]:
    """Yield the pages that are written by hand, with their macros replaced."""
    for name in page_names(DOCS / DEFAULT_LANGUAGE):
        yield name, expand(say, say.page(name), name)


def _all_or_nothing(say: Language, make: Callable[[Language], Iterator[Named]]) -> Iterator[Page]:
    """Yield what is made in a language; in English where it fell back on it, be it for a word."""
    english: dict[str, str] = {}
    misses = say.misses
    for name, text in make(say):
        translated = say.misses == misses
        misses = say.misses
        if not translated and not english:
            english = dict(make(Language(DEFAULT_LANGUAGE)))
        yield Page(name, text if translated else english[name], translated)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
