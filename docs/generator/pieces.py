"""Tiles, dice, stacks and the grill as HTML, in the vocabulary of `docs/stylesheets/pieces.css`."""

from collections.abc import Collection, Iterable
from html import escape

from generator.languages import Language
from pickomino_conformance import words
from pickomino_reference import BASE


def tile(number: int, state: str = "") -> str:
    """Return one tile, without words for a screen reader."""
    classes = f"tile {state}".strip()
    return f'<span class="{classes}" data-worms="{BASE.worms[number]}">{number}</span>'


def picture(html: str, label: str, kind: str) -> str:
    """Return pieces as one picture that a screen reader tells by its label."""
    return f'<span class="{kind}" role="img" aria-label="{escape(label)}">{html}</span>'


def shown_tile(say: Language, number: int, *, face_down: bool = False) -> str:
    """Return a tile that stands alone, as a picture."""
    label = say("tile {number}, face down" if face_down else "tile {number}", number=number)
    return picture(tile(number, "is-face-down" if face_down else ""), label, "piece")


def shown_die(say: Language, face: str) -> str:
    """Return a die that stands alone, as a picture."""
    return picture(f'<i class="die" data-face="{face}"></i>', face_name(say, face), "piece")


def dice(say: Language, roll: str, chosen: str = "", *, choosing: bool = False) -> str:
    """Return dice in a row; with `choosing`, those of the chosen face stand out."""
    label = ", ".join(face_name(say, face) for face in roll)
    if choosing:
        told = say("{dice}; set aside: {face}" if chosen else "{dice}; nothing is set aside")
        label = told.format(dice=label, face=face_name(say, chosen))
    return picture("".join(_die(face, chosen, choosing) for face in roll), label, "dice")


def face_name(say: Language, face: str) -> str:
    """Return how a face is read out."""
    return say("worm") if face == BASE.worm else face


def grill(
    say: Language,
    face_up: Collection[int],
    elsewhere: Collection[int] = (),
    changed: Collection[int] = (),
) -> str:
    """Return the whole grill; what is neither face up nor elsewhere lies face down."""
    places = []
    for number in BASE.worms:
        state = "is-changed" if number in changed else ""
        if number in face_up:
            places.append(tile(number, state))
        elif number in elsewhere:
            places.append(f'<span class="{f"slot {state}".strip()}">{number}</span>')
        else:
            places.append(tile(number, f"is-face-down {state}".strip()))
    down = [one for one in BASE.worms if one not in {*face_up, *elsewhere}]
    label = say("Grill: {tiles}", tiles=spans(say, face_up))
    if down:
        label += "; " + say("face down: {tiles}", tiles=spans(say, down))
    return picture("".join(places), label, "grill")


def stack(say: Language, own: Collection[int], changed: Collection[int] = ()) -> str:
    """Return a player's stack, bottom to top."""
    label = ", ".join(map(str, own)) or say("no tile")
    if len(own) > 1:
        label = say("{tiles}, the last one on top", tiles=label)
    drawn = "".join(tile(one, "is-changed" if one in changed else "") for one in own)
    return picture(drawn, label, "stack")


def seat(say: Language, name: str, own: Collection[int], changed: Collection[int] = ()) -> str:
    """Return a player with the name above the stack."""
    return f'<span class="seat"><b>{escape(name)}</b>{stack(say, own, changed)}</span>'


def spans(say: Language, numbers: Iterable[int]) -> str:
    """Return tiles as `21 to 23, 25`, or the word for none."""
    to = say("{first} to {last}", first="{}", last="{}")
    return words.spans(sorted(numbers), to, ", ", say("none"))


def _die(face: str, chosen: str, choosing: bool) -> str:
    state = ("is-set-aside" if face == chosen else "is-left") if choosing else ""
    return f'<i class="{f"die {state}".strip()}" data-face="{face}"></i>'
