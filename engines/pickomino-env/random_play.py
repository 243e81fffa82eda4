"""Random two-player games of the environment, as fast as it goes, for a benchmark.

Seat 0 is the agent and plays at random.
Seat 1 is the environment's own bot: with its own heuristic, as the package ships it,
or with the agent's random policy, which can only be patched into the package's module.
The heuristic stops as soon as a tile is in reach, so that its games are shorter.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final, cast

from pickomino_env import pickomino
from pickomino_env.modules.bot import Bot
from pickomino_env.modules.constants import ACTION_ROLL, ACTION_STOP, NUM_DICE, WORM_INDEX
from pickomino_env.pickomino import PickominoEnv as Environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

POINTS: Final = (1, 2, 3, 4, 5, 5)
"""What a die counts, by the environment's index of its face."""


def play_random_games(games: int, seed: int, *, both: bool = False) -> int:
    """Play so many complete games with one agent and one bot; return how many were finished.

    The agent, and with `both` the bot, chooses uniformly among the faces that may be chosen.
    Once a worm is set aside and the total reaches the grill's lowest tile
    (or, for the agent, is the number of the bot's top tile), it tosses a coin to stop;
    with all dice set aside it stops in any case, since the environment allows nothing else.
    The choices hang on `seed` alone.
    The dice do not: the environment makes an unseeded generator for every turn but the first.

    Raises `RuntimeError` if the environment calls a move illegal.
    """
    chance = random.Random(seed)  # noqa: S311 - games, not secrets
    bot = _random_bot(chance) if both else Bot
    shipped, pickomino.Bot = pickomino.Bot, bot  # type: ignore[misc]
    try:
        environment = Environment(number_of_bots=1)
        for game in range(games):
            _play(environment, chance, game, seed)
    finally:
        pickomino.Bot = shipped  # type: ignore[misc]
    return games


def _play(environment: Environment, chance: random.Random, game: int, seed: int) -> None:
    observation, info = environment.reset(seed=seed + game)
    over = False
    while not over:
        rolled, collected = (cast("list[int]", info[f"dice_{which}"]) for which in WHICH)
        # 0 where the grill is empty, but then the game is over and nobody asks.
        reach = cast("int", info["smallest_tile"]), observation["tile_players"][1]
        action = _action(chance, rolled, collected, reach)
        observation, _, over, truncated, info = environment.step(action)
        if truncated:
            message = f"game {game + 1}: {cast('Mapping[str, object]', info)['explanation']}"
            raise RuntimeError(message)


WHICH: Final = ("rolled", "collected")


def _random_bot(chance: random.Random) -> type[Bot]:
    class RandomBot(Bot):
        """The environment's bot with the agent's policy."""

        def policy(self, rolled: list[int], collected: list[int], smallest: int) -> tuple[int, int]:
            """Return a random action."""
            return _action(chance, rolled, collected, (smallest, 0))

    return RandomBot


def _action(
    chance: random.Random,
    rolled: Sequence[int],
    collected: Sequence[int],
    reach: tuple[int, int],
) -> tuple[int, int]:
    """Return a random face that may be chosen, and whether to stop after it.

    `reach` is the lowest tile of the grill and the opponent's top tile (0 for none).
    A dead roll, from which nothing may be chosen, is answered with the first face.
    """
    faces = [index for index in range(6) if rolled[index] and not collected[index]]
    face = chance.choice(faces) if faces else 0
    if sum(collected) + rolled[face] >= NUM_DICE:
        return face, ACTION_STOP
    kept = [*collected[:face], rolled[face], *collected[face + 1 :]]
    total = sum(count * points for count, points in zip(kept, POINTS, strict=True))
    lowest, opponents_top = reach
    may_claim = kept[WORM_INDEX] > 0 and (total >= lowest or total == opponents_top)
    return face, ACTION_STOP if may_claim and chance.random() < 1 / 2 else ACTION_ROLL
