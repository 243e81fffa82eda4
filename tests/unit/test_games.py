"""Random games: what is drawn, and what they find out about an engine."""

import hashlib
from collections import Counter
from functools import cache

import pytest

from dead_roll_engines import NeedsADeadRollFromTheStart
from engines_of_ours import ChoosesItself, ScoresOnly, SettlesOnly, StartsOnly, TellsLittle
from levels_in_process import broken, outcomes_of, under_test, verdicts
from pickomino_conformance.blame import shown
from pickomino_conformance.cases import Outcome, Verdict, games
from pickomino_conformance.cases.games.drawing import MOST_TURNS, DrawnGame, draw, shorter, simplest
from pickomino_conformance.cases.games.match import Match
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.messages import encode
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import request
from pickomino_reference import End, find_edition, play_turn, score

MANY = 60


def ask(engine: object, edition: str = "zoch-2005", **wanted) -> list[Outcome]:
    """Return what level games makes of an engine in this process."""
    return outcomes_of(games, engine, edition, **{"games": 20, **wanted})


def smallest(outcomes, rule: str) -> Outcome:
    """Return the first outcome that fails in a rule, which was made small."""
    return next(one for one in outcomes if one.verdict is Verdict.FAIL and one.rules == (rule,))


@cache
def drawn(edition: str, seed: int, number: int) -> tuple[DrawnGame, ...]:
    """Return the games of a seed, as the level draws them."""
    rulings = find_edition(edition).rulings
    return tuple(draw(f"{seed}-{place}", rulings, (2, 7)) for place in range(number))


def told(outcomes) -> list[tuple]:
    """Return all that outcomes tell."""
    return [(one.id, one.verdict, one.rules, one.differences, one.exchanges) for one in outcomes]


def test_a_seed_draws_the_same_games_again() -> None:
    """Another one draws others; the course of a game never hangs on the engine."""
    assert drawn("zoch-2005", 3, 5) == drawn.__wrapped__("zoch-2005", 3, 5)
    others = drawn("zoch-2005", 4, 5)
    assert [game for game in drawn("zoch-2005", 3, 5) if game in others] == []


def test_a_game_is_the_same_alone_as_among_others() -> None:
    """`games/5-2` names one game, whatever else is played."""
    wrong = ReferenceEngine(find_edition("sheet-001"))
    among = next(one for one in ask(wrong, seed=5, games=3) if one.id == "games/5-2")
    (alone,) = ask(wrong, only=("games/5-2",))
    assert (alone.id, alone.verdict) == (among.id, among.verdict) == ("games/5-2", Verdict.FAIL)
    assert told([alone]) == told(ask(wrong, only=("games/5-2",)))


@pytest.mark.parametrize("edition", ["zoch-2005", "ultraboardgames", "999-games+no-steal-back"])
def test_nearly_every_game_comes_to_its_end(edition: str) -> None:
    """None has more than 80 turns, and hardly one is broken off there."""
    played = drawn(edition, 1, MANY)
    assert max(len(game.turns) for game in played) <= MOST_TURNS
    assert sum(game.end.grill == () for game in played) >= MANY - 3


def test_each_turn_begins_where_the_one_before_ended() -> None:
    """From the full grill on."""
    for game in drawn("zoch-2005", 1, MANY):
        rulings = find_edition().rulings
        tables = [*(turn.table for turn in game.turns), game.end]
        assert tables[0].grill == tuple(range(21, 37))
        assert tables[1:] == [play_turn(turn, rulings).position.table for turn in game.turns]


def test_what_is_rare_comes_often() -> None:
    """Sixty games show each of these several times, for every number of players."""
    played = drawn("zoch-2005", 1, MANY)
    rulings = find_edition().rulings
    came = Counter(
        rule for game in played for turn in game.turns for rule in shown(due(turn, rulings))
    )
    totals = Counter(
        sum(5 if face == "W" else int(face) for face in turn.set_aside) > 36
        for game in played
        for turn in game.turns
    )
    rare = (
        "failing.returned-highest",
        "failing.nothing-returned",
        "failing.no-worm",
        "failing.out-of-reach",
        "rolling.stop-freely",
        "stealing.exact",
        "stealing.optional",
        "claiming.above-highest",
    )
    assert [rule for rule in rare if came[rule] < 5] == []
    assert totals[True] > 20
    assert {game.players for game in played} == {2, 3, 4, 5, 6, 7}
    assert sum(game.told for game in played) > 5


def test_the_ties_drawn_are_ties() -> None:
    """Two players have the most worms, by the numbers on the tiles."""
    rulings = find_edition().rulings
    tied = [game.tied for game in drawn("zoch-2005", 1, MANY) if game.tied]
    for stacks in tied:
        worms = sorted(score(stacks, rulings).worms)
        assert worms[-1] == worms[-2] > 0
    assert len(tied) > MANY // 2


@pytest.mark.parametrize(
    "edition", ["zoch-2005", "999-games", "ultraboardgames+no-steal-back+roll-on"]
)
def test_the_reference_passes_every_game(edition: str) -> None:
    """Turns and scores."""
    outcomes = ask(ReferenceEngine(find_edition(edition)), edition)
    assert verdicts(outcomes) == {Verdict.PASS: 20}
    assert any(one.exchanges for one in outcomes)


@pytest.mark.parametrize("engine", [StartsOnly, TellsLittle, ChoosesItself, SettlesOnly])
def test_an_engine_that_can_do_less_passes_what_it_can(engine) -> None:
    """One that can't be set plays from the start; one that can't start is set."""
    assert verdicts(ask(engine())) == {Verdict.PASS: 20}


def test_an_engine_that_only_scores_is_asked_for_scores() -> None:
    """Those at the end of the games, and ties."""
    outcomes = ask(ScoresOnly())
    assert verdicts(outcomes) == {Verdict.PASS: 20}
    rules = {rule for one in outcomes for rule in one.rules}
    assert rules == {"ending.worms-win", "ending.tie-break"}


def test_a_departure_is_cut_to_one_small_turn() -> None:
    """Two players, hardly a tile, one or two rolls; the table is told."""
    outcomes = ask(ReferenceEngine(find_edition("zoch-2005", {"flip-without-return": "yes"})))
    found = smallest(outcomes, "failing.nothing-returned")
    (exchange,) = found.exchanges
    table = exchange.params["table"]
    assert table["stacks"] == [[], []]
    assert len(table["grill"]) == 1
    assert len(exchange.params["rolls"]) <= 2
    assert exchange.answer["result"]["table"]["grill"] == []
    assert found.id.startswith("games/1-")


def test_several_faults_of_one_engine_all_come_to_light() -> None:
    """sheet-001 judged by the rulebook: three rulings differ, and nothing else is blamed."""
    outcomes = ask(ReferenceEngine(find_edition("sheet-001")))
    assert broken(outcomes) == {
        "failing.returned-highest",
        "failing.nothing-returned",
        "rolling.stop-freely",
    }


def test_a_wrong_score_is_made_small() -> None:
    """Two players, and as few tiles as show it."""
    outcomes = ask(ReferenceEngine(find_edition("zoch-2005", {"tie-break": "shared"})))
    found = smallest(outcomes, "ending.tie-break")
    stacks = found.exchanges[-1].params["stacks"]
    assert len(stacks) == 2
    assert sum(map(len, stacks)) <= 4
    assert broken(outcomes) == {"ending.tie-break"}


class LosesTheTurn(ReferenceEngine):
    """Plays rightly from a table that is told; in a game of its own the fifth turn never ends."""

    turns_played = 0

    def start(self, players):
        """Begin to count."""
        self.turns_played = 0
        return super().start(players)

    def turn(self, table, rolls, decisions):
        """Leave the player as it was, in the fifth turn since the start."""
        before = self._read(table).player
        answer = super().turn(table, rolls, decisions)
        self.turns_played = 0 if table is not None else self.turns_played + 1
        if self.turns_played == 5:
            answer["table"]["player"] = before
        return answer


class LosesTheTurnFromTheStart(LosesTheTurn):
    """The same, and it can't be set to a table."""

    def hello(self):
        """Leave `set-table` out."""
        hello = super().hello()
        kept = [name for name in hello["capabilities"] if name != "set-table"]
        return hello | {"capabilities": kept}


@pytest.mark.parametrize("engine", [LosesTheTurn, LosesTheTurnFromTheStart])
def test_what_only_a_game_shows_is_shrunk_as_a_game(engine) -> None:
    """Five turns are needed to see it, and no more are told."""
    outcomes = ask(engine())
    assert broken(outcomes) == {"failing.passes"}
    found = smallest(outcomes, "failing.passes")
    assert [exchange.method for exchange in found.exchanges] == ["start"] + ["turn"] * 5


def test_a_game_goes_on_after_a_turn_that_needs_a_dead_roll() -> None:
    """The whole game is asked again with that roll, since such an engine can't be set."""
    assert verdicts(ask(NeedsADeadRollFromTheStart(), games=MANY)) == {Verdict.PASS: MANY}


class CrashesNowAndThen(ReferenceEngine):
    """Crashes whenever the 30 is stolen."""

    def turn(self, table, rolls, decisions):
        """Crash."""
        answer = super().turn(table, rolls, decisions)
        if decisions and (decisions[-1].get("claim") or {}).get("steal") is not None:
            assert not any(stack[-1:] == [30] for stack in answer["table"]["stacks"]), "oh no"
        return answer


def test_a_crash_in_a_game_is_an_error_and_no_pass(capfd) -> None:
    """The other games are judged."""
    by_verdict = verdicts(ask(CrashesNowAndThen()))
    capfd.readouterr()
    assert by_verdict[Verdict.ERROR] > 0
    assert by_verdict[Verdict.PASS] > 0
    assert by_verdict[Verdict.FAIL] == 0


def test_what_a_failed_probe_poisons_is_not_played() -> None:
    """Every game has claims."""
    outcomes = ask(ReferenceEngine(), failed=["an-exact-tile-is-taken"])
    assert verdicts(outcomes) == {Verdict.NOT_REACHED: 20}


@pytest.mark.parametrize("name", ["turns/1-2", "games/1", "games/x-1", "games/1-", "games/-1-2"])
def test_what_is_no_id_of_a_game_names_none(name: str) -> None:
    """Nothing is played then."""
    assert ask(ReferenceEngine(), only=(name,)) == []


FIRST_GAMES = "e27d94c6dd6db24f"


def test_a_seed_gives_the_same_games_for_ever() -> None:
    """Whoever is told `games/1-3` a year later must find the game that was played."""
    rulings = find_edition().rulings
    told = hashlib.sha256()
    for game in drawn("zoch-2005", 1, 3):
        told.update(repr((game.players, game.told, game.tied)).encode())
        for turn in game.turns:
            told.update(encode(request(turn, rulings)))
    assert told.hexdigest()[:16] == FIRST_GAMES


def test_a_shorter_game_is_a_game() -> None:
    """It has fewer turns, each legal on the table that the one before has left."""
    rulings = find_edition().rulings
    game = next(game for game in drawn("zoch-2005", 1, MANY) if len(game.turns) > 10)
    candidates = list(shorter(game, rulings))
    assert candidates != []
    for one in candidates:
        assert 0 < len(game.turns) - len(one.turns) <= len(game.turns) // 2
        records = [play_turn(turn, rulings) for turn in one.turns]
        assert {record.end for record in records}.isdisjoint((End.REFUSED, End.UNFINISHED))
        tables = [turn.table for turn in one.turns]
        assert [*tables[1:], one.end] == [record.position.table for record in records]


def test_a_turn_is_made_no_simpler_than_what_must_differ() -> None:
    """Whatever differs only with two tiles on the own stack keeps two, and nothing else."""
    rulings = find_edition().rulings
    tall = (turn for game in drawn("zoch-2005", 1, MANY) for turn in game.turns)
    turn = next(turn for turn in tall if len(turn.table.own) > 3 and play_turn(turn, rulings).why)
    found = simplest(turn, rulings, 2, lambda one: len(one.table.own) >= 2)
    table = found.table
    assert (len(table.stacks), len(table.own), len(table.grill)) == (2, 2, 1)
    assert sum(map(len, table.stacks)) == 2
    assert len(found.rolls) == 1


def test_a_match_tells_each_turn_and_both_scores() -> None:
    """Of a game that has ended, every turn is judged, then its score and that of a tie."""
    game = next(game for game in drawn("zoch-2005", 1, MANY) if game.tied and not game.told)
    judged = Match(under_test(ReferenceEngine()), game).judge()
    assert [one.turn for one in judged] == [*game.turns, None, None]
    assert {one.judgement.verdict for one in judged} == {Verdict.PASS}
    methods = [told.method for one in judged for told in one.exchanges]
    assert methods == ["start", *["turn"] * len(game.turns), "score", "score"]
