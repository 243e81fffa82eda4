"""An answer is compared in full, and in one way, whichever level asks for it."""

from functools import cache
from types import SimpleNamespace

import pytest
from msgspec import UNSET
from msgspec.structs import astuple, replace

from levels_in_process import broken, failures, outcomes_of, under_test, wrong_parts
from pickomino_conformance import Refused
from pickomino_conformance.cases import Outcome, Verdict, features, games, refusals, tables, turns
from pickomino_conformance.compare import compare
from pickomino_conformance.diagnose import Evidence
from pickomino_conformance.faults import FaultyEngine, faults_against
from pickomino_conformance.oracle import Due, due, others
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.messages import ErrorMessage, TurnResult
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import request
from pickomino_conformance.report import replay
from pickomino_reference import Rulings, Script, StealBack, find_edition, start
from tampering import Plain, Tamper, Tampered, first_total

RULEBOOK = find_edition().rulings
BARRED = find_edition("zoch-2005+no-steal-back")


@cache
def scripts(rulings: Rulings) -> turns.Turns:
    """Return some turns of level `turns`, of one roll and of several."""

    class Some(turns.Turns):
        def cases(self) -> list[turns.TurnCase]:
            return kept

    kept = turns.Turns(start(2), rulings).cases()[::400]
    return Some(start(2), rulings)


def asked_turns(engine: object, edition: str = "zoch-2005") -> list[Outcome]:
    """Return what level `turns` makes of an engine, by some of its cases."""
    subject = under_test(engine, edition)
    return list(turns.AskingTurns(subject, scripts(subject.rulings)).run())


def asked(level: str, engine: object, edition: str = "zoch-2005") -> list[Outcome]:
    """Return what a generated level makes of an engine."""
    if level == "turns":
        return asked_turns(engine, edition)
    if level == "games":
        return outcomes_of(games, engine, edition, games=6)
    return outcomes_of({"tables": tables, "refusals": refusals}[level], engine, edition)


# The engine that passed one level and failed another


@pytest.mark.parametrize("level", ["turns", "tables", "games"])
def test_a_wrong_total_on_the_way_is_seen_at_every_level(level: str) -> None:
    """One too many in the first of several steps: nothing but the totals, and their rule."""
    outcomes = asked(level, Tampered(turn=first_total))
    assert len(failures(outcomes)) > 5
    assert wrong_parts(outcomes) == {"totals"}
    assert broken(outcomes) == {"claiming.total"}


def test_a_wrong_total_on_the_way_is_seen_in_every_turn_of_several_steps() -> None:
    """None of them is passed over."""
    failed = {one.id for one in failures(asked_turns(Tampered(turn=first_total)))}
    several = {one.id for one in scripts(RULEBOOK).cases() if len(one.decisions) > 1}
    assert failed == several
    assert len(several) > 200


def test_a_wrong_total_on_the_way_is_blamed_on_its_rule_and_explained_by_no_fault() -> None:
    """The catalogue has no such fault, and the diagnosis says so, case by case."""
    evidence = Evidence(RULEBOOK)
    seen = [evidence.look(one) for one in asked("tables", Tampered(turn=first_total))]
    failed = failures(seen)
    assert {one.rules for one in failed} == {("claiming.total",)}
    assert {one.unexplained for one in failed} == {True}
    assert evidence.diagnose().faults == ()


@pytest.mark.parametrize("level", ["turns", "tables", "games"])
def test_a_wrong_total_on_the_way_is_seen_again_in_a_replay(level: str, tmp_path) -> None:
    """Each written case departs again, in the same part; the reference passes it."""
    folder = replay.Folder(tmp_path)
    for one in failures(asked(level, Tampered(turn=first_total)))[:20]:
        folder.write(one, "tampered", "zoch-2005", RULEBOOK)
    read = [replay.read(path) for path in replay.find(tmp_path)]
    assert read != []
    for case in read:
        wrong = under_test(Tampered(turn=first_total)).conversation
        again = replay.replay(case, RULEBOOK, wrong).outcome
        assert (again.verdict, again.rules) == (Verdict.FAIL, ("claiming.total",))
        assert [found.part for found in again.differences] == ["totals"]
        right = under_test(ReferenceEngine()).conversation
        assert replay.replay(case, RULEBOOK, right).verdict is Verdict.PASS


# Every part of an answer


def _swap(answer: Plain) -> None:
    """Tell the tallest stack, if it is of two or more, from top to bottom."""
    stack = max(answer["table"]["stacks"], key=len)
    stack.reverse()


def _no_lowest(answer: Plain) -> None:
    """Leave the lowest tile of the grill out."""
    del answer["table"]["grill"][:1], answer["table"]["face_down"]


def _next_player(answer: Plain) -> None:
    table = answer["table"]
    table["player"] = (table["player"] + 1) % len(table["stacks"])


def _bars(answer: Plain) -> None:
    """Tell that nothing is barred where something is, and the other way round."""
    answer["table"]["barred"] = [[] if tiles else [36] for tiles in answer["table"]["barred"]]


def _more_rolls(answer: Plain) -> None:
    answer["rolls_used"] += 1


def _over(answer: Plain) -> None:
    answer["over"] = not answer["over"]


def _one_die_less(answer: Plain) -> None:
    for step in answer["trace"]:
        step["kept"] = step["kept"][1:]


def _one_die_more_left(answer: Plain) -> None:
    for step in answer["trace"][-1:]:
        step["dice"] += 1


def _other_faces(answer: Plain) -> None:
    answer["keep"] = answer["keep"][1:] if answer["keep"] else "W"


def _roll(answer: Plain) -> None:
    answer["roll"] = not answer["roll"]


def _stop(answer: Plain) -> None:
    answer["stop"] = not answer["stop"]


def _no_claim(answer: Plain) -> None:
    answer["claims"] = answer["claims"][1:] or [{"take": 21}]


def _one_worm(answer: Plain) -> None:
    answer["worms"][0] += 1


def _all_win(answer: Plain) -> None:
    answer["winners"] = [0] if answer["winners"] != [0] else [1]


GENERATED = ("turns", "tables", "games")
PARTS: list[tuple[str, str, Tamper, tuple[str, ...]]] = [
    ("rolls_used", "turn", _more_rolls, GENERATED),
    ("player", "turn", _next_player, GENERATED),
    ("over", "turn", _over, GENERATED),
    ("trace", "turn", _one_die_less, GENERATED),
    ("trace", "turn", _one_die_more_left, GENERATED),
    ("player", "settle", _next_player, ("tables",)),
    ("over", "settle", _over, ("tables",)),
    ("keep", "legal", _other_faces, ("tables",)),
    ("roll", "legal", _roll, ("tables",)),
    ("stop", "legal", _stop, ("tables",)),
    ("claims", "legal", _no_claim, ("tables",)),
    ("worms", "score", _one_worm, ("games",)),
    ("winners", "score", _all_win, ("games",)),
]


@pytest.mark.parametrize(
    ("part", "method", "tamper", "level"),
    [(part, method, tamper, level) for part, method, tamper, levels in PARTS for level in levels],
)
def test_a_part_that_is_wrong_is_found_and_no_other(part, method, tamper, level) -> None:
    """The comparison names exactly what was spoilt, at each level that asks for it."""
    found = failures(asked(level, Tampered(**{method: tamper})))
    assert found != []
    assert {tuple(one.part for one in outcome.differences) for outcome in found} == {(part,)}


@pytest.mark.parametrize("level", ["tables", "games"])
def test_a_stack_that_is_told_upside_down_is_found_and_no_other(level: str) -> None:
    """It is the tallest one, wherever it stands."""
    found = failures(asked(level, Tampered(turn=_swap)))
    assert found != []
    for one in found:
        ((part, expected, actual),) = [(d.part, d.expected, d.actual) for d in one.differences]
        assert part.startswith("stack.")
        assert (actual, len(actual) > 1) == (expected[::-1], True)


@pytest.mark.parametrize("level", ["turns", "tables", "games"])
def test_a_tile_that_is_missing_on_the_grill_is_found(level: str) -> None:
    """It lies face down then; if another one was turned as well, that is one too many."""
    found = failures(asked(level, Tampered(turn=_no_lowest)))
    parts = {tuple(one.part for one in outcome.differences) for outcome in found}
    assert ("grill",) in parts
    # On a full grill nobody owns a tile, so that none is turned besides.
    assert parts - {("grill",)} == (set() if level == "turns" else {("invariant",)})


class SpoiltByARefusal(Tampered):
    """Answers rightly, but for the first turn after one that it has refused."""

    refused = False

    def turn(self, table, rolls, decisions) -> Plain:
        """Play a turn, and remember whether it was refused."""
        tamper, self._tamper = self._tamper, self._tamper if self.refused else {}
        try:
            answer = super().turn(table, rolls, decisions)
            self.refused = False
        except Refused:
            self.refused = True
            raise
        finally:
            self._tamper = tamper
        return answer


@pytest.mark.parametrize(
    ("part", "tamper"), [(part, one) for part, how, one, _ in PARTS if how == "turn"]
)
def test_a_part_that_is_wrong_after_a_refusal_is_found_and_no_other(part, tamper) -> None:
    """The turn that can follow is compared in full, too."""
    found = failures(outcomes_of(refusals, SpoiltByARefusal(turn=tamper)))
    assert found != []
    assert {tuple(one.part for one in outcome.differences) for outcome in found} == {(part,)}
    assert {one.at for one in found} == {2}


@pytest.mark.parametrize("level", GENERATED)
def test_wrongly_barred_tiles_are_found_where_they_matter(level: str) -> None:
    """They are compared under `steal-back = barred`, and told under no other value."""
    edition = BARRED.name
    assert find_edition(edition).rulings.steal_back is StealBack.BARRED
    found = failures(asked(level, Tampered(BARRED, turn=_bars), edition))
    assert {tuple(one.part for one in outcome.differences) for outcome in found} == {("barred",)}
    assert broken(found) == {"stealing.steal-back"}


@pytest.mark.parametrize(
    ("method", "tamper", "parts"),
    [("score", _one_worm, {"worms.0"}), ("score", _all_win, {"winners"})],
)
def test_a_wrong_score_is_found_by_the_features(method, tamper, parts) -> None:
    """They look at the worms of a single player, and at who wins."""
    assert wrong_parts(outcomes_of(features, Tampered(**{method: tamper}))) == parts


# One comparison


def meant(reply: Reply) -> object:
    """Return what a reply means: of an error its code, of a result all but what means nothing.

    Barred tiles mean nothing under these rulings, and no player moves once the grill is empty.
    """
    if isinstance(reply, ErrorMessage):
        return reply.code
    assert isinstance(reply, TurnResult)
    table = replace(reply.table, barred=UNSET)
    return TurnResult(table if table.grill else replace(table, player=0), *astuple(reply)[1:])


def as_good(script: Script, reply: Reply, rulings: Rulings, *, chooses: bool) -> bool:
    """Whether a reply is the one that is due, or one of those that will do."""
    right = due(script, rulings)
    will_do: list[Due] = [right, *others(script, right, rulings, chooses=chooses)]
    return meant(reply) in [meant(one.reply) for one in will_do]


@cache
def sampled() -> tuple[Script, ...]:
    """Return turns of all kinds, legal and forbidden, on all kinds of tables."""
    allowed = [case.script for case in tables.sample(RULEBOOK)[::25]]
    forbidden = [case.script for case in refusals.cases(RULEBOOK)[::6]]
    whole = [Script(start(2), one.rolls, one.decisions) for one in scripts(RULEBOOK).cases()[::40]]
    return (*allowed, *forbidden, *whole)


@pytest.mark.parametrize("chooses", [True, False])
def test_nothing_differs_exactly_where_the_reply_is_one_that_will_do(chooses: bool) -> None:
    """For every fault of the catalogue: equal messages, and only they, are no difference."""
    told_apart = SimpleNamespace(right=0, wrong=0)
    for fault in faults_against(RULEBOOK):
        subject = under_test(FaultyEngine([fault]), RULEBOOK)
        replies = subject.conversation.ask_many([request(script, RULEBOOK)] for script in sampled())
        for script, (reply,) in zip(sampled(), replies, strict=True):
            differs = compare(script, reply, RULEBOOK, chooses=chooses) != ()
            good = as_good(script, reply, RULEBOOK, chooses=chooses)
            assert differs is not good, (fault.name, script, reply)
            told_apart.right += good
            told_apart.wrong += differs
    assert told_apart.right > told_apart.wrong > 200


# What a generated case leads back to


def test_a_departure_names_the_shortest_listed_case_that_shows_its_fault() -> None:
    """A random game says less to a person than the scenario of its rule."""
    wrong = ReferenceEngine(find_edition("zoch-2005", {"flip-without-return": "yes"}))
    evidence = Evidence(RULEBOOK)
    scenes = failures([evidence.look(one) for one in outcomes_of(features, wrong)])
    shortest = min(scenes, key=lambda one: one.size)
    drawn = failures([evidence.look(one) for one in outcomes_of(games, wrong, games=3)])
    assert drawn != []
    assert {(one.level, one.listed) for one in drawn} == {("games", shortest.id)}
    assert shortest.rules == ("failing.nothing-returned",)
