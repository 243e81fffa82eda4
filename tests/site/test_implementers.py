"""The pages for those with an engine: what they show is what comes."""

import json
import re
import shutil

import pytest
from typer.testing import CliRunner

from generator import api
from generator.languages import Language, language_codes, page_names, read_language
from generator.macros import UnknownMacro, expand
from generator.messages import exchange, laid_out, read_transcript
from generator.places import DOCS
from generator.samples import (
    ShownCommand,
    Unexpected,
    console,
    cut,
    files,
    lay_out,
    read_shown,
    run,
    timeless,
)
from generator.verdicts import (
    ENGINES,
    JUDGED,
    QUICK,
    RuleVerdict,
    check,
    read_checks,
    verdicts_page,
)
from pickomino_conformance import cases
from pickomino_conformance.check import NAMES
from pickomino_conformance.cli import app
from pickomino_conformance.faults import faults_against
from pickomino_conformance.specification import CHAPTERS, rules
from pickomino_reference import find_edition

EN = Language("en")
EVERY = pytest.mark.parametrize("code", language_codes())
PAGES = page_names(DOCS / "en" / "engines")
HERE = [one for one in read_shown().values() if not one.needs or shutil.which(one.needs)]
CHECKED = [name for name, (_, needs) in ENGINES.items() if not needs or shutil.which(needs)]


def pages(code):
    """Return the hand-written pages for implementers in a language, by their names."""
    say = read_language(code)
    return {name.removesuffix(".md"): say.page(f"engines/{name}") for name in PAGES}


# Commands and what they print.


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder as a reader has it: the files to take along, and nothing else."""
    folder = tmp_path_factory.mktemp("reader")
    lay_out(folder)
    return folder


@pytest.mark.parametrize("shown", HERE, ids=lambda shown: shown.name)
def test_a_command_prints_what_the_page_shows(shown, folder):
    """Each command of the pages, typed as it stands there, prints that, seconds apart."""
    if shown.after and not (folder / "found").exists():
        run(read_shown()[shown.after], folder)
    kept = shown.path.read_text(encoding="utf-8")
    assert timeless(run(shown, folder)) == timeless(kept), "`make shown` writes it anew"


@EVERY
def test_every_command_that_is_run_is_shown(code):
    """No output is kept that no page shows."""
    named = {
        name for text in pages(code).values() for name in re.findall(r"\[\[shown (\S+)\]\]", text)
    }
    assert named == set(read_shown())


def test_no_output_tells_of_the_machine():
    """Nothing that is shown has a path of this machine in it."""
    told = "".join(one.path.read_text(encoding="utf-8") for one in read_shown().values())
    assert re.findall(r"(?<![\w.])/(?:home|root|tmp|usr|work)\b", told) == []


def test_an_output_is_cut_where_the_page_says():
    """The first lines, a mark for what is left out, and all from a line on."""
    shown = ShownCommand("x", "x", 0, head=1, start="c", lines=0, after="")
    assert cut(shown, "a\nb\nc d\ne\n") == "a\n…\nc d\ne\n"
    assert cut(ShownCommand("x", "x", 0, 0, "", lines=2, after=""), "a\nb\nc\n") == "a\nb\n…\n"


def test_an_output_without_the_line_that_is_shown_is_told():
    """A command that prints something else stops the run, with what it printed."""
    with pytest.raises(Unexpected, match=r"begins with 'song'(?s:.*)worms"):
        cut(ShownCommand("x", "x", 0, 0, start="song", lines=0, after=""), "worms\n")


def test_a_command_with_another_status_is_told(tmp_path):
    """A page can't show a success that is none."""
    with pytest.raises(Unexpected, match="expected status 0, came 2"):
        run(ShownCommand("x", "pickomino check --level song", 0, 0, "", 0, ""), tmp_path)


@EVERY
def test_options_that_pages_name_exist(code):
    """Every option of a command that a page shows is one that the command has."""
    unknown = [
        (name, command, option)
        for name, text in pages(code).items()
        for command, rest in re.findall(r"^pickomino (\w+)(.*)$", text, re.MULTILINE)
        for option in re.findall(r"--[a-z-]+", rest)
        if option not in options(command)
    ]
    assert unknown == []


@EVERY
def test_options_of_check_are_told_truly(code):
    """What the page of reports names as an option of a check is one."""
    told = set(re.findall(r"`(--[a-z-]+)", pages(code)["reports"]))
    assert {"--report", "--junit", "--html", "--markdown", "--cases"} <= told <= options("check")


def options(command):
    """Return the options that a command's help names."""
    answer = CliRunner().invoke(app, [command, "--help"], terminal_width=200)
    return set(re.findall(r"--[a-z-]+", answer.output))


@EVERY
def test_settings_of_pytest_that_the_page_names_exist(code, pytestconfig):
    """Every setting and option of the plugin that is named is registered."""
    told = pages(code)["pytest"]
    settings = set(re.findall(r"`(pickomino_(?:engine|edition|ruling|timeout))`", told))
    options = set(re.findall(r"`--(pickomino-[a-z-]+)`", told))
    assert {name for name in settings if pytestconfig.getini(name) is None} == set()
    missing = object()
    found = {name: pytestconfig.getoption(f"--{name}", missing) for name in options}
    assert (len(settings), [name for name, one in found.items() if one is missing]) == (4, [])


# Levels and verdicts.


@EVERY
def test_every_level_is_told(code):
    """The levels of the page are those of the command line, in order."""
    told = re.findall(r"^\| `(\w+)` \|", pages(code)["checking"], re.MULTILINE)
    assert told[: len(NAMES)] == list(NAMES)


@EVERY
def test_every_verdict_is_told_in_the_order_in_which_it_counts(code):
    """The verdicts of the page are those of a report, the one that outweighs the others first."""
    told = re.findall(r"^\| `([\w-]+)` \|", pages(code)["checking"], re.MULTILINE)
    assert told[len(NAMES) :] == [str(verdict) for verdict in cases.Verdict]


@pytest.mark.parametrize("name", CHECKED)
def test_the_table_tells_what_a_check_comes_to_today(name):
    """A fresh check by the scenarios gives each rule the verdict that was kept."""
    fresh = json.loads(json.dumps(check(name, QUICK)))
    assert fresh == read_checks()[name]["quick"], "`make verdicts` writes it anew"


@pytest.mark.parametrize("name", ENGINES)
def test_all_levels_tell_no_less_than_the_scenarios_alone(name):
    """What fails in the scenarios fails in the whole check, which has a verdict for every rule."""
    kept = read_checks()[name]
    every = {rule: RuleVerdict(*one) for rule, one in kept["all"]["rules"].items()}
    quick = {rule: RuleVerdict(*one) for rule, one in kept["quick"]["rules"].items()}
    assert sorted(every) == sorted(rules())
    assert kept["all"]["levels"] == list(NAMES)
    less = [
        rule
        for rule, one in quick.items()
        if one.passed > every[rule].passed or one.failed > every[rule].failed
    ]
    assert less == []


def test_the_reference_keeps_every_rule():
    """Of the reference no rule is left unjudged, and none is broken."""
    found = {
        RuleVerdict(*one).verdict for one in read_checks()["reference"]["all"]["rules"].values()
    }
    assert found == {"pass"}


@EVERY
def test_the_table_has_a_row_for_every_rule(code):
    """Each rule with its link, and a verdict of each engine, told by more than a colour."""
    table = verdicts_page(read_language(code), "engines/verdicts.md")
    rows = table.split("<tr>")[2:]
    assert len(rows) == len(rules())
    assert all(row.count("<td") == len(ENGINES) for row in rows)
    verdicts = set(re.findall(r"</span> <code>([\w-]+)</code>", table))
    assert {"pass", "fail"} <= verdicts <= {*JUDGED, "not-reached", "unsupported"}


# Messages.


def test_a_message_is_laid_out_without_a_change():
    """However it is broken into lines, it is the same JSON."""
    for request, answer in read_transcript().values():
        assert [json.loads(laid_out(one)) for one in (request, answer)] == [request, answer]


def test_a_short_message_stays_on_a_line():
    """Only what is too long is broken."""
    assert laid_out({"id": 1, "result": {}}) == '{"id": 1, "result": {}}'


def test_an_answer_stands_below_its_request():
    """A request and the answer with its id, as the reference gave it."""
    told = exchange(EN, "13")
    asked, answered = told.split("You answer:")
    assert ('"method": "turn"' in asked, '"code": 1' in answered) == (True, True)


@EVERY
def test_every_method_is_shown(code):
    """The page of the protocol has a real message of each method, save one that hello tells of."""
    shown = re.findall(r"\[\[exchange (\d+)\]\]", pages(code)["protocol"])
    methods = {read_transcript()[int(ident)][0]["method"] for ident in shown}
    assert methods == {"hello", "start", "turn", "score", "legal", "settle"}


@pytest.mark.parametrize("macro", ["[[exchange 99]]", "[[file song.py]]", "[[shown song]]"])
def test_what_does_not_exist_stops_the_build(macro):
    """A message, a file or a command that is not there is named with its page."""
    with pytest.raises(UnknownMacro, match=rf"^engines/index\.md: .*{re.escape(macro)}"):
        expand(EN, macro, "engines/index.md")


def test_a_command_stands_above_what_it_prints():
    """A command stands above what it prints."""
    assert console("smoke-program").startswith(
        "```console\n$ pickomino smoke -- node engine.js\nsample in JavaScript"
    )


def test_files_to_take_along_have_names_of_their_own():
    """They lie in one folder of the site, so no two may bear the same name."""
    names = [path.name for path in files()]
    assert sorted(names) == sorted(set(names))
    assert {"engine.js", "my_engine.py", "transcript.jsonl", "turn.schema.json"} <= set(names)


# The programming interface.


def test_everything_that_the_reference_exports_is_told():
    """Each public name with a docstring has a heading on the page of the reference."""
    page = dict(api.pages(EN))["api/reference.md"]
    told = set(re.findall(r"^### `(\w+)`", page, re.MULTILINE))
    exported = {one.name for one in api.public("pickomino_reference")}
    assert {"play", "legal", "play_turn", "Table", "Rulings"} <= told <= exported
    assert {name for name in exported - told if name[0].islower()} == set()


def test_every_rule_with_a_function_is_linked_from_it():
    """A function that is a rule leads to the rule's own words."""
    page = dict(api.pages(EN))["api/rules.md"]
    linked = set(re.findall(r"\]\(\.\./rules/\w+\.md#([\w.-]+)\)", page))
    assert linked == {rule for rule, one in rules().items() if not one.follows}


def test_a_rule_function_stands_in_its_chapter():
    """The six chapters are the six parts of the page."""
    page = dict(api.pages(EN))["api/rules.md"]
    headings = re.findall(r"^## `pickomino_reference\.(\w+)`", page, re.MULTILINE)
    assert headings == list(CHAPTERS)


def test_a_strategy_is_shown_as_it_is_called():
    """What a composite strategy draws with is not the caller's business."""
    page = dict(api.pages(EN))["api/strategies.md"]
    assert "tables(\n    *,\n    players: Drawn[int] = PLAYERS," in page
    assert ") -> st.SearchStrategy[Table]" in page
    assert "DrawFn" not in page


def test_a_chosen_name_that_is_gone_stops_the_build():
    """A page can't go on naming what the code has no more."""
    with pytest.raises(KeyError):
        api.public("pickomino_conformance.faults", ("song",))


@EVERY
def test_the_number_of_faults_is_that_of_the_catalogue(code):
    """What the page says of the strength of the suite speaks of the faults there are."""
    told = re.search(r"82 (?:of its|van de) (\d+)", pages(code)["tested"])
    assert int(told[1]) == len(faults_against(find_edition().rulings))
