"""The path to a table: the turns by which a game gets there from its start.

An engine that can't be set to a table is played there. The way is looked for from its end: the
turns that can have led to the table, those that can have led there, and so on back to the start
of a game. It is the one whose turns are the least disputed, as far as the search has seen.
"""

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from pickomino_conformance.cases import NotReached
from pickomino_conformance.cases.dice import claiming_turn, dead_turn
from pickomino_conformance.path_search import (
    CONTESTED,
    DISPUTED,
    STEALING,
    Search,
    Trail,
    contradiction,
)
from pickomino_reference import (
    BASE,
    Claim,
    Rule,
    Rulings,
    Script,
    Steal,
    StealBack,
    Table,
    Take,
    play_turn,
    start,
)

# How the search looks: the greater the eagerness, the sooner a way is found, and the less its
# cost matters. About how many turns a face-down tile took, one that brought a tile and one that
# lost it, or less where empty-handed players turn tiles: which guess leads there, only trying
# tells. So any way is looked for first, then one less disputed, or at last everywhere.
EAGER = ((20, 2.0), (60, 2.0), (20, 1.0), (20, 0.5))
CAREFUL = (2, 2.0)
MOST_TABLES, MOST_TABLES_CAREFULLY, MOST_TABLES_AT_LAST = 2000, 1000, 3000


class Leg(NamedTuple):
    """A turn of the path, and the table to which it must lead."""

    script: Script
    after: Table


def find_path(
    table: Table,
    rulings: Rulings,
    avoided: Collection[str] = (),
    *,
    ambiguous: bool = True,
) -> tuple[Leg, ...]:
    """Return the turns from the start of a game to this table.

    `avoided` are the ids of rules that no turn on the path should hang on, if that can be helped.
    `ambiguous` is whether a tile may be stolen where another could be taken instead; an engine
    that chooses its claims itself may not do so.

    Raises:
        NotReached: no game leads there, or no way was found; the text says why.
    """
    if rulings.steal_back is StealBack.ALLOWED:
        table = table._replace(barred=((),) * len(table.stacks))
    found = _find_path(table, rulings, frozenset(avoided) & DISPUTED, ambiguous)
    if isinstance(found, str):
        raise NotReached(found)
    return found


@lru_cache(maxsize=4096)
def _find_path(
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


def _why_none(table: Table, found: Trail, *, ambiguous: bool) -> str:
    """Return why a search found no way, as a sentence."""
    if not found.everywhere:
        return f"no way to this table was found, looking back from it through {found.seen} tables"
    if not ambiguous:
        return "no way leads to this table on which the engine can claim nothing else"
    mover = (table.player - 1) % len(table.stacks)
    if found.seen == 1 and not table.stacks[mover]:
        return (
            f"no game leads to this table: player {mover}, who moved last and owns no "
            "tile, has failed, and no failure leaves such a table"
        )
    return (
        "no game leads to this table: looking back from it, each of the "
        f"{found.seen} tables that can have come before is a dead end"
    )


def hangs_on(leg: Leg) -> frozenset[str]:
    """Return the disputed rules that a turn on the path hangs on."""
    table, claim = leg.script.table, leg.script.decisions[-1].claim
    if claim:
        rules = STEALING if isinstance(claim, Steal) else frozenset[str]()
        eight = len(leg.script.set_aside) == BASE.dice
        return rules | {str(Rule.ROLLING_FORCED_END)} if eight else rules
    if not table.own:
        return frozenset((str(Rule.FAILING_NOTHING_RETURNED),))
    highest = table.own[-1] > table.grill[-1]
    rule = Rule.FAILING_RETURNED_HIGHEST if highest else Rule.FAILING_FLIP_HIGHEST
    return frozenset((str(rule),))


def _legs(table: Table, turns: tuple[Claim | None, ...], rulings: Rulings) -> tuple[Leg, ...]:
    """Return the turns with their dice, played on the reference; they lead to `table`."""
    legs: list[Leg] = []
    at = start(len(table.stacks))
    for claim in turns:
        leg = _leg(at, claim, rulings)
        legs.append(leg)
        at = leg.after
    assert at == table, f"the path leads to {at}, not to {table}"
    return tuple(legs)


def _leg(table: Table, claim: Claim | None, rulings: Rulings) -> Leg:
    if claim is None:
        script = dead_turn(table)
    else:
        tile = claim.tile if isinstance(claim, Take) else table.stacks[claim.player][-1]
        script = claiming_turn(table, tile, claim)
    return Leg(script, play_turn(script, rulings).position.table)
