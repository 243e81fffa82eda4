"""Engines that are right, but that can do or tell less than the reference."""

from typing import Any

from pickomino_conformance import Refused as NotAllowed
from pickomino_conformance.faults import FaultyEngine, find_fault
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_reference import Position, Refused, Roll, SetAside, legal, play


class Whole(ReferenceEngine):
    """The reference under another name."""


class StartsOnly(ReferenceEngine):
    """Can't be set to a table: every game begins at the start, and ends with an error."""

    void = True

    def hello(self) -> dict[str, Any]:
        """Leave `set-table` out."""
        return _without(super().hello(), "set-table")

    def start(self, players) -> dict[str, Any]:
        """Begin a game."""
        answer = super().start(players)
        self.void = False
        return answer

    def turn(self, table, rolls, decisions) -> dict[str, Any]:
        """Refuse to be set; after an error nothing is known of the game any more."""
        assert table is None, "this engine can't be set to a table"
        assert not self.void, "no game has begun, or it ended with an error"
        self.void = True
        answer = super().turn(table, rolls, decisions)
        self.void = False
        return answer


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
        if last.get("claim") and last["keep"]:
            last["claim"] = self._claim(table, rolls, decisions)
            decisions = [*decisions[:-1], last]
        return super().turn(table, rolls, decisions)

    def _claim(self, table, rolls, decisions) -> dict[str, int] | None:
        position = Position(self._read(table))
        try:
            for roll, decision in zip(rolls, decisions, strict=True):
                position = play(position, Roll(roll), self._rulings)
                position = play(position, SetAside(decision["keep"]), self._rulings)
        except Refused as forbidden:
            raise NotAllowed(str(forbidden.rule)) from None
        claims = legal(position, self._rulings).claims
        if not claims:
            return None
        chosen = claims[self.preferred]
        return {"steal": chosen.player} if hasattr(chosen, "player") else {"take": chosen.tile}


class PrefersTheGrill(ChoosesItself):
    """Chooses its claims: takes a tile of the grill if it can, else steals."""

    preferred = 0


class StartsAndSteals(ChoosesItself, StartsOnly):
    """Can't be set to a table, and chooses its claims: steals if it can."""


class StartsAndTakes(PrefersTheGrill, StartsOnly):
    """Can't be set to a table, and chooses its claims: takes from the grill if it can."""


class SettlesOnly(ReferenceEngine):
    """Knows how turns end, and nothing of the way there."""

    def hello(self) -> dict[str, Any]:
        """Claim `settle` and what goes with it."""
        capabilities = ["set-table", "settle", "score", "refuse", "choose-claim"]
        return super().hello() | {"capabilities": capabilities}

    def turn(self, table, rolls, decisions) -> dict[str, Any]:
        """Have no such method."""
        raise NotImplementedError


class SettlesTheFirstTurn(SettlesOnly):
    """Knows how turns end, and can't be set to a table either."""

    def hello(self) -> dict[str, Any]:
        """Claim `start` in the place of `set-table`."""
        return super().hello() | {"capabilities": ["start", "settle", "refuse", "choose-claim"]}

    def settle(self, table, kept, claim, dead) -> dict[str, Any]:
        """Refuse to be set."""
        assert table is None, "this engine can't be set to a table"
        return super().settle(table, kept, claim, dead)


class ScoresOnly(ReferenceEngine):
    """Counts worms, and does nothing else."""

    def hello(self) -> dict[str, Any]:
        """Claim `score` only."""
        return super().hello() | {"capabilities": ["score"]}

    def start(self, players) -> dict[str, Any]:
        """Have no such method."""
        raise NotImplementedError

    def turn(self, table, rolls, decisions) -> dict[str, Any]:
        """Have no such method."""
        raise NotImplementedError


class _Starts(StartsOnly, FaultyEngine):
    """Can't be set to a table, and has faults."""


class _Settles(SettlesOnly, FaultyEngine):
    """Knows how turns end, wrongly."""


class _Scores(ScoresOnly, FaultyEngine):
    """Counts worms, wrongly."""


def StartsAndTurnsUpAgain() -> _Starts:  # noqa: N802  # named like an engine's class
    """Turns face-down tiles up again when a tile comes back."""
    return _Starts([find_fault("face-down tiles are turned up again when a tile comes back")])


def StartsAndNeverPasses() -> _Starts:  # noqa: N802
    """Leaves the turn with the first player."""
    return _Starts([find_fault("the turn does not pass")])


def SettlesAndReturnsTheBottom() -> _Settles:  # noqa: N802
    """Returns the bottom tile of a stack."""
    return _Settles([find_fault("the bottom tile is returned")])


def ScoresAndShares() -> _Scores:  # noqa: N802
    """Lets the tied share the win."""
    return _Scores([find_fault("a tie is shared")])


class PrintsAll(ReferenceEngine):
    """Prints on stdout whatever it is asked."""

    def turn(self, table, rolls, decisions) -> dict[str, Any]:
        """Print, then play."""
        print("turn", rolls)
        return super().turn(table, rolls, decisions)


def _without(hello: dict[str, Any], capability: str) -> dict[str, Any]:
    kept = [name for name in hello["capabilities"] if name != capability]
    return hello | {"capabilities": kept}
