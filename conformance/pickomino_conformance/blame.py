"""Blame: which rule decided the end of a turn, and so is broken if the end is wrong."""

from collections.abc import Collection

from pickomino_reference import (
    BASE,
    Claim,
    FlipAfterReturn,
    Options,
    Position,
    Rule,
    Rulings,
    Steal,
    Table,
    claiming,
    failing,
    game,
)


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


def chosen(set_aside: str, claim: Claim, claims: Collection[Claim]) -> Rule:
    """Return the rule that offers this claim among others.

    A lower tile that is taken although the exact one could be stolen is a choice of its own.
    """
    rule = claimed(set_aside, claim)
    steals = any(isinstance(one, Steal) for one in claims)
    return Rule.STEALING_OPTIONAL if steals and not isinstance(claim, Steal) else rule


def why_failed(set_aside: str, *, dead: bool, forced: bool) -> Rule:
    """Return the rule by which a turn has failed that set these dice aside."""
    if dead:
        return Rule.FAILING_DEAD_ROLL
    if not forced:
        return Rule.ROLLING_STOP_FREELY
    return Rule.FAILING_NO_WORM if failing.no_worm(set_aside, BASE) else Rule.FAILING_OUT_OF_REACH


# What an answer gets wrong although nothing else in it is: the rule that is broken then.
ALONE = {
    "player": Rule.FAILING_PASSES,
    "over": Rule.ENDING_GRILL_EMPTY,
    "barred": Rule.STEALING_STEAL_BACK,
    "rolls_used": Rule.ROLLING_FORCED_END,
    "trace": Rule.ROLLING_WHOLE_FACE,
    "total": Rule.CLAIMING_TOTAL,
}


def differing(decides: Rule, parts: Collection[str]) -> Rule:
    """Return the rule that is broken where these parts of an answer differ.

    `decides` is the rule that decided last.
    """
    (part, *others) = parts
    return decides if others else ALONE.get(part, decides)


def offered(position: Position, expected: Options, came: Options) -> Rule:
    """Return the rule that is broken where an engine allows something else than it must."""
    if set(expected.faces) != set(came.faces):
        return Rule.ROLLING_NEW_FACE if position.turn.rolled else Rule.ROLLING_CHOOSE_A_FACE
    kept = position.turn.set_aside
    for claim in expected.claims:
        if claim not in came.claims:
            return chosen(kept, claim, expected.claims)
    for claim in came.claims:
        if claim not in expected.claims:
            return game.forbids(position.table, kept, claim)
    if position.turn.rolled or not kept:
        return Rule.ROLLING_CHOOSE_A_FACE
    if expected.roll is not came.roll or not expected.roll:
        return Rule.ROLLING_FORCED_END
    return Rule.CLAIMING_STOP_CLAIMS if expected.claims else Rule.ROLLING_STOP_FREELY
