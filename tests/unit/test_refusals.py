"""What is forbidden: every kind of it is refused, by the rule named, and changes nothing."""

import msgspec
import pytest

from engines_of_ours import SettlesOnly, StartsOnly, TellsLittle
from levels_in_process import broken, failures, outcomes_of, verdicts
from pickomino_conformance import Misfit, Refused
from pickomino_conformance.cases import Outcome, Verdict, refusals
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import request
from pickomino_reference import Position, Roll, Rule, SetAside, find_edition, legal, play, play_turn

EDITIONS = (
    "zoch-2005",
    "999-games",
    "sheet-004",
    "ultraboardgames",
    "zoch-2005+no-steal-back",
    "zoch-2005+lower-if-gone+roll-on",
    "sheet-001+no-steal-back+roll-on",
)


def ask(engine: object, edition: str = "zoch-2005", **wanted) -> list[Outcome]:
    """Return what level refusals makes of an engine in this process."""
    return outcomes_of(refusals, engine, edition, **wanted)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_rule_that_forbids_is_the_one_named(edition: str) -> None:
    """The reference as an engine refuses each turn, by the rule that the case has."""
    chosen = find_edition(edition)
    engine, came, expected = ReferenceEngine(chosen), {}, {}
    for case in refusals.cases(chosen.rulings):
        params = msgspec.to_builtins(request(case.script, chosen.rulings))
        expected[case.id] = f"forbidden by {case.rule}"
        try:
            came[case.id] = engine.turn(params["table"], params["rolls"], params["decisions"])
        except (Refused, Misfit) as error:
            came[case.id] = str(error)
    assert came == expected


@pytest.mark.parametrize("edition", EDITIONS)
def test_on_the_last_roll_a_face_may_be_chosen(edition: str) -> None:
    """So code 2 can only mean that the forbidden was accepted; but for moves after the end."""
    rulings = find_edition(edition).rulings
    for case in refusals.cases(rulings):
        if case.rule is Rule.ENDING_GRILL_EMPTY:
            continue
        position = Position(case.script.table)
        *before, last = case.script.rolls
        for roll, decision in zip(before, case.script.decisions, strict=False):
            position = play(position, Roll(roll), rulings)
            position = play(position, SetAside(decision.keep), rulings)
        position = play(position, Roll(last), rulings)
        assert legal(position, rulings).faces != "", case.id
        assert len(case.script.decisions) == len(case.script.rolls), case.id


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_plain_turn_leads_to_each_table(edition: str) -> None:
    """The turn before ends on the table of the forbidden one."""
    for case in refusals.cases(find_edition(edition).rulings):
        after = play_turn(case.before, find_edition(edition).rulings).position.table
        assert after == case.script.table, case.id


def test_every_rule_that_can_refuse_a_turn_is_tried() -> None:
    """Those of rolling, claiming and stealing, the end, and a number of players."""
    tried = {
        str(case.rule)
        for edition in EDITIONS
        for case in refusals.cases(find_edition(edition).rulings)
    }
    assert tried == {
        "rolling.choose-a-face",
        "rolling.new-face",
        "rolling.forced-end",
        "rolling.stop-freely",
        "claiming.worm-needed",
        "claiming.exact",
        "claiming.lower",
        "claiming.own-top",
        "claiming.face-down",
        "stealing.exact",
        "stealing.top-only",
        "stealing.worm-needed",
        "stealing.opponents-only",
        "stealing.optional",
        "stealing.steal-back",
        "ending.grill-empty",
    }


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_reference_passes_every_case(edition: str) -> None:
    """It refuses what its edition forbids, and plays on as if nothing had been tried."""
    outcomes = ask(ReferenceEngine(find_edition(edition)), edition)
    assert verdicts(outcomes) == {Verdict.PASS: len(outcomes)}


def test_an_engine_that_is_played_to_its_tables_passes_too() -> None:
    """Without `set-table` each forbidden turn is asked where a game has led."""
    kinds = ("face-already-used", "steal-a-covered-tile", "roll-after-the-end")
    only = [f"refusals/{kind}/2-players-seat-0" for kind in kinds]
    outcomes = ask(StartsOnly(), only=only)
    assert [(one.id, one.verdict) for one in outcomes] == [(name, Verdict.PASS) for name in only]


@pytest.mark.parametrize(
    ("played", "rules"),
    [
        ({"lower-tile": "any"}, {"claiming.lower"}),
        ({"six-faces": "roll-on"}, {"rolling.forced-end"}),
    ],
)
def test_an_engine_that_allows_more_breaks_the_rule_that_forbids(played, rules) -> None:
    """Another ruling, judged by the rulebook."""
    assert broken(ask(ReferenceEngine(find_edition("zoch-2005", played)))) == rules


class PlaysAfterTheEnd(ReferenceEngine):
    """Lets the dice roll on an empty grill."""

    def turn(self, table, rolls, decisions):
        """Ask for more where the game is over."""
        if table is not None and not table["grill"]:
            raise Misfit("what next?", after_rolls=1, wants="roll")
        return super().turn(table, rolls, decisions)


def test_code_2_after_the_end_is_a_move_that_was_accepted() -> None:
    """An engine that asks for more has played on."""
    outcomes = ask(PlaysAfterTheEnd())
    assert broken(outcomes) == {"ending.grill-empty"}
    for one in failures(outcomes):
        (found,) = one.differences
        assert (found.part, found.expected) == ("answer", "refused")
        assert found.actual["error"]["code"] == 2


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


def test_a_refusal_that_changes_something_departs() -> None:
    """The next turn, with the table left to the engine, shows it."""
    outcomes = ask(PassesOnARefusal())
    failed = failures(outcomes)
    over = {"refusals/start", "refusals/roll-after-the-end", "refusals/steal-after-the-end"}
    kinds = {one.id.rpartition("/")[0] for one in outcomes}
    assert {one.id.rpartition("/")[0] for one in failed} == kinds - over
    # It is refused, as it must be; it is the turn after it that departs.
    assert {one.at for one in failed} == {2}
    assert all([e.method for e in one.exchanges] == ["turn"] * 3 for one in failed)


class AllowsAnyNumber(ReferenceEngine):
    """Begins a game for as many as are asked for."""

    def start(self, players):
        """Take everybody."""
        return super().start(min(max(players, 2), 7))


def test_too_few_and_too_many_players_are_tried() -> None:
    """One, and eight."""
    failed = failures(ask(AllowsAnyNumber()))
    assert [(one.id, one.rules) for one in failed] == [
        ("refusals/start/1-players", ("setup.players",)),
        ("refusals/start/8-players", ("setup.players",)),
    ]


class Lacks(ReferenceEngine):
    """Lacks some capabilities."""

    def __init__(self, *lacking: str) -> None:
        super().__init__()
        self._lacking = lacking

    def hello(self):
        """Leave them out."""
        hello = super().hello()
        kept = [name for name in hello["capabilities"] if name not in self._lacking]
        return hello | {"capabilities": kept}


def test_without_refuse_nothing_forbidden_is_asked() -> None:
    """An unchanged table proves nothing."""
    outcomes = ask(TellsLittle())
    assert set(verdicts(outcomes)) == {Verdict.UNSUPPORTED}
    assert [told for one in outcomes for told in one.exchanges if told.answer] == []


def test_each_kind_needs_only_what_it_asks() -> None:
    """A claim needs `choose-claim`, a decision before choosing needs `unresolved`."""
    outcomes = ask(Lacks("unresolved", "choose-claim"))
    by_need = {
        case.id: Verdict.UNSUPPORTED if case.needs else Verdict.PASS
        for case in refusals.cases(find_edition().rulings)
    }
    assert {one.id: one.verdict for one in outcomes if one.id in by_need} == by_need
    assert set(by_need.values()) == {Verdict.PASS, Verdict.UNSUPPORTED}


def test_an_engine_for_two_is_asked_on_tables_of_two() -> None:
    """The others are unsupported; nearly every kind has one of two."""

    class ForTwo(ReferenceEngine):
        def hello(self):
            return super().hello() | {"players": [2, 2]}

    outcomes = ask(ForTwo())
    for one in outcomes:
        for_two = "/2-players" in one.id or "/start/" in one.id
        assert one.verdict is (Verdict.PASS if for_two else Verdict.UNSUPPORTED), one.id


def test_an_engine_that_only_settles_refuses_claims() -> None:
    """What concerns the rolls on the way can't be asked of it."""
    by_verdict = verdicts(ask(SettlesOnly()))
    assert set(by_verdict) == {Verdict.PASS, Verdict.UNSUPPORTED}


def test_a_case_can_be_asked_alone() -> None:
    """By its id."""
    name = "refusals/steal-one-above/3-players-seat-1"
    (outcome,) = ask(ReferenceEngine(), only=(name,))
    assert (outcome.id, outcome.verdict, outcome.rules) == (name, Verdict.PASS, ("stealing.exact",))
