"""The specification is told in words of its own: no run of eight words is taken from a sheet."""

import os
import shutil
import subprocess
from pathlib import Path

from sheet_runs import HASHES, hashed, read_hashes, runs

ROOT = Path(__file__).parents[2]
# What is no part of the project, where git does not tell.
MADE = {"build", "dist", "site"}
MADE_ANYWHERE = {"node_modules", "__pycache__"}


def files(root: Path) -> list[Path]:
    """Return the files of the project: those that git knows or would take, else all."""
    if (root / ".git").exists() and (git := shutil.which("git")):
        listed = subprocess.run(
            [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root,
            capture_output=True,
            check=True,
        )
        paths = [root / os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
        # One that was just removed is still listed.
        return [path for path in paths if path.is_file()]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name == ".ci" or name[0] != "."]
        made = MADE | MADE_ANYWHERE if Path(folder) == root else MADE_ANYWHERE
        folders[:] = [name for name in folders if name not in made]
        found += [Path(folder, name) for name in names]
    return found


def borrowed(paths: list[Path], hashes: frozenset[str]) -> list[tuple[str, str]]:
    """Return the files, and the runs of words in them whose hash is among these."""
    found = []
    for path in paths:
        data = path.read_bytes()
        if b"\0" in data:
            continue
        text = data.decode("utf-8", errors="replace")
        found += [(path.name, run) for run in runs(text) if hashed(run) in hashes]
    return found


def test_no_run_of_eight_words_stands_in_a_sheet():
    """Whatever the sheets say is said here in other words."""
    assert borrowed(files(ROOT), read_hashes()) == []


def test_the_hashes_are_those_of_whole_sheets():
    """There are hashes, sorted and without repetition."""
    lines = HASHES.read_text(encoding="ascii").splitlines()
    assert lines == sorted(set(lines))
    assert len(lines) > 3000


def test_a_borrowed_run_is_found(tmp_path):
    """Eight words of a sheet are found in any file, however they are set."""
    sheet = "Whoever owns the fattest worm buys a round of lemonade for all."
    (tmp_path / "own.md").write_text("Whoever owns the fattest worm pays a round of lemonade.")
    (tmp_path / "code.py").write_text("# Owns the  FATTEST worm,\n# buys a round: of lemonade!\n")
    (tmp_path / "picture.png").write_bytes(b"\0" + sheet.encode())
    hashes = frozenset(map(hashed, runs(sheet)))
    assert borrowed(sorted(files(tmp_path)), hashes) == [
        ("code.py", "owns the fattest worm buys a round of"),
        ("code.py", "the fattest worm buys a round of lemonade"),
    ]


def test_a_row_of_numbers_is_nobodys_wording():
    """A list of tiles, or one with two words in eight, is no run of words."""
    assert list(runs("21 22 23 24 25 tiles and 26 27 28 29 and worms")) == []


def test_six_words_and_two_numbers_are_a_run():
    """With at most two numbers in eight words it is somebody's wording."""
    assert list(runs("Tiles 21 to 24 have one worm each")) == ["tiles 21 to 24 have one worm each"]


def test_a_tree_without_git_is_looked_through_as_a_whole(tmp_path):
    """Without git every file counts but those that are made."""
    for name in ("spec/rules/setup.md", "README.md", ".ci/run", ".venv/lib.py", "build/lib.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("worm")
    found = {path.relative_to(tmp_path).as_posix() for path in files(tmp_path)}
    assert found == {"spec/rules/setup.md", "README.md", ".ci/run"}
