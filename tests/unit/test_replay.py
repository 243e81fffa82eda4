"""Replay: the requests of a case are asked again, and every answer is compared in full."""

from collections.abc import Iterable

import msgspec
import pytest

import engines_of_ours as ours
from pickomino_conformance import Refused
from pickomino_conformance.cases import (
    Exchange,
    Outcome,
    Verdict,
    Wanted,
    exchange,
    features,
    refusals,
    tables,
)
from pickomino_conformance.cases.features import judge_case
from pickomino_conformance.cases.gherkin import read_feature
from pickomino_conformance.cases.writing import Untold, scenario
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.faults import Fault, FaultyEngine, find_fault
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import Scoring, Start
from pickomino_conformance.protocol.wire import Broken, InProcess
from pickomino_conformance.report.replay import (
    CaseFile,
    Folder,
    Replayed,
    exit_status,
    find,
    read,
    replay,
)
from pickomino_conformance.words import NAMES, tell_came, tell_case, tell_expected
from pickomino_reference import (
    Claim,
    Decision,
    Rulings,
    Script,
    Steal,
    Table,
    Take,
    find_edition,
    ruling_values,
)

RULEBOOK = Rulings()
ALL = set(range(21, 37))


def table(grill: Iterable[int], *stacks: tuple[int, ...], player: int = 0, barred=None) -> Table:
    """Return a table; tiles named nowhere lie face down."""
    shown = tuple(grill)
    down = tuple(sorted(ALL.difference(shown, *stacks)))
    return Table(shown, down, stacks, player, barred or ((),) * len(stacks))


def turn(before: Table, *rows: tuple[str, str], claim: Claim | None = None) -> Exchange:
    """Return the request for a turn; a row without a face is a dead roll.

    It ends by a stop with the claim, if there is one; else the last decision is to roll on.
    """
    decisions = [Decision(face, "roll") for _, face in rows if face]
    if claim:
        decisions[-1] = Decision(decisions[-1].keep, "stop", claim)
    script = Script(before, tuple(roll for roll, _ in rows), tuple(decisions))
    return exchange(script, None, RULEBOOK)


def answered(asked: Exchange, grill: list[int], *stacks: list[int], **more) -> Exchange:
    """Return a request with the table that came."""
    result = {"table": {"grill": grill, "stacks": list(stacks)}, **more}
    return msgspec.structs.replace(asked, answer={"result": result})


def failed(case: str, rule: str, *exchanges: Exchange) -> Outcome:
    """Return a case that failed."""
    return Outcome(case, case.partition("/")[0], (rule,), Verdict.FAIL, exchanges=exchanges)


EMPTY_HANDED = answered(
    turn(table(range(21, 37), (), ()), ("1223345W", "W"), ("123445W", "2"), ("222WWW", "")),
    list(range(21, 36)),
    [],
    [],
)


STEAL = turn(table([22], (), (25, 23)), ("11234WWW", "W"), ("12344", "4"), claim=Steal(1))
STEAL_OF_A_COVERED = turn(
    table([22], (), (23, 25)), ("11234WWW", "W"), ("12344", "4"), claim=Steal(1)
)
SIX_FACES = turn(
    table([25, 36], (), ()),
    *zip(["1223345W", "123345W", "12345W", "1245W", "155W", "1W"], "12345W", strict=True),
)
ROLL_ON_BEFORE_CHOOSING = Exchange(
    "turn",
    {
        "table": {"grill": [21], "stacks": [[], []], "player": 1},
        "rolls": ["1123WWW5"],
        "decisions": [{"keep": None, "then": "roll"}],
    },
)
WORMS = exchange(Scoring(((36,), (24, 25), ())), None, RULEBOOK)
EVERY_KIND = [
    failed("games/steal", "stealing.exact", STEAL),
    failed("games/covered", "stealing.top-only", STEAL_OF_A_COVERED),
    failed("games/six-faces", "rolling.forced-end", SIX_FACES),
    failed("games/too-early", "rolling.choose-a-face", ROLL_ON_BEFORE_CHOOSING),
    failed("games/start", "setup.tiles", exchange(Start(7), None, RULEBOOK)),
    failed("games/lonely", "setup.players", exchange(Start(1), None, RULEBOOK)),
    failed(
        "games/worms", "ending.worms-win", exchange(Scoring(((36,), (24, 25), ())), None, RULEBOOK)
    ),
    failed("games/empty", "failing.nothing-returned", EMPTY_HANDED),
]


def in_process(edition: str = "zoch-2005") -> Conversation:
    """Return the reference, fixed to an edition, in this process."""
    return Conversation(lambda: InProcess(ReferenceEngine(find_edition(edition))))


def talk(engine: type) -> Conversation:
    """Return a conversation with an engine of this class, in this process."""
    return Conversation(lambda: InProcess(engine()))


@pytest.fixture(scope="module")
def departed(tmp_path_factory: pytest.TempPathFactory) -> list[CaseFile]:
    """The case files of an engine that plays sheet-001, judged by the rulebook."""
    path = tmp_path_factory.mktemp("cases")
    (path / "mine.txt").write_text("left alone")
    folder = Folder(path)
    engine = EngineUnderTest(in_process("sheet-001"), RULEBOOK)
    for outcome in features.run(engine, Wanted()):
        folder.write(outcome, engine.hello.name, "zoch-2005", RULEBOOK)
    assert (path / "mine.txt").read_text() == "left alone"
    return [read(file) for file in find(path)]


def test_every_failure_becomes_a_case_file(departed: list[CaseFile]) -> None:
    """Each has its rules, its rulings, what was asked and what came."""
    assert {rule for case in departed for rule in case.rules} == {
        "rolling.stop-freely",
        "failing.returned-highest",
        "failing.nothing-returned",
    }
    assert {case.engine for case in departed} == {"reference, sheet-001"}
    assert [case.rulings for case in departed] == [ruling_values(RULEBOOK)] * len(departed)
    assert all(one.answer for case in departed for one in case.exchanges)


def test_a_pasted_failure_fails_where_it_failed_and_holds_on_the_reference(
    departed: list[CaseFile],
) -> None:
    """The scenarios made of failures tell the broken engine from the reference."""
    renamed = [failed(f"games/{case.id}", case.rules[0], *case.exchanges) for case in departed]
    pasted = "\n".join(scenario(outcome, RULEBOOK) for outcome in renamed)
    cases = [case for one in read_feature(f"Feature: P\n{pasted}", "failing") for case in one.cases]
    assert len(cases) == len(departed)
    for edition, verdict in (("zoch-2005", Verdict.PASS), ("sheet-001", Verdict.FAIL)):
        engine = EngineUnderTest(in_process(edition), RULEBOOK)
        assert {judge_case(engine, case).verdict for case in cases} == {verdict}


def test_a_replayed_failure_departs_by_the_same_answer(departed: list[CaseFile]) -> None:
    """Every case departs again on the engine that it came from."""
    found = [replay(case, case.judged_by(), in_process("sheet-001")) for case in departed]
    assert {(one.verdict, one.same_answer) for one in found} == {(Verdict.FAIL, True)}
    assert all(one.outcome.differences for one in found)


def test_a_replayed_failure_passes_on_a_right_engine(departed: list[CaseFile]) -> None:
    """Every case passes on the reference, by another answer."""
    found = [replay(case, case.judged_by(), in_process()) for case in departed]
    assert {(one.verdict, one.same_answer) for one in found} == {(Verdict.PASS, False)}


def test_a_case_can_be_judged_by_another_edition(departed: list[CaseFile]) -> None:
    """By the edition that it plays the engine is right."""
    sheet = find_edition("sheet-001").rulings
    found = {replay(case, sheet, in_process("sheet-001")).verdict for case in departed}
    assert found == {Verdict.PASS}


def case_of(*exchanges: Exchange) -> CaseFile:
    """Return a case of these requests."""
    return CaseFile("games/1", exchanges=exchanges)


def test_an_engine_without_set_table_is_played_to_the_case() -> None:
    """A case on the first table is replayed through the start of a game."""
    engine = talk(ours.StartsOnly)
    assert replay(case_of(EMPTY_HANDED), RULEBOOK, engine).verdict is Verdict.PASS


@pytest.mark.parametrize("engine", ["ChoosesItself", "PrefersTheGrill"])
def test_an_engine_that_chooses_its_claims_passes_with_any_legal_one(engine: str) -> None:
    """The scripted steal and the lower tile are both right."""
    other = talk(getattr(ours, engine))
    assert replay(case_of(STEAL), RULEBOOK, other).verdict is Verdict.PASS
    assert replay(case_of(STEAL_OF_A_COVERED), RULEBOOK, other).verdict is Verdict.UNSUPPORTED


def test_what_an_engine_lacks_is_no_departure() -> None:
    """Without the capability a case is unsupported, and nothing can be said of it."""
    engine = talk(ours.TellsLittle)
    found = [replay(case_of(one.exchanges[-1]), RULEBOOK, engine) for one in EVERY_KIND]
    told = [one.verdict for one in found]
    assert told == [
        Verdict.PASS, Verdict.UNSUPPORTED, Verdict.UNSUPPORTED, Verdict.UNSUPPORTED,
        Verdict.UNSUPPORTED, Verdict.UNSUPPORTED, Verdict.UNSUPPORTED, Verdict.PASS,
    ]  # fmt: skip


def test_turns_that_belong_together_are_asked_together() -> None:
    """A second turn goes on with the table that the engine answers to the first."""
    first = turn(table(range(21, 37), (), ()), ("11234WWW", "W"), ("12344", "4"), claim=Take(23))
    owned = table((21, 22, *range(24, 37)), (23,), (), player=1)
    second = turn(owned, ("11234WWW", "W"), ("12344", "4"), claim=Steal(0))
    second = msgspec.structs.replace(second, goes_on=True)
    engine = talk(ours.StartsOnly)
    found = replay(case_of(exchange(Start(2), None, RULEBOOK), first, second), RULEBOOK, engine)
    assert (found.verdict, found.outcome.reason) == (Verdict.PASS, "")


def test_what_follows_a_departure_is_not_what_is_judged() -> None:
    """A case may end with a right turn, which shows that the engine goes on as before."""
    wrong = EMPTY_HANDED
    right = turn(table([22], (), (25, 23)), ("11234WWW", "W"), ("12344", "4"))
    right.params["decisions"][-1] |= {"then": "stop", "claim": {"steal": 1}}
    right = answered(right, [22], [23], [25])
    case = CaseFile("refusals/1", exchanges=(wrong, right))
    engine = in_process("sheet-000")
    found = replay(case, RULEBOOK, engine)
    assert (found.verdict, found.same_answer) == (Verdict.FAIL, False)
    assert "rolls 2 2 2 W W W" in tell_case(found.outcome)


def refused_cases(talk: Conversation, verdict: Verdict = Verdict.FAIL) -> list[Outcome]:
    """Return the cases of an engine in level refusals that came to a verdict."""
    with talk:
        outcomes = list(refusals.run(EngineUnderTest(talk, RULEBOOK), Wanted()))
    return [one for one in outcomes if one.verdict is verdict]


def with_fault(fault: Fault) -> Conversation:
    """Return the reference with a fault planted, in this process."""
    return Conversation(lambda: InProcess(FaultyEngine([fault])))


class BreaksAtARefusal(InProcess):
    """Breaks down where it must refuse."""

    def receive(self) -> bytes:
        """Return the next line, unless it is a refusal."""
        line = super().receive()
        if b'"code":1' in line:
            raise Broken("it left")
        return line


def test_a_breakdown_at_a_forbidden_move_is_replayed_and_told() -> None:
    """The engine breaks down again at the same turn, and the reference passes."""
    *_, outcome = refused_cases(
        Conversation(lambda: BreaksAtARefusal(ReferenceEngine())), Verdict.ERROR
    )
    again = replay(
        case_of(*outcome.exchanges),
        RULEBOOK,
        Conversation(lambda: BreaksAtARefusal(ReferenceEngine())),
    )
    assert (again.verdict, again.same_answer) == (Verdict.ERROR, True)
    assert replay(case_of(*outcome.exchanges), RULEBOOK, in_process()).verdict is Verdict.PASS
    assert scenario(outcome, RULEBOOK).splitlines()[-1] == "  Then this is refused"


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


def test_a_refusal_that_changes_something_departs_again() -> None:
    """The turn after it shows it, with the table left to the engine; no step can tell that."""
    failures = refused_cases(Conversation(lambda: InProcess(PassesOnARefusal())))
    outcome = failures[0]
    case = CaseFile(outcome.id, exchanges=outcome.exchanges)
    again = replay(case, RULEBOOK, Conversation(lambda: InProcess(PassesOnARefusal())))
    assert (again.verdict, again.same_answer) == (Verdict.FAIL, True)
    assert ". It is refused, as it must be, and then: " in tell_case(again.outcome)
    assert replay(case, RULEBOOK, in_process()).verdict is Verdict.PASS
    with pytest.raises(Untold):
        scenario(outcome, RULEBOOK)


def test_a_refusal_is_replayed_where_nothing_can_follow_it() -> None:
    """Without `set-table` the table after a refusal is not known; the refusal itself is judged."""
    (outcome, *_) = refused_cases(with_fault(find_fault("one may steal from oneself")))
    case = CaseFile(outcome.id, exchanges=outcome.exchanges)
    engine = talk(ours.StartsOnly)
    assert replay(case, RULEBOOK, engine).verdict is Verdict.PASS


def test_every_exchange_of_a_case_is_judged() -> None:
    """An engine that departs elsewhere in the case than the one before it does not pass."""
    wrong_first = EMPTY_HANDED
    right = turn(
        table([22, 30, 36], (25,), ()), ("1223345W", "W"), ("123445W", "2"), ("222WWW", "")
    )
    right = answered(right, [22, 25, 30], [], [])
    case = CaseFile("games/1", exchanges=(wrong_first, right))
    found = replay(
        case, RULEBOOK, with_fault(find_fault("nothing is turned after a tile was returned"))
    )
    assert (found.verdict, found.same_answer) == (Verdict.FAIL, False)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (exchange(Start(1), None, RULEBOOK), "A game for 1 player is set up."),
        (exchange(Start(2), None, RULEBOOK), "A game for 2 players is set up."),
    ],
)
def test_a_game_is_told_for_as_many_as_play(asked: Exchange, told: str) -> None:
    """One player is one player."""
    assert f"{tell_case(replay(case_of(asked), RULEBOOK, in_process()).outcome)}." == told


def test_winners_are_told_by_their_names() -> None:
    """As a check tells them, not as a list of numbers."""
    case = case_of(exchange(Scoring(((33,), (21, 22, 23, 24))), None, RULEBOOK))
    found = replay(case, RULEBOOK, in_process("zoch-2005+shared-win"))
    differences = found.outcome.differences
    assert tell_expected(differences, NAMES) == "won by Ann"
    assert tell_came(differences, NAMES) == "won by Ann and Bob"


def test_a_script_that_does_not_fit_the_rulings_is_told() -> None:
    """Under a ruling that the case was not made for nothing is judged."""
    short = turn(table([22], (), ()), ("111222", "1"))
    found = replay(case_of(short), RULEBOOK, in_process())
    assert found.verdict is Verdict.NOT_APPLICABLE
    assert "does not fit" in found.outcome.reason


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ([Verdict.PASS, Verdict.PASS], 0),
        ([Verdict.PASS, Verdict.FAIL], 1),
        ([Verdict.NOT_REACHED, Verdict.ERROR], 1),
        ([Verdict.PASS, Verdict.UNSUPPORTED], 0),
        ([Verdict.UNSUPPORTED, Verdict.NOT_APPLICABLE], 2),
    ],
)
def test_the_exit_status_of_a_replay(found: list[Verdict], status: int) -> None:
    """0 if all that was judged passes, 1 if something departs or errs, 2 if nothing was judged."""
    assert exit_status([Replayed(Outcome("games/1", "games", (), one)) for one in found]) == status


class MissesATotal(ReferenceEngine):
    """Tells a wrong total after the first of several decisions."""

    def turn(self, table, rolls, decisions):
        """Add one to it."""
        answer = super().turn(table, rolls, decisions)
        if len(answer["trace"]) > 1:
            answer["trace"][0]["total"] += 1
        return answer


def test_the_whole_trace_is_compared() -> None:
    """Not its last step only: an engine that departs at a level departs in its replay."""
    engine = EngineUnderTest(talk(MissesATotal), RULEBOOK)
    wanted = Wanted()
    failed = [one for one in tables.run(engine, wanted) if one.verdict is Verdict.FAIL][:20]
    assert len(failed) == 20
    for outcome in failed:
        again = replay(case_of(*outcome.exchanges), RULEBOOK, talk(MissesATotal))
        assert (again.verdict, again.same_answer) == (Verdict.FAIL, True)
        assert again.outcome.differences == outcome.differences
        assert {one.part for one in again.outcome.differences} == {"totals"}


class Counts(InProcess):
    """Counts the turns that are asked."""

    turns = 0

    def send(self, line: bytes) -> None:
        """Answer, and count."""
        Counts.turns += b'"turn"' in line
        super().send(line)


@pytest.mark.parametrize("goes_on", [False, True])
def test_every_request_is_asked_once(goes_on: bool) -> None:
    """However many turns belong together."""
    rows = ("1223345W", "W"), ("123445W", "2"), ("222WWW", "")
    turns = [turn(table(ALL, (), (), player=number % 2), *rows) for number in range(20)]
    following = [msgspec.structs.replace(one, goes_on=goes_on) for one in turns[1:]]
    Counts.turns = 0
    counting = Conversation(lambda: Counts(ReferenceEngine()))
    found = replay(case_of(turns[0], *following), RULEBOOK, counting)
    assert (found.verdict, Counts.turns) == (Verdict.PASS, 20)
