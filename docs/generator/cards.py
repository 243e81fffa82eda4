"""The card of an edition: the quick start with every contested point settled, to print."""

import re

from generator.labels import fits, read_needs
from generator.languages import Language
from generator.macros import expand
from generator.names import name_of
from generator.places import link
from pickomino_reference.data import read_spec

SOURCE = "quick-start.md"
_WHEN = re.compile(r"^\[\[when ([^\]]+)\]\]\n(.*?)^\[\[end\]\]\n", re.MULTILINE | re.DOTALL)
_CARD = re.compile(r"<!-- card -->\n(.*)<!-- end of the card -->", re.DOTALL)


def card_page(say: Language, name: str) -> str:
    """Return the page of a card."""
    page = f"cards/{name}.md"
    rulings = read_spec("editions")["editions"][name]["rulings"]
    card = expand(say, settle(card_of(say.page(SOURCE)), rulings), page)
    title = name_of(say, "editions", name)
    edition = link(page, f"editions/{name}/")
    return (
        f"---\ntitle: {title}\nhide:\n  - navigation\n  - toc\nsearch:\n  exclude: true\n---\n\n"
        f'<p class="card-tools"><button type="button" class="md-button md-button--primary" '
        f"data-print hidden>{say('Print this card')}</button> "
        f'<a class="md-button" href="{edition}">{say("About this edition")}</a></p>\n\n'
        f'<div class="card" markdown="1">\n\n# {say("Pickomino")} · {title}\n\n{card}\n</div>\n'
    )


def card_of(text: str) -> str:
    """Return the part of the quick start that goes on the card.

    Raises:
        ValueError: the marks around it are missing.
    """
    found = _CARD.search(text)
    if not found:
        raise ValueError(f"{SOURCE}: expected `<!-- card -->` and `<!-- end of the card -->`.")
    return found[1]


def settle(text: str, rulings: dict[str, str]) -> str:
    """Return a text with only those of its `[[when]]` parts that hold under these rulings."""

    def replace(found: re.Match[str]) -> str:
        return found[2] if fits(rulings, read_needs(found[1])) else ""

    return _WHEN.sub(replace, text)
