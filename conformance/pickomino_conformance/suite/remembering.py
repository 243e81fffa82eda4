"""Remembers which definition a step has: half of the running time without it.

pytest-bdd looks through all fixtures of the session for the definition of each step of each
scenario. Ours stand in one `conftest.py`, so that one text has one definition, always.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest_bdd.scenario

_HERE = Path(__file__).parent
# The package has a function of the same name as this module.
_MODULE: Any = sys.modules[pytest_bdd.scenario.__module__]
_SEARCH = _MODULE.find_fixturedefs_for_step
_found: dict[tuple[str, str], list[Any]] = {}


def remember_steps() -> None:
    """Let pytest-bdd search once for each text of a step in our own suite."""
    _MODULE.find_fixturedefs_for_step = _remembered


def _remembered(step: Any, fixturemanager: Any, node: Any) -> Iterable[Any]:
    if node.path.parent != _HERE:
        return list(_SEARCH(step, fixturemanager, node))
    key = (step.type, step.name)
    if key not in _found:
        _found[key] = list(_SEARCH(step, fixturemanager, node))
    return _found[key]
