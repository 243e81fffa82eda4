"""How a game gets to a table: the way leads there, by the plainest turns, or there is none."""

import pytest

from engines_of_ours import StartsAndTakes, StartsOnly, Whole
from levels_in_process import under_test
from pickomino_conformance.cases import Erred, NotReached
from pickomino_conformance.cases.dice import dead_turn, taking
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.faults import FaultyEngine, find_fault
from pickomino_conformance.path import Leg, find_path
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.messages import ErrorMessage, TurnResult
from pickomino_conformance.protocol.translate import (
    complement,
    read_table,
)
from pickomino_conformance.protocol.wire import Broken, InProcess
from pickomino_reference import (
    BASE,
    Decision,
    Edition,
    FlipAfterReturn,
    FlipWithoutReturn,
    Rulings,
    Script,
    SixFaces,
    Steal,
    StealBack,
    StopWithoutClaim,
    Table,
    find_edition,
    start,
)

RULEBOOK = Rulings()
EVERY_FAILURE_TURNS = find_edition("sheet-001").rulings


def lay(*stacks: tuple[int, ...], player: int = 0, down: tuple[int, ...] = ()) -> Table:
    """Return a table with all other tiles on the grill."""
    owned = [tile for stack in stacks for tile in stack]
    return Table(complement(BASE, [*owned, *down]), down, stacks, player, ((),) * len(stacks))


def told(way: tuple[Leg, ...]) -> list[str]:
    """Return what each turn of a way does, in short: `takes 24`, `steals from 0`, `fails`."""
    return [_told(leg.script) for leg in way]


def _told(script: Script) -> str:
    claim = script.decisions[-1].claim
    if not claim:
        return "fails"
    return f"steals from {claim.player}" if isinstance(claim, Steal) else f"takes {claim.tile}"


# The dice of a turn


@pytest.mark.parametrize("tile", range(22, 36))
def test_a_tile_is_taken_by_plain_dice(tile) -> None:
    """A worm, no 5 even rolled, at most seven dice, and exactly the number."""
    script = taking(start(2), tile)
    dice, kept = script.set_aside, [decision.keep for decision in script.decisions]
    assert sum(5 if face == "W" else int(face) for face in dice) == tile
    assert "W" in dice
    assert "5" not in "".join(script.rolls)
    assert len(dice) <= 7
    assert len(set(kept)) == len(kept) <= 5


def test_only_eight_dice_make_36_without_a_5() -> None:
    """Seven worms are 35, so the 36 needs the eighth die."""
    script = taking(start(2), 36)
    assert script.rolls == ("12222222", "WWWWWWW")
    assert [decision.keep for decision in script.decisions] == ["1", "W"]


def test_a_failure_is_a_dead_second_roll() -> None:
    """A worm set aside, then nothing but worms: little can be disputed about that."""
    table = start(2)
    assert dead_turn(table) == Script(table, ("1111111W", "WWWWWWW"), (Decision("W", "roll"),))


# The way


@pytest.mark.parametrize(
    ("table", "way"),
    [
        (start(2), []),
        (lay((24,), (), player=1), ["takes 24"]),
        (lay((24,), (26,)), ["takes 24", "takes 26"]),
        (lay((), (24,)), ["takes 24", "steals from 0"]),
        (lay((24, 28), (26,), player=1), ["takes 24", "takes 26", "takes 28"]),
    ],
)
def test_the_way_takes_the_plainest_turns(table, way) -> None:
    """Exact tiles are taken one after another, and stolen only where they must be."""
    assert told(find_path(table, RULEBOOK)) == way


def test_a_face_down_tile_took_one_failure_with_a_tile() -> None:
    """By the rulebook only a failure that returns a tile turns one, and it turns no more."""
    way = find_path(lay((), (26,), down=(36,)), RULEBOOK)
    stacks = [leg.script.table.stacks[leg.script.table.player] for leg in way]
    failed = [own for own, turn in zip(stacks, told(way), strict=True) if turn == "fails"]
    assert len([own for own in failed if own]) == 1


def test_a_way_keeps_off_what_the_case_is_about() -> None:
    """To be asked about stealing, Bob comes to the 24 without a steal."""
    way = find_path(lay((), (24,)), RULEBOOK, ["stealing.exact"])
    assert told(way) == ["fails", "takes 24"]


def test_a_way_keeps_off_an_empty_handed_failure_that_the_case_is_about() -> None:
    """To be asked what an empty-handed failure turns, nobody fails so on the way."""
    tables = [lay((), (24,)), lay((), (), (24,), down=(36,)), lay((26,), (24,), (), player=2)]
    ways = [find_path(table, RULEBOOK, ["failing.nothing-returned"]) for table in tables]
    legs = [leg for way in ways for leg in way if _told(leg.script) == "fails"]
    assert [leg for leg in legs if leg.script.table.stacks[leg.script.table.player] == ()] == []


def test_an_engine_that_prefers_the_grill_is_asked_for_no_steal_beside_it() -> None:
    """Where a lower tile lies on the grill it would take that one."""
    assert told(find_path(lay((), (24,)), RULEBOOK, ambiguous=False)) == ["fails", "takes 24"]


def test_a_barred_tile_was_just_stolen() -> None:
    """Under `steal-back = barred` the tile is barred because the way ends with that steal."""
    rulings = Rulings(steal_back=StealBack.BARRED)
    table = lay((24,), (), player=1)._replace(barred=((), (24,)))
    assert told(find_path(table, rulings))[-1] == "steals from 1"


# No way


@pytest.mark.parametrize(
    ("table", "rulings", "reason"),
    [
        (lay((24,), (), down=(21,)), RULEBOOK, "the 21 can be turned face down only as the last"),
        (
            lay((24,), (), down=(21,)),
            Rulings(flip_without_return=FlipWithoutReturn.YES),
            "the 21 can be turned face down only as the last",
        ),
        (
            lay((24,), (), down=(36,)),
            Rulings(flip_after_return=FlipAfterReturn.NEVER),
            "no tile is ever turned face down",
        ),
        (
            lay((24,), (), down=(35,)),
            Rulings(flip_after_return=FlipAfterReturn.ALWAYS),
            "a tile above the 35 that came back was turned face down itself",
        ),
        (
            lay((24,), (), down=(34,)),
            Rulings(flip_after_return=FlipAfterReturn.BEFORE_RETURN),
            "only one tile can lie face up above the 34",
        ),
        (
            lay((24,), ()),
            EVERY_FAILURE_TURNS,
            "player 1, who moved last and owns no tile, has failed",
        ),
        (
            lay((), (), down=(36,)),
            EVERY_FAILURE_TURNS,
            "each of the .* tables that can have come before is a dead end",
        ),
    ],
)
def test_a_table_that_no_game_leads_to_is_not_reached(table, rulings, reason) -> None:
    """It is said why, where the rules themselves tell."""
    with pytest.raises(NotReached, match=f"no game leads to this table: .*{reason}"):
        find_path(table, rulings)


@pytest.mark.parametrize(
    ("table", "rulings"),
    [
        (lay((24,), ()), RULEBOOK),
        (lay((24,), (), down=(35,)), RULEBOOK),
        (lay((24,), (), down=(35,)), Rulings(flip_after_return=FlipAfterReturn.BEFORE_RETURN)),
        (
            lay((24,), (), down=(36,)),
            Rulings(FlipAfterReturn.NEVER, FlipWithoutReturn.YES),
        ),
    ],
)
def test_the_same_table_may_be_reached_by_other_rulings(table, rulings) -> None:
    """What one edition never comes to, another does."""
    assert find_path(table, rulings)[-1].after == table


# The conversation


class Breaks(InProcess):
    """A wire that breaks at a certain answer, once."""

    left = 3

    def receive(self) -> bytes:
        """Break, or answer."""
        Breaks.left -= 1
        if Breaks.left == 0:
            raise Broken("it broke")
        return super().receive()


TURN = Script(
    lay((24,), (26,)),
    ("1234WWWW", "1244"),
    (Decision("W", "roll"), Decision("4", "roll")),
)
DEAD = TURN._replace(rolls=(*TURN.rolls, "44"))


def test_an_engine_is_played_to_the_table_and_then_asked() -> None:
    """The failure costs the 24, and turns the 36, as it does on a table that was set."""
    replies = [under_test(engine()).ask(DEAD).reply for engine in (StartsOnly, Whole)]
    assert isinstance(replies[0], TurnResult)
    assert replies[0] == replies[1]
    assert read_table(replies[0].table).face_down == (36,)


def test_what_was_asked_is_told_as_if_the_table_had_been_set() -> None:
    """The way is not told where it led there; the turn can be asked again by itself."""
    asked = {}
    for engine in (StartsOnly, Whole):
        asked[engine] = under_test(engine()).ask(DEAD).exchanges
    assert asked[StartsOnly] == asked[Whole]


def test_after_an_error_the_game_begins_anew() -> None:
    """A turn that was refused leaves nothing behind for the next case."""
    one = under_test(StartsOnly())
    assert isinstance(one.ask(TURN).reply, ErrorMessage)
    assert isinstance(one.ask(DEAD).reply, TurnResult)


def test_an_engine_that_breaks_down_on_the_way_is_played_there_once_more() -> None:
    """It is started anew, and the game from its beginning."""
    Breaks.left = 4
    with Conversation(lambda: Breaks(StartsOnly())) as conversation:
        reply = EngineUnderTest(conversation, RULEBOOK).ask(DEAD).reply
        assert isinstance(reply, TurnResult)
        assert conversation.conduct.restarts == 1


class CrashesAtASteal(StartsOnly):
    """Crashes when something is to be stolen."""

    def turn(self, table, rolls, decisions) -> dict:
        """Crash, or play."""
        if "steal" in str(decisions):
            raise RuntimeError("cannot steal")
        return super().turn(table, rolls, decisions)


def test_a_crash_on_the_way_is_an_error() -> None:
    """A crash is never passed over, wherever it happens."""
    script = DEAD._replace(table=lay((), (24,)))
    with pytest.raises(Erred, match="cannot steal"):
        under_test(CrashesAtASteal()).ask(script)


class LeavesTheWay(StartsOnly, FaultyEngine):
    """Departs where a way may lead."""


def test_a_departure_on_the_way_is_not_reached() -> None:
    """It is told where the engine left the way; the case itself was not asked."""
    one = under_test(LeavesTheWay([find_fault("the tile taken stays on the grill")]))
    with pytest.raises(NotReached, match="departs on the way to this table") as left:
        one.ask(DEAD)
    (told,) = left.value.exchanges
    assert told.ask == taking(start(2), 24)


def test_an_engine_that_was_led_astray_is_led_another_way() -> None:
    """Where nothing can be stolen, Ann fails instead, and Bob takes the 24 himself."""
    one = under_test(LeavesTheWay([find_fault("nothing can be stolen at all")]))
    reply = one.ask(DEAD._replace(table=lay((), (24,)))).reply
    assert isinstance(reply, TurnResult)
    assert reply.table.stacks == [[], [24]]


def test_who_can_not_stop_at_six_faces_is_played_there_again_with_a_roll_more() -> None:
    """The script does not fit, which voids the game; with a dead roll more the turn fails."""
    cannot_stop = Rulings(six_faces=SixFaces.ROLL_ON, stop_without_claim=StopWithoutClaim.BARRED)
    rolls = ("1234455W", "123455W", "12345W", "12345", "2345", "34W")
    decisions = [Decision(face, "roll") for face in "12345"]
    decisions.append(Decision("W", "stop"))
    script = Script(lay((27,), (26,)), rolls, tuple(decisions))
    asked, reply, _ = under_test(StartsOnly(Edition("", "", cannot_stop))).ask(script)
    assert asked.rolls == (*rolls, "11")
    assert isinstance(reply, TurnResult)
    assert reply.table.stacks == [[], [26]]


def test_each_of_many_turns_is_answered_in_order() -> None:
    """Set or played to, the answers are the same, and so are the reasons for none."""
    scripts = [DEAD._replace(table=table) for table in (lay((24,), ()), lay((), (24,)), start(2))]
    scripts.insert(1, DEAD._replace(table=lay((24,), (), down=(21,))))
    played = list(under_test(StartsOnly()).ask_each(scripts))
    whole = list(under_test(Whole()).ask_each(scripts))
    assert [one.script for one in played] == scripts
    assert [one.reply for one in (*played[:1], *played[2:])] == [
        one.reply for one in (*whole[:1], *whole[2:])
    ]
    with pytest.raises(NotReached, match="the 21"):
        played[1].required()
    assert whole[1].required() == whole[1].reply


def test_an_engine_that_takes_where_it_could_steal_is_led_another_way() -> None:
    """Bob took the 23 instead of stealing the 24: so Ann fails, and he takes the 24 at once."""
    one = under_test(StartsAndTakes())
    reply = one.ask(DEAD._replace(table=lay((), (24,)))).reply
    assert isinstance(reply, TurnResult)
    assert reply.table.stacks == [[], [24]]
