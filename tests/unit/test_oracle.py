"""What must come of a request, and what will do as well."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from pickomino_conformance.compare import compare
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.conversation import Reply
from pickomino_conformance.protocol.messages import (
    CRASHED,
    MISFIT,
    REFUSED,
    ErrorMessage,
    StepMessage,
    TableMessage,
    TurnResult,
)
from pickomino_conformance.protocol.translate import complement, request
from pickomino_reference import (
    BASE,
    Decision,
    ExactOnOpponent,
    Rulings,
    Script,
    Steal,
    Table,
    Take,
    start,
)

RULEBOOK = Rulings()
FORBIDDEN, NO_FIT = ErrorMessage(REFUSED, "no"), ErrorMessage(MISFIT, "what next?")


def lay(grill: tuple[int, ...], *stacks: tuple[int, ...]) -> Table:
    """Return a table of these tiles, the rest face down."""
    named = [*grill, *(tile for stack in stacks for tile in stack)]
    return Table(grill, complement(BASE, named), stacks, 0, ((),) * len(stacks))


def parts_of(
    script: Script, reply: Reply, rulings: Rulings = RULEBOOK, *, chooses: bool = True
) -> list[str]:
    """Return the parts in which a reply differs."""
    return [one.part for one in compare(script, reply, rulings, chooses=chooses)]


def result(script: Script, rulings: Rulings = RULEBOOK) -> TurnResult:
    """Return the result that is due."""
    reply = due(script, rulings).reply
    assert isinstance(reply, TurnResult)
    return reply


# Rolling on at a forced end

EIGHT_WORMS = Script(lay((23, 36), (27,), (28,)), ("WWWWWWWW",), (Decision("W", "roll"),))
NO_WORM = Script(
    lay((23, 36), (27,), (28,)),
    ("55511111", "11111"),
    (Decision("5", "roll"), Decision("1", "roll")),
)


def test_rolling_on_with_no_die_left_is_refused() -> None:
    """So the rules have it; an engine may not ask for more."""
    assert parts_of(EIGHT_WORMS, FORBIDDEN) == []
    assert parts_of(EIGHT_WORMS, NO_FIT) == ["answer"]


def test_an_engine_may_end_the_turn_by_itself_where_nothing_can_be_rolled() -> None:
    """With a claim, whichever is legal: eight worms are 40, and take the 36."""
    taken = EIGHT_WORMS._replace(decisions=(Decision("W", "stop", Take(36)),))
    assert result(taken).table.stacks == [[27, 36], [28]]
    assert parts_of(EIGHT_WORMS, result(taken)) == []


def test_an_engine_may_fail_the_turn_by_itself_where_nothing_can_be_claimed() -> None:
    """Without a worm the 27 goes back, and the 36 is turned."""
    stopped = NO_WORM._replace(decisions=(Decision("5", "roll"), Decision("1", "stop")))
    assert result(stopped).table.grill == [23, 27]
    assert parts_of(NO_WORM, result(stopped)) == []


def test_a_turn_that_an_engine_ends_by_itself_is_compared_in_full() -> None:
    """The 27 stays where it was, or the trace is wrong: that will not do."""
    stopped = NO_WORM._replace(decisions=(Decision("5", "roll"), Decision("1", "stop")))
    right = result(stopped)
    wrong = [
        replace(right, table=replace(right.table, grill=[23], stacks=[[27], [28]], player=1)),
        replace(right, rolls_used=3),
        replace(right, trace=[StepMessage("555", 5, 15), StepMessage("11111555", 0, 21)]),
    ]
    assert [parts_of(NO_WORM, one) for one in wrong] == [["answer"]] * 3


# A script with something left over

TAKEN = Script(
    start(2),
    ("11234WWW", "12344"),
    (Decision("W", "roll"), Decision("4", "stop", Take(23))),
)


@pytest.mark.parametrize(
    "longer",
    [
        TAKEN._replace(rolls=(*TAKEN.rolls, "123")),
        TAKEN._replace(decisions=(*TAKEN.decisions, Decision("1", "roll"))),
        TAKEN._replace(
            rolls=(*TAKEN.rolls, "123"), decisions=(*TAKEN.decisions, Decision("1", "stop"))
        ),
        Script(start(2), ("1122334W", "WWWWWWW", "123"), (Decision("W", "roll"),)),
        Script(start(2), ("1122334W", "WWWWWWW"), (Decision("W", "roll"), Decision("1", "roll"))),
    ],
    ids=["a roll", "a decision", "both", "a roll after a dead one", "a decision on a dead roll"],
)
def test_what_is_left_over_is_passed_over_or_does_not_fit(longer: Script) -> None:
    """The result and code 2 say the same; a refusal, a crash, another result do not."""
    right = result(longer)
    assert parts_of(longer, right) == []
    assert parts_of(longer, NO_FIT) == []
    assert parts_of(longer, FORBIDDEN) == ["answer"]
    assert parts_of(longer, ErrorMessage(CRASHED, "oh no")) == ["answer"]
    assert parts_of(longer, replace(right, rolls_used=len(longer.rolls) + 1)) == ["rolls_used"]


def test_what_is_whole_fits() -> None:
    """Code 2 is a departure where nothing is left over."""
    assert parts_of(TAKEN, NO_FIT) == ["answer"]


# An engine that chooses its claims itself

EITHER = Script(
    lay((21, 24, 30), (27,), (31, 25)),
    ("WWW11112", "55111"),
    (Decision("W", "roll"), Decision("5", "stop", Take(24))),
)
STOLEN = EITHER._replace(decisions=(EITHER.decisions[0], Decision("5", "stop", Steal(1))))


def test_a_player_who_chooses_gets_what_was_chosen() -> None:
    """The 24 was to be taken, and not the 25 stolen."""
    assert parts_of(EITHER, result(STOLEN)) == ["grill", "stack.0", "stack.1"]


def test_an_engine_that_chooses_may_make_any_legal_claim() -> None:
    """Whichever of the two was scripted."""
    assert parts_of(EITHER, result(STOLEN), chooses=False) == []
    assert parts_of(STOLEN, result(EITHER), chooses=False) == []


def test_an_engine_that_chooses_may_make_no_other_claim() -> None:
    """The 21 is not the next lower one; and where a steal is a must, the 24 may not be taken."""
    free = EITHER._replace(decisions=(EITHER.decisions[0], Decision("5", "stop", Take(21))))
    table = TableMessage([24, 30], [[27, 21], [31, 25]], player=1)
    assert parts_of(free, replace(result(EITHER), table=table), chooses=False) == ["answer"]
    must = Rulings(exact_on_opponent=ExactOnOpponent.STEAL)
    assert parts_of(STOLEN, result(EITHER), must, chooses=False) != []


def test_a_claim_that_an_engine_chose_is_compared_in_full() -> None:
    """Trace, rolls used and the next player are as if it had been scripted."""
    chosen = result(STOLEN)
    (first, last) = chosen.trace
    wrong = [
        replace(chosen, rolls_used=3),
        replace(chosen, trace=[StepMessage("WWW", 5, 16), last]),
        replace(chosen, trace=[first, StepMessage("55WWW", 2, 25)]),
        replace(chosen, table=replace(chosen.table, player=0)),
        replace(chosen, over=True),
    ]
    for one in wrong:
        assert parts_of(EITHER, one, chooses=False) != []
    little = TurnResult(replace(chosen.table, player=UNSET, face_down=UNSET))
    assert parts_of(EITHER, little, chooses=False) == []


def test_an_engine_that_chooses_need_not_refuse_a_claim() -> None:
    """It can't be told what to claim: what it makes of the turn instead must be legal."""
    higher = EITHER._replace(decisions=(EITHER.decisions[0], Decision("5", "stop", Take(30))))
    assert parts_of(higher, FORBIDDEN, chooses=False) == []
    assert parts_of(higher, result(STOLEN), chooses=False) == []
    assert parts_of(higher, result(STOLEN)) == ["answer"]


# Whatever is asked


def test_the_request_is_told_with_its_table() -> None:
    """A request that is compared can be asked by itself."""
    assert request(EITHER, RULEBOOK).table == TableMessage(
        [21, 24, 30], [[27], [31, 25]], list(EITHER.table.face_down), 0
    )
