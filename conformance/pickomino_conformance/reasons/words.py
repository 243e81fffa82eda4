"""What comes of a move, in words."""

from collections.abc import Sequence

from pickomino_conformance.reasons.consequences import Claimed, Consequence, Failed, Kept, Rolled
from pickomino_reference import Claim, Score, Table, Take


def consequence(one: Consequence) -> str:
    """Return what comes of a move, in one sentence or more."""
    match one:
        case Kept():
            return _kept(one)
        case Rolled():
            return _rolled(one)
        case Claimed():
            return _claimed(one)
        case Failed():
            return failed(one)


def failed(one: Failed) -> str:
    """Return what a failed turn costs."""
    if one.returned is None:
        back = "There is no tile to put back, and "
    elif one.returned == one.turned:
        return (
            f"The turn has failed. The {one.returned} goes back to the grill, where it is the "
            f"highest, and is turned face down. {_next(one.table, one.score)}"
        )
    else:
        back = f"The {one.returned} goes back to the grill, and "
    turned = (
        "no tile is turned." if one.turned is None else f"the {one.turned} is turned face down."
    )
    return f"The turn has failed. {back}{turned} {_next(one.table, one.score)}"


def claims(claims: Sequence[Claim]) -> str:
    """Return claims as `take 24 or steal from player 1`."""
    return " or ".join(
        f"take {claim.tile}" if isinstance(claim, Take) else f"steal from player {claim.player}"
        for claim in claims
    )


def dice(faces: str) -> str:
    """Return dice as `1 1 2 W`."""
    return " ".join(faces)


def _kept(one: Kept) -> str:
    told = f"{dice(one.set_aside)} are set aside: total {one.total}, {_left(one.dice)}."
    if one.failed:
        return f"{told} The rolling is over. {failed(one.failed)}"
    if one.rolling_over:
        return f"{told} The rolling is over: {claims(one.claims)}."
    if one.claims:
        return f"{told} Then: {claims(one.claims)}, or roll on."
    return f"{told} Nothing can be claimed yet."


def _rolled(one: Rolled) -> str:
    if one.failed is None:
        return "The first roll can't be dead."
    only = f"Whatever it shows, the roll is dead. {failed(one.failed)}"
    some = f"The roll is dead if it shows no other face than {_either(one.dead)}. "
    return only if len(one.dead) == 6 else f"{some}Then: {_lowered(failed(one.failed))}"


def _claimed(one: Claimed) -> str:
    covering = "" if one.covers is None else f" and covers the {one.covers}"
    told = f"The {one.tile} goes on top of the own stack{covering}."
    if one.uncovers is not None:
        told += f" It uncovers the {one.uncovers}."
    return f"{told} {_next(one.table, one.score)}"


def _next(table: Table, score: Score | None) -> str:
    if score is None:
        return f"Player {table.player} is next."
    winners = " and ".join(f"player {winner}" for winner in score.winners)
    wins = "wins" if len(score.winners) == 1 else "win together"
    return f"The game is over: {winners} {wins}, worms {' '.join(map(str, score.worms))}."


def _left(number: int) -> str:
    return "1 die left" if number == 1 else f"{number or 'no'} dice left"


def _either(faces: str) -> str:
    return " or ".join(filter(None, [", ".join(faces[:-1]), faces[-1]]))


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]
