"""Where a text holds: what its element tells the script, and the words beside it."""

from collections.abc import Iterable, Mapping
from html import escape

from generator.languages import Language
from generator.names import name_of
from generator.places import link
from pickomino_reference.data import read_spec

Needs = Mapping[str, Iterable[str]]


def read_needs(text: str) -> dict[str, tuple[str, ...]]:
    """Return the values that `lower-tile=any lower-tile=any-if-exact-gone` asks for, by ruling.

    Raises:
        ValueError: a ruling or a value does not exist.
    """
    needs: dict[str, tuple[str, ...]] = {}
    for one in text.split():
        ruling, _, value = one.partition("=")
        if value not in read_spec("rulings").get(ruling, {}).get("alternatives", {}):
            raise ValueError(f"{one!r} is no value of a ruling; expected RULING=VALUE.")
        needs[ruling] = (*needs.get(ruling, ()), value)
    return needs


def data_when(needs: Needs) -> str:
    """Return the attribute by which the script knows where an element holds, or nothing."""
    if not needs:
        return ""
    told = " ".join(f"{ruling}={value}" for ruling, values in needs.items() for value in values)
    return f' data-when="{escape(told)}"'


def fits(rulings: Mapping[str, str], needs: Needs) -> bool:
    """Whether these rulings are among what is needed."""
    return all(rulings[ruling] in set(values) for ruling, values in needs.items())


def editions_that_fit(needs: Needs) -> list[str]:
    """Return the ids of the editions in which a text holds."""
    editions = read_spec("editions")["editions"]
    return [name for name, edition in editions.items() if fits(edition["rulings"], needs)]


def house_rules_that_fit(needs: Needs) -> list[str]:
    """Return the house rules that bring about what is needed, and are needed for it."""
    houses = read_spec("editions")["house-rules"]
    return [
        name
        for name, house in houses.items()
        if all(house["rulings"].get(ruling) in set(values) for ruling, values in needs.items())
    ]


def holds(say: Language, needs: Needs, page: str) -> str:
    """Return a line that names the editions in which something holds; nothing if in all.

    Boxes are named; sheets and retellings are folded away behind their number.
    """
    if not needs:
        return ""
    editions = read_spec("editions")["editions"]
    found = editions_that_fit(needs)
    boxes = [name for name in found if editions[name]["kind"] != "retelling"]
    others = [name for name in found if name not in boxes]
    parts = [f"<b>{say('Holds in')}</b>"]
    if len(found) == len(editions):
        parts.append(f"<span>{say('all editions')}</span>")
    else:
        parts += [edition_link(say, name, page) for name in boxes]
        parts += [_folded(say, others, page)] if others else []
    if not boxes:
        houses = [name_of(say, "house-rules", name) for name in house_rules_that_fit(needs)]
        if houses:
            parts.append(f"<span>{say('house rule: {names}', names=', '.join(houses))}</span>")
    return f'<div class="holds">{"".join(parts)}</div>'


def _folded(say: Language, names: list[str], page: str) -> str:
    links = "".join(edition_link(say, name, page) for name in names)
    told = (
        say("one retelling") if len(names) == 1 else say("{number} retellings", number=len(names))
    )
    return f"<details><summary>{told}</summary>{links}</details>"


def only_by_house_rule(needs: Needs) -> bool:
    """Whether no edition has it so, only a house rule."""
    return not editions_that_fit(needs)


def edition_link(say: Language, name: str, page: str) -> str:
    """Return a link to the page of an edition, with its short name."""
    title = escape(name_of(say, "editions", name))
    return f'<a href="{link(page, f"editions/{name}/")}">{title}</a>'
