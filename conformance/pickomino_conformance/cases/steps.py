"""The steps of the features: one table, by which a scenario is played, drawn and written.

A step is a text of a fixed form. Each form says both what its steps add to a `Scene`, and which
of its steps a scene has, so that a scene is read from steps, and written as steps.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

from pickomino_conformance.cases.scene import Act, Scene, UnknownStep
from pickomino_conformance.compare import ANSWER, REFUSAL
from pickomino_conformance.words import spans
from pickomino_reference import Claim, Decision, Steal, Take

StepKind = Literal["given", "when", "then"]
KINDS: tuple[StepKind, ...] = ("given", "when", "then")
HEADING = ("dice", "sets aside")
NO_CHOICE = "-"
NOTHING = "nothing"


class GherkinStep(NamedTuple):
    """A step of a scenario: its keyword's kind, its text, and the rows below it, if any."""

    kind: StepKind
    text: str
    rows: tuple[tuple[str, ...], ...] = ()


def tell(scene: Scene, step: GherkinStep) -> None:
    """Add to a scene what a step tells.

    Raises:
        UnknownStep: it is of no form of the table, or looks at a player who does not play.
    """
    for form in STEPS:
        if form.kind == step.kind and (values := form.read(step)) is not None:
            form.tell(scene, **values)
            return
    raise UnknownStep(f"There is no step of the form {step.text!r}.")


def scene_of(steps: Iterable[GherkinStep]) -> Scene:
    """Return the scene that steps tell.

    Raises:
        UnknownStep: as `tell`.
    """
    scene = Scene()
    for step in steps:
        tell(scene, step)
    return scene


def steps_of(scene: Scene) -> list[GherkinStep]:
    """Return the steps that tell a scene."""
    given, when, then = ([form for form in STEPS if form.kind == kind] for kind in KINDS)
    acts: Sequence[Act | None] = scene.acts or [None]
    found = [(form, values) for form in given for values in form.find(scene, None)]
    found += [(form, values) for act in acts for form in when for values in form.find(scene, act)]
    found += [(form, values) for form in then for values in form.find(scene, None)]
    return [form.write(values) for form, values in found]


def tiles(text: str) -> tuple[int, ...]:
    """Return the tiles of `21 to 23 36`, as `words.spans` writes them; none of `nothing`."""
    found: list[int] = []
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


Values = dict[str, Any]

_TILES = r"nothing|\d+(?: (?:to )?\d+)*"
# The places of a form: what may stand there, how it is read, and how it is written.
_PLACES: dict[str, tuple[str, Callable[[str], Any], Callable[[Any], str]]] = {
    "name": (r"\w+", str, str),
    "victim": (r"\w+", str, str),
    "names": (
        r"\w+(?:, \w+)* and \w+",
        lambda text: re.split(r", | and ", text),
        lambda names: f"{', '.join(names[:-1])} and {names[-1]}",
    ),
    "tile": (r"\d+", int, str),
    "number": (r"\d+", int, str),
    "tiles": (_TILES, tiles, spans),
    # Bottom to top: the order counts, so that no run is joined.
    "stack": (_TILES, tiles, lambda own: " ".join(map(str, own)) or NOTHING),
}


class StepForm(NamedTuple):
    """A form of steps.

    Attributes:
        kind: with which keyword its steps stand.
        text: their text, with places in braces.
        tell: adds to a scene what a step tells, given the values of its places, and its `rows`.
        find: the values of all steps of this form that a scene has; for a `when` those of an
            act, or of none where there are no turns.
        rows: whether a table of rolls stands below it.
    """

    kind: StepKind
    text: str
    tell: Callable[..., None]
    find: Callable[[Scene, Act | None], Iterator[Values]]
    rows: bool = False

    def matches(self, text: str) -> bool:
        """Whether the text of a step is of this form."""
        return _pattern(self.text).fullmatch(text) is not None

    def read(self, step: GherkinStep) -> Values | None:
        """Return the values of the places of a step; none if it is of another form."""
        found = _pattern(self.text).fullmatch(step.text)
        if found is None or bool(step.rows) is not self.rows:
            return None
        values = {name: _PLACES[name][1](text) for name, text in found.groupdict().items()}
        return values | ({"rows": step.rows} if self.rows else {})

    def write(self, values: Values) -> GherkinStep:
        """Return the step with these values in its places."""
        told = {name: _PLACES[name][2](one) for name, one in values.items() if name != "rows"}
        return GherkinStep(self.kind, self.text.format(**told), tuple(values.get("rows", ())))


@cache
def _pattern(text: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", text)
    return re.compile(
        "".join(
            f"(?P<{part}>{_PLACES[part][0]})" if place % 2 else re.escape(part)
            for place, part in enumerate(parts)
        )
    )


def _act(scene: Scene, name: str) -> Act:
    """Return the act of this player that is under way; a new one after another player's."""
    seat = scene.seat(name)
    if not scene.acts or scene.acts[-1].player != seat:
        scene.acts.append(Act(seat))
    return scene.acts[-1]


def _roll(scene: Scene, name: str, rows: Sequence[Sequence[str]]) -> None:
    heading, *rolled = rows
    if tuple(heading) != HEADING:
        raise UnknownStep(f"A table of rolls has the columns {', '.join(HEADING)}.")
    act = _act(scene, name)
    faces = [Decision(face, "roll") for _, face in rolled if face != NO_CHOICE]
    scene.acts[-1] = act._replace(
        rolls=(*act.rolls, *(dice.replace(" ", "") for dice, _ in rolled)),
        decisions=(*act.decisions, *faces),
    )


def _rolls(scene: Scene, act: Act | None) -> Iterator[Values]:
    if act is None:
        return
    faces = [one.keep or NO_CHOICE for one in act.decisions]
    faces += [NO_CHOICE] * (len(act.rolls) - len(faces))
    rolled = [(" ".join(roll), face) for roll, face in zip(act.rolls, faces, strict=False)]
    yield {"name": scene.names[act.player], "rows": (HEADING, *rolled)}


def _end(text: str, then: Literal["roll", "stop"], claim: type[Claim] | None = None) -> StepForm:
    """Return the form of a step that ends a turn, before a face is chosen or after it."""
    early = "before choosing" in text

    def tell(scene: Scene, name: str, tile: int = 0, victim: str = "") -> None:
        act = _act(scene, name)
        claimed: Claim | None = None
        if claim is Take:
            claimed = Take(tile)
        elif claim is Steal:
            claimed = Steal(scene.seat(victim))
        if early:
            decisions = (*act.decisions, Decision(None, then, claimed))
        elif act.last is None:
            raise UnknownStep(f"{name} has set nothing aside by then.")
        else:
            decisions = (*act.decisions[:-1], Decision(act.last.keep, then, claimed))
        scene.acts[-1] = act._replace(decisions=decisions, ended=True)

    def find(scene: Scene, act: Act | None) -> Iterator[Values]:
        last = act.last if act and act.ended else None
        if act is None or last is None or last.then != then or (last.keep is None) is not early:
            return
        if claim is None and last.claim is None:
            yield {"name": scene.names[act.player]}
        elif claim is Take and isinstance(last.claim, Take):
            yield {"name": scene.names[act.player], "tile": last.claim.tile}
        elif claim is Steal and isinstance(last.claim, Steal):
            yield {"name": scene.names[act.player], "victim": scene.names[last.claim.player]}

    return StepForm("when", text, tell, find)


def _look(text: str, part: str, value: object) -> StepForm:
    """Return the form of a step that looks at a part of the answer.

    `part` may have the place of a player or a tile; `value` is what must come, or the place at
    which it stands.
    """
    (place,) = re.findall(r"\{(\w+)\}", part) or [""]
    pattern = re.compile(re.sub(r"\\\{\w+\\\}", r"(\\d+)", re.escape(part)))

    def tell(scene: Scene, **values: Any) -> None:
        due = _seen(scene, str(value), values[str(value)]) if value in _PLACES else value
        number = _seen(scene, place, values[place]) if place else ""
        scene.looks[part.format(**{place: number})] = due

    def find(scene: Scene, _: Act | None) -> Iterator[Values]:
        for looked, due in scene.looks.items():
            found = pattern.fullmatch(looked)
            if found is None or not _can_be(value, due):
                continue
            values = {str(value): _named(scene, str(value), due)} if value in _PLACES else {}
            yield values | ({place: _named(scene, place, int(found[1]))} if place else {})

    return StepForm("then", text, tell, find)


def _seen(scene: Scene, place: str, value: Any) -> Any:
    """Return what stands at a place in the form of an answer."""
    match place:
        case "name":
            return scene.known(value)
        case "names":
            return sorted(map(scene.known, value))
        case "tiles" | "stack":
            return list(value)
    return value


def _named(scene: Scene, place: str, value: Any) -> Any:
    """Return a value of an answer as it stands at a place."""
    match place:
        case "name":
            return scene.names[value]
        case "names":
            return [scene.names[seat] for seat in value]
    return value


def _can_be(value: object, due: object) -> bool:
    """Whether a step whose value is this, or stands at this place, can tell what is due."""
    if value == "names":
        return isinstance(due, list) and len(due) > 1
    return value in _PLACES or value == due


def _nobody_owns(scene: Scene) -> None:
    scene.looks["stacks"] = [[] for _ in range(scene.players or len(scene.names))]


def _only_winner(scene: Scene, name: str) -> None:
    scene.looks["winners"] = [scene.known(name)]


STEPS: tuple[StepForm, ...] = (
    StepForm(
        "given",
        "the grill shows {tiles}",
        lambda scene, tiles: setattr(scene, "grill", tiles),
        lambda scene, _: iter([{"tiles": scene.grill}] if scene.grill is not None else []),
    ),
    StepForm(
        "given",
        "{name} owns {stack}",
        lambda scene, name, stack: scene.stacks.update({scene.seat(name): stack}),
        lambda scene, _: (
            {"name": scene.names[seat], "stack": own} for seat, own in scene.stacks.items()
        ),
    ),
    StepForm(
        "given",
        "the {tile} was just stolen from {name}",
        lambda scene, tile, name: scene.barred.update(
            {scene.seat(name): (*scene.barred.get(scene.seat(name), ()), tile)}
        ),
        lambda scene, _: (
            {"tile": tile, "name": scene.names[seat]}
            for seat, barred in scene.barred.items()
            for tile in barred
        ),
    ),
    StepForm("when", "{name} rolls", _roll, _rolls, rows=True),
    _end("{name} stops", "stop"),
    _end("{name} stops and takes {tile}", "stop", Take),
    _end("{name} stops and steals from {victim}", "stop", Steal),
    _end("{name} rolls on", "roll"),
    _end("{name} rolls on before choosing", "roll"),
    _end("{name} stops before choosing", "stop"),
    _end("{name} stops before choosing and takes {tile}", "stop", Take),
    StepForm(
        "when",
        "a game for {number} players is set up",
        lambda scene, number: setattr(scene, "players", number),
        lambda scene, _: iter([{"number": scene.players}] if scene.players is not None else []),
    ),
    StepForm(
        "when",
        "the worms are counted",
        lambda scene: setattr(scene, "counts", True),
        lambda scene, _: iter([{}] if scene.counts else []),
    ),
    _look("the grill shows {tiles}", "grill", "tiles"),
    _look("{name} owns {stack}", "stack.{name}", "stack"),
    StepForm(
        "then",
        "nobody owns a tile",
        _nobody_owns,
        lambda scene, _: iter([{}] if "stacks" in scene.looks else []),
    ),
    _look("the {tile} is face up", "face_up.{tile}", True),
    _look("the {tile} is face down", "face_down.{tile}", True),
    _look("it is {name}'s turn", "player", "name"),
    _look("the game is over", "over", True),
    _look("the game goes on", "over", False),
    _look("this is refused", ANSWER, REFUSAL),
    _look("{name} has {number} worms", "worms.{name}", "number"),
    StepForm(
        "then",
        "{name} wins",
        _only_winner,
        lambda scene, _: (
            {"name": scene.names[seats[0]]}
            for seats in [scene.looks.get("winners", [])]
            if len(seats) == 1
        ),
    ),
    _look("{names} win together", "winners", "names"),
)
