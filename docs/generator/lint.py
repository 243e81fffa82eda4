"""What is not translated: phrases without words in a language, idle translations, missing pages."""

from collections.abc import Iterator
from typing import NamedTuple

from generator import frame
from generator.configuration import configuration
from generator.languages import Language, page_names
from generator.pages import data, pages
from generator.places import DEFAULT_LANGUAGE, DOCS


class Complaints(NamedTuple):
    """What a reader of a language would miss, one sentence each.

    Attributes:
        missing: what it has no words for; a mistake if the language is said to be complete.
        idle: words that nothing asks for; always a mistake.
    """

    missing: list[str]
    idle: list[str]


def complaints(say: Language) -> Complaints:
    """Return what a language lacks, and what it has in vain, after it has said everything."""
    _say_everything(say)
    missing = [
        f"docs/{say.code}/{name} does not exist, though there is such a page in English."
        for name in say.missing_pages
    ]
    missing += [f"No {say.code} words for: {text}" for text in say.missing]
    return Complaints(missing, [*_idle(say)])


def wrong(say: Language, found: Complaints) -> bool:
    """Whether what was found is a mistake, rather than work to be done."""
    return bool(found.idle or (say.complete and found.missing))


def _say_everything(say: Language) -> None:
    english_titles = {page.name: page.title for page in pages(say) if not page.translated}
    for _ in data(say):
        pass
    frame.edition_picker(say)
    frame.edition_script(say)
    configuration(say, [], english_titles)


def _idle(say: Language) -> Iterator[str]:
    for name in sorted({*page_names(say.folder)} - {*page_names(DOCS / DEFAULT_LANGUAGE)}):
        yield f"docs/{say.code}/{name} has no page in English that it could be told from."
    for text in say.unused:
        yield f"Nothing asks for the {say.code} words of: {text}"
