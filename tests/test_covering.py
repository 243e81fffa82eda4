"""The sample of tables: every pair of conditions is in it, and an engine is judged by it."""

import hashlib
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import combinations, product

import pytest

from dead_roll_engines import NeedsADeadRoll
from engines_of_ours import ChoosesItself, ScoresOnly, SettlesOnly, TellsLittle
from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.engines.reference import ReferenceEngine
from pickomino_conformance.engines.session import Engine, InProcess
from pickomino_conformance.levels import covering, smoke
from pickomino_conformance.levels.covering import conditions
from pickomino_conformance.levels.covering.drawing import Draw, Lots
from pickomino_conformance.subject import Subject, configuration
from pickomino_reference import (
    ExactOnOpponent,
    LowerTile,
    Rulings,
    SixFaces,
    StealBack,
    StopWithoutClaim,
    find_edition,
)

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


def ask(engine: object, edition: str = "zoch-2005", only=(), failed=()) -> list[Outcome]:
    """Return what level tables makes of an engine in this process."""
    rulings = find_edition(edition).rulings
    with Engine(lambda: InProcess(engine), configuration(rulings)) as talk:
        subject = Subject(talk, rulings)
        list(smoke.run(subject))
        return list(covering.run(subject, failed, only))


def verdicts(outcomes) -> Counter:
    """Count the outcomes by verdict."""
    return Counter(outcome.verdict for outcome in outcomes)


def broken(outcomes) -> set[str]:
    """Return the rules that some outcome fails."""
    return {rule for one in outcomes if one.verdict is Verdict.FAIL for rule in one.rules}


@cache
def seen(edition: str) -> Counter:
    """Count in how many turns of the sample each pair of conditions is."""
    rulings = find_edition(edition).rulings
    asked = conditions.questions(rulings)
    return Counter(
        frozenset(pair)
        for case in covering.sample(rulings)
        for pair in combinations(conditions.conditions_of(case.facts, asked), 2)
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_pair_that_can_go_together_is_covered(edition: str) -> None:
    """In at least three turns of the sample, for any two answers to different questions."""
    missing = {
        pair
        for pair in map(frozenset, conditions.possible(find_edition(edition).rulings))
        if seen(edition)[pair] < covering.TIMES
    }
    assert missing == set()


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_said_never_to_go_together_never_does(edition: str) -> None:
    """Neither in the sample nor in a thousand turns more, drawn without a wish."""
    rulings = find_edition(edition).rulings
    never, asked = conditions.impossible(rulings), conditions.questions(rulings)
    lots, found = Lots(f"never {edition}"), set(seen(edition))
    for _ in range(1000):
        facts = Draw(lots, rulings, {}).facts()
        if facts is not None:
            hold = conditions.conditions_of(facts, asked)
            found.update(map(frozenset, combinations(hold, 2)))
    assert found.intersection(never) == set()


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_pair_either_can_go_together_or_has_a_reason(edition: str) -> None:
    """Nothing is forgotten: all pairs are those that can, and those that are said not to."""
    rulings = find_edition(edition).rulings
    pairs = {
        frozenset((one, other))
        for one, other in combinations(conditions.conditions(rulings), 2)
        if one[0] != other[0]
    }
    can = set(map(frozenset, conditions.possible(rulings)))
    reasons = {pair: why for pair, why in conditions.impossible(rulings).items() if pair in pairs}
    assert can | reasons.keys() == pairs
    assert can & reasons.keys() == set()
    assert all(reasons.values())


def test_the_reasons_speak_of_answers_that_exist() -> None:
    """A misspelt answer would excuse nothing, and nobody would see it."""
    known = {
        (question.name, answer)
        for question in (*conditions.QUESTIONS, conditions.BARRED)
        for answer in question.answers
    }
    told = {
        (name, answer)
        for never in conditions.NEVER
        for name, answers in (
            (never.question, never.answers),
            (never.other, never.others),
        )
        for answer in answers
    }
    assert told - known == set()


def test_stacks_of_two_and_more_tiles_are_in_the_sample() -> None:
    """On the player's own seat and on others, under every way a turn can end."""
    needed = {
        frozenset(((stack, size), ("end", end)))
        for stack in ("own stack", "tallest stack of an opponent")
        for size in ("two", "more")
        for end in ("stop", "all dice", "every face", "dead roll")
    }
    assert needed - set(seen("zoch-2005")) == set()


def test_a_sample_is_found_under_every_combination_of_rulings() -> None:
    """All those that decide what can be claimed, and when a turn may end."""
    combinations_of_rulings = product(
        LowerTile, ExactOnOpponent, StopWithoutClaim, StealBack, SixFaces
    )
    for lower, exact, stop, back, six in combinations_of_rulings:
        rulings = Rulings(
            lower_tile=lower,
            exact_on_opponent=exact,
            stop_without_claim=stop,
            steal_back=back,
            six_faces=six,
        )
        drawn = covering.sample(rulings, covering.TIMES_WHEN_PLAYED_TO)
        assert 100 < len(drawn) < 300, rulings


def test_the_sample_is_the_same_in_every_process() -> None:
    """Whatever seed Python hashes texts by; else an id would be no name for a case."""
    program = (
        "import hashlib\n"
        "from pickomino_conformance.levels.covering import sample\n"
        "from pickomino_reference import Rulings\n"
        "names = ' '.join(case.id for case in sample(Rulings()))\n"
        "print(hashlib.sha256(names.encode()).hexdigest())\n"
    )
    environment = os.environ | {"PYTHONHASHSEED": "271"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
    )
    names = " ".join(case.id for case in covering.sample(find_edition().rulings))
    assert done.stdout.strip() == hashlib.sha256(names.encode()).hexdigest()


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_two_cases_have_one_id(edition: str) -> None:
    """Each can be asked alone by `--case`."""
    ids = [case.id for case in covering.sample(find_edition(edition).rulings)]
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
    failed = [one for one in outcomes if one.verdict is Verdict.FAIL]
    assert {one.id.rpartition("/")[2] for one in failed} == {"legal"}
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
    first, *_ = covering.sample(find_edition().rulings)
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
            assert "Expected: " in one.message
            assert "Came: " in one.message
    assert any(one.exchanges for one in outcomes if one.verdict is Verdict.PASS)


def test_what_a_failed_probe_poisons_is_not_asked() -> None:
    """Stacks that run the wrong way say nothing about stacks of two tiles."""
    outcomes = ask(ReferenceEngine(), failed=smoke.named(["stacks-run-bottom-to-top"]))
    tall = {
        case.id: any(len(stack) > 1 for stack in case.script.table.stacks)
        for case in covering.sample(find_edition().rulings)
    }
    for one in outcomes:
        if one.id in tall and one.rules != ("claiming.one-tile",):
            expected = Verdict.NOT_REACHED if tall[one.id] else Verdict.PASS
            assert one.verdict is expected
