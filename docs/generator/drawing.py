"""A scenario drawn: the table before, the rolls, and what follows."""

from html import escape

from generator import pieces
from generator.labels import data_when, holds
from generator.languages import Language
from generator.places import link
from generator.referee import referee_address
from generator.scenarios import Act, Outcome, Play, Roll, Scenario


def draw(say: Language, scenario: Scenario, page: str, *, unfolded: bool) -> str:
    """Return a scenario as a block of HTML without blank lines, to be set into Markdown."""
    first, *others = scenario.plays
    body = [holds(say, scenario.needs, page), draw_play(say, first)]
    body.append(_links(say, scenario, first, page))
    if others:
        body.append(_others(say, others))
    if scenario.unsettled:
        body.insert(
            0, f'<p class="unsettled">{say("No source tells. This is how we settle it.")}</p>'
        )
    return (
        f'<details class="example" id="{scenario.anchor}"{data_when(scenario.needs)}'
        f"{' open' if unfolded else ''}>"
        f"<summary>{escape(say(scenario.title))}</summary>"
        f"{''.join(body)}</details>"
    )


def draw_play(say: Language, play: Play) -> str:
    """Return the drawing of one case."""
    parts = [_before(say, play), *(_act(say, act) for act in play.acts)]
    if play.players:
        told = say("A game for {players} is set up.", players=_players(say, play.players))
        parts.append(f'<p class="told">{told}</p>')
    if play.counts:
        parts.append(f'<p class="told">{say("The worms are counted.")}</p>')
    after = "".join(_outcome(say, play, outcome) for outcome in play.outcomes)
    parts.append(f'<div class="after">{after}</div>')
    return f'<div class="drawing" data-search-exclude>{"".join(parts)}</div>'


def _links(say: Language, scenario: Scenario, play: Play, page: str) -> str:
    here = link(page, f"rules/{scenario.chapter}/#{scenario.anchor}")
    links = [f'<a href="{here}">{say("Link to this")}</a>']
    address = referee_address(scenario, play)
    if address:
        asked = escape(link(page, address))
        links.insert(0, f'<a class="ask" href="{asked}">{say("Ask the referee")}</a>')
    return f'<p class="example-links" data-search-exclude>{" ".join(links)}</p>'


def _others(say: Language, plays: list[Play]) -> str:
    drawn = "".join(draw_play(say, play) for play in plays)
    heading = say("{number} more like it", number=len(plays))
    return f'<details class="more"><summary>{heading}</summary>{drawn}</details>'


def _before(say: Language, play: Play) -> str:
    parts = []
    if play.grill is not None:
        owned = [tile for own in play.stacks.values() for tile in own]
        parts.append(pieces.grill(say, play.grill, owned))
    if play.stacks:
        seats = "".join(pieces.seat(say, name, own) for name, own in play.stacks.items())
        parts.append(f'<div class="seats">{seats}</div>')
    for tile, name in play.stolen:
        shown = pieces.shown_tile(say, tile)
        told = say("{tile} was just stolen from {name}.", tile=shown, name=name)
        parts.append(f'<p class="told">{told}</p>')
    return f'<div class="before">{"".join(parts)}</div>' if parts else ""


def _act(say: Language, act: Act) -> str:
    rolls = "".join(_roll(say, roll, dead=not (roll.face or act.early)) for roll in act.rolls)
    return (
        f'<div class="act"><b>{act.player}</b><ol class="rolls">{rolls}</ol>'
        f"{_ending(say, act)}</div>"
    )


def _roll(say: Language, roll: Roll, *, dead: bool) -> str:
    shown = pieces.dice(say, roll.dice, roll.face, choosing=bool(roll.face) or dead)
    if dead:
        mark = f'<span class="dead">✕ {say("dead roll")}</span>'
    elif roll.face:
        mark = f'<span class="total" title="{say("total")}">{roll.total}</span>'
    else:
        mark = ""
    return f"<li>{shown}{mark}</li>"


def _ending(say: Language, act: Act) -> str:
    told = {
        "": "",
        "take": say("takes {tile}"),
        "steal": say("steals {tile} from {name}") if act.tile else say("steals from {name}"),
        "stop": say("stops"),
        "roll-on": say("rolls on"),
    }[act.ending]
    if not told:
        return ""
    tile = pieces.shown_tile(say, act.tile) if act.tile else ""
    return f'<p class="told ending">{told.format(tile=tile, name=act.victim)}</p>'


def _players(say: Language, number: int) -> str:
    return say("one player") if number == 1 else say("{number} players", number=number)


def _outcome(say: Language, play: Play, outcome: Outcome) -> str:
    names = _listed(say, outcome.names)
    match outcome.kind:
        case "grill":
            return _grill_after(say, play, outcome.tiles)
        case "owns":
            name = outcome.names[0]
            before = play.stacks.get(name, ())
            changed = [tile for tile in outcome.tiles if tile not in before]
            return pieces.seat(say, name, outcome.tiles, changed)
        case "face-up":
            return _told(pieces.shown_tile(say, outcome.tiles[0]) + say("is face up"))
        case "face-down":
            tile = pieces.shown_tile(say, outcome.tiles[0], face_down=True)
            return _told(tile + say("is face down"))
        case "nobody-owns":
            return _told(say("Nobody owns a tile."))
        case "next":
            return _told(say("{name} is next.", name=f"<b>{names}</b>"))
        case "over":
            return _told(say("The game is over."))
        case "goes-on":
            return _told(say("The game goes on."))
        case "refused":
            return _told(f'<span class="refused">{say("refused")}</span>')
        case "worms":
            worms = '<i class="worm"></i>'
            return _told(f"<b>{names}</b> {outcome.number} {worms}", say("worms"))
    told = say("{names} wins.") if len(outcome.names) == 1 else say("{names} win together.")
    return _told(told.format(names=f"<b>{names}</b>"))


def _told(html: str, hidden: str = "") -> str:
    spoken = f'<span class="spoken">{hidden}</span>' if hidden else ""
    return f'<p class="told">{html}{spoken}</p>'


def _grill_after(say: Language, play: Play, face_up: tuple[int, ...]) -> str:
    if play.grill is None:
        return pieces.grill(say, face_up)
    owned = {tile for own in play.stacks.values() for tile in own}
    was_down = set(play.face_down)
    came_back = owned & set(face_up)
    gone = set(play.grill) - set(face_up)
    taken = {act.tile for act in play.acts if act.ending in {"take", "steal"}}
    elsewhere = (owned - came_back) | (gone & taken)
    changed = came_back | gone
    assert not was_down & set(face_up), "no face-down tile is turned up again"
    return pieces.grill(say, face_up, elsewhere, changed)


def _listed(say: Language, names: tuple[str, ...]) -> str:
    if len(names) < 2:
        return "".join(names)
    return say("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])
