"""Right engines whose players can't stop at six faces with nothing to claim: they roll on."""

from engines_of_ours import StartsOnly
from pickomino_conformance import Misfit
from pickomino_conformance.protocol.reference import ReferenceEngine


class NeedsADeadRoll(ReferenceEngine):
    """Fails such a turn by a dead roll only, and counts that roll."""

    def turn(self, table, rolls, decisions):
        """Ask for a roll more."""
        pairs = zip(rolls, decisions, strict=False)
        kept = "".join(one["keep"] * roll.count(one["keep"]) for roll, one in pairs)
        stops = decisions and decisions[-1]["then"] == "stop" and not decisions[-1].get("claim")
        if not (stops and len(set(kept)) == 6 and len(kept) < 8):
            return super().turn(table, rolls, decisions)
        if len(rolls) == len(decisions):
            raise Misfit("the turn goes on", after_rolls=len(rolls), wants="roll")
        return super().turn(table, rolls[:-1], decisions) | {"rolls_used": len(rolls)}


class NeedsADeadRollFromTheStart(NeedsADeadRoll, StartsOnly):
    """The same, and it can't be set to a table."""
