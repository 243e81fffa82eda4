"""A scene: what the steps of one scenario have told so far, and what the engine made of it."""

from collections.abc import Sequence

from msgspec import UNSET

from pickomino_conformance import sentences
from pickomino_conformance.cases import Departure, NotReached, Script, Unsupported
from pickomino_conformance.engines.session import Reply
from pickomino_conformance.levels import smoke
from pickomino_conformance.protocol import (
    ClaimMessage,
    Decision,
    ErrorMessage,
    Params,
    ScoreParams,
    ScoreResult,
    StartParams,
    StartResult,
    TableMessage,
    TurnResult,
)
from pickomino_conformance.subject import (
    Subject,
    require_possible,
    require_refusal,
    require_result,
)
from pickomino_conformance.tables import complement
from pickomino_reference import BASE, Table

NO_CHOICE = "-"


class ChoseItself(Exception):
    """The engine chooses its claims itself, and made another legal one: that passes."""


class Act:
    """What one player does in a turn: rolls, faces set aside, and how it ends."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.rolls: list[str] = []
        self.decisions: list[Decision] = []

    @property
    def claim(self) -> ClaimMessage | None:
        """What is claimed in the end, if anything."""
        return (self.decisions[-1].claim or None) if self.decisions else None

    def add_rolls(self, rows: Sequence[tuple[str, str]]) -> None:
        """Add rolls and the face set aside from each; after each the player rolls on."""
        for roll, face in rows:
            self.rolls.append(roll)
            if face != NO_CHOICE:
                self.decisions.append(Decision(keep=face, then="roll"))

    def stop(self, claim: ClaimMessage | None) -> None:
        """Let the player stop after the last face set aside."""
        self.decisions[-1].then = "stop"
        self.decisions[-1].claim = claim

    def before_choosing(self, decision: Decision) -> None:
        """Let the player act on the last roll although nothing was chosen from it."""
        self.decisions.append(decision)

    def finish(self) -> None:
        """Let a turn that all dice or all faces have ended be settled."""
        if len(self.decisions) == len(self.rolls) and self.decisions[-1].then == "roll":
            kept = set("".join(decision.keep or "" for decision in self.decisions))
            dice = sum(
                roll.count(decision.keep or " ")
                for roll, decision in zip(self.rolls, self.decisions, strict=True)
            )
            if dice == BASE.dice or len(kept) == len(BASE.points):
                self.stop(None)


class Scene:
    """The table, the acts, and the engine's answer; it is asked when the first `Then` looks."""

    def __init__(
        self, subject: Subject, rules: tuple[str, ...], failed_probes: list[smoke.Probe]
    ) -> None:
        self.subject = subject
        self.names: list[str] = []
        self._rules = rules
        self._failed_probes = failed_probes
        self._grill: tuple[int, ...] = ()
        self._stacks: dict[int, tuple[int, ...]] = {}
        self._barred: dict[int, list[int]] = {}
        self._acts: list[Act] = []
        self._rolls_on = False
        self._single: Params | None = None
        self._asked: Script | None = None
        self._reply: Reply | None = None
        subject.exchanges.clear()

    def seat(self, name: str) -> int:
        """Return a player's number; a new name takes the next seat."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def lay_grill(self, tiles: tuple[int, ...]) -> None:
        """Lay the face-up tiles of the grill."""
        self._grill = tiles

    def lay_stack(self, name: str, tiles: tuple[int, ...]) -> None:
        """Give a player a stack, bottom to top."""
        self._stacks[self.seat(name)] = tiles

    def bar(self, tile: int, name: str) -> None:
        """Bar a tile to the player from whom it was just stolen."""
        self._barred.setdefault(self.seat(name), []).append(tile)

    def act(self, name: str) -> Act:
        """Return the act of this player that is under way; a new one after another player's."""
        seat = self.seat(name)
        if not self._acts or self._acts[-1].player != seat:
            self._acts.append(Act(seat))
        return self._acts[-1]

    def roll_on(self) -> None:
        """Say that the last decision is to roll on, without any further dice."""
        self._rolls_on = True

    def set_up(self, players: int) -> None:
        """Begin a game."""
        self._single = StartParams(players)

    def count_worms(self) -> None:
        """Let the stacks be scored."""
        self._single = ScoreParams([list(self._stacks.get(s, ())) for s in range(len(self.names))])

    def table(self) -> Table:
        """Return the table that was told; tiles named nowhere lie face down."""
        seats = range(len(self.names))
        stacks = tuple(self._stacks.get(seat, ()) for seat in seats)
        named = [*self._grill, *(tile for own in stacks for tile in own)]
        barred = tuple(tuple(sorted(self._barred.get(seat, ()))) for seat in seats)
        player = self._acts[0].player if self._acts else 0
        return Table(self._grill, complement(BASE, named), stacks, player, barred)

    def scripts(self) -> list[Script]:
        """Return the turns that were told, each as one script."""
        table = self.table()
        if not self._rolls_on:
            self._acts[-1].finish()
        return [
            Script(table._replace(player=act.player), tuple(act.rolls), tuple(act.decisions))
            for act in self._acts
        ]

    def ask(self) -> Reply:
        """Return the engine's reply to all that was told, asking once."""
        if self._reply is None:
            self._reply = self._ask_single() if self._single else self._ask_turns()
        return self._reply

    def refused(self) -> None:
        """Check that what came last is refused.

        An engine that chooses its claims itself can't refuse one; it must not make it, though.
        """
        self.subject.need("refuse")
        if self._acts and self._acts[-1].claim and not self.subject.can("choose-claim"):
            self._not_claimed()
        require_refusal(self.ask())

    def played(self) -> TurnResult:
        """Return what came after the last turn.

        Raises:
            ChoseItself: the engine claimed something else that is legal.
        """
        reply = self.ask()
        require_result(reply)
        assert isinstance(reply, TurnResult)
        assert self._asked is not None
        require_possible(self._asked.table, reply.table)
        if self.subject.chose_itself(self._asked, reply):
            raise ChoseItself
        return reply

    def stacks(self) -> list[list[int]]:
        """Return the stacks that came."""
        return self._table().stacks

    def grill(self) -> tuple[int, ...]:
        """Return the face-up tiles that came, ascending."""
        return tuple(sorted(self._table().grill))

    def face_down(self) -> tuple[int, ...]:
        """Return the tiles that are neither on the grill nor on a stack, ascending."""
        stacks = [tile for own in self.stacks() for tile in own]
        return complement(BASE, [*self.grill(), *stacks])

    def next_player(self) -> int:
        """Return whose turn it is."""
        reply = self.played()
        if reply.table.player is UNSET:
            raise Unsupported("the engine does not tell whose turn it is")
        return reply.table.player

    def over(self) -> bool:
        """Return whether the game is over."""
        reply = self.played()
        if reply.over is UNSET:
            raise Unsupported("the engine does not tell whether the game is over")
        return reply.over

    def worms(self) -> list[int]:
        """Return the worms of each player."""
        score = self._score()
        if score.worms is None:
            raise Unsupported("the engine does not count worms")
        return score.worms

    def winners(self) -> list[int]:
        """Return the numbers of the winners, ascending."""
        score = self._score()
        if score.winners is None:
            raise Unsupported("the engine does not tell who wins")
        return sorted(score.winners)

    def tell(self) -> str:
        """Return what was told, as a sentence."""
        if isinstance(self._single, StartParams):
            return f"A game for {self._single.players} players is set up."
        if isinstance(self._single, ScoreParams):
            owned = [
                f"{name} owns {sentences.stack(own)}"
                for name, own in zip(self.names, self._single.stacks, strict=True)
            ]
            return f"{'; '.join(owned)}. The worms are counted."
        if not self._acts:
            return ""
        turns = [sentences.turn(script, self.names) for script in self.scripts()]
        return f"{sentences.table(self.table(), self.names)}. {'; then '.join(turns)}."

    def _table(self) -> TableMessage:
        if not isinstance(self._single, StartParams):
            return self.played().table
        reply = self.ask()
        require_result(reply)
        assert isinstance(reply, StartResult)
        require_possible(None, reply.table)
        return reply.table

    def _score(self) -> ScoreResult:
        reply = self.ask()
        require_result(reply)
        assert isinstance(reply, ScoreResult)
        players = len(self.names)
        if reply.worms is not None and len(reply.worms) != players:
            raise Departure(f"Came: the worms of {len(reply.worms)} players, not of {players}.")
        if any(winner >= players for winner in reply.winners or ()):
            raise Departure(f"Came: winners {reply.winners}, with players 0 to {players - 1}.")
        return reply

    def _ask_single(self) -> Reply:
        assert self._single is not None
        self.subject.need("start" if isinstance(self._single, StartParams) else "score")
        return self.subject.ask_one(self._single)

    def _ask_turns(self) -> Reply:
        scripts = self.scripts()
        for script in scripts:
            if any(decision.keep is None for decision in script.decisions):
                self.subject.need("unresolved")
        why = smoke.any_poisoned(scripts, self._rules, self._failed_probes)
        if why is not None:
            raise NotReached(why)
        self._asked, reply = self.subject.ask(*scripts, rules=self._rules)
        return reply

    def _not_claimed(self) -> None:
        """Check that an engine that chooses for itself did not make the forbidden claim.

        Raises:
            Departure: it did.
            Unsupported: it did something else.
        """
        reply, script = self.ask(), self._asked
        assert script is not None
        claim, own = script.decisions[-1].claim, script.table.player
        if not isinstance(reply, ErrorMessage):
            require_result(reply)
        if isinstance(reply, TurnResult) and claim:
            stacks = script.table.stacks
            stack = () if claim.steal is UNSET else stacks[claim.steal]
            tile = stack[-1] if stack and claim.take is UNSET else claim.take
            if reply.table.stacks[own][-1:] == [tile] and stacks[own][-1:] != (tile,):
                raise Departure(
                    f"Expected: {self.names[own]} does not get the {tile}. Came: it is on "
                    f"{self.names[own]}'s stack."
                )
        raise Unsupported("the engine chooses its claims itself")
