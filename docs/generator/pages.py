"""Every page of the site in one language, and the files that go with them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

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
from generator.languages import Language
from generator.macros import expand
from generator.places import DOCS
from pickomino_conformance.specification import CHAPTERS

Page = tuple[str, str]


def pages(say: Language) -> Iterator[Page]:
    """Yield every page: its path below the pages' folder, and its Markdown."""
    yield from written_pages(say)
    for chapter in CHAPTERS:
        yield f"rules/{chapter}.md", chapters.chapter_page(say, chapter)
    yield questions.PAGE, questions.questions_page(say)
    yield rulings.PAGE, rulings.rulings_page(say)
    yield from editions.pages(say)
    yield from words.pages(say)
    yield from api.pages(say)


def written_pages(say: Language) -> Iterator[Page]:
    """Yield the pages that are written by hand, with their macros replaced."""
    folder = DOCS / say.code
    for path in sorted(folder.rglob("*.md")):
        name = path.relative_to(folder).as_posix()
        yield name, expand(say, path.read_text(encoding="utf-8"), name)


def write_pages(say: Language, folder: Path) -> None:
    """Write all pages of a language, with scripts, styles and pictures, into an empty folder."""
    for name, text in pages(say):
        _write(folder / name, text)
    for part in ("images", "javascripts", "stylesheets"):
        shutil.copytree(DOCS / part, folder / part)
    _write(folder / "javascripts" / "editions.js", frame.edition_script(say))
    for name, text in play_data.page_files(say):
        _write(folder / name, text)
    (folder / samples.PLACE).mkdir()
    for path in samples.files():
        shutil.copy(path, folder / samples.PLACE)


def write_theme(say: Language, folder: Path) -> None:
    """Write what is laid over the theme into an empty folder."""
    shutil.copytree(DOCS / "overrides", folder, dirs_exist_ok=True)
    _write(folder / "partials" / "edition-picker.html", frame.edition_picker(say))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
