"""Properties over all combinations of ruling values and two to seven players.

Each is named after what it claims and marked with the rules that it is about. Whatever is
expected is said here a second time, in set arithmetic that shares no code with the reference.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pickomino_conformance.strategies import (
    FACES,
    PLAYERS,
    Situation,
    WholeTurn,
    games,
    positions,
    rolls,
    rulings,
    tables,
    turns,
)
from pickomino_reference import (
    Claim,
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    LowerTile,
    Move,
    Options,
    Position,
    Refused,
    Roll,
    Rule,
    Rulings,
    SetAside,
    SixFaces,
    Steal,
    StealBack,
    Stop,
    StopWithoutClaim,
    Table,
    Take,
    TieBreak,
    Turn,
    legal,
    play,
    score,
    start,
)

checked = settings(max_examples=60, database=None, deadline=None, derandomize=True)

TILES = tuple(range(21, 37))
POINTS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
# Eight ones, no worm: every ruling and every table lets this turn fail, and without a stop.
FAILING = (Roll("11111111"), SetAside("1"))
FAILURES = (
    Situation.DEAD_ROLL,
    Situation.FORCED_FAILURE,
    Situation.NO_WORM,
    Situation.RETURNED_HIGHEST,
    Situation.RETURNED_LOWER,
    Situation.EMPTY_HANDED,
)


def run(table: Table, moves: tuple[Move, ...], of: Rulings) -> Position:
    """Return where these moves lead."""
    position = Position(table)
    for move in moves:
        position = play(position, move, of)
    return position


def eight_ones(turn: WholeTurn) -> Table:
    """Return the table after a turn that fails in the plainest way."""
    return run(turn.table, FAILING, turn.rulings).table


def refusal(position: Position, move: Move, of: Rulings) -> Rule | None:
    """Return the rule that refuses a move, None if it is accepted."""
    try:
        play(position, move, of)
    except Refused as refused:
        return refused.rule
    return None


def tiles_of(table: Table) -> list[int]:
    """Return every tile on the table, ascending."""
    stacked = [tile for stack in table.stacks for tile in stack]
    return sorted([*table.grill, *table.face_down, *stacked])


def worms(stack: tuple[int, ...]) -> int:
    """Return the worms of a stack: one for each four numbers from 21 on."""
    return sum((tile - 17) // 4 for tile in stack)


def tops_of_others(table: Table) -> dict[int, int]:
    """Return the opponents' top tiles, with the player who shows them."""
    return {
        stack[-1]: player
        for player, stack in enumerate(table.stacks)
        if stack and player != table.player
    }


class End(NamedTuple):
    """A table, the dice set aside at the end of a turn on it, and whether a dead roll ends it."""

    table: Table
    set_aside: str
    dead: bool = False

    @property
    def total(self) -> int:
        """The sum of the dice set aside, a worm counting five."""
        return sum(POINTS[face] for face in self.set_aside)

    @property
    def worm(self) -> bool:
        """Whether a worm is among them."""
        return "W" in self.set_aside

    @property
    def exact(self) -> bool:
        """Whether the exact tile lies face up on the grill."""
        return self.total in self.table.grill

    @property
    def lower(self) -> set[int]:
        """The face-up tiles below the total."""
        return {tile for tile in self.table.grill if tile < self.total}

    @property
    def shown(self) -> bool:
        """Whether an opponent shows the exact tile."""
        return self.total in tops_of_others(self.table)

    @property
    def barred(self) -> bool:
        """Whether the exact tile may not be stolen back."""
        return self.total in self.table.barred[self.table.player]

    @property
    def returned(self) -> tuple[int, ...]:
        """The tile that a failure returns, if there is one."""
        return self.table.stacks[self.table.player][-1:]

    @property
    def returns_highest(self) -> bool:
        """Whether the returned tile is above all that lie face up."""
        return self.returned != () and self.returned[0] > max(self.table.grill)

    @property
    def six_faces(self) -> bool:
        """Whether all faces are set aside with dice left."""
        return set(self.set_aside) == set(POINTS) and len(self.set_aside) < 8

    def forced(self, of: Rulings) -> bool:
        """Whether the dice must not be rolled on."""
        return len(self.set_aside) == 8 or (self.six_faces and of.six_faces == SixFaces.OVER)

    def can_steal(self, of: Rulings) -> bool:
        """Whether the exact tile can be stolen."""
        closed = self.barred and of.steal_back == StealBack.BARRED
        return self.worm and self.shown and not closed

    def can_claim(self, of: Rulings) -> bool:
        """Whether there is anything to claim."""
        return self.worm and (self.exact or self.lower != set() or self.can_steal(of))

    def fails(self, of: Rulings) -> bool:
        """Whether the turn ends so, and fails; else it is refused, or claims."""
        if self.dead:
            return not self.forced(of)
        may_stop = self.forced(of) or of.stop_without_claim == StopWithoutClaim.FAILS
        return not self.can_claim(of) and may_stop

    def claims(self, of: Rulings) -> set[Claim]:
        """Return what may be claimed with these dice."""
        if not self.worm:
            return set()
        exact = {self.total} if self.exact else set()
        lower = {
            LowerTile.NEXT: {max(self.lower)} if self.lower and not exact else set(),
            LowerTile.ANY: self.lower,
            LowerTile.ANY_IF_EXACT_GONE: set() if exact else self.lower,
        }[of.lower_tile]
        if not self.can_steal(of):
            return {Take(tile) for tile in exact | lower}
        stolen = Steal(tops_of_others(self.table)[self.total])
        if of.exact_on_opponent == ExactOnOpponent.STEAL:
            return {stolen}
        return {stolen, *(Take(tile) for tile in lower)}


def turned(table: Table, of: Rulings) -> set[int]:
    """Return the tiles, if any, that the failure of the player to move turns face down."""
    own = set(table.stacks[table.player][-1:])
    if not own:
        return {max(table.grill)} if of.flip_without_return == FlipWithoutReturn.YES else set()
    highest = max({*table.grill, *own})
    return {
        FlipAfterReturn.UNLESS_HIGHEST: {highest} - own,
        FlipAfterReturn.ALWAYS: {highest},
        FlipAfterReturn.BEFORE_RETURN: {max(table.grill)},
        FlipAfterReturn.BOTH: {highest} | own,
        FlipAfterReturn.NEVER: set(),
    }[of.flip_after_return]


def failed(table: Table, of: Rulings) -> Table:
    """Return the table after a failed turn."""
    me, down = table.player, turned(table, of)
    return Table(
        grill=tuple(sorted({*table.grill, *table.stacks[me][-1:]} - down)),
        face_down=tuple(sorted({*table.face_down, *down})),
        stacks=tuple(s[:-1] if p == me else s for p, s in enumerate(table.stacks)),
        player=(me + 1) % len(table.stacks),
        barred=tuple(() if p == me else tiles for p, tiles in enumerate(table.barred)),
    )


def claimed(table: Table, claim: Claim, of: Rulings) -> Table:
    """Return the table after a turn that ends with a claim."""
    me, stacks = table.player, [list(stack) for stack in table.stacks]
    barred = [set(tiles) for tiles in table.barred]
    if isinstance(claim, Take):
        tile = claim.tile
    else:
        tile = stacks[claim.player].pop()
        if of.steal_back == StealBack.BARRED:
            barred[claim.player].add(tile)
    stacks[me].append(tile)
    barred[me].clear()
    return Table(
        grill=tuple(sorted({*table.grill} - {tile})),
        face_down=table.face_down,
        stacks=tuple(map(tuple, stacks)),
        player=(me + 1) % len(stacks),
        barred=tuple(tuple(sorted(tiles)) for tiles in barred),
    )


@st.composite
def tables_with_rulings(draw, **fixed) -> tuple[Table, Rulings]:
    """Draw rulings, and a table that may come about under them."""
    of = draw(rulings(**fixed))
    return draw(tables(rulings=of)), of


@st.composite
def few_tiles(draw) -> tuple[tuple[int, ...], ...]:
    """Draw stacks of at most three tiles each, often with as many worms as each other."""
    left = draw(st.permutations(TILES))
    one_each = PLAYERS.map(lambda players: [1] * players)
    sizes = draw(one_each | st.lists(st.integers(0, 3), min_size=2, max_size=5))
    return tuple(tuple(left.pop() for _ in range(size)) for size in sizes)


def failing_turns() -> st.SearchStrategy[WholeTurn]:
    """Draw turns that fail, in every way."""
    return turns(situation=st.sampled_from(FAILURES))


def claiming_turns() -> st.SearchStrategy[WholeTurn]:
    """Draw turns that claim."""
    return turns(
        situation=st.sampled_from([Situation.TAKE, Situation.STEAL, Situation.STEAL_OR_LOWER])
    )


@pytest.mark.pickomino_property(
    "setup.tiles",
    "claiming.one-tile",
    "failing.return-top",
    "failing.flip-highest",
    "failing.passes",
)
@checked
@given(games())
def test_every_tile_is_somewhere_and_nowhere_twice(game) -> None:
    """In every position of a game the grill, face up or down, and the stacks hold 16 tiles."""
    assert [tiles_of(position.table) for position in game.positions] == [
        list(range(21, 37)) for _ in game.positions
    ]


@pytest.mark.pickomino_property("setup.tiles", "setup.players", "setup.order")
@checked
@given(PLAYERS)
def test_a_game_begins_with_a_full_grill_and_empty_stacks(players: int) -> None:
    """Sixteen tiles lie face up, none face down, nobody owns one, and the first seat begins."""
    nothing = ((),) * players
    assert start(players) == Table(tuple(range(21, 37)), (), nothing, 0, nothing)


@pytest.mark.pickomino_property("setup.players")
@checked
@given(st.integers().filter(lambda players: not 2 <= players <= 7))
def test_no_other_number_of_players_is_let_in(players: int) -> None:
    """Fewer than two and more than seven are refused by the rule that says so."""
    with pytest.raises(Refused) as refused:
        start(players)
    assert refused.value.rule == Rule.SETUP_PLAYERS


@pytest.mark.pickomino_property("setup.order", "failing.passes")
@checked
@given(turns())
def test_the_dice_pass_to_the_left_after_every_turn(turn) -> None:
    """However a turn ends, the next seat follows, with no dice set aside or rolled."""
    after = (turn.table.player + 1) % len(turn.table.stacks)
    assert (turn.positions[-1].turn, turn.after.player) == (Turn(), after)


@pytest.mark.pickomino_property("setup.dice", "rolling.all-dice")
@checked
@given(games(turns=4))
def test_dice_set_aside_and_dice_rolled_are_always_eight(game) -> None:
    """Whatever lies set aside, a roll that lies there is of all other dice."""
    dice = {
        len(turn.set_aside) + len(turn.rolled) for _, turn in game.positions if turn.rolled != ""
    }
    assert dice <= {8}


@pytest.mark.pickomino_property("setup.dice", "rolling.all-dice")
@checked
@given(turns(), st.data())
def test_no_other_number_of_dice_can_be_rolled(turn, data) -> None:
    """Before each roll of a turn, a roll of more or fewer dice is refused."""
    rolled = [n for n, move in enumerate(turn.moves) if isinstance(move, Roll)]
    before = data.draw(st.sampled_from(rolled))
    dice = len(turn.moves[before].dice)
    wrong = data.draw(st.integers(0, 9).filter(lambda number: number != dice).flatmap(rolls))
    rule = refusal(turn.positions[before], Roll(wrong), turn.rulings)
    assert rule == Rule.ROLLING_ALL_DICE


@pytest.mark.pickomino_property("rolling.choose-a-face")
@checked
@given(turns(), st.data())
def test_a_roll_asks_for_a_face_and_for_nothing_else(turn, data) -> None:
    """With a roll on the table, rolling, stopping and claiming are refused."""
    asked = [position for position in turn.positions if position.turn.rolled]
    position = data.draw(st.sampled_from(asked))
    options = legal(position, turn.rulings)
    others = [Roll(position.turn.rolled), Stop(), Take(turn.table.grill[0]), Steal(0)]
    assert options == Options(faces=options.faces)
    assert options.faces != ""
    assert {refusal(position, move, turn.rulings) for move in others} == {
        Rule.ROLLING_CHOOSE_A_FACE
    }


@pytest.mark.pickomino_property("rolling.choose-a-face", "rolling.all-dice")
@checked
@given(tables_with_rulings())
def test_a_turn_begins_with_a_roll(drawn) -> None:
    """Before the first roll there is nothing else to do."""
    table, of = drawn
    others = [SetAside("W"), Stop(), Take(table.grill[0]), Steal(0)]
    assert legal(Position(table), of) == Options(roll=True)
    assert {refusal(Position(table), move, of) for move in others} == {Rule.ROLLING_CHOOSE_A_FACE}


@pytest.mark.pickomino_property("rolling.whole-face", "rolling.new-face")
@checked
@given(turns())
def test_all_dice_of_the_chosen_face_are_set_aside_and_no_others(turn) -> None:
    """After each choice the dice set aside are those of before and all that show the face."""
    kept, rolled = "", ""
    for move, (_, then) in zip(turn.moves[:-1], turn.positions[1:], strict=False):
        if isinstance(move, Roll):
            rolled = "".join(sorted(move.dice))
        elif isinstance(move, SetAside):
            kept = "".join(sorted(kept + "".join(die for die in rolled if die == move.face)))
            rolled = ""
        assert then == Turn(kept, rolled)


@pytest.mark.pickomino_property("rolling.new-face", "failing.dead-roll")
def test_only_faces_not_yet_set_aside_may_be_chosen() -> None:
    """A roll offers its new faces, and is dead if it has none; so no turn has a seventh face."""
    seen = Counter()

    @checked
    @given(turns(situation=Situation.DEAD_ROLL), st.data())
    def holds(turn, data) -> None:
        position = turn.positions[-2]
        before = position.turn.set_aside
        dice = data.draw(rolls(8 - len(before)))
        new = "".join(sorted({*dice} - {*before}))
        after = play(position, Roll(dice), turn.rulings)
        seen[new == ""] += 1
        dead = after.turn == Turn()
        offered = "" if dead else legal(after, turn.rulings).faces
        assert (dead, offered) == (new == "", new)

    holds()
    assert min(seen[True], seen[False]) >= 5


@pytest.mark.pickomino_property("rolling.forced-end", "setup.dice")
@pytest.mark.parametrize("situation", [Situation.EIGHT_DICE, Situation.SIX_FACES, Situation.TAKE])
def test_the_dice_are_rolled_on_unless_all_dice_or_all_faces_are_set_aside(situation) -> None:
    """Rolling on is offered exactly where the end is not forced, and else refused by its rule."""

    @checked
    @given(turns(situation=situation))
    def holds(turn) -> None:
        end = End(turn.table, turn.set_aside)
        position = Position(turn.table, Turn(turn.set_aside))
        left = 8 - len(turn.set_aside)
        refused = refusal(position, Roll("1" * left), turn.rulings)
        forced = end.forced(turn.rulings)
        expected = (not forced, Rule.ROLLING_FORCED_END if forced else None)
        assert (legal(position, turn.rulings).roll, refused) == expected

    holds()


@pytest.mark.pickomino_property("rolling.forced-end", "failing.out-of-reach", "failing.no-worm")
@checked
@given(turns(situation=Situation.FORCED_FAILURE))
def test_a_forced_end_without_a_claim_fails_without_a_stop(turn) -> None:
    """The last set-aside settles such a turn as failed."""
    assert turn.after == eight_ones(turn)


@pytest.mark.pickomino_property("rolling.stop-freely", "claiming.stop-claims")
@checked
@given(turns())
def test_a_stop_is_offered_with_a_claim_or_where_it_may_fail(turn) -> None:
    """One may stop with something to claim, at a forced end, or where the ruling lets one fail."""
    end = End(turn.table, turn.set_aside)
    options = legal(Position(turn.table, Turn(turn.set_aside)), turn.rulings)
    assert options.stop == (end.can_claim(turn.rulings) or end.fails(turn.rulings))


@pytest.mark.pickomino_property("rolling.stop-freely")
@checked
@given(turns(situation=Situation.FREE_STOP))
def test_a_free_stop_fails_or_is_barred(turn) -> None:
    """The same stop fails the turn under one value of the ruling, and is refused by the other."""
    barred = replace(turn.rulings, stop_without_claim=StopWithoutClaim.BARRED)
    refused = refusal(turn.positions[-2], Stop(), barred)
    assert (turn.after, refused) == (eight_ones(turn), Rule.ROLLING_STOP_FREELY)


@pytest.mark.pickomino_property("rolling.all-dice", "rolling.whole-face", "claiming.total")
@checked
@given(turns(), st.data())
def test_the_order_of_the_dice_in_a_roll_never_matters(turn, data) -> None:
    """With every roll shuffled the turn passes through the same positions."""
    shuffled = tuple(
        Roll("".join(data.draw(st.permutations(move.dice)))) if isinstance(move, Roll) else move
        for move in turn.moves
    )
    assert turn._replace(moves=shuffled).positions == turn.positions


@pytest.mark.pickomino_property(
    "claiming.total",
    "claiming.worm-needed",
    "claiming.exact",
    "claiming.lower",
    "claiming.own-top",
    "claiming.face-down",
    "stealing.exact",
    "stealing.top-only",
    "stealing.worm-needed",
    "stealing.opponents-only",
    "stealing.optional",
    "stealing.steal-back",
)
@settings(checked, max_examples=200)
@given(turns())
def test_what_may_be_claimed_is_what_set_arithmetic_says(turn) -> None:
    """The claims in reach are those of a second statement of all rules of claiming and stealing."""
    options = legal(Position(turn.table, Turn(turn.set_aside)), turn.rulings)
    expected = End(turn.table, turn.set_aside).claims(turn.rulings)
    assert (set(options.claims), len(options.claims)) == (expected, len(expected))


@pytest.mark.pickomino_property("claiming.worm-needed", "stealing.worm-needed", "failing.no-worm")
@checked
@given(turns(situation=Situation.NO_WORM))
def test_without_a_worm_nothing_can_be_claimed(turn) -> None:
    """A total that reaches the grill is worth nothing without a worm: the turn fails."""
    position = Position(turn.table, Turn(turn.set_aside))
    tile = max(tile for tile in turn.table.grill if tile <= End(turn.table, turn.set_aside).total)
    assert refusal(position, Take(tile), turn.rulings) == Rule.CLAIMING_WORM_NEEDED
    assert turn.after == eight_ones(turn)


@pytest.mark.pickomino_property("claiming.above-highest", "claiming.total")
@checked
@given(turns(situation=Situation.ABOVE_36))
def test_a_total_above_every_tile_takes_the_highest(turn) -> None:
    """With 37 to 40 the highest face-up tile is in reach, and no tile can be stolen."""
    claims = legal(turn.positions[-2], turn.rulings).claims
    free = turn.rulings.lower_tile != LowerTile.NEXT
    expected = turn.table.grill if free else turn.table.grill[-1:]
    assert claims == tuple(Take(tile) for tile in expected)


@pytest.mark.pickomino_property("claiming.own-top", "claiming.exact")
@checked
@given(turns(situation=Situation.TAKE))
def test_the_own_top_tile_is_never_in_reach(turn) -> None:
    """After a take, the same dice set aside can't claim the tile now on top of the own stack."""
    own, me = turn.after.stacks[turn.table.player][-1], turn.table.player
    again = Position(turn.after._replace(player=me), Turn(turn.set_aside))
    assume(turn.after.grill)
    rules = [refusal(again, claim, turn.rulings) for claim in (Take(own), Steal(me))]
    assert rules == [Rule.CLAIMING_OWN_TOP, Rule.STEALING_OPPONENTS_ONLY]


@pytest.mark.pickomino_property("claiming.face-down", "failing.face-down-for-good")
@checked
@given(turns(situation=Situation.TAKE))
def test_a_face_down_tile_is_out_of_reach_and_in_nobodys_way(turn) -> None:
    """Which tiles of those not on the grill lie face down makes no difference to a take."""
    table, me = turn.table, turn.table.player
    covered = tuple(tile for stack in table.stacks for tile in stack[:-1])
    down = table._replace(
        face_down=tuple(sorted((*table.face_down, *covered))),
        stacks=tuple(stack[-1:] for stack in table.stacks),
    )
    position = Position(down, Turn(turn.set_aside))
    rules = {refusal(position, Take(tile), turn.rulings) for tile in down.face_down}
    assert rules <= {Rule.CLAIMING_FACE_DOWN}
    assert legal(position, turn.rulings) == legal(turn.positions[-2], turn.rulings)
    assert down.player == me


@pytest.mark.pickomino_property("claiming.one-tile", "claiming.stop-claims", "stealing.uncovers")
@checked
@given(claiming_turns())
def test_a_claim_brings_one_tile_on_top_and_changes_nothing_else(turn) -> None:
    """The tile leaves the grill, or uncovers the one below it, and covers the own stack."""
    assert turn.after == claimed(turn.table, turn.moves[-1], turn.rulings)


@pytest.mark.pickomino_property("claiming.stop-claims")
@checked
@given(claiming_turns())
def test_a_claim_can_not_be_declined(turn) -> None:
    """Where something can be claimed, stopping without a claim is refused."""
    assert refusal(turn.positions[-2], Stop(), turn.rulings) == Rule.CLAIMING_STOP_CLAIMS


@pytest.mark.pickomino_property("stealing.exact", "stealing.top-only", "stealing.uncovers")
@checked
@given(turns(situation=Situation.STEAL))
def test_a_stolen_tile_bears_the_total_and_was_on_top(turn) -> None:
    """The victim's top tile of just that number is stolen, and the next one is uncovered."""
    victim = turn.moves[-1].player
    total = End(turn.table, turn.set_aside).total
    assert turn.table.stacks[victim] == (*turn.after.stacks[victim], total)
    assert turn.after.stacks[turn.table.player] == (*turn.table.stacks[turn.table.player], total)


@pytest.mark.pickomino_property("stealing.out-of-grill-reach", "stealing.exact")
def test_a_steal_needs_nothing_from_the_grill() -> None:
    """With only the highest tile left face up, above the total or not, the steal is still there."""
    above = Counter()

    @checked
    @given(turns(situation=Situation.STEAL))
    def holds(turn) -> None:
        *lower, highest = turn.table.grill
        down = tuple(sorted((*turn.table.face_down, *lower)))
        bare = turn.table._replace(grill=(highest,), face_down=down)
        claims = legal(Position(bare, Turn(turn.set_aside)), turn.rulings).claims
        above[highest > End(bare, turn.set_aside).total] += 1
        assert turn.moves[-1] in claims

    holds()
    assert above[True] >= 10


@pytest.mark.pickomino_property("stealing.steal-back")
@checked
@given(games(rulings=rulings(steal_back=StealBack.BARRED), turns=10))
def test_a_barred_tile_is_on_top_of_a_stack_of_somebody_who_moved_since(game) -> None:
    """A bar never outlives the theft: another player shows the tile, and the robbed one waits."""
    for table, _ in game.positions:
        for robbed, tiles in enumerate(table.barred):
            waits = (robbed - table.player) % len(table.stacks)
            shown_by = {
                (player - table.player) % len(table.stacks): stack[-1]
                for player, stack in enumerate(table.stacks)
                if stack
            }
            assert set(tiles) <= {tile for thief, tile in shown_by.items() if thief > waits}


@pytest.mark.pickomino_property("stealing.steal-back")
@checked
@given(turns(situation=Situation.BARRED_STEAL))
def test_a_tile_just_lost_is_barred_until_the_end_of_the_next_own_turn(turn) -> None:
    """The steal is refused in that turn, and the bar is gone after it."""
    total = End(turn.table, turn.set_aside).total
    thief = tops_of_others(turn.table)[total]
    position = Position(turn.table, Turn(turn.set_aside))
    refused = refusal(position, Steal(thief), turn.rulings)
    after = turn.after.barred[turn.table.player]
    assert (refused, after) == (Rule.STEALING_STEAL_BACK, ())


@pytest.mark.pickomino_property("stealing.steal-back", "stealing.uncovers")
@checked
@given(
    turns(
        players=2,
        rulings=rulings(steal_back=StealBack.ALLOWED),
        situation=Situation.STEAL,
    )
)
def test_a_tile_may_go_to_and_fro_for_ever(turn) -> None:
    """Stolen and stolen back, it leaves the table as it was: no ruling else makes a game end."""
    back = (*turn.moves[:-1], Steal(turn.table.player))
    assert run(turn.after, back, turn.rulings).table == turn.table


@pytest.mark.pickomino_property("stealing.steal-back", "failing.passes")
@checked
@given(games(rulings=rulings(steal_back=StealBack.ALLOWED)))
def test_nothing_is_barred_where_stealing_back_is_allowed(game) -> None:
    """No position of such a game has a barred tile."""
    assert {tiles for table, _ in game.positions for tiles in table.barred} == {()}


@pytest.mark.pickomino_property(
    "failing.dead-roll",
    "failing.no-worm",
    "failing.out-of-reach",
    "failing.return-top",
    "failing.flip-highest",
    "failing.returned-highest",
    "failing.nothing-returned",
    "failing.passes",
)
@settings(checked, max_examples=200)
@given(failing_turns())
def test_a_failed_turn_does_what_set_arithmetic_says(turn) -> None:
    """However it came to fail, only the own top tile and the ruling decide on what comes."""
    assert turn.after == failed(turn.table, turn.rulings)


@pytest.mark.pickomino_property("failing.dead-roll")
@checked
@given(turns(situation=Situation.DEAD_ROLL))
def test_a_dead_roll_fails_whatever_was_set_aside(turn) -> None:
    """The same table comes of it as of a turn of eight ones."""
    assert turn.after == eight_ones(turn)


@pytest.mark.pickomino_property("failing.return-top", "failing.passes")
@checked
@given(failing_turns())
def test_a_failure_costs_the_top_tile_and_no_other(turn) -> None:
    """The own stack loses its top tile, if it has one; the other stacks stay."""
    me = turn.table.player
    lost = [stack[:-1] if p == me else stack for p, stack in enumerate(turn.table.stacks)]
    assert turn.after.stacks == tuple(lost)


@pytest.mark.pickomino_property(
    "failing.flip-highest", "failing.returned-highest", "failing.nothing-returned"
)
@settings(checked, max_examples=120)
@given(failing_turns())
def test_a_failure_changes_the_number_of_face_up_tiles_as_the_rulings_say(turn) -> None:
    """By the rulebook 0 or +1; -1 only where an empty-handed player turns one, or under `both`."""
    own, of = turn.table.stacks[turn.table.player], turn.rulings
    change = len(turn.after.grill) - len(turn.table.grill)
    if not own:
        expected = {FlipWithoutReturn.NO: 0, FlipWithoutReturn.YES: -1}[of.flip_without_return]
    else:
        expected = {
            FlipAfterReturn.UNLESS_HIGHEST: int(own[-1] > max(turn.table.grill)),
            FlipAfterReturn.ALWAYS: 0,
            FlipAfterReturn.BEFORE_RETURN: 0,
            FlipAfterReturn.BOTH: 0 if own[-1] > max(turn.table.grill) else -1,
            FlipAfterReturn.NEVER: 1,
        }[of.flip_after_return]
    assert change == expected


@pytest.mark.pickomino_property("failing.flip-highest")
@checked
@given(turns(situation=Situation.RETURNED_LOWER))
def test_a_turned_tile_is_higher_than_a_returned_one_that_is_not_the_highest(turn) -> None:
    """Only a tile above the returned one is turned; under `never` none, under `both` both."""
    returned = turn.table.stacks[turn.table.player][-1]
    down = set(turn.after.face_down) - set(turn.table.face_down)
    of = turn.rulings.flip_after_return
    others = {tile > returned for tile in down if tile != returned}
    assert others == (set() if of == FlipAfterReturn.NEVER else {True})
    assert (returned in turn.after.grill) == (of != FlipAfterReturn.BOTH)


@pytest.mark.pickomino_property("failing.returned-highest")
@checked
@given(turns(situation=Situation.RETURNED_HIGHEST))
def test_a_returned_tile_that_is_the_highest_is_turned_only_under_always_and_both(turn) -> None:
    """Where the ruling is neither `always` nor `both` it lies face up."""
    returned = turn.table.stacks[turn.table.player][-1]
    down = turn.rulings.flip_after_return in (FlipAfterReturn.ALWAYS, FlipAfterReturn.BOTH)
    assert (returned in turn.after.grill, returned in turn.after.face_down) == (not down, down)


@pytest.mark.pickomino_property("failing.face-down-for-good", "claiming.face-down")
@checked
@given(turns())
def test_face_down_tiles_only_grow_by_one_a_turn_at_most(turn) -> None:
    """What lies face down stays so, a claim turns none, a failure at most one, two under `both`."""
    before, after = set(turn.table.face_down), set(turn.after.face_down)
    claims = isinstance(turn.moves[-1], Take | Steal)
    most = 2 if turn.rulings.flip_after_return == FlipAfterReturn.BOTH else 1
    assert (before - after, len(after - before) <= (0 if claims else most)) == (set(), True)


@pytest.mark.pickomino_property("ending.grill-empty")
@checked
@given(tables(over=True), rulings(), rolls(8))
def test_once_the_grill_is_empty_nothing_may_be_done(table, of, dice) -> None:
    """Nothing is offered, and every move is refused because the game is over."""
    moves = [Roll(dice), SetAside("W"), Stop(), Take(21), Steal(0)]
    assert legal(Position(table), of) == Options()
    assert {refusal(Position(table), move, of) for move in moves} == {Rule.ENDING_GRILL_EMPTY}


@pytest.mark.pickomino_property("ending.grill-empty", "claiming.one-tile")
@checked
@given(turns(situation=Situation.LAST_TILE))
def test_taking_the_last_face_up_tile_ends_the_game(turn) -> None:
    """The game is over at once, and somebody owns a tile."""
    assert legal(turn.positions[-1], turn.rulings) == Options()
    assert turn.after.stacks[turn.table.player][-1:] == turn.table.grill


@pytest.mark.pickomino_property("ending.grill-empty", "failing.nothing-returned")
@checked
@given(tables_with_rulings())
def test_a_failure_ends_the_game_only_where_the_last_tile_is_turned(drawn) -> None:
    """With one tile face up, a failure empties the grill only if nothing returned stays there.

    That is, without a tile to return, or under `both` with one that is not the highest.
    """
    table, of = drawn
    *others, last = table.grill
    bare = table._replace(grill=(last,), face_down=tuple(sorted((*table.face_down, *others))))
    over = legal(run(bare, FAILING, of), of) == Options()
    if own := table.stacks[table.player]:
        assert over == (of.flip_after_return == FlipAfterReturn.BOTH and own[-1] < last)
    else:
        assert over == (of.flip_without_return == FlipWithoutReturn.YES)


@pytest.mark.pickomino_property("ending.grill-empty", "ending.nobody")
@checked
@given(failing_turns())
def test_by_the_rulebook_only_a_claim_ends_the_game(turn) -> None:
    """Where the empty-handed turn nothing over, a failed turn leaves a face-up tile.

    Only `both` can turn two, and so the last.
    """
    of = replace(turn.rulings, flip_without_return=FlipWithoutReturn.NO)
    assume(of.flip_after_return != FlipAfterReturn.BOTH)
    assert run(turn.table, turn.moves, of).table.grill != ()


@pytest.mark.pickomino_property("ending.steal-never-ends")
@checked
@given(turns(situation=Situation.STEAL))
def test_a_steal_leaves_the_grill_as_it_is(turn) -> None:
    """Neither the face-up nor the face-down tiles change, so the game goes on."""
    assert turn.after[:2] == turn.table[:2]
    assert legal(turn.positions[-1], turn.rulings) == Options(roll=True)


@pytest.mark.pickomino_property(
    "setup.worms", "ending.worms-win", "ending.tie-break", "ending.nobody"
)
@settings(checked, max_examples=300)
@given(few_tiles() | tables(over=True).map(lambda table: table.stacks), rulings())
def test_the_most_worms_win_and_a_tie_is_broken_or_shared(stacks, of) -> None:
    """Winners are those with the most worms; among the tied the highest tile, or all."""
    counts = tuple(worms(stack) for stack in stacks)
    best = [p for p, count in enumerate(counts) if count == max(counts)]
    if len(best) > 1 and max(counts) > 0 and of.tie_break == TieBreak.HIGHEST_TILE:
        highest = max(tile for p in best for tile in stacks[p])
        best = [p for p in best if highest in stacks[p]]
    assert score(stacks, of) == (counts, tuple(best))


@pytest.mark.pickomino_property("ending.nobody", "ending.worms-win")
@checked
@given(PLAYERS, rulings())
def test_if_nobody_owns_a_tile_all_share(players, of) -> None:
    """Without tiles nobody has worms, and everybody wins."""
    assert score(((),) * players, of) == ((0,) * players, tuple(range(players)))


@pytest.mark.pickomino_property("ending.worms-win", "setup.worms")
@checked
@given(few_tiles(), rulings(), st.data())
def test_only_worms_and_the_highest_tile_count_not_how_tiles_lie(stacks, of, data) -> None:
    """Covered or not, in whatever order: the score is the same."""
    shuffled = tuple(tuple(data.draw(st.permutations(stack))) for stack in stacks)
    assert score(shuffled, of) == score(stacks, of)


def rotate(table: Table, seats: int) -> Table:
    """Return the table with every player so many seats further on."""
    number = len(table.stacks)

    def turned_round(row):
        return tuple(row[(seat - seats) % number] for seat in range(number))

    stacks, barred = turned_round(table.stacks), turned_round(table.barred)
    player = (table.player + seats) % number
    return table._replace(stacks=stacks, barred=barred, player=player)


@pytest.mark.pickomino_property(
    "setup.order", "stealing.opponents-only", "stealing.steal-back", "failing.passes"
)
@checked
@given(turns(), st.integers(1, 6))
def test_turning_the_seats_turns_the_outcome_likewise(turn, seats) -> None:
    """No seat is special: rotated players come to the rotated table."""
    number = len(turn.table.stacks)
    *first, last = turn.moves
    if isinstance(last, Steal):
        last = Steal((last.player + seats) % number)
    after = run(rotate(turn.table, seats), (*first, last), turn.rulings).table
    assert after == rotate(turn.after, seats)


@pytest.mark.pickomino_property("ending.worms-win", "ending.tie-break", "ending.nobody")
@checked
@given(few_tiles(), rulings(), st.integers(1, 6))
def test_turning_the_seats_turns_the_score_likewise(stacks, of, seats) -> None:
    """Rotated players have the rotated worms, and the rotated winners."""
    number = len(stacks)
    table = rotate(Table((), (), stacks, 0, ((),) * number), seats)
    expected = sorted((winner + seats) % number for winner in score(stacks, of).winners)
    assert list(score(table.stacks, of).winners) == expected


@pytest.mark.pickomino_property(
    "rolling.choose-a-face",
    "rolling.new-face",
    "rolling.forced-end",
    "rolling.stop-freely",
    "claiming.exact",
    "claiming.lower",
    "claiming.own-top",
    "claiming.face-down",
    "claiming.stop-claims",
    "stealing.exact",
    "stealing.top-only",
    "stealing.opponents-only",
)
@settings(checked, max_examples=200)
@given(positions())
def test_what_is_offered_is_accepted_and_all_else_refused_by_a_rule(drawn) -> None:
    """`legal` and `play` agree on every face, tile, player, on stopping and on rolling."""
    position, of = drawn
    options = legal(position, of)
    offered: list[Move] = [SetAside(face) for face in options.faces]
    offered += options.claims
    offered += [Stop()] if options.stop and not options.claims else []
    dice = Roll("1" * (8 - len(position.turn.set_aside)))
    offered += [dice] if options.roll else []
    every: list[Move] = [SetAside(face) for face in FACES]
    every += [Take(tile) for tile in range(20, 38)]
    every += [Steal(player) for player in range(-1, len(position.table.stacks) + 1)]
    every += [Stop(), dice]
    refused = {move: refusal(position, move, of) for move in every}
    assert {move for move, rule in refused.items() if rule is None} == set(offered)
    assert all(isinstance(rule, Rule | None) for rule in refused.values())


class Differing(NamedTuple):
    """Where two values of a ruling lead to different outcomes.

    Attributes:
        ruling: the attribute of `Rulings`.
        values: the two values.
        shows: whether the situation arises, under the other rulings, in a turn that ends so.
        drawn: what turns come to that are near the situation.
    """

    ruling: str
    values: frozenset
    shows: Callable[[End, Rulings], bool]
    drawn: list[Situation]


def is_highest_returned(end: End, of: Rulings) -> bool:
    """A returned tile that is the highest."""
    return end.fails(of) and end.returns_highest


def is_lower_returned(end: End, of: Rulings) -> bool:
    """A returned tile that is not the highest."""
    return end.fails(of) and end.returned != () and not end.returns_highest


def is_any_returned(end: End, of: Rulings) -> bool:
    """Any returned tile."""
    return end.fails(of) and end.returned != ()


def is_nothing_returned(end: End, of: Rulings) -> bool:
    """A failure with nothing to return."""
    return end.fails(of) and end.returned == ()


def is_lower_beside_exact(end: End, of: Rulings) -> bool:
    """The exact tile on the grill, and a lower one too."""
    return not end.dead and end.worm and end.exact and end.lower != set()


def are_two_lower(end: End, of: Rulings) -> bool:
    """The exact tile missing, and two lower ones, where no steal closes the grill."""
    closed = of.exact_on_opponent == ExactOnOpponent.STEAL and end.can_steal(of)
    return not end.dead and end.worm and not end.exact and len(end.lower) >= 2 and not closed


def is_either_of_these(end: End, of: Rulings) -> bool:
    """The exact tile and a lower one too; or the exact one missing and two lower ones."""
    return is_lower_beside_exact(end, of) or are_two_lower(end, of)


def is_steal_or_lower(end: End, of: Rulings) -> bool:
    """The exact tile can be stolen, and a lower one is on the grill."""
    return not end.dead and end.can_steal(of) and end.lower != set()


def is_free_stop(end: End, of: Rulings) -> bool:
    """A stop with nothing to claim that is not forced."""
    return not end.dead and not end.can_claim(of) and not end.forced(of)


def is_barred_steal(end: End, of: Rulings) -> bool:
    """The exact tile could be stolen but is barred."""
    return not end.dead and end.worm and end.shown and end.barred


def are_six_faces(end: End, of: Rulings) -> bool:
    """Six faces with dice left, and the player rolls on, or stops with nothing to claim."""
    return end.six_faces and (end.dead or not end.can_claim(of))


def never(end: End, of: Rulings) -> bool:
    """No turn: the ruling is about the score."""
    return False


UNLESS, ALWAYS, BEFORE, BOTH, NEVER = FlipAfterReturn
NEXT, ANY, IF_GONE = LowerTile
HIGHEST, LOWER = Situation.RETURNED_HIGHEST, Situation.RETURNED_LOWER
EXACT, TAKE, STEAL = Situation.EXACT_OR_LOWER, Situation.TAKE, Situation.STEAL_OR_LOWER
DIFFERING = [
    Differing(ruling, frozenset(values), shows, drawn)
    for ruling, values, shows, drawn in (
        ("flip_after_return", (UNLESS, ALWAYS), is_highest_returned, [HIGHEST]),
        ("flip_after_return", (UNLESS, BEFORE), is_highest_returned, [HIGHEST]),
        ("flip_after_return", (ALWAYS, BEFORE), is_highest_returned, [HIGHEST]),
        ("flip_after_return", (NEVER, UNLESS), is_lower_returned, [LOWER]),
        ("flip_after_return", (NEVER, ALWAYS), is_any_returned, [HIGHEST, LOWER]),
        ("flip_after_return", (NEVER, BEFORE), is_any_returned, [HIGHEST, LOWER]),
        ("flip_after_return", (BOTH, ALWAYS), is_lower_returned, [LOWER]),
        ("flip_after_return", (BOTH, UNLESS), is_any_returned, [HIGHEST, LOWER]),
        ("flip_after_return", (BOTH, BEFORE), is_any_returned, [HIGHEST, LOWER]),
        ("flip_after_return", (BOTH, NEVER), is_any_returned, [HIGHEST, LOWER]),
        ("flip_without_return", FlipWithoutReturn, is_nothing_returned, [Situation.EMPTY_HANDED]),
        ("lower_tile", (NEXT, ANY), is_either_of_these, [EXACT, TAKE, STEAL]),
        ("lower_tile", (NEXT, IF_GONE), are_two_lower, [TAKE, STEAL]),
        ("lower_tile", (ANY, IF_GONE), is_lower_beside_exact, [EXACT]),
        ("exact_on_opponent", ExactOnOpponent, is_steal_or_lower, [STEAL]),
        ("stop_without_claim", StopWithoutClaim, is_free_stop, [Situation.FREE_STOP]),
        ("steal_back", StealBack, is_barred_steal, [Situation.BARRED_STEAL]),
        ("six_faces", SixFaces, are_six_faces, [Situation.SIX_FACES]),
        ("tie_break", TieBreak, never, [TAKE]),
    )
]

# The values under which the situation can be drawn, where others rule it out.
DRAWN_UNDER = {
    "stop_without_claim": StopWithoutClaim.FAILS,
    "steal_back": StealBack.BARRED,
}


class Script(NamedTuple):
    """The rolls and set-asides of a turn, and how it goes on: with a dead roll, or a stop."""

    table: Table
    moves: tuple[Move, ...]
    set_aside: str
    dead: bool

    @property
    def end(self) -> End:
        """The end of the turn."""
        return End(self.table, self.set_aside, self.dead)


@st.composite
def scripts(draw, *, rulings, situation=None) -> tuple[Script, Rulings]:
    """Draw a script on a table that suits the rulings, whether or not they allow its end."""
    turn = draw(turns(rulings=rulings, situation=situation))
    last = max(n for n, move in enumerate(turn.moves) if isinstance(move, SetAside))
    dead = len(turn.set_aside) < 8 and draw(st.sampled_from([False, False, True]))
    return Script(turn.table, turn.moves[: last + 1], turn.set_aside, dead), turn.rulings


def laid(table: Table) -> Table:
    """Return what lies on the table, whatever is barred."""
    return table._replace(barred=((),) * len(table.stacks))


def outcome(script: Script, of: Rulings):
    """Return what comes of a script under these rulings.

    Either what each claim leads to, or how the failed turn ended and what it led to, or a
    refusal. A dead roll at a forced end is refused, whether or not the turn was settled.
    """
    allowed = of.steal_back == StealBack.ALLOWED
    position = run(laid(script.table) if allowed else script.table, script.moves, of)
    settled = position.turn == Turn()
    if settled:
        return "refused" if script.dead else ("by itself", laid(position.table))
    if script.dead:
        ending: Move = Roll(script.set_aside[0] * (8 - len(script.set_aside)))
    else:
        claims = legal(position, of).claims
        if claims:
            return {claim: laid(play(position, claim, of).table) for claim in claims}
        ending = Stop()
    if refusal(position, ending, of) is not None:
        return "refused"
    return ("by the player", laid(play(position, ending, of).table))


@pytest.mark.pickomino_property(
    "failing.flip-highest",
    "failing.returned-highest",
    "failing.nothing-returned",
    "claiming.lower",
    "stealing.optional",
    "stealing.steal-back",
    "rolling.stop-freely",
    "rolling.forced-end",
)
@pytest.mark.parametrize(
    "differing",
    DIFFERING,
    ids=[f"{one.ruling}: {' / '.join(sorted(one.values))}" for one in DIFFERING],
)
def test_two_values_of_a_ruling_differ_exactly_in_their_situation(differing: Differing) -> None:
    """All other rulings alike, the outcome of a turn differs if and only if the situation shows."""
    seen = Counter()
    one, other = sorted(differing.values)
    fixed = {name: value for name, value in DRAWN_UNDER.items() if name == differing.ruling}
    near = scripts(rulings=rulings(**fixed), situation=st.sampled_from(differing.drawn))

    @settings(checked, max_examples=120)
    @given(near | scripts(rulings=rulings(**fixed)))
    def holds(drawn) -> None:
        script, of = drawn
        first, second = (replace(of, **{differing.ruling: value}) for value in (one, other))
        shows = differing.shows(script.end, of)
        seen[shows] += 1
        assert (outcome(script, first) != outcome(script, second)) == shows

    holds()
    assert seen[False] >= 10
    assert seen[True] >= (0 if differing.ruling == "tie_break" else 10)


def situations_shown(script: Script, first: Rulings, second: Rulings) -> set[str]:
    """Return the rulings whose situation shows, under `first`, between the values that differ."""
    return {
        one.ruling
        for one in DIFFERING
        if {getattr(first, one.ruling), getattr(second, one.ruling)} == one.values
        and one.shows(script.end, first)
    }


@pytest.mark.pickomino_property(
    "failing.flip-highest",
    "failing.returned-highest",
    "failing.nothing-returned",
    "claiming.lower",
    "stealing.optional",
    "stealing.steal-back",
    "rolling.stop-freely",
    "rolling.forced-end",
)
def test_any_two_combinations_differ_exactly_where_one_of_their_situations_shows() -> None:
    """The outcome differs if and only if one of the differing rulings shows by itself.

    By itself: changed alone, with the other rulings as they are in the first combination.
    The other rulings must be named, since a situation speaks of a turn that fails, or of
    what can be claimed, and these hang on rulings too: where both combinations refuse to
    stop, no returned tile shows. It does not matter which of the two combinations is first.
    """
    seen, rulings_seen = Counter(), set()

    @settings(checked, max_examples=600)
    @given(scripts(rulings=rulings(steal_back=StealBack.BARRED)), rulings(), rulings())
    def holds(drawn, first, second) -> None:
        script, _ = drawn
        differs = outcome(script, first) != outcome(script, second)
        showing = situations_shown(script, first, second)
        seen[differs] += 1
        rulings_seen.update(showing)
        expected = (showing != set(), situations_shown(script, second, first) != set())
        assert expected == (differs, differs)

    holds()
    assert min(seen[True], seen[False]) >= 100
    assert rulings_seen == {one.ruling for one in DIFFERING} - {"tie_break"}


@pytest.mark.pickomino_property("ending.tie-break", "ending.worms-win")
def test_two_combinations_score_differently_exactly_at_a_tie() -> None:
    """Scores differ if and only if the tie-break does and the most worms, not 0, are a tie."""
    seen = Counter()

    @settings(checked, max_examples=700)
    @given(few_tiles(), rulings(), rulings())
    def holds(stacks, first, second) -> None:
        counts = [worms(stack) for stack in stacks]
        tie = max(counts) > 0 and counts.count(max(counts)) > 1
        expected = tie and first.tie_break != second.tie_break
        seen[expected] += 1
        assert (score(stacks, first) != score(stacks, second)) == expected

    holds()
    assert min(seen[True], seen[False]) >= 15


def test_the_table_of_situations_has_every_pair_of_values() -> None:
    """Each two values of each ruling have a situation, once."""
    enums = [FlipAfterReturn, FlipWithoutReturn, LowerTile, ExactOnOpponent]
    enums += [StopWithoutClaim, StealBack, TieBreak, SixFaces]
    pairs = [frozenset(pair) for enum in enums for pair in combinations(enum, 2)]
    assert Counter(one.values for one in DIFFERING) == Counter(pairs)


def test_every_rule_has_a_property() -> None:
    """The marks name each rule, and nothing else."""
    marks = [mark for test in globals().values() for mark in getattr(test, "pytestmark", [])]
    named = {rule for mark in marks if mark.name == "pickomino_property" for rule in mark.args}
    assert named == {str(rule) for rule in Rule}
