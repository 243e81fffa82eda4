"""Write `spec/fingerprints.toml`: `python tests/exhaustive/make_fingerprints.py`.

The counts are those of the reference; `test_fingerprints.py` holds them against other counts.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from pickomino_conformance.cli.rules import Perft
from pickomino_reference import (
    Position,
    edition_names,
    find_box,
    find_edition,
    house_rule_names,
    start,
)
from tiny_game import COMBINATIONS, search

FILE = Path(__file__).parents[2] / "spec" / "fingerprints.toml"
Lines = Mapping[str, Sequence[int]]
DEPTHS = {"base": 5, "tiny": 16}

# Every edition, and every house rule laid over the rulebook.
NAMES = [*edition_names(), *(f"zoch-2005+{house}" for house in house_rule_names())]

ABOUT = """\
# Fingerprints: how many sequences of moves there are from the start, with two players.
# Count yours and compare one line: if every number is the same, your moves are most likely ours.
#
# [base] counts the base game, [tiny] the tiny game of boxes.toml: three dice with 1, 2 and W
# (a worm, worth 3), and the tiles 3 to 6. The first number of a line counts the sequences of one
# move, the next those of two moves, and so on. A sequence that is over sooner does not count.
#
# A move is one of these:
# - a roll: what all dice that are not set aside show. Only the number of dice of each face counts,
#   not their order: eight dice of six faces have 1287 rolls.
# - setting aside all dice of one face.
# - a claim: stopping and taking a tile, or stopping and stealing one. That is one move, not two.
# - stopping with nothing to claim, which fails, where the edition allows it.
# To roll on is no move of its own: the roll is. What follows by force belongs to the move before:
# - a roll that shows no new face fails within the roll.
# - a set-aside that ends the turn (no dice are left or, but for `roll-on`, no faces) and leaves
#   nothing to claim fails within the set-aside. If something can be claimed, a claim follows, even
#   if only one can.
# After a claim or a failed turn the next move is a roll of the next player.
#
# If a number differs, find the first D that does, and ask for
#   pickomino perft --edition E --box tiny --depth D --divide
# It tells how many of the sequences begin with each first move. Play the move whose number is not
# yours, and look on from there for D - 1 moves, and so on: at the last move stands the difference.
# (From a position other than the start: `Perft(rulings, box).divide(position, depth)` of
# `pickomino_conformance.cli.rules` in Python.)
#
# Two editions share a number as long as the point on which they differ can't have shown.
# In five moves of the base game only `lower-tile`, `stop-without-claim` and, together with a free
# choice of lower tiles, `flip-without-return` show. From 13 moves on the tiny game tells all eight
# editions apart, and every house rule but two: `shared-win` changes no move, only the score, and
# three faces need all three dice, so that `roll-on` leaves none to roll.
#
# [graph] is the size of the whole tiny game: the positions that can be reached (`states`), the
# legal moves of all of them together, the positions between turns (`tables`, the first and the
# final ones included), and those of them at which the game is over (`final-tables`).
# Positions differ if any of these does: where the tiles lie, whose turn it is, what is set aside,
# what was rolled, and, under `no-steal-back`, which tile may not be stolen back.
"""


@cache
def counts(box: str, name: str) -> list[int]:
    """Return how many sequences of one move, two moves and so on there are."""
    chosen = find_box(box)
    perft = Perft(find_edition(name).rulings, chosen)
    beginning = Position(start(2, chosen))
    return [perft.count(beginning, depth) for depth in range(1, DEPTHS[box] + 1)]


def sizes() -> dict[str, dict[str, int]]:
    """Return the size of the tiny game's graph, by the name of the edition."""
    found = search().sizes()
    numbers = {name: COMBINATIONS.index(find_edition(name).rulings) for name in NAMES}
    return {
        name: {what.replace("_", "-"): size for what, size in found[number]._asdict().items()}
        for name, number in numbers.items()
    }


def text(base: Lines, tiny: Lines, graph: Mapping[str, Mapping[str, int]]) -> str:
    """Return the file's text for these counts, each by the name of its edition."""
    tables: dict[str, dict[str, str]] = {
        "base": {name: str(list(line)) for name, line in base.items()},
        "tiny": {name: str(list(line)) for name, line in tiny.items()},
        "graph": {
            name: "{ " + ", ".join(f"{what} = {number}" for what, number in size.items()) + " }"
            for name, size in graph.items()
        },
    }
    written = [ABOUT]
    for table, lines in tables.items():
        rows = [f"{_key(name)} = {line}\n" for name, line in lines.items()]
        written.append("".join([f"[{table}]\n", *rows]))
    return "\n".join(written)


def _key(name: str) -> str:
    return f'"{name}"' if "+" in name else name


if __name__ == "__main__":
    FILE.write_text(
        text(
            {name: counts("base", name) for name in NAMES},
            {name: counts("tiny", name) for name in NAMES},
            sizes(),
        ),
        encoding="utf-8",
    )
