"""The runs of eight words of the rules sheets, of which the repository holds the hashes only.

`python tests/sheet_runs.py FOLDER` reads the sheets (`FOLDER/*.txt`) and writes the hashes to
`sheet_runs.txt` beside this file, sorted, one a line.
"""

import re
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

HASHES = Path(__file__).with_suffix(".txt")
LENGTH = 8
# A run such as a list of tiles is nobody's wording.
FEWEST_NOT_NUMBERS = 6

_WORD = re.compile(r"[a-zà-ÿ0-9]+")


def runs(text: str) -> Iterator[str]:
    """Yield every run of eight words that is not mostly numbers, a space between two words."""
    words = _WORD.findall(text.lower())
    for start in range(len(words) - LENGTH + 1):
        run = words[start : start + LENGTH]
        if sum(not word.isdecimal() for word in run) >= FEWEST_NOT_NUMBERS:
            yield " ".join(run)


def hashed(run: str) -> str:
    """Return the hash of a run, 16 hexadecimal digits."""
    return blake2b(run.encode(), digest_size=8).hexdigest()


def read_hashes(path: Path = HASHES) -> frozenset[str]:
    """Return the hashes of a file, one a line."""
    return frozenset(path.read_text(encoding="ascii").split())


def main(folder: Path) -> None:
    """Write the hashes of the sheets in a folder."""
    sheets = sorted(folder.glob("*.txt"))
    if not sheets:
        sys.exit(f"There are no sheets *.txt in {folder}.")
    texts = [path.read_text(encoding="utf-8") for path in sheets]
    found = sorted({hashed(run) for text in texts for run in runs(text)})
    HASHES.write_text("".join(f"{one}\n" for one in found), encoding="ascii")
    print(f"{len(found)} runs of {len(sheets)} sheets in {HASHES}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/sheet_runs.py FOLDER")
    main(Path(sys.argv[1]))
