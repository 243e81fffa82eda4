"""Engines that can do only a part: what they show is judged, the rest is told fairly."""

import json
from pathlib import Path

import pytest

from pickomino_conformance.cases import Verdict
from pickomino_conformance.check import Checked, Plan, run
from pickomino_conformance.protocol.finding import find
from pickomino_reference import Rule, find_edition

TESTS = Path(__file__).parents[1]
QUICK = ("smoke", "features")


def check(engine: str, **plan) -> Checked:
    """Check one of our own engines by its class."""
    found = find(f"{TESTS}/engines_of_ours.py:{engine}")
    return run(Plan(found, find_edition(), **{"levels": QUICK, **plan}))


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
