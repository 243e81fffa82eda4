"""Where the data of the specification lies, installed or in the repository."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


def spec_dir() -> Path:
    """Return the folder `spec/`.

    In a wheel it lies inside this package; in the repository, and so in an editable install,
    it is the repository's own folder.
    """
    packaged = Path(__file__).parent / "spec"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "spec"


@cache
def read_spec(name: str) -> dict[str, Any]:
    """Return the tables of `spec/NAME.toml`. The result is shared: don't change it."""
    with (spec_dir() / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)
