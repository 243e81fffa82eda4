"""The whole game: from one position to the next.

Dice are always given, never drawn. Everything here is a pure function of its arguments.
"""

from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from pickomino_reference import claiming, ending, failing, rolling, setup, stealing
from pickomino_reference.box import BASE, Box
from pickomino_reference.moves import Claim, Move, Options, Roll, SetAside, Stop, Take
from pickomino_reference.rules import Refused, Rule
from pickomino_reference.rulings import Rulings
from pickomino_reference.table import Position, Table, Turn

new = tuple.__new__
FRESH_TURN = Turn()
OVER = Options()
TO_ROLL = Options(roll=True)
NO_CLAIMS = {
    (roll, stop): Options("", roll, stop) for roll in (True, False) for stop in (True, False)
}


@cache
def _choice(faces: str) -> Options:
    return Options(faces)


class Score(NamedTuple):
    """Worms of each player, and the numbers of those who win."""

    worms: tuple[int, ...]
    winners: tuple[int, ...]


def start(players: int, box: Box = BASE) -> Table:
    """Return the table of a new game.

    Raises:
        Refused: the box is not made for this number of players (`setup.players`).
    """
    stacks = setup.players(players, box)
    return Table(grill=setup.tiles(box), face_down=(), stacks=stacks, player=0, barred=stacks)


def reach(table: Table, set_aside: str, rulings: Rulings, box: Box = BASE) -> tuple[Claim, ...]:
    """Return everything that can be claimed with these dice; tiles ascending, then steals."""
    total = claiming.total(set_aside, box)
    takes = claiming.takes(table, set_aside, total, rulings, box)
    steals = stealing.steals(table, set_aside, total, rulings, box)
    return stealing.optional(takes, steals, total, rulings)


def legal(position: Position, rulings: Rulings, box: Box = BASE) -> Options:
    """Return what the player to move may do next; nothing once the game is over."""
    table, turn = position
    if ending.grill_empty(table):
        return OVER
    set_aside, rolled = turn
    if rolling.choose_a_face(turn):
        return _choice(rolling.new_face(set_aside, rolled))
    if set_aside == "":
        return TO_ROLL
    claims = reach(table, set_aside, rulings, box)
    forced = rolling.forced_end(set_aside, rulings, box)
    stop = forced or claiming.stop_claims(claims) or rolling.stop_freely(rulings)
    return NO_CLAIMS[not forced, stop] if claims == () else Options("", not forced, stop, claims)


def play(position: Position, move: Move, rulings: Rulings, box: Box = BASE) -> Position:
    """Return the position after a move.

    A dead roll fails inside the roll; a forced end with nothing to claim fails inside the
    set-aside; whoever claims or fails passes the dice on.

    Raises:
        Refused: a rule forbids the move; its id is in the exception.
    """
    table, turn = position
    if ending.grill_empty(table):
        raise Refused(Rule.ENDING_GRILL_EMPTY)
    if type(move) is SetAside:
        return _set_aside(table, turn, move.face, rulings, box)
    if rolling.choose_a_face(turn):
        raise Refused(Rule.ROLLING_CHOOSE_A_FACE)
    if type(move) is Roll:
        return _roll(table, turn, move.dice, rulings, box)
    if turn.set_aside == "":
        raise Refused(Rule.ROLLING_CHOOSE_A_FACE)
    return Position(_stop(table, turn.set_aside, move, rulings, box), FRESH_TURN)


def score(stacks: tuple[tuple[int, ...], ...], rulings: Rulings, box: Box = BASE) -> Score:
    """Return the worms of each player and who wins, once the game is over."""
    return Score(ending.worms_win(stacks, box), ending.winners(stacks, rulings, box))


def moves(position: Position, rulings: Rulings, box: Box = BASE) -> list[Move]:
    """Return every legal move, each possible outcome of a roll being one."""
    options = legal(position, rulings, box)
    listed: list[Move] = [SetAside(face) for face in options.faces]
    if options.roll:
        dice = rolling.all_dice(position.turn.set_aside, box)
        outcomes = combinations_with_replacement(sorted(box.points), dice)
        listed += [Roll("".join(outcome)) for outcome in outcomes]
    if options.stop:
        listed += options.claims or [Stop()]
    return listed


def forbids(table: Table, set_aside: str, claim: Claim, box: Box = BASE) -> Rule:
    """Return the rule that forbids a claim, given that it is not among those in reach."""
    if isinstance(claim, Take):
        return claiming.forbids(table, set_aside, claim.tile, box)
    return stealing.forbids(table, set_aside, claim.player, box)


def _roll(table: Table, turn: Turn, dice: str, rulings: Rulings, box: Box) -> Position:
    if rolling.forced_end(turn.set_aside, rulings, box):
        raise Refused(Rule.ROLLING_FORCED_END)
    if len(dice) != rolling.all_dice(turn.set_aside, box):
        raise Refused(Rule.ROLLING_ALL_DICE)
    rolled = rolling.sort_dice(dice)
    if failing.dead_roll(turn.set_aside, rolled):
        return new(Position, (failing.failed_turn(table, rulings), FRESH_TURN))
    return new(Position, (table, new(Turn, (turn.set_aside, rolled))))


def _set_aside(table: Table, turn: Turn, face: str, rulings: Rulings, box: Box) -> Position:
    if face not in turn.rolled or face == "":
        raise Refused(Rule.ROLLING_CHOOSE_A_FACE)
    if face not in rolling.new_face(turn.set_aside, turn.rolled):
        raise Refused(Rule.ROLLING_NEW_FACE)
    set_aside = rolling.whole_face(turn.set_aside, turn.rolled, face)
    if rolling.forced_end(set_aside, rulings, box) and _fails(table, set_aside, rulings, box):
        return new(Position, (failing.failed_turn(table, rulings), FRESH_TURN))
    return new(Position, (table, new(Turn, (set_aside, ""))))


def _fails(table: Table, set_aside: str, rulings: Rulings, box: Box) -> bool:
    """Whether a turn that ends with these dice has failed."""
    if failing.no_worm(set_aside, box):
        return True
    return failing.out_of_reach(reach(table, set_aside, rulings, box))


def _stop(table: Table, set_aside: str, move: Claim | Stop, rulings: Rulings, box: Box) -> Table:
    claims = reach(table, set_aside, rulings, box)
    if type(move) is Stop:
        if claiming.stop_claims(claims):
            raise Refused(Rule.CLAIMING_STOP_CLAIMS)
        forced = rolling.forced_end(set_aside, rulings, box)
        if not forced and not rolling.stop_freely(rulings):
            raise Refused(Rule.ROLLING_STOP_FREELY)
        return failing.failed_turn(table, rulings)
    if move not in claims:
        raise Refused(forbids(table, set_aside, move, box))
    if type(move) is Take:
        return failing.passes(claiming.take(table, move.tile))
    return failing.passes(stealing.steal(table, move.player, rulings))
