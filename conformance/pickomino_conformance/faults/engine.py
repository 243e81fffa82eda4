"""The reference with faults planted, as an engine."""

from collections.abc import Iterable
from typing import Any

from pickomino_conformance.engines.reference import ReferenceEngine
from pickomino_conformance.faults.fault import Fault, planted
from pickomino_reference import Edition, find_edition


class FaultyEngine(ReferenceEngine):
    """The reference with these faults, and only while it is asked something.

    Args:
        faults: what is planted.
        edition: what it plays where the faults say nothing; the default one if not given.
    """

    def __init__(self, faults: Iterable[Fault], edition: Edition | None = None) -> None:
        edition = edition or find_edition()
        self._faults = tuple(faults)
        rulings = edition.rulings
        for fault in self._faults:
            rulings = fault.rulings_played(rulings)
        super().__init__(Edition(edition.name, edition.title, rulings))

    def start(self, players: int) -> dict[str, Any]:
        """Return the table of a new game, as the faults have it."""
        with planted(self._faults):
            return super().start(players)

    def score(self, stacks: list[list[int]]) -> dict[str, Any]:
        """Return worms and winners, as the faults have them."""
        with planted(self._faults):
            return super().score(stacks)

    def legal(self, table: dict[str, Any] | None, kept: str, roll: str | None) -> dict[str, Any]:
        """Return what may be done, as the faults have it."""
        with planted(self._faults):
            return super().legal(table, kept, roll)

    def turn(
        self, table: dict[str, Any] | None, rolls: list[str], decisions: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """Play a turn, as the faults have it."""
        with planted(self._faults):
            return super().turn(table, rolls, decisions)

    def settle(
        self, table: dict[str, Any] | None, kept: str, claim: dict[str, int] | None, dead: bool
    ) -> dict[str, Any]:
        """End a turn, as the faults have it."""
        with planted(self._faults):
            return super().settle(table, kept, claim, dead)
