"""Faults of stealing."""

from pickomino_conformance.faults.fault import Change, Fault, fault
from pickomino_reference import Rule, failing, stealing
from pickomino_reference.table import with_stack


def _not_needed(worm_needed, set_aside, box):
    return True


def _no_failure(no_worm, set_aside, box):
    return False


def _from_anyone(opponents_only, table):
    return tuple(range(len(table.stacks)))


def _from_the_next_only(opponents_only, table):
    return ((table.player + 1) % len(table.stacks),)


def _lower_too(exact, tile, total):
    return tile <= total


def _higher_too(exact, tile, total):
    return tile >= total


def _any_of_the_stack(top_only, stack):
    return stack


def _grill_first(optional, takes, steals, total, rulings):
    return takes or steals


def _never(steals, table, set_aside, total, rulings, box):
    return ()


def _only_within_the_grill(steals, table, set_aside, total, rulings, box):
    lowest = min(table.grill, default=0)
    return steals(table, set_aside, total, rulings, box) if total >= lowest else ()


def _vanishes(steal, table, victim, rulings):
    *rest, _ = table.stacks[victim]
    return table._replace(stacks=with_stack(table.stacks, victim, tuple(rest)))


def _stays_with_the_victim_too(steal, table, victim, rulings):
    after = steal(table, victim, rulings)
    return after._replace(stacks=with_stack(after.stacks, victim, table.stacks[victim]))


def _whole_stack(steal, table, victim, rulings):
    *rest, _ = table.stacks[victim]
    after = steal(table, victim, rulings)
    *own, tile = after.stacks[table.player]
    stacks = with_stack(after.stacks, victim, ())
    return after._replace(stacks=with_stack(stacks, table.player, (*own, *rest, tile)))


def _turns_the_last_tile(steal, table, victim, rulings):
    after = steal(table, victim, rulings)
    return failing.flip_highest(after) if len(after.grill) == 1 else after


FAULTS = (
    Fault(
        "no worm is needed to steal",
        (Rule.STEALING_WORM_NEEDED, Rule.FAILING_NO_WORM),
        (Change(stealing, "worm_needed", _not_needed), Change(failing, "no_worm", _no_failure)),
    ),
    fault(
        "one may steal from oneself",
        Rule.STEALING_OPPONENTS_ONLY,
        at=(stealing, "opponents_only"),
        instead=_from_anyone,
    ),
    fault(
        "only the next player can be robbed",
        Rule.STEALING_OPPONENTS_ONLY,
        at=(stealing, "opponents_only"),
        instead=_from_the_next_only,
    ),
    fault(
        "a tile below the total can be stolen",
        Rule.STEALING_EXACT,
        at=(stealing, "exact"),
        instead=_lower_too,
    ),
    fault(
        "a tile above the total can be stolen",
        Rule.STEALING_EXACT,
        at=(stealing, "exact"),
        instead=_higher_too,
    ),
    fault(
        "covered tiles can be stolen",
        Rule.STEALING_TOP_ONLY,
        at=(stealing, "top_only"),
        instead=_any_of_the_stack,
    ),
    fault(
        "nothing can be stolen while a tile of the grill can be taken",
        Rule.STEALING_OPTIONAL,
        at=(stealing, "optional"),
        instead=_grill_first,
    ),
    fault(
        "nothing can be stolen at all",
        Rule.STEALING_EXACT,
        at=(stealing, "steals"),
        instead=_never,
    ),
    fault(
        "nothing can be stolen with a total below every tile of the grill",
        Rule.STEALING_OUT_OF_GRILL_REACH,
        at=(stealing, "steals"),
        instead=_only_within_the_grill,
    ),
    fault(
        "a stolen tile vanishes",
        Rule.CLAIMING_ONE_TILE,
        Rule.STEALING_EXACT,
        at=(stealing, "steal"),
        instead=_vanishes,
    ),
    fault(
        "a stolen tile stays with the robbed player, too",
        Rule.STEALING_UNCOVERS,
        at=(stealing, "steal"),
        instead=_stays_with_the_victim_too,
    ),
    fault(
        "a steal takes the whole stack",
        Rule.STEALING_UNCOVERS,
        at=(stealing, "steal"),
        instead=_whole_stack,
    ),
    fault(
        "a steal turns the last tile of the grill",
        Rule.ENDING_STEAL_NEVER_ENDS,
        at=(stealing, "steal"),
        instead=_turns_the_last_tile,
    ),
)
