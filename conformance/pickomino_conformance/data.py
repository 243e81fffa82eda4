"""Where the features and the bundled engines lie, installed or in the repository."""

from pathlib import Path


def data_dir(name: str) -> Path:
    """Return a data folder, such as `features`.

    In a wheel it lies inside this package; in the repository, and so in an editable install,
    it is the repository's own folder.
    """
    packaged = Path(__file__).parent / name
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / name
