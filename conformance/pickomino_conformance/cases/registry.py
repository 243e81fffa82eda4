"""The registry of levels: what a check can ask. A new level is a module and an entry here."""

from pickomino_conformance.cases import Level, features, games, refusals, smoke, tables, turns
from pickomino_conformance.specification import CHAPTERS

LEVELS = (
    Level("smoke", True, ("smoke",), smoke.run),
    Level("features", True, CHAPTERS, features.run),
    Level("turns", False, ("turns",), turns.run),
    Level("tables", False, ("tables",), tables.run),
    Level("refusals", False, ("refusals",), refusals.run),
    Level("games", False, ("games",), games.run, drawn=True),
)


def level_of(case: str) -> Level | None:
    """Return the level in which a case stands, by its id; none if there is no such level."""
    first, slash, _ = case.partition("/")
    return next((one for one in LEVELS if slash and first in one.prefixes), None)
