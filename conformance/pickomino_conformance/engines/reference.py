"""The reference as an engine of the adapter protocol."""

from importlib.metadata import version
from typing import Any, NamedTuple

from msgspec import convert, to_builtins

from pickomino_conformance import Malformed, Misfit, Refused
from pickomino_conformance.protocol import (
    CAPABILITIES,
    PROTOCOL,
    Hello,
    TableMessage,
)
from pickomino_conformance.tables import claim_message, plain_table, read_table
from pickomino_reference import (
    BASE,
    Claim,
    Edition,
    Options,
    Position,
    Roll,
    Rule,
    Rulings,
    SetAside,
    Steal,
    Stop,
    StopWithoutClaim,
    Table,
    Take,
    Turn,
    UnknownName,
    claiming,
    ending,
    failing,
    find_edition,
    game,
    make_rulings,
    rolling,
    ruling_values,
)
from pickomino_reference import Refused as Forbidden
from pickomino_reference.editions import ALTERNATIVES


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
        self._turns = _Turns(self._rulings)
        self._message: dict[str, Any] | None = None
        self._message_read: Table | None = None

    def hello(self) -> dict[str, Any]:
        """Return what the reference says of itself."""
        values = ruling_values(self._rulings)
        declared: dict[str, str | list[str]] = dict(values)
        if not self._fixed:
            for ruling, value in values.items():
                others = [str(other) for other in ALTERNATIVES[ruling] if other != value]
                declared[ruling] = [value, *others]
        kept = [name for name in CAPABILITIES if name != "configure" or not self._fixed]
        hello = Hello(
            name=f"reference, {self._edition.name}" if self._fixed else "reference",
            version=version("pickomino-spec"),
            protocol=PROTOCOL,
            players=BASE.players,
            capabilities=kept,
            rulings=declared,
        )
        return dict(to_builtins(hello))

    def configure(self, rulings: dict[str, str]) -> dict[str, Any]:
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

    def start(self, players: int) -> dict[str, Any]:
        """Return the table of a new game."""
        try:
            table = game.start(players)
        except Forbidden as forbidden:
            raise _refused(forbidden.rule) from None
        self._table = table
        return {"table": plain_table(table, self._rulings)}

    def score(self, stacks: list[list[int]]) -> dict[str, Any]:
        """Return the worms of each stack, and who wins with them."""
        table = read_table(TableMessage(grill=[], stacks=stacks))
        worms, winners = game.score(table.stacks, self._rulings)
        return {"worms": list(worms), "winners": list(winners)}

    def legal(self, table: dict[str, Any] | None, kept: str, roll: str | None) -> dict[str, Any]:
        """Return what may be done with the dice set aside, and the roll if there is one."""
        turn = Turn("".join(sorted(kept)), "".join(sorted(roll or "")))
        dice = rolling.all_dice(kept, BASE)
        if roll is not None and len(roll) != dice:
            raise Malformed(f"with {len(kept)} dice set aside a roll has {dice}, not {len(roll)}")
        options: Options = game.legal(Position(self._read(table), turn), self._rulings)
        return {
            "keep": options.faces,
            "roll": options.roll,
            "stop": options.stop,
            "claims": _offers(options.claims),
        }

    def turn(
        self,
        table: dict[str, Any] | None,
        rolls: list[str],
        decisions: list[dict[str, Any]],
    ) -> dict[str, Any]:
        """Play a whole turn and return the table after it."""
        before = self._read(table)
        try:
            after, used, trace = self._turns.play(before, rolls, decisions)
        except Forbidden as forbidden:
            raise _refused(forbidden.rule) from None
        self._table = after
        return {**self._settled(after), "rolls_used": used, "trace": trace}

    def settle(
        self,
        table: dict[str, Any] | None,
        kept: str,
        claim: dict[str, int] | None,
        dead: bool,
    ) -> dict[str, Any]:
        """End a turn with these dice: by the claim, or by a last, dead roll."""
        before = self._read(table)
        try:
            after = _settle(before, kept, _claim(claim), dead, self._rulings)
        except Forbidden as forbidden:
            raise _refused(forbidden.rule) from None
        return self._settled(after)

    def _read(self, table: dict[str, Any] | None) -> Table:
        """Return the table of a message, which often is the one of the message before."""
        if table is None:
            if self._table is None:
                raise Malformed("the table is null, but no start or turn has answered one yet")
            return self._table
        if table != self._message:
            self._message_read = read_table(convert(table, TableMessage))
            self._message = table
        assert self._message_read is not None
        return self._message_read

    def _settled(self, table: Table) -> dict[str, Any]:
        return {"table": plain_table(table, self._rulings), "over": ending.grill_empty(table)}


class _Step(NamedTuple):
    """A roll and the face set aside from it, after which the player rolled on."""

    roll: str
    face: str | None
    position: Position
    trace: dict[str, Any]


class _Turns:
    """Plays scripted turns. A script often begins like the one before: it resumes there."""

    def __init__(self, rulings: Rulings) -> None:
        self.rulings = rulings
        self._table: Table | None = None
        self._steps: list[_Step] = []
        self._claimed: dict[tuple[str, Claim], Table] = {}

    def play(
        self, table: Table, rolls: list[str], decisions: list[dict[str, Any]]
    ) -> tuple[Table, int, list[dict[str, Any]]]:
        """Return the table after the turn, the rolls used, and the trace of the decisions.

        Raises:
            Forbidden: a rule of the reference forbids a decision.
            Misfit: the script ends before the turn does, or goes on after it.
        """
        steps = self._resume(table, rolls, decisions)
        position = steps[-1].position if steps else Position(table)
        for index in range(len(steps), len(rolls)):
            used = index + 1
            position = self._roll(position, rolls[index], index)
            if position.table is not table:
                return _ended(position.table, used, steps, len(decisions))
            if index >= len(decisions):
                raise _misfit(used, "decision", position.turn.set_aside)
            step = self._set_aside(position, rolls[index], decisions[index]["keep"])
            position = step.position
            if decisions[index]["then"] == "stop":
                claim = _claim(decisions[index].get("claim"))
                after = self._stop(table, step, claim, used)
                if after is not None:
                    return _ended(after, used, [*steps, step], len(decisions))
            elif position.table is not table:
                if rolling.forced_end(step.trace["kept"], self.rulings, BASE):
                    raise Forbidden(Rule.ROLLING_FORCED_END)
                # Only with a fault does a turn end here, whatever the player wants.
                return _ended(position.table, used, [*steps, step], len(decisions))
            steps.append(step)
        if rolling.forced_end(position.turn.set_aside, self.rulings, BASE):
            raise Forbidden(Rule.ROLLING_FORCED_END)
        raise _misfit(len(rolls), "roll", position.turn.set_aside)

    def _resume(
        self, table: Table, rolls: list[str], decisions: list[dict[str, Any]]
    ) -> list[_Step]:
        """Return the steps of the last script with which this one begins, too."""
        if table is not self._table:
            self._table = table
            self._steps = []
            self._claimed = {}
        same = 0
        for step, roll, decision in zip(self._steps, rolls, decisions, strict=False):
            if (roll, decision["keep"], decision["then"]) != (step.roll, step.face, "roll"):
                break
            same += 1
        del self._steps[same:]
        return self._steps

    def _roll(self, position: Position, roll: str, used: int) -> Position:
        try:
            return game.play(position, Roll(roll), self.rulings)
        except Forbidden as forbidden:
            if forbidden.rule is Rule.ROLLING_ALL_DICE:
                raise _misfit(used, "roll", position.turn.set_aside) from None
            raise

    def _set_aside(self, position: Position, roll: str, face: str | None) -> _Step:
        set_aside, rolled = position.turn
        if face is None:
            if rolling.choose_a_face(position.turn):
                raise Forbidden(Rule.ROLLING_CHOOSE_A_FACE)
            after, kept = Position(position.table, Turn(set_aside)), set_aside
        else:
            after = game.play(position, SetAside(face), self.rulings)
            kept = after.turn.set_aside or rolling.whole_face(set_aside, rolled, face)
        dice, total = rolling.all_dice(kept, BASE), claiming.total(kept, BASE)
        return _Step(roll, face, after, {"kept": kept, "dice": dice, "total": total})

    def _stop(self, table: Table, step: _Step, claim: Claim | None, used: int) -> Table | None:
        """Return the table after a stop; none if the player can only roll on, and fail."""
        kept = step.trace["kept"]
        if step.position.table is not table:
            if claim is not None:
                raise Forbidden(game.forbids(table, kept, claim))
            return step.position.table
        if claim is not None:
            # The same dice claim the same on the same table, however they came together.
            after = self._claimed.get((kept, claim))
            if after is None:
                after = game.play(step.position, claim, self.rulings).table
                self._claimed[kept, claim] = after
            return after
        claims = game.reach(table, kept, self.rulings)
        if claims:
            raise _misfit(used, "claim", kept, claims)
        every_face = len(set(kept)) == len(BASE.points)
        if every_face and self.rulings.stop_without_claim is StopWithoutClaim.BARRED:
            return None
        return game.play(step.position, Stop(), self.rulings).table


def _ended(
    table: Table, used: int, steps: list[_Step], decisions: int
) -> tuple[Table, int, list[dict[str, Any]]]:
    if decisions > len(steps):
        raise Misfit("the turn is over, but a decision is left", after_rolls=used)
    return table, used, [step.trace for step in steps]


def _misfit(used: int, wants: str, kept: str, claims: tuple[Claim, ...] = ()) -> Misfit:
    dice = rolling.all_dice(kept, BASE)
    text = f"after {used} rolls the turn wants a {wants}" + (f" of {dice} dice" * (wants == "roll"))
    return Misfit(text, after_rolls=used, wants=wants, dice=dice, offers=_offers(claims) or None)


def _settle(table: Table, kept: str, claim: Claim | None, dead: bool, rulings: Rulings) -> Table:
    if ending.grill_empty(table):
        raise Forbidden(Rule.ENDING_GRILL_EMPTY)
    if kept == "":
        raise Malformed("kept is empty: no turn ends before a face was set aside")
    if dead:
        if claim is not None:
            raise Malformed("a dead roll claims nothing: claim must be null")
        if rolling.forced_end(kept, rulings, BASE):
            raise Malformed(f"no roll can be dead after {kept!r}: the turn was over")
        return failing.failed_turn(table, rulings)
    claims = game.reach(table, kept, rulings)
    if claim is None and claims:
        raise Misfit("something can be claimed", wants="claim", offers=_offers(claims))
    return game.play(Position(table, Turn("".join(sorted(kept)))), claim or Stop(), rulings).table


def _claim(claim: dict[str, int] | None) -> Claim | None:
    if claim is None:
        return None
    return Take(claim["take"]) if "take" in claim else Steal(claim["steal"])


def _offers(claims: tuple[Claim, ...]) -> list[dict[str, int]]:
    return [dict(to_builtins(claim_message(claim))) for claim in claims]


def _refused(rule: Rule) -> Refused:
    return Refused(f"forbidden by {rule}", rule=str(rule))
