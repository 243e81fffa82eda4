"""Arriving: the turns by which a game gets from its start to a table.

An engine that can't be set to a table is played there. The way is looked for from its end: the
turns that can have led to the table, those that can have led there, and so on back to the start
of a game. It is the one whose turns are the least disputed, as far as the search has seen.
"""

from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import count, cycle, islice
from typing import NamedTuple

from msgspec import UNSET

from pickomino_conformance import sentences
from pickomino_conformance.cases import NotReached, Script
from pickomino_conformance.protocol import Decision
from pickomino_conformance.tables import claim_message
from pickomino_reference import (
    BASE,
    Claim,
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    Position,
    Roll,
    Rule,
    Rulings,
    SetAside,
    Steal,
    StealBack,
    Table,
    Take,
    play,
    start,
)
from pickomino_reference.table import with_stack

# What a turn costs the way. All is plain but what some ruling, or many an engine, sees otherwise.
PLAIN = 1
FAILURE = 2
STEAL = 3
LOWEST_TILE = 2
EIGHT_DICE = 3
AMBIGUOUS = 4
CONTESTED = 8
# What the case itself is about is no part of the way, if that can be helped.
IN_QUESTION = 20

# How the search looks: the greater the eagerness, the sooner a way is found, and the less its
# cost matters. About how many turns a face-down tile took, one that brought a tile and one that
# lost it, or less where empty-handed players turn tiles: which guess leads there, only trying
# tells. So any way is looked for first, then one less disputed, or at last everywhere.
EAGER = ((20, 2.0), (60, 2.0), (20, 1.0), (20, 0.5))
CAREFUL = (2, 2.0)
MOST_TABLES, MOST_TABLES_CAREFULLY, MOST_TABLES_AT_LAST = 2000, 1000, 3000

LOWEST, HIGHEST = min(BASE.worms), max(BASE.worms)
PLAIN_TILES = range(LOWEST + 1, HIGHEST)
FILLERS = "1234"


class Leg(NamedTuple):
    """A turn of the way, and the table to which it must lead."""

    script: Script
    after: Table


class Bar(NamedTuple):
    """What is known, looking back, of the tiles barred to a player.

    Attributes:
        exactly: whether it is these tiles and no others; else any but these.
        tiles: ascending.
    """

    exactly: bool
    tiles: tuple[int, ...]


class Node(NamedTuple):
    """A table on the way, looking back; `bars` only under `steal-back = barred`."""

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

    node: Node
    claim: Claim | None
    cost: int


class Found(NamedTuple):
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


def find_way(
    table: Table,
    rulings: Rulings,
    avoided: Collection[str] = (),
    *,
    ambiguous: bool = True,
) -> tuple[Leg, ...]:
    """Return the turns from the start of a game to this table.

    `avoided` are the ids of rules that no turn on the way should hang on, if that can be helped.
    `ambiguous` is whether a tile may be stolen where another could be taken instead; an engine
    that chooses its claims itself may not do so.

    Raises:
        NotReached: no game leads there, or no way was found; the text says why.
    """
    if rulings.steal_back is StealBack.ALLOWED:
        table = table._replace(barred=((),) * len(table.stacks))
    found = _find_way(table, rulings, frozenset(avoided) & DISPUTED, ambiguous)
    if isinstance(found, str):
        raise NotReached(found)
    return found


@lru_cache(maxsize=4096)
def _find_way(
    table: Table, rulings: Rulings, avoided: frozenset[str], ambiguous: bool
) -> tuple[Leg, ...] | str:
    if table == start(len(table.stacks)):
        return ()
    why = contradiction(table, rulings)
    if why:
        return f"no game leads to this table: {why}"
    search = Search(rulings, avoided, ambiguous=ambiguous)
    tries = (search.run(table, *guess, MOST_TABLES) for guess in EAGER)
    found = next((found for found in tries if found.turns is not None), None)
    if found is None:
        found = search.run(table, *EAGER[0], MOST_TABLES_AT_LAST, thorough=True)
    elif found.cost >= CONTESTED:
        other = search.run(table, *CAREFUL, MOST_TABLES_CAREFULLY)
        found = other if other.turns is not None and other.cost < found.cost else found
    if found.turns is not None:
        return _legs(table, found.turns, rulings)
    return _why_none(table, found, ambiguous=ambiguous)


def _why_none(table: Table, found: Found, *, ambiguous: bool) -> str:
    """Return why a search found no way, as a sentence."""
    if not found.everywhere:
        return f"no way to this table was found, looking back from it through {found.seen} tables"
    if not ambiguous:
        return "no way leads to this table on which the engine can claim nothing else"
    mover = (table.player - 1) % len(table.stacks)
    if found.seen == 1 and not table.stacks[mover]:
        return (
            f"no game leads to this table: {sentences.player(mover)}, who moved last and owns no "
            "tile, has failed, and no failure leaves such a table"
        )
    return (
        "no game leads to this table: looking back from it, each of the "
        f"{found.seen} tables that can have come before is a dead end"
    )


def contradiction(table: Table | Node, rulings: Rulings) -> str:
    """Return why no game leads to this table under these rulings; empty if nothing says so."""
    grill, down = table.grill, table.face_down
    if not down or not grill:
        return ""
    flip, without = rulings.flip_after_return, rulings.flip_without_return
    if flip is FlipAfterReturn.NEVER and without is FlipWithoutReturn.NO:
        return "under these rulings no tile is ever turned face down"
    above = sum(tile > down[0] for tile in grill)
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


def hangs_on(leg: Leg) -> frozenset[str]:
    """Return the disputed rules that a turn on the way hangs on."""
    table, decision = leg.script.table, leg.script.decisions[-1]
    own = table.stacks[table.player]
    if decision.claim:
        rules = STEALING if decision.claim.take is UNSET else frozenset[str]()
        eight = len(leg.script.set_aside) == BASE.dice
        return rules | {str(Rule.ROLLING_FORCED_END)} if eight else rules
    if not own:
        return frozenset((str(Rule.FAILING_NOTHING_RETURNED),))
    if own[-1] > table.grill[-1]:
        return frozenset((str(Rule.FAILING_RETURNED_HIGHEST),))
    return frozenset((str(Rule.FAILING_FLIP_HIGHEST),))


class Search:
    """A search for ways under some rulings; see `find_way`."""

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
    ) -> Found:
        """Look back from a table, through at most so many others.

        `thorough` looks at every turn that can have been, not only at those that are enough
        as a rule.
        """
        bars = tuple(Bar(True, tiles) for tiles in table.barred) if self._bars else ()
        end = Node(table.grill, table.face_down, table.stacks, table.player, bars)
        costs, steps = {end: 0}, dict[Node, tuple[Claim | None, Node]]()
        number, seen = count(), set[Node]()
        waiting = [(0.0, next(number), end)]
        while waiting and len(seen) < most:
            *_, node = heappop(waiting)
            if node in seen:
                continue
            if _is_start(node):
                return Found(_trail(node, end, steps), costs[node], len(seen))
            seen.add(node)
            for back in self._back(node, thorough):
                cost = costs[node] + back.cost
                if cost < costs.get(back.node, cost + 1):
                    costs[back.node] = cost
                    steps[back.node] = (back.claim, node)
                    estimate = cost + eagerness * _turns_left(back.node, turns_a_tile)
                    heappush(waiting, (estimate, next(number), back.node))
        return Found(None, 0, len(seen), everywhere=not waiting)

    def _back(self, node: Node, thorough: bool) -> Iterator[Back]:
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

    def _claimed(self, node: Node) -> Iterator[Back]:
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
                left = tuple(other for other in told.tiles if other != tile)
                known = _with_bar(bars, victim, Bar(told.exactly, left))
                before = before._replace(bars=_with_bar(known, mover, Bar(False, (tile,))))
            yield Back(before, Steal(victim), self._steal + extra + AMBIGUOUS * choice)

    def _failed(self, node: Node, thorough: bool) -> Iterator[Back]:
        """Yield the failures that can have led here."""
        grill, down, stacks, mover, _ = node
        top = grill[-1] if grill else 0
        turned = [tile for tile in down if tile > top]
        if not stacks[mover]:
            yield from self._failed_empty_handed(node, turned if thorough else turned[:1])
        flip = self._rulings.flip_after_return
        returned = grill if thorough else _worth_returning(node)
        if flip is FlipAfterReturn.NEVER:
            for tile in returned:
                yield from _returned(node, tile, None, self._failure)
            return
        for up in turned if thorough else turned[:1]:
            for tile in returned:
                yield from _returned(node, tile, up, self._failure)
        if flip is FlipAfterReturn.UNLESS_HIGHEST and grill:
            yield from _returned(node, top, None, self._highest)
        elif flip is FlipAfterReturn.ALWAYS and grill:
            for up in turned:
                before = node._replace(
                    face_down=_parted(down, up),
                    stacks=with_stack(stacks, mover, (*stacks[mover], up)),
                )
                yield Back(before, None, self._highest)
        elif flip is FlipAfterReturn.BEFORE_RETURN and grill:
            second = grill[-2] if len(grill) > 1 else 0
            for up in down:
                if second < up < top:
                    yield from _returned(node, top, up, self._highest)

    def _failed_empty_handed(self, node: Node, turned: list[int]) -> Iterator[Back]:
        if self._rulings.flip_without_return is FlipWithoutReturn.NO:
            if node.grill:
                yield Back(node, None, self._empty_handed)
            return
        for up in turned:
            before = node._replace(
                grill=_joined(node.grill, up), face_down=_parted(node.face_down, up)
            )
            yield Back(before, None, self._empty_handed)


def _returned(node: Node, tile: int, up: int | None, cost: int) -> Iterator[Back]:
    """Yield the failure that returned `tile`, and turned `up` if anything; if it can have been."""
    grill, down, stacks, mover, _ = node
    row = _parted(grill, tile)
    if up is not None:
        row, down = _joined(row, up), _parted(down, up)
    if row:
        owned = with_stack(stacks, mover, (*stacks[mover], tile))
        yield Back(node._replace(grill=row, face_down=down, stacks=owned), None, cost)


def _worth_returning(node: Node) -> list[int]:
    """Return the tiles of the grill that are as good as any to have just come back.

    One that lies in the way of turning a lower one up again, or else the plainest.
    """
    grill, down = node.grill, node.face_down
    lowest_down = down[0] if down else HIGHEST
    in_the_way = [tile for tile in grill if tile > lowest_down]
    plain = [tile for tile in grill if tile in PLAIN_TILES]
    return list(dict.fromkeys([*in_the_way, *plain[:1], *plain[-1:], *grill[:1]]))


def _turns_left(node: Node, turns_a_tile: float) -> float:
    """Return about how many turns lie before this table.

    Each tile on a stack was taken. Each face-up one above a face-down one was gone when that
    was turned: it was taken, and returned later.
    """
    grill, down, stacks, *_ = node
    above = sum(tile > down[0] for tile in grill) if down else 0
    return turns_a_tile * len(down) + 2 * above + sum(map(len, stacks))


def _is_start(node: Node) -> bool:
    return (
        node.player == 0
        and len(node.grill) == len(BASE.worms)
        and all(not bar.tiles or not bar.exactly for bar in node.bars)
    )


def _trail(
    node: Node, end: Node, steps: dict[Node, tuple[Claim | None, Node]]
) -> tuple[Claim | None, ...]:
    """Return the turns from this table to the last one."""
    turns: list[Claim | None] = []
    while node != end:
        claim, node = steps[node]
        turns.append(claim)
    return tuple(turns)


def _legs(table: Table, turns: tuple[Claim | None, ...], rulings: Rulings) -> tuple[Leg, ...]:
    """Return the turns with their dice, played on the reference; they lead to `table`."""
    legs: list[Leg] = []
    at = start(len(table.stacks))
    for claim in turns:
        leg = _leg(at, claim, rulings)
        legs.append(leg)
        at = leg.after
    assert at == table, f"the way leads to {at}, not to {table}"
    return tuple(legs)


def _leg(table: Table, claim: Claim | None, rulings: Rulings) -> Leg:
    position = Position(table)
    if claim is None:
        rolls, decisions = dead_turn()
    else:
        tile = claim.tile if isinstance(claim, Take) else table.stacks[claim.player][-1]
        rolls, kept = plain_dice(tile)
        decisions = (
            *(Decision(keep=face, then="roll") for face in kept[:-1]),
            Decision(keep=kept[-1], then="stop", claim=claim_message(claim)),
        )
    for index, roll in enumerate(rolls):
        position = play(position, Roll(roll), rulings)
        if index < len(decisions):
            position = play(position, SetAside(decisions[index].keep or ""), rulings)
    if claim is not None:
        position = play(position, claim, rulings)
    return Leg(Script(table, rolls, decisions), position.table)


@cache
def plain_dice(tile: int) -> tuple[tuple[str, ...], str]:
    """Return rolls that make exactly the number of a tile, and the face set aside from each.

    A worm, no 5, at most seven dice and five faces; eight dice for the 36. The total comes to
    21 with the last face only, since some engines look for a tile from there on.
    """
    worm = BASE.points[BASE.worm]
    for most in (BASE.dice - 1, BASE.dice):
        for worms in range(1, most + 1):
            rest = tile - worms * worm
            if rest == 0:
                return (_roll(BASE.worm, worms, BASE.dice),), BASE.worm
            for face in reversed(FILLERS):
                number, over = divmod(rest, BASE.points[face])
                if number < 1 or over or worms + number > most:
                    continue
                pairs = [(BASE.worm, worms), (face, number)]
                pairs.sort(key=lambda pair: BASE.points[pair[0]] * pair[1] >= LOWEST)
                (first, some), (second, more) = pairs
                rolls = (_roll(first, some, BASE.dice), _roll(second, more, BASE.dice - some))
                return rolls, first + second
    raise AssertionError(f"no dice make {tile}")


@cache
def dead_turn() -> tuple[tuple[str, ...], tuple[Decision, ...]]:
    """Return the dice and the decision of a turn that fails by a dead second roll."""
    rolls = (_roll(BASE.worm, 1, BASE.dice), BASE.worm * (BASE.dice - 1))
    return rolls, (Decision(keep=BASE.worm, then="roll"),)


def _roll(face: str, number: int, dice: int) -> str:
    """Return a roll of so many dice that shows `face` so often, and else other low numbers."""
    others = cycle(other for other in FILLERS if other != face)
    return "".join(sorted([face] * number + list(islice(others, dice - number))))


def _joined(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    return tuple(sorted((*tiles, tile)))


def _parted(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    return tuple(other for other in tiles if other != tile)


def _with_bar(bars: tuple[Bar, ...], player: int, bar: Bar) -> tuple[Bar, ...]:
    return (*bars[:player], bar, *bars[player + 1 :])
