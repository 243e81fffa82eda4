"""What the referee page asks of the reference is answered in the reference's own words."""

import json

import pytest

from pickomino_conformance.explain import explain_plain
from pickomino_reference import edition_names, find_edition, ruling_values
from referee_bridge import answer


def table(grill: list[int], *stacks: list[int], player: int = 0) -> dict:
    """Return a table; what it does not name lies face down."""
    return {"grill": grill, "stacks": list(stacks), "player": player}


def ask(position: dict, edition: str = "zoch-2005", **more) -> dict:
    """Return the answer to a position under an edition."""
    rulings = ruling_values(find_edition(edition).rulings)
    return json.loads(answer(json.dumps({"position": position, "rulings": rulings, **more})))


FAILED_WITH_NOTHING = {
    "table": table([21, 30, 36], [], [25]),
    "kept": "5W",
    "roll": "5555WW",
}
QUESTION_2 = {"table": table([21, 24, 30], [], [25]), "kept": "555WW", "roll": None}


def test_an_answer_is_the_explanation_of_the_harness():
    """All that `explain_plain` tells is in it, unchanged."""
    told = ask(QUESTION_2)
    others, score = told.pop("others"), told.pop("score")
    assert told == json.loads(json.dumps(explain_plain(QUESTION_2, {})))
    assert score is None
    assert others


def test_what_a_failure_costs_elsewhere_is_told():
    """Failed with no tile: nothing is turned here, the 36 by the editions that say so."""
    [other] = ask(FAILED_WITH_NOTHING)["others"]
    assert other == {
        "editions": ["sheet-000", "sheet-001", "sheet-002", "ultraboardgames"],
        "also": [],
        "barred": [],
        "cost": {"returned": None, "turned": 36, "turned_tiles": [36]},
        "otherwise": [],
        "ends_otherwise": False,
    }


def test_which_claims_differ_elsewhere_is_told():
    """25 on an opponent's stack: the short Dutch sheet closes the 24, a web summary opens 21."""
    claims = {
        tuple(other["editions"]): (other["also"], other["barred"])
        for other in ask(QUESTION_2)["others"]
        if other["also"] or other["barred"]
    }
    assert claims == {
        ("sheet-004",): ([], [{"take": 24}]),
        ("ultraboardgames",): ([{"take": 21}], []),
    }


@pytest.mark.parametrize("edition", edition_names())
def test_no_edition_differs_from_itself(edition):
    """Whatever is asked, an edition is not among those that answer otherwise."""
    for position in (FAILED_WITH_NOTHING, QUESTION_2):
        others = [name for one in ask(position, edition)["others"] for name in one["editions"]]
        assert edition not in others


def test_rolling_on_after_six_faces_differs_elsewhere():
    """By the house rule the roll is allowed, by every edition it is barred."""
    position = {"table": table([25, 36], [22], []), "kept": "123455W", "roll": None}
    [other] = ask(position, "zoch-2005+roll-on")["others"]
    assert other["barred"] == [{"roll": 1}]
    assert other["editions"] == edition_names()


def test_another_end_of_the_game_is_told():
    """A tie that a house rule shares is decided by every edition."""
    position = {"table": table([], [36, 24], [25, 30]), "kept": "", "roll": None}
    told = ask(position, "zoch-2005+shared-win")
    assert told["score"] == {"worms": [5, 5], "winners": [0, 1]}
    [other] = told["others"]
    assert other["ends_otherwise"] is True


def test_a_claim_is_played():
    """The tile changes place, and the next player is to roll."""
    after = ask(QUESTION_2, move={"steal": 1})
    assert after["table"]["stacks"] == [[25], []]
    assert after["table"]["player"] == 1
    assert (after["kept"], after["roll"]) == ("", None)


def test_a_face_is_set_aside_and_a_roll_is_made():
    """The dice move as the rules have it; real dice come in any order."""
    position = {"table": table([21, 36], [], []), "kept": "", "roll": None}
    rolled = ask(position, move={"roll": "W1551W23"})
    assert (rolled["kept"], rolled["roll"]) == ("", "112355WW")
    kept = ask({**position, "roll": rolled["roll"]}, move={"keep": "5"})
    assert (kept["kept"], kept["roll"]) == ("55", None)


def test_a_dead_roll_that_lies_there_is_settled():
    """Stopping there is what the rules make of it: the turn has failed."""
    after = ask(FAILED_WITH_NOTHING, "sheet-000", move={"stop": True})
    assert after["table"]["grill"] == [21, 30]
    assert after["table"]["player"] == 1


def test_a_forbidden_move_is_refused_by_its_rule():
    """The 21 is not the next lower tile."""
    assert ask(QUESTION_2, move={"take": 21}) == {"refused": "claiming.lower"}


def test_a_roll_after_the_end_of_the_rolling_is_told_by_a_word():
    """The page has its own words for it, in every language."""
    position = {"table": table([25, 36], [22], []), "kept": "123455W", "roll": "4"}
    assert ask(position) == {"problem": "roll-after-end"}
    assert "problem" not in ask(position, "zoch-2005+roll-on")


def test_an_impossible_position_is_told_in_a_sentence():
    """A tile that lies in two places."""
    position = {"table": table([22, 36], [22], []), "kept": "", "roll": None}
    assert "22 lies in two places" in ask(position)["problem"]
