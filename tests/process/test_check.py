"""What a check makes of engines that are right, and of right ones that can do less."""

import sys
from pathlib import Path

import msgspec
import pytest

from pickomino_conformance.cases import Verdict
from pickomino_conformance.check import Checked, Plan, run
from pickomino_conformance.protocol.finding import find, of_command
from pickomino_reference import Rule, find_edition

TESTS = Path(__file__).parents[1]
QUICK = ("smoke", "features")


def check(engine: str, edition: str = "zoch-2005", **plan) -> Checked:
    """Check one of our own engines by its class."""
    found = find(f"{TESTS}/engines_of_ours.py:{engine}")
    return run(Plan(found, find_edition(edition), **{"levels": QUICK, **plan}))


def served(*arguments: str):
    """Return the reference as a program with these arguments."""
    return of_command([sys.executable, "-m", "pickomino_conformance", "serve", *arguments])


def test_the_reference_conforms_in_every_rule() -> None:
    """Every rule is judged on the reference, and every one of them holds."""
    checked = run(Plan(find("reference"), find_edition()))
    verdicts = {rule: checked.tally.verdict(rule) for rule in map(str, Rule)}
    assert verdicts == dict.fromkeys(map(str, Rule), Verdict.PASS)
    assert checked.tally.levels["turns"] == {Verdict.PASS: 128040}
    assert checked.exit_status == 0


@pytest.mark.parametrize(
    "edition", ["zoch-2005+soft-landing", "ultraboardgames+roll-on", "999-games+roll-on"]
)
def test_the_reference_plays_what_it_is_configured_to(edition: str) -> None:
    """A configurable engine is sent the rulings of the edition, and conforms to it."""
    checked = run(Plan(served(), find_edition(edition), levels=QUICK))
    assert checked.tally.cases(Verdict.FAIL, Verdict.ERROR) == 0
    assert checked.tally.levels["features"][Verdict.PASS] > 200


def test_a_fixed_engine_departs_in_the_rules_of_the_rulings_that_differ() -> None:
    """sheet-001 judged by zoch-2005 differs in three rulings, and departs nowhere else."""
    checked = run(Plan(served("--edition", "sheet-001"), find_edition(), levels=QUICK))
    assert checked.tally.with_verdict(Verdict.FAIL) == [
        "rolling.stop-freely",
        "failing.returned-highest",
        "failing.nothing-returned",
    ]


def test_a_fixed_engine_conforms_as_declared() -> None:
    """Judged by what it declares, the same engine conforms."""
    plan = Plan(served("--edition", "sheet-001"), find_edition(), as_declared=True, levels=QUICK)
    checked = run(plan)
    assert checked.rulings == find_edition("sheet-001").rulings
    assert checked.exit_status == 0


def test_what_an_engine_cannot_tell_is_unsupported() -> None:
    """Rules that hang on members that are left out are unsupported, the others judged."""
    tally = check("TellsLittle").tally
    assert tally.cases(Verdict.FAIL, Verdict.ERROR) == 0
    assert tally.with_verdict(Verdict.UNSUPPORTED) == [
        "setup.worms",
        "setup.players",
        "setup.order",
        "ending.worms-win",
        "ending.tie-break",
        "ending.nobody",
    ]


@pytest.mark.parametrize("engine", ["ChoosesItself", "PrefersTheGrill"])
def test_an_engine_may_choose_its_claims_itself(engine: str) -> None:
    """Any legal claim passes, where the engine does not let its players choose."""
    tally = check(engine).tally
    assert tally.cases(Verdict.FAIL, Verdict.ERROR) == 0
    assert tally.verdict("stealing.optional") is Verdict.PASS


def test_what_an_engine_prints_stays_off_the_wire() -> None:
    """A Python class may print; its answers are read all the same."""
    checked = check("PrintsAll")
    assert (checked.conduct.passed_over, checked.exit_status) == (0, 0)


def test_a_single_case_can_be_asked() -> None:
    """A case is asked by its id, in whichever level it stands."""
    for case, level in (
        ("failing/question-21", "features"),
        ("setup/worms-on-a-tile/36", "features"),
        ("turns/1111WWWW-W.1111-1", "turns"),
        ("smoke/eight-dice-settle", "smoke"),
    ):
        tally = check("Whole", cases=(case,), levels=("smoke", "features", "turns")).tally
        assert tally.levels == {level: {Verdict.PASS: 1}}


def test_the_report_tells_all_and_ends_with_its_footer(tmp_path: Path) -> None:
    """Header, cases that did not pass, levels, every rule, the diagnosis, the footer."""
    path = tmp_path / "report.jsonl"
    plan = Plan(served("--edition", "sheet-000"), find_edition(), levels=QUICK, report=path)
    tally = run(plan).tally
    lines = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    header, footer = lines[0], lines[-1]
    assert (header["type"], header["edition"], header["protocol"]) == ("header", "zoch-2005", 1)
    assert (footer["type"], footer["verdict"]) == ("footer", "fail")
    cases = [line for line in lines if line["type"] == "case"]
    assert {case["verdict"] for case in cases} == {"fail"}
    assert {rule for case in cases for rule in case["rules"]} == {"failing.nothing-returned"}
    told = {line["rule"]: line["verdict"] for line in lines if line["type"] == "rule"}
    assert told == {rule: tally.verdict(rule) for rule in map(str, Rule)}
    assert [line["level"] for line in lines if line["type"] == "level"] == ["smoke", "features"]
    assert [line["type"] for line in lines[-2:]] == ["diagnosis", "footer"]


@pytest.fixture(scope="module")
def turned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Checked, list[dict]]:
    """What level turns makes of an engine that turns a tile though none came back."""
    path = tmp_path_factory.mktemp("report") / "report.jsonl"
    served_yes = served("--ruling", "flip-without-return=yes")
    checked = run(Plan(served_yes, find_edition(), levels=("turns",), report=path))
    return checked, [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


def test_a_report_holds_at_most_a_hundred_cases_a_rule_and_level(turned) -> None:
    """The level's line counts what the report leaves out."""
    _, lines = turned
    cases = [line for line in lines if line["type"] == "case"]
    level = next(line for line in lines if line["type"] == "level" and line["level"] == "turns")
    # Dead rolls and forced ends without a claim, on a full grill and empty-handed.
    assert (len(cases), level["failed"], level["passed"]) == (100, 14793, 113247)


def test_the_first_failure_of_level_turns_is_the_smallest(turned) -> None:
    """A fault that one roll shows is shown by a turn of one roll."""
    checked, _ = turned
    smallest = checked.tally.smallest["failing.nothing-returned", Verdict.FAIL]
    assert smallest.id == "turns/11111111-1"
