"""A scenario drawn: the table before, the rolls, and what follows."""

from collections.abc import Collection
from html import escape
from typing import Any

from generator import pieces
from generator.facts import PlayedAct, played
from generator.labels import data_when, holds
from generator.languages import Language
from generator.places import link
from generator.referee import referee_address
from generator.scenarios import Scenario
from pickomino_conformance.cases.scene import Act, Scene
from pickomino_conformance.compare import ANSWER
from pickomino_reference import BASE, Rulings, Steal, Take, claiming


def draw(say: Language, scenario: Scenario, page: str, *, unfolded: bool) -> str:
    """Return a scenario as a block of HTML without blank lines, to be set into Markdown."""
    first, *others = scenario.plays
    rulings = scenario.rulings
    body = [holds(say, scenario.needs, page), draw_play(say, first, rulings)]
    body.append(_links(say, scenario, first, page))
    if others:
        body.append(_others(say, others, rulings))
    if scenario.case.unsettled:
        body.insert(
            0, f'<p class="unsettled">{say("No source tells. This is how we settle it.")}</p>'
        )
    return (
        f'<details class="example" id="{scenario.anchor}"{data_when(scenario.needs)}'
        f"{' open' if unfolded else ''}>"
        f"<summary>{escape(say(scenario.title))}</summary>"
        f"{''.join(body)}</details>"
    )


def draw_play(say: Language, scene: Scene, rulings: Rulings) -> str:
    """Return the drawing of one case, which holds under these rulings."""
    turns = list(played(scene, rulings))
    acts = zip(scene.acts, turns, strict=True)
    parts = [_before(say, scene), *(_act(say, scene, act, turn) for act, turn in acts)]
    if scene.players is not None:
        told = say("A game for {players} is set up.", players=_players(say, scene.players))
        parts.append(f'<p class="told">{told}</p>')
    if scene.counts:
        parts.append(f'<p class="told">{say("The worms are counted.")}</p>')
    claimed = {_claimed(turn) for turn in turns}
    after = "".join(_after(say, scene, part, due, claimed) for part, due in scene.looks.items())
    parts.append(f'<div class="after">{after}</div>')
    return f'<div class="drawing" data-search-exclude>{"".join(parts)}</div>'


def _links(say: Language, scenario: Scenario, scene: Scene, page: str) -> str:
    here = link(page, f"rules/{scenario.chapter}/#{scenario.anchor}")
    links = [f'<a href="{here}">{say("Link to this")}</a>']
    address = referee_address(scenario, scene)
    if address:
        asked = escape(link(page, address))
        links.insert(0, f'<a class="ask" href="{asked}">{say("Ask the referee")}</a>')
    return f'<p class="example-links" data-search-exclude>{" ".join(links)}</p>'


def _others(say: Language, scenes: list[Scene], rulings: Rulings) -> str:
    drawn = "".join(draw_play(say, scene, rulings) for scene in scenes)
    heading = say("{number} more like it", number=len(scenes))
    return f'<details class="more"><summary>{heading}</summary>{drawn}</details>'


def _before(say: Language, scene: Scene) -> str:
    parts = []
    if scene.grill is not None:
        owned = [tile for own in scene.stacks.values() for tile in own]
        parts.append(pieces.grill(say, scene.grill, owned))
    if scene.stacks:
        owners = scene.stacks.items()
        seats = "".join(pieces.seat(say, scene.names[seat], own) for seat, own in owners)
        parts.append(f'<div class="seats">{seats}</div>')
    for seat, barred in scene.barred.items():
        for tile in barred:
            shown = pieces.shown_tile(say, tile)
            told = say("{tile} was just stolen from {name}.", tile=shown, name=scene.names[seat])
            parts.append(f'<p class="told">{told}</p>')
    return f'<div class="before">{"".join(parts)}</div>' if parts else ""


def _act(say: Language, scene: Scene, act: Act, turn: PlayedAct) -> str:
    rolls = "".join(_roll(say, act, turn, place) for place in range(len(act.rolls)))
    return (
        f'<div class="act"><b>{scene.names[act.player]}</b><ol class="rolls">{rolls}</ol>'
        f"{_ending(say, scene, act, turn)}</div>"
    )


def _roll(say: Language, act: Act, turn: PlayedAct, place: int) -> str:
    """Return a roll, the face set aside from it, and the total of all dice set aside by then."""
    roll = act.rolls[place]
    dead = place >= len(act.decisions)
    face = "" if dead else act.decisions[place].keep or ""
    shown = pieces.dice(say, roll, face, choosing=bool(face) or dead)
    mark = ""
    if dead:
        mark = f'<span class="dead">✕ {say("dead roll")}</span>'
    elif face:
        kept = turn.script._replace(rolls=act.rolls[: place + 1]).set_aside
        total = claiming.total(kept, BASE)
        mark = f'<span class="total" title="{say("total")}">{total}</span>'
    return f"<li>{shown}{mark}</li>"


def _ending(say: Language, scene: Scene, act: Act, turn: PlayedAct) -> str:
    if not act.ended or act.last is None:
        return ""
    number = _claimed(turn)
    tile, name = (pieces.shown_tile(say, number) if number else ""), ""
    match act.last.claim:
        case Take():
            told = say("takes {tile}")
        case Steal(victim):
            told = say("steals {tile} from {name}") if number else say("steals from {name}")
            name = scene.names[victim]
        case None:
            told = say("stops") if act.last.then == "stop" else say("rolls on")
    return f'<p class="told ending">{told.format(tile=tile, name=name)}</p>'


def _claimed(turn: PlayedAct) -> int | None:
    """Return the tile that a turn claims; none if there is none to be had."""
    claim = turn.script.decisions[-1].claim if turn.script.decisions else None
    match claim:
        case Take(tile):
            return tile
        case Steal(victim) if turn.script.table.stacks[victim]:
            return turn.script.table.stacks[victim][-1]
    return None


def _players(say: Language, number: int) -> str:
    return say("one player") if number == 1 else say("{number} players", number=number)


def _after(
    say: Language, scene: Scene, part: str, due: Any, claimed: Collection[int | None]
) -> str:
    """Return what is looked at, a part of the answer."""
    first, _, number = part.partition(".")
    match first:
        case "grill":
            return _grill_after(say, scene, due, claimed)
        case "stack":
            seat = int(number)
            before = scene.stacks.get(seat, ())
            return pieces.seat(
                say, scene.names[seat], due, [one for one in due if one not in before]
            )
        case "face_up":
            return _told(pieces.shown_tile(say, int(number)) + say("is face up"))
        case "face_down":
            return _told(pieces.shown_tile(say, int(number), face_down=True) + say("is face down"))
        case "stacks":
            return _told(say("Nobody owns a tile."))
        case "player":
            return _told(say("{name} is next.", name=f"<b>{scene.names[due]}</b>"))
        case "over":
            return _told(say("The game is over.") if due else say("The game goes on."))
        case "worms":
            worms = '<i class="worm"></i>'
            return _told(f"<b>{scene.names[int(number)]}</b> {due} {worms}", say("worms"))
        case "winners":
            names = _listed(say, [scene.names[seat] for seat in due])
            told = say("{names} wins.") if len(due) == 1 else say("{names} win together.")
            return _told(told.format(names=f"<b>{names}</b>"))
    assert part == ANSWER
    return _told(f'<span class="refused">{say("refused")}</span>')


def _told(html: str, hidden: str = "") -> str:
    spoken = f'<span class="spoken">{hidden}</span>' if hidden else ""
    return f'<p class="told">{html}{spoken}</p>'


def _grill_after(
    say: Language, scene: Scene, face_up: list[int], claimed: Collection[int | None]
) -> str:
    if scene.grill is None:
        return pieces.grill(say, face_up)
    owned = {tile for own in scene.stacks.values() for tile in own}
    came_back = owned & set(face_up)
    gone = set(scene.grill) - set(face_up)
    elsewhere = (owned - came_back) | gone.intersection(claimed)
    assert not set(scene.table.face_down) & set(face_up), "no face-down tile is turned up again"
    return pieces.grill(say, face_up, elsewhere, came_back | gone)


def _listed(say: Language, names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return say("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])
