"""Blame: which rule decided the end of a turn, and so is broken if the end is wrong."""

from pickomino_reference import BASE, Claim, FlipAfterReturn, Rule, Rulings, Steal, Table, claiming


def failed(table: Table, rulings: Rulings) -> Rule:
    """Return the flip or return rule that decides a failed turn on this table."""
    own = table.stacks[table.player]
    if not own:
        return Rule.FAILING_NOTHING_RETURNED
    if rulings.flip_after_return is FlipAfterReturn.BEFORE_RETURN:
        return Rule.FAILING_FLIP_HIGHEST
    if own[-1] > max(table.grill, default=0):
        return Rule.FAILING_RETURNED_HIGHEST
    return Rule.FAILING_FLIP_HIGHEST


def claimed(set_aside: str, claim: Claim) -> Rule:
    """Return the rule that offers this claim."""
    if isinstance(claim, Steal):
        return Rule.STEALING_EXACT
    total = claiming.total(set_aside, BASE)
    if total == claim.tile:
        return Rule.CLAIMING_EXACT
    return Rule.CLAIMING_ABOVE_HIGHEST if total > max(BASE.worms) else Rule.CLAIMING_LOWER
