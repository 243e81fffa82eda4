"""Two games with every question of the protocol on the way: each line fits its schema."""

import json
import random

import pytest

from pickomino_conformance.cases import Wanted, smoke
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.messages import (
    MALFORMED,
    MISFIT,
    NO_SUCH_METHOD,
    PARAMS,
    REFUSED,
    ClaimMessage,
    ConfigureParams,
    LegalParams,
    ScoreParams,
    SettleParams,
    StartParams,
    TurnParams,
)
from pickomino_conformance.protocol.reference import ReferenceEngine
from pickomino_conformance.protocol.translate import configuration, table_message
from pickomino_conformance.protocol.wire import InProcess
from pickomino_reference import (
    BASE,
    Claim,
    Decision,
    Position,
    Roll,
    Rulings,
    Script,
    SetAside,
    StealBack,
    Stop,
    Table,
    find_edition,
    legal,
    play,
    start,
)
from protocol_messages import Message, faults, kind


class Recorder(InProcess):
    """A wire to the reference that keeps every line of the conversation."""

    def __init__(self, engine: object) -> None:
        super().__init__(engine)
        self.sent: list[Message] = []
        self.came: list[Message] = []

    def send(self, line: bytes) -> None:
        """Keep the request and pass it on."""
        self.sent.append(json.loads(line))
        super().send(line)

    def receive(self) -> bytes:
        """Keep the answer and pass it on."""
        line = super().receive()
        self.came.append(json.loads(line))
        return line


def random_turn(table: Table, rulings: Rulings, dice: random.Random) -> tuple[Script, Table]:
    """Return a turn of a player who likes worms and stops when something can be claimed."""
    position, rolls, decisions = Position(table), [], list[Decision]()
    while True:
        left = BASE.dice - len(position.turn.set_aside)
        rolls.append("".join(dice.choices("12345W", k=left)))
        position = play(position, Roll(rolls[-1]), rulings)
        if position.table is not table:
            return Script(table, tuple(rolls), tuple(decisions)), position.table
        face = max(legal(position, rulings).faces)
        position = play(position, SetAside(face), rulings)
        options = legal(position, rulings)
        settled = position.table is not table
        if not settled and options.roll and not options.claims:
            decisions.append(Decision(face, "roll"))
            continue
        claim: Claim | None = None if settled or not options.claims else options.claims[-1]
        decisions.append(Decision(face, "stop", claim))
        if not settled:
            position = play(position, claim or Stop(), rulings)
        return Script(table, tuple(rolls), tuple(decisions)), position.table


def talk(engine: EngineUnderTest, dice: random.Random) -> None:
    """Play a game turn by turn, with every other question of the protocol on the way."""
    rulings = engine.rulings
    list(smoke.run(engine, Wanted()))
    table = start(dice.randint(2, 7))
    engine.conversation.ask(StartParams(len(table.stacks)))
    while table.grill:
        script, after = random_turn(table, rulings, dice)
        message = table_message(table, rulings)
        kept = script.set_aside
        engine.conversation.ask(
            LegalParams(message, kept),
            LegalParams(None, "", script.rolls[0]),
            SettleParams(message, kept or "1", dead=True),
            SettleParams(message, "WWWWWW4", ClaimMessage(steal=1)),
            SettleParams(message, "WWWWWW4", ClaimMessage(take=max(table.grill))),
            TurnParams(message, list(script.rolls), []),
        )
        engine.ask(script)
        table = after
    engine.conversation.ask(
        ScoreParams([list(stack) for stack in table.stacks]),
        TurnParams(table_message(table, rulings), ["12345WWW"], []),
        TurnParams(table_message(table._replace(grill=(37,)), rulings), ["12345WWW"], []),
        StartParams(8),
    )


@pytest.fixture(scope="module")
def conversation() -> list[tuple[Message, Message]]:
    """Return exchanges of the harness with the reference, in games under two sets of rulings."""
    exchanges: list[tuple[Message, Message]] = []
    dice = random.Random(21)
    for rulings in (
        Rulings(steal_back=StealBack.BARRED),
        find_edition("ultraboardgames+roll-on").rulings,
    ):
        wire = Recorder(ReferenceEngine())
        with Conversation(lambda wire=wire: wire, configuration(rulings)) as held:  # type: ignore[misc]
            talk(EngineUnderTest(held, rulings), dice)
        exchanges += zip(wire.sent, wire.came, strict=True)
    fixed = Recorder(ReferenceEngine(find_edition()))
    with Conversation(lambda: fixed) as held:
        held.ask(ConfigureParams({"steal-back": "barred"}))
    return [*exchanges, *zip(fixed.sent, fixed.came, strict=True)]


def test_what_harness_and_reference_say_fits_the_schemas(
    conversation: list[tuple[Message, Message]],
) -> None:
    """Every line of two games under different rulings, errors among them, fits its schema."""
    assert [
        (line, found)
        for request, answer in conversation
        for part, line in (("request", request), ("response", answer))
        if (found := faults(request["method"], part, line))
    ] == []


def test_the_wider_conversation_is_wide(conversation: list[tuple[Message, Message]]) -> None:
    """The conversation has a result of every method, and each error that can be provoked."""
    kinds = {kind(request, answer) for request, answer in conversation}
    assert {
        *((method, None) for method in PARAMS),
        ("start", REFUSED),
        ("turn", REFUSED),
        ("settle", REFUSED),
        ("turn", MISFIT),
        ("turn", MALFORMED),
        ("settle", MALFORMED),
        ("configure", NO_SUCH_METHOD),
    } == kinds
