"""Case files: a failure as a small JSON file, which `pickomino replay` asks again."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from pickomino_conformance.by_reference import read_params
from pickomino_conformance.cases import Exchange, Outcome, Verdict
from pickomino_conformance.scenarios import Untold, scenario
from pickomino_conformance.whole_files import require_writable, write_whole
from pickomino_reference import DEFAULT_EDITION, Rulings, find_edition, make_rulings, ruling_values
from pickomino_reference.editions import Contradiction, UnknownName

SUFFIX = ".json"
WRITTEN = (Verdict.FAIL, Verdict.ERROR)
LONGEST_STEM = 120

_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9./-]*")
_ODD = re.compile(r"[^A-Za-z0-9.-]+")


class Unreadable(Exception):
    """A file is no case file; the text says what was expected, and where."""


class CaseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case, whole in itself.

    Attributes:
        id: the case.
        level: the level that asked it.
        rules: the ids of the rules it belongs to.
        edition: what the engine was judged by, house rules and all.
        rulings: the value of every ruling, by its id; those of the edition where it has none.
        engine: the engine that departed, by its own name.
        verdict: what came of it.
        message: the case as a sentence, what was expected and what came.
        exchanges: what was asked, and what came. Without them the case is asked by its id.
        gherkin: the case as a scenario; empty if there are no steps for it.
    """

    id: str
    level: str = ""
    rules: tuple[str, ...] = ()
    edition: str = DEFAULT_EDITION
    rulings: dict[str, str] = {}
    engine: str = ""
    verdict: Verdict | None = None
    message: str = ""
    exchanges: tuple[Exchange, ...] = ()
    gherkin: str = ""

    def judged_by(self) -> Rulings:
        """Return the rulings that the case is judged by.

        Raises:
            UnknownName, Contradiction: there is no such edition, ruling or value.
        """
        name, *changes = self.edition.split()
        changed = dict(change.split("=", 1) for change in changes if "=" in change)
        return make_rulings(self.rulings, find_edition(name, changed).rulings)


class Folder:
    """A folder of case files; other files in it are left alone.

    Raises:
        OSError: it can't be made or written to.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        require_writable(path / ("case" + SUFFIX))

    def write(self, outcome: Outcome, engine: str, edition: str, rulings: Rulings) -> None:
        """Write a case that failed; of any other verdict, do nothing."""
        if outcome.verdict not in WRITTEN or not outcome.id:
            return
        try:
            gherkin = scenario(outcome, rulings)
        except Untold:
            gherkin = ""
        case = CaseFile(
            id=outcome.id,
            level=outcome.level,
            rules=outcome.rules,
            edition=edition,
            rulings=ruling_values(rulings),
            engine=engine,
            verdict=outcome.verdict,
            message=outcome.message,
            exchanges=outcome.exchanges,
            gherkin=gherkin,
        )
        told = msgspec.json.format(msgspec.json.encode(case), indent=2)
        write_whole(self.path / file_name(outcome.id), told.decode() + "\n")


def file_name(case: str) -> str:
    """Return the name of a case's file: safe everywhere, and another one for another case."""
    stem = _ODD.sub("_", case)
    if not _PLAIN_ID.fullmatch(case) or len(stem) > LONGEST_STEM:
        mark = hashlib.sha256(case.encode(errors="backslashreplace")).hexdigest()[:12]
        stem = f"{stem[:LONGEST_STEM].lstrip('.')}-{mark}"
    return stem + SUFFIX


def find(path: Path) -> Iterator[Path]:
    """Yield the case files that a path names: itself, or all that lie in the folder.

    Raises:
        Unreadable: there is none.
    """
    if not path.is_dir():
        yield path
        return
    found = sorted(path.glob("*" + SUFFIX))
    if not found:
        raise Unreadable(f"{path}: there is no case file (*{SUFFIX}) in this folder.")
    yield from found


def read(path: Path) -> CaseFile:
    """Return the case of a file.

    Raises:
        Unreadable: there is no such file, or it is no case file.
    """
    try:
        case = msgspec.json.decode(path.read_bytes(), type=CaseFile)
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}. Expected a case file.") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise Unreadable(f"{path} is no case file: {error}.") from None
    try:
        case.judged_by()
    except (UnknownName, Contradiction) as error:
        raise Unreadable(f"{path}: {error}") from None
    for number, exchange in enumerate(case.exchanges):
        try:
            read_params(exchange)
        except msgspec.ValidationError as error:
            raise Unreadable(f"{path}, request {number + 1}: {error}.") from None
    return case
