"""A logged turn, followed on the reference as far as the rules let it go."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from pickomino_conformance import sentences
from pickomino_conformance.protocol import Decision
from pickomino_conformance.reasons.explaining import offering
from pickomino_conformance.tables import claim_message
from pickomino_reference import (
    BASE,
    Claim,
    Position,
    Refused,
    Roll,
    Rule,
    Rulings,
    SetAside,
    Stop,
    Table,
    claiming,
    failing,
    game,
    rolling,
)

# The rules that forbid a claim which another total would allow.
_BY_TOTAL = (Rule.CLAIMING_EXACT, Rule.CLAIMING_LOWER, Rule.STEALING_EXACT)


class End(StrEnum):
    """How a turn ended."""

    CLAIM = "a claim"
    DEAD_ROLL = "a dead roll"
    FORCED = "a forced end with nothing to claim"
    STOP = "a stop with nothing to claim"


class Choice(NamedTuple):
    """A face chosen from a roll, and what was set aside before."""

    set_aside: str
    rolled: str
    face: str


class Parted(NamedTuple):
    """Where the log and the rules part.

    Attributes:
        rules: the rules that may be broken, the likeliest first.
        told: what happened.
        too_early: whether the log's turn ends although the player has to go on.
    """

    rules: tuple[Rule, ...]
    told: str
    too_early: bool = False


class Followed(NamedTuple):
    """A turn on the reference.

    Attributes:
        table: the table before it.
        choices: the faces chosen.
        last: the last roll, if it was dead.
        set_aside: all dice set aside, in sorted order.
        forced: whether all dice, or all faces, are set aside.
        claims: what could be claimed in the end.
        claim: what was claimed.
        end: how it ended; none if the log and the rules part before.
        after: the table after it; that before it if they part.
        parted: where they part.
    """

    table: Table
    choices: tuple[Choice, ...]
    last: str
    set_aside: str
    forced: bool
    claims: tuple[Claim, ...]
    claim: Claim | None
    end: End | None
    after: Table
    parted: Parted | None


class Script(NamedTuple):
    """What was rolled and decided.

    Attributes:
        claim: what was claimed with the last decision.
        claim_told: whether the log tells that; if not, any claim will do where one must be made.
    """

    rolls: Sequence[str]
    decisions: Sequence[Decision]
    claim: Claim | None
    claim_told: bool


def follow(table: Table, script: Script, rulings: Rulings) -> Followed:
    """Play a logged turn on the reference."""
    return _Way(table, script, rulings).follow()


class _Way:
    """The way of one turn."""

    def __init__(self, table: Table, script: Script, rulings: Rulings) -> None:
        self._table = table
        self._script = script
        self._rulings = rulings
        self._choices: list[Choice] = []
        self._set_aside = ""
        self._forced = False
        self._claims: tuple[Claim, ...] = ()

    def follow(self) -> Followed:
        """Play the turn."""
        position = Position(self._table)
        rolls, decisions = self._script.rolls, self._script.decisions
        for place, roll in enumerate(rolls):
            try:
                rolled = game.play(position, Roll(roll), self._rulings)
            except Refused as refused:
                return self._roll_refused(refused.rule, place)
            if rolled.turn.rolled == "":
                return self._dead(place, rolled.table)
            if place == len(decisions):
                return self._undecided(roll)
            decision = decisions[place]
            turn = self._choose(rolled, decision)
            if isinstance(turn, Followed):
                return turn
            if decision.then == "stop":
                return self._stop(turn)
            if self._forced:
                return self._refused(Rule.ROLLING_FORCED_END, "the player rolls on")
            position = turn
        return self._no_roll()

    def _roll_refused(self, rule: Rule, place: int) -> Followed:
        others: tuple[Rule, ...] = ()
        if rule is Rule.ROLLING_ALL_DICE:
            others = (Rule.ROLLING_WHOLE_FACE if place else Rule.SETUP_DICE,)
        left = rolling.all_dice(self._set_aside, BASE)
        rolled = sentences.dice(self._script.rolls[place])
        return self._refused(rule, f"roll {place + 1} is {rolled} with {left} dice left", *others)

    def _choose(self, position: Position, decision: Decision) -> Position | Followed:
        """Set a face aside; return what is left, or the end of the turn."""
        face, (set_aside, rolled) = decision.keep, position.turn
        if face is None:
            words = f"nothing is set aside from {sentences.dice(rolled)}"
            return self._refused(Rule.ROLLING_CHOOSE_A_FACE, words)
        try:
            after = game.play(position, SetAside(face), self._rulings)
        except Refused as refused:
            words = f"{face} is set aside from {sentences.dice(rolled)}"
            return self._refused(refused.rule, words)
        self._choices.append(Choice(set_aside, rolled, face))
        self._set_aside = after.turn.set_aside or rolling.whole_face(set_aside, rolled, face)
        self._forced = rolling.forced_end(self._set_aside, self._rulings, BASE)
        if after.turn.set_aside:
            return after
        if decision.then == "roll":
            return self._refused(Rule.ROLLING_FORCED_END, "the player rolls on")
        if self._script.claim is not None:
            return self._claim_refused(self._script.claim)
        return self._ended(End.FORCED, after.table)

    def _stop(self, position: Position) -> Followed:
        self._claims = game.reach(self._table, self._set_aside, self._rulings)
        claim = self._script.claim
        if claim is None and self._claims and not self._script.claim_told:
            claim = self._claims[0]
        try:
            after = game.play(position, claim or Stop(), self._rulings)
        except Refused as refused:
            if claim is not None:
                return self._claim_refused(claim)
            offered: tuple[Rule, ...] = ()
            if self._claims:
                offered = offering(self._table, self._set_aside, self._claims[0], self._claims)
            others = (*offered, *[Rule.ROLLING_FORCED_END] * self._forced)
            return self._refused(refused.rule, "the player stops and claims nothing", *others)
        if claim is None:
            return self._ended(End.FORCED if self._forced else End.STOP, after.table)
        return self._ended(End.CLAIM, after.table, claim=claim)

    def _dead(self, place: int, after: Table) -> Followed:
        roll, decisions = self._script.rolls[place], self._script.decisions
        if place == len(decisions):
            return self._ended(End.DEAD_ROLL, after, last=roll)
        face = decisions[place].keep
        rules: tuple[Rule, ...] = (Rule.FAILING_DEAD_ROLL,)
        if face is not None and face in roll:
            rules = (Rule.ROLLING_NEW_FACE, *rules)
        words = "stops" if face is None else f"sets aside {face}"
        dead = f"the roll {sentences.dice(roll)} is dead, and yet the player {words}"
        return self._parted(Parted(rules, dead))

    def _undecided(self, roll: str) -> Followed:
        new = rolling.new_face(self._set_aside, roll)
        words = f"the turn ends with the roll {sentences.dice(roll)}, although it shows {new}"
        return self._parted(
            Parted((Rule.FAILING_DEAD_ROLL, *self._ended_early()), words, too_early=True)
        )

    def _no_roll(self) -> Followed:
        left = rolling.all_dice(self._set_aside, BASE)
        words = f"the player rolls on, and yet the turn ends with {left} dice left and no roll"
        return self._parted(
            Parted((Rule.ROLLING_FORCED_END, *self._ended_early()), words, too_early=True)
        )

    def _ended_early(self) -> tuple[Rule, ...]:
        """Return the rules that an engine may have in mind that ends a turn too early."""
        if game.reach(self._table, self._set_aside, self._rulings):
            return ()
        return (Rule.FAILING_OUT_OF_REACH,)

    def _claim_refused(self, claim: Claim) -> Followed:
        self._claims = game.reach(self._table, self._set_aside, self._rulings)
        rule = game.forbids(self._table, self._set_aside, claim)
        others = [Rule.CLAIMING_TOTAL] * (rule in _BY_TOTAL)
        if not self._claims:
            no_worm = failing.no_worm(self._set_aside, BASE)
            others.append(Rule.FAILING_NO_WORM if no_worm else Rule.FAILING_OUT_OF_REACH)
        words = sentences.claim(claim_message(claim))
        dice = f"{sentences.dice(self._set_aside)}, total {claiming.total(self._set_aside, BASE)}"
        return self._refused(rule, f"the player {words} with {dice}", *others)

    def _refused(self, rule: Rule, words: str, *others: Rule) -> Followed:
        return self._parted(Parted((rule, *others), f"{words}, which is forbidden"))

    def _parted(self, parted: Parted) -> Followed:
        return self._followed("", None, None, self._table, parted)

    def _ended(
        self, end: End, after: Table, *, last: str = "", claim: Claim | None = None
    ) -> Followed:
        return self._followed(last, claim, end, after, None)

    def _followed(
        self,
        last: str,
        claim: Claim | None,
        end: End | None,
        after: Table,
        parted: Parted | None,
    ) -> Followed:
        return Followed(
            self._table,
            tuple(self._choices),
            last,
            self._set_aside,
            self._forced,
            self._claims,
            claim,
            end,
            after,
            parted,
        )
