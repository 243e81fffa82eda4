"""The chapters of `spec/rules/` with what stands around the rules: introductions and notes."""

import re
from dataclasses import dataclass
from functools import cache
from html import escape

from generator.languages import Language
from generator.names import name_of, named
from generator.places import link
from pickomino_conformance.specification import RuleProse, parse_chapter
from pickomino_reference.data import spec_dir

_HEADING = re.compile(r"^### (\S+)$", re.MULTILINE)
_NOTE = re.compile(r"^Note: (.+?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter as it is told.

    Attributes:
        name: the name of its file.
        introduction: its first sentences.
        rules: in order.
        notes: by rule, the sentences of its note.
    """

    name: str
    introduction: tuple[str, ...]
    rules: tuple[RuleProse, ...]
    notes: dict[str, tuple[str, ...]]


@cache
def read_chapter(name: str) -> Chapter:
    """Return a chapter of the specification."""
    text = (spec_dir() / "rules" / f"{name}.md").read_text(encoding="utf-8")
    start, *parts = _HEADING.split(text)
    notes = {
        rule: tuple(note[1].strip().split("\n"))
        for rule, body in zip(parts[::2], parts[1::2], strict=True)
        if (note := _NOTE.search(body))
    }
    introduction = [line for line in start.splitlines()[1:] if line.strip()]
    return Chapter(name, tuple(introduction), tuple(parse_chapter(text)), notes)


def told(say: Language, sentences: tuple[str, ...], page: str) -> str:
    """Return sentences as HTML, with links for what they name."""
    return " ".join(linked(say, sentence, page) for sentence in say.each(sentences))


def linked(say: Language, text: str, page: str) -> str:
    """Return a text as HTML; what it names between backticks becomes a link, or code."""
    parts = _CODE.split(text)
    return "".join(
        _named(say, part, page) if index % 2 else escape(part, quote=False)
        for index, part in enumerate(parts)
    )


def rule_address(rule: str) -> str:
    """Return where a rule stands, seen from the first page."""
    return f"rules/{rule.partition('.')[0]}/#{rule}"


def rule_link(say: Language, rule: str, page: str) -> str:
    """Return a link to a rule, with its name."""
    name = escape(name_of(say, "rules", rule))
    return f'<a href="{link(page, rule_address(rule))}" title="{rule}">{name}</a>'


def _named(say: Language, ident: str, page: str) -> str:
    if ident in named("rules"):
        return rule_link(say, ident, page)
    if ident in named("editions"):
        name = escape(name_of(say, "editions", ident))
        return f'<a href="{link(page, f"editions/{ident}/")}">{name}</a>'
    ruling = ident.partition(" ")[0]
    if ruling in named("rulings"):
        return f'<a href="{link(page, f"rulings/#{ruling}")}"><code>{escape(ident)}</code></a>'
    return f"<code>{escape(ident)}</code>"
