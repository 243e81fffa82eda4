"""Reports of real checks, and what `check` and `replay` do with files."""

import contextlib
import json
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from pickomino_conformance.cases import Verdict
from pickomino_conformance.check import Plan, run
from pickomino_conformance.cli import app
from pickomino_conformance.protocol.conversation import Unusable
from pickomino_conformance.protocol.finding import find, of_command
from pickomino_conformance.report import model, phrases
from pickomino_reference import find_edition

TESTS = Path(__file__).parents[1]
BAD = TESTS / "bad_engines"
SERVE = [sys.executable, "-m", "pickomino_conformance", "serve"]
SERVE_SHEET_001 = [*SERVE, "--edition", "sheet-001"]
SCHEMA = json.loads((TESTS.parent / "spec" / "report.schema.json").read_text())
ALL_KINDS = {"case", "level", "breakdown"}
FLIP = "failing.flip-highest"


@pytest.mark.parametrize(
    ("engine", "verdict", "kinds"),
    [
        (SERVE_SHEET_001, "fail", {"case", "level"}),
        (
            [sys.executable, str(BAD / "crashes_at_a_steal.py")],
            "error",
            {"case", "level", "breakdown"},
        ),
        ([sys.executable, str(BAD / "steers_the_terminal.py")], "fail", ALL_KINDS),
        ([sys.executable, str(BAD / "leaves_at_once.py")], "error", set()),
    ],
    ids=["departs", "crashes", "says odd things", "is unusable"],
)
def test_every_line_of_a_report_is_as_its_schema_has_it(
    tmp_path: Path, engine: list[str], verdict: str, kinds: set[str]
) -> None:
    """The header first, the footer last, nothing that the schema does not describe."""
    path = tmp_path / "report.jsonl"
    plan = Plan(of_command(engine), find_edition(), levels=("features",), report=path)
    with contextlib.suppress(Unusable):
        run(plan)
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    validator = Draft202012Validator(SCHEMA)
    assert [(line, error) for line in lines for error in validator.iter_errors(line)] == []
    for line in lines:
        assert line.keys() <= SCHEMA["$defs"][line["type"]]["properties"].keys()
    assert (lines[0]["type"], lines[-1]["type"]) == ("header", "footer")
    assert lines[-1]["verdict"] == verdict
    assert {line["type"] for line in lines} == {"header", "rule", "diagnosis", "footer"} | kinds
    assert lines[-1]["restarts"] == sum(line["type"] == "breakdown" for line in lines)


def test_what_was_not_judged_is_told_with_its_reason() -> None:
    """Cases are counted by reason, and the capabilities named that the engine lacks."""
    found = find(f"{TESTS}/engines_of_ours.py:TellsLittle")
    plan = Plan(found, find_edition(), levels=("features",), rules=("setup.worms",))
    told = model.find(plan, run(plan))
    assert [(one.verdict, one.text) for one in told.reasons] == [
        (Verdict.UNSUPPORTED, "the engine has no capability 'score'")
    ]
    assert told.lacking == (
        "start",
        "score",
        "legal",
        "settle",
        "configure",
        "refuse",
        "unresolved",
    )
    assert told.only == ("setup.worms",)


@pytest.mark.parametrize("option", ["--report", "--junit", "--markdown", "--html", "--cases"])
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_asked(
    tmp_path: Path, option: str
) -> None:
    """Status 2, with the option or the place; and the engine is never started."""
    (tmp_path / "file").write_text("")
    asked = tmp_path / "asked"
    (tmp_path / "engine.py").write_text(f"def engine():\n    open({str(asked)!r}, 'w')\n")
    place = tmp_path / "file" / "report"
    done = CliRunner().invoke(app, ["check", option, str(place), f"{tmp_path}/engine.py:engine"])
    assert done.exit_code == 2
    assert str(place) in done.stderr
    assert not asked.exists()


def test_all_reports_come_of_one_check(tmp_path: Path) -> None:
    """Each option writes its file, and the terminal tells the same verdict."""
    names = {"junit": "r.xml", "markdown": "r.md", "html": "r.html", "report": "r.jsonl"}
    options = [word for name, file in names.items() for word in (f"--{name}", str(tmp_path / file))]
    words = ["check", "reference", "--level", "smoke", *options, "--cases", str(tmp_path / "cases")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([*names.values(), "cases"])
    assert list((tmp_path / "cases").iterdir()) == []
    for name in ("markdown", "html"):
        assert "The engine conforms" in (tmp_path / names[name]).read_text()


def test_a_rule_can_be_asked_alone() -> None:
    """Only its line is shown; a name that is no rule is refused with the nearest one."""
    words = ["check", "--level", "features", "--case"]
    done = CliRunner().invoke(app, [*words, "failing.returned-highest", "reference"])
    lines = [line for line in done.stdout.splitlines() if line.startswith("  ")]
    assert [line.split()[:2] for line in lines] == [["failing.returned-highest", "pass"]]
    done = CliRunner().invoke(app, [*words, "failing.returned"])
    assert done.exit_code == 2
    assert "There is no rule 'failing.returned'." in done.stderr


@pytest.mark.parametrize("form", ["junit", "markdown", "html"])
def test_a_full_disk_is_told_with_the_name_of_the_file(form: str) -> None:
    """Whatever could not be written is named."""
    words = ["check", "reference", "--level", "smoke", f"--{form}", "/dev/full"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "/dev/full: No space left on device." in done.stderr


def test_two_options_can_t_name_one_file(tmp_path: Path) -> None:
    """The one would be written over the other; nothing is asked, nothing is written."""
    path, same = tmp_path / "x", tmp_path / "folder" / ".." / "x"
    (tmp_path / "folder").mkdir()
    words = ["check", "--level", "smoke", "--report", str(path), "--junit", str(same)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "--junit and --report both name" in done.stderr
    assert not path.exists()


def test_the_rulings_that_an_engine_declares_are_named() -> None:
    """Judged by what it declares, the title says what that is."""
    plan = Plan(of_command(SERVE_SHEET_001), find_edition(), as_declared=True, levels=("smoke",))
    told = phrases.judged_by(model.find(plan, run(plan)).heading)
    assert told.startswith("the rulings that it declares (flip-after-return = always, flip-")


def test_replay_reads_files_and_folders_and_ends_with_the_status(
    tmp_path: Path,
) -> None:
    """`pickomino replay DIR ENGINE` asks all."""
    engine = of_command(SERVE_SHEET_001)
    cases = ("failing/question-21", "failing/question-9")
    run(Plan(engine, find_edition(), levels=("features",), cases=cases, case_folder=tmp_path))
    done = CliRunner().invoke(app, ["replay", str(tmp_path), "reference"])
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (
        0,
        "2 cases asked again of reference: 2 pass",
    )
    engine = f"{TESTS}/bad_engines/python_classes.py:NoSuchEngine"
    done = CliRunner().invoke(app, ["replay", str(tmp_path / "failing_question-21.json"), engine])
    assert done.exit_code == 2
    assert "can't be judged" in done.stderr


def test_a_file_with_an_id_alone_asks_the_listed_case(tmp_path: Path) -> None:
    """The case is asked as a check asks it."""
    path = tmp_path / "case.json"
    path.write_text('{"id": "failing/question-21"}')
    done = CliRunner().invoke(app, ["replay", str(path), "reference"])
    assert (done.exit_code, done.stdout.split()[:2]) == (0, ["failing/question-21", "passes"])


@pytest.mark.parametrize(
    ("name", "told"),
    [("none.json", "Expected a case file"), (".", "there is no case file")],
)
def test_what_is_no_case_file_is_refused(tmp_path: Path, name: str, told: str) -> None:
    """A file that is not there, or an empty folder, ends with status 2."""
    done = CliRunner().invoke(app, ["replay", str(tmp_path / name)])
    assert done.exit_code == 2
    assert told in done.stderr
