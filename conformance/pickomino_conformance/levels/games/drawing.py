"""Random games, drawn by Hypothesis, biased to what is rare.

A game is drawn on the reference alone, never on the answers of an engine: a seed always gives
the same game, with one version of Hypothesis.
"""

import atexit
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import NamedTuple

import hypothesis
import hypothesis.configuration
import hypothesis.errors
from hypothesis import strategies as st

from pickomino_conformance.cases import Script
from pickomino_conformance.levels.expected import Expected, play_out
from pickomino_conformance.levels.scripting import (
    TILES,
    Dice,
    every_dice,
    position,
    rolls_of,
    script,
    worth,
)
from pickomino_conformance.protocol import ClaimMessage
from pickomino_conformance.tables import claim_message
from pickomino_reference import (
    BASE,
    Options,
    Rulings,
    Steal,
    Table,
    legal,
    rolling,
    start,
)

MOST_TURNS = 80
# From this turn on the players take tiles of the grill more and more often, so that games end.
HURRY = 12
# A text of bytes is a single choice for Hypothesis. Of this length it can't be mistaken for one
# of the constants that Hypothesis picks up from whatever modules are loaded.
LENGTH = 29
LOTS = st.binary(min_size=LENGTH, max_size=LENGTH)
HIGHEST_DICE = tuple(total for total in range(TILES[-1] + 1, 8 * BASE.points[BASE.worm] + 1))


QUIET = hypothesis.settings(
    # Hypothesis begins with the simplest game, which has no turn; the second one is the game.
    max_examples=2,
    phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    database=None,
    deadline=None,
    derandomize=False,
    print_blob=False,
    report_multiple_bugs=False,
    suppress_health_check=list(hypothesis.HealthCheck),
    verbosity=hypothesis.Verbosity.quiet,
)

Stacks = tuple[tuple[int, ...], ...]


class Departed(Exception):
    """A game that departs, and is to be shrunk."""


class Game(NamedTuple):
    """A game from its start to its end, or to where it was broken off.

    Attributes:
        players: how many play.
        turns: every turn, and what must come of it.
        told: whether every turn is asked on a table of its own, or goes on with the engine's.
        tied: stacks of which two are worth the same, to be scored beside those of the end; empty
            if none were drawn.
    """

    players: int
    turns: tuple[Expected, ...]
    told: bool = False
    tied: Stacks = ()

    @property
    def table(self) -> Table:
        """The table at last."""
        return self.turns[-1].table if self.turns else start(self.players)


@st.composite
def games(draw: st.DrawFn, rulings: Rulings, players: tuple[int, int]) -> Game:
    """Draw a game for the fewest to the most players given. The simplest has no turn."""
    lots = draw(LOTS)
    fewest, most = players
    number = fewest + lots[0] % (most - fewest + 1)
    table, turns = start(number), list[Expected]()
    while table.grill and len(turns) < MOST_TURNS:
        drawn = draw(LOTS)
        if not any(drawn):
            break
        turns.append(play_out(_turn(table, _Lots(drawn), len(turns), rulings), rulings))
        table = turns[-1].table
    return Game(number, tuple(turns), lots[1] % 4 == 3, _tied(number, _Lots(lots[2:])))


def draw(seed: str, rulings: Rulings, players: tuple[int, int]) -> Game:
    """Return the game of a seed, for the fewest to the most players given."""
    drawn = Game(players[0], ())

    def keep(game: Game) -> None:
        nonlocal drawn
        drawn = game if not drawn.turns else drawn

    _search(seed, rulings, players, keep)
    return drawn


def shrink(
    seed: str, rulings: Rulings, players: tuple[int, int], departs: Callable[[Game], bool]
) -> None:
    """Draw the game of a seed again, and ever simpler ones as long as they depart."""

    def look(game: Game) -> None:
        if game.turns and departs(game):
            raise Departed

    _search(seed, rulings, players, look)


def _search(
    seed: str, rulings: Rulings, players: tuple[int, int], once: Callable[[Game], None]
) -> None:
    test = hypothesis.seed(seed)(QUIET(hypothesis.given(games(rulings, players))(once)))
    # Whoever changes its answers, or whose time is up, is flaky to Hypothesis.
    with _leaving_no_folder(), suppress(Departed, hypothesis.errors.Flaky):
        test()


@contextmanager
def _leaving_no_folder() -> Iterator[None]:
    """Let Hypothesis keep what it notes down out of the folder in which the check runs."""
    hypothesis.configuration.set_hypothesis_home_dir(_folder())
    try:
        yield
    finally:
        hypothesis.configuration.set_hypothesis_home_dir(None)


@cache
def _folder() -> str:
    """Return a folder that is gone when the program ends."""
    folder = tempfile.TemporaryDirectory(prefix="pickomino-")
    atexit.register(folder.cleanup)
    return folder.name


class _Lots:
    """The bytes of one turn, read one after another."""

    def __init__(self, drawn: bytes) -> None:
        self._drawn = iter(drawn)

    def below(self, number: int) -> int:
        """Return a number from 0, less than `number`; up to 256."""
        return next(self._drawn, 0) % number

    def one_of(self, dice: Sequence[Dice]) -> Dice:
        """Return one of these, rather one of the first than of the last, which take all dice."""
        lot = self.below(256) << 8 | self.below(256)
        return dice[lot * lot * len(dice) >> 32]


@cache
def _listed(name: str) -> tuple[Dice, ...]:
    """Return the dice for which no table is needed, by what they are good for."""
    lists: dict[str, Callable[[Dice], bool]] = {
        "one face": lambda dice: dice.faces == 1 and dice.left > 0,
        "some faces": lambda dice: dice.faces > 1 and dice.left > 0 and not dice.every_face,
        "every face": lambda dice: dice.every_face,
        "all dice without a worm": lambda dice: not dice.left and not dice.worm,
        "below every tile": lambda dice: dice.total < TILES[0],
        "without a worm": lambda dice: not dice.worm,
    }
    return tuple(filter(lists[name], every_dice()))


def _tied(players: int, lots: _Lots) -> Stacks:
    """Return stacks of which two are worth the same; empty if it does not come out even."""
    left = list(TILES)
    stacks: list[list[int]] = [[] for _ in range(players)]
    one = lots.below(players)
    other = (one + 1 + lots.below(players - 1)) % players
    for _ in range(1 + lots.below(3)):
        stacks[one].append(left.pop(lots.below(len(left))))
    missing = sum(BASE.worms[tile] for tile in stacks[one])
    while missing:
        fitting = [tile for tile in left if BASE.worms[tile] <= missing]
        if not fitting:
            return ()
        tile = fitting[lots.below(len(fitting))]
        left.remove(tile)
        stacks[other].append(tile)
        missing -= BASE.worms[tile]
    return tuple(map(tuple, stacks))


def _exact(table: Table, lots: _Lots) -> Sequence[Dice]:
    return worth(table.grill[lots.below(len(table.grill))])


def _missing(table: Table, lots: _Lots) -> Sequence[Dice]:
    """Return dice whose exact tile is not on the grill, with a lower one there."""
    totals = [total for total in TILES if total > table.grill[0] and total not in table.grill]
    return worth(totals[lots.below(len(totals))]) if totals else ()


def _above_all(_table: Table, lots: _Lots) -> Sequence[Dice]:
    return worth(HIGHEST_DICE[lots.below(len(HIGHEST_DICE))])


def _shown(table: Table, lots: _Lots) -> Sequence[Dice]:
    """Return dice for the top tile of some stack, the own one included."""
    tops = [stack[-1] for stack in table.stacks if stack]
    return worth(tops[lots.below(len(tops))]) if tops else ()


def _out_of_reach(table: Table, lots: _Lots) -> Sequence[Dice]:
    below = range(TILES[0], table.grill[0])
    return worth(below[lots.below(len(below))]) if below else ()


def _any(name: str) -> Callable[[Table, _Lots], Sequence[Dice]]:
    return lambda _table, _lots: _listed(name)


class _Aim(NamedTuple):
    """What a turn is drawn to come to, if the table lets it.

    Attributes:
        often: how often it is aimed at, of about a hundred turns.
        dice: the dice that lead there.
        dead: whether a dead roll follows.
    """

    often: int
    dice: Callable[[Table, _Lots], Sequence[Dice]]
    dead: bool = False


_TAKE = _Aim(18, _exact)
_DEAD = _Aim(8, _any("one face"), dead=True)
_AIMS = (
    _TAKE,
    _Aim(12, _missing),
    _Aim(5, _above_all),
    _Aim(26, _shown),
    _Aim(4, _out_of_reach),
    _DEAD,
    _Aim(10, _any("some faces"), dead=True),
    _Aim(5, _any("every face")),
    _Aim(4, _any("all dice without a worm")),
    _Aim(4, _any("below every tile")),
    _Aim(4, _any("without a worm")),
)
_OFTEN = tuple(aim for aim in _AIMS for _ in range(aim.often))


def _turn(table: Table, lots: _Lots, number: int, rulings: Rulings) -> Script:
    """Return a turn on this table, the next after `number` turns."""
    hurried = lots.below(256) < (number - HURRY) * 8
    aim = _OFTEN[lots.below(len(_OFTEN))]
    if hurried:
        aim = _TAKE
    dead = aim.dead
    dice = lots.one_of(aim.dice(table, lots) or _listed("one face"))
    options = legal(position(table, dice), rulings)
    # Where the player may not stop, the turn goes on, and fails.
    dead = options.roll and (dead or not options.stop)
    order = _order(dice, lots)
    rolls = rolls_of(dice.kept, order, lambda many, faces: _others(many, faces, lots))
    if dead:
        last = _others(dice.left, "".join(order), lots)
        return script(table, (*rolls, rolling.sort_dice(last)), order, "roll")
    return script(table, rolls, order, claim=_claim(options, lots))


def _claim(options: Options, lots: _Lots) -> ClaimMessage | None:
    """Return the claim that is made, more often a steal than not."""
    if not options.claims:
        return None
    pick = lots.below(256)
    steals = [claim for claim in options.claims if isinstance(claim, Steal)]
    claims = steals if steals and pick >= 64 else options.claims
    return claim_message(claims[pick % len(claims)])


def _order(dice: Dice, lots: _Lots) -> list[str]:
    """Return the faces of these dice, in the order in which they are set aside."""
    faces = sorted(set(dice.kept), reverse=True)
    return [faces.pop(lots.below(len(faces))) for _ in range(len(faces))]


def _others(number: int, faces: str, lots: _Lots) -> str:
    """Return so many dice of these faces; one lot tells which two of them, and how they mix."""
    lot = lots.below(256)
    one, other = faces[lot % len(faces)], faces[lot // 8 % len(faces)]
    many = lot // 64 * number // 3
    return one * (number - many) + other * many
