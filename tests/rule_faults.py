"""Every rule broken by a single change to the reference; as a pytest plugin, with its scenarios.

`-p rule_faults --caught FILE` takes each scenario of the suite through the faults of its rules,
and once through the reference as it is, all in one process and under one edition in which it
holds. FILE gets the scenarios that did not pass, by the rule that was broken.
"""

import json
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from broken_reference import ALSO, FAULTS, Fault
from pickomino_reference import (
    DEFAULT_EDITION,
    Rule,
    Take,
    claiming,
    ending,
    failing,
    game,
    rolling,
    setup,
    stealing,
)

AS_IT_IS = "the reference as it is"

# Faults of the catalogue that take the rule's own function away.
NAMED = {
    Rule.SETUP_WORMS: "33 and up are worth three worms",
    Rule.SETUP_PLAYERS: "eight players may play",
    Rule.ROLLING_CHOOSE_A_FACE: "one may roll on before choosing",
    Rule.ROLLING_NEW_FACE: "a face may be chosen twice",
    Rule.ROLLING_FORCED_END: "the sixth face does not end the turn",
    Rule.ROLLING_STOP_FREELY: "a stop needs something to claim",
    Rule.CLAIMING_TOTAL: "a worm counts six",
    Rule.CLAIMING_WORM_NEEDED: "no worm is needed to take a tile",
    Rule.CLAIMING_LOWER: "no lower tile may be taken",
    Rule.CLAIMING_ONE_TILE: "a claimed tile goes to the bottom of the stack",
    Rule.STEALING_EXACT: "a higher total steals too",
    Rule.STEALING_TOP_ONLY: "covered tiles can be stolen",
    Rule.STEALING_WORM_NEEDED: "no worm is needed to steal",
    Rule.STEALING_OPTIONAL: "stealing is forced",
    Rule.FAILING_RETURN_TOP: "the bottom tile is returned",
    Rule.FAILING_FLIP_HIGHEST: "the lowest tile is turned",
    Rule.FAILING_RETURNED_HIGHEST: "the returned tile is turned though it is the highest",
    Rule.FAILING_NOTHING_RETURNED: "the highest tile is turned though none came back",
    Rule.FAILING_PASSES: "the turn does not pass",
    Rule.ENDING_GRILL_EMPTY: "the game ends with one tile left",
    Rule.ENDING_TIE_BREAK: "a tie goes to the one with most tiles",
}
# The other rules that have a function: what stands in its place.
OWN: dict[Rule, Fault] = {
    Rule.SETUP_TILES: (setup, "tiles", lambda box: tuple(box.worms)[:-1]),
    Rule.SETUP_DICE: (setup, "dice", lambda box: box.dice - 1),
    Rule.ROLLING_ALL_DICE: (rolling, "all_dice", lambda set_aside, box: box.dice),
    Rule.ROLLING_WHOLE_FACE: (
        rolling,
        "whole_face",
        lambda set_aside, rolled, face: rolling.sort_dice(set_aside + face),
    ),
    Rule.CLAIMING_EXACT: (claiming, "exact", lambda tiles, total: ()),
    Rule.CLAIMING_FACE_DOWN: (
        claiming,
        "face_down",
        lambda table: tuple(sorted(table.grill + table.face_down)),
    ),
    Rule.STEALING_OPPONENTS_ONLY: (
        stealing,
        "opponents_only",
        lambda table: tuple(range(len(table.stacks))),
    ),
    Rule.STEALING_STEAL_BACK: (stealing, "steal_back", lambda table, tile, rulings: True),
    Rule.FAILING_DEAD_ROLL: (failing, "dead_roll", lambda set_aside, rolled: False),
    Rule.ENDING_WORMS_WIN: (ending, "worms_win", lambda stacks, box: tuple(map(sum, stacks))),
    Rule.ENDING_NOBODY: (ending, "nobody", lambda stacks: () if any(stacks) else (0,)),
}


def _passes_to_the_right(passes, table):
    return passes(table)._replace(player=(table.player - 1) % len(table.stacks))


def _nothing_above_the_highest(lower, tiles, total, rulings):
    return lower(tiles, total, rulings) if total <= max(tiles, default=0) else ()


def _own_top_closes_the_grill(takes, table, set_aside, total, *rest):
    own = claiming.own_top(table, total)
    return () if own else takes(table, set_aside, total, *rest)


def _nothing_is_claimed(take, table, tile):
    return table


def _steals_only_from_the_lowest_up(steals, table, set_aside, total, *rest):
    return steals(table, set_aside, total, *rest) if total >= table.grill[0] else ()


def _steals_the_whole_stack(steal, table, victim, rulings):
    *rest, _ = table.stacks[victim]
    after = steal(table, victim, rulings)
    stacks = list(after.stacks)
    *own, tile = stacks[table.player]
    stacks[table.player], stacks[victim] = (*own, *rest, tile), ()
    return after._replace(stacks=tuple(stacks))


def _last_tile_is_turned_by_a_steal(steal, table, victim, rulings):
    after = steal(table, victim, rulings)
    return failing.flip_highest(after) if len(after.grill) == 1 else after


def _the_lowest_tile_as_a_consolation(reach, table, *rest):
    return reach(table, *rest) or (Take(table.grill[0]),)


def _turns_all_tiles_up(return_top, table):
    after = return_top(table)
    return after._replace(grill=tuple(sorted(after.grill + after.face_down)), face_down=())


# Rules that follow from others, and rules whose function alone decides no outcome: the change
# is made elsewhere, around the function named, and breaks just what the rule says.
ELSEWHERE: dict[Rule, tuple[object, str, Callable[..., object]]] = {
    Rule.SETUP_ORDER: (failing, "passes", _passes_to_the_right),
    Rule.CLAIMING_ABOVE_HIGHEST: (claiming, "lower", _nothing_above_the_highest),
    Rule.CLAIMING_OWN_TOP: (claiming, "takes", _own_top_closes_the_grill),
    Rule.CLAIMING_STOP_CLAIMS: (claiming, "take", _nothing_is_claimed),
    Rule.STEALING_OUT_OF_GRILL_REACH: (stealing, "steals", _steals_only_from_the_lowest_up),
    Rule.STEALING_UNCOVERS: (stealing, "steal", _steals_the_whole_stack),
    Rule.FAILING_OUT_OF_REACH: (game, "reach", _the_lowest_tile_as_a_consolation),
    Rule.FAILING_FACE_DOWN_FOR_GOOD: (failing, "return_top", _turns_all_tiles_up),
    Rule.ENDING_STEAL_NEVER_ENDS: (stealing, "steal", _last_tile_is_turned_by_a_steal),
}
# A turn without a worm has failed by two rules, so both must give way.
TWOFOLD = {Rule.FAILING_NO_WORM: "no worm is needed to take a tile"}


def faults(rule: str) -> list[Fault]:
    """Return what breaks a rule; nothing for the reference as it is."""
    if rule == AS_IT_IS:
        return []
    if rule in TWOFOLD:
        return [FAULTS[TWOFOLD[rule]], *ALSO[TWOFOLD[rule]]]
    if rule in ELSEWHERE:
        module, name, change = ELSEWHERE[rule]
        return [(module, name, partial(change, getattr(module, name)))]
    return [OWN[rule] if rule in OWN else FAULTS[NAMED[rule]]]


CAUGHT = pytest.StashKey[dict[str, list[str]]]()


def pytest_addoption(parser):
    """Add where to write what was caught."""
    parser.addoption("--caught", type=Path)


def pytest_configure(config):
    """Begin with nothing caught."""
    config.stash[CAUGHT] = {AS_IT_IS: [], **{str(rule): [] for rule in Rule}}


def pytest_generate_tests(metafunc):
    """Take a scenario through the faults of its rules, and through the reference as it is."""
    rules = [mark.args[0] for mark in metafunc.definition.iter_markers("pickomino_rule")]
    metafunc.parametrize("fault", [AS_IT_IS, *rules], indirect=True)


def pytest_collection_modifyitems(config, items):
    """Keep the default edition, made to fit: others would only tell the same again."""
    kept = [item for item in items if _edition(item).split(" ")[0] == DEFAULT_EDITION]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def _edition(item):
    return item.callspec.params["pickomino_edition"].name


@pytest.fixture(autouse=True)
def fault(request, pickomino_engine):
    """The rule that is broken while the scenario runs."""
    with ExitStack() as broken:
        for module, name, replacement in faults(request.param):
            broken.enter_context(patch.object(module, name, replacement))
        # A new engine: what the one before remembers was right.
        pickomino_engine.engine.close()
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Note a scenario that does not pass."""
    report = yield
    if not report.passed:
        item.config.stash[CAUGHT][item.callspec.params["fault"]].append(item.name)
    return report


def pytest_sessionfinish(session):
    """Write what was caught."""
    caught = json.dumps(session.config.stash[CAUGHT])
    session.config.getoption("--caught").write_text(caught, encoding="utf-8")
