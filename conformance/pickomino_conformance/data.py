"""Where the features lie, installed or in the repository."""

from pathlib import Path


def features_dir() -> Path:
    """Return the folder `features/`.

    In a wheel it lies inside this package; in the repository, and so in an editable install,
    it is the repository's own folder.
    """
    packaged = Path(__file__).parent / "features"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "features"
