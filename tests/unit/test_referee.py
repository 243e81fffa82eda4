"""A game log is judged turn by turn, and what it never showed is told."""

import json
import re

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from typer.testing import CliRunner

import pickomino_env_log
from pickomino_conformance import words
from pickomino_conformance.cli import app
from pickomino_conformance.compare import compare
from pickomino_conformance.faults import find_fault
from pickomino_conformance.referee import MalformedLog, referee_turns
from pickomino_conformance.referee.exercising import SITUATIONS
from pickomino_conformance.referee.judging import Referee
from pickomino_conformance.referee.log import read_objects
from pickomino_conformance.referee.showing import tell
from pickomino_reference import End, Rule, find_edition, play_turn
from pickomino_reference.data import spec_dir
from played_logs import play_log

RULEBOOK = find_edition()
FULL = list(range(21, 37))


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


# A wrong table, a wrong end, a wrong claim, and a turn that goes on or ends where it must not.
FAULTS = (
    "the returned tile is lost, and nothing is turned",
    "the dice pass to the right",
    "the highest tile is turned although nothing was returned",
    "the bottom tile is returned",
    "a total above every tile takes nothing",
    "a worm counts six",
    "no worm is needed to take a tile",
    "the turn goes on after six faces",
    "a total from 21 up with nothing in reach fails at once, though dice are left",
)


@pytest.mark.parametrize("name", FAULTS)
def test_referee_comparison_and_reference_agree(name):
    """A turn departs if the comparison says so, and in what it says; or if the rules forbid it."""
    fault, rulings = find_fault(name), RULEBOOK.rulings
    log = play_log(fault.rulings_played(rulings), 3, players=3, faults=[fault], announced=False)
    departed = 0
    for line in read_objects(one for one in log if "rolls" in one):
        (asked,) = Referee(RULEBOOK).judge(line).told
        script, reply = asked.exchange.ask, asked.exchange.reply
        record, found = play_turn(script, rulings), compare(script, reply, rulings)
        parted = record.end in (End.REFUSED, End.UNFINISHED) or record.left_over
        told = [(one.record, one.differences) for one in asked.departures]
        assert told == ([(record, () if parted else found)] if found or parted else [])
        departed += len(told)
    assert departed


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
    assert tell(departure) == (
        "Grill 21; player 0 owns 23; player 1 owns 22. "
        "Player 0 rolls 1 2 3 4 5 W W W, sets aside W, rolls W W W W W. "
        f"Expected: grill {words.tiles([21, 23])}. Came: grill 21."
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
    assert "The log contradicts itself" in tell(departure)


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
