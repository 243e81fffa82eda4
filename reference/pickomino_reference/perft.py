"""Perft: how many sequences of moves there are, to compare two implementations by a number.

The count hangs on what a move is: see `moves.py` and the docstring of `game.play`.
"""

from math import comb

from pickomino_reference import game, rolling
from pickomino_reference.box import BASE, Box
from pickomino_reference.moves import Move
from pickomino_reference.rulings import Rulings
from pickomino_reference.table import Position


class Perft:
    """Counts move sequences; positions that several sequences reach are counted once."""

    def __init__(self, rulings: Rulings, box: Box = BASE) -> None:
        self._rulings = rulings
        self._box = box
        self._counted: dict[tuple[Position, int], int] = {}

    def count(self, position: Position, depth: int) -> int:
        """Return the number of move sequences of this length that begin at `position`."""
        if depth == 0:
            return 1
        if depth == 1:
            return self._count_moves(position)
        key = (position, depth)
        found = self._counted.get(key)
        if found is None:
            found = sum(number for _, number in self.divide(position, depth))
            self._counted[key] = found
        return found

    def divide(self, position: Position, depth: int) -> list[tuple[Move, int]]:
        """Return each legal move with the number of sequences that begin with it.

        `depth` is the length of the sequences, at least 1, the move itself included.
        """
        return [
            (move, self.count(game.play(position, move, self._rulings, self._box), depth - 1))
            for move in game.moves(position, self._rulings, self._box)
        ]

    def _count_moves(self, position: Position) -> int:
        options = game.legal(position, self._rulings, self._box)
        number = len(options.faces)
        if options.roll:
            dice = rolling.all_dice(position.turn.set_aside, self._box)
            number += comb(dice + len(self._box.points) - 1, dice)
        if options.stop:
            number += max(1, len(options.claims))
        return number
