"""The pages of words and of sources: glossary and bibliography."""

import re
from collections.abc import Iterator
from html import escape

from generator.languages import Language
from generator.names import name_of
from pickomino_reference.data import read_spec, spec_dir

_ENTRY = re.compile(r"^- \*\*(.+?)\*\*: (.+)$", re.MULTILINE)


def pages(say: Language) -> Iterator[tuple[str, str]]:
    """Yield the two pages."""
    yield "glossary.md", glossary_page(say)
    yield "sources.md", sources_page(say)


def read_glossary() -> dict[str, str]:
    """Return what each word of the game means."""
    text = (spec_dir() / "glossary.md").read_text(encoding="utf-8")
    return dict(_ENTRY.findall(text))


def glossary_page(say: Language) -> str:
    """Return the page of the game's words."""
    entries = [
        f"**{say(word)}**{_english(say, word)}\n:   {say(meaning)}"
        for word, meaning in read_glossary().items()
    ]
    heading = f"# {say('Words of the game')}"
    return "\n\n".join([heading, say("Each word has one meaning here."), *entries]) + "\n"


def sources_page(say: Language) -> str:
    """Return the bibliography."""
    spec = read_spec("sources")["sources"]
    introduction = say(
        "Where sources differ, the rulebook of the box leads. "
        "What each of them says of a rule stands under that rule."
    )
    parts = [f"# {say('Sources')}", introduction]
    for name, source in spec.items():
        told = ", ".join(filter(None, [say.html(source["publisher"]), str(source.get("year", ""))]))
        parts += [
            f"## {escape(name_of(say, 'sources', name))} {{: #{name} }}",
            f"<cite>{escape(source['title'])}</cite>. {say('Publisher:')} {told}. "
            f"{say('Read:')} {say(source['read'])}.",
            say.html(source["note"]),
        ]
    return "\n\n".join(parts) + "\n"


def _english(say: Language, word: str) -> str:
    return "" if say(word) == word else f" <span lang='en'>({word})</span>"
