"""The sample of tables: every pair of conditions is in it, and an engine is judged by it."""

from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from dead_roll_engines import NeedsADeadRoll
from engines_of_ours import ChoosesItself, ScoresOnly, SettlesOnly, TellsLittle
from levels_in_process import broken, failures, outcomes_of, verdicts
from pickomino_conformance.cases import Outcome, Verdict, refusals, tables
from pickomino_conformance.cases.tables.questions import (
    BARRED,
    NEVER,
    QUESTIONS,
    conditions,
    conditions_of,
    impossible,
    possible,
    questions,
)
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_reference import find_edition
from pickomino_reference.editions import check_value

EDITIONS = (
    "zoch-2005",
    "999-games",
    "sheet-004",
    "ultraboardgames",
    "zoch-2005+no-steal-back",
    "zoch-2005+lower-if-gone+roll-on",
    "sheet-004+no-steal-back+soft-landing",
    "sheet-001+no-steal-back+roll-on",
)


def ask(engine: object, edition: str = "zoch-2005", **wanted) -> list[Outcome]:
    """Return what level tables makes of an engine in this process."""
    return outcomes_of(tables, engine, edition, **wanted)


@cache
def seen(edition: str) -> Counter:
    """Count in how many turns of the sample each pair of conditions is."""
    rulings = find_edition(edition).rulings
    asked = questions(rulings)
    return Counter(
        frozenset(pair)
        for case in tables.sample(rulings)
        for pair in combinations(conditions_of(case.drawn, asked), 2)
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_pair_that_can_go_together_is_covered(edition: str) -> None:
    """In at least three turns of the sample, for any two answers to different questions."""
    missing = {
        pair
        for pair in map(frozenset, possible(find_edition(edition).rulings))
        if seen(edition)[pair] < tables.TIMES
    }
    assert missing == set()


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_pair_either_can_go_together_or_has_a_reason(edition: str) -> None:
    """Nothing is forgotten: all pairs are those that can, and those that are said not to."""
    rulings = find_edition(edition).rulings
    pairs = {
        frozenset((one, other))
        for one, other in combinations(conditions(rulings), 2)
        if one[0] != other[0]
    }
    can = set(map(frozenset, possible(rulings)))
    reasons = {pair: why for pair, why in impossible(rulings).items() if pair in pairs}
    assert can | reasons.keys() == pairs
    assert can & reasons.keys() == set()
    assert all(reasons.values())


def test_the_reasons_speak_of_answers_that_exist() -> None:
    """A misspelt answer would excuse nothing, and nobody would see it."""
    known = {
        (question.name, answer) for question in (*QUESTIONS, BARRED) for answer in question.answers
    }
    told = {
        (name, answer)
        for one in NEVER
        for name, answers in (*one.one.items(), *one.other.items())
        for answer in answers
    }
    assert told - known == set()


@pytest.mark.parametrize("rows", [NEVER, refusals.KINDS], ids=["never", "forbidden"])
def test_the_rows_hang_on_values_of_rulings_that_exist(rows) -> None:
    """A misspelt value would never hold, and nobody would see it."""
    told = {
        (ruling, value)
        for one in rows
        for ruling, values in one.rulings.items()
        for value in values
    }
    assert told
    for ruling, value in told:
        assert check_value(ruling, value) == value


def test_stacks_of_two_and_more_tiles_are_in_the_sample() -> None:
    """On the player's own seat and on others, under every way a turn can end."""
    needed = {
        frozenset(((stack, size), ("end", end)))
        for stack in ("own stack", "tallest stack of an opponent")
        for size in ("two", "more")
        for end in ("stop", "all dice", "every face", "dead roll")
    }
    assert needed - set(seen("zoch-2005")) == set()


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_two_cases_have_one_id(edition: str) -> None:
    """Each can be asked alone by `--case`."""
    ids = [case.id for case in tables.sample(find_edition(edition).rulings)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_reference_passes_every_case(edition: str) -> None:
    """The turns, what is legal on the way, and the settling."""
    outcomes = ask(ReferenceEngine(find_edition(edition)), edition)
    assert verdicts(outcomes) == {Verdict.PASS: len(outcomes)}
    ends = Counter(one.id.split("/")[4] if one.id.count("/") > 3 else "" for one in outcomes)
    assert set(ends) == {"", "legal", "faces", "settle"}


@pytest.mark.parametrize(
    ("played", "rules"),
    [
        ({"flip-after-return": "always"}, {"failing.returned-highest"}),
        ({"flip-after-return": "never"}, {"failing.flip-highest"}),
        ({"flip-without-return": "yes"}, {"failing.nothing-returned"}),
        ({"lower-tile": "any"}, {"claiming.lower"}),
        ({"exact-on-opponent": "steal"}, {"stealing.optional"}),
        ({"stop-without-claim": "barred"}, {"rolling.stop-freely"}),
        ({"six-faces": "roll-on"}, {"rolling.forced-end"}),
    ],
)
def test_an_engine_that_plays_another_ruling_breaks_its_rule(played, rules) -> None:
    """Judged by the rulebook, it fails in the rule of that ruling and in no other."""
    assert broken(ask(ReferenceEngine(find_edition("zoch-2005", played)))) == rules


class PassesToTheRight(ReferenceEngine):
    """Passes the dice to the player before."""

    def turn(self, table, rolls, decisions):
        """Change the player of the answer."""
        answer = super().turn(table, rolls, decisions)
        seats = len(answer["table"]["stacks"])
        answer["table"]["player"] = (answer["table"]["player"] - 2) % seats
        return answer


class CountsARollTwice(ReferenceEngine):
    """Says that it has used a roll more than it has."""

    def turn(self, table, rolls, decisions):
        """Change the number of rolls."""
        answer = super().turn(table, rolls, decisions)
        return answer | {"rolls_used": answer["rolls_used"] + 1}


class CountsWormsAsSix(ReferenceEngine):
    """Plays rightly, but tells wrong totals."""

    def turn(self, table, rolls, decisions):
        """Change the trace."""
        answer = super().turn(table, rolls, decisions)
        for step in answer["trace"]:
            step["total"] += step["kept"].count("W")
        return answer


class NeverEnds(ReferenceEngine):
    """Says that the game goes on after the last tile."""

    def turn(self, table, rolls, decisions):
        """Change `over`."""
        return super().turn(table, rolls, decisions) | {"over": False}


@pytest.mark.parametrize(
    ("engine", "rule"),
    [
        (PassesToTheRight, "failing.passes"),
        (CountsARollTwice, "rolling.forced-end"),
        (CountsWormsAsSix, "claiming.total"),
        (NeverEnds, "ending.grill-empty"),
    ],
)
def test_a_single_part_that_is_wrong_tells_its_rule(engine, rule: str) -> None:
    """Where all else in an answer is right, the rule that decided last is not to blame."""
    assert broken(ask(engine())) == {rule}


class OffersTooMuch(ReferenceEngine):
    """Plays rightly, but says that whatever lies on the grill may be taken."""

    def legal(self, table, kept, roll):
        """Offer every tile, and always a stop."""
        answer = super().legal(table, kept, roll)
        claims = [{"take": tile} for tile in table["grill"]] if roll is None else []
        steals = [claim for claim in answer["claims"] if "steal" in claim]
        return answer | {"claims": claims + steals}


def test_what_is_legal_is_asked_where_an_engine_can_tell() -> None:
    """The rule that forbids an offered claim is the one that is broken."""
    outcomes = ask(OffersTooMuch())
    assert {one.id.rpartition("/")[2] for one in failures(outcomes)} == {"legal"}
    assert broken(outcomes) == {"claiming.worm-needed", "claiming.exact", "claiming.lower"}


def test_an_engine_may_need_a_dead_roll_to_end_a_turn_of_six_faces() -> None:
    """It is asked again with one more, and the roll may be counted."""
    outcomes = ask(NeedsADeadRoll())
    assert verdicts(outcomes) == {Verdict.PASS: len(outcomes)}


@pytest.mark.parametrize("engine", [TellsLittle, ChoosesItself, SettlesOnly])
def test_an_engine_that_can_do_less_passes_what_it_can(engine) -> None:
    """What it does not tell, or chooses itself, is not held against it."""
    outcomes = ask(engine())
    assert set(verdicts(outcomes)) == {Verdict.PASS}


def test_an_engine_without_turns_is_not_judged() -> None:
    """One that only scores games has nothing to show here."""
    assert set(verdicts(ask(ScoresOnly()))) == {Verdict.UNSUPPORTED}


def test_a_case_can_be_asked_alone() -> None:
    """By the id of the turn, or of what else is asked about its table."""
    first, *_ = tables.sample(find_edition().rulings)
    for name in (first.id, f"{first.id}/legal", f"{first.id}/settle"):
        (outcome,) = ask(ReferenceEngine(), only=(name,))
        assert (outcome.id, outcome.verdict) == (name, Verdict.PASS)


def test_every_departure_tells_what_was_asked_and_what_came() -> None:
    """With the table told, so that it can be asked again by itself; passes do now and then."""
    outcomes = ask(ReferenceEngine(find_edition("sheet-000")))
    for one in outcomes:
        told = [exchange for exchange in one.exchanges if exchange.answer and exchange.params]
        assert len(told) == len(one.exchanges)
        if one.verdict is Verdict.FAIL:
            assert told[0].params["table"]["grill"]
            assert one.differences
    assert any(one.exchanges for one in outcomes if one.verdict is Verdict.PASS)


def test_what_a_failed_probe_poisons_is_not_asked() -> None:
    """Stacks that run the wrong way say nothing about stacks of two tiles."""
    outcomes = ask(ReferenceEngine(), failed=["stacks-run-bottom-to-top"])
    tall = {
        case.id: any(len(stack) > 1 for stack in case.script.table.stacks)
        for case in tables.sample(find_edition().rulings)
    }
    for one in outcomes:
        if one.id in tall and one.rules != ("claiming.one-tile",):
            expected = Verdict.NOT_REACHED if tall[one.id] else Verdict.PASS
            assert one.verdict is expected
