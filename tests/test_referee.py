"""A game log is judged turn by turn, and what it never showed is told."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from typer.testing import CliRunner

import pickomino_env_log
from pickomino_conformance import sentences, strategies
from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.diagnosis import Trial
from pickomino_conformance.faults import faults_against, find_fault
from pickomino_conformance.main import app
from pickomino_conformance.protocol import encode
from pickomino_conformance.referee import MalformedLog, referee_turns
from pickomino_conformance.referee.exercising import SITUATIONS
from pickomino_conformance.referee.judging import Referee
from pickomino_conformance.referee.log import read_objects
from pickomino_conformance.strategies import Situation
from pickomino_conformance.tables import plain_table
from pickomino_reference import Edition, Rule, edition_names, find_edition
from pickomino_reference.data import spec_dir
from played_logs import play_log

ROOT = Path(__file__).parents[1]
RULEBOOK = find_edition()
FULL = list(range(21, 37))

checked = settings(max_examples=40, database=None, deadline=None, derandomize=True)


def table(grill, *stacks, **more):
    """Return a table; what is not told is left out."""
    return {"grill": grill, "stacks": list(stacks), **more}


def keep(face, then="roll", **claim):
    """Return a decision."""
    return {"keep": face, "then": then, **claim}


def turn(before, rolls, decisions, after, **more):
    """Return the line of a turn; rolls stand in one text."""
    return {
        "table": before,
        "rolls": rolls.split(),
        "decisions": decisions,
        "table_after": after,
        **more,
    }


def rules(found):
    """Return for each departure its line and the first of its rules."""
    return [(one.line, str(one.rules[0]) if one.rules else "") for one in found.departures]


# Figure 4a, in short: two 4s, two worms and three 2s take the 24.
TAKES_24 = turn(
    table(FULL, [], [], player=0),
    "12344555 1355WW 2223",
    [keep("4"), keep("W"), keep("2", "stop", claim={"take": 24})],
    table([tile for tile in FULL if tile != 24], [24], [], player=1),
)
# A dead roll of the next player, who has no tile to return.
FAILS = turn(
    TAKES_24["table_after"],
    "12345WWW WWWWW",
    [keep("W")],
    TAKES_24["table_after"] | {"player": 0},
)


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
            for asked in judged.asked:
                if asked.exchange is None:
                    continue
                outcome = Outcome("", "", (), Verdict.PASS, "", (asked.exchange,))
                case = trial.case(outcome)
                missed |= {
                    fault.name
                    for place, fault in enumerate(trial.faults)
                    if not set(judged.exercised).intersection(fault.rules)
                    and not trial.agrees(frozenset((place,)), case)
                }
    assert missed <= set(OTHER_RULE)


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
            "table": plain_table(drawn.table, drawn.rulings),
            "rolls": list(script.rolls),
            "decisions": [json.loads(encode(decision)) for decision in script.decisions],
            "table_after": plain_table(drawn.after, drawn.rulings),
        }
        found = referee_turns([line], Edition("drawn", "", drawn.rulings))
        assert found.departures == ()
        assert rule in found.exercised

    exercises()


def test_every_rule_has_its_situation():
    """For each rule the report can tell what it would take to exercise it."""
    assert list(SITUATIONS) == list(Rule)
    assert all(SITUATIONS.values())


def test_what_a_log_never_shows_is_listed():
    """A single turn that takes a tile exercises what it shows, and no more."""
    found = referee_turns([TAKES_24])
    assert found.departures == ()
    assert set(found.exercised) == {
        Rule.SETUP_TILES,
        Rule.SETUP_DICE,
        Rule.SETUP_PLAYERS,
        Rule.SETUP_ORDER,
        Rule.ROLLING_ALL_DICE,
        Rule.ROLLING_CHOOSE_A_FACE,
        Rule.ROLLING_WHOLE_FACE,
        Rule.ROLLING_NEW_FACE,
        Rule.CLAIMING_TOTAL,
        Rule.CLAIMING_EXACT,
        Rule.CLAIMING_ONE_TILE,
        Rule.CLAIMING_STOP_CLAIMS,
    }
    assert set(found.never_exercised) == set(Rule).difference(found.exercised)


def ends(before, kept, after, *, claim=..., then="stop", **more):
    """Return the line of a turn that sets aside these dice, a face a roll, and then ends."""
    rolls, decisions, left = [], [], 8
    for face in dict.fromkeys(kept):
        number = kept.count(face)
        other = next(one for one in "12345W" if one not in kept)
        rolls.append(face * number + other * (left - number))
        decisions.append(keep(face))
        left -= number
    decisions[-1]["then"] = then
    if claim is not ...:
        decisions[-1]["claim"] = claim
    return turn(before, " ".join(rolls), decisions, after, **more)


def dies(before, after, **more):
    """Return the line of a turn that fails by a dead roll."""
    return turn(before, "12345WWW WWWWW", [keep("W")], after, **more)


GRILL = [21, 23, 24, 30, 34]
BEFORE = table(GRILL, [22], [25], player=0)
DEPARTURES = {
    "the returned tile is turned, being the highest": (
        dies(table([21], [23], [22], player=0), table([21], [], [22], player=1)),
        "failing.returned-highest",
    ),
    "a tile is turned though none was returned": (
        dies(table(GRILL, [], [25], player=0), table(GRILL[:-1], [], [25], player=1)),
        "failing.nothing-returned",
    ),
    "the wrong tile is turned": (
        dies(BEFORE, table([22, 23, 24, 30, 34], [], [25], player=1)),
        "failing.flip-highest",
    ),
    "the returned tile is lost": (
        dies(BEFORE, table(GRILL, [], [25], player=1)),
        "failing.return-top",
    ),
    "nothing is returned": (
        dies(BEFORE, table(GRILL[:-1], [22], [25], player=1)),
        "failing.return-top",
    ),
    "another player loses a tile as well": (
        dies(BEFORE, table([21, 22, 23, 24, 25, 30], [], [], player=1)),
        "failing.passes",
    ),
    "the player who failed keeps the dice": (
        dies(BEFORE, table([21, 22, 23, 24, 30], [], [25], player=0)),
        "failing.passes",
    ),
    "a face-down tile comes back": (
        dies(BEFORE, table([21, 22, 23, 24, 26, 30, 34], [], [25], player=1)),
        "failing.face-down-for-good",
    ),
    "a tile lies there twice": (
        dies(BEFORE, table([21, 22, 22, 24, 30], [], [25], player=1)),
        "failing.flip-highest",
    ),
    "a stack is gone": (
        dies(BEFORE, table([21, 22, 23, 24, 30], [], player=0)),
        "setup.players",
    ),
    "a player is next who isn't there": (
        dies(BEFORE, table([21, 22, 23, 24, 30], [], [25], player=2)),
        "setup.order",
    ),
    "the game is said to be over": (
        dies(BEFORE, table([21, 22, 23, 24, 30], [], [25], player=1), over=True),
        "ending.grill-empty",
    ),
    "a tile further down is taken": (
        ends(BEFORE, "555WW", table(GRILL[1:], [22, 21], [25], player=1), claim={"take": 21}),
        "claiming.lower",
    ),
    "a tile above the total is taken": (
        ends(BEFORE, "444WW", table([21, 23, 30, 34], [22, 24], [25]), claim={"take": 24}),
        "claiming.exact",
    ),
    "a tile is taken without a worm": (
        ends(BEFORE, "444555", table([21, 23, 30, 34], [22, 24], [25]), claim={"take": 24}),
        "claiming.worm-needed",
    ),
    "the own top tile is taken": (
        ends(BEFORE, "444WW", table(GRILL, [22], [25]), claim={"take": 22}),
        "claiming.own-top",
    ),
    "a tile is stolen with a higher total": (
        ends(BEFORE, "4445WW", table(GRILL, [22, 25], []), claim={"steal": 1}),
        "stealing.exact",
    ),
    "a player steals from oneself": (
        ends(BEFORE, "444WW", table(GRILL, [22], [25]), claim={"steal": 0}),
        "stealing.opponents-only",
    ),
    "a covered tile is stolen": (
        ends(
            table(GRILL, [22], [25, 26], player=0),
            "555WW",
            table(GRILL, [22, 25], [26]),
            claim={"steal": 1},
        ),
        "stealing.top-only",
    ),
    "a stolen tile stays where it was": (
        ends(BEFORE, "555WW", table(GRILL, [22, 25], [25]), claim={"steal": 1}),
        "stealing.uncovers",
    ),
    "a stolen tile vanishes": (
        ends(BEFORE, "555WW", table(GRILL, [22], []), claim={"steal": 1}),
        "claiming.one-tile",
    ),
    "a taken tile goes below the others": (
        ends(BEFORE, "444WW", table([21, 24, 30, 34], [23, 22], [25]), claim=None),
        "claiming.stop-claims",
    ),
    "nothing is claimed although something could be": (
        ends(BEFORE, "555WW", table([21, 22, 23, 24, 30], [], [25]), claim=None),
        "claiming.stop-claims",
    ),
    "the lower tile is taken though the player steals": (
        ends(BEFORE, "555WW", table([21, 23, 30, 34], [22, 24], [25]), claim={"steal": 1}),
        "claiming.stop-claims",
    ),
    "a claim that is not told, and is forbidden": (
        ends(BEFORE, "445WW", table(GRILL[1:], [22, 21], [25])),
        "claiming.lower",
    ),
    "no claim where one must be made": (
        ends(BEFORE, "4555W", table(GRILL, [22], [25])),
        "claiming.exact",
    ),
    "the dice pass the wrong way after a claim": (
        ends(
            BEFORE, "555WW", table([21, 23, 30, 34], [22, 24], [25], player=0), claim={"take": 24}
        ),
        "setup.order",
    ),
    "a roll has a die too many": (
        turn(BEFORE, "12345WWW 123455", [keep("W")], BEFORE),
        "rolling.all-dice",
    ),
    "the first roll has seven dice": (
        turn(BEFORE, "1234WWW WWWW", [keep("W")], BEFORE),
        "rolling.all-dice",
    ),
    "a face is chosen that the roll does not show": (
        turn(BEFORE, "12334WWW WWWWW", [keep("5")], BEFORE),
        "rolling.choose-a-face",
    ),
    "nothing is chosen from a roll": (
        turn(BEFORE, "12345WWW", [keep(None, "stop", claim=None)], BEFORE),
        "rolling.choose-a-face",
    ),
    "a face is chosen twice": (
        turn(BEFORE, "12345WWW 1234W", [keep("W"), keep("W", "stop", claim={"take": 21})], BEFORE),
        "rolling.new-face",
    ),
    "the player goes on after a dead roll": (
        turn(BEFORE, "12345WWW WWWWW", [keep("W"), keep(None, "stop", claim=None)], BEFORE),
        "failing.dead-roll",
    ),
    "a live roll is taken for a dead one": (
        turn(
            BEFORE,
            "12345WWW 1WWWW",
            [keep("W")],
            table([21, 22, 23, 24, 30], [], [25], player=1),
        ),
        "failing.dead-roll",
    ),
    "the player rolls on with all faces set aside": (
        turn(
            BEFORE,
            "12345WWW 2345WWW 345WWW 45WWW 5WWW W12",
            [keep("1"), keep("2"), keep("3"), keep("4"), keep("5"), keep("W")],
            BEFORE,
        ),
        "rolling.forced-end",
    ),
    "the turn ends though the player rolls on": (
        turn(BEFORE, "12345WWW", [keep("W")], table([21, 22, 23, 24, 30], [], [25], player=1)),
        "rolling.forced-end",
    ),
}


@pytest.mark.parametrize(("line", "rule"), DEPARTURES.values(), ids=DEPARTURES)
def test_a_departure_is_told_with_its_line_and_rule(line, rule):
    """A single wrong turn departs once, under the rule that it breaks."""
    found = referee_turns([line])
    assert rules(found) == [(1, rule)]
    assert found.broken == {Rule(rule): 1}


def test_a_departure_tells_what_was_played_and_what_came():
    """Table, dice, what was expected and what came stand in one message."""
    line, _ = DEPARTURES["the returned tile is turned, being the highest"]
    (departure,) = referee_turns([line]).departures
    assert departure.message == (
        "Grill 21; player 0 owns 23; player 1 owns 22. "
        "Player 0 rolls 1 2 3 4 5 W W W, sets aside W, rolls W W W W W. "
        f"Expected: grill {sentences.tiles([21, 23])}. Came: grill 21."
    )


def test_a_stop_in_vain_departs_where_it_is_barred():
    """The 999 Games edition lets nobody stop with nothing to claim."""
    line = ends(BEFORE, "55", table([21, 22, 23, 24, 30], [], [25], player=1), claim=None)
    assert referee_turns([line]).conforms
    assert rules(referee_turns([line], "999-games")) == [(1, "rolling.stop-freely")]


def test_a_departure_does_not_spoil_the_turns_after_it():
    """Each turn is judged on the table with which it begins."""
    wrong, _ = DEPARTURES["the wrong tile is turned"]
    after = wrong["table_after"]
    following = dies(None, table([22, 23, 24, 25, 30], [], [], player=0))
    assert after["grill"] == [22, 23, 24, 30, 34]
    assert rules(referee_turns([wrong, following])) == [(1, "failing.flip-highest")]


def test_a_contradiction_of_the_log_is_told_as_such():
    """A turn that does not begin where the one before has ended breaks no rule of the engine."""
    elsewhere = dies(BEFORE, table([21, 22, 23, 24, 30], [], [25], player=1))
    found = referee_turns([TAKES_24, elsewhere])
    assert (found.contradictions, found.conforms, found.broken) == (1, False, {})
    (departure,) = [one for one in found.departures if not one.rules]
    assert departure.line == 2
    assert "The log contradicts itself" in departure.message


def test_a_turn_without_a_table_begins_where_the_one_before_has_ended():
    """A null table, and one that is left out, are the one after the turn before."""
    without = {name: value for name, value in FAILS.items() if name != "table"}
    for line in (without, FAILS | {"table": None}):
        found = referee_turns([TAKES_24, line])
        assert (found.departures, found.turns) == ((), 2)


def test_who_is_next_may_be_told_by_the_next_turn_only():
    """If the table after a turn does not name the player, the one before the next does."""
    nameless = {name: value for name, value in FAILS["table_after"].items() if name != "player"}
    first = FAILS | {"table_after": nameless}
    right = dies(nameless | {"player": 0}, table(FULL, [], [], player=1))
    right["table_after"] = table([*FULL[:15]], [], [], player=1)
    found = referee_turns([first, right])
    assert found.departures == ()
    assert Rule.FAILING_PASSES in found.exercised
    wrong = FAILS | {"table_after": nameless}
    assert rules(referee_turns([first, wrong])) == [(2, "failing.passes")]


def test_a_player_who_is_never_named_is_the_next_one():
    """Who is next is then not exercised."""
    nameless = {name: value for name, value in FAILS["table_after"].items() if name != "player"}
    takes = TAKES_24 | {"table_after": nameless}
    found = referee_turns([takes, FAILS | {"table": None, "table_after": nameless}])
    assert found.departures == ()
    assert not {Rule.FAILING_PASSES, Rule.SETUP_ORDER}.intersection(found.exercised)


def test_what_is_barred_is_followed_through_the_log():
    """A log that does not tell what is barred is judged by what was stolen in it."""
    start = table([21, 30], [], [25], player=0)
    steals = ends(start, "555WW", table([21, 30], [25], [], player=1), claim={"steal": 1})
    back = ends(None, "555WW", table([21, 30], [], [25], player=0), claim={"steal": 0})
    assert referee_turns([steals, back]).departures == ()
    found = referee_turns([steals, back], "zoch-2005+no-steal-back")
    assert rules(found) == [(2, "stealing.steal-back")]


def test_a_move_after_the_end_departs():
    """After the last tile nobody plays."""
    takes = ends(
        table([22], [], [25], player=0),
        "444WW",
        table([], [22], [25], player=1),
        claim={"take": 22},
    )
    plays_on = dies(None, table([25], [22], [], player=0))
    assert rules(referee_turns([takes, plays_on])) == [(2, "ending.grill-empty")]


def test_a_new_game_may_follow_the_end_of_one():
    """Once the grill is empty, the table of a new game begins one."""
    takes = ends(
        table([22], [], [25], player=0),
        "444WW",
        table([], [22], [25], player=1),
        claim={"take": 22},
    )
    found = referee_turns([takes, TAKES_24])
    assert (found.departures, found.games) == ((), 2)


def test_a_game_that_is_announced_begins_like_one():
    """With `players` the first turn must find a full grill and nobody with a tile."""
    assert referee_turns([{"players": 2}, TAKES_24]).departures == ()
    assert rules(referee_turns([{"players": 3}, TAKES_24])) == [(2, "setup.players")]
    assert rules(referee_turns([{"players": 2}, FAILS])) == [(2, "setup.players")]
    short = FAILS | {"table": table(FULL[:15], [], [], player=1)}
    short["table_after"] = table(FULL[:15], [], [], player=0)
    assert rules(referee_turns([{"players": 2}, short])) == [(2, "setup.tiles")]
    assert rules(referee_turns([{"players": 8}, TAKES_24]))[0] == (1, "setup.players")


def test_a_turn_on_an_impossible_table_is_counted_and_not_judged():
    """It is told once, where it came about, and the turns after it are not judged."""
    twice, _ = DEPARTURES["a tile lies there twice"]
    found = referee_turns([twice, dies(None, table([21, 22, 22, 24], [], [25], player=0))])
    assert (rules(found), found.not_judged) == ([(1, "failing.flip-highest")], 1)
    first = referee_turns([dies(table([21, 37], [], [], player=0), table([21], [], []))])
    assert (rules(first), first.not_judged) == ([(1, "setup.tiles")], 1)


SCORED = ends(
    table([22], [25], [36], [24, 26], player=0),
    "444WW",
    table([], [25, 22], [36], [24, 26], player=1),
    claim={"take": 22},
)


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ({"worms": [3, 4, 3], "winners": [1]}, []),
        ({"worms": [3, 4, 3], "winners": None}, []),
        ({"worms": [2, 4, 3]}, ["ending.worms-win"]),
        ({"winners": [0]}, ["ending.worms-win"]),
        ({"winners": []}, ["ending.worms-win"]),
        ({"worms": [3, 4]}, ["ending.worms-win"]),
    ],
)
def test_the_end_of_a_game_is_scored(line, broken):
    """A tile of 21 to 24 has one worm, one of 25 to 28 two, the 36 four."""
    assert [rule for _, rule in rules(referee_turns([SCORED, line]))] == broken


def test_a_tie_is_judged_by_the_edition():
    """Question 23: five worms each, and the 36 wins though it is covered."""
    last = ends(
        table([30], [25], [36, 24], player=0),
        "5555WW",
        table([], [25, 30], [36, 24], player=1),
        claim={"take": 30},
    )
    assert referee_turns([last, {"winners": [1]}]).departures == ()
    assert rules(referee_turns([last, {"winners": [0]}])) == [(2, "ending.tie-break")]
    assert rules(referee_turns([last, {"winners": [0, 1]}])) == [(2, "ending.tie-break")]
    assert referee_turns([last, {"winners": [0, 1]}], "zoch-2005+shared-win").departures == ()


def test_a_game_that_ends_too_early_departs():
    """With face-up tiles the game goes on, unless it was broken off."""
    assert rules(referee_turns([TAKES_24, {"over": True}])) == [(2, "ending.grill-empty")]
    assert referee_turns([TAKES_24, {"over": False}]).departures == ()


def test_many_departures_are_counted_and_not_all_kept():
    """A rule that is broken in every turn does not fill the memory."""
    wrong, _ = DEPARTURES["the wrong tile is turned"]
    found = referee_turns([one for _ in range(250) for one in ({"name": "again"}, wrong)])
    assert found.broken == {Rule.FAILING_FLIP_HIGHEST: 250}
    assert len(found.departures) == 100


def test_the_log_says_what_it_is_judged_by():
    """Each game by its own first line, unless an edition is asked for."""
    fails = FAILS | {"table_after": table(FULL[:15], [24], [], player=0)}
    fails["table"] = table(FULL, [], [], player=1)
    flips = dies(table(FULL, [], [], player=0), table(FULL[:15], [], [], player=1))
    by_name = [{"edition": "sheet-000"}, flips]
    by_value = [{"rulings": {"flip-without-return": "yes"}}, flips]
    assert referee_turns([*by_name, *by_value]).departures == ()
    assert [one.name for one in referee_turns([*by_name, *by_value]).editions] == [
        "sheet-000",
        "zoch-2005 flip-without-return=yes",
    ]
    assert rules(referee_turns(by_name, "zoch-2005")) == [(2, "failing.nothing-returned")]


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


LINE = json.dumps(TAKES_24)
MALFORMED = {
    "no JSON": ('{"table": ', "line 1: this is not JSON"),
    "no text": ("\x00\x01", "line 1: this is not JSON (JSON is malformed"),
    "no object": ("[1]", "line 1: expected `object`, got `array`"),
    "nested": ("[" * 100_000, "line 1: "),
    "nothing known": ('{"weather": 1}', "line 1: it has none of the members of a log"),
    "a table only": (json.dumps({"table": BEFORE}), "line 1: a turn needs table, rolls"),
    "no decisions": (
        json.dumps({name: TAKES_24[name] for name in ("table", "rolls", "table_after")}),
        "line 1: the turn lacks decisions.",
    ),
    "a face that is none": (
        LINE.replace('"1355WW"', '"1355W6"'),
        "line 1: rolls[1]: expected dice, such as 1123WWW5.",
    ),
    "a grill of texts": (LINE.replace('"grill": [21', '"grill": ["21"'), "line 1: table.grill["),
    "too few decisions": (
        json.dumps(TAKES_24 | {"decisions": TAKES_24["decisions"][:1]}),
        "line 1: there are 1 decisions for 3 rolls; every roll needs one",
    ),
    "too many decisions": (
        json.dumps(TAKES_24 | {"rolls": TAKES_24["rolls"][:2]}),
        "line 1: there are 3 decisions for 2 rolls.",
    ),
    "no roll": (json.dumps(TAKES_24 | {"rolls": [], "decisions": []}), "line 1: the turn has no"),
    "a stop on the way": (
        json.dumps(TAKES_24 | {"decisions": [keep("4", "stop"), keep("W"), keep("2", "stop")]}),
        "line 1: the player stops with decision 1, and yet goes on after it.",
    ),
    "a claim without a stop": (
        json.dumps(TAKES_24 | {"decisions": [keep("4"), keep("W"), keep("2", claim={"take": 24})]}),
        "line 1: decision 3 rolls on, and yet claims something.",
    ),
    "the last decision is missing": (
        json.dumps(TAKES_24 | {"decisions": TAKES_24["decisions"][:2]}),
        "line 1: the last decision is missing. player 0 takes 24, and no decision stops.",
    ),
    "nobody's turn": (
        json.dumps(FAILS | {"table": table(FULL, [], [])}),
        "line 1: table.player is missing; the first turn of a game says whose turn it is",
    ),
    "the turn of nobody who is there": (
        json.dumps(FAILS | {"table": table(FULL, [], [], player=2)}),
        "line 1: table.player is 2, but there are 2 stacks.",
    ),
    "a claim from nobody who is there": (
        json.dumps(ends(BEFORE, "555WW", BEFORE, claim={"steal": 2})),
        "line 1: the claim steals from player 2, but there are 2 stacks.",
    ),
    "no table to begin with": (
        json.dumps(FAILS | {"table": None}),
        "line 1: the first turn of a game needs the table before it.",
    ),
    "an end before any turn": ('{"winners": [1]}', "line 1: the end of a game stands before any"),
    "a beginning that ends": ('{"players": 2, "over": true}', "line 1: a line either begins a"),
    "a turn that begins a game": (
        json.dumps(TAKES_24 | {"players": 2}),
        "line 1: a turn stands on a line of its own.",
    ),
    "an edition that is none": (
        '{"edition": "zoch-205"}\n' + LINE,
        "line 1: There is no edition 'zoch-205'. Did you mean 'zoch-2005'?",
    ),
    "a ruling that is none": (
        '{"rulings": {"steal-back": "bared"}}\n' + LINE,
        "line 1: There is no value of steal-back 'bared'. Did you mean 'barred'?",
    ),
    "a later line": (LINE + "\n\n{}", "line 3: it has none of the members of a log"),
    "no turn": ('{"players": 2}', "there is no turn in the log"),
    "nothing": ("", "there is no turn in the log"),
    "a line that is too long": ('{"name": "' + "x" * 1_000_000, "line 1: it has more than 1000000"),
}


def run(*arguments, given=""):
    """Run the command in this process."""
    return CliRunner().invoke(app, ["referee", *arguments], input=given)


@pytest.mark.parametrize(("log", "words"), MALFORMED.values(), ids=MALFORMED)
def test_a_log_that_cannot_be_read_ends_with_status_two(log, words):
    """The error says in which line, what was expected and what came."""
    done = run("-", given=log)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"stdin, {words}")
    assert "Traceback" not in done.stderr


def test_an_object_of_another_shape_is_refused_in_a_test_too():
    """Objects are numbered like lines."""
    with pytest.raises(MalformedLog, match=r"line 2: decisions\[0\]\.then: invalid enum"):
        referee_turns([TAKES_24, FAILS | {"decisions": [keep("W", "wait")]}])


def test_the_command_tells_departures_and_what_was_never_exercised(tmp_path):
    """Status 1, the smallest departure of each rule, the diagnosis, and what the log lacks."""
    wrong, _ = DEPARTURES["the returned tile is turned, being the highest"]
    path = tmp_path / "game.jsonl"
    lines = [TAKES_24, {"name": "another"}, wrong, {"name": "a third"}, wrong]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = run(str(path))
    told = " ".join(done.stdout.split())
    assert done.exit_code == 1
    assert "3 turns of 3 games, judged by zoch-2005 (Zoch / Rio Grande Games 2005)" in told
    assert "failing.returned-highest line 3, the smallest of 2 Grill 21; player 0 owns 23" in told
    assert "the returned tile is turned if it is the highest (failing.returned-highest): 2" in told
    assert "setup.tiles 1 setup.dice 3" in told
    assert "stealing.exact It would take a steal" in told
    assert done.stdout.endswith("The log departs.\n")


def test_a_log_that_conforms_does_so_in_what_it_shows():
    """Status 0, and nobody takes silence for proof."""
    done = run("-", given=LINE)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Departures" not in done.stdout
    assert "Never exercised: of these the log proves nothing" in done.stdout
    assert done.stdout.endswith("The log conforms in what it shows.\n")


def test_the_command_judges_by_the_edition():
    """`--edition` and `--ruling` outweigh what the log says of itself."""
    flips = dies(table(FULL, [], [], player=0), table(FULL[:15], [], [], player=1))
    log = json.dumps({"edition": "sheet-000"}) + "\n" + json.dumps(flips)
    assert run("-", given=log).exit_code == 0
    assert run("--edition", "zoch-2005", "-", given=log).exit_code == 1
    assert run("--ruling", "flip-without-return=yes", "-", given=log).exit_code == 0


def test_the_command_gives_json():
    """All that is told stands in one object."""
    wrong, _ = DEPARTURES["a player steals from oneself"]
    done = run("--json", "-", given=json.dumps(wrong))
    found = json.loads(done.stdout)
    assert done.exit_code == 1
    assert (found["log"], found["verdict"], found["turns"]) == ("stdin", "departs", 1)
    assert found["broken"] == {"stealing.opponents-only": 1}
    assert [(one["line"], one["rules"][0]) for one in found["departures"]] == [
        (1, "stealing.opponents-only")
    ]
    assert found["never_exercised"]["stealing.exact"] == SITUATIONS[Rule.STEALING_EXACT]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such-log.jsonl"], "no-such-log.jsonl: No such file or directory."),
        (["."], ".: Is a directory."),
        (["-", "--edition", "zoch-205"], "Did you mean 'zoch-2005'?"),
        (["-", "--ruling", "steal-back=bared"], "Did you mean 'barred'?"),
    ],
)
def test_bad_usage_ends_with_status_two(arguments, words):
    """What was expected, what came, and what to do next."""
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr


def test_what_a_log_says_does_not_steer_the_terminal():
    """Control characters come out as their codes."""
    done = run("-", given=r'{"edition": "\u001b[31mred"}')
    assert done.exit_code == 2
    assert "\x1b" not in done.stderr


COMMON = json.loads((spec_dir() / "protocol" / "common.schema.json").read_text(encoding="utf-8"))
SCHEMA = json.loads((spec_dir() / "game-log.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(
    SCHEMA, registry=Registry().with_resource(COMMON["$id"], Resource.from_contents(COMMON))
)


def test_the_schema_describes_what_the_referee_reads():
    """The lines of whole games have the shape of the schema."""
    lines = play_log(find_edition("zoch-2005+no-steal-back").rulings, 1, games=2)
    lines += pickomino_env_log.play_log(games=1, seed=1)
    assert [line for line in lines if not VALIDATOR.is_valid(line)] == []


@pytest.mark.parametrize(
    "name",
    [
        "no object",
        "nothing known",
        "a table only",
        "no decisions",
        "a face that is none",
        "a grill of texts",
        "no roll",
        "a beginning that ends",
        "a turn that begins a game",
    ],
)
def test_the_schema_refuses_a_line_of_another_shape(name):
    """What the referee can't read for its shape, the schema refuses, too."""
    assert not VALIDATOR.is_valid(json.loads(MALFORMED[name][0]))


def test_the_example_in_the_specification_conforms():
    """The log shown there can be judged as it stands."""
    page = (spec_dir() / "game-log.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.+?)```", page, re.DOTALL)
    lines = [json.loads(line) for line in example.splitlines()]
    found = referee_turns(lines)
    assert (found.departures, found.turns, found.games) == ((), 2, 1)
    assert [line for line in lines if not VALIDATOR.is_valid(line)] == []
