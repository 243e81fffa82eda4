"""Where the data of the specification lies, installed or in the repository."""

import tomllib
from pathlib import Path
from typing import Any


def spec_dir() -> Path:
    """Return the folder `spec/`: in a wheel inside this package, else the repository's own."""
    packaged = Path(__file__).parent / "spec"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "spec"


def read_spec(name: str) -> dict[str, Any]:
    """Return the tables of `spec/NAME.toml`."""
    return tomllib.loads((spec_dir() / f"{name}.toml").read_text("utf-8"))
