"""The conformance harness: tells which rule of which edition an engine of Pickomino breaks.

For an engine that is a Python class this module is all it needs: raise `Refused` for what a
rule forbids and `Misfit` where the script does not fit what the engine makes of the turn.
"""

from typing import Any


class Refused(Exception):
    """The engine refuses: a rule forbids it, and the turn has not happened (code 1).

    Attributes:
        rule: the id of the rule that forbids it, if the engine can tell.
    """

    def __init__(self, message: str = "a rule forbids this", *, rule: str | None = None) -> None:
        super().__init__(message)
        self.rule = rule


class Misfit(Exception):
    """The script does not fit what the engine makes of the turn (code 2).

    Attributes:
        data: what is known of `after_rolls` (rolls used so far), `wants` ("roll", "decision"
            or "claim"), `dice` (dice of the next roll) and `offers` (claims to choose from).
    """

    def __init__(
        self,
        message: str = "the script does not fit this turn",
        *,
        after_rolls: int | None = None,
        wants: str | None = None,
        dice: int | None = None,
        offers: list[dict[str, int]] | None = None,
    ) -> None:
        super().__init__(message)
        known: dict[str, Any] = {
            "after_rolls": after_rolls,
            "wants": wants,
            "dice": dice,
            "offers": offers,
        }
        self.data = {name: value for name, value in known.items() if value is not None}


class Malformed(ValueError):
    """A request that makes no sense though its shape is right, such as a tile 37 (-32602)."""


__all__ = ["Malformed", "Misfit", "Refused"]
