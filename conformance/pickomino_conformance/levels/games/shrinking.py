"""Making a turn simpler that an engine plays wrongly."""

from collections.abc import Callable, Iterator

from pickomino_conformance.cases import Script
from pickomino_conformance.levels.expected import Expected, play_out
from pickomino_conformance.levels.scripting import Dice, every_dice, rolls_of, script, worth
from pickomino_conformance.protocol import ClaimMessage, Decision
from pickomino_reference import BASE, Refused, Rulings, Table

# So many turns with fewer or plainer dice are tried in place of one.
MOST_DICE = 12


def simplest(
    expected: Expected, rulings: Rulings, fewest: int, differs: Callable[[Expected], bool]
) -> Expected:
    """Return the turn with fewer players, tiles and rolls, as long as it `differs`.

    `fewest` is how many players there must be. `differs` asks the engine; it is never asked
    about a turn that is not legal.
    """
    simpler = True
    while simpler:
        simpler = False
        for candidate in _simpler(expected.script, fewest):
            played = _played(candidate, rulings)
            if played is not None and differs(played):
                expected, simpler = played, True
                break
    return expected


def fewer_tiles(stacks: tuple[tuple[int, ...], ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield the stacks with a player less, or a tile; somebody still owns one."""
    fewest, _ = BASE.players
    for seat, stack in enumerate(stacks):
        before, after = stacks[:seat], stacks[seat + 1 :]
        if len(stacks) > fewest and any(before + after):
            yield before + after
        for place in range(len(stack)):
            fewer = (*before, stack[:place] + stack[place + 1 :], *after)
            if any(fewer):
                yield fewer


def _played(candidate: Script, rulings: Rulings) -> Expected | None:
    """Return what must come of a turn, or none if it is not legal."""
    try:
        return play_out(candidate, rulings)
    except (Refused, ValueError):
        return None


def _simpler(turn: Script, fewest: int) -> Iterator[Script]:
    """Yield turns that are simpler by one step, the largest steps first."""
    table = turn.table
    for seat in range(len(table.stacks)):
        if len(table.stacks) > fewest and seat not in (table.player, _robbed(turn)):
            yield _without(turn, seat)
    for seat, stack in enumerate(table.stacks):
        for fewer in sorted({0, len(stack) // 2, len(stack) - 1}):
            if 0 <= fewer < len(stack):
                # The tiles on top stay: it is they that matter most.
                kept = stack[len(stack) - fewer :]
                stacks = (*table.stacks[:seat], kept, *table.stacks[seat + 1 :])
                yield turn._replace(table=_turned_down(table, table.grill, stacks))
    size = len(table.grill)
    for fewer in sorted({max(size // 2, 1), 1}, reverse=True):
        for place in range(0, size - fewer + 1, fewer):
            grill = table.grill[:place] + table.grill[place + fewer :]
            yield turn._replace(table=_turned_down(table, grill, table.stacks))
    yield from _plainer(turn)


def _robbed(turn: Script) -> int | None:
    claim = turn.decisions[-1].claim if turn.decisions else None
    return claim.steal if claim and isinstance(claim.steal, int) else None


def _without(turn: Script, seat: int) -> Script:
    """Return the turn with a player less, whose tiles lie face down."""
    table, robbed = turn.table, _robbed(turn)
    stacks = table.stacks[:seat] + table.stacks[seat + 1 :]
    barred = table.barred[:seat] + table.barred[seat + 1 :]
    player = table.player - (seat < table.player)
    fewer = _turned_down(table._replace(player=player, barred=barred), table.grill, stacks)
    decisions = turn.decisions
    if robbed is not None and seat < robbed:
        last = Decision(keep=decisions[-1].keep, then="stop", claim=ClaimMessage(steal=robbed - 1))
        decisions = (*decisions[:-1], last)
    return Script(fewer, turn.rolls, decisions)


def _turned_down(
    table: Table, grill: tuple[int, ...], stacks: tuple[tuple[int, ...], ...]
) -> Table:
    """Return the table with these tiles left in sight, the others face down."""
    shown = {*grill, *(tile for stack in stacks for tile in stack)}
    face_down = tuple(tile for tile in BASE.worms if tile not in shown)
    barred = tuple(tuple(tile for tile in tiles if tile in shown) for tiles in table.barred)
    return table._replace(grill=grill, stacks=stacks, face_down=face_down, barred=barred)


def _plainer(turn: Script) -> Iterator[Script]:
    """Yield the turn with fewer rolls, or with plainer ones."""
    if any(decision.keep is None for decision in turn.decisions):
        return
    dead = len(turn.rolls) > len(turn.decisions)
    size = (len(turn.rolls), len(turn.set_aside))
    dice = _fewest_faces() if dead else worth(_total(turn), worm=BASE.worm in turn.set_aside)
    for plain in dice[:MOST_DICE]:
        # The worm first, then what counts least.
        order = sorted(set(plain.kept), key=lambda face: (face != BASE.worm, face))
        rolls = rolls_of(plain.kept, order)
        if dead:
            rolls = (*rolls, order[0] * plain.left)
        plainer = script(
            turn.table,
            rolls,
            order,
            "roll" if dead else "stop",
            turn.decisions[-1].claim or None,
        )
        if (len(rolls), len(plain.kept)) < size:
            yield plainer
    order = [decision.keep or "" for decision in turn.decisions]
    rolls = rolls_of(turn.set_aside, order) + turn.rolls[len(order) :]
    if rolls != turn.rolls:
        yield turn._replace(rolls=rolls)


def _fewest_faces() -> tuple[Dice, ...]:
    """Return dice of one face, after which a roll may be dead; a worm first."""
    found = [dice for dice in every_dice() if dice.faces == 1 and dice.left]
    return tuple(sorted(found, key=lambda dice: (not dice.worm, len(dice.kept))))


def _total(turn: Script) -> int:
    return sum(BASE.points[face] for face in turn.set_aside)
