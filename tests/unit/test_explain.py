"""Each move that a person might try is explained by the rule that allows or forbids it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import pickomino_conformance
import pickomino_reference
from pickomino_conformance import strategies
from pickomino_conformance.cli import app
from pickomino_conformance.explain import Why, explain, explain_plain
from pickomino_conformance.explain.showing import cited, lines
from pickomino_conformance.specification import rules
from pickomino_reference import (
    Position,
    Refused,
    Roll,
    SetAside,
    Stop,
    edition_names,
    find_edition,
    legal,
    play,
    rolling,
)
from told_moves import told

checked = settings(max_examples=60, database=None, deadline=None, derandomize=True)

# What forbids the steal is that the total is not that of the tile which lies there now; that
# this tile was covered a turn ago is no longer to be seen.
TOLD_BY_THE_TURN_BEFORE = "case=uncovered-tile-still-needs-its-own-total"

FULL = list(range(21, 37))


def at(grill, stacks, kept="", roll=None, **more):
    """Return a position as JSON has it; player 0 is to move."""
    table = {"grill": grill, "stacks": stacks, "player": 0, **more}
    return {"table": table, "kept": kept, "roll": roll}


QUESTION_2 = at([21, 24, 30], [[], [25]], "555WW")
OWN_25 = at([21, 24], [[25], [26]], "555WW")
OWN_25_AND_33 = at([21, 24, 33], [[25], [26]], "555WW")
COVERED = at([21, 24], [[30, 25], [31, 26]], "555WW")
EXACT_THERE = at([21, 25, 33], [[24], [26]], "555WW")
TO_CHOOSE = at(FULL, [[], []], "5", "1255555")


def moved(position, move, edition="zoch-2005", **rulings):
    """Return what is said of one move."""
    changes = {name.replace("_", "-"): value for name, value in rulings.items()}
    values = pickomino_reference.ruling_values(find_edition(edition, changes).rulings)
    found = explain_plain(position, values)["moves"]
    return next(one for one in found if one["move"] == move)


def allowed(explanation):
    """Return the moves that are allowed; the dice of a roll are left out."""
    return [
        "roll" if isinstance(one.move, Roll) else one.move
        for one in explanation.moves
        if one.allowed
    ]


def entry(explanation, move):
    """Return what is said of a move; a roll is the same whatever it shows."""
    return next(
        one
        for one in explanation.moves
        if one.move == move or (isinstance(one.move, Roll) and isinstance(move, Roll))
    )


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(one, id=f"{one.name} {number}")
        for number, one in enumerate(told())
        if one.refused
    ],
)
def test_what_a_scenario_refuses_is_forbidden_by_its_rule(scenario):
    """In every edition in which it holds, a rule of its tags stands among those that forbid."""
    held = [
        rulings
        for rulings in [
            *(find_edition(name).rulings for name in edition_names()),
            find_edition(changes={"steal-back": "barred"}).rulings,
        ]
        if scenario.holds(rulings)
    ]
    assert held
    for rulings in held:
        position, act = scenario.last_act(rulings)
        one = entry(explain(position, rulings), act.move)
        assert not one.allowed
        if TOLD_BY_THE_TURN_BEFORE not in scenario.tags:
            assert scenario.tags.intersection(one.rules)


def test_what_a_scenario_plays_is_allowed():
    """The last move of every scenario that is played is allowed under the first edition of it."""
    refused = []
    for scenario in told():
        editions = [find_edition(name).rulings for name in edition_names()]
        held = [rulings for rulings in editions if scenario.holds(rulings)]
        if scenario.refused or not held:
            continue
        position, act = scenario.last_act(held[0])
        if not entry(explain(position, held[0]), act.move).allowed:
            refused.append(scenario.name)
    assert refused == []


@checked
@given(strategies.positions())
def test_the_moves_allowed_are_the_legal_ones(drawn):
    """Set-asides, rolling, stopping and claims are those that the reference offers."""
    position, rulings = drawn
    options = legal(position, rulings)
    expected = [SetAside(face) for face in options.faces]
    expected += ["roll"] * options.roll
    expected += [Stop()] * (options.stop and not options.claims)
    assert allowed(explain(position, rulings)) == expected + list(options.claims)


@checked
@given(strategies.positions())
def test_the_rule_that_decides_comes_first(drawn):
    """A forbidden move is forbidden first by the rule that the reference names."""
    position, rulings = drawn
    for one in explain(position, rulings).moves:
        if not one.allowed:
            with pytest.raises(Refused) as refused:
                play(position, one.move, rulings)
            assert one.rules[0] is refused.value.rule


@checked
@given(strategies.positions(), st.data())
def test_a_roll_is_dead_if_it_shows_nothing_new(drawn, data):
    """Any roll of the faces told is dead and leaves the table told; any other one is not."""
    position, rulings = drawn
    one = entry(explain(position, rulings), Roll(""))
    if not one.allowed or not one.consequence.dead:
        return
    dice = st.sampled_from(one.consequence.dead)
    number = one.consequence.dice
    roll = "".join(data.draw(st.lists(dice, min_size=number, max_size=number)))
    assert play(position, Roll(roll), rulings) == Position(one.consequence.failed.table)
    for face in set("12345W").difference(one.consequence.dead):
        alive = play(position, Roll(roll[1:] + face), rulings)
        assert alive.turn.rolled == rolling.sort_dice(roll[1:] + face)


@checked
@given(strategies.positions())
def test_every_move_has_a_reason_in_words(drawn):
    """No sentence lacks what it speaks of, and all of it is JSON and can be printed."""
    position, rulings = drawn
    explanation = explain(position, rulings)
    values = pickomino_reference.ruling_values(rulings)
    table, turn = position
    plain_table = {
        "grill": table.grill,
        "stacks": table.stacks,
        "player": table.player,
        "face_down": table.face_down,
        "barred": table.barred,
    }
    plain = {"table": plain_table, "kept": turn.set_aside, "roll": turn.rolled or None}
    told_plainly = explain_plain(plain, values)
    assert json.loads(json.dumps(told_plainly)) == told_plainly
    assert [one["because"] for one in told_plainly["moves"]] == [
        one.because for one in explanation.moves
    ]
    printed = "\n".join(line.plain for line in lines(explanation, find_edition(), 100))
    assert all(str(rule) in printed for rule in cited(explanation))


@pytest.mark.parametrize(
    ("position", "move", "rules"),
    [
        # Question 1: the exact tile.
        (at(FULL, [[], []], "444WW"), {"take": 22}, "claiming.exact"),
        # Question 2: an opponent shows the exact tile.
        (QUESTION_2, {"steal": 1}, "stealing.exact stealing.optional"),
        (QUESTION_2, {"take": 24}, "claiming.lower stealing.optional"),
        # Question 4: the own top tile.
        (at([21, 24, 30], [[25], []], "555WW"), {"take": 24}, "claiming.lower claiming.own-top"),
        # Question 12: a total of 38.
        (
            at([22, 35, 36], [[], []], "3555WWWW"),
            {"take": 36},
            "claiming.lower claiming.above-highest",
        ),
        # Question 19: a steal below the grill.
        (
            at([26, 30], [[], [22]], "444WW"),
            {"steal": 1},
            "stealing.exact stealing.out-of-grill-reach",
        ),
        # The 25 lies face down: it does not stand in the way of the 24.
        (at([21, 24, 30], [[], []], "555WW"), {"take": 24}, "claiming.lower claiming.face-down"),
        (
            at(FULL, [[], []], "", "1123WWW5"),
            {"keep": "W"},
            "rolling.new-face rolling.choose-a-face rolling.whole-face",
        ),
        (at(FULL, [[], []]), {"roll": 8}, "rolling.all-dice"),
        # Question 7: a stop that claims nothing.
        (at(FULL[2:], [[22], [21]], "55WW"), {"stop": True}, "rolling.stop-freely"),
        # Question 15: all dice, and nothing to claim.
        (at(FULL, [[], []], "1112233W"), {"stop": True}, "rolling.forced-end"),
    ],
)
def test_an_allowed_move_names_the_rules_that_allow_it(position, move, rules):
    """The rule that offers the move comes first, then those that the position brings in."""
    one = moved(position, move)
    assert (one["allowed"], one["rules"]) == (True, rules.split())


@pytest.mark.parametrize(
    ("position", "move", "why", "rules"),
    [
        (TO_CHOOSE, {"keep": "3"}, Why.NOT_ROLLED, "rolling.choose-a-face"),
        (TO_CHOOSE, {"keep": "5"}, Why.USED_FACE, "rolling.new-face"),
        (at(FULL, [[], []], "5"), {"keep": "3"}, Why.NO_ROLL, "rolling.choose-a-face"),
        (TO_CHOOSE, {"roll": 7}, Why.CHOOSE_FIRST, "rolling.choose-a-face"),
        (TO_CHOOSE, {"take": 21}, Why.CHOOSE_FIRST, "rolling.choose-a-face"),
        (at(FULL, [[], []]), {"stop": True}, Why.NOTHING_ASIDE, "rolling.choose-a-face"),
        (at(FULL, [[], []], "12345W"), {"roll": 2}, Why.ROLLING_OVER, "rolling.forced-end"),
        (
            at(FULL, [[], []], "444WW"),
            {"stop": True},
            Why.SOMETHING_TO_CLAIM,
            "claiming.stop-claims",
        ),
        (at(FULL, [[], []], "5555"), {"take": 21}, Why.NO_WORM, "claiming.worm-needed"),
        (OWN_25, {"take": 25}, Why.OWN_TOP, "claiming.own-top"),
        (OWN_25, {"take": 26}, Why.ON_A_STACK, "stealing.exact"),
        (COVERED, {"take": 30}, Why.COVERED, "stealing.top-only"),
        (COVERED, {"take": 31}, Why.COVERED, "stealing.top-only"),
        (OWN_25, {"take": 33}, Why.FACE_DOWN, "claiming.face-down failing.face-down-for-good"),
        (OWN_25_AND_33, {"take": 33}, Why.ABOVE_TOTAL, "claiming.exact claiming.lower"),
        (OWN_25_AND_33, {"take": 21}, Why.ANOTHER_IS_NEXT, "claiming.lower"),
        (EXACT_THERE, {"take": 21}, Why.EXACT_LIES_THERE, "claiming.lower"),
        (OWN_25, {"steal": 0}, Why.OWN_STACK, "stealing.opponents-only"),
        (OWN_25, {"steal": 1}, Why.NOT_EXACT, "stealing.exact"),
        (
            at([21, 24], [[], [25, 26]], "555WW"),
            {"steal": 1},
            Why.EXACT_IS_COVERED,
            "stealing.top-only",
        ),
        (
            at([21, 24], [[25], []], "555WW"),
            {"steal": 1},
            Why.NO_TILE,
            "stealing.top-only stealing.exact",
        ),
        (at([21, 24], [[], [32]], "4445555"), {"steal": 1}, Why.NO_WORM, "stealing.worm-needed"),
        (at([], [[21], [36]]), {"roll": 8}, Why.GAME_OVER, "ending.grill-empty"),
        (
            at(FULL, [[], []], "5", "5555555"),
            {"keep": "5"},
            Why.DEAD_ROLL,
            "rolling.new-face failing.dead-roll",
        ),
    ],
)
def test_a_forbidden_move_names_the_reason_and_the_rule(position, move, why, rules):
    """What a person may try in vain is answered with what stands against it here."""
    one = moved(position, move)
    found = (one["allowed"], one["why"], one["rules"], one["consequence"])
    assert found == (False, why, rules.split(), None)


@pytest.mark.parametrize(
    ("position", "move", "edition", "hinges"),
    [
        # Question 9: the returned tile is the highest.
        (
            at(FULL[:8], [[29, 30], []], "5"),
            {"stop": True},
            "zoch-2005",
            {
                "flip-after-return": ["always", "before-return", "both"],
                "stop-without-claim": ["barred"],
            },
        ),
        (
            at(FULL[:8], [[29, 30], []], "5"),
            {"roll": 7},
            "sheet-001",
            {"flip-after-return": ["unless-highest", "before-return", "never"]},
        ),
        # Question 10: the returned tile is not the highest.
        (
            at([24, 27, 34], [[23], []], "5"),
            {"roll": 7},
            "zoch-2005",
            {"flip-after-return": ["both", "never"]},
        ),
        # Question 8: nothing to return.
        (at(FULL, [[], []], "5"), {"roll": 7}, "sheet-000", {"flip-without-return": ["no"]}),
        (OWN_25_AND_33, {"take": 21}, "zoch-2005", {"lower-tile": ["any", "any-if-exact-gone"]}),
        (
            EXACT_THERE,
            {"take": 21},
            "ultraboardgames",
            {"lower-tile": ["next", "any-if-exact-gone"]},
        ),
        (QUESTION_2, {"take": 24}, "sheet-004", {"exact-on-opponent": ["choice"]}),
        (
            at([21, 24, 30], [[22], [25]], "55WW"),
            {"stop": True},
            "999-games",
            {"stop-without-claim": ["fails"]},
        ),
        (
            at([21, 24, 30], [[], [25]], "555WW", barred=[[25], []]),
            {"steal": 1},
            "sheet-001+no-steal-back",
            {"steal-back": ["allowed"]},
        ),
        (
            at([21, 24, 30], [[], []], "123455W"),
            {"roll": 1},
            "zoch-2005",
            {"six-faces": ["roll-on"]},
        ),
        # The last tile: a tie of 22 and 23.
        (at([22], [[], [23]], "444WW"), {"take": 22}, "zoch-2005", {"tie-break": ["shared"]}),
        # What no source disputes.
        (at(FULL, [[], []], "444WW"), {"take": 22}, "zoch-2005", {}),
        (TO_CHOOSE, {"keep": "5"}, "zoch-2005", {}),
    ],
)
def test_a_move_names_the_rulings_on_which_it_hangs(position, move, edition, hinges):
    """Exactly those of which another value would change what may be done, or what comes of it."""
    found = moved(position, move, edition)["hinges"]
    assert {one["ruling"]: one["otherwise"] for one in found} == hinges
    values = pickomino_reference.ruling_values(find_edition(edition).rulings)
    assert [one["value"] for one in found] == [values[ruling] for ruling in hinges]


def test_a_failed_turn_tells_what_it_costs():
    """Rulebook, figure 7a: the own top tile comes back, and the 34 is turned."""
    one = moved(at([21, 23, 34], [[25, 22], []], "5"), {"stop": True})["consequence"]
    assert (one["kind"], one["returned"], one["turned"]) == ("failed", 22, 34)
    assert one["table"]["grill"] == [21, 22, 23]
    assert one["table"]["stacks"] == [[25], []]
    assert one["table"]["player"] == 1
    assert one["rules"] == [
        "failing.no-worm",
        "failing.return-top",
        "failing.flip-highest",
        "failing.face-down-for-good",
        "failing.passes",
    ]
    assert one["words"] == (
        "The turn has failed. The 22 goes back to the grill, and the 34 is turned face down. "
        "Player 1 is next."
    )


@pytest.mark.parametrize(
    ("own", "turned", "words"),
    [
        (22, [22, 34], "The 22 goes back to the grill and is turned face down, and so is the 34."),
        (36, [36], "The 36 goes back to the grill, where it is the highest, and is turned face"),
    ],
)
def test_both_tiles_may_be_turned(own, turned, words):
    """The returned tile and the highest one: two tiles, or one if they are the same."""
    position = at([21, 23, 34], [[25, own], []], "5")
    one = moved(position, {"stop": True}, flip_after_return="both")["consequence"]
    assert (one["returned"], one["turned"], one["turned_tiles"]) == (own, own, turned)
    assert words in one["words"]
    assert one["table"]["grill"] == [tile for tile in (21, 23, 34) if tile not in turned]


@pytest.mark.parametrize(
    ("edition", "grill", "words"),
    [
        # Question 9: own stack 29 30, grill 21 to 28.
        (
            "zoch-2005",
            [*range(21, 29), 30],
            "The 30 goes back to the grill, and no tile is turned.",
        ),
        ("sheet-001", [*range(21, 29)], "where it is the highest, and is turned face down."),
        ("ultraboardgames", [*range(21, 28), 30], "and the 28 is turned face down."),
    ],
)
def test_a_dead_roll_costs_what_the_edition_says(edition, grill, words):
    """Question 9 is answered for each kind of edition, before the dice are rolled."""
    one = moved(at(FULL[:8], [[29, 30], []], "5W"), {"roll": 6}, edition)["consequence"]
    assert (one["kind"], one["dead"], one["dice"]) == ("rolled", "5W", 6)
    assert one["failed"]["table"]["grill"] == grill
    assert words in one["words"]


def test_a_dead_roll_on_the_table_has_failed_already():
    """Question 6: no face is left to choose, the 23 is back and the 36 turned."""
    found = explain_plain(at([24, 31, 36], [[23], []], "4444555", "5"), {})
    assert (found["failed"]["returned"], found["failed"]["turned"]) == (23, 36)
    assert found["failed"]["rules"][0] == "failing.dead-roll"
    assert [one["move"] for one in found["moves"] if one["allowed"]] == []


def test_a_forced_end_in_vain_has_failed_already():
    """Question 5: 25 is the own top tile, and nothing lower lies on the grill."""
    found = explain_plain(at([26, 28, 34], [[25], []], "1112555W"), {})
    assert (found["failed"]["returned"], found["failed"]["turned"]) == (25, 34)
    assert found["failed"]["rules"][0] == "failing.out-of-reach"
    assert [one["move"] for one in found["moves"] if one["allowed"]] == [{"stop": True}]


def test_setting_aside_tells_what_may_be_claimed_then():
    """Rulebook, figure 4a: the 2s make 24, and the 24 lies there."""
    one = moved(at(FULL, [[], []], "44WW", "2224"), {"keep": "2"})["consequence"]
    assert (one["kept"], one["total"], one["dice"]) == ("22244WW", 24, 1)
    assert (one["claims"], one["rolling_over"], one["failed"]) == ([{"take": 24}], False, None)


def test_the_last_die_may_end_the_turn_in_vain():
    """Rulebook, figure 6c: the two 1s make 25, which is the own top tile."""
    one = moved(at([26, 30], [[25], []], "33444W", "11"), {"keep": "1"})["consequence"]
    assert (one["total"], one["rolling_over"], one["claims"]) == (25, True, [])
    assert (one["failed"]["returned"], one["failed"]["turned"]) == (25, 30)
    assert one["rules"][:2] == ["rolling.forced-end", "failing.out-of-reach"]


def test_a_steal_tells_what_it_covers_and_uncovers():
    """Question 22: below the 28 lies the 24, and the thief's 21 is covered."""
    one = moved(at([30], [[21], [24, 28]], "3555WW"), {"steal": 1})["consequence"]
    assert (one["kind"], one["tile"], one["covers"], one["uncovers"]) == ("claimed", 28, 21, 24)
    assert one["table"]["stacks"] == [[21, 28], [24]]
    assert one["rules"] == ["claiming.one-tile", "stealing.uncovers", "setup.order"]


def test_the_last_tile_tells_who_wins():
    """Question 23: five worms each, and the 36 wins though it is covered."""
    one = moved(at([30], [[25], [36, 24]], "5555WW"), {"take": 30})["consequence"]
    assert (one["over"], one["worms"], one["winners"]) == (True, [5, 5], [1])
    assert one["rules"] == [
        "claiming.one-tile",
        "ending.grill-empty",
        "ending.worms-win",
        "ending.tie-break",
    ]
    assert one["words"].endswith("The game is over: player 1 wins, worms 5 5.")


def test_the_core_needs_nothing_but_the_standard_library():
    """It runs where nothing is installed, as in a browser."""
    folders = [Path(one.__path__[0]).parent for one in (pickomino_reference, pickomino_conformance)]
    program = (
        "import sys; from pickomino_conformance.explain import explain_plain;"
        "explain_plain({'table': {'grill': [21], 'stacks': [[], []], 'player': 0}}, {});"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}"
        " - set(sys.stdlib_module_names) - {'__main__'}))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": os.pathsep.join(map(str, folders))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["pickomino_conformance", "pickomino_reference"]


@pytest.mark.parametrize(
    ("position", "words"),
    [
        (None, "the position is null; it must be an object with table, kept and roll."),
        ([], "the position is []"),
        ({}, "table is missing"),
        ({"table": 3}, "table is 3"),
        ({"table": {"grill": [21], "stacks": [[], []]}}, "table.player is missing"),
        (at([21, 37], [[], []]), "table.grill names 37; tiles are the numbers 21 to 36."),
        (at([21, True], [[], []]), "table.grill names true"),
        (at("21", [[], []]), 'table.grill is "21"; it must be a list of tiles.'),
        (at([21], [[], 22]), "table.stacks[1] is 22"),
        (at([21], [[21], []]), "The 21 lies in two places"),
        (at([21], [[]]), "table.stacks has a stack for each of 1 players; 2 to 7 can play."),
        (at([21], [[]] * 8), "each of 8 players"),
        (at([21], [[], []], player=2), "table.player is 2; it is whose turn it is"),
        (at([21], [[], []], face_down=[22]), "table.face_down names 22, but"),
        (at([21], [[], []], barred=[[]]), "table.barred has 1 lists for 2 players."),
        (at([21], [[], []], bared=[[]]), "Did you mean 'barred'?"),
        (at([21], [[], []], kept=None), "kept is null"),
        (at([21], [[], []], "6"), 'kept has a die "6"; the faces are 1 2 3 4 5 W.'),
        (at([21], [[], []], "111111111"), "kept has 9 dice, but there are only 8."),
        (at([21], [[], []], "5", "1"), "roll has 1 dice, but with 1 dice in kept a roll has 7"),
        (at([21], [[], []], "55555555", ""), "no dice are left to roll"),
        (at([21], [[], []], "12345W", "11"), "With 12345W set aside the rolling is over"),
    ],
)
def test_a_position_that_cannot_be_is_told_in_words(position, words):
    """What was expected, what came, and where."""
    with pytest.raises(ValueError) as refused:  # noqa: PT011  # the text is looked at below
        explain_plain(position, {})
    assert words in str(refused.value)


def test_a_ruling_that_does_not_exist_is_told():
    """A misspelt value is refused with the nearest one."""
    with pytest.raises(ValueError, match="Did you mean 'barred'"):
        explain_plain(at([21], [[], []]), {"steal-back": "bared"})


def run(*arguments, given=""):
    """Run the command in this process."""
    return CliRunner().invoke(app, ["explain", *arguments], input=given)


def test_the_command_tells_each_move_with_rule_and_statement(tmp_path):
    """Moves of one reason stand together, and each rule is told as the specification has it."""
    path = tmp_path / "position.json"
    path.write_text(json.dumps(QUESTION_2), encoding="utf-8")
    done = run(str(path))
    assert done.exit_code == 0
    before, specification = done.stdout.split("In the words of the specification")
    assert "  take 24 " in before
    assert "by stealing.exact, stealing.optional" in before
    assert "  take 22, 23, 26 to 29," in before
    assert "hangs on exact-on-opponent = choice" in before
    told_there = " ".join(specification.split())
    for name in ("claiming.lower", "stealing.optional", "claiming.face-down"):
        assert " ".join(rules()[name].statement) in told_there


def test_the_command_judges_by_the_edition():
    """What the edition forbids is among the moves that are not allowed."""
    done = run("--edition", "sheet-004", "-", given=json.dumps(QUESTION_2))
    before, forbidden = done.stdout.split("Not allowed")
    assert "take 24" not in before
    assert "  take 24 " in forbidden
    assert "The 25 can be stolen, and that closes the lower tiles." in forbidden


def test_the_command_gives_json():
    """The JSON is that of `explain_plain`, with the statements."""
    done = run("--json", "--ruling", "exact-on-opponent=steal", "-", given=json.dumps(QUESTION_2))
    found = json.loads(done.stdout)
    statements = found.pop("statements")
    assert found.pop("edition") == "zoch-2005 exact-on-opponent=steal"
    assert found == explain_plain(QUESTION_2, {"exact-on-opponent": "steal"})
    assert statements["claiming.exact"] == list(rules()["claiming.exact"].statement)


@pytest.mark.parametrize(
    ("arguments", "given_text", "words"),
    [
        (["no-such-file.json"], "", "no-such-file.json: No such file or directory."),
        (["-"], "{", "stdin: this is not JSON"),
        (["-"], "[" * 100_000, "stdin: this is not JSON"),
        (["-"], "[]", "stdin: the position is []"),
        (["-"], r'{"table": {}, "\u001b[31m": 1}', r'a member "\u001b[31m", which is none of'),
        (["-", "--edition", "zoch-205"], "", "Did you mean 'zoch-2005'?"),
        (["-", "--ruling", "steal-back"], "", "Expected RULING=VALUE"),
    ],
)
def test_what_the_command_cannot_read_ends_with_status_two(arguments, given_text, words):
    """The error says what was expected and what came; nothing reaches the terminal raw."""
    done = run(*arguments, given=given_text)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
    assert "\x1b[31m" not in done.stderr


def test_bytes_that_are_no_text_are_told():
    """A file in another encoding is refused in words."""
    done = run("-", given=b"\xff")
    assert (done.exit_code, done.stderr) == (2, "stdin: this is not UTF-8 text.\n")
