"""Level `features`: every scenario is asked, and what an engine can't do is told fairly."""

import pytest

from levels_in_process import under_test
from pickomino_conformance import Refused
from pickomino_conformance.cases import Verdict, Wanted
from pickomino_conformance.cases.features import judge_scene, run
from pickomino_conformance.cases.gherkin import FeatureCase, feature_cases, read_feature
from pickomino_conformance.cases.scene import Act, Scene, UnknownStep
from pickomino_conformance.cases.smoke import PROBES
from pickomino_conformance.cases.steps import GherkinStep, scene_of
from pickomino_conformance.compare import Difference
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_reference import Decision, Take, find_edition
from pickomino_reference.data import spec_dir

EDITION = find_edition()
ROLLS = (("dice", "sets aside"), ("1 W W", "W"), ("4 4 1", "4"))

TWO_RULES = """@of-the-feature
Feature: Two rules

  Background:
    Given the grill shows 21 23 to 25

  @claiming.exact
  Rule: The exact tile may be taken

    Background:
      Given Ann owns nothing

    @case=taken @lower-tile=next @lower-tile=any
    Scenario Outline: It is taken
      Some words.

      When Ann rolls
        | dice            | sets aside |
        | 1 2 3 4 5 W W W | W          |
        | <second>        | 4          |
      And Ann stops and takes <tile>
      Then Ann owns <tile>

      Examples:
        | tile | second    |
        | 23   | 1 2 4 4 5 |

  @claiming.lower @unsettled
  Rule: A lower tile may be taken

    @case=lower
    Scenario: It is lower
      Given Bob owns 26
      When Bob rolls
        | dice            | sets aside |
        | 1 2 3 4 5 W W W | W          |
      And Bob stops
      Then Bob owns nothing
"""


def case(name: str) -> FeatureCase:
    """Return a case of the features."""
    return next(one for one in feature_cases() if one.id == name)


def judged(engine: object, name: str):
    """Return what comes of a case on an engine in this process."""
    (found,) = run(under_test(engine), Wanted(only=frozenset([name])))
    return found


def test_the_cases_are_those_that_are_listed() -> None:
    """Each case of `spec/cases.txt` is read, in its order."""
    listed = (spec_dir() / "cases.txt").read_text(encoding="utf-8").split()
    assert [one.id for one in feature_cases()] == listed


def test_rules_and_backgrounds_are_read() -> None:
    """A `Rule:` gives its tags to its scenarios, and each background its steps."""
    taken, lower = read_feature(TWO_RULES, "claiming")
    assert [one.id for one in (*taken.cases, *lower.cases)] == [
        "claiming/taken/23",
        "claiming/lower",
    ]
    assert (taken.rules, lower.rules) == (["claiming.exact"], ["claiming.lower"])
    assert (taken.description, lower.description) == ("Some words.", "")
    (first,) = taken.cases
    assert first.needs == {"lower-tile": ("next", "any")}
    assert [step.text for step in first.steps] == [
        "the grill shows 21 23 to 25",
        "Ann owns nothing",
        "Ann rolls",
        "Ann stops and takes 23",
        "Ann owns 23",
    ]
    assert (first.unsettled, lower.cases[0].unsettled) == (False, True)
    assert taken.source.startswith("@case=taken @lower-tile=next @lower-tile=any\nScenario Outline")
    assert taken.source.endswith(
        "  Examples:\n    | tile | second    |\n    | 23   | 1 2 4 4 5 |\n"
    )
    assert lower.source.endswith("  Then Bob owns nothing\n")


def test_steps_become_what_they_tell() -> None:
    """Table, rolls, the end of the turn and what is looked at are all there."""
    steps = [
        GherkinStep("given", "the grill shows 21 23 to 25"),
        GherkinStep("given", "Ann owns 22"),
        GherkinStep("given", "Bob owns nothing"),
        GherkinStep("given", "the 24 was just stolen from Bob"),
        GherkinStep("when", "Ann rolls", ROLLS),
        GherkinStep("when", "Ann stops and takes 23"),
        GherkinStep("then", "Ann owns 22 23"),
        GherkinStep("then", "the 30 is face down"),
        GherkinStep("then", "it is Bob's turn"),
    ]
    decisions = (Decision("W", "roll"), Decision("4", "stop", Take(23)))
    assert scene_of(steps) == Scene(
        names=["Ann", "Bob"],
        grill=(21, 23, 24, 25),
        stacks={0: (22,), 1: ()},
        barred={1: (24,)},
        acts=[Act(0, ("1WW", "441"), decisions, ended=True)],
        looks={"stack.0": [22, 23], "face_down.30": True, "player": 1},
    )


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (GherkinStep("given", "Ann sings"), "no step of the form 'Ann sings'"),
        (GherkinStep("when", "Ann rolls"), "no step of the form 'Ann rolls'"),
        (GherkinStep("when", "Ann stops"), "Ann has set nothing aside"),
        (GherkinStep("when", "Ann rolls", (("dice", "keeps"),)), "columns dice, sets aside"),
        (GherkinStep("then", "it is Zoe's turn"), "Nothing is told of Zoe"),
    ],
)
def test_a_step_that_tells_nothing_is_named(step: GherkinStep, told: str) -> None:
    """A step of no form, or that does not fit what was told, is an error that says so."""
    with pytest.raises(UnknownStep, match=told):
        scene_of([step])


def test_the_reference_passes_every_case_that_holds() -> None:
    """What does not hold is not applicable, and nothing else comes."""
    found = list(run(under_test(ReferenceEngine(EDITION)), Wanted()))
    holding = {one.id for one in feature_cases() if one.holds(EDITION.rulings)}
    assert {one.id for one in found if one.verdict is Verdict.PASS} == holding
    assert {one.verdict for one in found} == {Verdict.PASS, Verdict.NOT_APPLICABLE}


def test_an_outline_is_asked_with_all_its_rows() -> None:
    """The id of an outline stands for its rows, that of a row for itself."""
    engine = under_test(ReferenceEngine(EDITION))
    whole = run(engine, Wanted(only=frozenset(["setup/start-grill"])))
    one = run(engine, Wanted(only=frozenset(["setup/start-grill/3"])))
    assert [found.id for found in whole] == [f"setup/start-grill/{row}" for row in range(2, 8)]
    assert [found.id for found in one] == ["setup/start-grill/3"]


def test_what_a_failed_probe_poisons_is_not_asked() -> None:
    """A scenario of the probe's own rules is asked all the same."""
    engine = under_test(ReferenceEngine(EDITION))
    dice = [probe for probe in PROBES if probe.name == "eight-dice-settle"]
    found = {one.id: one for one in run(engine, Wanted(failed=tuple(dice)))}
    assert found["rolling/eight-dice-claim"].verdict is Verdict.PASS
    other = found["rolling/down-to-the-last-die"]
    assert other.verdict is Verdict.NOT_REACHED
    assert "the probe eight-dice-settle fails" in other.reason
    assert other.exchanges == ()


class Lacking(ReferenceEngine):
    """The reference without some of its capabilities."""

    lacks: tuple[str, ...] = ()

    def hello(self):
        """Say no more than is true."""
        told = super().hello()
        told["capabilities"] = [one for one in told["capabilities"] if one not in self.lacks]
        return told


class Gives(Lacking):
    """Hands out every tile that is claimed, and can't refuse."""

    lacks = ("refuse",)

    def turn(self, table, rolls, decisions):
        """Put the tile on the stack where a rule forbids it."""
        try:
            return super().turn(table, rolls, decisions)
        except Refused:
            tile = (decisions[-1].get("claim") or {}).get("take")
            stacks = [list(stack) for stack in table["stacks"]]
            if tile in table["grill"]:
                stacks[table["player"]].append(tile)
            grill = [one for one in table["grill"] if one != tile]
            return {"table": {"grill": grill, "stacks": stacks}}


class TakesAnother(Gives):
    """Hands out the forbidden tile although it chooses its claims itself, and can refuse."""

    lacks = ("choose-claim",)


class Fails(Lacking):
    """Lets the turn fail where a rule forbids the claim."""

    lacks = ("refuse",)

    def turn(self, table, rolls, decisions):
        """Leave the table as it was."""
        try:
            return super().turn(table, rolls, decisions)
        except Refused:
            return {"table": table}


class Crashes(Lacking):
    """Falls over whatever a rule forbids, which it does not claim to refuse."""

    lacks = ("refuse",)

    def turn(self, table, rolls, decisions):
        """Raise what is nobody's refusal."""
        try:
            return super().turn(table, rolls, decisions)
        except Refused:
            raise ValueError("illegal") from None


FORBIDDEN = "claiming/no-higher-tile"


@pytest.mark.parametrize("engine", [Gives, TakesAnother])
def test_a_forbidden_tile_that_is_handed_out_departs(engine: type[Lacking]) -> None:
    """Whether the engine claims to refuse or not, it must not give the tile."""
    found = judged(engine(EDITION), FORBIDDEN)
    (claim,) = (act.last.claim for act in scene_of(case(FORBIDDEN).steps).acts)
    assert found.verdict is Verdict.FAIL
    assert found.differences == (Difference("stack.0", [], [claim.tile]),)


@pytest.mark.parametrize("engine", [Fails, Crashes])
def test_a_forbidden_tile_that_is_not_given_proves_nothing(engine: type[Lacking]) -> None:
    """Without `refuse` nobody knows whether it was refused: that is not supported."""
    found = judged(engine(EDITION), FORBIDDEN)
    assert (found.verdict, found.differences) == (Verdict.UNSUPPORTED, ())
    assert found.reason == "the engine has no capability 'refuse'"
    assert [set(one.answer) for one in found.exchanges] in ([{"result"}], [{"error"}])


def test_what_can_t_be_given_is_not_asked_of_an_engine_that_does_not_refuse() -> None:
    """A forbidden roll hands out nothing, whatever comes."""
    found = judged(Fails(EDITION), "rolling/worm-twice")
    assert (found.verdict, found.exchanges) == (Verdict.UNSUPPORTED, ())


class TellsNoPlayer(ReferenceEngine):
    """Does not say whose turn it is, nor whether the game is over."""

    def turn(self, table, rolls, decisions):
        """Tell the table only."""
        table = super().turn(table, rolls, decisions)["table"]
        return {"table": {"grill": table["grill"], "stacks": table["stacks"]}}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("setup/two-players-take-turns", "the engine does not tell whose turn it is"),
        ("ending/one-tile-left", "the engine does not tell whether the game is over"),
    ],
)
def test_what_is_not_told_is_not_supported(name: str, reason: str) -> None:
    """What a step looks at, and an engine leaves out, is told in a clause."""
    found = judged(TellsNoPlayer(EDITION), name)
    assert (found.verdict, found.reason) == (Verdict.UNSUPPORTED, reason)


def test_a_departure_outweighs_what_is_not_told() -> None:
    """A scenario that looks at two things fails if one of them is wrong and one left out."""
    one = case("setup/two-players-take-turns")
    scene = scene_of(one.steps)
    scene.looks["grill"] = [21]
    found = judge_scene(under_test(TellsNoPlayer(EDITION)), one, scene)
    assert found.verdict is Verdict.FAIL
    assert [difference.part for difference in found.differences] == ["grill"]


class ScoresTooMany(ReferenceEngine):
    """Counts worms for one player more than there are, or lets nobody win that is there."""

    def score(self, stacks):
        """Add a player."""
        return {"worms": [*super().score(stacks)["worms"], 0], "winners": None}


def test_worms_of_a_player_who_is_not_there_depart() -> None:
    """Though the scenario looks at those of others only."""
    found = judged(ScoresTooMany(EDITION), "setup/worms-on-a-tile/36")
    assert (found.verdict, found.differences[0].part) == (Verdict.FAIL, "worms")


def test_what_nobody_settles_is_no_failure() -> None:
    """A departure from an unsettled case is told as unsettled."""
    (one, *_) = (one for one in feature_cases() if one.unsettled)
    scene = scene_of(one.steps)
    scene.looks = {"grill": [21], "winners": [5]}
    engine = under_test(ReferenceEngine(EDITION))
    assert judge_scene(engine, one, scene).verdict is Verdict.UNSETTLED


def test_the_players_are_told_by_the_names_of_the_scenario() -> None:
    """An outcome knows who sits where."""
    found = judged(ReferenceEngine(EDITION), "stealing/third-player-may-steal")
    assert found.players == ("Ann", "Cas", "Bob")
