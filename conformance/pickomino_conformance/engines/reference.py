"""The reference as an engine of the adapter protocol."""

from importlib.metadata import version
from typing import Any

from msgspec import convert, to_builtins

from pickomino_conformance import Malformed, Misfit, Refused
from pickomino_conformance.protocol import (
    CAPABILITIES,
    PROTOCOL,
    ClaimMessage,
    Hello,
    TableMessage,
)
from pickomino_conformance.tables import claim_message, read_claim, read_table, table_message
from pickomino_reference import (
    BASE,
    Claim,
    Edition,
    Options,
    Position,
    Roll,
    Rule,
    SetAside,
    Stop,
    StopWithoutClaim,
    Table,
    Turn,
    UnknownName,
    claiming,
    failing,
    find_edition,
    game,
    legal,
    make_rulings,
    play,
    reach,
    rolling,
    ruling_values,
    score,
    start,
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
        return {}

    def start(self, players: int) -> dict[str, Any]:
        """Return the table of a new game."""
        try:
            table = start(players)
        except Forbidden as forbidden:
            raise _refused(forbidden.rule) from None
        self._table = table
        return {"table": self._message(table)}

    def score(self, stacks: list[list[int]]) -> dict[str, Any]:
        """Return the worms of each stack, and who wins with them."""
        table = read_table(TableMessage(grill=[], stacks=stacks))
        worms, winners = score(table.stacks, self._rulings)
        return {"worms": list(worms), "winners": list(winners)}

    def legal(self, table: dict[str, Any] | None, kept: str, roll: str | None) -> dict[str, Any]:
        """Return what may be done with the dice set aside, and the roll if there is one."""
        turn = Turn("".join(sorted(kept)), "".join(sorted(roll or "")))
        dice = rolling.all_dice(kept, BASE)
        if roll is not None and len(roll) != dice:
            raise Malformed(f"with {len(kept)} dice set aside a roll has {dice}, not {len(roll)}")
        options: Options = legal(Position(self._read(table), turn), self._rulings)
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
        try:
            script = _Script(self._read(table), self._rulings)
            after = script.run(rolls, decisions)
        except Forbidden as forbidden:
            raise _refused(forbidden.rule) from None
        self._table = after
        return self._settled(after) | {"rolls_used": script.rolls_used, "trace": script.trace}

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
        self._table = after
        return self._settled(after)

    def _read(self, table: dict[str, Any] | None) -> Table:
        if table is not None:
            return read_table(convert(table, TableMessage))
        if self._table is None:
            raise Malformed("the table is null, but neither start nor turn has answered one yet")
        return self._table

    def _message(self, table: Table) -> dict[str, Any]:
        return dict(to_builtins(table_message(table, self._rulings)))

    def _settled(self, table: Table) -> dict[str, Any]:
        return {"table": self._message(table), "over": table.grill == ()}


class _Script:
    """One scripted turn: walks through rolls and decisions until the turn is settled."""

    def __init__(self, table: Table, rulings: Any) -> None:
        self._table = table
        self._rulings = rulings
        self._position = Position(table)
        self.rolls_used = 0
        self.trace: list[dict[str, Any]] = []

    def run(self, rolls: list[str], decisions: list[dict[str, Any]]) -> Table:
        """Return the table after the turn.

        Raises:
            Forbidden: a rule of the reference forbids a decision.
            Misfit: the script ends before the turn does, or does not fit it.
        """
        for roll in rolls:
            self._roll(roll)
            if self._settled():
                break
            if self.rolls_used > len(decisions):
                raise self._misfit("decision")
            if self._decide(decisions[self.rolls_used - 1], more=self.rolls_used < len(rolls)):
                break
        else:
            raise self._misfit("roll")
        if len(decisions) > len(self.trace):
            raise Misfit(
                "the turn is over, but a decision is left", after_rolls=self.rolls_used
            )
        return self._position.table

    def _settled(self) -> bool:
        return self._position.table is not self._table

    def _misfit(self, wants: str) -> Misfit:
        turn = self._position.turn
        return Misfit(
            f"the script ends, but the turn wants a {wants}",
            after_rolls=self.rolls_used,
            wants=wants,
            dice=rolling.all_dice(turn.set_aside, BASE),
        )

    def _roll(self, roll: str) -> None:
        dice = rolling.all_dice(self._position.turn.set_aside, BASE)
        if len(roll) != dice and not game.ending.grill_empty(self._table):
            raise Misfit(
                f"roll {self.rolls_used + 1} has {len(roll)} dice, the turn rolls {dice}",
                after_rolls=self.rolls_used,
                wants="roll",
                dice=dice,
            )
        self._position = play(self._position, Roll(roll), self._rulings)
        self.rolls_used += 1

    def _decide(self, decision: dict[str, Any], *, more: bool) -> bool:
        """Carry out one decision; return whether it ended the turn."""
        rulings, face, rolls_on = self._rulings, decision["keep"], decision["then"] == "roll"
        claim = _claim(decision.get("claim"))
        before = self._position.turn
        if face is None:
            raise Forbidden(Rule.ROLLING_CHOOSE_A_FACE)
        self._position = play(self._position, SetAside(face), rulings)
        kept = rolling.whole_face(before.set_aside, before.rolled, face)
        self.trace.append(
            {
                "kept": kept,
                "dice": rolling.all_dice(kept, BASE),
                "total": claiming.total(kept, BASE),
            }
        )
        if rolls_on:
            if rolling.forced_end(kept, rulings, BASE):
                raise Forbidden(Rule.ROLLING_FORCED_END)
            return False
        if self._settled():
            if claim is not None:
                raise Forbidden(game.forbids(self._table, kept, claim))
            return True
        claims = reach(self._table, kept, rulings)
        if claim is None and claims:
            raise Misfit(
                "something can be claimed, but the decision does not say what",
                after_rolls=self.rolls_used,
                wants="claim",
                dice=rolling.all_dice(kept, BASE),
                offers=_offers(claims),
            )
        if claim is None and self._can_only_roll(kept):
            if not more:
                raise self._misfit("roll")
            return False
        self._position = play(self._position, claim or Stop(), rulings)
        return True

    def _can_only_roll(self, kept: str) -> bool:
        """Whether every face is set aside, yet stopping is barred: then a dead roll must end it."""
        return (
            len(set(kept)) == len(BASE.points)
            and self._rulings.stop_without_claim is StopWithoutClaim.BARRED
        )


def _settle(table: Table, kept: str, claim: Claim | None, dead: bool, rulings: Any) -> Table:
    if game.ending.grill_empty(table):
        raise Forbidden(Rule.ENDING_GRILL_EMPTY)
    if kept == "":
        raise Malformed("kept is empty: no turn ends before a face was set aside")
    if dead:
        if claim is not None:
            raise Malformed("a dead roll claims nothing: claim must be null")
        if rolling.forced_end(kept, rulings, BASE):
            raise Malformed(f"no roll can be dead after {kept!r}: the turn was over")
        return failing.failed_turn(table, rulings)
    claims = reach(table, kept, rulings)
    if claim is None and claims:
        raise Misfit("something can be claimed", wants="claim", offers=_offers(claims))
    return play(Position(table, Turn("".join(sorted(kept)))), claim or Stop(), rulings).table


def _claim(claim: dict[str, int] | None) -> Claim | None:
    return None if claim is None else read_claim(convert(claim, ClaimMessage))


def _offers(claims: tuple[Claim, ...]) -> list[dict[str, int]]:
    return [dict(to_builtins(claim_message(claim))) for claim in claims]


def _refused(rule: Rule) -> Refused:
    return Refused(f"forbidden by {rule}", rule=str(rule))

