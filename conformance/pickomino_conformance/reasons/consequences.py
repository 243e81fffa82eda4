"""What comes of a move: dice set aside, a roll that may be dead, a claim, a failed turn."""

from typing import NamedTuple, TypeAlias

from pickomino_reference import (
    Box,
    Claim,
    FlipAfterReturn,
    Position,
    Rule,
    Rulings,
    Score,
    SetAside,
    Steal,
    StealBack,
    Table,
    Turn,
    claiming,
    ending,
    failing,
    game,
    play,
    reach,
    rolling,
    score,
)


class Failed(NamedTuple):
    """A turn that has failed.

    Attributes:
        rules: why it has failed, then what that costs.
        returned: the tile that goes back to the grill, if any.
        turned: the tile that is turned face down, if any.
        table: what lies there for the next player.
        score: worms and winners, if the game is over.
    """

    rules: tuple[Rule, ...]
    returned: int | None
    turned: int | None
    table: Table
    score: Score | None


class Kept(NamedTuple):
    """Dice were set aside.

    Attributes:
        rules: what follows if the rolling is over; else none.
        set_aside: all dice set aside now, in sorted order.
        total: what they are worth.
        dice: how many are left to roll.
        rolling_over: whether all dice, or all faces, are set aside.
        claims: what may be claimed now.
        failed: the end of the turn, if the rolling is over and nothing can be claimed.
    """

    rules: tuple[Rule, ...]
    set_aside: str
    total: int
    dice: int
    rolling_over: bool
    claims: tuple[Claim, ...]
    failed: Failed | None


class Rolled(NamedTuple):
    """The dice that are left are rolled.

    Attributes:
        rules: what a dead roll brings about; none if it can't be dead.
        dice: how many are rolled.
        dead: the faces set aside; the roll is dead if it shows no others.
        failed: the end of the turn if the roll is dead; none if it can't be.
    """

    rules: tuple[Rule, ...]
    dice: int
    dead: str
    failed: Failed | None


class Claimed(NamedTuple):
    """A tile was taken or stolen.

    Attributes:
        rules: what the claim brings about.
        tile: the tile.
        covers: the tile below it on the player's stack now, if any.
        uncovers: the tile that is the victim's top tile now, if any.
        table: what lies there for the next player.
        score: worms and winners, if the game is over.
    """

    rules: tuple[Rule, ...]
    tile: int
    covers: int | None
    uncovers: int | None
    table: Table
    score: Score | None


Consequence: TypeAlias = Kept | Rolled | Claimed | Failed


def kept(position: Position, face: str, rulings: Rulings, box: Box) -> Kept:
    """Return what comes of setting this face aside, which is allowed."""
    table, turn = position
    after = play(position, SetAside(face), rulings, box)
    dice = rolling.whole_face(turn.set_aside, turn.rolled, face)
    over = rolling.forced_end(dice, rulings, box)
    claims = reach(table, dice, rulings, box)
    lost = None
    rules: tuple[Rule, ...] = ()
    if after.turn.set_aside == "":
        lost = failed(table, without_claim(dice, box), rulings, box)
        rules = (Rule.ROLLING_FORCED_END, *lost.rules)
    elif over:
        rules = (Rule.ROLLING_FORCED_END, Rule.CLAIMING_STOP_CLAIMS)
    total, left = claiming.total(dice, box), rolling.all_dice(dice, box)
    return Kept(rules, dice, total, left, over, claims, lost)


def rolled(table: Table, turn: Turn, rulings: Rulings, box: Box) -> Rolled:
    """Return what comes of rolling the dice that are left, which is allowed."""
    dead = "".join(sorted(set(turn.set_aside)))
    lost = failed(table, Rule.FAILING_DEAD_ROLL, rulings, box) if dead else None
    rules = lost.rules if lost else ()
    return Rolled(rules, rolling.all_dice(turn.set_aside, box), dead, lost)


def claimed(position: Position, claim: Claim, rulings: Rulings, box: Box) -> Claimed:
    """Return what comes of this claim, which is allowed."""
    table, player = position.table, position.table.player
    after = play(position, claim, rulings, box).table
    own = table.stacks[player]
    rules, uncovers = [Rule.CLAIMING_ONE_TILE], None
    if isinstance(claim, Steal):
        below = after.stacks[claim.player]
        if below:
            uncovers = below[-1]
            rules.append(Rule.STEALING_UNCOVERS)
        if rulings.steal_back is StealBack.BARRED:
            rules.append(Rule.STEALING_STEAL_BACK)
    final = _final(after, rulings, box)
    covers = own[-1] if own else None
    told = (*rules, *(_ending_rules(final) or (Rule.SETUP_ORDER,)))
    return Claimed(told, after.stacks[player][-1], covers, uncovers, after, final)


def failed(table: Table, cause: Rule, rulings: Rulings, box: Box) -> Failed:
    """Return what comes of a turn that has failed by the rule `cause`."""
    after = failing.failed_turn(table, rulings)
    own = table.stacks[table.player]
    down = set(after.face_down).difference(table.face_down)
    turned = down.pop() if down else None
    rules = [cause]
    if own:
        rules.append(Rule.FAILING_RETURN_TOP)
    rules.append(_turning(table, rulings))
    if turned is not None:
        rules.append(Rule.FAILING_FACE_DOWN_FOR_GOOD)
    rules.append(Rule.FAILING_PASSES)
    final = _final(after, rulings, box)
    returned = own[-1] if own else None
    return Failed((*rules, *_ending_rules(final)), returned, turned, after, final)


def without_claim(set_aside: str, box: Box) -> Rule:
    """Return the rule by which a turn that ends with nothing to claim has failed."""
    no_worm = failing.no_worm(set_aside, box)
    return Rule.FAILING_NO_WORM if no_worm else Rule.FAILING_OUT_OF_REACH


def ended(position: Position, rulings: Rulings, box: Box) -> Failed | None:
    """Return the failed turn if this position is one: a dead roll, or a forced end in vain."""
    table, turn = position
    if ending.grill_empty(table) or turn.set_aside == "":
        return None
    if rolling.choose_a_face(turn):
        if not failing.dead_roll(turn.set_aside, turn.rolled):
            return None
        return failed(table, Rule.FAILING_DEAD_ROLL, rulings, box)
    forced = rolling.forced_end(turn.set_aside, rulings, box)
    if not forced or game.reach(table, turn.set_aside, rulings, box):
        return None
    return failed(table, without_claim(turn.set_aside, box), rulings, box)


def _turning(table: Table, rulings: Rulings) -> Rule:
    """Return the rule that decides which tile a failed turn turns face down."""
    own = table.stacks[table.player]
    if not own:
        return Rule.FAILING_NOTHING_RETURNED
    highest = own[-1] > table.grill[-1]
    if highest and rulings.flip_after_return is not FlipAfterReturn.BEFORE_RETURN:
        return Rule.FAILING_RETURNED_HIGHEST
    return Rule.FAILING_FLIP_HIGHEST


def _final(table: Table, rulings: Rulings, box: Box) -> Score | None:
    return score(table.stacks, rulings, box) if ending.grill_empty(table) else None


def _ending_rules(final: Score | None) -> tuple[Rule, ...]:
    if final is None:
        return ()
    rules = [Rule.ENDING_GRILL_EMPTY]
    if not any(final.worms):
        return (*rules, Rule.ENDING_NOBODY)
    rules.append(Rule.ENDING_WORMS_WIN)
    if final.worms.count(max(final.worms)) > 1:
        rules.append(Rule.ENDING_TIE_BREAK)
    return tuple(rules)
