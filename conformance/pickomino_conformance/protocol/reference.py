"""The reference as an engine of the adapter protocol."""

from importlib.metadata import version
from typing import Any

from msgspec import UNSET, convert, to_builtins
from msgspec.json import decode

from pickomino_conformance import Malformed, Misfit, Refused
from pickomino_conformance.oracle import Due, due, of_record
from pickomino_conformance.protocol.messages import (
    CAPABILITIES,
    MISFIT,
    PROTOCOL,
    REFUSED,
    ErrorData,
    ErrorMessage,
    Hello,
    TableMessage,
)
from pickomino_conformance.protocol.translate import (
    Ask,
    Scoring,
    Settling,
    Start,
    read_table,
)
from pickomino_reference import (
    BASE,
    Claim,
    Decision,
    Edition,
    Position,
    Record,
    Rulings,
    Script,
    Steal,
    Table,
    Take,
    Turn,
    UnknownName,
    find_edition,
    make_rulings,
    ruling_values,
    turn,
)
from pickomino_reference.editions import ALTERNATIVES

Plain = dict[str, Any]


class ReferenceEngine:
    """The reference, driven through the operations of the protocol.

    Without an edition it begins with the default one and can be configured; with one it is
    fixed. Every operation takes and returns plain dicts and lists, as the JSON has them.
    """

    def __init__(self, edition: Edition | None = None) -> None:
        self._fixed = edition is not None
        self._edition = edition or find_edition()
        self._rulings = self._edition.rulings
        self._table: Table | None = None
        self._read_last: tuple[Plain | None, Table | None] = (None, None)
        self._turns = _Turns(self._rulings)

    def hello(self) -> Plain:
        """Return what the reference says of itself."""
        values = ruling_values(self._rulings)
        declared: dict[str, str | list[str]] = dict(values)
        if not self._fixed:
            for ruling, value in values.items():
                rest = [str(other) for other in ALTERNATIVES[ruling] if other != value]
                declared[ruling] = [value, *rest]
        hello = Hello(
            name=f"reference, {self._edition.name}" if self._fixed else "reference",
            version=version("pickomino-spec"),
            protocol=PROTOCOL,
            players=BASE.players,
            capabilities=[one for one in CAPABILITIES if one != "configure" or not self._fixed],
            rulings=declared,
        )
        return dict(to_builtins(hello))

    def configure(self, rulings: dict[str, str]) -> Plain:
        """Take over the rulings given; a ruling not given keeps its value.

        Raises:
            NotImplementedError: the edition is fixed.
            Malformed: a ruling or a value does not exist.
        """
        if self._fixed:
            raise NotImplementedError
        try:
            self._rulings = make_rulings(rulings, self._rulings)
        except UnknownName as error:
            raise Malformed(str(error)) from None
        self._turns = _Turns(self._rulings)
        return {}

    def start(self, players: int) -> Plain:
        """Return the table of a new game."""
        return self._answer(Start(players), moves_on=True)

    def score(self, stacks: list[list[int]]) -> Plain:
        """Return the worms of each stack, and who wins with them."""
        table = read_table(TableMessage(grill=[], stacks=stacks))
        return self._answer(Scoring(table.stacks))

    def legal(self, table: Plain | None, kept: str, roll: str | None) -> Plain:
        """Return what may be done with the dice set aside, and the roll if there is one."""
        dice = Turn("".join(sorted(kept)), "".join(sorted(roll or "")))
        return self._answer(Position(self._read(table), dice))

    def turn(self, table: Plain | None, rolls: list[str], decisions: list[Plain]) -> Plain:
        """Play a whole turn and return the table after it."""
        made = tuple(
            Decision(one["keep"], one["then"], _claim(one.get("claim"))) for one in decisions
        )
        return self._answer(Script(self._read(table), tuple(rolls), made), moves_on=True)

    def settle(
        self, table: Plain | None, kept: str, claim: dict[str, int] | None, dead: bool
    ) -> Plain:
        """End a turn with these dice: by the claim, or by a last, dead roll."""
        dice = "".join(sorted(kept))
        return self._answer(Settling(self._read(table), dice, _claim(claim), dead))

    def _answer(self, ask: Ask, *, moves_on: bool = False) -> Plain:
        found = self._turns.due(ask) if isinstance(ask, Script) else due(ask, self._rulings)
        if isinstance(found.reply, ErrorMessage):
            raise _raised(found.reply)
        if moves_on:
            self._table = found.table
        return dict(to_builtins(found.reply))

    def _read(self, table: Plain | None) -> Table:
        """Return the table of a message, which often is the one of the message before."""
        if table is None:
            if self._table is None:
                raise Malformed("the table is null, but no start or turn has answered one yet")
            return self._table
        message, read = self._read_last
        if table != message or read is None:
            read = read_table(convert(table, TableMessage))
            self._read_last = (table, read)
        return read


class _Turns:
    """Plays scripted turns, for speed.

    A script often begins like the one before, on the same table; and the same dice claim the same
    there, however they came together.
    """

    def __init__(self, rulings: Rulings) -> None:
        self._rulings = rulings
        self._table: Table | None = None
        self._begun: list[tuple[str, Decision, Record]] = []
        self._stopped: dict[tuple[str, Claim | None], Record] = {}

    def due(self, script: Script) -> Due:
        """Return the reply to a turn; it goes on where it parts from the last one."""
        record = self._resume(script)
        while record.end is None:
            record = self._next(record, script)
            if record.end is None:
                place = record.rolls_used - 1
                self._begun.append((script.rolls[place], script.decisions[place], record))
        return of_record(record, self._rulings)

    def _resume(self, script: Script) -> Record:
        """Return how far the last script has come that is the same up to there."""
        if script.table is not self._table:
            self._table, self._begun, self._stopped = script.table, [], {}
        same = 0
        for begun, roll, decision in zip(self._begun, script.rolls, script.decisions, strict=False):
            if begun[:2] != (roll, decision):
                break
            same += 1
        del self._begun[same:]
        return self._begun[-1][2] if self._begun else Record(Position(script.table))

    def _next(self, record: Record, script: Script) -> Record:
        place, decisions = record.rolls_used, script.decisions
        last = place + 1 == len(script.rolls) == len(decisions)
        if not last or decisions[place].then == "roll" or decisions[place].keep is None:
            return turn.play_next(record, script, self._rulings)
        keep, _, claim = decisions[place]
        on = script._replace(decisions=(*decisions[:place], Decision(keep, "roll")))
        going_on = turn.play_next(record, on, self._rulings)
        if going_on.end is not None:
            return turn.play_next(record, script, self._rulings)
        key = (going_on.set_aside, claim)
        if key not in self._stopped:
            self._stopped[key] = turn.play_next(record, script, self._rulings)
        return self._stopped[key]._replace(
            trace=going_on.trace, rolls_used=going_on.rolls_used, left_over=False
        )


def _claim(plain: dict[str, int] | None) -> Claim | None:
    if plain is None:
        return None
    return Take(plain["take"]) if "take" in plain else Steal(plain["steal"])


def _raised(error: ErrorMessage) -> Exception:
    """Return the exception by which a class of an engine answers so."""
    data = ErrorData() if error.data is UNSET else decode(error.data, type=ErrorData)
    if error.code == REFUSED:
        return Refused(error.message, rule=str(data.rule))
    if error.code == MISFIT:
        known = to_builtins(data)
        return Misfit(error.message, **known)
    return Malformed(error.message)
