"""Remembers which definition a step has: more than half of the running time without it.

For each step of each scenario pytest-bdd looks through all fixtures of the session for the
definition, and makes a fixture of it. Ours stand in one `conftest.py`, so that one text has one
definition, always.
"""

import sys
from pathlib import Path
from typing import Any

import pytest_bdd.scenario

_HERE = Path(__file__).parent
# The package has a function of the same name as this module.
_MODULE: Any = sys.modules[pytest_bdd.scenario.__module__]
_SEARCH = _MODULE.get_step_function
_found: dict[tuple[str, str], Any] = {}


def remember_steps() -> None:
    """Let pytest-bdd search once for each text of a step in our own suite."""
    _MODULE.get_step_function = _remembered


def _remembered(request: Any, step: Any) -> Any:
    if request.node.path.parent != _HERE:
        return _SEARCH(request, step)
    key = (step.type, step.name)
    definition = _found.get(key)
    if definition is None:
        definition = _found[key] = _SEARCH(request, step)
    return definition
