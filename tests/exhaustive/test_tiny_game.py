"""The tiny game, complete: every state and every move under all combinations of rulings.

`tiny_game.search` hands over the whole graph. A claim is held against every move that can come
about, with the set of combinations under which it does; where a claim hangs on a ruling, the set
is split by its values. The expected outcomes are set arithmetic on tiles, not the reference's code.
"""

from collections import defaultdict

import pytest

from pickomino_reference import (
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    LowerTile,
    Move,
    Options,
    Position,
    Refused,
    Roll,
    Rulings,
    SetAside,
    Steal,
    StealBack,
    Stop,
    StopWithoutClaim,
    Table,
    Take,
    TieBreak,
    Turn,
    edition_names,
    find_edition,
    house_rule_names,
    legal,
    play,
    score,
)
from tiny_game import (
    ALL,
    COMBINATIONS,
    TINY,
    Graph,
    Way,
    outcomes,
    search,
    search_plainly,
    steps,
    where,
)

pytestmark = pytest.mark.exhaustive

NAMES = [*edition_names(), *(f"zoch-2005+{house}" for house in house_rule_names())]
POINTS = {"1": 1, "2": 2, "W": 3}
WORMS = {3: 1, 4: 1, 5: 2, 6: 2}
FACE_UP = frozenset(WORMS)
# The combinations under which a failed turn can leave fewer tiles on the grill.
SHRINKING = where(flip_without_return=FlipWithoutReturn.YES) | where(
    flip_after_return=FlipAfterReturn.BOTH
)


@pytest.fixture(scope="module")
def graph() -> Graph:
    """The whole graph of the tiny game."""
    return search()


def failures(graph: Graph) -> list[Way]:
    """Return the moves that end a turn without a claim."""
    return [
        way
        for way in graph.ways()
        if way.after.table.player != way.before.table.player
        and not isinstance(way.move, Take | Steal)
    ]


def tiles(table: Table) -> list[int]:
    """Return all tiles of a table, wherever they lie."""
    return [*table.grill, *table.face_down, *(tile for stack in table.stacks for tile in stack)]


def change(way: Way) -> int:
    """Return by how many tiles the grill grew."""
    return len(way.after.table.grill) - len(way.before.table.grill)


def own_stack(table: Table) -> tuple[int, ...]:
    """Return the tiles of the player to move."""
    return table.stacks[table.player]


def situation(table: Table) -> str:
    """Return what a failed player of this table puts back."""
    if not own_stack(table):
        return "nothing"
    return "the highest" if own_stack(table)[-1] > max(table.grill) else "a lower one"


@pytest.mark.parametrize("name", NAMES)
def test_sharing_between_combinations_changes_nothing(graph: Graph, name: str) -> None:
    """An edition's graph is the one found by playing it alone, move by move."""
    rulings = find_edition(name).rulings
    alone = 1 << COMBINATIONS.index(rulings)
    shared = {(way.before, way.move, way.after) for way in graph.ways() if way.combinations & alone}
    assert search_plainly(rulings) == shared


def test_every_combination_is_searched(graph: Graph) -> None:
    """There are 5 x 2 x 3 x 2 x 2 x 2 x 2 x 2 = 960 combinations, and each begins the game."""
    beginning = Position(Table((3, 4, 5, 6), (), ((), ()), 0, ((), ())))
    assert (len(COMBINATIONS), graph.reached[beginning]) == (960, ALL)


def test_ties_and_six_faces_are_never_asked_about(graph: Graph) -> None:
    """No move, and no outcome of one, hangs on `tie-break` or on `six-faces`."""
    assert graph.asked == {
        "flip_after_return",
        "flip_without_return",
        "lower_tile",
        "exact_on_opponent",
        "stop_without_claim",
        "steal_back",
    }


def test_the_other_six_rulings_all_show(graph: Graph) -> None:
    """The combinations fall into 240 classes of one graph each: four combinations in every class.

    The four differ in `tie-break` and `six-faces` only.
    """
    classes = {ALL}
    for combinations in {way.combinations for way in graph.ways()}:
        parts = [(one & combinations, one & ~combinations) for one in classes]
        classes = {part for pair in parts for part in pair if part}
    expected = {
        where(
            flip_after_return=after,
            flip_without_return=without,
            lower_tile=lower,
            exact_on_opponent=exact,
            stop_without_claim=stop,
            steal_back=back,
        )
        for after in FlipAfterReturn
        for without in FlipWithoutReturn
        for lower in LowerTile
        for exact in ExactOnOpponent
        for stop in StopWithoutClaim
        for back in StealBack
    }
    assert (len(classes), classes) == (240, expected)


def test_every_tile_lies_somewhere_once(graph: Graph) -> None:
    """On the grill, face down and on the stacks lie four tiles once each, the rows ascending."""
    wrong = [
        table
        for table in graph.tables
        if sorted(tiles(table)) != [3, 4, 5, 6]
        or [*table.grill] != sorted(table.grill)
        or [*table.face_down] != sorted(table.face_down)
    ]
    assert wrong == []


def test_no_die_is_lost(graph: Graph) -> None:
    """Dice set aside and dice to roll are three: those that lie there, and those of any roll."""
    dice = {len(turn.set_aside + turn.rolled) for _, turn in graph.reached if turn.rolled}
    rolled = {
        len(way.before.turn.set_aside + way.move.dice)
        for way in graph.ways()
        if isinstance(way.move, Roll)
    }
    assert (dice, rolled) == ({3}, {3})


def test_only_an_empty_grill_leaves_no_move(graph: Graph) -> None:
    """The player to move always has a move, save once the last tile has left the grill."""
    stuck = []
    for position, reaching in graph.reached.items():
        offering = 0
        for step in graph.steps[position]:
            offering |= step.combinations
        expected = reaching if position.table.grill else 0
        if offering & reaching != expected:
            stuck.append(position)
    assert stuck == []


def test_what_is_not_offered_is_refused(graph: Graph) -> None:
    """In every state `play` accepts exactly the moves that `legal` offers.

    A number of dice stands here for all their rolls: the graph has each that is offered.
    """
    rolls = [Roll(dice) for dice in ("", "1", "WW", "12W", "112W")]
    conceivable: list[Move] = [SetAside("1"), SetAside("2"), SetAside("W"), SetAside("")]
    conceivable += [Take(tile) for tile in range(2, 8)]
    conceivable += [Steal(0), Steal(1), Steal(2), Stop(), *rolls]

    def offered(options: Options, dice: int) -> set[Move]:
        found: set[Move] = {SetAside(face) for face in options.faces} | set(options.claims)
        if options.roll:
            found |= {roll for roll in rolls if len(roll.dice) == dice}
        return found | {Stop()} if options.stop and not options.claims else found

    def accepted(position: Position, move: Move, rulings: Rulings) -> bool:
        try:
            play(position, move, rulings, TINY)
        except Refused:
            return False
        return True

    wrong = []
    for position in graph.reached:
        offering: dict[Move, int] = defaultdict(int)
        for options, by, _ in outcomes(lambda rulings, at=position: legal(at, rulings, TINY)):
            for move in offered(options, 3 - len(position.turn.set_aside)):
                offering[move] |= by
        for move in conceivable:
            accepting = 0
            for yes, by, _ in outcomes(lambda r, at=position, m=move: accepted(at, m, r)):
                accepting |= by if yes else 0
            if accepting != offering[move]:
                wrong.append((position, move))
    assert wrong == []


def test_a_tile_is_barred_to_the_player_who_just_lost_it_and_to_nobody_else(graph: Graph) -> None:
    """Of two players only the one to move can be barred, from the other's top tile; so ruled."""
    barred = defaultdict(int)
    wrong = []
    for table, by in graph.tables.items():
        player, other = table.player, 1 - table.player
        shown = table.stacks[other][-1:]
        if table.barred[other] or table.barred[player] not in ((), shown):
            wrong.append(table)
        barred[table.barred[player] != ()] |= by
    assert (wrong, barred[True]) == ([], where(steal_back=StealBack.BARRED))


def test_nothing_on_the_table_moves_within_a_turn(graph: Graph) -> None:
    """Until the turn ends the table stays as it is."""
    moved = [
        way
        for way in graph.ways()
        if way.after.table != way.before.table and way.after.table.player == way.before.table.player
    ]
    assert moved == []


def test_setting_aside_takes_all_dice_of_a_new_face(graph: Graph) -> None:
    """Each set-aside adds all dice of one face not yet used: three at most in a turn."""
    wrong = []
    for before, move, after, _ in graph.ways():
        if not isinstance(move, SetAside):
            continue
        kept, rolled = before.turn
        chosen = "".join(face for face in rolled if face == move.face)
        joined = Turn("".join(sorted(kept + chosen)), "")
        if not chosen or chosen[0] in kept or after.turn not in (joined, Turn()):
            wrong.append((before, move, after))
    assert wrong == []


def test_a_roll_fails_exactly_when_it_shows_nothing_new(graph: Graph) -> None:
    """A roll lies there to choose from unless all its faces are set aside already."""
    wrong = []
    for before, move, after, _ in graph.ways():
        if isinstance(move, Roll):
            dead = set(move.dice) <= set(before.turn.set_aside)
            lying = Turn(before.turn.set_aside, "".join(sorted(move.dice)))
            if after.turn != (Turn() if dead else lying):
                wrong.append((before, move, after))
    assert wrong == []


def test_a_set_aside_fails_only_with_all_dice_and_nothing_to_claim(graph: Graph) -> None:
    """A forced end fails without a worm; else only when nothing up to the total is in reach."""
    wrong = []
    for way in failures(graph):
        if not isinstance(way.move, SetAside):
            continue
        table, turn = way.before
        kept = turn.set_aside + "".join(face for face in turn.rolled if face == way.move.face)
        total = sum(map(POINTS.__getitem__, kept))
        shown = table.stacks[1 - table.player][-1:]
        takes = min(table.grill) <= total
        steals = (total,) == shown and (total,) != table.barred[table.player]
        if len(kept) != 3 or ("W" in kept and (takes or steals)):
            wrong.append(way)
    assert wrong == []


def test_a_take_moves_one_tile_of_the_grill_to_the_own_stack(graph: Graph) -> None:
    """The tile goes on top of the stack; it needs a worm, and is not above the total."""
    wrong = []
    for before, move, after, _ in graph.ways():
        if isinstance(move, Take):
            table, kept = before.table, before.turn.set_aside
            left = tuple(tile for tile in table.grill if tile != move.tile)
            stacks = [*table.stacks]
            stacks[table.player] = (*stacks[table.player], move.tile)
            expected = Table(left, table.face_down, tuple(stacks), 1 - table.player, ((), ()))
            total = sum(map(POINTS.__getitem__, kept))
            reached = "W" in kept and move.tile in table.grill and move.tile <= total
            if not reached or after != Position(expected):
                wrong.append((before, move, after))
    assert wrong == []


def test_which_tiles_may_be_taken_hangs_on_two_rulings(graph: Graph) -> None:
    """The tiles open to a player are those of `lower-tile`, less those that a steal closes."""

    def opened(table: Table, total: int, lower: LowerTile, stealable: bool) -> set[int]:
        exact = {total} & set(table.grill)
        below = {tile for tile in table.grill if tile < total}
        free = {
            LowerTile.NEXT: set() if exact else set(sorted(below)[-1:]),
            LowerTile.ANY: below,
            LowerTile.ANY_IF_EXACT_GONE: set() if exact else below,
        }[lower]
        return exact if stealable else exact | free

    wrong = []
    for position, reaching in graph.reached.items():
        table, (kept, rolled) = position
        if "W" not in kept or rolled or not table.grill:
            continue
        total = sum(map(POINTS.__getitem__, kept))
        found: dict[int, int] = defaultdict(int)
        steal = 0
        for step in graph.steps[position]:
            if isinstance(step.move, Take):
                found[step.move.tile] |= step.combinations & reaching
            elif isinstance(step.move, Steal):
                steal |= step.combinations & reaching
        expected: dict[int, int] = defaultdict(int)
        for lower in LowerTile:
            for closing in ExactOnOpponent:
                by = where(lower_tile=lower, exact_on_opponent=closing) & reaching
                closed = steal if closing is ExactOnOpponent.STEAL else 0
                for part, stealable in ((by & closed, True), (by & ~closed, False)):
                    for tile in opened(table, total, lower, stealable) if part else ():
                        expected[tile] |= part
        if found != expected:
            wrong.append(position)
    assert wrong == []


def test_a_steal_leaves_the_grill_as_it_is(graph: Graph) -> None:
    """It moves the opponent's top tile, of exactly the total, to the own stack, and no other."""
    wrong = []
    for before, move, after, by in graph.ways():
        if isinstance(move, Steal):
            table, kept = before.table, before.turn.set_aside
            total = sum(map(POINTS.__getitem__, kept))
            stacks = [*table.stacks]
            *rest, tile = stacks[move.player]
            stacks[table.player] = (*stacks[table.player], tile)
            stacks[move.player] = tuple(rest)
            bars = [(), ()]
            if by & where(steal_back=StealBack.BARRED):
                bars[move.player] = (tile,)
            expected = Table(
                table.grill, table.face_down, tuple(stacks), 1 - table.player, tuple(bars)
            )
            if (
                (move.player, tile) != (1 - table.player, total)
                or "W" not in kept
                or after != Position(expected)
            ):
                wrong.append((before, move, after))
    assert wrong == []


def test_a_failed_turn_changes_the_grill_as_its_ruling_says(graph: Graph) -> None:
    """By the rulebook the grill keeps its number of tiles or gains one, and never loses one.

    It loses one only where `flip-without-return = yes` meets a player without a tile, or `both`
    a returned tile that is not the highest.
    """
    seen = defaultdict(set)
    for way in failures(graph):
        returned = situation(way.before.table)
        if returned == "nothing":
            for without in FlipWithoutReturn:
                if way.combinations & where(flip_without_return=without):
                    seen[returned, without].add(change(way))
        else:
            for after in FlipAfterReturn:
                if way.combinations & where(flip_after_return=after):
                    seen[returned, after].add(change(way))
    assert seen == {
        ("nothing", "no"): {0},
        ("nothing", "yes"): {-1},
        ("a lower one", "unless-highest"): {0},
        ("a lower one", "always"): {0},
        ("a lower one", "before-return"): {0},
        ("a lower one", "both"): {-1},
        ("a lower one", "never"): {1},
        ("the highest", "unless-highest"): {1},
        ("the highest", "always"): {0},
        ("the highest", "before-return"): {0},
        ("the highest", "both"): {0},
        ("the highest", "never"): {1},
    }


def test_a_failed_turn_settles_as_set_arithmetic_says(graph: Graph) -> None:
    """The top tile joins the face-up ones, and what the ruling turns leaves them."""
    wrong = []
    for way in failures(graph):
        table = way.before.table
        up, returned = set(table.grill), set(own_stack(table)[-1:])
        turned = {
            FlipAfterReturn.UNLESS_HIGHEST: {max(up | returned)} - returned,
            FlipAfterReturn.ALWAYS: {max(up | returned)},
            FlipAfterReturn.BEFORE_RETURN: {max(up)},
            FlipAfterReturn.BOTH: {max(up | returned)} | returned,
            FlipAfterReturn.NEVER: set(),
        }
        bare = {FlipWithoutReturn.NO: set(), FlipWithoutReturn.YES: {max(up)}}
        stacks = [*table.stacks]
        stacks[table.player] = stacks[table.player][:-1]
        for value, down in (turned if returned else bare).items():
            ruling = "flip_after_return" if returned else "flip_without_return"
            expected = Table(
                tuple(sorted((up | returned) - down)),
                tuple(sorted({*table.face_down} | down)),
                tuple(stacks),
                1 - table.player,
                ((), ()),
            )
            by = where(**{ruling: value})
            if way.combinations & by and way.after != Position(expected):
                wrong.append((value, way))
    assert wrong == []


def test_face_down_tiles_only_grow_by_one_or_under_both_by_two(graph: Graph) -> None:
    """A face-down tile stays so; a turn adds at most that many, and only if it failed."""
    two = where(flip_after_return=FlipAfterReturn.BOTH)
    wrong = []
    for way in graph.ways():
        before, after = set(way.before.table.face_down), set(way.after.table.face_down)
        failed = 1 if way.combinations & ~two else 2
        most = 0 if isinstance(way.move, Take | Steal) else failed
        if not before <= after or len(after - before) > most:
            wrong.append(way)
    assert wrong == []


def test_the_turned_tile_is_higher_than_a_returned_one_that_is_not_the_highest(
    graph: Graph,
) -> None:
    """A lower tile that comes back is itself turned under `both` alone, beside a higher one."""
    both = where(flip_after_return=FlipAfterReturn.BOTH)
    wrong = []
    for way in failures(graph):
        table = way.before.table
        if situation(table) == "a lower one":
            returned = own_stack(table)[-1]
            turned = set(way.after.table.face_down) - set(table.face_down)
            if way.combinations & both and len(turned) == 2:
                turned.remove(returned)
            if any(tile <= returned for tile in turned):
                wrong.append(way)
    assert wrong == []


def test_a_failed_turn_ends_the_game_only_where_it_can_shrink_the_grill(graph: Graph) -> None:
    """It does under `flip-without-return = yes` and under `both`; a steal never ends it."""
    ending: dict[str, int] = defaultdict(int)
    for way in graph.ways():
        if not way.after.table.grill:
            claim = isinstance(way.move, Take | Steal)
            ending[type(way.move).__name__ if claim else "failed turn"] |= way.combinations
    assert ending == {"Take": ALL, "failed turn": SHRINKING}


def test_somebody_owns_a_tile_at_the_end_unless_failures_can_end_it(graph: Graph) -> None:
    """All tiles face down at the end, and nobody with one: where failed turns shrink the grill."""
    nobody = 0
    for table, by in graph.tables.items():
        if not table.grill and not any(table.stacks):
            nobody |= by
    assert nobody == SHRINKING


def test_ties_show_in_the_score_only(graph: Graph) -> None:
    """Final tables with a tie exist; the highest tile then decides, or both win."""
    wrong, tied = [], 0
    for table, by in graph.tables.items():
        if table.grill:
            continue
        worms = tuple(sum(map(WORMS.__getitem__, stack)) for stack in table.stacks)
        most = tuple(player for player in (0, 1) if worms[player] == max(worms))
        highest = max([0, *table.stacks[0], *table.stacks[1]])
        one = tuple(player for player in most if highest in table.stacks[player])
        tied |= by if len(most) == 2 and any(table.stacks) else 0
        for rulings, expected in (
            (Rulings(tie_break=TieBreak.SHARED), most),
            (Rulings(tie_break=TieBreak.HIGHEST_TILE), one or most),
        ):
            if score(table.stacks, rulings, TINY) != (worms, expected):
                wrong.append((table, rulings))
    assert (wrong, tied) == ([], ALL)


def with_seats_exchanged(position: Position) -> Position:
    """Return the position with the two seats exchanged."""
    grill, face_down, stacks, player, barred = position.table
    return Position(Table(grill, face_down, stacks[::-1], 1 - player, barred[::-1]), position.turn)


def test_the_seats_are_alike(graph: Graph) -> None:
    """With the seats exchanged the same moves are open, and they lead to the same, exchanged."""
    wrong = []
    for position in graph.reached:
        exchanged = {
            (
                Steal(1 - move.player) if isinstance(move, Steal) else move,
                with_seats_exchanged(after),
                by,
            )
            for move, after, by in graph.steps[position]
        }
        other = with_seats_exchanged(position)
        if exchanged != set(graph.steps[other] if other in graph.steps else steps(other)[0]):
            wrong.append(position)
    assert wrong == []
