"""Plain parametrized tests: what pytest itself costs."""

import pytest


@pytest.mark.parametrize("number", range(2000))
def test_a_number_is_small(number: int) -> None:
    """Each of these numbers is small."""
    assert number < 2000
