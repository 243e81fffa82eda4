"""Known failures: what is known does not fail a check, and the list of it stays true."""

from pathlib import Path

import pytest

from pickomino_conformance import known_failures
from pickomino_conformance.cases import Exchange, Outcome, Verdict
from pickomino_conformance.cases.registry import level_of
from pickomino_conformance.known_failures import (
    NOT_EXAMINED,
    Known,
    KnownFailures,
    Recognised,
    Scope,
    UnreadableList,
)
from pickomino_conformance.protocol.conversation import Conduct
from pickomino_conformance.report.model import Tally, exit_status
from pickomino_conformance.specification import rules

ROOT = Path(__file__).parents[2]
EVERYTHING = Scope(True, {"smoke", "features", "turns"})
ONLY_FEATURES = Scope(False, {"smoke", "features"})

FLIP, RETURN = "failing.flip-highest", "failing.return-top"


def outcome(
    case: str, *of_rules: str, verdict: Verdict = Verdict.FAIL, broken: bool = False
) -> Outcome:
    """Return the outcome of a case."""
    exchanges = (Exchange("turn", {}, {"broken": "it left"}),) if broken else ()
    return Outcome(case, "features", of_rules, verdict, exchanges=exchanges)


def look(entries: list[Known], *outcomes: Outcome) -> tuple[list[Verdict], KnownFailures]:
    """Return the verdicts of outcomes under these entries."""
    known = KnownFailures(entries)
    return [known.look(one).verdict for one in outcomes], known


def test_an_entry_for_a_case_covers_that_case_alone() -> None:
    """Another case of the same rule still fails."""
    found, _ = look([Known(case="failing/a")], outcome("failing/a", FLIP), outcome("f/b", FLIP))
    assert found == [Verdict.KNOWN, Verdict.FAIL]


def test_an_entry_for_a_rule_covers_every_departure_of_it() -> None:
    """Whatever the case; other rules still fail."""
    found, _ = look([Known(rule=FLIP)], outcome("f/a", FLIP), outcome("f/b", RETURN))
    assert found == [Verdict.KNOWN, Verdict.FAIL]


def test_a_case_of_two_rules_is_known_only_if_both_are() -> None:
    """What is known of one rule does not hide that another one is broken."""
    both = outcome("failing/a", FLIP, RETURN)
    assert look([Known(rule=FLIP)], both)[0] == [Verdict.FAIL]
    assert look([Known(rule=FLIP), Known(rule=RETURN)], both)[0] == [Verdict.KNOWN]


def test_a_breakdown_is_known_only_by_its_case() -> None:
    """A rule that is known to depart does not excuse a crash."""
    crash = outcome("failing/a", FLIP, verdict=Verdict.ERROR, broken=True)
    assert look([Known(rule=FLIP)], crash)[0] == [Verdict.ERROR]
    assert look([Known(case="failing/a")], crash)[0] == [Verdict.KNOWN]


def test_only_failures_become_known() -> None:
    """What passes, or could not be judged, keeps its verdict."""
    others = [one for one in Verdict if one not in (Verdict.FAIL, Verdict.ERROR)]
    entries = [Known(case="failing/a"), Known(rule=FLIP)]
    found, _ = look(entries, *(outcome("failing/a", FLIP, verdict=one) for one in others))
    assert found == others


@pytest.mark.parametrize(
    ("entry", "came", "asked", "stale"),
    [
        (Known(case="failing/a"), outcome("failing/a", FLIP), EVERYTHING, None),
        (
            Known(case="failing/a"),
            outcome("failing/a", FLIP, verdict=Verdict.PASS),
            ONLY_FEATURES,
            "it passes",
        ),
        (Known(case="failing/a"), outcome("failing/b", FLIP), EVERYTHING, "no such case"),
        (Known(case="failing/a"), outcome("turns/1", FLIP), Scope(False, {"turns"}), None),
        (Known(case="failing/a"), outcome("failing/b", FLIP), Scope(False, (), ["f/b"]), None),
        (
            Known(case="failing/a"),
            outcome("failing/a", FLIP, verdict=Verdict.NOT_APPLICABLE),
            EVERYTHING,
            None,
        ),
        (
            Known(case="failing/a"),
            outcome("failing/a", FLIP, verdict=Verdict.UNSUPPORTED),
            EVERYTHING,
            None,
        ),
        (Known(case="nowhere/a"), outcome("failing/a", FLIP), ONLY_FEATURES, "no level"),
        (Known(case="question-21"), outcome("failing/a", FLIP), EVERYTHING, "no level"),
        (
            Known(rule=FLIP),
            outcome("failing/a", FLIP, verdict=Verdict.PASS),
            EVERYTHING,
            "no case of it departs any more",
        ),
        (Known(rule=FLIP), outcome("failing/a", FLIP, verdict=Verdict.PASS), ONLY_FEATURES, None),
        (Known(rule=FLIP), outcome("failing/b", RETURN), EVERYTHING, None),
        (
            Known(rule="failing.flip-higest"),
            outcome("failing/a", FLIP),
            ONLY_FEATURES,
            "Did you mean 'failing.flip-highest'?",
        ),
    ],
)  # fmt: skip
def test_an_entry_is_stale_if_all_was_asked_and_nothing_covered(
    entry: Known, came: Outcome, asked: Scope, stale: str | None
) -> None:
    """It passes, or names nothing; what was not asked, or not judged, is left alone."""
    found = look([entry], came)[1].recognised(asked).stale
    if stale is None:
        assert found == ()
    else:
        assert [one.entry for one in found] == [entry]
        assert stale in str(found[0])


def test_which_games_are_played_hangs_on_the_seed() -> None:
    """A game that was not played this time is no reason to drop its entry."""
    asked = Scope(True, {"smoke", "features", "turns", "games"})
    assert look([Known(case="games/7-3")])[1].recognised(asked).stale == ()


@pytest.mark.parametrize(
    ("verdicts", "breakdowns", "covered", "stale", "status"),
    [
        ([Verdict.PASS, Verdict.KNOWN], 0, 0, False, 0),
        ([Verdict.KNOWN], 0, 0, False, 0),
        ([Verdict.PASS, Verdict.KNOWN], 0, 0, True, 1),
        ([Verdict.PASS, Verdict.KNOWN], 1, 1, False, 0),
        ([Verdict.PASS, Verdict.KNOWN], 2, 1, False, 1),
        ([Verdict.FAIL, Verdict.KNOWN], 0, 0, False, 1),
        ([Verdict.UNSUPPORTED], 0, 0, False, 2),
    ],
)
def test_the_exit_status_with_known_failures(
    verdicts: list[Verdict], breakdowns: int, covered: int, stale: bool, status: int
) -> None:
    """Known ones do not count; a stale entry, or a breakdown that is not known, does."""
    tally = Tally(rules())
    for one in verdicts:
        tally.add(outcome("failing/a", FLIP, verdict=one))
    gone = (known_failures.Stale(Known(rule=FLIP), "it passes"),) if stale else ()
    recognised = Recognised(stale=gone, breakdowns=covered)
    assert exit_status(tally, Conduct(restarts=breakdowns), recognised) == status


def updated(entries: list[Known], *outcomes: Outcome, asked: Scope = EVERYTHING) -> list[Known]:
    """Return the entries as they should be after these outcomes."""
    return list(look(entries, *outcomes)[1].recognised(asked).updated)


def test_an_update_keeps_reasons_and_links_of_what_is_still_needed() -> None:
    """Stale entries go, the others stay as they are, in their order."""
    needed = Known(case="failing/a", reason="We like it so.", link="https://example.org/1")
    stale = Known(case="failing/b", reason="It was so.")
    not_asked = Known(case="turns/1", reason="It may be so.")
    passed = outcome("failing/b", FLIP, verdict=Verdict.PASS)
    found = updated(
        [stale, needed, not_asked], outcome("failing/a", FLIP), passed, asked=ONLY_FEATURES
    )
    assert found == [needed, not_asked]


def test_an_update_adds_the_rule_if_no_case_of_it_passes() -> None:
    """A rule that is broken as a whole is one entry, not one a case."""
    found = updated([], outcome("failing/a", FLIP), outcome("failing/b", FLIP))
    assert found == [Known(rule=FLIP, reason=NOT_EXAMINED)]


def test_an_update_adds_single_cases_of_a_rule_that_mostly_holds() -> None:
    """So that a case that breaks tomorrow is not hidden."""
    passed = outcome("failing/b", FLIP, verdict=Verdict.PASS)
    assert updated([], outcome("failing/a", FLIP), passed) == [Known(case="failing/a")]


def test_an_update_adds_the_rule_if_very_many_of_its_cases_fail() -> None:
    """Nobody reads a list of hundreds of generated cases."""
    passed = outcome("failing/b", FLIP, verdict=Verdict.PASS)
    many = [outcome(f"turns/{number}", FLIP) for number in range(50)]
    assert updated([], passed, *many) == [Known(rule=FLIP)]


def test_an_update_lists_breakdowns_by_their_case() -> None:
    """A rule would not cover them."""
    crash = outcome("failing/a", FLIP, verdict=Verdict.ERROR, broken=True)
    assert updated([], crash, outcome("failing/b", FLIP)) == [
        Known(rule=FLIP),
        Known(case="failing/a"),
    ]


@pytest.mark.parametrize(
    "outcomes",
    [
        [outcome("failing/a", FLIP, RETURN), outcome("failing/b", FLIP, verdict=Verdict.PASS)],
        [outcome("failing/a", FLIP, RETURN), outcome("failing/b", RETURN)],
        [outcome("failing/a", FLIP, verdict=Verdict.ERROR, broken=True)],
        [*(outcome(f"turns/{number}", FLIP, RETURN) for number in range(50))],
    ],
)
def test_what_an_update_writes_covers_all_that_failed(outcomes: list[Outcome]) -> None:
    """The next check, if nothing changes, has no failure left."""
    found, known = look(updated([], *outcomes), *outcomes)
    assert set(found) <= {Verdict.KNOWN, Verdict.PASS}
    assert known.recognised(EVERYTHING).stale == ()


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Whatever stands in a reason; the comment at the head stays."""
    path = tmp_path / "known.toml"
    path.write_text("# Ours.\n# All of it.\n\n[[known]]\nrule = 'setup.tiles'\n")
    odd = 'a "quoted" \\ back\nline\ttab \x7f \x00 é 🐛 \'\'\' """ # [[known]]'
    entries = [Known(case="failing/a", reason=odd, link="https://x"), Known(rule=FLIP, reason="b")]
    known_failures.write(path, entries)
    assert path.read_text().startswith("# Ours.\n# All of it.\n\n[[known]]\n")
    assert known_failures.read(path) == tuple(entries)
    known_failures.write(path, [])
    assert known_failures.read(path) == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[known]\n", "is no file of known failures"),
        ("[[knwon]]\ncase = 'a/b'\n", "unknown field `knwon`"),
        ("[[known]]\nreason = 'so'\n", "either a case or a rule"),
        ("[[known]]\ncase = 'a/b'\nrule = 'a.b'\n", "either a case or a rule"),
        ("[[known]]\ncase = 7\n", "$.known[0].case"),
        ("[[known]]\ncase = 'a/b'\nwhy = 'so'\n", "unknown field `why`"),
        ("[[known]]\ncase = 'a/b'\n[[known]]\ncase = 'a/b'\n", "case a/b is there twice"),
    ],
)
def test_a_bad_file_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    """The file, what was expected and what came; never a traceback."""
    path = tmp_path / "known.toml"
    path.write_text(text)
    with pytest.raises(UnreadableList) as unreadable:
        known_failures.read(path)
    assert str(path) in str(unreadable.value)
    assert told in str(unreadable.value)


@pytest.mark.parametrize("path", sorted(ROOT.glob("engines/*/known-failures.toml")), ids=str)
def test_our_own_lists_name_what_exists_and_why(path: Path) -> None:
    """Every entry has a reason, and is a rule of the specification or a case of a level."""
    entries = known_failures.read(path)
    assert entries
    assert [str(one) for one in entries if one.reason == NOT_EXAMINED] == []
    assert [one.rule for one in entries if one.rule and one.rule not in rules()] == []
    assert [one.case for one in entries if one.case and not level_of(one.case)] == []
