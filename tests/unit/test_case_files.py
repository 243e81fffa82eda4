"""Case files: a failure as a small file that is whole in itself."""

from pathlib import Path

import msgspec
import pytest

from pickomino_conformance.cases import Outcome, Verdict, exchange
from pickomino_conformance.protocol.translate import Start
from pickomino_conformance.report.replay import (
    CaseFile,
    Folder,
    UnreadableCase,
    file_name,
    find,
    read,
)
from pickomino_reference import Rulings, ruling_values

RULEBOOK = Rulings()
ASKED = (exchange(Start(2), None, RULEBOOK),)
FAILED = Outcome("games/1", "games", ("setup.tiles",), Verdict.FAIL, exchanges=ASKED)


def test_every_case_has_a_file_name_of_its_own() -> None:
    """Whatever its id, a file lies in the folder, is plain, and is nobody else's."""
    ids = [
        "failing/question-21", "failing_question-21", "failing question-21", "turns/1-1.2", "a/b",
        "a.b", "a_b", "../../etc/passwd", "..", ".hidden", "x" * 400, "x" * 401, "tile 36", "é/b",
        "\ud800", "a\nb", "",
    ]  # fmt: skip
    names = [file_name(one) for one in ids]
    assert len(set(names)) == len(ids)
    assert [name for name in names if Path(name).name != name or len(name) > 200] == []
    assert [name for name in names if not name.isascii() or name.startswith(".")] == []
    assert names[0] == "failing_question-21.json"


def test_a_case_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """What was there before stays if the file can't be written; no rest is left."""
    folder = Folder(tmp_path)
    folder.write(FAILED, "mine", "zoch-2005", RULEBOOK)
    (tmp_path / "games_2.json").mkdir()
    with pytest.raises(OSError, match="games_2"):
        folder.write(msgspec.structs.replace(FAILED, id="games/2"), "mine", "", RULEBOOK)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games_1.json", "games_2.json"]
    assert read(tmp_path / "games_1.json").exchanges == ASKED


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no case file"),
        ("{", "is no case file"),
        ("[]", "Expected `object`"),
        ("{}", "missing required field `id`"),
        ('{"id": 7}', "at `$.id`"),
        ('{"id": "a/b", "exchange": []}', "unknown field `exchange`"),
        ('{"id": "a/b", "edition": "zoch-205"}', "Did you mean 'zoch-2005'?"),
        ('{"id": "a/b", "rulings": {"steal-back": "bared"}}', "Did you mean 'barred'?"),
        ('{"id": "a/b", "exchanges": [{"method": "roll", "params": {}}]}', "request 1: there is"),
        ('{"id": "a/b", "exchanges": [{"method": "start", "params": {}}]}', "field `players`"),
        (
            '{"id": "a/b", "exchanges": [{"method": "turn", "params": {"table": {"grill": [37], '
            '"stacks": [[], []]}, "rolls": [], "decisions": []}}]}',
            "tile 37 is not in the box",
        ),
        (
            '{"id": "a/b", "exchanges": [{"method": "turn", "params": {"table": null, '
            '"rolls": [], "decisions": []}}]}',
            "without a table",
        ),
        ("[" * 100000, "is no case file"),
    ],
)
def test_a_bad_case_file_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    """The file, the place in it, what was expected and what came; never a traceback."""
    path = tmp_path / "case.json"
    path.write_text(text)
    with pytest.raises(UnreadableCase) as unreadable:
        read(path)
    assert str(path) in str(unreadable.value)
    assert told in str(unreadable.value)


def test_a_case_file_tells_all_that_is_needed_to_ask_again(tmp_path: Path) -> None:
    """Its rules, by which rulings it is judged, what was asked, and the case in words."""
    folder = Folder(tmp_path)
    folder.write(FAILED, "mine", "zoch-2005", RULEBOOK)
    folder.write(
        msgspec.structs.replace(FAILED, id="games/2", verdict=Verdict.PASS), "", "", RULEBOOK
    )
    (path,) = find(tmp_path)
    assert read(path) == CaseFile(
        id="games/1",
        level="games",
        rules=("setup.tiles",),
        edition="zoch-2005",
        rulings=ruling_values(RULEBOOK),
        engine="mine",
        verdict=Verdict.FAIL,
        message="A game for 2 players is set up.",
        exchanges=ASKED,
        gherkin=read(path).gherkin,
    )
    assert read(path).gherkin.startswith("@setup.tiles @case=games-1\n")


def test_a_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    """Its members are those of today."""
    path = tmp_path / "case.json"
    path.write_text(
        '{"id": "games/1", "level": "games", "rules": ["setup.tiles"], "edition": "zoch-2005", '
        '"rulings": {"steal-back": "allowed"}, "engine": "mine", "verdict": "fail", '
        '"message": "A game for 2 players is set up. Came: it refuses the turn (never).", '
        '"exchanges": [{"method": "start", "params": {"players": 2}, "answer": {"error": '
        '{"code": 1, "message": "never"}}, "goes_on": false}], "gherkin": ""}'
    )
    assert read(path).exchanges[0].answer == {"error": {"code": 1, "message": "never"}}
