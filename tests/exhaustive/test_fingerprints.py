"""The fingerprints: the published counts are the reference's, and those of other ways to count."""

from collections import Counter, defaultdict

import pytest

from make_fingerprints import FILE, NAMES, counts, sizes, text
from pickomino_conformance.cli.rules import Perft
from pickomino_conformance.faults import find_fault, planted
from pickomino_reference import (
    Position,
    edition_names,
    find_box,
    find_edition,
    house_rule_names,
    start,
)
from pickomino_reference.data import read_spec
from tiny_game import COMBINATIONS, search

pytestmark = pytest.mark.exhaustive

ZOCH = [1287, 4752, 2418724, 19021431, 1788061222]
DUTCH = [1287, 4752, 2414033, 12984114, 1759265950]
SUMMARY = [1287, 4752, 2419084, 19484751, 1790990754]

# By hand. Up to 36 the exact tile lies on the full grill; a total above it leaves a free choice of
# sixteen tiles instead of one: fifteen more. In three moves eight worms alone get there.
# In four, any of 1287 rolls follows that. In five, any of the 4752 ways to begin a turn follows it;
# or it is the second turn, after one of five rolls of eight equal faces that failed at once;
# or it takes two set-asides, the second of all dice left. Those are 2973: W and 5 in either order
# (791 each), W and 4 with at least five worms (55 if they come first, else 666), W and 3, or W and
# 2, with seven (5 if they come first, else 330).
IF_GONE = [0, 0, 15, 15 * 1287, 15 * (4752 + 5 + 2 * 791 + 55 + 666 + 2 * (5 + 330))]

BASE_LINES = {
    "zoch-2005": ZOCH,
    "zoch-2005-short": ZOCH,
    "999-games": DUTCH,
    "sheet-000": ZOCH,
    "sheet-001": DUTCH,
    "sheet-002": DUTCH,
    "sheet-004": ZOCH,
    "ultraboardgames": SUMMARY,
    "zoch-2005+soft-landing": ZOCH,
    # After one of the five rolls that fail at once, the summary turns the 36: eight worms in the
    # next turn then have one tile less to choose from. The rulebook turns none.
    "zoch-2005+free-lower": [*SUMMARY[:4], SUMMARY[4] + 5],
    "zoch-2005+no-steal-back": ZOCH,
    "zoch-2005+lower-if-gone": [of + more for of, more in zip(ZOCH, IF_GONE, strict=True)],
    "zoch-2005+shared-win": ZOCH,
    "zoch-2005+roll-on": ZOCH,
}

# By hand. The tiny game begins with one of ten rolls: three show one face, six two faces, one all
# three, which makes 3 + 12 + 3 = 18 ways to choose one.
TINY_BEGINS = [10, 18]

# No move of the tiny game for two shows these: the score, the number of players, and the last face
# with dice left, since three faces need all three dice.
SILENT = [
    "the tiles from 33 up are worth three worms",
    "any number of players may play",
    "a tie goes to the one with more tiles",
]
# One fault of each function that decides something about a move.
SHOWING = [
    "there are seven dice",
    "all eight dice are rolled again",
    "only one die of the chosen face is set aside",
    "a face may be chosen twice",
    "a worm counts six",
    "no worm is needed to take a tile",
    "no lower tile may be taken",
    "a claimed tile goes to the bottom of the stack",
    "a tile below the total can be stolen",
    "no worm is needed to steal",
    "covered tiles can be stolen",
    "the bottom tile is returned",
    "the lowest tile is turned",
    "a dead roll costs nothing",
    "the turn does not pass",
    "the game ends with one tile left",
]


def published(table: str) -> dict:
    """Return one table of the file."""
    return read_spec("fingerprints")[table]


def told_apart(depth: int, names: list[str]) -> list[list[str]]:
    """Return the names in groups that the tiny game's count of this many moves does not part."""
    groups = defaultdict(list)
    for name in names:
        groups[published("tiny")[name][depth - 1]].append(name)
    return list(groups.values())


def test_the_base_game_counts_are_those_of_an_independent_program() -> None:
    """Three lines are its counts; the others follow by hand from where their rulings show."""
    assert published("base") == BASE_LINES


@pytest.mark.parametrize("name", NAMES)
def test_the_base_game_has_as_many_sequences_as_published(name: str) -> None:
    """The reference counts the sequences of up to five moves as the file has them."""
    assert counts("base", name) == published("base")[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_tiny_game_has_as_many_sequences_as_published(name: str) -> None:
    """The reference counts the sequences of up to sixteen moves as the file has them."""
    assert counts("tiny", name) == published("tiny")[name]


@pytest.mark.parametrize("name", NAMES)
def test_walking_through_the_whole_graph_counts_the_same(name: str) -> None:
    """Carried forward from the start, move by move, the sequences are as many."""
    graph = search()
    alone = 1 << COMBINATIONS.index(find_edition(name).rulings)
    after = {
        position: [step.after for step in graph.steps[position] if step.combinations & alone]
        for position, reaching in graph.reached.items()
        if reaching & alone
    }
    sequences, counted = {Position(start(2, find_box("tiny"))): 1}, []
    for _ in range(16):
        longer: Counter[Position] = Counter()
        for position, number in sequences.items():
            for following in after[position]:
                longer[following] += number
        sequences = longer
        counted.append(sum(sequences.values()))
    assert (counted, counted[:2]) == (published("tiny")[name], TINY_BEGINS)


def test_the_whole_graph_is_as_large_as_published() -> None:
    """States, moves, tables and final tables of the tiny game are as many as the file has them."""
    assert sizes() == published("graph")


def test_every_edition_and_house_rule_has_its_lines() -> None:
    """The three tables name all editions, and all house rules laid over the rulebook."""
    names = [*edition_names(), *(f"zoch-2005+{house}" for house in house_rule_names())]
    assert [list(published(table)) for table in ("base", "tiny", "graph")] == [names] * 3


def test_from_thirteen_moves_on_the_tiny_game_tells_all_editions_apart() -> None:
    """At twelve moves the rulebook and its shorter game still share a number; then none do."""
    groups = {depth: told_apart(depth, edition_names()) for depth in range(12, 17)}
    alone = [[name] for name in edition_names()]
    together = [["zoch-2005", "zoch-2005-short"], *alone[2:]]
    assert groups == {12: together, 13: alone, 14: alone, 15: alone, 16: alone}


def test_all_house_rules_show_but_the_score_and_the_sixth_face() -> None:
    """A shared win and rolling on after all faces change no move of the tiny game."""
    silent = ["zoch-2005", "zoch-2005+shared-win", "zoch-2005+roll-on"]
    alone = [[name] for name in NAMES if name not in silent]
    assert told_apart(16, NAMES) == [silent, *alone]


def test_the_file_is_written_by_its_program() -> None:
    """The file's text, comments included, is what `make_fingerprints.py` writes."""
    expected = text(published("base"), published("tiny"), published("graph"))
    assert FILE.read_text(encoding="utf-8") == expected


@pytest.mark.parametrize("fault", SILENT + SHOWING)
def test_a_broken_rule_shows_in_the_counts(fault: str) -> None:
    """With one rule broken the line is another, unless the rule is about no move."""
    tiny = find_box("tiny")
    with planted([find_fault(fault)]):
        perft = Perft(find_edition().rulings, tiny)
        counted = [perft.count(Position(start(2, tiny)), depth) for depth in range(1, 17)]
    assert (counted == published("tiny")["zoch-2005"]) == (fault in SILENT)
