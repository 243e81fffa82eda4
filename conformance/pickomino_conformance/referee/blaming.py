"""Which rule is broken where the table after a turn is not as it must be.

The rule that is broken stands first; others that could be broken instead stand behind it.
"""

from pickomino_conformance import blame
from pickomino_conformance.reasons.explaining import offering
from pickomino_conformance.referee.following import End, Followed
from pickomino_conformance.tables import complement
from pickomino_reference import BASE, Rule, Rulings, Score, Steal, Table, Take, failing, game

Tiles = tuple[int, ...]


def seen_claim(before: Table, stacks: list[list[int]]) -> Take | Steal | None:
    """Return the claim that a single new tile on the player's stack tells of, if any."""
    own, came = before.stacks[before.player], stacks[before.player]
    if len(came) != len(own) + 1 or tuple(came[:-1]) != own:
        return None
    tile = came[-1]
    for seat, stack in enumerate(before.stacks):
        if seat != before.player and stack[-1:] == (tile,):
            return Steal(seat)
    return Take(tile)


def differing(
    followed: Followed, came: Table, parts: set[str], rulings: Rulings
) -> tuple[Rule, ...]:
    """Return the rules that may be broken; `parts` are the parts of the table that differ."""
    if parts == {"over"}:
        return (Rule.ENDING_GRILL_EMPTY,)
    if parts == {"barred"}:
        return (Rule.STEALING_STEAL_BACK,)
    if parts <= {"player", "over", "barred"}:
        return passing(followed, came.player)
    if set(followed.table.face_down).difference(came.face_down):
        return (Rule.FAILING_FACE_DOWN_FOR_GOOD,)
    found = (
        _claimed(followed, came) if followed.end is End.CLAIM else _failed(followed, came, rulings)
    )
    return tuple(dict.fromkeys(found))


def winning(right: Score, winners: list[int]) -> tuple[Rule, ...]:
    """Return the rules that may be broken where others are said to win."""
    if not any(right.worms):
        return (Rule.ENDING_NOBODY,)
    most = max(right.worms)
    tied = {player for player, worms in enumerate(right.worms) if worms == most}
    among_them = bool(winners) and tied.issuperset(winners)
    return (Rule.ENDING_TIE_BREAK,) if among_them else (Rule.ENDING_WORMS_WIN,)


def why_failed(followed: Followed) -> Rule:
    """Return the rule by which a turn has failed."""
    if followed.end is End.DEAD_ROLL:
        return Rule.FAILING_DEAD_ROLL
    no_worm = failing.no_worm(followed.set_aside, BASE)
    return Rule.FAILING_NO_WORM if no_worm else Rule.FAILING_OUT_OF_REACH


def passing(followed: Followed, came: int) -> tuple[Rule, ...]:
    """Return the rules that may be broken where the dice go to this player."""
    if followed.end is End.CLAIM:
        return (Rule.SETUP_ORDER,)
    if came == followed.table.player:
        return (Rule.FAILING_PASSES, Rule.SETUP_ORDER)
    return (Rule.SETUP_ORDER, Rule.FAILING_PASSES)


def _failed(followed: Followed, came: Table, rulings: Rulings) -> list[Rule]:
    """Return the rules of a failed turn that was settled otherwise."""
    table, expected = followed.table, followed.after
    player = table.player
    own, left = table.stacks[player], came.stacks[player]
    why = why_failed(followed)
    others_differ = _others(came.stacks, player) != _others(table.stacks, player)
    if others_differ and left == expected.stacks[player]:
        return [Rule.FAILING_PASSES]
    if len(left) > len(own):
        claim = seen_claim(table, [list(stack) for stack in came.stacks])
        if claim is None or followed.end is End.DEAD_ROLL:
            return [why]
        forbids = game.forbids(table, followed.set_aside, claim)
        return [forbids, why]
    decides = blame.failed(table, rulings)
    if left != expected.stacks[player]:
        costs_nothing = came.stacks == table.stacks and came.grill == table.grill
        return [Rule.FAILING_RETURN_TOP, *[decides, why] * costs_nothing]
    lost = own and own[-1] in expected.grill and own[-1] not in came.grill
    if lost and decides is not Rule.FAILING_RETURNED_HIGHEST:
        return [Rule.FAILING_RETURN_TOP]
    return [decides]


def _claimed(followed: Followed, came: Table) -> list[Rule]:
    """Return the rules of a claim that was settled otherwise."""
    table, expected, claim = followed.table, followed.after, followed.claim
    assert claim is not None
    player = table.player
    own, left = table.stacks[player], came.stacks[player]
    if left == expected.stacks[player]:
        if isinstance(claim, Steal):
            if came.stacks[claim.player] != expected.stacks[claim.player]:
                return [Rule.STEALING_UNCOVERS]
            if came.grill != expected.grill:
                return [Rule.ENDING_STEAL_NEVER_ENDS, Rule.CLAIMING_ONE_TILE]
        return [Rule.CLAIMING_ONE_TILE, Rule.CLAIMING_STOP_CLAIMS]
    other = seen_claim(table, [list(stack) for stack in came.stacks])
    if other is not None:
        if other in followed.claims:
            return [Rule.CLAIMING_STOP_CLAIMS]
        return [game.forbids(table, followed.set_aside, other)]
    if len(left) > len(own):
        several = len(left) > len(own) + 1 and isinstance(claim, Steal)
        return [Rule.STEALING_UNCOVERS if several else Rule.CLAIMING_ONE_TILE]
    offered = offering(table, followed.set_aside, claim, followed.claims)
    if _vanished(table, came, claim):
        return [Rule.CLAIMING_ONE_TILE, *offered]
    return _not_made(offered, forced=followed.forced)


def _not_made(offered: tuple[Rule, ...], *, forced: bool) -> list[Rule]:
    """Return the rules that may be broken where nothing was claimed; `offered` offer the claim.

    What the position brings in, such as a total above every tile, tells more than the first.
    """
    first, *more = offered
    ranked = sorted([*more, first], key=lambda rule: rule is Rule.STEALING_OPTIONAL)
    return [*ranked, *[Rule.ROLLING_FORCED_END] * forced, Rule.CLAIMING_STOP_CLAIMS]


def _vanished(table: Table, came: Table, claim: Take | Steal) -> bool:
    """Whether the tile claimed has left its place, and is on no stack."""
    tile = claim.tile if isinstance(claim, Take) else table.stacks[claim.player][-1]
    held = (*came.grill, *(one for stack in came.stacks for one in stack))
    return tile not in held and len(complement(BASE, held)) > len(table.face_down)


def _others(stacks: tuple[Tiles, ...], player: int) -> tuple[Tiles, ...]:
    return stacks[:player] + stacks[player + 1 :]
