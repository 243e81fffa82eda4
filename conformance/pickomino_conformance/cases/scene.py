"""A scene: what the steps of a scenario tell, as plain data.

The table, what is done on it, and what is looked at afterwards.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pickomino_conformance.protocol.translate import Ask, Scoring, Start, complement
from pickomino_reference import BASE, Decision, Script, Table


class UnknownStep(ValueError):
    """A step that is of no form of the table, or names a player who does not play."""


class Act(NamedTuple):
    """What one player does in a turn.

    Attributes:
        player: the number of the seat.
        rolls: in order.
        decisions: one for each roll from which something is chosen, or that is acted on.
        ended: whether a step tells how the turn ends; else the dice end it.
    """

    player: int
    rolls: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    ended: bool = False

    @property
    def last(self) -> Decision | None:
        """The last decision, if there is any."""
        return self.decisions[-1] if self.decisions else None

    def script(self, table: Table) -> Script:
        """Return the whole turn on a table; one that all dice or faces have ended is settled."""
        script = Script(table._replace(player=self.player), self.rolls, self.decisions)
        if self.ended or self.last is None or len(self.decisions) < len(self.rolls):
            return script
        stop = self.last._replace(then="stop")
        stopped = script._replace(decisions=(*self.decisions[:-1], stop))
        return stopped if ended_by_the_dice(script) else script


@dataclass(slots=True)
class Scene:
    """What the steps of a scenario have told so far.

    Attributes:
        names: the players, by seat; whoever is named first sits first.
        grill: the face-up tiles; none if no step lays them.
        stacks: the tiles of each player, bottom to top, by seat.
        barred: the tiles that were just stolen from a player, by seat.
        acts: the turns, in order.
        players: for how many a game is set up; none if none is.
        counts: whether the worms are counted.
        looks: what must come, by the parts of an answer, as `compare.part` names them.
    """

    names: list[str] = field(default_factory=list)
    grill: tuple[int, ...] | None = None
    stacks: dict[int, tuple[int, ...]] = field(default_factory=dict)
    barred: dict[int, tuple[int, ...]] = field(default_factory=dict)
    acts: list[Act] = field(default_factory=list)
    players: int | None = None
    counts: bool = False
    looks: dict[str, Any] = field(default_factory=dict)

    @property
    def table(self) -> Table:
        """The table before the first turn; tiles named nowhere lie face down."""
        seats = range(len(self.names))
        grill = self.grill or ()
        stacks = tuple(self.stacks.get(seat, ()) for seat in seats)
        down = complement(BASE, [*grill, *(tile for own in stacks for tile in own)])
        barred = tuple(tuple(sorted(self.barred.get(seat, ()))) for seat in seats)
        return Table(grill, down, stacks, self.acts[0].player if self.acts else 0, barred)

    @property
    def scripts(self) -> tuple[Script, ...]:
        """The turns, each as if on the first table."""
        table = self.table
        return tuple(act.script(table) for act in self.acts)

    @property
    def asks(self) -> tuple[Ask, ...]:
        """What an engine is asked, in order; what is looked at comes of the last.

        A following turn is played on the table that comes of the one before.
        """
        if self.players is not None:
            return (Start(self.players),)
        if self.counts:
            return (Scoring(self.table.stacks),)
        return self.scripts

    def seat(self, name: str) -> int:
        """Return the number of a player; a new one takes the next seat."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def known(self, name: str) -> int:
        """Return the number of a player who was named before.

        Raises:
            UnknownStep: nobody was.
        """
        if name not in self.names:
            raise UnknownStep(f"Nothing is told of {name} before it is looked at.")
        return self.names.index(name)


def ended_by_the_dice(script: Script) -> bool:
    """Whether all dice or all faces are set aside."""
    kept = script.set_aside
    return len(kept) == BASE.dice or len(set(kept)) == len(BASE.points)
