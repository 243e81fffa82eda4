"""The pages of the editions: a list, one page each, a comparison, house rules and cards."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from generator.cards import card_page
from generator.labels import edition_link
from generator.languages import Language
from generator.names import name_of
from generator.places import link
from generator.prose import rule_link
from generator.scenarios import read_scenarios
from pickomino_reference import DEFAULT_EDITION
from pickomino_reference.data import read_spec


def pages(say: Language) -> Iterator[tuple[str, str]]:
    """Yield every page about editions."""
    yield "editions/index.md", list_page(say)
    yield "editions/compare.md", compare_page(say)
    yield "editions/house-rules.md", house_rules_page(say)
    for name in read_spec("editions")["editions"]:
        yield f"editions/{name}.md", edition_page(say, name)
        yield f"cards/{name}.md", card_page(say, name)


def list_page(say: Language) -> str:
    """Return the page that lists the editions, boxes first, retellings folded away."""
    page = "editions/index.md"
    editions = read_spec("editions")["editions"]
    boxes = {name: one for name, one in editions.items() if one["kind"] != "retelling"}
    others = {name: one for name, one in editions.items() if name not in boxes}
    introduction = say(
        "Choose the box on your table, here or at the top of any page; "
        "all pages then show your rules."
    )
    return "\n\n".join(
        [
            f"# {say('Editions')}",
            introduction,
            f'<ul class="editions">{"".join(_entry(say, name, page) for name in boxes)}</ul>',
            _which(say, page),
            f'<details class="sources"><summary>{say("Sheets and retellings")}</summary>'
            f'<ul class="editions">{"".join(_entry(say, name, page) for name in others)}</ul>'
            "</details>",
            f'<p><a href="{link(page, "editions/compare/")}">{say("Compare two editions")}</a> · '
            f'<a href="{link(page, "editions/house-rules/")}">{say("House rules")}</a></p>',
            "",
        ]
    )


def edition_page(say: Language, name: str) -> str:
    """Return the page of an edition: where it departs from the default, and why."""
    page = f"editions/{name}.md"
    edition = read_spec("editions")["editions"][name]
    parts = [
        f"# {name_of(say, 'editions', name)}",
        f"{say.html(edition['title'])}. {say.html(edition['found'])}",
        _actions(say, name, page),
    ]
    if "note" in edition:
        note = say.html(edition["note"])
        parts.append(f'<p class="note"><b>{say("Note:")}</b> {note}</p>')
    default = read_spec("editions")["editions"][DEFAULT_EDITION]["rulings"]
    departures = [one for one in default if edition["rulings"][one] != default[one]]
    if name == DEFAULT_EDITION:
        parts.append(say("Every other edition is told by where it departs from this one."))
        parts += [_answer(say, ruling, edition["rulings"], page) for ruling in default]
    else:
        parts.append(_departs(say, len(departures), page))
        for ruling in departures:
            parts += _departure(say, ruling, edition, page)
        same = ", ".join(name_of(say, "rulings", one) for one in default if one not in departures)
        parts.append(f"{say('As there:')} {same}.")
    parts.append(f'<p class="ident">{say("Its name in the data:")} <code>{name}</code></p>')
    return "\n\n".join(parts) + "\n"


def compare_page(say: Language) -> str:
    """Return the page that compares any two; without script it is a table of them all."""
    page = "editions/compare.md"
    editions = read_spec("editions")["editions"]
    heads = "".join(
        f'<th scope="col" data-edition-column="{name}">{edition_link(say, name, page)}</th>'
        for name in editions
    )
    rows = []
    for ruling, told in read_spec("rulings").items():
        cells = "".join(
            f'<td data-edition-column="{name}" data-value="{edition["rulings"][ruling]}">'
            f"{say.html(told['alternatives'][edition['rulings'][ruling]])}</td>"
            for name, edition in editions.items()
        )
        address = link(page, f"rulings/#{ruling}")
        rows.append(
            f'<tr><th scope="row"><a href="{address}">{name_of(say, "rulings", ruling)}</a></th>'
            f"{cells}</tr>"
        )
    script = link(page, "javascripts/compare.js")
    return "\n\n".join(
        [
            f"# {say('Compare two editions')}",
            f'<form id="compare" class="compare" hidden '
            f'data-none="{escape(say("They play alike."))}" '
            f'data-one="{escape(say("They differ in one point."))}" '
            f'data-many="{escape(say("They differ in # points."))}">'
            f'<label>{say("One")} <select name="left"></select></label> '
            f'<label>{say("The other")} <select name="right"></select></label>'
            f'<p role="status"></p></form>',
            f'<div class="wide"><table id="comparison"><thead><tr><th>{say("Point")}</th>'
            f"{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>",
            f'<script src="{script}" defer></script>',
            "",
        ]
    )


def house_rules_page(say: Language) -> str:
    """Return the page of the house rules."""
    page = "editions/house-rules.md"
    introduction = say(
        "A house rule changes one point or more of any edition. "
        "Lay it over yours, and every page and the referee follow it."
    )
    parts = [f"# {say('House rules')}", introduction]
    for name, house in read_spec("editions")["house-rules"].items():
        parts += [
            f"## {name_of(say, 'house-rules', name)} {{: #{name} }}",
            f"{say.html(house['title'])}.",
        ]
        if "note" in house:
            parts.append(say.html(house["note"]))
        parts += [_answer(say, ruling, house["rulings"], page) for ruling in house["rulings"]]
        parts.append(
            f'<p><button type="button" class="md-button" data-house="{name}" hidden '
            f'data-on="{escape(say("Take it off again"))}">{say("Lay it over my edition")}</button>'
            f"</p>"
        )
    return "\n\n".join(parts) + "\n"


def _entry(say: Language, name: str, page: str) -> str:
    edition = read_spec("editions")["editions"][name]
    return (
        f'<li data-for-edition="{name}">{edition_link(say, name, page)}'
        f"<span>{say.html(edition['found'])}</span>{_choose(say, name)}</li>"
    )


def _which(say: Language, page: str) -> str:
    address = link(page, "which-edition/")
    return f'<p><a class="md-button" href="{address}">{say("Which edition is in my box?")}</a></p>'


def _choose(say: Language, name: str) -> str:
    return (
        f'<button type="button" class="md-button md-button--primary choose" hidden '
        f'data-choose="{name}" data-chosen="{escape(say("This is my edition"))}">'
        f"{say('Choose')}</button>"
    )


def _actions(say: Language, name: str, page: str) -> str:
    card = link(page, f"cards/{name}/")
    links = [f'<a class="md-button" href="{card}">{say("Its rules on one page, to print")}</a>']
    if name != DEFAULT_EDITION:
        address = link(page, f"editions/compare/?left={DEFAULT_EDITION}&amp;right={name}")
        links.append(f'<a class="md-button" href="{address}">{say("Compare")}</a>')
    return f'<p class="actions">{_choose(say, name)} {" ".join(links)}</p>'


def _departs(say: Language, number: int, page: str) -> str:
    default = edition_link(say, DEFAULT_EDITION, page)
    told = (
        say("It departs from {edition} in one point.")
        if number == 1
        else say("It departs from {edition} in {number} points.")
    )
    return told.format(edition=default, number=number)


def _departure(say: Language, ruling: str, edition: Mapping[str, Any], page: str) -> Iterator[str]:
    yield f"## {name_of(say, 'rulings', ruling)} {{: #{ruling} }}"
    told = read_spec("rulings")[ruling]
    value = edition["rulings"][ruling]
    default = read_spec("editions")["editions"][DEFAULT_EDITION]["rulings"][ruling]
    yield say.html(told["question"])
    yield (
        f'<dl class="departs"><dt>{say("Here")}</dt>'
        f"<dd>{say.html(told['alternatives'][value])}</dd>"
        f"<dt>{edition_link(say, DEFAULT_EDITION, page)}</dt>"
        f"<dd>{say.html(told['alternatives'][default])}</dd></dl>"
    )
    why = [note for rule in told["rules"] if (note := _note(rule, edition["source"]))]
    if why:
        notes = "; ".join(say.html(note) for note in dict.fromkeys(why))
        yield f"{say('In the source:')} {notes}."
    rules = ", ".join(rule_link(say, rule, page) for rule in told["rules"])
    yield f"{say('The rule:')} {rules}."
    found = [one for one in read_scenarios() if value in one.needs.get(ruling, ())]
    links = "".join(
        f'<li><a href="{link(page, f"rules/{one.chapter}/#{one.anchor}")}">'
        f"{say.html(one.title)}</a></li>"
        for one in found[:5]
    )
    yield f'<div class="examples-of">{say("Examples")}<ul>{links}</ul></div>'


def _answer(say: Language, ruling: str, rulings: Mapping[str, str], page: str) -> str:
    told = read_spec("rulings")[ruling]
    address = link(page, f"rulings/#{ruling}")
    return (
        f'<dl class="departs"><dt><a href="{address}">{name_of(say, "rulings", ruling)}</a></dt>'
        f"<dd>{say.html(told['alternatives'][rulings[ruling]])}</dd></dl>"
    )


def _note(rule: str, source: str) -> str:
    cell = read_spec("sources")["rules"].get(rule, {}).get(source, "")
    return "" if isinstance(cell, str) else cell.get("note", "")
