"""Settling: a turn as an engine is asked that knows only how turns end.

Such an engine answers `settle` and has no `turn`. What a player may do on the way is not its
business, and the rules about that are `unsupported`.
"""

from collections.abc import Iterable

from pickomino_conformance.cases import Script, Unsupported
from pickomino_conformance.protocol import SettleParams
from pickomino_conformance.tables import table_message
from pickomino_reference import Position, Refused, Roll, Rule, Rulings, SetAside, play

# An engine that is told which dice are set aside, and that a roll was dead, shows none of these.
ON_THE_WAY = frozenset(
    (
        Rule.ROLLING_ALL_DICE,
        Rule.ROLLING_CHOOSE_A_FACE,
        Rule.ROLLING_WHOLE_FACE,
        Rule.ROLLING_NEW_FACE,
        Rule.ROLLING_FORCED_END,
        Rule.FAILING_DEAD_ROLL,
    )
)
ONLY_SETTLES = "the engine only settles turns"


def need_no_way(rules: Iterable[str]) -> None:
    """Raise `Unsupported` if one of these rules is about what happens before a turn ends."""
    for rule in ON_THE_WAY.intersection(rules):
        raise Unsupported(f"{ONLY_SETTLES}, and {rule} is about what comes before")


def settled(script: Script, rulings: Rulings) -> SettleParams:
    """Return the request that ends a turn as this script ends it.

    Raises:
        Unsupported: the script does not end the turn, or a rule forbids what comes before.
    """
    dead = len(script.rolls) == len(script.decisions) + 1
    last = script.decisions[-1] if script.decisions else None
    if last is None or not (dead or last.then == "stop"):
        raise Unsupported(f"{ONLY_SETTLES}, and this one does not end")
    position = Position(script.table)
    try:
        for roll, decision in zip(script.rolls, script.decisions, strict=False):
            position = play(position, Roll(roll), rulings)
            position = play(position, SetAside(decision.keep or ""), rulings)
    except Refused as refused:
        if refused.rule is not Rule.ENDING_GRILL_EMPTY:
            raise Unsupported(f"{ONLY_SETTLES}, and this is about what comes before") from None
    claim = None if dead else (last.claim or None)
    return SettleParams(table_message(script.table, rulings), script.set_aside, claim, dead)
