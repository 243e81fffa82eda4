"""The reference: counts from a second source, refusals by rule, and a tiny game."""

from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from pickomino_conformance.cli.rules import Perft
from pickomino_reference import (
    BASE,
    Move,
    Options,
    Position,
    Refused,
    Roll,
    Rule,
    Rulings,
    SetAside,
    Steal,
    StealBack,
    Stop,
    StopWithoutClaim,
    Table,
    Take,
    Turn,
    find_edition,
    legal,
    play,
    start,
)

# Counts of an independent program, fixed before this code was written.
PERFT = {
    "zoch-2005": [1287, 4752, 2418724, 19021431, 1788061222],
    "999-games": [1287, 4752, 2414033, 12984114, 1759265950],
    "ultraboardgames": [1287, 4752, 2419084, 19484751, 1790990754],
}


def table(grill, *stacks, player=0, barred=None) -> Table:
    """Return a table of these tiles; the rest lies face down."""
    named = [*grill, *(tile for stack in stacks for tile in stack)]
    rest = tuple(tile for tile in range(21, 37) if tile not in named)
    return Table(tuple(grill), rest, stacks, player, barred or ((),) * len(stacks))


@pytest.mark.parametrize("edition", PERFT)
def test_perft_agrees_with_an_independent_count(edition: str) -> None:
    """The sequences of up to five moves are as many as another program counts."""
    perft = Perft(find_edition(edition).rulings)
    counts = [perft.count(Position(start(2)), depth) for depth in range(1, 6)]
    assert counts == PERFT[edition]


def test_divide_adds_up_to_the_whole() -> None:
    """The counts behind each first move add up to the count without them."""
    perft = Perft(Rulings())
    parts = perft.divide(Position(start(2)), 3)
    assert (len(parts), sum(number for _, number in parts)) == (1287, 2418724)


def test_a_turn_has_as_many_nodes_as_the_design_counts() -> None:
    """3,003 ways to have set aside; 74,238 rolls after them; 116,688 choices; 11,352 dead rolls."""
    faces = "12345W"
    kept = ["".join(k) for n in range(9) for k in combinations_with_replacement(faces, n)]
    rolls = choices = dead = 0
    for set_aside in kept:
        if len(set_aside) == 8 or len(set(set_aside)) == 6:
            continue
        for roll in combinations_with_replacement(faces, 8 - len(set_aside)):
            turn = Turn(set_aside, "".join(roll))
            options = legal(Position(start(2), turn), Rulings())
            rolls += 1
            choices += len(options.faces)
            dead += options.faces == ""
    assert (len(kept), rolls, choices, dead) == (3003, 74238, 116688, 11352)


MIDDLE = table([21, 23, 24, 28, 30, 36], (22, 26), (27, 25), (29,))
AFTER_TWO_FIVES = Turn(set_aside="55WWW")

REFUSED = [
    ("a face that was used", Turn("WW", "1WW345"), SetAside("W"), Rule.ROLLING_NEW_FACE),
    ("a face not rolled", Turn("WW", "1WW345"), SetAside("2"), Rule.ROLLING_CHOOSE_A_FACE),
    ("rolling before choosing", Turn("WW", "1WW345"), Roll("111111"), Rule.ROLLING_CHOOSE_A_FACE),
    ("stopping before choosing", Turn("WW", "1WW345"), Stop(), Rule.ROLLING_CHOOSE_A_FACE),
    ("stopping before rolling", Turn(), Stop(), Rule.ROLLING_CHOOSE_A_FACE),
    ("too few dice", Turn("WW"), Roll("11111"), Rule.ROLLING_ALL_DICE),
    ("rolling with no dice left", Turn("1112WWWW"), Roll(""), Rule.ROLLING_FORCED_END),
    ("rolling after six faces", Turn("123455W"), Roll("1"), Rule.ROLLING_FORCED_END),
    ("a higher tile", AFTER_TWO_FIVES, Take(28), Rule.CLAIMING_EXACT),
    ("one further down", AFTER_TWO_FIVES, Take(23), Rule.CLAIMING_LOWER),
    ("a face-down tile", AFTER_TWO_FIVES, Take(31), Rule.CLAIMING_FACE_DOWN),
    ("the own top tile", AFTER_TWO_FIVES, Take(26), Rule.CLAIMING_OWN_TOP),
    ("a covered tile", AFTER_TWO_FIVES, Take(27), Rule.STEALING_TOP_ONLY),
    ("a tile of no box", AFTER_TWO_FIVES, Take(37), Rule.SETUP_TILES),
    ("no worm for a tile", Turn("555554"), Take(28), Rule.CLAIMING_WORM_NEEDED),
    ("no worm for a steal", Turn("55555"), Steal(1), Rule.STEALING_WORM_NEEDED),
    ("an inexact steal", AFTER_TWO_FIVES, Steal(2), Rule.STEALING_EXACT),
    ("a covered exact tile", Turn("34WWWW"), Steal(1), Rule.STEALING_TOP_ONLY),
    ("one's own tile", AFTER_TWO_FIVES, Steal(0), Rule.STEALING_OPPONENTS_ONLY),
    ("a player who is not there", AFTER_TWO_FIVES, Steal(3), Rule.STEALING_OPPONENTS_ONLY),
    ("declining a claim", AFTER_TWO_FIVES, Stop(), Rule.CLAIMING_STOP_CLAIMS),
]


@pytest.mark.parametrize(
    ("turn", "move", "rule"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_move_is_refused_with_the_rule_that_forbids_it(
    turn: Turn, move: Move, rule: Rule
) -> None:
    """Every move that is not allowed names the rule."""
    with pytest.raises(Refused) as refused:
        play(Position(MIDDLE, turn), move, Rulings())
    assert refused.value.rule == rule


def test_a_barred_stop_is_refused_by_its_rule() -> None:
    """Where a stop needs a claim, one without is refused; at a forced end there is none."""
    barred = replace(Rulings(), stop_without_claim=StopWithoutClaim.BARRED)
    with pytest.raises(Refused) as refused:
        play(Position(MIDDLE, Turn("WW")), Stop(), barred)
    assert refused.value.rule == Rule.ROLLING_STOP_FREELY


def test_a_barred_steal_is_refused_by_its_rule() -> None:
    """A tile that was just stolen from the player can't be stolen back in the next own turn."""
    barred = replace(Rulings(), steal_back=StealBack.BARRED)
    lost = table([21, 36], (), (25,), barred=((25,), ()))
    with pytest.raises(Refused) as refused:
        play(Position(lost, AFTER_TWO_FIVES), Steal(1), barred)
    assert refused.value.rule == Rule.STEALING_STEAL_BACK


def test_a_bar_holds_until_the_end_of_the_robbed_players_next_turn() -> None:
    """A steal bars the tile to its victim; after the victim's next turn the bar is gone."""
    barred = replace(Rulings(), steal_back=StealBack.BARRED)
    before = table([21, 36], (), (22, 25))
    robbed = play(Position(before, AFTER_TWO_FIVES), Steal(1), barred).table
    assert robbed == table([21, 36], (25,), (22,), player=1, barred=((), (25,)))
    later = play(Position(robbed, Turn("WW", "")), Roll("WWWWWW"), barred).table
    assert later == table([21, 22], (25,), (), player=0)


def test_nothing_may_be_done_once_the_game_is_over() -> None:
    """With the grill empty every move is refused, and none is offered."""
    over = Position(table([], (21,), (22,)))
    with pytest.raises(Refused) as refused:
        play(over, Roll("1111WWWW"), Rulings())
    assert refused.value.rule == Rule.ENDING_GRILL_EMPTY
    assert legal(over, Rulings()) == Options()


@pytest.mark.parametrize("players", [0, 1, 8])
def test_too_few_or_too_many_players_are_refused(players: int) -> None:
    """The base game is for two to seven."""
    with pytest.raises(Refused) as refused:
        start(players)
    assert refused.value.rule == Rule.SETUP_PLAYERS


def test_the_box_is_data() -> None:
    """The base box holds sixteen tiles with forty worms, and eight dice of six faces."""
    assert (len(BASE.worms), sum(BASE.worms.values()), BASE.dice, len(BASE.points)) == (
        16,
        40,
        8,
        6,
    )
