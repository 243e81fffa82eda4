"""Engines that play rightly, and then spoil a part of what they answer."""

from collections.abc import Callable
from typing import Any

from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_reference import Edition

Plain = dict[str, Any]
Tamper = Callable[[Plain], Any]


class Tampered(ReferenceEngine):
    """The reference; each answer to one method is changed before it is given.

    Args:
        tamper: the function that changes an answer in place, by the method.
        edition: as of the reference.
    """

    def __init__(self, edition: Edition | None = None, **tamper: Tamper) -> None:
        super().__init__(edition)
        self._tamper = tamper

    def start(self, players) -> Plain:
        """Begin a game."""
        return self._told("start", super().start(players))

    def turn(self, table, rolls, decisions) -> Plain:
        """Play a turn."""
        return self._told("turn", super().turn(table, rolls, decisions))

    def settle(self, table, kept, claim, dead) -> Plain:
        """End a turn."""
        return self._told("settle", super().settle(table, kept, claim, dead))

    def legal(self, table, kept, roll) -> Plain:
        """Tell what may be done."""
        return self._told("legal", super().legal(table, kept, roll))

    def score(self, stacks) -> Plain:
        """Count."""
        return self._told("score", super().score(stacks))

    def _told(self, method: str, answer: Plain) -> Plain:
        if method in self._tamper:
            self._tamper[method](answer)
        return answer


def first_total(answer: Plain) -> None:
    """Tell one more than the total of the first of several steps."""
    if len(answer["trace"]) > 1:
        answer["trace"][0]["total"] += 1
