"""Drawing tables, and turns on them, by lot; some answers can be wished for."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from pickomino_conformance.cases import Script
from pickomino_conformance.levels.covering.conditions import (
    HIGHEST,
    LOWEST,
    NUMBERS,
    PLACES,
    SEATS,
    Facts,
)
from pickomino_conformance.levels.scripting import (
    TILES,
    Dice,
    every_dice,
    position,
    rolls_of,
    script,
    worth,
)
from pickomino_conformance.tables import claim_message
from pickomino_reference import (
    BASE,
    Claim,
    ExactOnOpponent,
    Rulings,
    Steal,
    StealBack,
    Table,
    Take,
    legal,
    rolling,
)

Value = TypeVar("Value")
Wishes = Mapping[str, str]
ENDS = ("stop", "all dice", "every face")


class Lots:
    """Draws by lot, the same in every Python: only `random()` is promised to stay as it is."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random  # noqa: S311  # a sample, no secret

    def below(self, number: int) -> int:
        """Return a number from 0, less than `number`."""
        return int(self._random() * number)

    def one_of(self, values: Sequence[Value]) -> Value:
        """Return one of these."""
        return values[self.below(len(values))]

    def shuffled(self, values: Sequence[Value]) -> list[Value]:
        """Return these in an order drawn by lot."""
        return [
            values[place] for _, place in sorted((self._random(), i) for i in range(len(values)))
        ]


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
        if (
            wishes.get("outcome", "fails") != "fails"
            or "after" in wishes
            or "to be claimed" in wishes
        ):
            more["worm"] = "yes"
            more["end"] = self._lots.one_of(ENDS)
        if wishes.get("to be claimed") == "nothing":
            del more["worm"]
        return more | dict(wishes)

    def facts(self) -> Facts | None:
        """Return what was drawn; none if it came to nothing."""
        dice, dead = self._dice()
        if dice is None:
            return None
        table = self._table(dice)
        if table is None:
            return None
        options = legal(position(table, dice), self._rulings)
        if dead:
            return Facts(table, dice, True, None, ()) if options.roll else None
        if not options.stop:
            return None
        return Facts(table, dice, False, self._claim(options.claims, dice.total), options.claims)

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
        lots = self._lots
        seat = self._wishes.get("seat")
        fewest = max(int(seat or 0) + 1, BASE.players[0])
        players = int(self._wish("players", [str(n) for n in range(fewest, BASE.players[1] + 1)]))
        player = int(self._wish("seat", SEATS[:players]))
        if player >= players:
            return None
        places = _Places(lots, self._wishes, dice)
        laid = places.lay(players)
        if laid is None:
            return None
        grill, face_down, own, opponents = laid
        stacks = (own, *opponents)
        turned = tuple(stacks[(place - player) % players] for place in range(players))
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
    """Deals the tiles out."""

    def __init__(self, lots: Lots, wishes: Wishes, dice: Dice) -> None:
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

    def lay(
        self, players: int
    ) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], list[tuple[int, ...]]] | None:
        """Return grill, face-down tiles, the own stack, the others; none if it can't be done."""
        lots = self._lots
        rest = [tile for tile in lots.shuffled(TILES) if tile not in self._where]
        own = self._own(rest)
        grill = self._grill(rest, own[-1] if own else None)
        if not grill or own is None:
            return None
        rest = [tile for tile in rest if tile not in grill and tile not in own]
        opponents: list[list[int]] = [[] for _ in range(players - 1)]
        face_down = self._placed("face down")
        many = len(rest) + len(face_down)
        wished = {"none": 0, "one": 1, "two": 2 + lots.below(max(many - 1, 1))}
        size = wished.get(self._wishes.get("face down", ""), lots.below(many + 1))
        while len(face_down) < size and rest:
            face_down.append(rest.pop())
        self._deal(rest, opponents, face_down, grill, own)
        if LOWEST in face_down:
            # No game leads there: only the highest tile is ever turned.
            return None
        return (
            tuple(sorted(grill)),
            tuple(sorted(face_down)),
            tuple(own),
            [tuple(stack) for stack in opponents],
        )

    def _placed(self, place: str) -> list[int]:
        return [tile for tile, where in self._where.items() if where == place]

    def _own(self, rest: list[int]) -> list[int]:
        """Return the own stack, bottom to top; its tiles are taken out of the rest."""
        tops, covered = self._placed("own top"), self._placed("covered in the own stack")
        least = len(covered) + (1 if tops or covered else 0)
        wish = self._wishes.get("own stack")
        size = NUMBERS.index(wish) if wish else self._lots.below(4)
        if not wish and "own top and the grill" in self._wishes:
            size = max(size, 1)
        size = max(size, least) + (self._lots.below(2) if wish == "more" else 0)
        stack = covered + tops
        while len(stack) < size:
            stack.insert(0 if tops else len(stack), rest.pop())
        return stack

    def _grill(self, rest: list[int], own_top: int | None) -> list[int]:
        """Return the tiles of the grill."""
        grill = self._placed("on the grill")
        lower, total = self._wishes.get("lower tiles"), self._total
        relation = self._wishes.get("own top and the grill")
        band, gap = self._wishes.get("total"), self._wishes.get("next lower tile")
        allowed = [
            tile
            for tile in rest
            if (relation != "lower" or own_top is None or tile > own_top)
            and (relation != "higher" or own_top is None or tile < own_top)
            and (band != "below the grill" or tile > total)
            and (band != "above the grill" or tile < total)
            and (lower != "none" or tile >= total)
            and (gap != "with a gap" or tile != total - 1)
        ]
        if gap == "adjacent" and total - 1 in allowed:
            grill.append(total - 1)
            allowed.remove(total - 1)
        if lower == "one":
            below = [tile for tile in allowed if tile < total]
            already = any(tile < total for tile in grill)
            allowed = [tile for tile in allowed if tile > total] + below[: 0 if already else 1]
        wish = self._wish_size()
        while len(grill) < wish and allowed:
            # The first ones of all that may: what must be there (a lower tile) is not left out.
            grill.append(allowed.pop())
        return grill

    def _wish_size(self) -> int:
        sizes = {
            "one tile": 1,
            "few tiles": 2 + self._lots.below(3),
            "many tiles": 5 + self._lots.below(6),
        }
        wish = self._wishes.get("grill")
        if wish is None and self._wishes.get("after") == "the game is over":
            wish = "one tile"
        return sizes[wish or self._lots.one_of(tuple(sizes))]

    def _deal(
        self,
        rest: list[int],
        opponents: list[list[int]],
        face_down: list[int],
        grill: list[int],
        own: list[int],
    ) -> None:
        """Deal the rest out to the opponents."""
        lots = self._lots
        shown = self._placed("shown by an opponent")
        covered = self._placed("covered by an opponent")
        tallest = self._wishes.get("tallest stack of an opponent")
        free = len(opponents) if tallest is None else min(NUMBERS.index(tallest), 3)
        if tallest is None:
            owners = list(range(len(opponents)))
            while rest:
                opponents[lots.one_of(owners)].append(rest.pop())
        else:
            while rest and free:
                low = (
                    [stack for stack in opponents if len(stack) < free]
                    if tallest != "more"
                    else opponents
                )
                if not low:
                    break
                lots.one_of(low).append(rest.pop())
            self._leave(rest, face_down, grill, own)
        for tile in shown:
            self._victim(opponents, tile).append(tile)
        for tile in covered:
            tall = [stack for stack in opponents if stack]
            if tall:
                stack = lots.one_of(tall)
                stack.insert(lots.below(len(stack)), tile)
            else:
                face_down.append(tile)

    def _leave(
        self, rest: list[int], face_down: list[int], grill: list[int], own: list[int]
    ) -> None:
        """Put what the opponents may not own where it changes least."""
        if self._wishes.get("face down") not in ("none", "one"):
            face_down += rest
        elif own and self._wishes.get("own stack") in (None, "more"):
            own[:0] = rest
        else:
            grill += rest
        rest.clear()

    def _victim(self, opponents: list[list[int]], tile: int) -> list[int]:
        """Return the stack on which a tile shows."""
        by = self._wishes.get("shown by")
        if tile != self._total or by is None:
            return self._lots.one_of(opponents)
        if by == "the next player":
            return opponents[0]
        return (
            opponents[-1]
            if by == "the one before"
            else self._lots.one_of(opponents[1:-1] or opponents)
        )


def turn(facts: Facts, lots: Lots) -> Script:
    """Return a turn that sets these dice aside and ends so, its other dice drawn by lot."""
    kept = facts.dice.kept
    order = lots.shuffled(sorted(set(kept)))

    def fill(number: int, faces: str) -> str:
        return "".join(lots.one_of(faces) for _ in range(number))

    rolls = rolls_of(kept, order, fill)
    if facts.dead:
        dead = "".join(lots.one_of(order) for _ in range(facts.dice.left))
        return script(facts.table, (*rolls, rolling.sort_dice(dead)), order, "roll")
    claim = claim_message(facts.claim) if facts.claim else None
    return script(facts.table, rolls, order, "stop", claim)
