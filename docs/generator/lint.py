"""What is not translated: phrases without words in a language, idle translations, missing pages."""

from collections.abc import Iterator
from pathlib import Path

from generator import frame
from generator.languages import Language, read_language
from generator.pages import pages
from generator.places import DEFAULT_LANGUAGE, DOCS, LANGUAGES


def complaints() -> list[str]:
    """Return everything that a reader of another language would miss, one sentence each."""
    found = list(missing_pages(DOCS))
    for code in LANGUAGES:
        if code != DEFAULT_LANGUAGE:
            found += missing_phrases(read_language(code))
    return found


def missing_pages(folder: Path) -> Iterator[str]:
    """Yield the hand-written pages that one language has and another has not."""
    names = {
        code: {path.relative_to(folder / code).as_posix() for path in (folder / code).rglob("*.md")}
        for code in LANGUAGES
    }
    every = set().union(*names.values())
    for code, own in names.items():
        for name in sorted(every - own):
            yield f"docs/{code}/{name} does not exist, though other languages have that page."


def missing_phrases(say: Language) -> Iterator[str]:
    """Yield the phrases that all pages ask of a language in vain, and those that none asks for."""
    for _ in pages(say):
        pass
    frame.edition_picker(say)
    frame.edition_script(say)
    for text in say.missing:
        yield f"No {say.code} words for: {text}"
    for text in say.unused:
        yield f"Nothing asks for the {say.code} words of: {text}"
