"""Reports: JSON lines by their schema, JUnit XML, Markdown, HTML; no word of an engine bites."""

import contextlib
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt
from typer.testing import CliRunner

from pickomino_conformance import findings, reports
from pickomino_conformance.cases import Conversation, Exchange, Outcome, Restart, Verdict
from pickomino_conformance.check import Checked, Plan, run
from pickomino_conformance.diagnosis import Diagnosis, Explained
from pickomino_conformance.engines.found import Found, find, of_command
from pickomino_conformance.engines.session import Unusable
from pickomino_conformance.findings import Findings
from pickomino_conformance.known_failures import Covered, Known, Recognised, Stale
from pickomino_conformance.main import app
from pickomino_conformance.protocol import Hello
from pickomino_conformance.reports.markdown import plain
from pickomino_conformance.specification import rules
from pickomino_conformance.tally import Tally
from pickomino_conformance.terminal import printable, show_check
from pickomino_conformance.whole_files import require_writable, write_whole
from pickomino_reference import Rule, Rulings, find_edition

HERE = Path(__file__).parent
BAD = HERE / "bad_engines"
SERVE = [sys.executable, "-m", "pickomino_conformance.main", "serve"]
SERVE_SHEET_001 = [*SERVE, "--edition", "sheet-001"]
ROOT = HERE.parent
SCHEMA = json.loads((ROOT / "spec" / "report.schema.json").read_text())

HOSTILE = (
    "<script>alert(1)</script> </textarea> & \"'> {{ 7*7 }} {% raw %} ]]> <!-- -->"
    " | `code` **bold** _it_ ~~gone~~ [link](http://evil.example) ![x](http://evil.example/x.png)"
    " http://evil.example www.evil.example @somebody #12 GH-12 $x$ "
    "\x1b[31mred\x1b[0m \x00 \x07 \x9b \u202eback \ud800 \ufffe \r\n\n# Heading\n\n- list\n"
)
ALL_KINDS = {"case", "level", "breakdown"}
FLIP, EXACT = "failing.flip-highest", "claiming.exact"


def turn_asked(answer: dict) -> Exchange:
    """Return a failed turn of a player who owns the 25, and an answer to it."""
    table = {"grill": [22, 30, 36], "stacks": [[25], []], "player": 0}
    decisions = [{"keep": "W", "then": "roll"}, {"keep": "2", "then": "roll"}]
    rolls = ["1223345W", "123445W", "222WWW"]
    return Exchange("turn", {"table": table, "rolls": rolls, "decisions": decisions}, answer)


KEPT = {"result": {"table": {"grill": [22, 30, 36], "stacks": [[25], []]}}}
# No lone surrogate comes through the pipe.
REFUSED = {"error": {"code": 1, "message": HOSTILE.replace("\ud800", "")}}


def outcomes() -> list[Outcome]:
    """Return outcomes of every verdict, with what a hostile engine says in them."""
    told = f"Ann rolls. Expected: grill 22, 25, 30. Came: {HOSTILE}"
    fails = Outcome("failing/a", "features", (FLIP,), Verdict.FAIL, told, (turn_asked(KEPT),))
    refuses = Outcome(
        "turns/1-1.2", "turns", (FLIP, EXACT), Verdict.FAIL, told, (turn_asked(REFUSED),)
    )
    others = [
        Outcome(f"ending/{one}", "features", ("ending.nobody",), one, f"Ann. {HOSTILE}")
        for one in Verdict
        if one is not Verdict.FAIL
    ]
    generated = [Outcome("", "turns", (EXACT,), Verdict.PASS)] * 5
    return [fails, refuses, *others, *generated]


@pytest.fixture(scope="module")
def found() -> Findings:
    """What a check of a hostile engine found."""
    tally = Tally(rules())
    for outcome in outcomes():
        tally.add(outcome)
    hello = Hello(HOSTILE, 1, (2, 7), HOSTILE, ["start", HOSTILE], {"flip": HOSTILE})
    known = Recognised(
        (Covered(Known(rule=EXACT, reason=HOSTILE, link=HOSTILE), 3),),
        (Stale(Known(case="failing/b"), "it passes"),),
    )
    diagnosis = Diagnosis((Explained("never turned", (FLIP,), 2, ("lost",)),), 3, 2, ("turns/9",))
    breakdowns = (Restart("it hung", HOSTILE, "turn", ("11234WWW",), answered=True),)
    talk = Conversation(1, 1, breakdowns)
    checked = Checked(hello, Rulings(), tally, diagnosis, known, talk, 1.5)
    plan = Plan(Found(HOSTILE, (), ""), find_edition(), as_declared=True)
    return findings.find(plan, checked)


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


def test_a_schema_that_is_wrong_is_noticed() -> None:
    """The schema is one, and refuses a line of no kind, and a verdict that there is not."""
    Draft202012Validator.check_schema(SCHEMA)
    validator = Draft202012Validator(SCHEMA)
    rule = {"type": "rule", "rule": FLIP, "verdict": "pass", "passed": 1, "failed": 0}
    assert validator.is_valid(rule)
    assert not validator.is_valid({**rule, "verdict": "passed"})
    assert not validator.is_valid({**rule, "type": "line"})
    assert not validator.is_valid({"type": "rule"})


def test_junit_tells_each_scenario_and_each_rule_of_a_generated_level(found: Findings) -> None:
    """Counts fit, and what did not pass is a failure, an error, or skipped."""
    root = ElementTree.fromstring(reports.RENDERERS["junit"](found))
    tests = {
        (suite.get("name"), case.get("name")): [end.tag for end in case]
        for suite in root
        for case in suite.iter("testcase")
    }
    assert tests == {
        ("features", "failing/a"): ["failure"],
        ("features", "ending/error"): ["error"],
        ("features", "ending/known"): ["skipped"],
        ("features", "ending/unsettled"): ["skipped"],
        ("features", "ending/pass"): [],
        ("features", "ending/not-reached"): ["skipped"],
        ("features", "ending/unsupported"): ["skipped"],
        ("features", "ending/not-applicable"): ["skipped"],
        ("turns", FLIP): ["failure"],
        ("turns", EXACT): ["failure"],
        ("breakdowns", "breakdown 1"): ["error"],
        ("known-failures", "case failing/b"): ["failure"],
    }
    counts = [root.get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["12", "4", "2", "5"]
    told = next(end for case in root.iter("testcase") for end in case.iter("failure"))
    assert told.get("message") == printable(
        f"fail: {FLIP}: Expected: grill 22, 25, 30. Came: {HOSTILE}"
    )


def tokens(text: str) -> list:
    """Return what a reader of Markdown makes of a text, tables and links of bare words included."""
    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return [
        token for block in markdown.parse(text) for token in [block, *(block.children or [])]
    ]  # fmt: skip


def test_markdown_shows_what_an_engine_says_as_plain_text() -> None:
    """No markup, no link, no picture, no HTML; and the text is there to the letter."""
    paragraph = tokens(f"It says {plain(HOSTILE)}")
    kinds = {"paragraph_open", "inline", "text", "text_special", "paragraph_close"}
    assert {token.type for token in paragraph} <= kinds
    shown = "".join(token.content for token in paragraph if token.type.startswith("text"))
    assert shown.replace("\u200b", "") == f"It says {printable(HOSTILE)}"
    for calling in ("@somebody", "#12", "GH-12"):
        assert calling not in shown


def test_markdown_tells_the_verdict_the_diagnosis_and_every_broken_rule(found: Findings) -> None:
    """The tables keep their columns, whatever stands in their cells."""
    text = reports.RENDERERS["markdown"](found)
    kinds = {token.type for token in tokens(text)}
    assert kinds.isdisjoint({"html_block", "html_inline", "image", "link_open", "s_open", "fence"})
    assert re.findall(r"^#+ .*", text, re.MULTILINE)[0].endswith("The engine departs.")
    for word in ("never turned", FLIP, "Stale entries", "unsupported", "| turns |"):
        assert word in text
    rows = [re.findall(r"\|", line) for line in text.splitlines() if line.startswith("|")]
    # Two departures, an error; what is known; two levels; each with heading and rule.
    assert [len(row) for row in rows] == [6] * 4 + [6] * 3 + [5] * 3 + [10] * 4
    assert len(text) < 65536


class _Page(HTMLParser):
    """What a browser would make of a page: its elements, the text, and what it asks for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.places: list[str] = []
        self.handlers: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        """Remember the element and what it refers to."""
        self.elements.append(tag)
        self.places += [value for name, value in attrs if name in ("href", "src", "action", "data")]
        self.handlers += [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        """Remember the text."""
        self.text += data


def test_the_page_shows_all_and_asks_for_nothing(found: Findings) -> None:
    """Every rule, the diagnosis and the departures; no script, nothing from elsewhere."""
    text = reports.RENDERERS["html"](found)
    page = _Page(text)
    assert [rule for rule in Rule if f'id="rule-{rule}"' not in text] == []
    for told in ("never turned", "failing/a", "turns/1-1.2", "it passes", printable(HOSTILE)):
        assert told in page.text
    assert not {"script", "iframe", "img", "link", "object", "form", "base"} & set(page.elements)
    assert [place for place in page.places if not place.startswith("#")] == []
    assert page.handlers == []
    assert re.findall(r"url\(|@import", text) == []
    assert [char for char in text if not (char.isprintable() or char == "\n")] == []


def test_the_page_draws_the_turn_before_and_after(found: Findings) -> None:
    """Dice that are set aside stand out, and so does a tile that does not lie where it must."""
    text = reports.RENDERERS["html"](found)
    article = text.split("<article>")[1]
    assert article.count('class="die kept"') == 2
    assert article.count('href="#die-W"') == 5
    # The 25 and the 36: where they must be, and where they came.
    assert article.count('class="tile differs"') == 3
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)


def test_the_terminal_is_not_steered(found: Findings, capsys: pytest.CaptureFixture[str]) -> None:
    """What an engine says is printed without control characters, on lines of ours."""
    show_check(found, gherkin=True)
    said = capsys.readouterr().out
    assert [char for char in said if not (char.isprintable() or char == "\n")] == []
    assert "\n# Heading" not in said
    assert "Scenario: " in said


def test_what_was_not_judged_is_told_with_its_reason() -> None:
    """Cases are counted by reason, and the capabilities named that the engine lacks."""
    found = find(f"{HERE}/engines_of_ours.py:TellsLittle")
    plan = Plan(found, find_edition(), levels=("features",), rules=("setup.worms",))
    told = findings.find(plan, run(plan))
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


def test_the_likely_root_comes_first() -> None:
    """What the diagnosis explains most by, then what breaks the fewest rules."""
    tally = Tally(rules())
    for case, broken in (
        ("failing/a", (EXACT, FLIP)),
        ("failing/b", (FLIP,)),
        ("failing/c", ("ending.nobody",)),
    ):
        tally.add(Outcome(case, "features", broken, Verdict.FAIL, "…" + " Came: x." * len(broken)))
    diagnosis = Diagnosis((Explained("x", ("ending.nobody",), 1), Explained("y", (FLIP,), 1)), 3, 3)
    hello = Hello("x", 1, (2, 7))
    checked = Checked(hello, Rulings(), tally, diagnosis, Recognised(), Conversation(), 1)
    shown = findings.find(Plan(Found("x", (), ""), find_edition()), checked).departures
    assert [one.outcome.id for one in shown] == ["failing/c", "failing/b", "failing/a"]


def test_reports_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """A file that can't be replaced stays as it was; no rest is left beside it."""
    path = tmp_path / "report.html"
    write_whole(path, "old")
    write_whole(path, "new \ud800")
    assert path.read_text() == "new \\ud800"
    with pytest.raises(OSError, match="no-folder"):
        write_whole(tmp_path / "no-folder" / "report.html", "new")
    with pytest.raises(IsADirectoryError):
        require_writable(tmp_path)
    require_writable(path)
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The file that a link leads to is written, not the link."""
    target, link = tmp_path / "target.md", tmp_path / "link.md"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert (link.is_symlink(), target.read_text()) == (True, "new")


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
    words = ["check", "--level", "smoke", *options, "--cases", str(tmp_path / "cases")]
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


def check_in_words(*outcomes: Outcome, diagnosis: Diagnosis | None = None, **more) -> Findings:
    """Return what is told of a check with these outcomes."""
    tally = Tally(rules())
    for outcome in outcomes:
        tally.add(outcome)
    talk = Conversation(0, len(more.get("breakdowns", ())), more.get("breakdowns", ()))
    hello = Hello("x", 1, (2, 7))
    checked = Checked(hello, Rulings(), tally, diagnosis or Diagnosis(), Recognised(), talk, 1)
    return findings.find(Plan(Found("x", (), ""), find_edition()), checked)


HUNG = Restart("it hung", "help", "turn", ("11234WWW", "12344"), answered=True)
SILENT = Restart("it hung", "", "score", (), answered=False)
HUNG_IN_WORDS = (
    "turn, 11234WWW 12344: it hung; asked once more, it was answered. Its last words: help"
)


@pytest.mark.parametrize("form", ["junit", "markdown", "html", "terminal"])
def test_a_breakdown_that_healed_is_told_everywhere(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On what, how, and the last words; no case tells it."""
    passed = Outcome("failing/a", "features", (FLIP,), Verdict.PASS)
    told = check_in_words(passed, breakdowns=(HUNG,))
    if form == "terminal":
        show_check(told)
        said = " ".join(capsys.readouterr().out.split())
    else:
        said = reports.RENDERERS[form](told)
    assert HUNG_IN_WORDS in said


@pytest.mark.parametrize(
    ("verdict", "told"), [(Verdict.PASS, (HUNG, SILENT)), (Verdict.ERROR, (HUNG,))]
)
def test_a_breakdown_is_told_once(verdict: Verdict, told: tuple[Restart, ...]) -> None:
    """One that did not heal is told by its case, if that counted."""
    outcome = Outcome("failing/a", "features", (FLIP,), verdict, "…")
    assert check_in_words(outcome, breakdowns=(HUNG, SILENT)).breakdowns == told


def departure(case: str, message: str, *broken: str) -> Outcome:
    """Return a departure of rules."""
    return Outcome(case, case.partition("/")[0], broken, Verdict.FAIL, message)


def test_of_each_group_the_smallest_unexplained_departure_is_shown_too() -> None:
    """It is the one worth looking at; the smallest of all may be a known fault."""
    diagnosis = Diagnosis((Explained("y", (FLIP,), 1),), 4, 1, ("games/b", "games/c", "games/d"))
    told = check_in_words(
        departure("turns/a", "…", FLIP),
        departure("games/b", "a longer one", FLIP),
        departure("games/c", "the longest of all", FLIP),
        departure("games/d", "…", EXACT),
        diagnosis=diagnosis,
    ).departures
    assert [(one.outcome.id, one.rules, one.cases, one.unexplained) for one in told] == [
        ("turns/a", (FLIP,), 3, False),
        ("games/b", (FLIP,), 2, True),
        ("games/d", (EXACT,), 1, True),
    ]


@pytest.mark.parametrize("form", ["markdown", "html", "terminal"])
def test_an_unexplained_departure_is_marked(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """So that one looks there first."""
    told = check_in_words(
        departure("games/b", "…", FLIP), diagnosis=Diagnosis((), 1, 0, ("games/b",))
    )
    if form == "terminal":
        show_check(told)
        said = capsys.readouterr().out
    else:
        said = reports.RENDERERS[form](told)
    assert said.lower().count("no fault of the catalogue explains this") == 1


@pytest.mark.parametrize(
    ("not_reached", "told"),
    [
        (0, "1 fault explains 1 of the 1 departure looked at."),
        (
            2,
            "1 fault explains 1 of the 1 departure looked at. Further faults may be hidden behind "
            "smoke/x: 2 cases could not be reached.",
        ),
    ],
)
def test_what_may_be_hidden_behind_a_probe_is_told(not_reached: int, told: str) -> None:
    """A failed probe keeps other cases from being asked."""
    poisoned = Outcome("failing/a", "features", (FLIP,), Verdict.NOT_REACHED, "…")
    found = check_in_words(
        departure("smoke/x", "…", EXACT),
        *[poisoned] * not_reached,
        diagnosis=Diagnosis((Explained("y", (EXACT,), 1),), 1, 1),
    )
    assert findings.tell_diagnosis(found) == told


@pytest.mark.parametrize(
    ("outcomes", "told"),
    [
        ([Verdict.PASS], "The engine conforms in what was judged, 1 of 42 rules."),
        (
            [Verdict.KNOWN],
            "The engine conforms in what was judged, 1 of 42 rules, but for what is known.",
        ),
    ],
)
def test_a_conclusion_tells_how_far_it_goes(outcomes: list[Verdict], told: str) -> None:
    """How many rules were judged, and whether something is known to fail."""
    cases = [Outcome("failing/a", "features", (FLIP,), one) for one in outcomes]
    assert check_in_words(*cases).conclusion == told


@pytest.mark.parametrize("form", ["junit", "markdown", "html"])
def test_a_full_disk_is_told_with_the_name_of_the_file(form: str) -> None:
    """Whatever could not be written is named."""
    done = CliRunner().invoke(app, ["check", "--level", "smoke", f"--{form}", "/dev/full"])
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
    told = findings.find(plan, run(plan)).judged_by
    assert told.startswith("the rulings that it declares (flip-after-return = always, flip-")


def test_a_generated_case_is_shown_by_the_listed_one_of_the_same_fault() -> None:
    """People learn more from a case with a name; the numbers still count all of them."""
    tally = Tally(rules())
    tally.add(Outcome("failing/a", "features", (EXACT,), Verdict.FAIL, "Ann. Came: x."))
    generated = Outcome("games/1-7", "games", (FLIP,), Verdict.FAIL, "Ann.", listed="failing/a")
    tally.add(generated)
    plan = Plan(Found("x", (), ""), find_edition())
    hello, nothing = Hello("x", 1, (2, 7)), Recognised()
    checked = Checked(hello, Rulings(), tally, Diagnosis(), nothing, Conversation(), 1)
    (shown,) = findings.find(plan, checked).departures
    assert (shown.outcome.id, set(shown.rules), shown.cases) == ("failing/a", {EXACT, FLIP}, 2)
