"""Words: what was asked, what must come and what came, as people read it."""

import msgspec
import pytest

from pickomino_conformance.cases import Exchange, Outcome, Verdict, exchange
from pickomino_conformance.compare import ANSWER, INVARIANT, Difference, compare
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.messages import (
    ErrorData,
    ErrorMessage,
    StepMessage,
    TableMessage,
    TurnResult,
    encode,
)
from pickomino_conformance.protocol.translate import Ask, Scoring, Settling, Start
from pickomino_conformance.words import (
    NAMES,
    message,
    quoted,
    tell_ask,
    tell_came,
    tell_case,
    tell_expected,
)
from pickomino_reference import Decision, Position, Rulings, Script, Steal, Table, Take, Turn

RULEBOOK = Rulings()
DOWN = tuple(sorted({*range(21, 37)} - {22, 25, 28, 30, 36}))
BEFORE = Table((22, 30, 36), DOWN, ((25,), (28,)), 0, ((), ()))
FAILED = Script(
    BEFORE,
    ("1223345W", "123445W", "222WWW"),
    (Decision("W", "roll"), Decision("2", "roll")),
)
STEAL = Script(BEFORE, ("11134WWW", "11444"), (Decision("W", "roll"), Decision("4", "stop")))
FORGED = "Expected: nothing. Came: a steal."


def departed(*differences: Difference, level: str = "turns", reason: str = "") -> Outcome:
    """Return a case that came to these differences."""
    told = (exchange(FAILED, None, RULEBOOK),)
    return Outcome(f"{level}/1", level, (), Verdict.FAIL, differences, reason, told)


@pytest.mark.parametrize(
    ("part", "value", "told"),
    [
        ("grill", [21, 24], "grill 21, 24"),
        ("grill", [21, 22, 23, 36], "grill 21 to 23, 36"),
        ("grill", [], "grill no tile"),
        ("seats", 3, "3 stacks"),
        ("stack.1", [22, 30], "Bob owns 22 30"),
        ("stack.1", [], "Bob owns no tile"),
        ("stacks", [[], [22]], "Ann owns no tile; Bob owns 22"),
        ("player", 0, "Ann is next"),
        ("player", 9, "player 9 is next"),
        ("over", False, "the game goes on"),
        ("over", True, "the game is over"),
        ("barred", [[28], []], "barred to Ann: 28"),
        ("barred", [[], []], "nothing is barred"),
        ("rolls_used", 3, "3 rolls used"),
        ("trace", [["WWW", 5], ["55WWW", 3]], "trace WWW: 5 left, 55WWW: 3 left"),
        ("totals", [15, 25], "totals 15, 25"),
        ("worms", [2, 5], "2, 5 worms"),
        ("worms.1", 5, "Bob has 5 worms"),
        ("worms.1", None, "Bob has no worms"),
        ("winners", [0], "won by Ann"),
        ("winners", [0, 1], "won by Ann and Bob"),
        ("winners", [], "won by nobody"),
        ("keep", "12", "may set aside 1, 2"),
        ("keep", "", "may set aside nothing"),
        ("roll", True, "may roll"),
        ("stop", False, "may not stop"),
        ("claims", [{"take": 24}, {"steal": 1}], "takes 24, steals from Bob"),
        ("claims", [], "nothing to claim"),
        ("face_up.21", True, "the 21 is face up on the grill"),
        ("face_up.21", False, "the 21 is not face up on the grill"),
        ("face_down.21", False, "the 21 is not face down"),
    ],
)
def test_every_part_of_an_answer_has_its_words(part: str, value: object, told: str) -> None:
    """The same for what must come and for what came."""
    assert tell_expected([Difference(part, value, None)], NAMES) == told
    assert tell_came([Difference(part, None, value)], NAMES) == told


def test_parts_are_told_one_after_another() -> None:
    """In the order of the differences, without names by their numbers."""
    found = [Difference("grill", [21, 24], [24]), Difference("stack.1", [22, 30], [22])]
    assert tell_expected(found) == "grill 21, 24; player 1 owns 22 30"
    assert tell_came(found, NAMES) == "grill 24; Bob owns 22"


def error(code: int, said: str = "", **data: object) -> dict:
    """Return an error as the answer of an exchange."""
    found: dict[str, object] = {"code": code, "message": said}
    return {"error": found | ({"data": data} if data else {})}


RESULT = {"result": {"table": {"grill": [22], "stacks": [[25], [28]]}}}


@pytest.mark.parametrize(
    ("expected", "answer", "due_in_words", "came"),
    [
        ("result", error(1), "it is accepted", "it refuses the turn"),
        ("result", error(1, "never"), "it is accepted", "it refuses the turn (“never”)"),
        (
            "result",
            error(2, wants="roll", after_rolls=2),
            "it is accepted",
            "it does not end the turn there but wants a roll after roll 2",
        ),
        (
            "refused",
            error(2, "more", wants="decision"),
            "it is refused",
            "it is accepted, and it does not end the turn there but wants a decision (“more”)",
        ),
        (
            "refused",
            RESULT,
            "it is refused",
            "it is accepted: grill 22; player 0 owns 25; player 1 owns 28",
        ),
        ("refused", {"result": {"worms": None, "winners": [0]}}, "it is refused", "it is accepted"),
        ("refused", error(7, "so"), "it is refused", "error 7 (“so”)"),
        ("result", {"broken": "it left"}, "it is accepted", "it breaks down (“it left”)"),
    ],
)
def test_an_answer_of_another_kind_is_told_whole(
    expected: str, answer: dict, due_in_words: str, came: str
) -> None:
    """Refused, not ended, or accepted with the table that came."""
    found = [Difference(ANSWER, expected, answer)]
    assert (tell_expected(found), tell_came(found)) == (due_in_words, came)


def test_where_the_whole_answer_is_another_all_that_must_come_is_told() -> None:
    """If it is known: the table after the turn."""
    found = [Difference(ANSWER, "result", error(1))]
    right = due(FAILED, RULEBOOK).reply
    told = tell_expected(found, NAMES, right)
    assert told == "grill 22, 25, 30; Ann owns no tile; Bob owns 28"


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (
            TableMessage([22, 25, 30], [[], [37]]),
            "an impossible table, tile 37 is not in the box: grill 22, 25, 30; player 0 owns no "
            "tile; player 1 owns 37",
        ),
        (TableMessage([22, 25, 30], [[22], [28]]), "an impossible table, tile 22 is there twice"),
        (
            TableMessage([22, 25, 30], [[], [28]], face_down=[21]),
            "an impossible table, face-down tiles 21 where 21, 23, 24, 26, 27, 29, 31 to 36 are "
            "missing elsewhere",
        ),
        (
            TableMessage([22, 25, 30], [[], [28], []]),
            "an impossible table, 3 stacks for 2 players",
        ),
        (
            TableMessage([22, 25, 30], [[], [28]], player=7),
            "an impossible table, player 7 has no seat; players are numbered from 0",
        ),
        (
            TableMessage([21, 22, 25, 30], [[], [28]]),
            "an impossible table, face-down tiles are back in the game: 21",
        ),
        (
            TableMessage([22, 30], [[], [28]]),
            "an impossible table, more than one tile left the game in one turn: 25, 36",
        ),
    ],
)
def test_what_is_impossible_about_a_table_is_told(table: TableMessage, told: str) -> None:
    """And the table itself; what holds for every table stands in the place of what must come."""
    found = compare(FAILED, TurnResult(table), RULEBOOK)
    assert [one.part for one in found] == [INVARIANT]
    assert tell_came(found).startswith(told)
    assert "; player 1 owns " in tell_came(found)
    assert not tell_expected(found).startswith(("grill", "an impossible"))


def test_a_wrong_trace_is_told_with_the_right_one() -> None:
    """All its steps, not the last one only."""
    reply = TurnResult(
        TableMessage([22, 25, 30], [[], [28]]),
        trace=[StepMessage("W", 7, 6), StepMessage("2W", 6, 7)],
    )
    found = compare(FAILED, reply, RULEBOOK)
    assert (tell_expected(found), tell_came(found)) == ("totals 5, 7", "totals 6, 7")


TOLD = (
    "grill 22, 30, 36; player 0 owns 25; player 1 owns 28. player 0 rolls 1 2 2 3 3 4 5 W, sets "
    "aside W, rolls 1 2 3 4 4 5 W, sets aside 2, rolls 2 2 2 W W W"
)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (FAILED, TOLD),
        (
            Script(BEFORE, ("11134WWW",), (Decision("W", "stop", Steal(1)),)),
            "grill 22, 30, 36; player 0 owns 25; player 1 owns 28. player 0 rolls 1 1 1 3 4 W W W, "
            "sets aside W, stops and steals from player 1",
        ),
        (Start(1), "A game for 1 player is set up"),
        (Start(2), "A game for 2 players is set up"),
        (
            Scoring(((36,), ())),
            "player 0 owns 36; player 1 owns no tile. The worms are counted",
        ),
        (
            Position(BEFORE, Turn("WW", "112345")),
            "grill 22, 30, 36; player 0 owns 25; player 1 owns 28. player 0 has W W set aside, and "
            "has rolled 1 1 2 3 4 5. What is legal is asked",
        ),
        (
            Settling(BEFORE, "555WW", Take(22)),
            "grill 22, 30, 36; player 0 owns 25; player 1 owns 28. player 0 has 5 5 5 W W set "
            "aside, and stops and takes 22",
        ),
        (
            Settling(BEFORE, "555WW", None, dead=True),
            "grill 22, 30, 36; player 0 owns 25; player 1 owns 28. player 0 has 5 5 5 W W set "
            "aside, and rolls no face that is new",
        ),
    ],
)
def test_everything_that_is_asked_has_its_words(ask: Ask, told: str) -> None:
    """A turn, a start, a score, what is legal, and an end of a turn."""
    assert tell_ask(ask) == told


def after(asked: Exchange, answer: dict, *, goes_on: bool = False) -> Exchange:
    """Return a request with its answer."""
    return msgspec.structs.replace(asked, answer=answer, goes_on=goes_on)


def test_a_case_is_told_by_the_request_that_is_judged() -> None:
    """Those with whose table it goes on come before it; players of features have names."""
    one, other = exchange(STEAL, None, RULEBOOK), exchange(FAILED, None, RULEBOOK)
    second = (after(one, RESULT), after(other, RESULT, goes_on=True))
    _, turn = TOLD.split(". ")
    rolled = "rolls 1 1 1 3 4 W W W, sets aside W, rolls 1 1 4 4 4, sets aside 4, stops"
    told = tell_case(
        Outcome("failing/a", "features", (), Verdict.FAIL, exchanges=second, players=NAMES)
    )
    begin = "grill 22, 30, 36; Ann owns 25; Bob owns 28. Ann"
    assert told == f"{begin} {rolled}; then {turn.replace('player 0', 'Ann')}"
    first = Outcome("turns/1", "turns", (), Verdict.FAIL, exchanges=second, at=0)
    assert tell_case(first).endswith(f"player 0 {rolled}")
    alone = (after(one, RESULT), after(other, RESULT))
    assert tell_case(Outcome("games/1", "games", (), Verdict.FAIL, exchanges=alone)) == TOLD


def test_what_follows_a_refusal_is_told_with_it() -> None:
    """So that it is clear whose dice and tiles are still there."""
    one, other = exchange(STEAL, None, RULEBOOK), exchange(FAILED, None, RULEBOOK)
    exchanges = (after(one, error(1, "no")), after(other, RESULT, goes_on=True))
    told = tell_case(Outcome("refusals/1", "refusals", (), Verdict.FAIL, exchanges=exchanges))
    assert ", stops. It is refused, as it must be, and then: player 0 rolls 1 2 2 3" in told


def test_a_message_tells_the_case_what_must_come_and_what_came() -> None:
    """In sentences; or the case, and why it was not judged."""
    found = Difference("grill", [22, 25, 30], [22, 30, 36])
    end = "Expected: grill 22, 25, 30. Came: grill 22, 30, 36."
    assert message(departed(found)) == f"{TOLD}. {end}"
    lacking = departed(reason="the engine has no capability 'score'")
    assert message(lacking) == f"{TOLD}. The engine has no capability 'score'."
    assert message(Outcome("", "turns", (), Verdict.FAIL)) == ""


@pytest.mark.parametrize("said", [FORGED, f"x”). {FORGED} (“", f"”{FORGED}“", FORGED * 300])
def test_what_an_engine_says_does_not_leave_its_quotation(said: str) -> None:
    """It can't end it, and a long one is cut."""
    told = quoted(said)
    assert (told[0], told[-1], len(told) <= 2003) == ("“", "”", True)
    assert not set(told[1:-1]) & set("“”")


@pytest.mark.parametrize("code", [1, 2, 3, 7])
def test_what_an_engine_says_and_wants_is_quoted(code: int) -> None:
    """A sentence of ours can't be forged by an error's message, nor by its data."""
    data = msgspec.Raw(encode(ErrorData(wants=FORGED)))
    reply = ErrorMessage(code, FORGED, data)
    found = compare(FAILED, reply, RULEBOOK)
    told = tell_came(found)
    assert FORGED in told
    assert FORGED not in told.replace(quoted(FORGED), "")
    assert tell_came(found, most=8).count("Expected…") == told.count(FORGED)
