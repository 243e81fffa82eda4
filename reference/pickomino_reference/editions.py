"""Editions and house rules (`spec/editions.toml`): named values for every ruling."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum

from pickomino_reference.data import read_spec
from pickomino_reference.rulings import Rulings

DEFAULT_EDITION = "zoch-2005"
EDITIONS, HOUSE_RULES = read_spec("editions").values()

# The enum of each ruling, by its id.
ALTERNATIVES: Mapping[str, type[StrEnum]] = {
    field.name.replace("_", "-"): type(getattr(Rulings(), field.name)) for field in fields(Rulings)
}


class UnknownName(ValueError):
    """A name that the specification does not know; its text lists those that exist."""


class Contradiction(ValueError):
    """Two house rules, or two single values, that set one ruling."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A name (`zoch-2005+soft-landing`), its title, and the rulings it fixes."""

    name: str
    title: str
    rulings: Rulings


def unknown(what: str, name: str, known: Iterable[str]) -> UnknownName:
    """Return the error for `name`, with the names that exist and the nearest of them."""
    names = [str(one) for one in known]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return UnknownName(f"There is no {what} {name!r}.{hint} Known are: {', '.join(names)}.")


def edition_names() -> list[str]:
    """Return the ids of all editions, the default first."""
    return list(EDITIONS)


def house_rule_names() -> list[str]:
    """Return the ids of all house rules."""
    return list(HOUSE_RULES)


def check_value(ruling: str, value: str) -> StrEnum:
    """Return the enum member for a ruling's value; raise `UnknownName` if there is none."""
    if ruling not in ALTERNATIVES:
        raise unknown("ruling", ruling, ALTERNATIVES)
    if value not in set(ALTERNATIVES[ruling]):
        raise unknown(f"value of {ruling}", value, ALTERNATIVES[ruling])
    return ALTERNATIVES[ruling](value)


def read_rulings(texts: Iterable[str]) -> dict[str, str]:
    """Return single rulings given as `RULING=VALUE`, by ruling id.

    Raises:
        UnknownName: a text is not of that form, or names what does not exist.
        Contradiction: two texts set one ruling to different values.
    """
    found: dict[str, str] = {}
    for text in texts:
        ruling, equals, value = text.partition("=")
        if not equals:
            raise UnknownName(f"Expected RULING=VALUE, such as steal-back=barred, not {text!r}.")
        check_value(ruling, value)
        if found.setdefault(ruling, value) != value:
            raise Contradiction(f"{ruling} is set twice: {found[ruling]!r} and {value!r}.")
    return found


def make_rulings(values: Mapping[str, str], base: Rulings | None = None) -> Rulings:
    """Return `base` (else the rulebook's rulings) with these values; may raise `UnknownName`."""
    merged = ruling_values(base or Rulings()) | dict(values)
    checked = {name.replace("-", "_"): check_value(name, value) for name, value in merged.items()}
    return Rulings(**checked)  # type: ignore[arg-type]  # each enum belongs to its field


def ruling_values(rulings: Rulings) -> dict[str, str]:
    """Return every ruling's value by its id, as plain strings."""
    return {name: str(getattr(rulings, name.replace("-", "_"))) for name in ALTERNATIVES}


def find_edition(name: str = DEFAULT_EDITION, changes: Mapping[str, str] | None = None) -> Edition:
    """Return an edition by its name, with house rules laid over it (`EDITION+HOUSE+HOUSE`).

    `changes` are single values by ruling id; they override the edition and its house rules.

    Raises:
        UnknownName: no such edition, house rule, ruling or value.
        Contradiction: two house rules set one ruling, or one house rule stands twice.
    """
    base, *houses = name.split("+")
    if base not in EDITIONS:
        raise unknown("edition", base, EDITIONS)
    titles, values = [EDITIONS[base]["title"]], dict(EDITIONS[base]["rulings"])
    set_by: dict[str, str] = {}
    for house in houses:
        if house not in HOUSE_RULES:
            raise unknown("house rule", house, HOUSE_RULES)
        if houses.count(house) > 1:
            raise Contradiction(f"The house rule {house!r} is named twice; name it once.")
        for ruling, value in HOUSE_RULES[house]["rulings"].items():
            other = set_by.setdefault(ruling, house)
            if other != house and values[ruling] != value:
                raise Contradiction(
                    f"The house rules {other!r} and {house!r} both set {ruling}: "
                    f"{values[ruling]!r} and {value!r}. Choose one of them."
                )
            values[ruling] = value
        titles.append(HOUSE_RULES[house]["title"])
    changed = {
        ruling: value for ruling, value in (changes or {}).items() if values.get(ruling) != value
    }
    labels = [name, *(f"{ruling}={value}" for ruling, value in changed.items())]
    return Edition(" ".join(labels), "; ".join(titles), make_rulings(values | changed))
