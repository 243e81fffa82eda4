"""Looking back from a table: the turns that can have led there, the least disputed first."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from pickomino_reference import (
    BASE,
    Claim,
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    Rule,
    Rulings,
    Steal,
    StealBack,
    Table,
    Take,
)
from pickomino_reference.table import with_stack

# What a turn costs the path. All is plain but what some ruling, or many an engine, sees otherwise.
PLAIN = 1
FAILURE = 2
STEAL = 3
LOWEST_TILE = 2
EIGHT_DICE = 3
AMBIGUOUS = 4
CONTESTED = 8
# What the case itself is about is no part of the path, if that can be helped.
IN_QUESTION = 20


LOWEST, HIGHEST = min(BASE.worms), max(BASE.worms)
PLAIN_TILES = range(LOWEST + 1, HIGHEST)

# The rules that the turns of a way can be kept from hanging on.
STEALING = frozenset(str(rule) for rule in Rule if rule.startswith("stealing."))
DISPUTED = STEALING | {
    str(rule)
    for rule in (
        Rule.FAILING_FLIP_HIGHEST,
        Rule.FAILING_RETURNED_HIGHEST,
        Rule.FAILING_NOTHING_RETURNED,
        Rule.ROLLING_FORCED_END,
    )
}


class Bar(NamedTuple):
    """What is known, looking back, of the tiles barred to a player.

    Attributes:
        exactly: whether it is these tiles and no others; else any but these.
        tiles: ascending.
    """

    exactly: bool
    tiles: tuple[int, ...]


class Point(NamedTuple):
    """A table on the path, looking back; `bars` only under `steal-back = barred`."""

    grill: tuple[int, ...]
    face_down: tuple[int, ...]
    stacks: tuple[tuple[int, ...], ...]
    player: int
    bars: tuple[Bar, ...]


class Back(NamedTuple):
    """A step back: the table before a turn, what that turn was, and what it costs.

    Attributes:
        node: the table before it.
        claim: what the player claimed; none if the turn failed.
        cost: the higher the more disputed.
    """

    node: Point
    claim: Claim | None
    cost: int


class Trail(NamedTuple):
    """What a search came to.

    Attributes:
        turns: the claim of every turn from the start, none for a failure; none if it found no way.
        cost: what they cost together.
        seen: how many tables it looked back from.
        everywhere: whether none was left to look back from.
    """

    turns: tuple[Claim | None, ...] | None
    cost: int
    seen: int
    everywhere: bool = False


def contradiction(table: Table | Point, rulings: Rulings) -> str:
    """Return why no game leads to this table under these rulings; empty if nothing says so."""
    grill, down = table.grill, table.face_down
    if not down or not grill:
        return ""
    flip, without = rulings.flip_after_return, rulings.flip_without_return
    if flip is FlipAfterReturn.NEVER and without is FlipWithoutReturn.NO:
        return "under these rulings no tile is ever turned face down"
    above = sum(tile > down[0] for tile in grill)
    if flip is FlipAfterReturn.BOTH:
        # What is the highest now was never taken, else it would have been turned on its return.
        higher = sum(tile > grill[-1] for tile in down)
        if len(down) <= 2 * higher:
            return ""
        return (
            f"every failure turns a tile above the {grill[-1]} and one more at most; "
            f"of the {len(down)} face-down tiles only {higher} lie above it"
        )
    if flip is FlipAfterReturn.BEFORE_RETURN:
        if above <= 1:
            return ""
        return (
            "with the highest tile turned before the other comes back, only one tile can lie "
            f"face up above the {down[0]}"
        )
    if down[0] == LOWEST:
        return f"the {LOWEST} can be turned face down only as the last tile, and the game is over"
    if flip is FlipAfterReturn.ALWAYS and above:
        return f"a tile above the {down[0]} that came back was turned face down itself"
    return ""


class Search:
    """A search for ways under some rulings; see `find_path`."""

    def __init__(self, rulings: Rulings, avoided: frozenset[str], *, ambiguous: bool) -> None:
        self._rulings = rulings
        self._ambiguous = ambiguous
        self._bars = rulings.steal_back is StealBack.BARRED

        def cost(of_itself: int, *rules: str) -> int:
            return of_itself + (IN_QUESTION if avoided.intersection(rules) else 0)

        self._steal = cost(STEAL, *STEALING)
        self._failure = cost(FAILURE, Rule.FAILING_FLIP_HIGHEST)
        self._highest = cost(CONTESTED, Rule.FAILING_RETURNED_HIGHEST)
        self._empty_handed = cost(CONTESTED, Rule.FAILING_NOTHING_RETURNED)
        self._eight_dice = cost(EIGHT_DICE, Rule.ROLLING_FORCED_END)

    def run(
        self,
        table: Table,
        eagerness: int,
        turns_a_tile: float,
        most: int,
        *,
        thorough: bool = False,
    ) -> Trail:
        """Look back from a table, through at most so many others.

        `thorough` looks at every turn that can have been, not only at those that are enough
        as a rule.
        """
        bars = tuple(Bar(True, tiles) for tiles in table.barred) if self._bars else ()
        end = Point(table.grill, table.face_down, table.stacks, table.player, bars)
        costs, steps = {end: 0}, dict[Point, tuple[Claim | None, Point]]()
        number, seen = count(), set[Point]()
        waiting = [(0.0, next(number), end)]
        while waiting and len(seen) < most:
            *_, node = heappop(waiting)
            if node in seen:
                continue
            if _is_start(node):
                return Trail(_trail(node, end, steps), costs[node], len(seen))
            seen.add(node)
            for back in self._back(node, thorough):
                cost = costs[node] + back.cost
                if cost < costs.get(back.node, cost + 1):
                    costs[back.node] = cost
                    steps[back.node] = (back.claim, node)
                    estimate = cost + eagerness * _turns_left(back.node, turns_a_tile)
                    heappush(waiting, (estimate, next(number), back.node))
        return Trail(None, 0, len(seen), everywhere=not waiting)

    def _back(self, node: Point, thorough: bool) -> Iterator[Back]:
        """Yield the turns that can have led to this table."""
        mover = (node.player - 1) % len(node.stacks)
        bars = node.bars
        if bars:
            if bars[mover].exactly and bars[mover].tiles:
                return
            bars = _with_bar(bars, mover, Bar(False, ()))
        node = node._replace(player=mover, bars=bars)
        yield from self._claimed(node)
        for back in self._failed(node, thorough):
            if not contradiction(back.node, self._rulings):
                yield back

    def _claimed(self, node: Point) -> Iterator[Back]:
        """Yield the claims that can have put the mover's top tile where it is."""
        grill, _, stacks, mover, bars = node
        if not stacks[mover]:
            return
        *rest, tile = stacks[mover]
        without = with_stack(stacks, mover, tuple(rest))
        extra = LOWEST_TILE * (tile == LOWEST) + self._eight_dice * (tile == HIGHEST)
        before = node._replace(grill=_joined(grill, tile), stacks=without)
        yield Back(before, Take(tile), PLAIN + extra)
        if not grill:
            return
        choice = grill[0] < tile and self._rulings.exact_on_opponent is ExactOnOpponent.CHOICE
        if choice and not self._ambiguous:
            return
        for victim, own in enumerate(stacks):
            if victim == mover:
                continue
            before = node._replace(stacks=with_stack(without, victim, (*own, tile)))
            if bars:
                told = bars[victim]
                if told.exactly is not (tile in told.tiles):
                    continue
                left = _parted(told.tiles, tile)
                known = _with_bar(bars, victim, Bar(told.exactly, left))
                before = before._replace(bars=_with_bar(known, mover, Bar(False, (tile,))))
            yield Back(before, Steal(victim), self._steal + extra + AMBIGUOUS * choice)

    def _failed(self, node: Point, thorough: bool) -> Iterator[Back]:
        """Yield the failures that can have led here."""
        grill, down, stacks, mover, _ = node
        turned = [tile for tile in down if not grill or tile > grill[-1]]
        likely = turned if thorough else turned[:1]
        if not stacks[mover]:
            yield from self._failed_empty_handed(node, likely)
        for tile, flipped, cost in self._returned(node, turned, likely, thorough):
            row = _parted(_joined(grill, *flipped), tile)
            if row:
                owned = with_stack(stacks, mover, (*stacks[mover], tile))
                left = _parted(down, *flipped)
                yield Back(node._replace(grill=row, face_down=left, stacks=owned), None, cost)

    def _returned(
        self, node: Point, turned: list[int], likely: list[int], thorough: bool
    ) -> Iterator[tuple[int, tuple[int, ...], int]]:
        """Yield which tile can have come back, which were turned then, and what that costs."""
        grill, down = node.grill, node.face_down
        flip = self._rulings.flip_after_return
        if flip is FlipAfterReturn.BOTH:
            for tile in down:
                if tile in turned:
                    yield tile, (tile,), self._highest
                yield from ((tile, (tile, up), self._highest) for up in turned if up > tile)
            return
        returned = grill if thorough else _worth_returning(node)
        if flip is FlipAfterReturn.NEVER:
            yield from ((tile, (), self._failure) for tile in returned)
            return
        yield from ((tile, (up,), self._failure) for up in likely for tile in returned)
        if not grill:
            return
        if flip is FlipAfterReturn.UNLESS_HIGHEST:
            yield grill[-1], (), self._highest
        elif flip is FlipAfterReturn.ALWAYS:
            yield from ((up, (up,), self._highest) for up in turned)
        elif flip is FlipAfterReturn.BEFORE_RETURN:
            second = grill[-2] if len(grill) > 1 else 0
            between = (up for up in down if second < up < grill[-1])
            yield from ((grill[-1], (up,), self._highest) for up in between)

    def _failed_empty_handed(self, node: Point, turned: list[int]) -> Iterator[Back]:
        if self._rulings.flip_without_return is FlipWithoutReturn.NO:
            if node.grill:
                yield Back(node, None, self._empty_handed)
            return
        for up in turned:
            before = node._replace(
                grill=_joined(node.grill, up), face_down=_parted(node.face_down, up)
            )
            yield Back(before, None, self._empty_handed)


def _worth_returning(node: Point) -> list[int]:
    """Return the tiles of the grill that are as good as any to have just come back.

    One that lies in the path of turning a lower one up again, or else the plainest.
    """
    grill, down = node.grill, node.face_down
    lowest_down = down[0] if down else HIGHEST
    in_the_way = [tile for tile in grill if tile > lowest_down]
    plain = [tile for tile in grill if tile in PLAIN_TILES]
    return list(dict.fromkeys([*in_the_way, *plain[:1], *plain[-1:], *grill[:1]]))


def _turns_left(node: Point, turns_a_tile: float) -> float:
    """Return about how many turns lie before this table.

    Each tile on a stack was taken. Each face-up one above a face-down one was gone when that
    was turned: it was taken, and returned later.
    """
    grill, down, stacks, *_ = node
    above = sum(tile > down[0] for tile in grill) if down else 0
    return turns_a_tile * len(down) + 2 * above + sum(map(len, stacks))


def _is_start(node: Point) -> bool:
    return (
        node.player == 0
        and len(node.grill) == len(BASE.worms)
        and all(not bar.tiles or not bar.exactly for bar in node.bars)
    )


def _trail(
    node: Point, end: Point, steps: dict[Point, tuple[Claim | None, Point]]
) -> tuple[Claim | None, ...]:
    """Return the turns from this table to the last one."""
    turns: list[Claim | None] = []
    while node != end:
        claim, node = steps[node]
        turns.append(claim)
    return tuple(turns)


def _joined(tiles: tuple[int, ...], *more: int) -> tuple[int, ...]:
    return tuple(sorted((*tiles, *more)))


def _parted(tiles: tuple[int, ...], *without: int) -> tuple[int, ...]:
    return tuple(other for other in tiles if other not in without)


def _with_bar(bars: tuple[Bar, ...], player: int, bar: Bar) -> tuple[Bar, ...]:
    return (*bars[:player], bar, *bars[player + 1 :])
