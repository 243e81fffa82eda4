"""Engines that are right, but that can do or tell less than the reference."""

from typing import Any

from pickomino_conformance.engines.reference import ReferenceEngine
from pickomino_reference import Position, Roll, SetAside, legal, play


class Whole(ReferenceEngine):
    """The reference under another name."""


class StartsOnly(ReferenceEngine):
    """Can't be set to a table: every game begins at the start."""

    def hello(self) -> dict[str, Any]:
        """Leave `set-table` out."""
        return _without(super().hello(), "set-table")

    def turn(self, table, rolls, decisions) -> dict[str, Any]:
        """Refuse to be set."""
        assert table is None, "this engine can't be set to a table"
        return super().turn(table, rolls, decisions)


class TellsLittle(ReferenceEngine):
    """Answers grill and stacks only, and can't start, score or refuse."""

    def hello(self) -> dict[str, Any]:
        """Claim `set-table` and `choose-claim` only."""
        return super().hello() | {"capabilities": ["set-table", "choose-claim"]}

    def turn(self, table, rolls, decisions) -> dict[str, Any]:
        """Leave everything out that may be left out."""
        after = super().turn(table, rolls, decisions)["table"]
        return {"table": {"grill": after["grill"], "stacks": after["stacks"]}}


class ChoosesItself(ReferenceEngine):
    """Chooses its claims: steals if it can, else takes the highest tile."""

    preferred = -1

    def hello(self) -> dict[str, Any]:
        """Leave `choose-claim` out."""
        return _without(super().hello(), "choose-claim")

    def turn(self, table, rolls, decisions) -> dict[str, Any]:
        """Put the own claim in the place of the scripted one."""
        last = dict(decisions[-1]) if decisions else {}
        if last.get("claim"):
            last["claim"] = self._claim(table, rolls, decisions)
            decisions = [*decisions[:-1], last]
        return super().turn(table, rolls, decisions)

    def _claim(self, table, rolls, decisions) -> dict[str, int] | None:
        position = Position(self._read(table))
        for roll, decision in zip(rolls, decisions, strict=True):
            position = play(position, Roll(roll), self._rulings)
            position = play(position, SetAside(decision["keep"]), self._rulings)
        claims = legal(position, self._rulings).claims
        if not claims:
            return None
        chosen = claims[self.preferred]
        return {"steal": chosen.player} if hasattr(chosen, "player") else {"take": chosen.tile}


class PrefersTheGrill(ChoosesItself):
    """Chooses its claims: takes a tile of the grill if it can, else steals."""

    preferred = 0


class PrintsAll(ReferenceEngine):
    """Prints on stdout whatever it is asked."""

    def turn(self, table, rolls, decisions) -> dict[str, Any]:
        """Print, then play."""
        print("turn", rolls)
        return super().turn(table, rolls, decisions)


def _without(hello: dict[str, Any], capability: str) -> dict[str, Any]:
    kept = [name for name in hello["capabilities"] if name != capability]
    return hello | {"capabilities": kept}
