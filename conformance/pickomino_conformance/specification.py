"""Where the features lie, and every rule as it is told, read from `spec/rules/`."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pickomino_reference.data import spec_dir

CHAPTERS = ("setup", "rolling", "claiming", "stealing", "failing", "ending")

_HEADING = re.compile(r"^### (\S+)$", re.MULTILINE)
_KEY = re.compile(r"^- ([a-z-]+): (.+)$")


def features_dir() -> Path:
    """Return the folder `features/`.

    In a wheel it lies inside this package; in the repository, and so in an editable install,
    it is the repository's own folder.
    """
    packaged = Path(__file__).parent / "features"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "features"


@dataclass(frozen=True, slots=True)
class RuleProse:
    """A rule as it is told.

    Attributes:
        id: `chapter.name`.
        statement: its sentences.
        source: where it is found.
        ruling: the ruling that contests it, or an empty text.
        follows: the rules that it follows from.
        unsettled: why nobody knows, or an empty text.
    """

    id: str
    statement: tuple[str, ...]
    source: str
    ruling: str = ""
    follows: tuple[str, ...] = ()
    unsettled: str = ""

    @property
    def chapter(self) -> str:
        """The chapter it stands in."""
        return self.id.partition(".")[0]


def parse_chapter(text: str) -> list[RuleProse]:
    """Return the rules of one chapter's Markdown, in its order."""
    parts = _HEADING.split(text)[1:]
    return [_rule(name, body) for name, body in zip(parts[::2], parts[1::2], strict=True)]


@cache
def rules() -> dict[str, RuleProse]:
    """Return every rule by its id, in the order of the chapters."""
    found: dict[str, RuleProse] = {}
    for chapter in CHAPTERS:
        path: Path = spec_dir() / "rules" / f"{chapter}.md"
        found |= {rule.id: rule for rule in parse_chapter(path.read_text(encoding="utf-8"))}
    return found


def _rule(name: str, body: str) -> RuleProse:
    statement: list[str] = []
    keys: dict[str, str] = {}
    for line in body.splitlines():
        key = _KEY.match(line)
        if key:
            keys[key[1]] = key[2]
        elif line.strip() and not keys:
            statement.append(line.strip())
    return RuleProse(
        id=name,
        statement=tuple(statement),
        source=keys.get("source", ""),
        ruling=keys.get("ruling", ""),
        follows=tuple(filter(None, re.split(r",\s*", keys.get("follows", "")))),
        unsettled=keys.get("unsettled", ""),
    )
