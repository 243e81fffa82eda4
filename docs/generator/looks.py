"""What a question looks at, and the answer to it: from the facts of a case to sentences.

A look is named in `docs/questions.toml`. Its answer is the English text of each sentence, with
the values that go into it; a language says it later.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from generator.facts import Facts
from pickomino_reference import BASE, Steal, Take, claiming

MANY = 3


class Sentence(NamedTuple):
    """A sentence of an answer.

    Attributes:
        text: in English, with its places in braces.
        tiles: for each place `{tile}` and `{other}`, the tiles, of which any one is meant.
        names: for the place `{names}`, the players.
        numbers: for the places `{number}` and `{most}`.
        dice: for the place `{dice}`.
    """

    text: str
    tiles: tuple[tuple[int, ...], ...] = ()
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    dice: str = ""


Answer = tuple[Sentence, ...]
Look = Callable[[Facts], Answer]

YES = Sentence("Yes.")
NO = Sentence("No.")


def allowed(facts: Facts) -> Answer:
    """Whether what came last is allowed."""
    return (NO if facts.refused else YES,)


def stop(facts: Facts) -> Answer:
    """Whether the player may stop, with nothing to claim or with something."""
    if not facts.options.stop:
        return NO, Sentence("You must roll on while you can.")
    if facts.options.claims:
        return (YES,)
    return YES, Sentence("The turn has then failed.")


def roll(facts: Facts) -> Answer:
    """Whether the player may roll on."""
    if facts.options.roll:
        return YES, *_if_hopeless(facts)
    return NO, Sentence("The rolling is over.")


def claims(facts: Facts) -> Answer:
    """What can be had."""
    takes = tuple(one.tile for one in facts.options.claims if isinstance(one, Take))
    stolen = tuple(
        facts.before.stacks[one.player][-1]
        for one in facts.options.claims
        if isinstance(one, Steal)
    )
    if stolen and takes:
        return (Sentence("You steal the {tile}, or take the {other}.", (stolen, takes)),)
    if stolen:
        return (Sentence("You steal the {tile}; no other tile can be had.", (stolen,)),)
    if len(takes) > MANY:
        ends = ((takes[0],), (takes[-1],))
        return (Sentence("You take any tile from {tile} to {other}.", ends),)
    if takes:
        return (Sentence("You take the {tile}.", (takes,)),)
    return (Sentence("Nothing can be had."),)


def steal(facts: Facts) -> Answer:
    """Whether there is something to steal, and what can be had."""
    can = any(isinstance(one, Steal) for one in facts.options.claims)
    return YES if can else NO, *claims(facts)


def must_steal(facts: Facts) -> Answer:
    """Whether nothing but a steal is open."""
    only = all(isinstance(one, Steal) for one in facts.options.claims)
    return YES if only else NO, *claims(facts)


def lower(facts: Facts) -> Answer:
    """Whether a tile below the total may be taken, and what can be had."""
    total = claiming.total(facts.dice, BASE)
    free = any(isinstance(one, Take) and one.tile < total for one in facts.options.claims)
    return YES if free else NO, *claims(facts)


def failed(facts: Facts) -> Answer:
    """Whether the turn has failed."""
    return (YES, Sentence("The turn has failed.")) if facts.failed else (NO,)


def failure(facts: Facts) -> Answer:
    """What a failed turn costs."""
    return Sentence("The turn has failed."), *_cost(facts)


def turned(facts: Facts) -> Answer:
    """Whether a tile is turned, and which."""
    return YES if facts.turned else NO, *_cost(facts)


def returned_turned(facts: Facts) -> Answer:
    """Whether the tile that goes back is turned itself."""
    itself = set(facts.moved) & set(facts.turned)
    return YES if itself else NO, *_cost(facts)


def lose_all(facts: Facts) -> Answer:
    """Whether a failed turn costs more than the top tile."""
    lost = facts.moved
    only = lost == facts.before.stacks[facts.before.player][-1:]
    return NO if only else YES, Sentence("You lose the {tile} on top, and no other.", (lost,))


def face_up_again(facts: Facts) -> Answer:
    """Whether a face-down tile has come back."""
    back = set(facts.before.face_down) & set(facts.after.grill)
    return (YES if back else NO,)


def over(facts: Facts) -> Answer:
    """Whether the game is over."""
    if facts.after.grill:
        return NO, Sentence("The game goes on.")
    return YES, Sentence("The game is over.")


def failure_at_the_end(facts: Facts) -> Answer:
    """What a failed turn costs, and whether the game is over then."""
    return *_cost(facts), over(facts)[1]


def most_worms(facts: Facts) -> Answer:
    """Who wins, where one has more tiles and another more worms."""
    winner = _only_winner(facts)
    tiles = [len(stack) for stack in facts.before.stacks]
    assert tiles[winner] < max(tiles), "the winner has fewer tiles than another"
    text = "The most worms: {names} wins, although another has more tiles."
    return (Sentence(text, names=(facts.names[winner],)),)


def tie(facts: Facts) -> Answer:
    """Who wins a tie."""
    assert facts.score is not None
    assert facts.score.worms.count(max(facts.score.worms)) > 1, "there is a tie"
    if len(facts.score.winners) > 1:
        names = tuple(facts.names[seat] for seat in facts.score.winners)
        return (Sentence("{names} win together.", names=names),)
    winner = _only_winner(facts)
    highest = (max(facts.before.stacks[winner]),)
    text = "{names} wins, by the highest single tile, the {tile}."
    return (Sentence(text, (highest,), (facts.names[winner],)),)


def tie_covered(facts: Facts) -> Answer:
    """Whether a covered tile settles a tie."""
    assert facts.score is not None
    settled = len(facts.score.winners) == 1
    stacks = [facts.before.stacks[seat] for seat in facts.score.winners]
    assert not settled or max(stacks[0]) != stacks[0][-1], "the winner's highest tile is covered"
    return YES if settled else NO, *tie(facts)


def aside(facts: Facts) -> Answer:
    """How many dice of the chosen face are set aside."""
    face = facts.dice[-1]
    shown, kept = facts.rolled.count(face), facts.dice.count(face)
    told = Sentence("All {number} of them are set aside.", numbers=(kept,))
    return (YES, told) if shown == kept else (NO,)


def total(facts: Facts) -> Answer:
    """What the dice set aside count."""
    counted = claiming.total(facts.dice, BASE)
    return (Sentence("{dice} count {number}.", dice=facts.dice, numbers=(counted,)),)


LOOKS: dict[str, Look] = {
    "allowed": allowed,
    "stop": stop,
    "roll": roll,
    "claims": claims,
    "steal": steal,
    "must-steal": must_steal,
    "lower": lower,
    "failed": failed,
    "failure": failure,
    "turned": turned,
    "returned-turned": returned_turned,
    "lose-all": lose_all,
    "face-up-again": face_up_again,
    "over": over,
    "failure-at-the-end": failure_at_the_end,
    "most-worms": most_worms,
    "tie": tie,
    "tie-covered": tie_covered,
    "aside": aside,
    "total": total,
}


def _if_hopeless(facts: Facts) -> Iterable[Sentence]:
    if set(facts.dice) == set(BASE.points):
        yield Sentence("You can only fail, since no face is new.")


def _only_winner(facts: Facts) -> int:
    assert facts.score is not None
    (winner,) = facts.score.winners
    return winner


def _cost(facts: Facts) -> Iterable[Sentence]:
    back, down = facts.moved, facts.turned
    if back and back == down:
        yield Sentence("The {tile} goes back, and is turned face down.", (back,))
        return
    if back:
        yield Sentence("The {tile} goes back, and lies face up.", (back,))
    if down:
        yield Sentence("The {tile} is turned face down.", (down,))
    else:
        yield Sentence("Nothing is turned.")
