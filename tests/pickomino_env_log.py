"""Games that `pickomino-env` plays with its own dice, bots and all, written down as a log."""

import random
from typing import Any

import numpy as np
import pytest
from pickomino_env import pickomino
from pickomino_env.modules import game
from pickomino_env.modules.bot import Bot
from pickomino_env.modules.constants import ACTION_INDEX_ROLL, ACTION_ROLL, ACTION_STOP
from pickomino_env.modules.dice import Dice
from pickomino_env.pickomino import PickominoEnv

FACES = "12345W"
POINTS = (1, 2, 3, 4, 5, 5)


class WatchedDice(Dice):
    """Dice that remember what they showed, and which face was collected."""

    chance = np.random.default_rng()

    def __init__(self, random_generator: object = None) -> None:
        super().__init__(self.chance)
        self.rolls: list[str] = []
        self.kept: list[str] = []

    def roll(self) -> list[int]:
        """Roll, and remember."""
        rolled = super().roll()
        self.rolls.append("".join(FACES[i] * count for i, count in enumerate(rolled)))
        return rolled

    def collect(self, action_face: int) -> list[int]:
        """Collect, and remember."""
        self.kept.append(FACES[action_face])
        return super().collect(action_face)


class WatchedEnvironment(PickominoEnv):
    """The environment, writing a line for every turn, be it the agent's or the bot's."""

    def begin(self, seed: int) -> None:
        """Begin a game."""
        WatchedDice.chance = np.random.default_rng(seed)
        self.reset(seed=seed)
        self.lines: list[dict[str, Any]] = [{"players": len(self._game.players)}]
        self._before = self._table() | {"player": 0}

    def _table(self) -> dict[str, Any]:
        tiles = self._game.tiles.get_tiles()
        return {
            "grill": [tile for tile, there in tiles.items() if there],
            "stacks": [list(player.tile_stack) for player in self._game.players],
        }

    def _end_of_turn_reset(self) -> None:
        dice = self._game.dice
        if dice.kept:
            self._write(dice)
        super()._end_of_turn_reset()
        self._before = self._table()

    def _write(self, dice: WatchedDice) -> None:
        decisions: list[dict[str, Any]] = [{"keep": face, "then": "roll"} for face in dice.kept]
        rolls_on = self._action[ACTION_INDEX_ROLL] == ACTION_ROLL
        if not rolls_on:
            decisions[-1]["then"] = "stop"
        self.lines.append(
            {
                "table": self._before | {"player": self._game.current_player_index},
                "rolls": dice.rolls,
                "decisions": decisions,
                "table_after": self._table(),
            }
        )

    def score(self) -> dict[str, Any]:
        """Return the last line of the game."""
        info = self._get_info()
        return {"over": True, "worms": [info["player_score"], *info["bot_scores"]]}


class RandomBot(Bot):
    """A bot that chooses like the agent."""

    chance = random.Random()

    def policy(self, rolled: list[int], collected: list[int], smallest: int) -> tuple[int, int]:
        """Return any face that may be chosen."""
        return action(self.chance, rolled, collected)


def action(chance: random.Random, rolled: list[int], collected: list[int]) -> tuple[int, int]:
    """Return any face that may be chosen; stop with all dice, or often from 21 up."""
    faces = [face for face in range(6) if rolled[face] and not collected[face]]
    face = chance.choice(faces or [face for face in range(6) if rolled[face]])
    kept = [*collected[:face], rolled[face], *collected[face + 1 :]]
    total = sum(number * points for number, points in zip(kept, POINTS, strict=True))
    stops = sum(kept) == sum(collected) + sum(rolled) or (total >= 21 and chance.random() < 0.7)
    return face, ACTION_STOP if stops else ACTION_ROLL


def play_log(games: int, seed: int) -> list[dict[str, Any]]:
    """Return the log of so many games of one agent and one bot; all hangs on the seed."""
    RandomBot.chance = chance = random.Random(seed)
    lines: list[dict[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pickomino, "Dice", WatchedDice)
        patch.setattr(game, "Dice", WatchedDice)
        patch.setattr(pickomino, "Bot", RandomBot)
        environment = WatchedEnvironment(number_of_bots=1)
        for number in range(games):
            environment.begin(seed + number)
            over = False
            while not over:
                dice = environment._game.dice
                move = action(chance, dice.get_rolled(), dice.get_collected())
                _, _, over, truncated, info = environment.step(move)
                assert not truncated, info["explanation"]
            lines += [*environment.lines, environment.score()]
    return lines
