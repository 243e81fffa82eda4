"""Reasons: which rule forbids a claim, which rules offer one, and which decides a failed turn."""

from pickomino_reference import claiming, failing, stealing
from pickomino_reference.box import BASE, Box
from pickomino_reference.moves import Claim, Steal, Take
from pickomino_reference.rules import Rule
from pickomino_reference.rulings import FlipAfterReturn, Rulings
from pickomino_reference.table import Table


def forbids(table: Table, set_aside: str, claim: Claim, box: Box = BASE) -> Rule:
    """Return the rule that forbids a claim, given that it is not among those in reach."""
    total = claiming.total(set_aside, box)
    if isinstance(claim, Steal):
        return _forbids_steal(table, set_aside, claim.player, total, box)
    tile = claim.tile
    if tile not in box.worms:
        return Rule.SETUP_TILES
    if claiming.own_top(table, tile):
        return Rule.CLAIMING_OWN_TOP
    if tile in claiming.face_down(table):
        return Rule.CLAIMING_FACE_DOWN
    if (tile,) in [stack[-1:] for stack in table.stacks]:
        return Rule.STEALING_EXACT
    if tile not in table.grill:
        return Rule.STEALING_TOP_ONLY
    if not claiming.worm_needed(set_aside, box):
        return Rule.CLAIMING_WORM_NEEDED
    if tile > total:
        return Rule.CLAIMING_EXACT
    # Only a steal can have closed the next lower tile, the exact one being gone.
    nearer = [other for other in table.grill if tile < other <= total]
    return Rule.CLAIMING_LOWER if nearer else Rule.STEALING_OPTIONAL


def offers(
    table: Table, set_aside: str, claim: Claim, claims: tuple[Claim, ...], box: Box = BASE
) -> tuple[Rule, ...]:
    """Return the rules that offer a claim with these dice, the one that allows it first.

    `claims` are all that can be claimed, this one among them.
    """
    total = claiming.total(set_aside, box)
    if isinstance(claim, Steal):
        rules = {
            Rule.STEALING_EXACT: True,
            # Only a faulty reference steals when the grill is empty.
            Rule.STEALING_OUT_OF_GRILL_REACH: total < min(table.grill, default=0),
            Rule.STEALING_STEAL_BACK: total in table.barred[table.player],
            Rule.STEALING_OPTIONAL: any(isinstance(one, Take) for one in claims),
        }
    else:
        rules = {
            Rule.CLAIMING_EXACT: claim.tile == total,
            Rule.CLAIMING_LOWER: claim.tile != total,
            Rule.CLAIMING_ABOVE_HIGHEST: total > max(table.grill, default=0),
            Rule.CLAIMING_OWN_TOP: claim.tile < total and claiming.own_top(table, total),
            Rule.CLAIMING_FACE_DOWN: any(claim.tile < tile <= total for tile in table.face_down),
            Rule.STEALING_OPTIONAL: any(isinstance(one, Steal) for one in claims),
        }
    return tuple(rule for rule, holds in rules.items() if holds)


def decides_claim(
    table: Table, set_aside: str, claim: Claim, claims: tuple[Claim, ...], box: Box = BASE
) -> Rule:
    """Return the rule that a claim shows: of those that offer it the one that says most."""
    rules = offers(table, set_aside, claim, claims, box)
    if isinstance(claim, Take) and Rule.STEALING_OPTIONAL in rules:
        return Rule.STEALING_OPTIONAL
    above_all = claiming.total(set_aside, box) > max(box.worms)
    return Rule.CLAIMING_ABOVE_HIGHEST if above_all else rules[0]


def decides_failure(table: Table, rulings: Rulings) -> Rule:
    """Return the rule that says what a failed turn on this table turns face down."""
    if not table.own:
        return Rule.FAILING_NOTHING_RETURNED
    highest = table.own[-1] > max(table.grill, default=0)
    if highest and rulings.flip_after_return is not FlipAfterReturn.BEFORE_RETURN:
        return Rule.FAILING_RETURNED_HIGHEST
    return Rule.FAILING_FLIP_HIGHEST


def without_claim(set_aside: str, box: Box = BASE) -> Rule:
    """Return the rule by which a turn that ends with nothing to claim has failed."""
    worm = not failing.no_worm(set_aside, box)
    return Rule.FAILING_OUT_OF_REACH if worm else Rule.FAILING_NO_WORM


def _forbids_steal(table: Table, set_aside: str, victim: int, total: int, box: Box) -> Rule:
    if victim not in stealing.opponents_only(table):
        return Rule.STEALING_OPPONENTS_ONLY
    if not stealing.worm_needed(set_aside, box):
        return Rule.STEALING_WORM_NEEDED
    stack = table.stacks[victim]
    if total in stack[:-1] or not stack:
        return Rule.STEALING_TOP_ONLY
    return Rule.STEALING_STEAL_BACK if stack[-1] == total else Rule.STEALING_EXACT
