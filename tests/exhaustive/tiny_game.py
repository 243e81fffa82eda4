"""The tiny game (`spec/boxes.toml`), searched completely under all combinations of rulings at once.

A set of combinations is a number: bit k stands for `COMBINATIONS[k]`.
Each position is put to the reference once for all combinations that can't be told apart there:
`Listening` notes which rulings the reference asks for, and combinations that give the same values
for those share the outcome.
Every transition is one `play` of the reference; nothing of the rules is stated here.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from itertools import product
from typing import NamedTuple, TypeVar, cast

from listening import Listening
from pickomino_conformance.cli.rules import moves
from pickomino_reference import (
    Move,
    Position,
    Rulings,
    Table,
    Turn,
    find_box,
    play,
    start,
)

TINY = find_box("tiny")
RULINGS = {field.name: type(field.default) for field in fields(Rulings)}
COMBINATIONS = [
    Rulings(**dict(zip(RULINGS, values, strict=True))) for values in product(*RULINGS.values())
]
ALL = (1 << len(COMBINATIONS)) - 1

Outcome = TypeVar("Outcome")


class Size(NamedTuple):
    """How large the graph of one combination is.

    Attributes:
        states: the positions that can be reached, within turns and between them.
        moves: the legal moves of all these positions together.
        tables: the positions between turns, the first and the final ones included.
        final_tables: the tables at which the game is over.
    """

    states: int
    moves: int
    tables: int
    final_tables: int


class Step(NamedTuple):
    """A move, where it leads to, and the combinations under which it does."""

    move: Move
    after: Position
    combinations: int


class Way(NamedTuple):
    """A step together with the position at which it is taken."""

    before: Position
    move: Move
    after: Position
    combinations: int


@cache
def where(**values: object) -> int:
    """Return the combinations that have these values, given by the names of `Rulings`' fields."""
    return sum(
        1 << number
        for number, rulings in enumerate(COMBINATIONS)
        if all(getattr(rulings, name) is value for name, value in values.items())
    )


def outcomes(
    ask: Callable[[Rulings], Outcome], combinations: int = ALL
) -> Iterator[tuple[Outcome, int, set[str]]]:
    """Yield each outcome of `ask`, the combinations that share it, and the rulings it asked for.

    Combinations share an outcome if they agree in all rulings that were asked for on the way.
    """
    while combinations:
        lowest = COMBINATIONS[(combinations & -combinations).bit_length() - 1]
        listening = Listening(lowest)
        outcome = ask(cast("Rulings", listening))
        sharing = combinations
        for name in listening.asked:
            sharing &= where(**{name: getattr(lowest, name)})
        yield outcome, sharing, listening.asked
        combinations &= ~sharing


def steps(position: Position) -> tuple[list[Step], set[str]]:
    """Return every move from a position, and the rulings on which moves and outcomes hang."""
    found: Counter[tuple[Move, Position]] = Counter()
    asked: set[str] = set()
    for offered, offering, first in outcomes(lambda rulings: moves(position, rulings, TINY)):
        asked |= first
        for move in offered:
            after = outcomes(lambda rulings, m=move: play(position, m, rulings, TINY), offering)
            for reached, sharing, second in after:
                asked |= second
                found[move, reached] |= sharing
    return [Step(move, after, sharing) for (move, after), sharing in found.items()], asked


@dataclass(frozen=True)
class Graph:
    """All that can happen in the tiny game.

    Attributes:
        reached: each position, and the combinations under which it can be reached.
        steps: the moves from each position, also those of combinations that do not reach it.
        asked: the rulings that the reference asked for anywhere.
    """

    reached: dict[Position, int]
    steps: dict[Position, list[Step]]
    asked: set[str]

    def ways(self) -> Iterator[Way]:
        """Yield every step with the combinations under which it can come about."""
        for before, reaching in self.reached.items():
            for move, after, combinations in self.steps[before]:
                if combinations & reaching:
                    yield Way(before, move, after, combinations & reaching)

    @property
    def tables(self) -> dict[Table, int]:
        """The tables between turns, and the combinations under which each can be reached."""
        return {table: by for (table, turn), by in self.reached.items() if turn == Turn()}

    def sizes(self) -> list[Size]:
        """Return the size of each combination's graph, in the order of `COMBINATIONS`."""
        counts = (
            _count(self.reached.values()),
            _count(way.combinations for way in self.ways()),
            _count(self.tables.values()),
            _count(by for table, by in self.tables.items() if table.grill == ()),
        )
        return [Size(*numbers) for numbers in zip(*counts, strict=True)]


def _count(sets: Iterable[int]) -> list[int]:
    """Return for each combination in how many of these sets it is."""
    totals = [0] * len(COMBINATIONS)
    for combinations, times in Counter(sets).items():
        for number in range(len(totals)):
            totals[number] += times * (combinations >> number & 1)
    return totals


@cache
def search() -> Graph:
    """Return the whole graph; each position hands on the combinations that are new to it."""
    beginning = Position(start(2, TINY))
    graph = Graph({}, {}, set())
    waiting, fresh = deque([beginning]), {beginning: ALL}
    while waiting:
        position = waiting.popleft()
        arriving = fresh.pop(position)
        graph.reached[position] = graph.reached.get(position, 0) | arriving
        if position not in graph.steps:
            graph.steps[position], asked = steps(position)
            graph.asked.update(asked)
        for _, after, combinations in graph.steps[position]:
            handed_on = combinations & arriving & ~graph.reached.get(after, 0)
            if handed_on:
                if after not in fresh:
                    waiting.append(after)
                fresh[after] = fresh.get(after, 0) | handed_on
    return graph


def search_plainly(rulings: Rulings) -> set[tuple[Position, Move, Position]]:
    """Return every move that can come about under one combination, searched without sharing."""
    beginning = Position(start(2, TINY))
    seen, waiting, found = {beginning}, [beginning], set()
    while waiting:
        position = waiting.pop()
        for move in moves(position, rulings, TINY):
            after = play(position, move, rulings, TINY)
            found.add((position, move, after))
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return found
