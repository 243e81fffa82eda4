"""Cases are told as scenarios: in the steps of the features, and true on the reference."""

import pytest

from pickomino_conformance.cases import Exchange, Outcome, Verdict, exchange, refusals
from pickomino_conformance.cases.features import judge_case
from pickomino_conformance.cases.gherkin import feature_cases, feature_scenarios, read_feature
from pickomino_conformance.cases.steps import scene_of, steps_of, tiles
from pickomino_conformance.cases.writing import Untold, scenario
from pickomino_conformance.compare import compare
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.conversation import Conversation, Reply
from pickomino_conformance.protocol.messages import (
    MISFIT,
    ErrorMessage,
    StepMessage,
    TableMessage,
    TurnResult,
)
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import Ask, Scoring, Start, complement
from pickomino_conformance.protocol.wire import InProcess
from pickomino_conformance.words import NAMES, spans
from pickomino_reference import (
    BASE,
    Claim,
    Decision,
    Edition,
    Position,
    Rulings,
    Script,
    Steal,
    Table,
    Take,
    find_edition,
)
from pickomino_reference.table import Turn

RULEBOOK = Rulings()
BARRED = find_edition("zoch-2005+no-steal-back").rulings


def table(grill, *stacks: tuple[int, ...], player: int = 0, barred=None) -> Table:
    """Return a table; tiles named nowhere lie face down."""
    shown = tuple(grill)
    down = complement(BASE, [*shown, *(tile for own in stacks for tile in own)])
    return Table(shown, down, stacks, player, barred or ((),) * len(stacks))


def turn(before: Table, *rows: tuple[str, str], claim: Claim | None = None) -> Script:
    """Return a turn; a row without a face is a dead roll.

    It ends by a stop with the claim, if there is one; else the last decision is to roll on.
    """
    decisions = [Decision(face, "roll") for _, face in rows if face]
    if claim:
        decisions[-1] = Decision(decisions[-1].keep, "stop", claim)
    return Script(before, tuple(roll for roll, _ in rows), tuple(decisions))


def result(grill, *stacks: list[int], **more) -> TurnResult:
    """Return the answer of an engine to a turn."""
    return TurnResult(TableMessage(list(grill), list(stacks)), **more)


def failed(
    case: str, rule: str, ask: Ask, reply: Reply | None = None, rulings: Rulings = RULEBOOK
) -> Outcome:
    """Return a case that failed by this reply; one that was not answered has erred."""
    told = exchange(ask, reply, rulings)
    level = case.partition("/")[0]
    found = () if reply is None else compare(ask, reply, rulings)
    verdict = Verdict.FAIL if found else Verdict.ERROR
    return Outcome(case, level, (rule,), verdict, found, "", (told,))


def in_process(rulings: Rulings) -> EngineUnderTest:
    """Return the reference, playing and judged by these rulings in this process."""
    reference = ReferenceEngine(Edition("", "", rulings))
    return EngineUnderTest(Conversation(lambda: InProcess(reference)), rulings)


EMPTY_HANDED = turn(
    table(range(21, 37), (), ()), ("1223345W", "W"), ("123445W", "2"), ("222WWW", "")
)
TURNED = result(range(21, 36), [], [])
STEAL = turn(table([22], (), (25, 23)), ("11234WWW", "W"), ("12344", "4"), claim=Steal(1))
STEAL_OF_A_COVERED = turn(
    table([22], (), (23, 25)), ("11234WWW", "W"), ("12344", "4"), claim=Steal(1)
)
SIX_FACES = turn(
    table([25, 36], (), ()),
    *zip(["1223345W", "123345W", "12345W", "1245W", "155W", "1W"], "12345W", strict=True),
)
ROLL_ON_BEFORE_CHOOSING = Script(
    table([21], (), (), player=1), ("1123WWW5",), (Decision(None, "roll"),)
)
NOT_STOLEN_BACK = Script(
    table([22], (), (25, 23), barred=((23,), ())),
    ("11234WWW", "12344"),
    (Decision("W", "roll"), Decision("4", "stop", Take(22))),
)
EVERY_KIND = {
    "steal": ("stealing.exact", STEAL),
    "covered": ("stealing.top-only", STEAL_OF_A_COVERED),
    "six-faces": ("rolling.forced-end", SIX_FACES),
    "too-early": ("rolling.choose-a-face", ROLL_ON_BEFORE_CHOOSING),
    "start": ("setup.tiles", Start(7)),
    "lonely": ("setup.players", Start(1)),
    "worms": ("ending.worms-win", Scoring(((36,), (24, 25), ()))),
    "empty": ("failing.nothing-returned", EMPTY_HANDED),
}


def test_a_failure_is_told_as_a_scenario() -> None:
    """Table, rolls, what departed, the rule, and the ruling value on which the outcome hangs."""
    told = scenario(failed("games/7-3", "failing.nothing-returned", EMPTY_HANDED, TURNED), RULEBOOK)
    tags, title, *steps = told.splitlines()
    assert tags == "@failing.nothing-returned @flip-without-return=no @case=games-7-3"
    assert title.startswith("Scenario: ")
    assert title.endswith("(games/7-3)")
    assert steps == [
        "  Given the grill shows 21 to 36",
        "  And Ann owns nothing",
        "  And Bob owns nothing",
        "  When Ann rolls",
        "    | dice            | sets aside |",
        "    | 1 2 2 3 3 4 5 W | W          |",
        "    | 1 2 3 4 4 5 W   | 2          |",
        "    | 2 2 2 W W W     | -          |",
        "  Then the grill shows 21 to 36",
    ]


def test_a_scenario_of_the_features_is_told_as_it_stands_there() -> None:
    """Its own tags, title and words are used, not made anew."""
    told = scenario(Outcome("failing/question-21", "features", (), Verdict.FAIL), RULEBOOK)
    assert told.startswith("@failing.returned-highest @flip-after-return=unless-highest ")
    assert "Scenario: A 30 comes back beside a last 22\n" in told
    assert told.endswith("  Then the grill shows 22 30\n")


def test_a_row_of_an_outline_is_told_with_its_outline() -> None:
    """What is pasted is the whole outline, with all its examples."""
    told = scenario(Outcome("setup/worms-on-a-tile/36", "features", (), Verdict.FAIL), RULEBOOK)
    assert "\nScenario Outline: Every tile bears its number of worms\n" in told
    assert told.count("\n    | ") == 17


def test_what_has_no_steps_is_no_scenario() -> None:
    """A question for legal moves can't be told in the words of the features."""
    asked = Position(table([21], (), ()), Turn("W"))
    with pytest.raises(Untold):
        scenario(failed("games/1", "claiming.exact", asked), RULEBOOK)


def test_what_is_no_request_of_the_game_is_no_scenario() -> None:
    """A request without its table tells nothing."""
    asked = Exchange("turn", {"table": None, "rolls": [], "decisions": []})
    with pytest.raises(Untold):
        scenario(
            Outcome("games/1", "games", ("rolling.all-dice",), Verdict.ERROR, exchanges=(asked,)),
            RULEBOOK,
        )


@pytest.mark.parametrize(
    "account",
    [{"rolls_used": 2}, {"trace": [StepMessage("W", 7, 6), StepMessage("2W", 6, 7)]}],
)
def test_what_no_step_looks_at_is_no_scenario(account) -> None:
    """An engine that counts rolls or dice wrongly, and does all else rightly, shows it nowhere."""
    reply = result(range(21, 37), [], [], **account)
    with pytest.raises(Untold):
        scenario(failed("games/1", "rolling.forced-end", EMPTY_HANDED, reply), RULEBOOK)


def test_a_dead_roll_after_a_stop_is_left_out() -> None:
    """An engine may have asked for it at six faces; the rules do not."""
    *rest, last = SIX_FACES.decisions
    dead = SIX_FACES._replace(
        table=table([36], (), ()),
        rolls=(*SIX_FACES.rolls, "44"),
        decisions=(*rest, last._replace(then="stop")),
    )
    told = scenario(failed("tables/1", "rolling.forced-end", dead), RULEBOOK)
    assert "    | 1 W             | W          |\n  Then the grill shows 36\n" in told


@pytest.mark.parametrize(
    ("asked", "values"),
    [
        (turn(table([22, 30, 36], (25,), ()), ("1223345W", "W"), ("123445W", "2"), ("222WWW", "")),
         {f"flip-after-return={one}" for one in ("unless-highest", "always", "before-return")}),
        (Scoring(((36,), (25,))), set()),
        (Scoring(((33,), (21, 22, 23, 24))), {"tie-break=highest-tile"}),
        (turn(table(range(21, 37), (), ()), ("11234WWW", "W"), ("12344", "4"), claim=Take(22)),
         {"lower-tile=next", "lower-tile=any-if-exact-gone"}),
    ],
)  # fmt: skip
def test_a_scenario_bears_the_rulings_that_it_needs(asked: Ask, values: set[str]) -> None:
    """A value is named if another one of its ruling would give another outcome."""
    told = scenario(failed("games/1", "failing.flip-highest", asked), RULEBOOK)
    tags = told.splitlines()[0].replace("@", "").split()
    assert {tag for tag in tags if "=" in tag and not tag.startswith("case=")} == values


@pytest.mark.parametrize("name", EVERY_KIND)
def test_every_kind_of_failure_holds_on_the_reference_once_it_is_pasted(name: str) -> None:
    """Turns, steals, refusals, a start and a score are all told in steps that there are."""
    rule, asked = EVERY_KIND[name]
    pasted = scenario(failed(f"games/{name}", rule, asked), RULEBOOK)
    (case,) = read_feature(f"Feature: Pasted\n{pasted}", "failing")[0].cases
    assert (case.id, case.rules) == (f"failing/games-{name}", (rule,))
    assert judge_case(in_process(RULEBOOK), case).verdict is Verdict.PASS


def test_a_barred_tile_is_told() -> None:
    """That it was just stolen stands in the scenario, which holds with its ruling only."""
    pasted = scenario(
        failed("games/barred", "stealing.steal-back", NOT_STOLEN_BACK, rulings=BARRED), BARRED
    )
    assert "  And the 23 was just stolen from Ann\n" in pasted
    (case,) = read_feature(f"Feature: Pasted\n{pasted}", "failing")[0].cases
    assert judge_case(in_process(BARRED), case).verdict is Verdict.PASS


def test_the_scenario_of_a_forbidden_move_says_that_it_is_refused() -> None:
    """The illegal move is in it, whatever it is; only for a steal before choosing is no step."""
    accepts = ErrorMessage(MISFIT)
    untold = set()
    for rulings in (RULEBOOK, BARRED, find_edition("sheet-004").rulings):
        for case in refusals.cases(rulings):
            try:
                told = scenario(failed(case.id, case.rule, case.script, accepts, rulings), rulings)
            except Untold:
                untold.add(case.id.split("/")[1])
            else:
                assert told.splitlines()[-1] == "  Then this is refused"
    assert untold == {"steal-before-choosing"}


def test_what_a_refusal_has_changed_is_no_scenario() -> None:
    """The turn after it shows it, with the table left to the engine; no step can tell that."""
    before = exchange(STEAL_OF_A_COVERED, due(STEAL_OF_A_COVERED, RULEBOOK).reply, RULEBOOK)
    after = exchange(EMPTY_HANDED, TURNED, RULEBOOK, goes_on=True)
    found = compare(EMPTY_HANDED, TURNED, RULEBOOK)
    outcome = Outcome(
        "refusals/1", "refusals", ("stealing.exact",), Verdict.FAIL, found, "", (before, after)
    )
    with pytest.raises(Untold):
        scenario(outcome, RULEBOOK)


def test_what_follows_is_not_what_is_judged() -> None:
    """A case may end with a right turn, which shows that the engine goes on as before."""
    wrong = exchange(EMPTY_HANDED, TURNED, RULEBOOK)
    right = exchange(STEAL, due(STEAL, RULEBOOK).reply, RULEBOOK)
    found = compare(EMPTY_HANDED, TURNED, RULEBOOK)
    rule = "failing.nothing-returned"
    told = scenario(
        Outcome("refusals/1", "refusals", (rule,), Verdict.FAIL, found, "", (wrong, right), 0),
        RULEBOOK,
    )
    assert told.endswith("  Then the grill shows 21 to 36\n")


def test_a_scene_is_written_in_the_steps_that_told_it() -> None:
    """Reading and writing are one table; only how the tiles of a stack are joined is free."""
    for case in feature_cases():
        scene = scene_of(case.steps)
        again = steps_of(scene)
        assert scene_of(again) == scene
        assert [step for step in again if " owns " not in step.text] == [
            step for step in case.steps if " owns " not in step.text
        ]


def test_the_sources_of_a_feature_are_its_file() -> None:
    """Every line of every scenario is in its source, and only there."""
    for one in feature_scenarios():
        assert one.source.splitlines()[0].startswith("@")
        assert one.source.count("Scenario") == 1
        assert f": {one.title}\n" in one.source


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("nothing", ()),
        ("21", (21,)),
        ("21 22", (21, 22)),
        ("21 to 23 36", (21, 22, 23, 36)),
        ("21 23 25 to 36", (21, 23, *range(25, 37))),
    ],
)
def test_tiles_are_read_and_written(text: str, numbers: tuple[int, ...]) -> None:
    """Runs of three and more are joined."""
    assert tiles(text) == numbers
    assert spans(numbers) == text


def test_there_is_a_name_for_every_player() -> None:
    """As many names as can play."""
    assert len(set(NAMES)) == BASE.players[1]
