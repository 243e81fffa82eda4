"""Editions, rulings and moves as text, for the command line."""

from collections.abc import Sequence

from pickomino_reference import (
    DEFAULT_EDITION,
    Edition,
    Move,
    Roll,
    SetAside,
    Steal,
    Take,
    ruling_values,
)
from pickomino_reference.data import read_spec


def list_editions() -> str:
    """Return all editions and house rules, a line each."""
    spec = read_spec("editions")
    lines = ["Editions (the first is the default)", ""]
    rows = [
        (name, one["kind"], one["language"], one["title"]) for name, one in spec["editions"].items()
    ]
    lines += _aligned(rows)
    lines += ["", "House rules, laid over an edition as EDITION+HOUSE", ""]
    lines += _aligned([(name, one["title"]) for name, one in spec["house-rules"].items()])
    return "\n".join(lines)


def show_edition(edition: Edition) -> str:
    """Return every ruling of an edition with the value that it fixes, in words."""
    spec, words = read_spec("editions")["editions"], read_spec("rulings")
    base = spec[edition.name.split("+")[0].split(" ")[0]]
    lines = [f"{edition.name}: {edition.title}"]
    lines += [f"{base['kind']}, language {base['language']}. {base['found']}"]
    lines += [base["note"]] if "note" in base else []
    for ruling, value in ruling_values(edition.rulings).items():
        told = words[ruling]
        lines += ["", f"{ruling} = {value}", f"  {told['question']}"]
        lines += [f"  {told['alternatives'][value]}"]
    return "\n".join(lines)


def show_house_rule(name: str) -> str:
    """Return what a house rule changes, in words, and how it is laid over an edition."""
    house, words = read_spec("editions")["house-rules"][name], read_spec("rulings")
    lines = [f"{name}: {house['title']}"]
    lines += [f"A house rule, laid over an edition: {DEFAULT_EDITION}+{name}"]
    for ruling, value in house["rulings"].items():
        told = words[ruling]
        lines += ["", f"{ruling} = {value}", f"  {told['question']}"]
        lines += [f"  {told['alternatives'][value]}"]
    return "\n".join(lines)


def compare_editions(one: Edition, other: Edition) -> str:
    """Return the rulings in which two editions differ, in words."""
    words = read_spec("rulings")
    values, others = ruling_values(one.rulings), ruling_values(other.rulings)
    lines = [f"{one.name} and {other.name}"]
    differing = [ruling for ruling in values if values[ruling] != others[ruling]]
    for ruling in differing:
        told = words[ruling]
        rows = [
            (f"  {name}", value, told["alternatives"][value])
            for name, value in ((one.name, values[ruling]), (other.name, others[ruling]))
        ]
        lines += ["", f"{ruling}: {told['question']}", *_aligned(rows)]
        lines += [f"  rules: {', '.join(told['rules'])}"]
    same = len(values) - len(differing)
    number = "1 ruling" if len(differing) == 1 else f"{len(differing)} rulings"
    lines += ["", f"They differ in {number} and agree in {same}."]
    return "\n".join(lines)


def move(one: Move) -> str:
    """Return a move as one word: `roll:1123WWW5`, `keep:W`, `take:25`, `steal:1`, `stop`."""
    match one:
        case Roll(dice):
            return f"roll:{dice}"
        case SetAside(face):
            return f"keep:{face}"
        case Take(tile):
            return f"take:{tile}"
        case Steal(player):
            return f"steal:{player}"
        case _:
            return "stop"


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
