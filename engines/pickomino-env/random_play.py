"""Random two-player games of the unmodified environment, as fast as it goes, for a benchmark.

Seat 0 is the agent and plays at random.
Seat 1 is the environment's own bot with its own heuristic, as the package ships it:
another policy can't be handed to the environment, only patched into its module.
The heuristic stops as soon as a tile is in reach, so that games are short;
this suits the peer better than a second random seat would.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final, cast

from pickomino_env.modules.constants import ACTION_ROLL, ACTION_STOP, NUM_DICE, WORM_INDEX
from pickomino_env.pickomino import PickominoEnv as Environment

if TYPE_CHECKING:
    from collections.abc import Mapping

POINTS: Final = (1, 2, 3, 4, 5, 5)
"""What a die counts, by the environment's index of its face."""


def play_random_games(games: int, seed: int) -> int:
    """Play so many complete games with one agent and one bot; return how many were finished.

    The agent chooses uniformly among the faces that may be chosen.
    Once a worm is set aside and the total reaches the grill's lowest tile
    or is the number of the bot's top tile, it tosses a coin to stop;
    with all dice set aside it stops in any case, since the environment allows nothing else.
    The agent's choices hang on `seed` alone.
    The dice do not: the environment makes an unseeded generator for every turn but the first.

    Raises `RuntimeError` if the environment calls a move illegal.
    """
    chance = random.Random(seed)  # noqa: S311 - games, not secrets
    environment = Environment(number_of_bots=1)
    for game in range(games):
        observation, info = environment.reset(seed=seed + game)
        over = False
        while not over:
            action = _action(chance, info, bot_top=observation["tile_players"][1])
            observation, _, over, truncated, info = environment.step(action)
            if truncated:
                message = f"game {game + 1}: {info['explanation']}"
                raise RuntimeError(message)
    return games


def _action(
    chance: random.Random,
    info: Mapping[str, object],
    bot_top: int,
) -> tuple[int, int]:
    """Return a random face that may be chosen, and whether to stop after it."""
    rolled = cast("list[int]", info["dice_rolled"])
    collected = cast("list[int]", info["dice_collected"])
    face = chance.choice([index for index in range(6) if rolled[index] and not collected[index]])
    if sum(collected) + rolled[face] == NUM_DICE:
        return face, ACTION_STOP
    kept = [*collected[:face], rolled[face], *collected[face + 1 :]]
    total = sum(count * points for count, points in zip(kept, POINTS, strict=True))
    # 0 where the grill is empty, but then the game is over and nobody asks.
    lowest = cast("int", info["smallest_tile"])
    may_claim = kept[WORM_INDEX] > 0 and (total >= lowest or total == bot_top)
    return face, ACTION_STOP if may_claim and chance.random() < 1 / 2 else ACTION_ROLL
