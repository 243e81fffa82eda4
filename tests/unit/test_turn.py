"""A scripted turn: each of its ends, and each script that does not fit, worked out by hand."""

from dataclasses import replace

import pytest

from pickomino_reference import (
    Decision,
    End,
    Position,
    Record,
    Rule,
    Rulings,
    Script,
    SixFaces,
    Steal,
    Step,
    StopWithoutClaim,
    Table,
    Take,
    Turn,
    play_turn,
)

ZOCH = Rulings()
BARRED = replace(ZOCH, stop_without_claim=StopWithoutClaim.BARRED)
ROLL_ON = replace(ZOCH, six_faces=SixFaces.ROLL_ON)
ROLL_ON_BARRED = replace(ROLL_ON, stop_without_claim=StopWithoutClaim.BARRED)


def table(grill, *stacks, player=0) -> Table:
    """Return a table of these tiles; the rest lies face down."""
    named = [*grill, *(tile for stack in stacks for tile in stack)]
    rest = tuple(tile for tile in range(21, 37) if tile not in named)
    return Table(tuple(grill), rest, stacks, player, ((),) * len(stacks))


# The first player owns 22 below 26, the second shows 25.
BEFORE = table([21, 24, 30, 36], (22, 26), (27, 25))
# 26 goes back to the grill, and 36, the highest, is turned face down.
FAILED = table([21, 24, 26, 30], (22,), (27, 25), player=1)


def roll_on(keep) -> Decision:
    """Return the decision to set a face aside and to roll on."""
    return Decision(keep, "roll")


def stop(keep, claim=None) -> Decision:
    """Return the decision to set a face aside and to stop."""
    return Decision(keep, "stop", claim)


def played(rolls: str, *decisions: Decision, on=BEFORE, of=ZOCH) -> Record:
    """Return what becomes of a turn; its rolls are parted by blanks."""
    return play_turn(Script(on, tuple(rolls.split()), decisions), of)


def failure(end: End, why: Rule, trace: tuple[Step, ...], rolls_used: int, **more) -> Record:
    """Return the record of a turn that failed on the table `BEFORE`."""
    rule = Rule.FAILING_FLIP_HIGHEST
    return Record(Position(FAILED), trace, rolls_used, end, rule, why, **more)


THREE_WORMS = Step("WWW", 5, 15)
TWENTY_FIVE = Step("55WWW", 3, 25)
TO_TWENTY_FIVE = ("WWW11234 55123", roll_on("W"))
BOTH_CLAIMS = (Take(24), Steal(1))


def test_a_tile_is_taken() -> None:
    """With 25, which an opponent shows, the next lower tile of the grill may be taken."""
    expected = Record(
        Position(table([21, 30, 36], (22, 26, 24), (27, 25), player=1)),
        (THREE_WORMS, TWENTY_FIVE),
        2,
        End.CLAIM,
        Rule.STEALING_OPTIONAL,
        claims=BOTH_CLAIMS,
        claim=Take(24),
    )
    assert played(*TO_TWENTY_FIVE, stop("5", Take(24))) == expected


def test_a_tile_is_stolen() -> None:
    """With exactly 25 the opponent's top tile may be stolen."""
    expected = Record(
        Position(table([21, 24, 30, 36], (22, 26, 25), (27,), player=1)),
        (THREE_WORMS, TWENTY_FIVE),
        2,
        End.CLAIM,
        Rule.STEALING_EXACT,
        claims=BOTH_CLAIMS,
        claim=Steal(1),
    )
    assert played(*TO_TWENTY_FIVE, stop("5", Steal(1))) == expected


def test_a_roll_without_a_new_face_fails() -> None:
    """After the worms five worms are a dead roll; it has no decision, and counts as used."""
    why = Rule.FAILING_DEAD_ROLL
    expected = failure(End.DEAD_ROLL, why, (THREE_WORMS,), 2)
    assert played("WWW11234 WWWWW", roll_on("W")) == expected


@pytest.mark.parametrize("last", [stop("W"), roll_on("W"), stop(None), stop("1", Take(24))])
def test_a_decision_on_a_dead_roll_is_left_over(last) -> None:
    """Whatever it says, the turn has failed without it."""
    why = Rule.FAILING_DEAD_ROLL
    expected = failure(End.DEAD_ROLL, why, (THREE_WORMS,), 2, left_over=True)
    assert played("WWW11234 WWWWW", roll_on("W"), last) == expected


def test_eight_dice_with_nothing_to_claim_fail() -> None:
    """Eight dice without a worm end the turn by force."""
    trace = (Step("44444", 3, 20), Step("44444555", 0, 35))
    expected = failure(End.FORCED, Rule.FAILING_NO_WORM, trace, 2)
    assert played("44444123 555", roll_on("4"), stop("5")) == expected


def test_eight_dice_with_no_tile_in_reach_fail() -> None:
    """1 1 1 1 2 2 2 W = 15 has a worm, and reaches nothing."""
    trace = (Step("1111", 4, 4), Step("1111222", 1, 10), Step("1111222W", 0, 15))
    expected = failure(End.FORCED, Rule.FAILING_OUT_OF_REACH, trace, 3)
    assert played("1111345W 222W W", roll_on("1"), roll_on("2"), stop("W")) == expected


AFTER_SIX = (
    Step("1", 7, 1),
    Step("12", 6, 3),
    Step("123", 5, 6),
    Step("1234", 4, 10),
    Step("12345", 3, 15),
    Step("12345W", 2, 20),
)
SIX_ROLLS = "12345WWW 2345WWW 345WWW 45WWW 5WWW WW1"
FIVE_ON = tuple(map(roll_on, "12345"))
TWO_WORMS = Step("12345WW", 1, 25)


def test_six_faces_with_nothing_to_claim_fail() -> None:
    """1 2 3 4 5 W = 20 ends the turn though two dice are left."""
    expected = failure(End.FORCED, Rule.FAILING_OUT_OF_REACH, AFTER_SIX, 6)
    rolls = "12345WWW 2345WWW 345WWW 45WWW 5WWW W11"
    assert played(rolls, *FIVE_ON, stop("W")) == expected


def test_six_faces_with_something_to_claim_want_the_claim() -> None:
    """1 2 3 4 5 W W = 25 may take or steal, and must."""
    expected = Record(
        Position(BEFORE, Turn("12345WW")),
        (*AFTER_SIX[:5], TWO_WORMS),
        6,
        End.UNFINISHED,
        claims=BOTH_CLAIMS,
        wants="claim",
    )
    assert played(SIX_ROLLS, *FIVE_ON, stop("W")) == expected


@pytest.mark.parametrize("claim", [None, Take(24)])
@pytest.mark.parametrize("more", ["", " 1", " 1 1"])
@pytest.mark.parametrize("last", ["WW1", "W11"])
def test_rolling_on_at_a_forced_end_is_refused(last, more, claim) -> None:
    """After six faces nobody rolls on: with a claim or none, with a next roll or none."""
    rolls = "12345WWW 2345WWW 345WWW 45WWW 5WWW " + last + more
    record = played(rolls, *FIVE_ON, Decision("W", "roll", claim))
    kept = "12345" + last.replace("1", "")
    assert (record.end, record.rule) == (End.REFUSED, Rule.ROLLING_FORCED_END)
    assert (record.position, record.left_over) == (Position(BEFORE, Turn(kept)), False)


def test_a_claim_at_a_forced_end_with_nothing_to_claim_is_refused() -> None:
    """20 does not reach the 21."""
    rolls = "12345WWW 2345WWW 345WWW 45WWW 5WWW W11"
    record = played(rolls, *FIVE_ON, stop("W", Take(21)))
    assert (record.end, record.rule, record.failed) == (End.REFUSED, Rule.CLAIMING_EXACT, False)


def test_where_one_may_roll_on_after_six_faces_one_may_stop_too() -> None:
    """Under `six-faces = roll-on` the stop with nothing to claim is a free one, and fails."""
    rolls = "12345WWW 2345WWW 345WWW 45WWW 5WWW W11"
    expected = failure(End.STOP, Rule.ROLLING_STOP_FREELY, AFTER_SIX, 6)
    assert played(rolls, *FIVE_ON, stop("W"), of=ROLL_ON) == expected


@pytest.mark.parametrize(
    ("of", "last"),
    [(ROLL_ON, roll_on("W")), (ROLL_ON_BARRED, roll_on("W")), (ROLL_ON_BARRED, stop("W"))],
)
def test_where_one_may_roll_on_after_six_faces_every_roll_is_dead(of, last) -> None:
    """Who rolls on, or may not stop, fails with the next roll, whatever it shows."""
    rolls = "12345WWW 2345WWW 345WWW 45WWW 5WWW W11 3W"
    expected = failure(End.DEAD_ROLL, Rule.FAILING_DEAD_ROLL, AFTER_SIX, 7)
    assert played(rolls, *FIVE_ON, last, of=of) == expected


def test_who_may_not_stop_after_six_faces_wants_a_roll() -> None:
    """Where stopping needs a claim, and rolling on is allowed, the turn goes on."""
    rolls = "12345WWW 2345WWW 345WWW 45WWW 5WWW W11"
    record = played(rolls, *FIVE_ON, stop("W"), of=ROLL_ON_BARRED)
    assert (record.end, record.wants, record.rolls_used) == (End.UNFINISHED, "roll", 6)
    assert record.position == Position(BEFORE, Turn("12345W"))


def test_a_free_stop_fails() -> None:
    """15 reaches nothing; one may stop all the same."""
    expected = failure(End.STOP, Rule.ROLLING_STOP_FREELY, (THREE_WORMS,), 1)
    assert played("WWW11234", stop("W")) == expected


def test_a_free_stop_is_refused_where_it_is_barred() -> None:
    """Where stopping needs a claim, 15 must roll on."""
    record = played("WWW11234", stop("W"), of=BARRED)
    assert (record.end, record.rule) == (End.REFUSED, Rule.ROLLING_STOP_FREELY)
    assert record.position == Position(BEFORE, Turn("WWW"))


@pytest.mark.parametrize(
    ("claim", "rule"),
    [
        (Take(30), Rule.CLAIMING_EXACT),
        (Take(21), Rule.CLAIMING_LOWER),
        (Take(26), Rule.CLAIMING_OWN_TOP),
        (Take(31), Rule.CLAIMING_FACE_DOWN),
        (Take(25), Rule.STEALING_EXACT),
        (Take(37), Rule.SETUP_TILES),
        (Steal(0), Rule.STEALING_OPPONENTS_ONLY),
        (Steal(2), Rule.STEALING_OPPONENTS_ONLY),
    ],
)
def test_a_claim_out_of_reach_is_refused(claim, rule) -> None:
    """The record names the rule, and what could have been claimed."""
    expected = Record(
        Position(BEFORE, Turn("55WWW")),
        (THREE_WORMS, TWENTY_FIVE),
        2,
        End.REFUSED,
        rule,
        claims=BOTH_CLAIMS,
    )
    assert played(*TO_TWENTY_FIVE, stop("5", claim)) == expected


def test_a_claim_of_nothing_where_something_can_be_claimed_wants_it() -> None:
    """There is no declining: the script must say which."""
    expected = Record(
        Position(BEFORE, Turn("55WWW")),
        (THREE_WORMS, TWENTY_FIVE),
        2,
        End.UNFINISHED,
        claims=BOTH_CLAIMS,
        wants="claim",
    )
    assert played(*TO_TWENTY_FIVE, stop("5")) == expected


@pytest.mark.parametrize(
    ("decision", "rule"),
    [
        (roll_on(None), Rule.ROLLING_CHOOSE_A_FACE),
        (stop(None), Rule.ROLLING_CHOOSE_A_FACE),
        (stop(None, Take(24)), Rule.ROLLING_CHOOSE_A_FACE),
        (stop("4"), Rule.ROLLING_CHOOSE_A_FACE),
        (stop("W"), Rule.ROLLING_NEW_FACE),
    ],
)
def test_a_choice_that_is_not_open_is_refused(decision, rule) -> None:
    """Nothing chosen, a face not rolled, and a face set aside before."""
    record = played("WWW11234 5512W", roll_on("W"), decision)
    expected = Record(Position(BEFORE, Turn("WWW", "1255W")), (THREE_WORMS,), 2, End.REFUSED, rule)
    assert record == expected


def test_a_script_with_too_few_rolls_wants_one() -> None:
    """The player rolls on, and there is no roll."""
    expected = Record(
        Position(BEFORE, Turn("WWW")), (THREE_WORMS,), 1, End.UNFINISHED, wants="roll"
    )
    assert played("WWW11234", roll_on("W")) == expected


def test_a_script_with_too_few_decisions_wants_one() -> None:
    """The roll shows new faces, and nothing is said about it."""
    expected = Record(
        Position(BEFORE, Turn("WWW", "11234")),
        (THREE_WORMS,),
        2,
        End.UNFINISHED,
        wants="decision",
    )
    assert played("WWW11234 11234", roll_on("W")) == expected


@pytest.mark.parametrize("roll", ["1123", "112345"])
def test_a_roll_of_another_number_of_dice_is_not_made(roll) -> None:
    """After three worms five dice are rolled; the turn still wants that roll."""
    expected = Record(
        Position(BEFORE, Turn("WWW")), (THREE_WORMS,), 1, End.UNFINISHED, wants="roll"
    )
    assert played(f"WWW11234 {roll}", roll_on("W"), stop("1")) == expected


@pytest.mark.parametrize(
    ("rolls", "decisions"),
    [
        ("WWW11234 55123 111", (stop("5", Steal(1)),)),
        ("WWW11234 55123", (stop("5", Steal(1)), stop("1"))),
        ("WWW11234 55123 111", (stop("5", Steal(1)), stop("1"))),
    ],
)
def test_what_follows_a_claim_is_left_over(rolls, decisions) -> None:
    """The turn ends as without it, and the record says that something is left."""
    record = played(rolls, roll_on("W"), *decisions)
    plain = played(*TO_TWENTY_FIVE, stop("5", Steal(1)))
    assert record == plain._replace(left_over=True)
    assert not plain.left_over


def test_nothing_is_played_once_the_game_is_over() -> None:
    """With the grill empty the first roll is refused."""
    over = table([], (36,), (21,))
    expected = Record(Position(over), end=End.REFUSED, rule=Rule.ENDING_GRILL_EMPTY)
    assert played("WWW11234", stop("W"), on=over) == expected
