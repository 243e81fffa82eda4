"""The macros of hand-written pages: pieces and examples by name, and text that hangs on a ruling.

- `[[dice 1 1 2 W]]`, `[[dice 1 1 2 W: W]]` (the worms chosen), `[[die W]]`
- `[[tile 25]]`, `[[tiles 21 to 24]]`, `[[stack 22 30]]`, `[[grill 21 22 to 36]]`
- `[[rule failing.flip-highest]]` (a link), `[[edition zoch-2005]]` (a link),
  `[[ruling flip-without-return]]` (its question and answers, on a line of its own)
- `[[case failing/question-11]]` (the example, drawn, on a line of its own)
- `[[when flip-without-return=no]]` … `[[end]]` on lines of their own: text that holds only there
- `[[to rules/failing/]]` (an address as seen from this page, for links)
- `[[file my_engine.py]]` (a file to take along), `[[shown identify]]` (a command and what it
  prints), `[[exchange 6]]` (a request of the protocol and its answer), each on lines of their own
- `[[checks]]`, `[[verdicts]]`, `[[diagnosis pickomino-env]]` (what checks of real engines came to)
"""

import re
from collections.abc import Callable

from generator import messages, pieces, rulings, samples, verdicts
from generator.drawing import draw
from generator.labels import data_when, edition_link, holds, only_by_house_rule, read_needs
from generator.languages import Language
from generator.places import link
from generator.prose import rule_link
from generator.scenarios import read_scenarios
from pickomino_conformance.cases.steps import tiles

_MACRO = re.compile(r"\[\[(\w+)(?: ([^\]\n]+))?\]\]")


class UnknownMacro(ValueError):
    """A macro that does not exist, or that names what does not exist."""


def expand(say: Language, text: str, page: str) -> str:
    """Return the text of a page with its macros replaced.

    Raises:
        UnknownMacro: with the page, the macro, and what was expected.
    """

    def replace(found: re.Match[str]) -> str:
        name, argument = found[1], found[2] or ""
        try:
            if name == "end":
                return "</div>"
            if name in _PIECES:
                return _PIECES[name](say, argument)
            if name in _LINKED:
                return _LINKED[name](say, argument, page)
        except (KeyError, ValueError, StopIteration, FileNotFoundError) as error:
            raise UnknownMacro(
                f"{page}: {found[0]!r} names what does not exist: {error}"
            ) from error
        known = ", ".join([*_PIECES, *_LINKED, "end"])
        raise UnknownMacro(f"{page}: there is no macro {found[0]!r}. Known are: {known}.")

    return _MACRO.sub(replace, text)


def _dice(say: Language, argument: str) -> str:
    roll, _, chosen = argument.partition(":")
    return pieces.dice(say, roll.replace(" ", ""), chosen.strip(), choosing=bool(chosen))


def _tiles(say: Language, argument: str) -> str:
    return " ".join(pieces.shown_tile(say, number) for number in tiles(argument))


def _case(say: Language, argument: str, page: str) -> str:
    chapter, _, slug = argument.partition("/")
    found = next(one for one in read_scenarios() if (one.chapter, one.slug) == (chapter, slug))
    return draw(say, found, page, unfolded=True)


def _when(say: Language, argument: str, page: str) -> str:
    needs = read_needs(argument)
    house = " data-house-only" if only_by_house_rule(needs) else ""
    opening = f'<div class="when"{data_when(needs)}{house} markdown="1">'
    return f"{opening}\n{holds(say, needs, page)}\n"


def _to(_say: Language, argument: str, page: str) -> str:
    return link(page, argument)


_PIECES: dict[str, Callable[[Language, str], str]] = {
    "dice": _dice,
    "die": pieces.shown_die,
    "tile": lambda say, argument: pieces.shown_tile(say, int(argument)),
    "tiles": _tiles,
    "stack": lambda say, argument: pieces.stack(say, tiles(argument)),
    "grill": lambda say, argument: pieces.grill(say, tiles(argument)),
    "file": lambda _say, argument: samples.code_of(argument),
    "shown": lambda _say, argument: samples.console(argument),
    "exchange": messages.exchange,
    "checks": lambda say, _argument: verdicts.told_checks(say),
    "diagnosis": verdicts.told_diagnosis,
}

_LINKED: dict[str, Callable[[Language, str, str], str]] = {
    "rule": rule_link,
    "edition": edition_link,
    "ruling": rulings.box,
    "case": _case,
    "when": _when,
    "to": _to,
    "verdicts": lambda say, _argument, page: verdicts.verdicts_page(say, page),
}
