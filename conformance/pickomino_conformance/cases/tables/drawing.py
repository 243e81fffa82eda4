"""Drawing tables, and turns on them, by lot; some answers can be wished for."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pickomino_conformance.cases.dice import (
    TILES,
    Dice,
    Lots,
    every_dice,
    position,
    rolls_of,
    script,
    worth,
)
from pickomino_conformance.cases.tables.questions import (
    HIGHEST,
    LOWEST,
    NUMBERS,
    PLACES,
    SEATS,
    Drawn,
)
from pickomino_reference import (
    BASE,
    Claim,
    ExactOnOpponent,
    Rulings,
    Script,
    Steal,
    StealBack,
    Table,
    Take,
    legal,
    rolling,
)

Wishes = Mapping[str, str]
ENDS = ("stop", "all dice", "every face")


class _Bag(NamedTuple):
    """What decides which dice may be drawn."""

    end: str
    total: str
    worm: str
    faces: str


@cache
def _bags() -> dict[_Bag, list[Dice]]:
    """Return all dice that a turn can set aside, by what can be wished of them."""
    found: dict[_Bag, list[Dice]] = {}
    for dice in every_dice():
        end = "all dice" if not dice.left else "every face" if dice.every_face else "stop"
        total = (
            "below every tile"
            if dice.total < LOWEST
            else "above every tile"
            if dice.total > HIGHEST
            else "a tile"
        )
        bag = _Bag(
            end, total, "yes" if dice.worm else "no", ("one", "two", "more")[min(dice.faces, 3) - 1]
        )
        found.setdefault(bag, []).append(dice)
    return found


class Draw:
    """Draws one table and one turn on it.

    Args:
        lots: by which it is drawn.
        rulings: under which the turn is legal.
        wishes: answers that are wished for, by their questions. Most are granted; whether all
            are is for the caller to see.
    """

    def __init__(self, lots: Lots, rulings: Rulings, wishes: Wishes) -> None:
        self._lots = lots
        self._rulings = rulings
        self._wishes = self._spelt_out(wishes)

    def _spelt_out(self, wishes: Wishes) -> Wishes:
        """Return the wishes, and what they need."""
        more: dict[str, str] = {}
        if wishes.get("outcome") == "steals" or "steal" in wishes.get("to be claimed", ""):
            more["exact tile"] = "shown by an opponent"
        choice = self._rulings.exact_on_opponent is ExactOnOpponent.CHOICE
        if wishes.get("to be claimed") == "a steal" and choice:
            more["lower tiles"] = "none"
        open_claims = wishes.get("to be claimed", "nothing") != "nothing"
        if open_claims or wishes.get("outcome", "fails") != "fails" or "after" in wishes:
            more["worm"] = "yes"
        if "worm" in more or "to be claimed" in wishes:
            more["end"] = self._lots.one_of(ENDS)
        return more | dict(wishes)

    def drawn(self) -> Drawn | None:
        """Return what was drawn; none if it came to nothing."""
        dice, dead = self._dice()
        if dice is None:
            return None
        table = self._table(dice)
        if table is None:
            return None
        options = legal(position(table, dice), self._rulings)
        if dead:
            return Drawn(table, dice, True, None, ()) if options.roll else None
        if not options.stop:
            return None
        return Drawn(table, dice, False, self._claim(options.claims, dice.total), options.claims)

    def _wish(self, question: str, answers: Sequence[str]) -> str:
        """Return the answer that is wished for, else one of these."""
        return self._wishes.get(question) or self._lots.one_of(answers)

    def _dice(self) -> tuple[Dice | None, bool]:
        """Return what is set aside, and whether a dead roll follows."""
        highest = self._wishes.get(f"the {HIGHEST}")
        if highest == "own top" == self._wishes.get("exact tile"):
            # Two tiles can't both be the own top: it is one.
            return self._lots.one_of(worth(HIGHEST)), False
        end = self._wish("end", (*ENDS, "stop", "dead roll", "dead roll"))
        dead = end == "dead roll"
        wanted = {
            "end": ("stop", "every face") if dead else (end,),
            "worm": (self._wishes.get("worm", ""),),
            "faces": (self._wishes.get("faces", ""),),
            "total": (self._band(),),
        }
        bags = [
            bag
            for bag in _bags()
            if all(not values[0] or getattr(bag, name) in values for name, values in wanted.items())
        ]
        return (self._lots.one_of(_bags()[self._lots.one_of(bags)]), dead) if bags else (None, dead)

    def _band(self) -> str:
        """Return where the total must lie for what is wished; empty if it may lie anywhere."""
        total = self._wishes.get("total", "")
        needs_tile = ("exact tile", "shown by")
        if any(question in self._wishes for question in needs_tile):
            return "a tile"
        if total and not total.endswith("every tile"):
            return "a tile"
        if total or "outcome" in self._wishes or "to be claimed" in self._wishes:
            return total
        return self._lots.one_of(
            ("a tile", "a tile", "a tile", "below every tile", "above every tile")
        )

    def _claim(self, claims: tuple[Claim, ...], total: int) -> Claim | None:
        """Return the claim that is made, the one wished for if it can be."""
        wanted: dict[str, Callable[[Claim], bool]] = {
            "steals": lambda claim: isinstance(claim, Steal),
            "takes the exact": lambda claim: claim == Take(total),
            "takes a lower one": lambda claim: isinstance(claim, Take) and claim.tile < total,
        }
        holds = wanted.get(self._wishes.get("outcome", ""))
        fitting = [claim for claim in claims if holds is None or holds(claim)]
        return self._lots.one_of(fitting or claims) if claims else None

    def _table(self, dice: Dice) -> Table | None:
        seat = self._wishes.get("seat")
        fewest = max(int(seat or 0) + 1, BASE.players[0])
        players = int(self._wish("players", [str(n) for n in range(fewest, BASE.players[1] + 1)]))
        player = int(self._wish("seat", SEATS[:players]))
        if player >= players:
            return None
        dealt = _Places(self._lots, self._wishes, dice, players)
        if not dealt.deal():
            return None
        stacks = (tuple(dealt.own), *map(tuple, dealt.opponents))
        turned = tuple(stacks[(place - player) % players] for place in range(players))
        grill, face_down = tuple(sorted(dealt.grill)), tuple(sorted(dealt.face_down))
        table = Table(grill, face_down, turned, player, ((),) * players)
        return self._bar(table, dice) if self._rulings.steal_back is StealBack.BARRED else table

    def _bar(self, table: Table, dice: Dice) -> Table:
        """Bar some of the tiles that show on stacks, as thefts of the last turns leave them."""
        wish = self._wish(
            "barred", ("nothing", "the exact tile", "another tile", "a tile to an opponent")
        )
        barred: list[list[int]] = [[] for _ in table.stacks]
        shown = [(seat, stack[-1]) for seat, stack in enumerate(table.stacks) if stack]
        for seat, tile in shown:
            mine = seat != table.player and (
                tile == dice.total
                if wish == "the exact tile"
                else wish == "another tile" and tile != dice.total
            )
            if mine:
                barred[table.player].append(tile)
            elif wish != "nothing" and not self._lots.below(2):
                # Whoever owns it now stole it from somebody else, but not from the player to move.
                victims = [
                    one for one in range(len(table.stacks)) if one not in (seat, table.player)
                ]
                if victims:
                    barred[self._lots.one_of(victims)].append(tile)
        return table._replace(barred=tuple(tuple(sorted(tiles)) for tiles in barred))


class _Places:
    """Deals the tiles out.

    Attributes:
        grill, face_down, own, opponents: where they lie once they are dealt.
    """

    def __init__(self, lots: Lots, wishes: Wishes, dice: Dice, players: int) -> None:
        self.grill: list[int] = []
        self.face_down: list[int] = []
        self.own: list[int] = []
        self.opponents: list[list[int]] = [[] for _ in range(players - 1)]
        self._lots = lots
        self._wishes = wishes
        self._total = dice.total
        self._where: dict[int, str] = {}
        if dice.total in TILES:
            self._where[dice.total] = wishes.get("exact tile") or (
                "shown by an opponent"
                if "shown by" in wishes or wishes.get("outcome") == "steals"
                else lots.one_of(PLACES)
            )
        if f"the {HIGHEST}" in wishes:
            self._where[HIGHEST] = wishes[f"the {HIGHEST}"]

    def deal(self) -> bool:
        """Deal all tiles; false if that comes to a table that no game leads to."""
        rest = [tile for tile in self._lots.shuffled(TILES) if tile not in self._where]
        self._deal_own(rest)
        self._deal_grill(rest)
        rest = [tile for tile in rest if tile not in self.grill]
        self._deal_face_down(rest)
        self._deal_opponents(rest)
        # Only the highest tile is ever turned, so the lowest is the last.
        return self.grill != [] and LOWEST not in self.face_down

    def _placed(self, place: str) -> list[int]:
        return [tile for tile, where in self._where.items() if where == place]

    def _deal_own(self, rest: list[int]) -> None:
        """Build the own stack of what must be there, and of tiles taken out of the rest."""
        tops, covered = self._placed("own top"), self._placed("covered in the own stack")
        least = len(covered) + (1 if tops or covered else 0)
        wish = self._wishes.get("own stack")
        size = NUMBERS.index(wish) if wish else self._lots.below(4)
        if not wish and "own top and the grill" in self._wishes:
            size = max(size, 1)
        size = max(size, least) + (self._lots.below(2) if wish == "more" else 0)
        self.own = covered + tops
        while len(self.own) < size:
            self.own.insert(0 if tops else len(self.own), rest.pop())

    def _deal_grill(self, rest: list[int]) -> None:
        """Lay the grill of what must be there, and of tiles of the rest that may."""
        self.grill = self._placed("on the grill")
        total, gap = self._total, self._wishes.get("next lower tile")
        allowed = [tile for tile in rest if self._may_lie(tile)]
        if gap == "adjacent" and total - 1 in allowed:
            self.grill.append(total - 1)
            allowed.remove(total - 1)
        if self._wishes.get("lower tiles") == "one":
            below = [tile for tile in allowed if tile < total]
            already = any(tile < total for tile in self.grill)
            allowed = [tile for tile in allowed if tile > total] + below[: 0 if already else 1]
        size = self._size_of_grill()
        while len(self.grill) < size and allowed:
            # From the end: the one lower tile that is wished for stands there.
            self.grill.append(allowed.pop())

    def _may_lie(self, tile: int) -> bool:
        """Whether a tile of the grill leaves what is wished as it is."""
        wishes, total = self._wishes, self._total
        relation, band = wishes.get("own top and the grill"), wishes.get("total")
        if self.own and relation == "lower" and tile < self.own[-1]:
            return False
        if self.own and relation == "higher" and tile > self.own[-1]:
            return False
        if band == "below the grill" and tile <= total:
            return False
        if band == "above the grill" and tile >= total:
            return False
        if wishes.get("lower tiles") == "none" and tile < total:
            return False
        return wishes.get("next lower tile") != "with a gap" or tile != total - 1

    def _size_of_grill(self) -> int:
        few, many = 2 + self._lots.below(3), 5 + self._lots.below(6)
        sizes = {"one tile": 1, "few tiles": few, "many tiles": many}
        wish = self._wishes.get("grill")
        if wish is None and self._wishes.get("after") == "the game is over":
            wish = "one tile"
        return sizes[wish or self._lots.one_of(tuple(sizes))]

    def _deal_face_down(self, rest: list[int]) -> None:
        """Turn some of the rest face down, and what must be."""
        self.face_down = self._placed("face down")
        most = len(rest) + len(self.face_down)
        sizes = {"none": 0, "one": 1, "two": 2 + self._lots.below(max(most - 1, 1))}
        size = sizes.get(self._wishes.get("face down", ""), self._lots.below(most + 1))
        while len(self.face_down) < size and rest:
            self.face_down.append(rest.pop())

    def _deal_opponents(self, rest: list[int]) -> None:
        """Deal the rest out to the opponents, then what must lie on their stacks."""
        tallest = self._wishes.get("tallest stack of an opponent")
        while rest and (stacks := self._open_stacks(tallest)):
            self._lots.one_of(stacks).append(rest.pop())
        self._leave(rest)
        for tile in self._placed("shown by an opponent"):
            self._shows(tile).append(tile)
        for tile in self._placed("covered by an opponent"):
            stacks = [stack for stack in self.opponents if stack]
            if stacks:
                stack = self._lots.one_of(stacks)
                stack.insert(self._lots.below(len(stack)), tile)
            else:
                self.face_down.append(tile)

    def _open_stacks(self, tallest: str | None) -> list[list[int]]:
        """Return the stacks that may grow; the tallest must not become taller than wished."""
        if tallest in (None, NUMBERS[-1]):
            return self.opponents
        return [stack for stack in self.opponents if len(stack) < NUMBERS.index(tallest or "")]

    def _leave(self, rest: list[int]) -> None:
        """Put what the opponents may not own where it changes least."""
        if self._wishes.get("face down") not in ("none", "one"):
            self.face_down += rest
        elif self.own and self._wishes.get("own stack") in (None, "more"):
            self.own[:0] = rest
        else:
            self.grill += rest

    def _shows(self, tile: int) -> list[int]:
        """Return the stack on which a tile shows."""
        by = self._wishes.get("shown by")
        if tile != self._total or by is None:
            return self._lots.one_of(self.opponents)
        if by == "the next player":
            return self.opponents[0]
        if by == "the one before":
            return self.opponents[-1]
        return self._lots.one_of(self.opponents[1:-1] or self.opponents)


def turn(drawn: Drawn, lots: Lots) -> Script:
    """Return a turn that sets these dice aside and ends so, its other dice drawn by lot."""
    kept = drawn.dice.kept
    order = lots.shuffled(sorted(set(kept)))

    def fill(number: int, faces: str) -> str:
        return "".join(lots.one_of(faces) for _ in range(number))

    rolls = rolls_of(kept, order, fill)
    if drawn.dead:
        dead = "".join(lots.one_of(order) for _ in range(drawn.dice.left))
        return script(drawn.table, (*rolls, rolling.sort_dice(dead)), order, "roll")
    return script(drawn.table, rolls, order, "stop", drawn.claim)
