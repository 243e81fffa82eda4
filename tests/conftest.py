"""Each test bears the marker of its room: `process`, `exhaustive` or `site`; `unit` has none."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOMS = ("process", "exhaustive", "site")


def pytest_collection_modifyitems(items):
    """Mark the tests of each room."""
    for item in items:
        room = item.path.relative_to(HERE).parts[0] if item.path.is_relative_to(HERE) else ""
        if room in ROOMS:
            item.add_marker(getattr(pytest.mark, room))
