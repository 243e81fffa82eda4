"""What whole logs show: nothing where all is right, and every fault of the catalogue."""

import json

import pytest
from hypothesis import given, settings

import pickomino_env_log
from pickomino_conformance import strategies
from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.diagnose import Trial
from pickomino_conformance.faults import faults_against, find_fault
from pickomino_conformance.protocol.messages import encode
from pickomino_conformance.protocol.translate import decision_message, table_message
from pickomino_conformance.referee import referee_turns
from pickomino_conformance.referee.judging import Referee
from pickomino_conformance.referee.log import read_objects
from pickomino_conformance.strategies import Situation
from pickomino_reference import Edition, Rule, edition_names, find_edition
from played_logs import play_log

pytestmark = pytest.mark.exhaustive

RULEBOOK = find_edition()

checked = settings(max_examples=40, database=None, deadline=None, derandomize=True)


def plain(message):
    """Return a message as plain JSON values."""
    return json.loads(encode(message))


@pytest.mark.parametrize("players", [2, 3, 7])
@pytest.mark.parametrize(
    "name", [*edition_names(), "zoch-2005+no-steal-back+roll-on", "sheet-001+lower-if-gone"]
)
def test_what_the_reference_plays_conforms(name, players):
    """No turn of the reference departs from the edition that it plays."""
    edition = find_edition(name)
    found = referee_turns(play_log(edition.rulings, 1, games=6, players=players), edition)
    assert (found.departures, found.games, found.not_judged) == ((), 6, 0)
    assert found.conforms


@pytest.mark.parametrize(
    ("situation", "rule"),
    [
        (Situation.TAKE, Rule.CLAIMING_ONE_TILE),
        (Situation.STEAL, Rule.STEALING_EXACT),
        (Situation.BARRED_STEAL, Rule.STEALING_STEAL_BACK),
        (Situation.ABOVE_36, Rule.CLAIMING_ABOVE_HIGHEST),
        (Situation.LAST_TILE, Rule.ENDING_GRILL_EMPTY),
        (Situation.EIGHT_DICE, Rule.ROLLING_FORCED_END),
        (Situation.SIX_FACES, Rule.ROLLING_FORCED_END),
        (Situation.DEAD_ROLL, Rule.FAILING_DEAD_ROLL),
        (Situation.FORCED_FAILURE, Rule.FAILING_OUT_OF_REACH),
        (Situation.FREE_STOP, Rule.ROLLING_STOP_FREELY),
        (Situation.NO_WORM, Rule.CLAIMING_WORM_NEEDED),
        (Situation.RETURNED_HIGHEST, Rule.FAILING_RETURNED_HIGHEST),
        (Situation.RETURNED_LOWER, Rule.FAILING_FLIP_HIGHEST),
        (Situation.EMPTY_HANDED, Rule.FAILING_NOTHING_RETURNED),
    ],
    ids=lambda value: value.name,
)
def test_a_rare_situation_exercises_its_rule(situation, rule):
    """A turn that comes to a situation exercises the rule that decides there."""

    @checked
    @given(strategies.turns(situation=situation))
    def exercises(drawn):
        script = drawn.script
        line = {
            "table": plain(table_message(drawn.table, drawn.rulings)),
            "rolls": list(script.rolls),
            "decisions": [plain(decision_message(one)) for one in script.decisions],
            "table_after": plain(table_message(drawn.after, drawn.rulings)),
        }
        found = referee_turns([line], Edition("drawn", "", drawn.rulings))
        assert found.departures == ()
        assert rule in found.exercised

    exercises()


# What a log can't show, or what these few games don't.
NOT_SHOWN = {
    "stealing is forced": "the player never takes the lower tile",
    "a player may not stop with nothing to claim": "the player never does",
    "a stolen tile may not be stolen back at once": "the player never does",
    "any number of players may play": "three may play",
    "one may stop or roll on before a face is chosen": "the player never does",
    "a total above 36 takes nothing": "no total is above 36",
    "a total above 36 counts as 36": "no total is above 36",
    "only the next player can be robbed": "nobody else is robbed",
    "nothing can be stolen while a tile of the grill can be taken": "the player never does",
    "nothing can be stolen with a total below every tile of the grill": "there is no such total",
    "nothing can be stolen at all": "there is a single turn in which nothing else is in reach",
    "a dead roll does not end the turn": "the game does not go on",
    "a move after the end is played": "the player makes none",
    "the tiles from 33 up are worth three worms": "nobody owns one in the end",
    "a tie goes to the last of the tied players": "there is no such tie",
    "a tie goes to the higher top tile": "there is no such tie",
    "if nobody owns a tile, the first player wins": "somebody does",
}
SHOWN = [fault.name for fault in faults_against(RULEBOOK.rulings) if fault.name not in NOT_SHOWN]


def test_what_is_not_shown_is_in_the_catalogue():
    """Every fault that is left out is one."""
    names = {fault.name for fault in faults_against(RULEBOOK.rulings)}
    assert set(NOT_SHOWN) <= names


@pytest.mark.parametrize("name", SHOWN)
def test_a_fault_is_found_in_a_log_and_blamed_on_its_rules(name):
    """Eight games of an engine with this fault depart, and no other rule is called broken."""
    fault = find_fault(name)
    log = play_log(fault.rulings_played(RULEBOOK.rulings), 1, games=8, players=3, faults=[fault])
    found = referee_turns(log)
    assert found.broken
    assert set(found.broken) <= set(fault.rules)


def test_three_faults_at_once_are_told_apart():
    """Each of them is named in the diagnosis, and nothing else."""
    names = {
        "a worm counts six",
        "the highest tile is turned although nothing was returned",
        "the dice pass to the right",
    }
    faults = [find_fault(name) for name in sorted(names)]
    rulings = RULEBOOK.rulings
    for fault in faults:
        rulings = fault.rulings_played(rulings)
    found = referee_turns(play_log(rulings, 1, games=8, players=3, faults=faults), RULEBOOK)
    (diagnosis,) = found.diagnoses
    assert {fault.name for fault in diagnosis.faults} == names
    assert set(found.broken) == {rule for fault in faults for rule in fault.rules}


# A turn shows a fault, and yet no rule of the fault is exercised: why that is right.
OTHER_RULE = {
    "the turn does not pass": "after a claim it shows setup.order",
    "the returned tile is always turned, and the highest one besides": (
        "where the returned one is the highest it shows failing.returned-highest"
    ),
    "a stolen tile stays with the robbed player, too": "it shows with a single tile as well",
    "nothing can be stolen while a tile of the grill can be taken": "the grill must be chosen",
    "the next lower tile is taken although the exact one lies there": "it shows claiming.lower",
}


@pytest.mark.parametrize("name", ["zoch-2005", "sheet-001+no-steal-back", "ultraboardgames"])
def test_a_turn_that_would_show_a_fault_exercises_its_rule(name):
    """Where an engine with a fault would have played otherwise, a rule of it is exercised."""
    edition, trial = find_edition(name), Trial(find_edition(name).rulings)
    missed = set()
    for players in (2, 3):
        referee = Referee(edition)
        log = play_log(edition.rulings, players, games=2, players=players)
        for line in read_objects(log):
            judged = referee.judge(line)
            for asked in judged.told:
                if asked.exchange is None:
                    continue
                outcome = Outcome("", "", (), Verdict.PASS, exchanges=(asked.exchange,))
                case = trial.case(outcome)
                missed |= {
                    fault.name
                    for place, fault in enumerate(trial.faults)
                    if not set(judged.exercised).intersection(fault.rules)
                    and not trial.agrees(frozenset((place,)), case)
                }
    assert missed <= set(OTHER_RULE)


def test_a_real_engine_is_refereed_with_its_bots():
    """The log shows what no script reaches: what `pickomino-env` does in the turns of its bots.

    A bot that fails by a dead roll keeps the dice, and one plays on after the last tile.
    """
    found = referee_turns(pickomino_env_log.play_log(games=20, seed=161))
    assert (found.games, found.contradictions, found.not_judged) == (20, 0, 0)
    assert set(found.broken) == {
        Rule.FAILING_RETURNED_HIGHEST,
        # One fault of two rules: a total from 21 up with nothing in reach fails at once.
        Rule.ROLLING_FORCED_END,
        Rule.FAILING_OUT_OF_REACH,
        Rule.FAILING_PASSES,
        Rule.ENDING_GRILL_EMPTY,
    }
    assert Rule.STEALING_OPTIONAL in found.never_exercised
