"""Level `tables`: failed turns and claims over many tables, complete for the reference.

The reference is asked in process, and held against the second statement of the rules.

- Failed turns: every set of face-up tiles, every own top tile that is not among them, or none,
  every value of the two flip rulings.
- Claims: every set of face-up tiles, every total with a worm and without, the tile with exactly
  the total at every place where it can lie, under the claim rulings of `zoch-2005`; and under
  every other combination of them where at most six tiles lie face up. Every steal is made, too,
  and every exact tile is taken; lower ones are where at most six tiles lie face up.

Combinations that differ only in rulings at which the reference does not look, as it turns out,
are asked together.

What is not told by that is dealt out: three players sit at the table, the number of face-up
tiles tells whose turn it is, and tiles are left for the other stacks and to lie face down.
The smallest sets come first; among sets of one size, the lowest totals.
"""

from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from multiprocessing import get_context

from pickomino_conformance.levels.tables.claims import ClaimsInReach
from pickomino_conformance.levels.tables.failed_turns import FailedTurns
from pickomino_conformance.levels.tables.judging import Counted, Judged
from pickomino_conformance.levels.tables.laying import (
    EVERY_CLAIM_RULING,
    FEW,
    LEVEL,
    NO_OWN,
    NUMBERS,
    OTHER_PLACES,
    RULEBOOK,
    SETS_A_WORK,
    WITHOUT_WORM,
    claiming_table,
    failing_table,
    numbers,
    tiles_of,
)
from pickomino_conformance.second_statement import NO_TILE, Place
from pickomino_reference import (
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    LowerTile,
    StealBack,
)

Work = FailedTurns | ClaimsInReach


def works() -> Iterator[Work]:
    """Yield all work in shares that can be judged anywhere, the smallest tables first."""
    for size in range(1, len(NUMBERS) + 1):
        grills = [tiles_of(row) for row in combinations(NUMBERS, size)]
        few = size <= FEW
        for start in range(0, len(grills), SETS_A_WORK):
            yield FailedTurns(tuple(grills[start : start + SETS_A_WORK]))
        sets = SETS_A_WORK // 8 if few else SETS_A_WORK
        for start in range(0, len(grills), sets):
            rulings = EVERY_CLAIM_RULING if few else RULEBOOK
            yield ClaimsInReach(tuple(grills[start : start + sets]), rulings)


def work_of(case: str) -> Work | None:
    """Return the work that is this case alone, or none if there is no such case."""
    try:
        level, kind, shown, *rest = case.split("/")
        grills = (tiles_of(map(int, shown.split("."))),)
        if (level, kind) == (LEVEL, "fail"):
            own, after, without = rest
            own_top = NO_TILE if own == NO_OWN else 1 << int(own)
            flip = (FlipAfterReturn(after), FlipWithoutReturn(without))
            return FailedTurns(grills, (own_top,), (flip,))
        if (level, kind) == (LEVEL, "claim"):
            total, place, lower_tile, exact, steal_back = rest
            rulings = (LowerTile(lower_tile), ExactOnOpponent(exact), StealBack(steal_back))
            totals = (int(total.removesuffix(WITHOUT_WORM)),)
            worms = (not total.endswith(WITHOUT_WORM),)
            return ClaimsInReach(grills, (rulings,), totals, worms, (Place(place),))
    except ValueError:
        return None
    return None


def judge(work: Work) -> Judged:
    """Ask the reference every case of a share of the work."""
    return work.judge()


def run(processes: int = 1, only: Collection[str] = ()) -> Iterator[Counted]:
    """Yield the outcomes of every case, those on the smallest tables first.

    Cases that passed are shared by their rules, and so are those beyond the first hundred of a
    share of the work that departed: with each outcome comes the number of cases.

    `processes` share the work; with one it is done here. `only` are the ids of the only cases to
    be asked; empty for all.
    """
    every: Iterable[Work] = works()
    if only:
        every = [work for work in map(work_of, only) if work is not None]
    if processes == 1:
        for work in every:
            yield from judge(work).outcomes()
        return
    with ProcessPoolExecutor(processes, get_context("fork")) as pool:
        try:
            for judged in pool.map(judge, every):
                yield from judged.outcomes()
        finally:
            pool.shutdown(cancel_futures=True)


__all__ = [
    "OTHER_PLACES",
    "Counted",
    "claiming_table",
    "failing_table",
    "judge",
    "numbers",
    "run",
    "tiles_of",
    "work_of",
    "works",
]
