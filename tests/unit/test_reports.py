"""Reports: JSON lines by their schema, JUnit XML, Markdown, HTML; no word of an engine bites."""

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from findings import EXACT, FLIP, GRILLS, broken_down, departure, found_in, turn_asked
from pickomino_conformance import report
from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.compare import ANSWER, Difference
from pickomino_conformance.diagnose import Diagnosis, ExplainingFault
from pickomino_conformance.files import printable, require_writable, write_whole
from pickomino_conformance.known_failures import Covered, Known, Recognised, Stale
from pickomino_conformance.protocol.conversation import Conduct, Restart
from pickomino_conformance.protocol.messages import Hello
from pickomino_conformance.report import phrases
from pickomino_conformance.report.markdown import plain
from pickomino_conformance.report.model import Findings
from pickomino_conformance.report.terminal import show_check
from pickomino_reference import Rule

HOSTILE = (
    "<script>alert(1)</script> </textarea> & \"'> {{ 7*7 }} {% raw %} ]]> <!-- -->"
    " | `code` **bold** _it_ ~~gone~~ [link](http://evil.example) ![x](http://evil.example/x.png)"
    " http://evil.example www.evil.example @somebody #12 GH-12 $x$ "
    "\x1b[31mred\x1b[0m \x00 \x07 \x9b \u202eback \ud800 \ufffe \r\n\n# Heading\n\n- list\n"
)
KEPT = {"result": {"table": {"grill": [22, 30, 36], "stacks": [[25], []]}}}
# No lone surrogate comes through the pipe.
REFUSED = {"error": {"code": 1, "message": HOSTILE.replace("\ud800", "")}}


def outcomes() -> list[Outcome]:
    """Return outcomes of every verdict, with what a hostile engine says in them."""
    fails = Outcome(
        "failing/a", "features", (FLIP,), Verdict.FAIL, (GRILLS,), exchanges=(turn_asked(KEPT),)
    )
    refuses = Outcome(
        "turns/1-1.2", "turns", (FLIP, EXACT), Verdict.FAIL,
        (Difference(ANSWER, "result", REFUSED),), exchanges=(turn_asked(REFUSED),),
    )  # fmt: skip
    others = [
        Outcome(f"ending/{one}", "features", ("ending.nobody",), one, (), HOSTILE)
        for one in Verdict
        if one is not Verdict.FAIL
    ]
    generated = [Outcome("", "turns", (EXACT,), Verdict.PASS)] * 5
    return [fails, refuses, *others, *generated]


NEVER_TURNED = ExplainingFault("never turned", (FLIP,), 2, ("lost",))


@pytest.fixture(scope="module")
def found() -> Findings:
    """What a check of a hostile engine found."""
    known = Recognised(
        (Covered(Known(rule=EXACT, reason=HOSTILE, link=HOSTILE), 3),),
        (Stale(Known(case="failing/b"), "it passes"),),
    )
    return found_in(
        *outcomes(),
        hello=Hello(HOSTILE, 1, (2, 7), HOSTILE, ["start", HOSTILE], {"flip": HOSTILE}),
        diagnosis=Diagnosis(
            (ExplainingFault("never turned", (FLIP,), 2, ("lost",)),), 3, 2, ("turns/9",)
        ),
        known=known,
        conduct=Conduct(1, 1, (Restart("it hung", HOSTILE, "turn", ("11234WWW",), answered=True),)),
        as_declared=True,
    )


def test_junit_tells_each_scenario_and_each_rule_of_a_generated_level(found: Findings) -> None:
    """Counts fit, and what did not pass is a failure, an error, or skipped."""
    root = ElementTree.fromstring(report.renderer("junit")(found))
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
    came = "Expected: grill 22, 25, 30. Came: grill 22, 30, 36."
    assert told.get("message") == f"fail: {FLIP}: {came}"
    error = next(end for case in root.iter("testcase") for end in case.iter("error"))
    assert printable(HOSTILE[1:].strip()) in error.get("message")


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
    text = report.renderer("markdown")(found)
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
    text = report.renderer("html")(found)
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
    text = report.renderer("html")(found)
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


def test_the_likely_root_comes_first() -> None:
    """What the diagnosis explains most by, then what breaks the fewest rules."""
    diagnosis = Diagnosis(
        (ExplainingFault("x", ("ending.nobody",), 1), ExplainingFault("y", (FLIP,), 1)), 3, 3
    )
    told = found_in(
        departure("failing/a", EXACT, FLIP, longer=1),
        departure("failing/b", FLIP),
        departure("failing/c", "ending.nobody"),
        diagnosis=diagnosis,
    ).departures
    assert [one.outcome.id for one in told] == ["failing/c", "failing/b", "failing/a"]


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


HUNG = Restart("it hung", "help", "turn", ("11234WWW", "12344"), answered=True)
SILENT = Restart("it hung", "", "score", (), answered=False)
HUNG_IN_WORDS = (
    "turn, 11234WWW 12344: it hung; asked once more, it was answered. Its last words: “help”"
)


@pytest.mark.parametrize("form", ["junit", "markdown", "html", "terminal"])
def test_a_breakdown_that_healed_is_told_everywhere(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On what, how, and the last words; no case tells it."""
    passed = Outcome("failing/a", "features", (FLIP,), Verdict.PASS)
    told = found_in(passed, conduct=broken_down(HUNG))
    if form == "terminal":
        show_check(told)
        said = " ".join(capsys.readouterr().out.split())
    else:
        said = report.renderer(form)(told)
    assert HUNG_IN_WORDS in said


@pytest.mark.parametrize(
    ("verdict", "told"), [(Verdict.PASS, (HUNG, SILENT)), (Verdict.ERROR, (HUNG,))]
)
def test_a_breakdown_is_told_once(verdict: Verdict, told: tuple[Restart, ...]) -> None:
    """One that did not heal is told by its case, if that counted."""
    outcome = Outcome("failing/a", "features", (FLIP,), verdict)
    assert found_in(outcome, conduct=broken_down(HUNG, SILENT)).breakdowns == told


def test_of_each_group_the_smallest_unexplained_departure_is_shown_too() -> None:
    """It is the one worth looking at; the smallest of all may be a known fault."""
    diagnosis = Diagnosis(
        (ExplainingFault("y", (FLIP,), 1),), 4, 1, ("games/b", "games/c", "games/d")
    )
    told = found_in(
        departure("turns/a", FLIP),
        departure("games/b", FLIP, longer=1),
        departure("games/c", FLIP, longer=2),
        departure("games/d", EXACT),
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
    told = found_in(departure("games/b", FLIP), diagnosis=Diagnosis((), 1, 0, ("games/b",)))
    if form == "terminal":
        show_check(told)
        said = capsys.readouterr().out
    else:
        said = report.renderer(form)(told)
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
    poisoned = Outcome("failing/a", "features", (FLIP,), Verdict.NOT_REACHED)
    found = found_in(
        departure("smoke/x", EXACT),
        *[poisoned] * not_reached,
        diagnosis=Diagnosis((ExplainingFault("y", (EXACT,), 1),), 1, 1),
    )
    assert phrases.diagnosis(found) == told


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
    assert phrases.conclusion(found_in(*cases)) == told


def test_a_generated_case_is_shown_by_the_listed_one_of_the_same_fault() -> None:
    """People learn more from a case with a name; the numbers still count all of them."""
    listed = Outcome("failing/a", "features", (EXACT,), Verdict.FAIL, (GRILLS,))
    generated = Outcome("games/1-7", "games", (FLIP,), Verdict.FAIL, (GRILLS,), listed="failing/a")
    (shown,) = found_in(listed, generated).departures
    assert (shown.outcome.id, set(shown.rules), shown.cases) == ("failing/a", {EXACT, FLIP}, 2)
