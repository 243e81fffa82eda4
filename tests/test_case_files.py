"""Case files, replay, and failures as scenarios: a failure can be taken away and asked again."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

import pickomino_conformance.suite
from pickomino_conformance import Refused, case_files
from pickomino_conformance.case_files import CaseFile, Folder, Unreadable, file_name
from pickomino_conformance.cases import Exchange, Outcome, Script, Verdict, exchange
from pickomino_conformance.check import Plan, run
from pickomino_conformance.engines.found import Found, find, of_command
from pickomino_conformance.engines.pipe import Broken
from pickomino_conformance.engines.reference import ReferenceEngine
from pickomino_conformance.engines.session import Engine, InProcess, program
from pickomino_conformance.faults import Fault, faults_against, find_fault
from pickomino_conformance.faults.engine import FaultyEngine
from pickomino_conformance.levels import refusals
from pickomino_conformance.levels.features import Run
from pickomino_conformance.main import app
from pickomino_conformance.protocol import ClaimMessage, Decision, ScoreParams, StartParams
from pickomino_conformance.replay import Replayed, exit_status, replay
from pickomino_conformance.scenarios import Untold, scenario
from pickomino_conformance.subject import Subject
from pickomino_reference import Edition, Rulings, Table, find_edition, ruling_values

HERE = Path(__file__).parent
RULEBOOK = Rulings()
ALL = set(range(21, 37))


def served(*arguments: str) -> Found:
    """Return the reference as a program with these arguments."""
    return of_command([sys.executable, "-m", "pickomino_conformance.main", "serve", *arguments])


def ours(engine: str) -> Found:
    """Return one of our engines that can do less."""
    return find(f"{HERE}/engines_of_ours.py:{engine}")


def table(grill: Iterable[int], *stacks: tuple[int, ...], player: int = 0, barred=None) -> Table:
    """Return a table; tiles named nowhere lie face down."""
    shown = tuple(grill)
    down = tuple(sorted(ALL.difference(shown, *stacks)))
    return Table(shown, down, stacks, player, barred or ((),) * len(stacks))


def turn(before: Table, *rows: tuple[str, str], claim: ClaimMessage | None = None) -> Exchange:
    """Return the request for a turn; a row without a face is a dead roll.

    It ends by a stop with the claim, if there is one; else the last decision is to roll on.
    """
    decisions = [Decision(keep=face, then="roll") for _, face in rows if face]
    if claim:
        decisions[-1] = Decision(keep=decisions[-1].keep, then="stop", claim=claim)
    script = Script(before, tuple(roll for roll, _ in rows), tuple(decisions))
    return exchange(script.params(RULEBOOK))


def answered(asked: Exchange, grill: list[int], *stacks: list[int], **more) -> Exchange:
    """Return a request with the table that came."""
    result = {"table": {"grill": grill, "stacks": list(stacks)}, **more}
    return msgspec.structs.replace(asked, answer={"result": result})


def failed(case: str, rule: str, *exchanges: Exchange) -> Outcome:
    """Return a case that failed."""
    return Outcome(case, case.partition("/")[0], (rule,), Verdict.FAIL, "…", exchanges)


EMPTY_HANDED = answered(
    turn(table(range(21, 37), (), ()), ("1223345W", "W"), ("123445W", "2"), ("222WWW", "")),
    list(range(21, 36)),
    [],
    [],
)


def test_a_failure_is_told_as_a_scenario() -> None:
    """Table, rolls, what departed, the rule, and the ruling value on which the outcome hangs."""
    told = scenario(failed("games/7-3", "failing.nothing-returned", EMPTY_HANDED), RULEBOOK)
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
    told = scenario(failed("failing/question-21", "failing.returned-highest"), RULEBOOK)
    assert told.startswith("@failing.returned-highest @flip-after-return=unless-highest ")
    assert "Scenario: A 30 comes back beside a last 22\n" in told
    assert told.endswith("  Then the grill shows 22 30\n")


def test_what_has_no_steps_is_no_scenario() -> None:
    """A question for legal moves can't be told in the words of the features."""
    asked = Exchange("legal", {"table": None, "kept": "W", "roll": None})
    with pytest.raises(Untold):
        scenario(failed("games/1", "claiming.exact", asked), RULEBOOK)


def test_what_no_step_looks_at_is_no_scenario() -> None:
    """An engine that counts its rolls wrongly, and does all else rightly, shows it to no step."""
    right = answered(EMPTY_HANDED, list(range(21, 37)), [], [], rolls_used=2)
    with pytest.raises(Untold):
        scenario(failed("games/1", "rolling.forced-end", right), RULEBOOK)


def test_a_dead_roll_after_a_stop_is_left_out() -> None:
    """An engine may have asked for it at six faces; the rules do not."""
    dead = msgspec.structs.replace(SIX_FACES, params=json.loads(json.dumps(SIX_FACES.params)))
    dead.params["rolls"].append("44")
    dead.params["decisions"][-1]["then"] = "stop"
    dead.params["table"] |= {"grill": [36], "face_down": [*range(21, 36)]}
    told = scenario(failed("tables/1", "rolling.forced-end", dead), RULEBOOK)
    assert "    | 1 W             | W          |\n  Then the grill shows 36\n" in told


@pytest.mark.parametrize(
    ("asked", "values"),
    [
        (turn(table([22, 30, 36], (25,), ()), ("1223345W", "W"), ("123445W", "2"), ("222WWW", "")),
         {f"flip-after-return={one}" for one in ("unless-highest", "always", "before-return")}),
        (exchange(ScoreParams([[36], [25]])), set()),
        (exchange(ScoreParams([[33], [21, 22, 23, 24]])), {"tie-break=highest-tile"}),
        (turn(table(range(21, 37), (), ()), ("11234WWW", "W"), ("12344", "4"),
              claim=ClaimMessage(take=22)), {"lower-tile=next", "lower-tile=any-if-exact-gone"}),
    ],
)  # fmt: skip
def test_a_scenario_bears_the_rulings_that_it_needs(asked: Exchange, values: set[str]) -> None:
    """A value is named if another one of its ruling would give another outcome."""
    told = scenario(failed("games/1", "failing.flip-highest", asked), RULEBOOK)
    tags = told.splitlines()[0].replace("@", "").split()
    assert {tag for tag in tags if "=" in tag and not tag.startswith("case=")} == values


STEAL = turn(
    table([22], (), (25, 23)), ("11234WWW", "W"), ("12344", "4"), claim=ClaimMessage(steal=1)
)
STEAL_OF_A_COVERED = turn(
    table([22], (), (23, 25)), ("11234WWW", "W"), ("12344", "4"), claim=ClaimMessage(steal=1)
)
SIX_FACES = turn(
    table([25, 36], (), ()),
    *zip(["1223345W", "123345W", "12345W", "1245W", "155W", "1W"], "12345W", strict=True),
)
ROLL_ON_BEFORE_CHOOSING = Exchange(
    "turn",
    {
        "table": {"grill": [21], "stacks": [[], []], "player": 1},
        "rolls": ["1123WWW5"],
        "decisions": [{"keep": None, "then": "roll"}],
    },
)
BARRED = exchange(
    Script(
        table([22], (), (25, 23), barred=((23,), ())),
        ("11234WWW", "12344"),
        (Decision("W", "roll"), Decision("4", "stop", ClaimMessage(take=22))),
    ).params(Rulings(steal_back="barred"))  # type: ignore[arg-type]
)
EVERY_KIND = [
    failed("games/steal", "stealing.exact", STEAL),
    failed("games/covered", "stealing.top-only", STEAL_OF_A_COVERED),
    failed("games/six-faces", "rolling.forced-end", SIX_FACES),
    failed("games/too-early", "rolling.choose-a-face", ROLL_ON_BEFORE_CHOOSING),
    failed("games/start", "setup.tiles", exchange(StartParams(7))),
    failed("games/lonely", "setup.players", exchange(StartParams(1))),
    failed("games/worms", "ending.worms-win", exchange(ScoreParams([[36], [24, 25], []]))),
    failed("games/empty", "failing.nothing-returned", EMPTY_HANDED),
]


OURS = "data.features_dir = lambda: Path({folder!r})\n"


def paste(told: Iterable[str], folder: Path) -> None:
    """Paste scenarios into a feature file of a suite of their own."""
    suite = folder / "suite"
    shutil.copytree(Path(pickomino_conformance.suite.__path__[0]), suite)
    for test in suite.glob("test_*.py"):
        test.unlink()
    # Our tags are read in our features only: these count as such.
    conftest = suite / "conftest.py"
    features = f"from pathlib import Path\nfrom pickomino_conformance import data\n\n{OURS}"
    conftest.write_text(features.format(folder=str(folder)) + conftest.read_text())
    indented = "\n".join("  " + line for text in told for line in [*text.splitlines(), ""])
    (folder / "pasted.feature").write_text(f"Feature: Pasted\n\n{indented}")
    (suite / "test_failing.py").write_text(
        f"from pytest_bdd import scenarios\n\nscenarios({str(folder / 'pasted.feature')!r})\n"
    )


def verdicts(folder: Path, engine: str, edition: Edition) -> dict[str, str]:
    """Run the pasted scenarios on an engine, and return their verdicts by case."""
    results = folder / "results.jsonl"
    results.unlink(missing_ok=True)
    suite = folder / "suite"
    *command, _ = Run(engine, edition.rulings).arguments(results)
    command[command.index("-c") + 1] = str(suite / "pytest.ini")
    command[command.index("--rootdir") + 1] = str(suite)
    done = subprocess.run(
        [*command, str(suite)],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert results.exists(), done.stdout + done.stderr
    lines = map(json.loads, results.read_text().splitlines())
    return {line["id"]: line["verdict"] for line in lines if line["type"] == "case"}


def test_every_kind_of_failure_can_be_pasted_and_holds_on_the_reference(tmp_path: Path) -> None:
    """Turns, steals, refusals, a start and a score are all told in steps that there are."""
    barred = find_edition("zoch-2005+no-steal-back")
    told = [scenario(outcome, RULEBOOK) for outcome in EVERY_KIND]
    told.append(scenario(failed("games/barred", "stealing.steal-back", BARRED), barred.rulings))
    paste(told, tmp_path)
    found = verdicts(tmp_path, "reference", barred)
    assert found == {
        f"failing/{one}": "pass"
        for one in (
            "games-steal", "games-covered", "games-six-faces", "games-too-early", "games-start",
            "games-lonely", "games-worms", "games-empty", "games-barred",
        )
    }  # fmt: skip


@pytest.fixture(scope="module")
def departed(tmp_path_factory: pytest.TempPathFactory) -> list[CaseFile]:
    """The case files of an engine that plays sheet-001, judged by the rulebook."""
    folder = tmp_path_factory.mktemp("cases")
    (folder / "mine.txt").write_text("left alone")
    engine = served("--edition", "sheet-001")
    run(Plan(engine, find_edition(), levels=("features",), case_folder=folder))
    assert (folder / "mine.txt").read_text() == "left alone"
    return [case_files.read(path) for path in case_files.find(folder)]


def test_every_failure_becomes_a_case_file(departed: list[CaseFile]) -> None:
    """Each has its rules, its rulings, what was asked and what came."""
    assert {rule for case in departed for rule in case.rules} == {
        "rolling.stop-freely",
        "failing.returned-highest",
        "failing.nothing-returned",
    }
    assert {case.engine for case in departed} == {"reference, sheet-001"}
    assert [case.rulings for case in departed] == [ruling_values(RULEBOOK)] * len(departed)
    assert all(one.answer for case in departed for one in case.exchanges)


def test_a_pasted_failure_fails_where_it_failed_and_holds_on_the_reference(
    departed: list[CaseFile], tmp_path: Path
) -> None:
    """The scenarios made of failures tell the broken engine from the reference."""
    renamed = [failed(f"games/{case.id}", case.rules[0], *case.exchanges) for case in departed]
    paste([scenario(outcome, RULEBOOK) for outcome in renamed], tmp_path)
    right = verdicts(tmp_path, "reference", find_edition())
    wrong = verdicts(tmp_path, served("--edition", "sheet-001").option, find_edition())
    assert len(right) == len(departed)
    assert set(right.values()) == {"pass"}
    assert wrong == dict.fromkeys(right, "fail")


def in_process(edition: str = "zoch-2005") -> Engine:
    """Return the reference, fixed to an edition, in this process."""
    return Engine(lambda: InProcess(ReferenceEngine(find_edition(edition))))


def test_a_replayed_failure_departs_by_the_same_answer(departed: list[CaseFile]) -> None:
    """Every case departs again on the engine that it came from."""
    found = [replay(case, case.judged_by(), in_process("sheet-001")) for case in departed]
    assert {(one.verdict, one.same_answer) for one in found} == {(Verdict.FAIL, True)}
    assert all("Expected: " in one.message and "Came: " in one.message for one in found)


def test_a_replayed_failure_passes_on_a_right_engine(departed: list[CaseFile]) -> None:
    """Every case passes on the reference, by another answer."""
    found = [replay(case, case.judged_by(), in_process()) for case in departed]
    assert {(one.verdict, one.same_answer) for one in found} == {(Verdict.PASS, False)}


def test_a_case_can_be_judged_by_another_edition(departed: list[CaseFile]) -> None:
    """By the edition that it plays the engine is right."""
    sheet = find_edition("sheet-001").rulings
    found = {replay(case, sheet, in_process("sheet-001")).verdict for case in departed}
    assert found == {Verdict.PASS}


def case_of(*exchanges: Exchange) -> CaseFile:
    """Return a case of these requests."""
    return CaseFile("games/1", exchanges=exchanges)


def test_an_engine_without_set_table_is_played_to_the_case() -> None:
    """A case on the first table is replayed through the start of a game."""
    with Engine(program(ours("StartsOnly").command, 5)) as engine:
        assert replay(case_of(EMPTY_HANDED), RULEBOOK, engine).verdict is Verdict.PASS


@pytest.mark.parametrize("engine", ["ChoosesItself", "PrefersTheGrill"])
def test_an_engine_that_chooses_its_claims_passes_with_any_legal_one(engine: str) -> None:
    """The scripted steal and the lower tile are both right."""
    with Engine(program(ours(engine).command, 5)) as other:
        assert replay(case_of(STEAL), RULEBOOK, other).verdict is Verdict.PASS
        assert replay(case_of(STEAL_OF_A_COVERED), RULEBOOK, other).verdict is Verdict.UNSUPPORTED


def test_what_an_engine_lacks_is_no_departure() -> None:
    """Without the capability a case is unsupported, and nothing can be said of it."""
    with Engine(program(ours("TellsLittle").command, 5)) as engine:
        found = [replay(case_of(one.exchanges[-1]), RULEBOOK, engine) for one in EVERY_KIND]
    told = [one.verdict for one in found]
    assert told == [
        Verdict.PASS, Verdict.UNSUPPORTED, Verdict.UNSUPPORTED, Verdict.UNSUPPORTED,
        Verdict.UNSUPPORTED, Verdict.UNSUPPORTED, Verdict.UNSUPPORTED, Verdict.PASS,
    ]  # fmt: skip


def test_turns_that_belong_together_are_asked_together() -> None:
    """A second turn goes on with the table that the engine answers to the first."""
    first = turn(
        table(range(21, 37), (), ()), ("11234WWW", "W"), ("12344", "4"), claim=ClaimMessage(take=23)
    )
    owned = table((21, 22, *range(24, 37)), (23,), (), player=1)
    second = turn(owned, ("11234WWW", "W"), ("12344", "4"), claim=ClaimMessage(steal=0))
    second = msgspec.structs.replace(second, goes_on=True)
    with Engine(program(ours("StartsOnly").command, 5)) as engine:
        found = replay(case_of(exchange(StartParams(2)), first, second), RULEBOOK, engine)
    assert (found.verdict, found.message) == (Verdict.PASS, "")


def test_what_follows_a_departure_is_not_what_is_judged() -> None:
    """A case may end with a right turn, which shows that the engine goes on as before."""
    wrong = EMPTY_HANDED
    right = turn(table([22], (), (25, 23)), ("11234WWW", "W"), ("12344", "4"))
    right.params["decisions"][-1] |= {"then": "stop", "claim": {"steal": 1}}
    right = answered(right, [22], [23], [25])
    case = CaseFile("refusals/1", exchanges=(wrong, right))
    engine = in_process("sheet-000")
    found = replay(case, RULEBOOK, engine)
    assert (found.verdict, found.same_answer) == (Verdict.FAIL, False)
    assert "rolls 2 2 2 W W W" in found.told
    told = scenario(failed("refusals/1", "failing.nothing-returned", wrong, right), RULEBOOK)
    assert "  Then the grill shows 21 to 36\n" in told


def refused_cases(engine: Engine, verdict: Verdict = Verdict.FAIL) -> list[Outcome]:
    """Return the cases of an engine in level refusals that came to a verdict."""
    with engine:
        outcomes = list(refusals.run(Subject(engine, RULEBOOK)))
    return [one for one in outcomes if one.verdict is verdict]


def with_fault(fault: Fault) -> Engine:
    """Return the reference with a fault planted, in this process."""
    return Engine(lambda: InProcess(FaultyEngine([fault])))


@pytest.fixture(scope="module")
def accepted() -> list[tuple[Fault, Outcome]]:
    """Every failure in level refusals, of every fault of the catalogue."""
    return [
        (fault, outcome)
        for fault in faults_against(RULEBOOK)
        for outcome in refused_cases(with_fault(fault))
    ]


def test_what_accepts_a_forbidden_move_departs_again(accepted: list[tuple[Fault, Outcome]]) -> None:
    """By the same answer, whatever the fault."""
    came = {
        (fault.name, outcome.id): (again.verdict, again.same_answer)
        for fault, outcome in accepted
        for again in [replay(case_of(*outcome.exchanges), RULEBOOK, with_fault(fault))]
    }
    assert came != {}
    assert came == dict.fromkeys(came, (Verdict.FAIL, True))


def test_the_reference_passes_what_others_accept(accepted: list[tuple[Fault, Outcome]]) -> None:
    """It refuses the forbidden move of every case, by another answer."""
    reference = in_process()
    came = {
        (fault.name, outcome.id): (passed.verdict, passed.message, passed.same_answer)
        for fault, outcome in accepted
        for passed in [replay(case_of(*outcome.exchanges), RULEBOOK, reference)]
    }
    assert came == dict.fromkeys(came, (Verdict.PASS, "", False))


def test_the_scenario_of_a_forbidden_move_says_that_it_is_refused(
    accepted: list[tuple[Fault, Outcome]],
) -> None:
    """The illegal move is in it; only for a steal before choosing there is no step.

    Where it was refused, and the turn after it departs, there are none either.
    """
    untold = set()
    for _, outcome in accepted:
        if "It is refused, as it must be, and then: " in outcome.message:
            continue
        try:
            told = scenario(outcome, RULEBOOK)
        except Untold:
            untold.add(outcome.id.split("/")[1])
        else:
            assert told.splitlines()[-1] == "  Then this is refused"
    assert untold == {"steal-before-choosing"}


def test_faults_accept_what_is_forbidden() -> None:
    """To steal from oneself shows in the three cases that try it, and nowhere else."""
    failures = refused_cases(with_fault(find_fault("one may steal from oneself")))
    assert [one.id for one in failures] == [
        f"refusals/steal-from-oneself/{seats}"
        for seats in ("2-players-seat-0", "3-players-seat-1", "5-players-seat-2")
    ]


class BreaksAtARefusal(InProcess):
    """Breaks down where it must refuse."""

    def receive(self) -> bytes:
        """Return the next line, unless it is a refusal."""
        line = super().receive()
        if b'"code":1' in line:
            raise Broken("it left")
        return line


def test_a_breakdown_at_a_forbidden_move_is_replayed_and_told() -> None:
    """The engine breaks down again at the same turn, and the reference passes."""
    *_, outcome = refused_cases(Engine(lambda: BreaksAtARefusal(ReferenceEngine())), Verdict.ERROR)
    again = replay(
        case_of(*outcome.exchanges),
        RULEBOOK,
        Engine(lambda: BreaksAtARefusal(ReferenceEngine())),
    )
    assert (again.verdict, again.same_answer) == (Verdict.ERROR, True)
    assert replay(case_of(*outcome.exchanges), RULEBOOK, in_process()).verdict is Verdict.PASS
    assert scenario(outcome, RULEBOOK).splitlines()[-1] == "  Then this is refused"


class PassesOnARefusal(ReferenceEngine):
    """Refuses, and takes the turn away all the same."""

    def turn(self, table, rolls, decisions):
        """Move on to the next player before saying no."""
        try:
            return super().turn(table, rolls, decisions)
        except Refused:
            before = self._read(table)
            self._table = before._replace(player=(before.player + 1) % len(before.stacks))
            raise


def test_a_refusal_that_changes_something_departs_again() -> None:
    """The turn after it shows it, with the table left to the engine; no step can tell that."""
    failures = refused_cases(Engine(lambda: InProcess(PassesOnARefusal())))
    outcome = failures[0]
    case = CaseFile(outcome.id, exchanges=outcome.exchanges)
    again = replay(case, RULEBOOK, Engine(lambda: InProcess(PassesOnARefusal())))
    assert (again.verdict, again.same_answer) == (Verdict.FAIL, True)
    assert ". It is refused, and then: " in again.told
    assert replay(case, RULEBOOK, in_process()).verdict is Verdict.PASS
    with pytest.raises(Untold):
        scenario(outcome, RULEBOOK)


def test_a_refusal_is_replayed_where_nothing_can_follow_it() -> None:
    """Without `set-table` the table after a refusal is not known; the refusal itself is judged."""
    (outcome, *_) = refused_cases(with_fault(find_fault("one may steal from oneself")))
    case = CaseFile(outcome.id, exchanges=outcome.exchanges)
    with Engine(program(ours("StartsOnly").command, 5)) as engine:
        assert replay(case, RULEBOOK, engine).verdict is Verdict.PASS


def test_every_exchange_of_a_case_is_judged() -> None:
    """An engine that departs elsewhere in the case than the one before it does not pass."""
    wrong_first = EMPTY_HANDED
    right = turn(
        table([22, 30, 36], (25,), ()), ("1223345W", "W"), ("123445W", "2"), ("222WWW", "")
    )
    right = answered(right, [22, 25, 30], [], [])
    case = CaseFile("games/1", exchanges=(wrong_first, right))
    found = replay(
        case, RULEBOOK, with_fault(find_fault("nothing is turned after a tile was returned"))
    )
    assert (found.verdict, found.same_answer) == (Verdict.FAIL, False)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (exchange(StartParams(1)), "A game for 1 player is set up."),
        (exchange(StartParams(2)), "A game for 2 players is set up."),
    ],
)
def test_a_game_is_told_for_as_many_as_play(asked: Exchange, told: str) -> None:
    """One player is one player."""
    assert replay(case_of(asked), RULEBOOK, in_process()).told == told


def test_winners_are_told_by_their_names() -> None:
    """As a check tells them, not as a list of numbers."""
    case = case_of(exchange(ScoreParams([[33], [21, 22, 23, 24]])))
    found = replay(case, RULEBOOK, in_process("zoch-2005+shared-win"))
    assert found.message == "Expected: won by Ann. Came: won by Ann and Bob."


def test_a_script_that_does_not_fit_the_rulings_is_told() -> None:
    """Under a ruling that the case was not made for nothing is judged."""
    short = turn(table([22], (), ()), ("111222", "1"))
    found = replay(case_of(short), RULEBOOK, in_process())
    assert found.verdict is Verdict.NOT_APPLICABLE
    assert "does not fit" in found.message


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ([Verdict.PASS, Verdict.PASS], 0),
        ([Verdict.PASS, Verdict.FAIL], 1),
        ([Verdict.NOT_REACHED, Verdict.ERROR], 1),
        ([Verdict.PASS, Verdict.UNSUPPORTED], 0),
        ([Verdict.UNSUPPORTED, Verdict.NOT_APPLICABLE], 2),
    ],
)
def test_the_exit_status_of_a_replay(found: list[Verdict], status: int) -> None:
    """0 if all that was judged passes, 1 if something departs or errs, 2 if nothing was judged."""
    assert exit_status([Replayed("games/1", verdict) for verdict in found]) == status


def test_every_case_has_a_file_name_of_its_own() -> None:
    """Whatever its id, a file lies in the folder, is plain, and is nobody else's."""
    ids = [
        "failing/question-21", "failing_question-21", "failing question-21", "turns/1-1.2", "a/b",
        "a.b", "a_b", "../../etc/passwd", "..", ".hidden", "x" * 400, "x" * 401, "tile 36", "é/b",
        "\ud800", "a\nb", "",
    ]  # fmt: skip
    names = [file_name(one) for one in ids]
    assert len(set(names)) == len(ids)
    assert [name for name in names if Path(name).name != name or len(name) > 200] == []
    assert [name for name in names if not name.isascii() or name.startswith(".")] == []
    assert names[0] == "failing_question-21.json"


def test_a_case_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """What was there before stays if the file can't be written; no rest is left."""
    folder = Folder(tmp_path)
    outcome = failed("games/1", "setup.tiles", exchange(StartParams(2)))
    folder.write(outcome, "mine", "zoch-2005", RULEBOOK)
    (tmp_path / "games_2.json").mkdir()
    with pytest.raises(OSError, match="games_2"):
        folder.write(msgspec.structs.replace(outcome, id="games/2"), "mine", "", RULEBOOK)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games_1.json", "games_2.json"]
    assert case_files.read(tmp_path / "games_1.json").exchanges == outcome.exchanges


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no case file"),
        ("{", "is no case file"),
        ("[]", "Expected `object`"),
        ("{}", "missing required field `id`"),
        ('{"id": 7}', "at `$.id`"),
        ('{"id": "a/b", "exchange": []}', "unknown field `exchange`"),
        ('{"id": "a/b", "edition": "zoch-205"}', "Did you mean 'zoch-2005'?"),
        ('{"id": "a/b", "rulings": {"steal-back": "bared"}}', "Did you mean 'barred'?"),
        ('{"id": "a/b", "exchanges": [{"method": "roll", "params": {}}]}', "request 1: there is"),
        ('{"id": "a/b", "exchanges": [{"method": "start", "params": {}}]}', "field `players`"),
        (
            '{"id": "a/b", "exchanges": [{"method": "turn", "params": {"table": {"grill": [37], '
            '"stacks": [[], []]}, "rolls": [], "decisions": []}}]}',
            "tile 37 is not in the box",
        ),
        (
            '{"id": "a/b", "exchanges": [{"method": "turn", "params": {"table": null, '
            '"rolls": [], "decisions": []}}]}',
            "without a table",
        ),
        ("[" * 100000, "is no case file"),
    ],
)
def test_a_bad_case_file_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    """The file, the place in it, what was expected and what came; never a traceback."""
    path = tmp_path / "case.json"
    path.write_text(text)
    with pytest.raises(Unreadable) as unreadable:
        case_files.read(path)
    assert str(path) in str(unreadable.value)
    assert told in str(unreadable.value)


def test_replay_reads_files_and_folders_and_ends_with_the_status(
    departed: list[CaseFile], tmp_path: Path
) -> None:
    """`pickomino replay DIR ENGINE` asks all; without an engine the reference is asked."""
    for number, case in enumerate(departed[:2]):
        (tmp_path / f"{number}.json").write_bytes(msgspec.json.encode(case))
    done = CliRunner().invoke(app, ["replay", str(tmp_path)])
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (
        0,
        "2 cases asked again of reference: 2 pass",
    )
    engine = f"{HERE}/bad_engines/python_classes.py:NoSuchEngine"
    done = CliRunner().invoke(app, ["replay", str(tmp_path / "0.json"), engine])
    assert done.exit_code == 2
    assert "can't be judged" in done.stderr


def test_a_file_with_an_id_alone_asks_the_listed_case(tmp_path: Path) -> None:
    """The case is asked as a check asks it."""
    path = tmp_path / "case.json"
    path.write_text('{"id": "failing/question-21"}')
    done = CliRunner().invoke(app, ["replay", str(path), "reference"])
    assert (done.exit_code, done.stdout.split()[:2]) == (0, ["failing/question-21", "passes"])


@pytest.mark.parametrize(
    ("name", "told"),
    [("none.json", "Expected a case file"), (".", "there is no case file")],
)
def test_what_is_no_case_file_is_refused(tmp_path: Path, name: str, told: str) -> None:
    """A file that is not there, or an empty folder, ends with status 2."""
    done = CliRunner().invoke(app, ["replay", str(tmp_path / name)])
    assert done.exit_code == 2
    assert told in done.stderr
