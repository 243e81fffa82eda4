"""Random games over the pipe."""

import sys
from pathlib import Path

from levels_in_process import verdicts
from pickomino_conformance.cases import Verdict, Wanted, games
from pickomino_conformance.check import Plan
from pickomino_conformance.check import run as check
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.finding import find, of_command
from pickomino_reference import find_edition

BAD_ENGINES = Path(__file__).parents[1] / "bad_engines"


def test_a_check_plays_the_games_of_its_seed() -> None:
    """Over the pipe, so many as asked for."""
    plan = Plan(find("reference"), find_edition(), levels=("games",), seed=9, number_of_games=4)
    assert check(plan).tally.levels["games"] == {Verdict.PASS: 4}


def test_an_engine_that_leaves_again_and_again_is_given_up() -> None:
    """Over the pipe: a game in which it leaves is an error, and after five none is asked."""
    leaves = BAD_ENGINES / "crashes_at_a_steal.py"
    rulings = find_edition().rulings
    with Conversation(of_command([sys.executable, str(leaves)]).launcher(30)) as talk:
        by_verdict = verdicts(games.run(EngineUnderTest(talk, rulings), Wanted(games=12)))
        assert talk.given_up
    assert by_verdict[Verdict.ERROR] == 5
    assert by_verdict[Verdict.PASS] + by_verdict[Verdict.NOT_REACHED] == 7
    assert by_verdict[Verdict.NOT_REACHED] > 0
