"""Random games of the reference, through the public functions that everything else uses."""

import random
from bisect import bisect
from itertools import accumulate, combinations_with_replacement
from math import factorial, prod

from pickomino_reference import BASE, Position, Roll, Rulings, SetAside, legal, play, start

FACES = "".join(sorted(BASE.points))
SET_ASIDE = {face: SetAside(face) for face in FACES}


def outcomes(dice: int) -> tuple[list[Roll], list[int]]:
    """Return the unordered outcomes of so many dice, and the running sums of their weights."""
    rolls = ["".join(outcome) for outcome in combinations_with_replacement(FACES, dice)]
    weights = [
        factorial(dice) // prod(factorial(roll.count(face)) for face in FACES) for roll in rolls
    ]
    return [Roll(roll) for roll in rolls], list(accumulate(weights))


OUTCOMES = [outcomes(dice) for dice in range(BASE.dice + 1)]


def play_games(games: int, chance: random.Random, rulings: Rulings) -> int:
    """Play two-player games to their end and return how many moves they took.

    Each player chooses uniformly among the faces that may be chosen, and tosses a coin to stop
    once something can be claimed.
    """
    draw, moves = chance.random, 0
    for _ in range(games):
        position = Position(start(2))
        while True:
            faces, roll, stop, claims = legal(position, rulings)
            if faces:
                move = SET_ASIDE[faces[int(draw() * len(faces))]]
            elif claims and (not roll or draw() < 1 / 2):
                move = claims[int(draw() * len(claims))]
            elif roll:
                rolls, weights = OUTCOMES[BASE.dice - len(position.turn.set_aside)]
                move = rolls[bisect(weights, draw() * weights[-1])]
            elif stop:
                raise AssertionError("a turn that can only stop has failed already")
            else:
                break
            position = play(position, move, rulings)
            moves += 1
    return moves
