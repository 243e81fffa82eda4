"""What is asked about a turn, to tell which rules it exercises."""

from collections.abc import Sequence
from dataclasses import dataclass

from pickomino_conformance.referee.following import Choice, End, Followed
from pickomino_reference import (
    BASE,
    Rulings,
    Steal,
    Table,
    Take,
    claiming,
    game,
)

LOWEST = min(BASE.worms)


@dataclass(slots=True)
class Facts:
    """What is asked about a turn.

    Attributes:
        table, after: before it and after it.
        rulings: what it is judged by.
        choices: the faces chosen.
        end: how it ended.
        forced: whether the rolling was over.
        claim: what was claimed.
        takes, steals: what could be claimed.
        total: of the dice set aside.
        worm: whether there is one among them.
        settled: whether it ended otherwise than by a dead roll, so that the total counted.
        own_top: the player's top tile before it; 0 if there is none.
        tops, covered: the tiles on top of the opponents' stacks, and those below them.
        out_of_reach: whether the player rolled on with a total above 20 and nothing in reach.
        just_lost: the tiles stolen from the player since the last own turn.
        next_told: whether the log tells who is next.
    """

    table: Table
    after: Table
    rulings: Rulings
    choices: Sequence[Choice]
    end: End
    forced: bool
    claim: Take | Steal | None
    takes: tuple[Take, ...]
    steals: tuple[Steal, ...]
    total: int
    worm: bool
    settled: bool
    own_top: int
    tops: frozenset[int]
    covered: frozenset[int]
    out_of_reach: bool
    just_lost: frozenset[int]
    next_told: bool

    @property
    def failed(self) -> bool:
        """Whether the turn has failed."""
        return self.end is not End.CLAIM

    @property
    def counted(self) -> bool:
        """Whether the total of dice with a worm decided what could be claimed."""
        return self.settled and self.worm

    @property
    def taken(self) -> int:
        """The tile taken from the grill; 0 if there is none."""
        return self.claim.tile if isinstance(self.claim, Take) else 0

    @property
    def stolen_from(self) -> tuple[int, ...]:
        """The stack that was stolen from, as it was before; empty if nothing was stolen."""
        return self.table.stacks[self.claim.player] if isinstance(self.claim, Steal) else ()

    @property
    def highest(self) -> int:
        """The highest tile face up before the turn."""
        return self.table.grill[-1]


def facts_of(
    followed: Followed, rulings: Rulings, just_lost: frozenset[int], *, next_told: bool
) -> Facts:
    """Return what is asked about a turn that was followed to its end."""
    table, end = followed.table, followed.end
    assert end is not None
    own = table.stacks[table.player]
    others = [stack for seat, stack in enumerate(table.stacks) if seat != table.player]
    takes = tuple(claim for claim in followed.claims if isinstance(claim, Take))
    steals = tuple(claim for claim in followed.claims if isinstance(claim, Steal))
    return Facts(
        table=table,
        after=followed.after,
        rulings=rulings,
        choices=followed.choices,
        end=end,
        forced=followed.forced,
        claim=followed.claim,
        takes=takes,
        steals=steals,
        total=claiming.total(followed.set_aside, BASE),
        worm=BASE.worm in followed.set_aside,
        settled=end is not End.DEAD_ROLL,
        own_top=own[-1] if own else 0,
        tops=frozenset(stack[-1] for stack in others if stack),
        covered=frozenset(tile for stack in others for tile in stack[:-1]),
        out_of_reach=_out_of_reach(followed, rulings),
        just_lost=just_lost,
        next_told=next_told,
    )


def _out_of_reach(followed: Followed, rulings: Rulings) -> bool:
    rolled_on = [choice.set_aside for choice in followed.choices]
    if followed.end is End.DEAD_ROLL:
        rolled_on.append(followed.set_aside)
    return any(
        claiming.total(dice, BASE) >= LOWEST and not game.reach(followed.table, dice, rulings)
        for dice in rolled_on
    )
