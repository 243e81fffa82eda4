"""The PyPI package `pickomino-env` as an engine of the conformance harness.

The package is a Gymnasium environment: one agent, always seat 0, plays against built-in bots.
Its `step((face, roll_or_stop))` sets a face aside and either rolls on or ends the turn,
and settles claims, steals, returns and flips by itself.
This adapter scripts the dice, lays the table and holds the bots still.
It works out no rule: what it answers is read back from the environment.

What it touches, and why that decides nothing:

`Dice._random_generator`
    The dice are read from the script.
    How many dice a roll takes is still counted by `Dice.roll`;
    a script of another length is a `Misfit`.
`Dice.roll()`, called once as a turn begins
    The environment has by then rolled the turn's first roll at random.
    The same call is made again, with the scripted dice, on the same fresh `Dice`.
`Game.tiles`, by `Tiles.set_tile`, and `Player.tile_stack`
    The table that the request names.
    They are set between turns only, never within one.
`PickominoEnv._play_bot`, overridden
    The turn of a bot follows within the agent's own `step`, with dice and a policy of its own.
    Instead the seat to which `step` has just passed the dice (`Game.current_player_index`)
    is noted, and the bots do nothing.
    So what the environment does within the turns of its bots is not seen; the README tells of it.
`Renderer._window`, for `score` only
    The environment names a winner nowhere but on its game-over screen.
    A stand-in for window and font keeps the text that the renderer writes.

`Game.failed_attempt`, `terminated`, `truncated` and `explanation` are read, never set.
Since the agent is always seat 0, the seats are turned until the player to move sits there,
and turned back in the answer.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypedDict, cast

from pickomino_env.modules.constants import ACTION_ROLL, ACTION_STOP, MAX_BOTS
from pickomino_env.pickomino import PickominoEnv as Environment

from pickomino_conformance import Misfit, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pygame

PACKAGE: Final = "pickomino-env"
"""The distribution on PyPI."""

FACES: Final = "12345W"
"""The protocol's faces, each at the index that the environment gives it."""

ACTIONS: Final = {"roll": ACTION_ROLL, "stop": ACTION_STOP}
"""The second half of an action, by the protocol's word for it."""

RULINGS: Final = {
    "flip-after-return": "always",
    "flip-without-return": "no",
    "lower-tile": "next",
    "exact-on-opponent": "steal",
    "stop-without-claim": "fails",
    "steal-back": "allowed",
    "tie-break": "highest-tile",
    "six-faces": "roll-on",
}
"""What the environment plays where the sources differ; the README says where it is decided."""


class Table(TypedDict):
    """A table of the protocol: `stacks` run from bottom to top, `player` is to move."""

    grill: list[int]
    stacks: list[list[int]]
    player: int
    face_down: NotRequired[list[int]]


class Decision(TypedDict):
    """A face to keep and what then: a `claim` is never read, the environment chooses itself."""

    keep: str
    then: str
    claim: NotRequired[dict[str, int] | None]


class ScriptedDice:
    """Stands in for the random generator of the environment's dice: one roll, die by die."""

    def __init__(self) -> None:
        """Begin with no dice in the script."""
        self._faces: tuple[int, ...] = ()
        self.drawn = 0

    def load(self, roll: str) -> None:
        """Put the dice of one roll, such as `"1123WWW5"`, in place of whatever was left."""
        self._faces = tuple(FACES.index(face) for face in roll)
        self.drawn = 0

    def integers(self, low: int, high: int) -> int:
        """Return the next die as a face index.

        Past the end of the script it is `low`, so that the environment finishes its roll:
        `drawn` then says how many dice it wanted, and what it made of them is thrown away.
        """
        del high
        self.drawn += 1
        return self._faces[self.drawn - 1] if self.drawn <= len(self._faces) else low

    def fits(self) -> bool:
        """Return whether exactly the dice of the script were drawn."""
        return self.drawn == len(self._faces)


class WinnerText:
    """Stands in for the font and the window of the game-over screen, and keeps the text."""

    def __init__(self) -> None:
        """Begin with nothing written."""
        self.text = ""

    def render(self, text: str, *_: object) -> WinnerText:
        """Keep the text, and return what stands in for the picture of it."""
        self.text = text
        return self

    def get_rect(self, **_: object) -> None:
        """Return no place at all: nothing is drawn."""

    def blit(self, *_: object) -> None:
        """Draw nothing."""


class HeldEnvironment(Environment):
    """The environment with scripted dice and bots that hold still."""

    def __init__(self, seats: int) -> None:
        """Open a game for so many seats, the agent's included.

        Raises `ValueError`, the environment's own, for a number of bots that it does not allow.
        """
        super().__init__(number_of_bots=seats - 1)
        self.script = ScriptedDice()
        self.passed_to: int | None = None
        self.reset()

    def _play_bot(self) -> None:
        """Note the seat that `step` has given the dice to, in place of playing the bots."""
        self.passed_to = self._game.current_player_index

    def lay(self, grill: Sequence[int], stacks: Sequence[Sequence[int]]) -> None:
        """Lay the table: exactly `grill` is available, each seat owns its stack."""
        tiles = self._game.tiles
        for tile in tiles.get_tiles():
            tiles.set_tile(tile_number=tile, is_available=tile in grill)
        for player, stack in zip(self._game.players, stacks, strict=True):
            player.tile_stack = list(stack)

    def begin_turn(self, roll: str) -> None:
        """Roll the turn's first roll once more, now with the dice of the script."""
        self.passed_to = None
        self.script.load(roll)
        dice = self._game.dice
        # No public way in: a turn's `Dice` are made by the environment with a new generator.
        dice._random_generator = cast("np.random.Generator", self.script)  # noqa: SLF001
        dice.roll()

    def grill(self) -> list[int]:
        """Return the tiles that the environment holds for available, in its order."""
        return [tile for tile, available in self._game.tiles.get_tiles().items() if available]

    def stacks(self) -> list[list[int]]:
        """Return the tiles of each seat, bottom to top, the agent's seat first."""
        return [list(player.tile_stack) for player in self._game.players]

    def dice_rolled(self) -> int:
        """Return how many dice lie rolled and wait for the choice of a face."""
        return sum(self._game.dice.get_rolled())

    def scores(self) -> list[int]:
        """Return the worms of each seat as the environment counts them."""
        info = self._get_info()
        return [cast("int", info["player_score"]), *cast("list[int]", info["bot_scores"])]

    def winner(self) -> int:
        """Return the seat that the game-over screen names as the winner; it names just one."""
        writing = WinnerText()
        renderer = self.renderer
        renderer.render(self._game)
        renderer._window = cast("pygame.Surface", writing)  # noqa: SLF001 - it has no other face
        renderer._determine_winner(cast("pygame.font.Font", writing))  # noqa: SLF001
        renderer._window = None  # noqa: SLF001
        return next(
            seat
            for seat, player in enumerate(self._game.players)
            if writing.text.startswith(f"Winner: {player.name} with ")
        )


class PickominoEnv:
    """The operations of the adapter protocol, played by `pickomino-env`."""

    def __init__(self) -> None:
        """Begin without a table; environments are made as they are needed, one per seat count."""
        self._environments: dict[int, HeldEnvironment] = {}
        self._table: Table | None = None

    def hello(self) -> dict[str, Any]:
        """Return name, version, number of players, capabilities and rulings of the package."""
        return {
            "name": PACKAGE,
            "version": version(PACKAGE),
            "protocol": 1,
            "players": [2, MAX_BOTS + 1],
            "capabilities": ["set-table", "start", "score", "refuse"],
            "rulings": dict(RULINGS),
        }

    def start(self, players: int) -> dict[str, Any]:
        """Return the table of a new game.

        Raises `Refused` where the environment allows no such number of bots.
        """
        environment = self._environment(players)
        _, info = environment.reset()
        self._table = {
            "grill": environment.grill(),
            "stacks": environment.stacks(),
            "player": info["current_player_index"],
        }
        return {"table": self._table}

    def turn(
        self,
        table: Table | None,
        rolls: Sequence[str],
        decisions: Sequence[Decision],
    ) -> dict[str, Any]:
        """Play one scripted turn; return the table after it, `over` and `rolls_used`.

        Raises `Refused` with the environment's explanation when it truncates the decision,
        `Misfit` when the script and what the environment asks for part ways,
        `ValueError` when no table is given and there is none from before.
        """
        before = self._table if table is None else table
        if before is None:
            message = "turn: no table was sent, and no start or turn has answered one yet"
            raise ValueError(message)
        first = before["player"]
        seats = before["stacks"]
        environment = self._environment(len(seats))
        environment.lay(before["grill"], seats[first:] + seats[:first])
        try:
            over, rolls_used = _play(environment, rolls, decisions)
        except Exception:
            # The turn has not happened: half a turn must not leak into the next one.
            environment.reset()
            raise
        turned = environment.stacks()
        passed_to = cast("int", environment.passed_to)
        self._table = {
            "grill": environment.grill(),
            "stacks": turned[-first:] + turned[:-first],
            "player": (first + passed_to) % len(seats),
        }
        return {"table": self._table, "over": over, "rolls_used": rolls_used}

    def score(self, stacks: Sequence[Sequence[int]]) -> dict[str, Any]:
        """Return the worms of each player, and the one winner that the environment names."""
        environment = self._environment(len(stacks))
        environment.lay([], stacks)
        return {"worms": environment.scores(), "winners": [environment.winner()]}

    def _environment(self, seats: int) -> HeldEnvironment:
        """Return the environment for so many seats; raises `Refused` with its own objection."""
        if seats not in self._environments:
            try:
                self._environments[seats] = HeldEnvironment(seats)
            except ValueError as objection:
                raise Refused(str(objection)) from objection
        return self._environments[seats]


def _play(
    environment: HeldEnvironment,
    rolls: Sequence[str],
    decisions: Sequence[Decision],
) -> tuple[bool, int]:
    """Drive one turn on a table that lies ready; return whether the game is over, and rolls used.

    Raises `Refused` and `Misfit` as `PickominoEnv.turn` says.
    """
    script = environment.script
    environment.begin_turn(rolls[0] if rolls else "")
    rolls_used = _rolls_used(script, 0)
    for position, decision in enumerate(decisions, start=1):
        script.load(rolls[rolls_used] if rolls_used < len(rolls) else "")
        action = FACES.index(decision["keep"]), ACTIONS[decision["then"]]
        _, _, over, truncated, info = environment.step(action)
        if truncated:
            raise Refused(str(info["explanation"]))
        if script.drawn:
            rolls_used = _rolls_used(script, rolls_used)
        if environment.passed_to is None:
            continue
        if position < len(decisions):
            raise Misfit(
                after_rolls=rolls_used,
                message=f"the turn was over after {position} of {len(decisions)} decisions",
            )
        return over, rolls_used
    raise Misfit(
        after_rolls=rolls_used,
        wants="decision",
        dice=environment.dice_rolled(),
        message="the turn is not over and the script has no decision left",
    )


def _rolls_used(script: ScriptedDice, before: int) -> int:
    """Return the number of rolls used once the loaded one was rolled.

    Raises `Misfit` when the environment drew more or fewer dice than the script has.
    """
    if not script.fits():
        raise Misfit(
            after_rolls=before,
            wants="roll",
            dice=script.drawn,
            message=f"roll {before + 1} takes {script.drawn} dice; the script has another number",
        )
    return before + 1
