"""How a game gets to a table: the way leads there, by the plainest turns, or there is none."""

import pytest
from hypothesis import given, settings
from msgspec import UNSET

from engines_of_ours import StartsAndTakes, StartsOnly, Whole
from pickomino_conformance.arriving import Leg, dead_turn, find_way, plain_dice
from pickomino_conformance.cases import Erred, NotReached, Script
from pickomino_conformance.engines.pipe import Broken
from pickomino_conformance.engines.reference import ReferenceEngine
from pickomino_conformance.engines.session import Engine, InProcess
from pickomino_conformance.faults import find_fault
from pickomino_conformance.faults.engine import FaultyEngine
from pickomino_conformance.protocol import Decision, ErrorMessage, TurnResult
from pickomino_conformance.strategies import games
from pickomino_conformance.subject import Subject
from pickomino_conformance.tables import complement, plain_table, read_table
from pickomino_reference import (
    BASE,
    Edition,
    FlipAfterReturn,
    FlipWithoutReturn,
    Rulings,
    SixFaces,
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
    return f"steals from {claim.steal}" if claim.take is UNSET else f"takes {claim.take}"


def subject(engine: ReferenceEngine, rulings: Rulings = RULEBOOK) -> Subject:
    """Return a conversation with an engine in this process."""
    return Subject(Engine(lambda: InProcess(engine)), rulings)


# The dice of a turn


@pytest.mark.parametrize("tile", range(22, 36))
def test_a_tile_is_taken_by_plain_dice(tile) -> None:
    """A worm, no 5 even rolled, at most seven dice, and exactly the number."""
    rolls, kept = plain_dice(tile)
    dice = "".join(face * roll.count(face) for roll, face in zip(rolls, kept, strict=True))
    assert sum(5 if face == "W" else int(face) for face in dice) == tile
    assert "W" in dice
    assert "5" not in "".join(rolls)
    assert len(dice) <= 7
    assert len(set(kept)) == len(kept) <= 5


def test_only_eight_dice_make_36_without_a_5() -> None:
    """Seven worms are 35, so the 36 needs the eighth die."""
    assert plain_dice(36) == (("1234WWWW", "4444"), "W4")


def test_a_failure_is_a_dead_second_roll() -> None:
    """A worm set aside, then nothing but worms: little can be disputed about that."""
    assert dead_turn() == (("1122334W", "WWWWWWW"), (Decision(keep="W", then="roll"),))


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
    assert told(find_way(table, RULEBOOK)) == way


def test_a_face_down_tile_took_one_failure_with_a_tile() -> None:
    """By the rulebook only a failure that returns a tile turns one, and it turns no more."""
    way = find_way(lay((), (26,), down=(36,)), RULEBOOK)
    stacks = [leg.script.table.stacks[leg.script.table.player] for leg in way]
    failed = [own for own, turn in zip(stacks, told(way), strict=True) if turn == "fails"]
    assert len([own for own in failed if own]) == 1


def test_a_way_keeps_off_what_the_case_is_about() -> None:
    """To be asked about stealing, Bob comes to the 24 without a steal."""
    way = find_way(lay((), (24,)), RULEBOOK, ["stealing.exact"])
    assert told(way) == ["fails", "takes 24"]


def test_a_way_keeps_off_an_empty_handed_failure_that_the_case_is_about() -> None:
    """To be asked what an empty-handed failure turns, nobody fails so on the way."""
    tables = [lay((), (24,)), lay((), (), (24,), down=(36,)), lay((26,), (24,), (), player=2)]
    ways = [find_way(table, RULEBOOK, ["failing.nothing-returned"]) for table in tables]
    legs = [leg for way in ways for leg in way if _told(leg.script) == "fails"]
    assert [leg for leg in legs if leg.script.table.stacks[leg.script.table.player] == ()] == []


def test_an_engine_that_prefers_the_grill_is_asked_for_no_steal_beside_it() -> None:
    """Where a lower tile lies on the grill it would take that one."""
    assert told(find_way(lay((), (24,)), RULEBOOK, ambiguous=False)) == ["fails", "takes 24"]


def test_a_barred_tile_was_just_stolen() -> None:
    """Under `steal-back = barred` the tile is barred because the way ends with that steal."""
    rulings = Rulings(steal_back=StealBack.BARRED)
    table = lay((24,), (), player=1)._replace(barred=((), (24,)))
    assert told(find_way(table, rulings))[-1] == "steals from 1"


@settings(max_examples=150, deadline=None, derandomize=True)
@given(games(turns=14))
def test_a_table_of_a_game_is_reached(game) -> None:
    """No table that comes up in a game is called out of reach, whatever the rulings."""
    table = game.positions[-1].table
    before = [leg.after for leg in find_way(table, game.rulings)]
    assert (before or [table])[-1] == table


@settings(max_examples=50, deadline=None)
@given(games(turns=10))
def test_every_turn_of_a_way_is_played_as_foretold(game) -> None:
    """An engine that begins a game and is sent the turns comes to the table, step by step."""
    table, rulings = game.positions[-1].table, game.rulings
    engine = ReferenceEngine(Edition("", "", rulings))
    engine.start(len(table.stacks))
    for leg in find_way(table, rulings):
        rolls, decisions = list(leg.script.rolls), [_plain(one) for one in leg.script.decisions]
        assert engine.turn(None, rolls, decisions)["table"] == plain_table(leg.after, rulings)


def _plain(decision: Decision) -> dict:
    claim = decision.claim
    told = {"keep": decision.keep, "then": decision.then}
    if not claim:
        return told
    which = {"steal": claim.steal} if claim.take is UNSET else {"take": claim.take}
    return told | {"claim": which}


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
        find_way(table, rulings)


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
    assert find_way(table, rulings)[-1].after == table


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
    (Decision(keep="W", then="roll"), Decision(keep="4", then="roll")),
)
DEAD = TURN._replace(rolls=(*TURN.rolls, "44"))


def test_an_engine_is_played_to_the_table_and_then_asked() -> None:
    """The failure costs the 24, and turns the 36, as it does on a table that was set."""
    replies = [subject(engine()).ask(DEAD).reply for engine in (StartsOnly, Whole)]
    assert isinstance(replies[0], TurnResult)
    assert replies[0] == replies[1]
    assert read_table(replies[0].table).face_down == (36,)


def test_what_was_asked_is_told_as_if_the_table_had_been_set() -> None:
    """The way is not told where it led there; the turn can be asked again by itself."""
    asked = {}
    for engine in (StartsOnly, Whole):
        one = subject(engine())
        one.ask(DEAD)
        asked[engine] = one.exchanges
    assert asked[StartsOnly] == asked[Whole]


def test_after_an_error_the_game_begins_anew() -> None:
    """A turn that was refused leaves nothing behind for the next case."""
    one = subject(StartsOnly())
    assert isinstance(one.ask(TURN).reply, ErrorMessage)
    assert isinstance(one.ask(DEAD).reply, TurnResult)


def test_an_engine_that_breaks_down_on_the_way_is_played_there_once_more() -> None:
    """It is started anew, and the game from its beginning."""
    Breaks.left = 4
    with Engine(lambda: Breaks(StartsOnly())) as engine:
        reply = Subject(engine, RULEBOOK).ask(DEAD).reply
        assert isinstance(reply, TurnResult)
        assert engine.conversation.restarts == 1


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
        subject(CrashesAtASteal()).ask(script)


class LeavesTheWay(StartsOnly, FaultyEngine):
    """Departs where a way may lead."""


def test_a_departure_on_the_way_is_not_reached() -> None:
    """It is told where the engine left the way; the case itself was not asked."""
    one = subject(LeavesTheWay([find_fault("the tile taken stays on the grill")]))
    with pytest.raises(NotReached, match=r"player 0 rolls .* departs on the way to this table"):
        one.ask(DEAD)
    assert [exchange.params["rolls"] for exchange in one.exchanges] == [list(plain_dice(24)[0])]


def test_an_engine_that_was_led_astray_is_led_another_way() -> None:
    """Where nothing can be stolen, Ann fails instead, and Bob takes the 24 himself."""
    one = subject(LeavesTheWay([find_fault("nothing can be stolen at all")]))
    reply = one.ask(DEAD._replace(table=lay((), (24,)))).reply
    assert isinstance(reply, TurnResult)
    assert reply.table.stacks == [[], [24]]


def test_who_can_not_stop_at_six_faces_is_played_there_again_with_a_roll_more() -> None:
    """The script does not fit, which voids the game; with a dead roll more the turn fails."""
    cannot_stop = Rulings(six_faces=SixFaces.ROLL_ON, stop_without_claim=StopWithoutClaim.BARRED)
    rolls = ("1234455W", "123455W", "12345W", "12345", "2345", "34W")
    decisions = [Decision(keep=face, then="roll") for face in "12345"]
    decisions.append(Decision(keep="W", then="stop", claim=None))
    script = Script(lay((27,), (26,)), rolls, tuple(decisions))
    asked, reply = subject(StartsOnly(Edition("", "", cannot_stop))).ask(script)
    assert asked.rolls == (*rolls, "11")
    assert isinstance(reply, TurnResult)
    assert reply.table.stacks == [[], [26]]


def test_each_of_many_turns_is_answered_in_order() -> None:
    """Set or played to, the answers are the same, and so are the reasons for none."""
    scripts = [DEAD._replace(table=table) for table in (lay((24,), ()), lay((), (24,)), start(2))]
    scripts.insert(1, DEAD._replace(table=lay((24,), (), down=(21,))))
    played = list(subject(StartsOnly()).ask_each(scripts))
    whole = list(subject(Whole()).ask_each(scripts))
    assert [one.script for one in played] == scripts
    assert [one.reply for one in (*played[:1], *played[2:])] == [
        one.reply for one in (*whole[:1], *whole[2:])
    ]
    with pytest.raises(NotReached, match="the 21"):
        played[1].required()
    assert whole[1].required() == whole[1].reply


def test_an_engine_that_takes_where_it_could_steal_is_led_another_way() -> None:
    """Bob took the 23 instead of stealing the 24: so Ann fails, and he takes the 24 at once."""
    one = subject(StartsAndTakes())
    reply = one.ask(DEAD._replace(table=lay((), (24,)))).reply
    assert isinstance(reply, TurnResult)
    assert reply.table.stacks == [[], [24]]
