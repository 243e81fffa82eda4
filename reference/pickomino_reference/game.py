"""The whole game, from one position to the next; dice are always given, never drawn."""

from typing import NamedTuple

from pickomino_reference import claiming, ending, failing, reasons, rolling, setup, stealing
from pickomino_reference.box import BASE, Box
from pickomino_reference.moves import Claim, Move, Options, Roll, SetAside, Stop, Take
from pickomino_reference.rules import Refused, Rule
from pickomino_reference.rulings import Rulings
from pickomino_reference.table import Position, Stacks, Table, Turn


class Score(NamedTuple):
    """Worms of each player, and the numbers of those who win."""

    worms: tuple[int, ...]
    winners: tuple[int, ...]


def start(players: int, box: Box = BASE) -> Table:
    """Return the table of a new game; too few or too many players are `Refused`."""
    stacks = setup.players(players, box)
    return Table(grill=setup.tiles(box), face_down=(), stacks=stacks, player=0, barred=stacks)


def reach(table: Table, set_aside: str, rulings: Rulings, box: Box = BASE) -> tuple[Claim, ...]:
    """Return everything that can be claimed with these dice; tiles ascending, then steals."""
    if not (claiming.worm_needed(set_aside, box) or stealing.worm_needed(set_aside, box)):
        return ()
    total = claiming.total(set_aside, box)
    takes = claiming.takes(table, set_aside, total, rulings, box)
    steals = stealing.steals(table, set_aside, total, rulings, box)
    return stealing.optional(takes, steals, total, rulings)


def legal(position: Position, rulings: Rulings, box: Box = BASE) -> Options:
    """Return what the player to move may do next; nothing once the game is over."""
    table, turn = position
    if ending.grill_empty(table):
        return Options()
    if rolling.choose_a_face(turn):
        return Options(rolling.new_face(turn.set_aside, turn.rolled))
    if turn.set_aside == "":
        return Options(roll=True)
    claims = reach(table, turn.set_aside, rulings, box)
    forced = rolling.forced_end(turn.set_aside, rulings, box)
    stop = forced or claiming.stop_claims(claims) or rolling.stop_freely(rulings)
    return Options("", not forced, stop, claims)


def play(position: Position, move: Move, rulings: Rulings, box: Box = BASE) -> Position:
    """Return the position after a move; what a rule forbids is `Refused`.

    A dead roll fails inside the roll; a forced end with nothing to claim fails inside the
    set-aside; whoever claims or fails passes the dice on.
    """
    table, turn = position
    if ending.grill_empty(table):
        raise Refused(Rule.ENDING_GRILL_EMPTY)
    if isinstance(move, SetAside):
        return _set_aside(table, turn, move.face, rulings, box)
    if rolling.choose_a_face(turn):
        raise Refused(Rule.ROLLING_CHOOSE_A_FACE)
    if isinstance(move, Roll):
        return _roll(table, turn, move.dice, rulings, box)
    if turn.set_aside == "":
        raise Refused(Rule.ROLLING_CHOOSE_A_FACE)
    return Position(_stop(table, turn.set_aside, move, rulings, box))


def score(stacks: Stacks, rulings: Rulings, box: Box = BASE) -> Score:
    """Return the worms of each player and who wins, once the game is over."""
    return Score(ending.worms_win(stacks, box), ending.winners(stacks, rulings, box))


def _roll(table: Table, turn: Turn, dice: str, rulings: Rulings, box: Box) -> Position:
    if rolling.forced_end(turn.set_aside, rulings, box):
        raise Refused(Rule.ROLLING_FORCED_END)
    if len(dice) != rolling.all_dice(turn.set_aside, box):
        raise Refused(Rule.ROLLING_ALL_DICE)
    rolled = rolling.sort_dice(dice)
    if failing.dead_roll(turn.set_aside, rolled):
        return Position(failing.failed_turn(table, rulings))
    return Position(table, Turn(turn.set_aside, rolled))


def _set_aside(table: Table, turn: Turn, face: str, rulings: Rulings, box: Box) -> Position:
    if face == "" or face not in turn.rolled:
        raise Refused(Rule.ROLLING_CHOOSE_A_FACE)
    if face not in rolling.new_face(turn.set_aside, turn.rolled):
        raise Refused(Rule.ROLLING_NEW_FACE)
    set_aside = rolling.whole_face(turn.set_aside, turn.rolled, face)
    if rolling.forced_end(set_aside, rulings, box):
        claims = reach(table, set_aside, rulings, box)
        if failing.no_worm(set_aside, box) or failing.out_of_reach(claims):
            return Position(failing.failed_turn(table, rulings))
    return Position(table, Turn(set_aside))


def _stop(table: Table, set_aside: str, move: Claim | Stop, rulings: Rulings, box: Box) -> Table:
    claims = reach(table, set_aside, rulings, box)
    if isinstance(move, Stop):
        if claiming.stop_claims(claims):
            raise Refused(Rule.CLAIMING_STOP_CLAIMS)
        if not (rolling.forced_end(set_aside, rulings, box) or rolling.stop_freely(rulings)):
            raise Refused(Rule.ROLLING_STOP_FREELY)
        return failing.failed_turn(table, rulings)
    if move not in claims:
        raise Refused(reasons.forbids(table, set_aside, move, box))
    if isinstance(move, Take):
        return failing.passes(claiming.take(table, move.tile))
    return failing.passes(stealing.steal(table, move.player, rulings))
