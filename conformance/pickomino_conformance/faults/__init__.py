"""The catalogue of faults: what people get wrong, each in plain words and tied to its rules.

A departure is tried against it to tell which fault an engine has, and every fault of it can be
planted in the reference to make the wrong engines on which the suite itself is tested.
"""

import difflib

from pickomino_conformance.faults import ending, moves
from pickomino_conformance.faults.planting import (
    Change,
    Fault,
    FaultyEngine,
    planted,
    ruling_faults,
)
from pickomino_reference import Rulings, UnknownName, find_edition

CATALOGUE: tuple[Fault, ...] = (*moves.FAULTS, *ending.FAULTS)


def faults_against(rulings: Rulings) -> tuple[Fault, ...]:
    """Return every fault that an engine can have that is judged by these rulings.

    The other values of the rulings come first: where one of them says the same as a fault of
    the catalogue, it is the plainer explanation.
    """
    return (*ruling_faults(rulings), *CATALOGUE)


def find_fault(name: str, rulings: Rulings | None = None) -> Fault:
    """Return the fault of this name; by the rulings of the default edition if none are given.

    Raises:
        UnknownName: there is none; the text names the nearest.
    """
    judged = rulings or find_edition().rulings
    found = {fault.name: fault for fault in faults_against(judged)}
    if name not in found:
        near = difflib.get_close_matches(name, found, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise UnknownName(
            f"There is no fault {name!r}.{hint} "
            "python -m pickomino_conformance.faults lists them all."
        )
    return found[name]


__all__ = [
    "CATALOGUE",
    "Change",
    "Fault",
    "FaultyEngine",
    "faults_against",
    "find_fault",
    "planted",
]
