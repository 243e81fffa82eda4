"""Engines that can do only a part: what they show is judged, the rest is told fairly."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from gherkin import Parser

import pickomino_conformance.suite
from faults_in_features import AS_IT_IS, FAULTS
from pickomino_conformance.cases import Verdict
from pickomino_conformance.check import Checked, Plan, run
from pickomino_conformance.engines.found import find
from pickomino_conformance.levels.features import LEAN
from pickomino_reference import (
    FlipAfterReturn,
    FlipWithoutReturn,
    Rule,
    Rulings,
    find_edition,
)
from pickomino_reference.editions import read_rulings

HERE = Path(__file__).parent
FEATURES = HERE.parent / "features"
SUITE = Path(pickomino_conformance.suite.__path__[0])
QUICK = ("smoke", "features")
TILES = set(range(21, 37))


def check(engine: str, **plan) -> Checked:
    """Check one of our own engines by its class."""
    found = find(f"{HERE}/engines_of_ours.py:{engine}")
    return run(Plan(found, find_edition(), **{"levels": QUICK, **plan}))


def features(plugin: str, *options: str) -> str:
    """Run the features in all editions with a plugin of ours; return what pytest printed."""
    command = [sys.executable, "-m", "pytest", *LEAN, "-c", str(SUITE / "pytest.ini")]
    command += ["-p", "pytest_bdd.plugin", "-p", "pickomino_conformance.plugin", "-p", plugin]
    command += ["--pickomino-edition", "all", *options, str(SUITE)]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(HERE)}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    return ran.stdout


# The tables of the features, as their text has them


@dataclass(frozen=True)
class Laid:
    """The table of a scenario: face-up tiles, stacks by seat, and the seat to move."""

    grill: set[int]
    stacks: list[list[int]]
    player: int

    @property
    def down(self) -> set[int]:
        """The tiles named nowhere."""
        return TILES - self.grill - {tile for own in self.stacks for tile in own}

    @property
    def above(self) -> int:
        """How many face-up tiles lie above the lowest face-down one."""
        return len([tile for tile in self.grill if self.down and tile > min(self.down)])

    @property
    def mover_before_owns_nothing(self) -> bool:
        """Whether there was a turn before, and whoever had it owns no tile."""
        begun = self.player > 0 or any(self.stacks)
        return begun and not self.stacks[(self.player - 1) % len(self.stacks)]


def tiles(text: str) -> list[int]:
    """Return the tiles of a step, such as `21 to 23 36`."""
    found: list[int] = []
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
        found += range(int(first), int(last or first) + 1)
    return found


def laid(steps: list[str]) -> Laid | None:
    """Return the table of the steps of a scenario; none if nobody rolls."""
    grill: list[int] = []
    stacks: dict[str, list[int]] = {}
    for step in steps:
        if found := re.fullmatch(r"(\w+) rolls", step):
            return Laid(set(grill), list(stacks.values()), list(stacks).index(found[1]))
        if found := re.fullmatch(r"the grill shows (.*)", step):
            grill = tiles(found[1])
        elif found := re.fullmatch(r"(\w+) owns (.*)", step):
            stacks[found[1]] = tiles(found[2])
    return None


def scenarios() -> Iterator[tuple[str, Laid]]:
    """Yield the case and the table of each scenario that lays one, row by row."""
    for file in sorted(FEATURES.glob("*.feature")):
        document = Parser().parse(file.read_text(encoding="utf-8"))
        for child in document["feature"]["children"]:
            scenario = child["scenario"]
            tags = [tag["name"] for tag in scenario["tags"]]
            slug = next(tag.partition("=")[2] for tag in tags if tag.startswith("@case="))
            for row in rows(scenario):
                name = "/".join([file.stem, slug, *list(row.values())[:1]])
                steps = [fill(step["text"], row) for step in scenario["steps"]]
                table = laid(steps)
                if table is not None:
                    yield name, table


def rows(scenario) -> list[dict[str, str]]:
    """Return the rows of an outline by their headings; one empty row for a plain scenario."""
    found = []
    for examples in scenario["examples"]:
        heading = [cell["value"] for cell in examples["tableHeader"]["cells"]]
        for row in examples["tableBody"]:
            values = [cell["value"] for cell in row["cells"]]
            found.append(dict(zip(heading, values, strict=True)))
    return found or [{}]


def fill(text: str, row: dict[str, str]) -> str:
    """Return a step with the values of a row in it."""
    return re.sub(r"<([^>]+)>", lambda name: row[name[1]], text)


# By hand: two play, the 36 alone lies face down and nobody owns a tile. If every failure turns
# a tile, there was one, and it was the last turn, Bob's. So all turns before it were claims,
# Ann's last one too: she would own a tile, or Bob would have stolen it and own one.
ONE_FAILURE_TOO_FEW = "failing/face-down-after-a-claim"


def why_unreachable(case: str, table: Laid, rulings: Rulings) -> str:
    """Return why no game leads to a table; empty if nothing speaks against it.

    Reasoned from the rules, once for each way to turn tiles.
    """
    flip, without = rulings.flip_after_return, rulings.flip_without_return
    if flip is FlipAfterReturn.NEVER and without is FlipWithoutReturn.NO:
        return "no tile is ever turned" if table.down else ""
    if flip is FlipAfterReturn.BEFORE_RETURN:
        if table.above > 1:
            # The second to come back would have had the first one turned.
            return "only one tile can lie face up above"
    elif 21 in table.down:
        # It is turned as the highest, so that all others are gone or come back below it.
        return "the 21 can be turned face down only as the last"
    if flip is FlipAfterReturn.ALWAYS and table.above:
        # The highest of those above would have been turned when it came back.
        return "was turned face down itself"
    every = flip in (FlipAfterReturn.ALWAYS, FlipAfterReturn.BEFORE_RETURN)
    if every and without is FlipWithoutReturn.YES:
        if not table.down and table.mover_before_owns_nothing:
            return "has failed, and no failure leaves such a table"
        if case == ONE_FAILURE_TOO_FEW:
            return "is a dead end"
    return ""


def rulings_of(edition: str) -> Rulings:
    """Return the rulings of an edition by its name, changed ones after it."""
    name, *changes = edition.split(" ")
    return find_edition(name, read_rulings(changes)).rulings


# Engines that can't be set to a table


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory) -> dict[str, dict[str, tuple[Verdict, str]]]:
    """What came of each case in each edition, with an engine that only starts games."""
    file = tmp_path_factory.mktemp("verdicts") / "verdicts.json"
    engine = f"{HERE}/engines_of_ours.py:StartsOnly"
    features("verdicts_by_edition", "--verdicts", str(file), "--pickomino-engine", engine)
    return json.loads(file.read_text(encoding="utf-8"))


def test_all_that_a_game_leads_to_is_judged(verdicts) -> None:
    """Every scenario passes whose table some game leads to, in every edition."""
    tables = dict(scenarios())
    unexplained = {
        (edition, case, verdict, message)
        for edition, outcomes in verdicts.items()
        for case, (verdict, message) in outcomes.items()
        if verdict != Verdict.PASS
        if case not in tables or not why_unreachable(case, tables[case], rulings_of(edition))
    }
    assert unexplained == set()


def test_what_no_game_leads_to_is_not_reached_and_it_is_said_why(verdicts) -> None:
    """Where the rules keep a game from a table, the case is not asked, with this reason."""
    told_otherwise = {
        (edition, case, verdict, message)
        for edition, outcomes in verdicts.items()
        for case, table in scenarios()
        if case in outcomes
        for verdict, message in [outcomes[case]]
        for why in [why_unreachable(case, table, rulings_of(edition))]
        if why and (verdict != Verdict.NOT_REACHED or why not in message)
    }
    assert told_otherwise == set()


def test_every_edition_is_judged_that_way(verdicts) -> None:
    """All eight editions, and the default one made to fit what they do not play."""
    assert len([edition for edition in verdicts if " " not in edition]) == 8
    assert len(verdicts) > 8


# The scenarios of these faults that an engine can be played to don't show them: six faces with
# a 25 as the lowest tile, and a total of 38 with the 36 on a stack, have the 21 face down. Level
# turns shows the first, level games both. Tiles that are turned up again are so on the way, too,
# and a turn that does not pass leads nowhere: these fail scenarios of other rules. The last one
# departs in nothing that is settled.
UNSEEN = {
    "the turn goes on after six faces",
    "a total above 36 counts as 36",
    "face-down tiles are turned up again when a tile comes back",
    "the turn does not pass",
    "if nobody owns a tile, the first player wins",
}


@pytest.fixture(scope="module")
def caught(tmp_path_factory) -> dict[str, list[str]]:
    """The scenarios that fail, by the fault of an engine that only starts games."""
    file = tmp_path_factory.mktemp("faults") / "caught.json"
    features("faults_on_the_way", "--caught", str(file))
    return json.loads(file.read_text(encoding="utf-8"))


def test_nothing_fails_without_a_fault(caught) -> None:
    """The way to a table makes no scenario fail."""
    assert caught[AS_IT_IS] == []


def test_a_fault_is_found_although_no_table_can_be_set(caught) -> None:
    """Scenarios of its rules fail, but for five faults that are seen elsewhere, if at all."""
    assert {name for name in FAULTS if name != AS_IT_IS and not caught[name]} == UNSEEN


@pytest.mark.parametrize(
    ("engine", "rules"),
    [
        ("StartsAndTurnsUpAgain", {"failing.flip-highest"}),
        ("StartsAndNeverPasses", {"setup.order"}),
    ],
)
def test_a_fault_that_leads_off_the_way_fails_what_is_asked_before(engine, rules) -> None:
    """Such an engine departs already where hardly any way is needed."""
    assert set(check(engine).tally.with_verdict(Verdict.FAIL)) >= rules


def test_a_departure_on_the_way_is_told_and_no_failure(tmp_path) -> None:
    """What can't be reached since the engine departs is no failure of the case's rules."""
    path = tmp_path / "report.jsonl"
    tally = check("StartsAndNeverPasses", report=path).tally
    told = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    left = [one for one in told if "departs on the way to this table" in one.get("message", "")]
    assert {one["verdict"] for one in left} == {"not-reached"}
    assert tally.verdict("failing.returned-highest") is Verdict.NOT_REACHED


def test_level_turns_begins_at_the_start() -> None:
    """Every script of a turn on a full grill is asked, each after a start."""
    tally = check("StartsOnly", levels=("turns",)).tally
    assert tally.levels["turns"] == {Verdict.PASS: 128040}


@pytest.mark.parametrize("engine", ["StartsAndSteals", "StartsAndTakes"])
def test_an_engine_that_chooses_its_claims_is_played_to_tables_too(engine: str) -> None:
    """Nothing is held against it; a case is not asked where it would choose otherwise."""
    checked = check(engine)
    assert checked.exit_status == 0
    assert checked.tally.cases(Verdict.FAIL, Verdict.ERROR) == 0
    assert set(checked.tally.with_verdict(Verdict.PASS)) >= set(Rule) - {
        Rule.STEALING_OUT_OF_GRILL_REACH,
        Rule.STEALING_STEAL_BACK,
        Rule.STEALING_UNCOVERS,
    }


# Engines that only settle


def test_an_engine_that_only_settles_is_judged_by_how_turns_end() -> None:
    """What a player may do on the way is unsupported, all else is judged."""
    checked = check("SettlesOnly", levels=("smoke", "features", "tables", "refusals"))
    assert checked.exit_status == 0
    assert checked.tally.cases(Verdict.FAIL, Verdict.ERROR, Verdict.NOT_REACHED) == 0
    assert checked.tally.with_verdict(Verdict.UNSUPPORTED) == [
        "setup.players",  # it starts no games
        "rolling.all-dice",
        "rolling.choose-a-face",
        "rolling.whole-face",
        "rolling.new-face",
        "rolling.forced-end",
        "failing.dead-roll",
    ]


def test_a_wrong_settlement_is_blamed_on_its_rule() -> None:
    """An engine that only settles, and returns the bottom tile, is told so."""
    checked = check("SettlesAndReturnsTheBottom")
    assert checked.exit_status == 1
    assert [one.rules for one in checked.diagnosis.faults] == [("failing.return-top",)]


def test_an_engine_that_settles_only_the_first_turn_is_judged_there() -> None:
    """Without `set-table` no settled turn leads on: only the start of a game can be asked."""
    checked = check("SettlesTheFirstTurn")
    assert checked.exit_status == 0
    assert checked.tally.cases(Verdict.FAIL, Verdict.ERROR) == 0
    assert checked.tally.verdict("claiming.exact") is Verdict.PASS
    assert checked.tally.verdict("failing.return-top") is Verdict.NOT_REACHED


def test_level_turns_asks_nothing_of_an_engine_that_only_settles() -> None:
    """Choices and dead rolls are what it knows nothing of."""
    tally = check("SettlesOnly", levels=("turns",), cases=("turns/11111111-1",)).tally
    assert tally.levels["turns"] == {Verdict.UNSUPPORTED: 1}


# Engines that only score


def test_an_engine_that_only_scores_is_judged_by_its_scores() -> None:
    """The rules about worms and winners are judged, and the check succeeds."""
    checked = check("ScoresOnly", levels=("smoke", "features", "turns"))
    assert checked.exit_status == 0
    assert checked.tally.with_verdict(Verdict.PASS) == [
        "setup.worms",
        "ending.worms-win",
        "ending.tie-break",
        "ending.nobody",
    ]
    judged = [Verdict.PASS, Verdict.UNSUPPORTED]
    assert set(checked.tally.with_verdict(*judged)) == {str(rule) for rule in Rule}


def test_a_wrong_score_departs() -> None:
    """An engine that only scores, and lets a tie be shared, departs in that rule alone."""
    checked = check("ScoresAndShares")
    assert checked.exit_status == 1
    assert checked.tally.with_verdict(Verdict.FAIL) == ["ending.tie-break"]
