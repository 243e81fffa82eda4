"""Prose, scenarios, functions and cases hang together, and a gap between them is found."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rule_trace
from rule_trace import HERE, Project, gaps, main, table

ROOT = Path(__file__).parents[2]

# A specification of two rules, and a third that follows from them, in which nothing is missing.
WHOLE = {
    "spec/rules/claiming.md": """# Claiming

### claiming.exact

The exact tile may be taken.
It follows `claiming.lower` only in the book; `sheet` has the same as `few`.

- source: book, page 1

### claiming.lower

A lower tile may be taken, see `lower-tile`.

- source: book, page 2
- ruling: lower-tile

### claiming.above-highest

A high total takes the highest tile.

- source: none
- unsettled: nobody tells
- follows: claiming.lower
""",
    "spec/rulings.toml": """[lower-tile]
rules = ["claiming.lower"]
alternatives = { next = "One.", any = "All." }
sources = { book = "next", sheet = "any" }
""",
    "spec/editions.toml": """[editions.boxed]
source = "book"
[house-rules.few]
source = ["sheet"]
""",
    "spec/sources.toml": """[sources.book]
[sources.sheet]
[rules."claiming.exact"]
book = "agrees"
sheet = { says = "silent", note = "not even under claiming.lower" }
[rules."claiming.lower"]
book = "agrees"
sheet = { says = "differs", value = "lower-tile=any" }
[rules."claiming.above-highest"]
book = "silent"
sheet = "unread"
""",
    "spec/cases.txt": """claiming/takes
claiming/refused/23
claiming/refused/24
claiming/next
claiming/any
claiming/two
claiming/three
""",
    "features/claiming.feature": """Feature: Claiming

  @claiming.exact @case=takes
  Scenario: The exact tile may be taken
    See claiming.lower.

    Then it is done

  @claiming.exact @case=refused
  Scenario Outline: Another is refused
    Then <tile> is refused

    Examples:
      | tile |
      | 23   |
      | 24   |

  @claiming.lower @lower-tile=next @case=next
  Scenario: The next lower tile may be taken
    Then it is done

  @claiming.lower @lower-tile=any @case=any
  Scenario: Any lower tile may be taken
    Then it is done

  @claiming.above-highest @unsettled @case=two
  Scenario: A high total takes the highest of two
    Then it is done

  @claiming.above-highest @unsettled @case=three
  Scenario: A high total takes the highest of three
    Then it is done
""",
    "reference/claiming.py": '''
def exact(tile):
    """claiming.exact: the tile."""

def lower(tile):
    """claiming.lower: a tile."""

def take(tile):
    """Return the table: without the tile."""
''',
    "properties.py": """
@given(table=tables())
@pytest.mark.pickomino_property("claiming.exact", "claiming.lower")
def test_a_claim():
    pass
""",
}
CLAIMING = "spec/rules/claiming.md"
FEATURE = "features/claiming.feature"
SOURCES = "spec/sources.toml"

# What is changed in a file of it: what stood there, what comes in its place, and the gap.
BROKEN = {
    "a rule without prose": (
        CLAIMING,
        "The exact tile may be taken.\nIt follows `claiming.lower` only in the book; "
        "`sheet` has the same as `few`.\n",
        "",
        f"{CLAIMING}, claiming.exact: the rule says nothing",
    ),
    "a rule without a source": (
        CLAIMING,
        "- source: book, page 1",
        "",
        f"{CLAIMING}, claiming.exact: the rule has no source",
    ),
    "a settled rule that no source has": (
        CLAIMING,
        "source: book, page 1",
        "source: none",
        f"{CLAIMING}, claiming.exact: the rule has no source",
    ),
    "a rule from an unknown source": (
        CLAIMING,
        "source: book, page 1",
        "source: bok, page 1",
        f"{CLAIMING}, claiming.exact: there is no source 'bok'",
    ),
    "a note that names an unknown source": (
        CLAIMING,
        "`sheet` has",
        "`sheet-9` has",
        f"{CLAIMING}: `sheet-9` names nothing",
    ),
    "prose that mentions an unknown rule": (
        CLAIMING,
        "It follows `claiming.lower`",
        "It follows `claiming.low`",
        f"{CLAIMING}: there is no rule claiming.low",
    ),
    "prose that mentions an unknown ruling": (
        CLAIMING,
        "see `lower-tile`",
        "see `lowest-tile`",
        f"{CLAIMING}: `lowest-tile` names nothing",
    ),
    "a rule that follows from an unknown one": (
        CLAIMING,
        "follows: claiming.lower",
        "follows: claiming.low",
        f"{CLAIMING}: there is no rule claiming.low",
    ),
    "a cell of an unknown source": (
        SOURCES,
        "[sources.sheet]\n",
        "",
        [
            f"{CLAIMING}: `sheet` names nothing",
            "spec/sources.toml: there is no source 'sheet'",
            "spec/rulings.toml, lower-tile: there is no source 'sheet'",
            "spec/editions.toml, few: there is no source 'sheet'",
        ],
    ),
    "a source that is not asked about a rule": (
        SOURCES,
        'sheet = "unread"\n',
        "",
        "spec/sources.toml: sheet is not asked about claiming.above-highest",
    ),
    "a source that says no such thing": (
        SOURCES,
        'sheet = "unread"',
        'sheet = "doubts"',
        "spec/sources.toml, claiming.above-highest, sheet: 'doubts' is none of "
        "agrees, differs, silent, unread, unsettled",
    ),
    "a source that differs without a value": (
        SOURCES,
        'sheet = "unread"',
        'sheet = "differs"',
        "spec/sources.toml, claiming.above-highest, sheet: "
        "exactly a source that differs names a value",
    ),
    "a value of another ruling": (
        SOURCES,
        'sheet = "unread"',
        'sheet = { says = "differs", value = "lower-tile=any" }',
        "spec/sources.toml, claiming.above-highest, sheet: "
        "'lower-tile=any' is no value of a ruling of this rule",
    ),
    "a rule with which nobody agrees": (
        SOURCES,
        '"claiming.exact"]\nbook = "agrees"',
        '"claiming.exact"]\nbook = "silent"',
        "spec/sources.toml: no source agrees with claiming.exact",
    ),
    "a note that mentions an unknown rule": (
        SOURCES,
        "under claiming.lower",
        "under claiming.low",
        "spec/sources.toml: there is no rule claiming.low",
    ),
    "a ruling of another rule": (
        "spec/rulings.toml",
        '"claiming.lower"',
        '"claiming.exact"',
        [
            "spec/rulings.toml, lower-tile: its rules are not those that name it",
            "spec/rulings.toml, lower-tile: spec/sources.toml has another value for sheet",
        ],
    ),
    "a source with two values": (
        "spec/rulings.toml",
        'sheet = "any"',
        'sheet = "next"',
        "spec/rulings.toml, lower-tile: spec/sources.toml has another value for sheet",
    ),
    "an edition from an unknown source": (
        "spec/editions.toml",
        'source = "book"',
        'source = "bok"',
        "spec/editions.toml, boxed: there is no source 'bok'",
    ),
    "a scenario without a rule": (
        FEATURE,
        "@claiming.exact @case=takes",
        "@case=takes",
        [
            "features/claiming.feature, 'The exact tile may be taken': the scenario has no rule",
            "claiming.exact: there should be a scenario for each side, and there is 1",
        ],
    ),
    "a tag that names no rule": (
        FEATURE,
        "@claiming.exact @case=takes",
        "@claiming.exact @claiming.exactly @case=takes",
        "features/claiming.feature, 'The exact tile may be taken': "
        "the tag @claiming.exactly names nothing",
    ),
    "a tag that names no ruling": (
        FEATURE,
        "@claiming.exact @case=takes",
        "@claiming.exact @lowest-tile=any @case=takes",
        "features/claiming.feature, 'The exact tile may be taken': "
        "the tag @lowest-tile=any names nothing",
    ),
    "a tag that names no value": (
        FEATURE,
        "@claiming.exact @case=takes",
        "@claiming.exact @lower-tile=none @case=takes",
        "features/claiming.feature, 'The exact tile may be taken': "
        "the tag @lower-tile=none names nothing",
    ),
    "a scenario without a case": (
        FEATURE,
        " @case=takes",
        "",
        [
            "features/claiming.feature, 'The exact tile may be taken': "
            "there is not one tag @case=, but 0",
            "spec/cases.txt: there is no case claiming/takes",
        ],
    ),
    "two scenarios of one case": (
        FEATURE,
        "@case=any",
        "@case=next",
        [
            "claiming/next: 2 cases have this id",
            "spec/cases.txt: there is no case claiming/any",
        ],
    ),
    "two rows of one case": (
        FEATURE,
        "| 24   |",
        "| 23   |",
        [
            "claiming/refused/23: 2 cases have this id",
            "spec/cases.txt: there is no case claiming/refused/24",
        ],
    ),
    "two scenarios of one title": (
        FEATURE,
        "the highest of three",
        "the highest of two",
        [
            "features/claiming.feature: 2 scenarios have the title "
            "'A high total takes the highest of two'",
        ],
    ),
    "a value without a scenario": (
        FEATURE,
        "@lower-tile=any ",
        "",
        "lower-tile=any: there is no scenario with this value",
    ),
    "an unsettled rule that is told as settled": (
        FEATURE,
        "@unsettled @case=two",
        "@case=two",
        "features/claiming.feature, 'A high total takes the highest of two': "
        "@unsettled stands with rules that are unsettled, and with no others",
    ),
    "a description that mentions an unknown rule": (
        FEATURE,
        "See claiming.lower.",
        "See claiming.low.",
        "features/claiming.feature, 'The exact tile may be taken': there is no rule claiming.low",
    ),
    "a case that is not listed": (
        "spec/cases.txt",
        "claiming/any\n",
        "",
        "spec/cases.txt: claiming/any is missing",
    ),
    "cases in another order": (
        "spec/cases.txt",
        "claiming/next\nclaiming/any\n",
        "claiming/any\nclaiming/next\n",
        "spec/cases.txt: the cases are not in the order of the features",
    ),
    "a rule without a function": (
        "reference/claiming.py",
        "claiming.exact: the tile",
        "The tile",
        "claiming.exact: it has no function, and is not marked as following from others",
    ),
    "a function of an unknown rule": (
        "reference/claiming.py",
        "Return the table: without",
        "claiming.take: without",
        "claiming.take: there is no rule claiming.take",
    ),
    "a function under another name": (
        "reference/claiming.py",
        "def exact",
        "def exactly",
        "claiming.exactly: it begins with the rule claiming.exact, whose name it does not bear",
    ),
    "a rule that follows, with a function": (
        "reference/claiming.py",
        'def take(tile):\n    """Return the table: without',
        'def above_highest(tile):\n    """claiming.above-highest: without',
        "claiming.above-highest: it follows from others, and has a function all the same",
    ),
    "a property of an unknown rule": (
        "properties.py",
        '"claiming.exact"',
        '"claiming.exactly"',
        "properties.py, test_a_claim: there is no rule claiming.exactly",
    ),
}


def written(root: Path, **files: str) -> Project:
    """Write a small specification and return it."""
    for name, text in (WHOLE | files).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Project(root / "spec", root / "features", root / "reference", root / "properties.py")


def test_the_project_has_no_gap():
    """Every rule has its prose, its source, its scenarios and its function, and nothing is over."""
    assert gaps(HERE) == []


def test_a_whole_specification_has_no_gap(tmp_path):
    """Where nothing is missing nothing is found."""
    assert gaps(written(tmp_path)) == []


@pytest.mark.parametrize("kind", BROKEN)
def test_a_gap_is_found(tmp_path, kind):
    """Each kind of gap is told, with its place, and nothing else is."""
    name, old, new, told = BROKEN[kind]
    assert WHOLE[name].count(old) == 1
    project = written(tmp_path, **{name: WHOLE[name].replace(old, new)})
    assert gaps(project) == ([told] if isinstance(told, str) else told)


def test_a_rule_without_scenarios_is_found(tmp_path):
    """A rule that is told and played but never shown is a gap for both sides."""
    feature = WHOLE[FEATURE].replace("@claiming.exact", "@claiming.lower")
    assert gaps(written(tmp_path, **{FEATURE: feature})) == [
        "claiming.exact: there should be a scenario for each side, and there is none"
    ]


def test_a_rule_that_is_told_twice_is_found(tmp_path):
    """The second telling of a rule is a gap."""
    prose = WHOLE[CLAIMING] + "\n### claiming.lower\n\nAgain.\n\n- source: book\n"
    assert "spec/rules: the rule claiming.lower is told 2 times" in gaps(
        written(tmp_path, **{CLAIMING: prose})
    )


def test_a_rule_in_the_wrong_chapter_is_found(tmp_path):
    """A rule stands in the chapter that its id begins with."""
    project = written(tmp_path, **{"spec/rules/failing.md": WHOLE[CLAIMING]})
    (project.spec / "rules" / "claiming.md").unlink()
    assert gaps(project) == [
        f"spec/rules/failing.md, {rule}: the rule stands in another chapter than its own"
        for rule in ("claiming.exact", "claiming.lower", "claiming.above-highest")
    ]


def test_an_unknown_chapter_is_found(tmp_path):
    """There are six chapters, and a file of another name is none."""
    project = written(tmp_path, **{"spec/rules/cheating.md": "# Cheating\n"})
    assert gaps(project) == ["spec/rules/cheating.md: there is no such chapter"]


def test_the_table_tells_what_bears_the_id_of_a_rule(tmp_path):
    """Each rule has a line: its prose, and how many scenarios and properties it has."""
    assert table(written(tmp_path)) == [
        "rule                    prose        scenarios  function  properties",
        "claiming.exact          2 sentences          2  exact              1",
        "claiming.lower          1 sentence           2  lower              1",
        "claiming.above-highest  1 sentence           2  follows            0",
    ]


def test_the_command_exits_with_1_if_there_is_a_gap(tmp_path, capsys):
    """`make trace` fails on a gap, and says which."""
    project = written(tmp_path)
    options = ["--spec", str(project.spec), "--features", str(project.features)]
    options += ["--reference", str(project.reference), "--properties", str(project.properties)]
    assert main(options) == 0
    assert capsys.readouterr().out.endswith("\n\nNo gap.\n")
    (project.spec / "cases.txt").write_text(WHOLE["spec/cases.txt"].replace("next", "nearest"))
    assert main(options) == 1
    assert capsys.readouterr().out.endswith(
        "\n\nspec/cases.txt: claiming/next is missing\n"
        "spec/cases.txt: there is no case claiming/nearest\n2 gaps\n"
    )
    assert main([*options, "--cases"]) == 0
    assert capsys.readouterr().out == WHOLE["spec/cases.txt"]


def test_a_missing_file_of_properties_is_an_error(tmp_path):
    """Without its file no rule has a property, and nobody would notice."""
    project = written(tmp_path)
    project.properties.unlink()
    with pytest.raises(FileNotFoundError, match=r"properties\.py"):
        gaps(project)


def test_properties_of_the_project_are_counted():
    """Most rules are borne by properties, too."""
    borne = {rule for rules in HERE.tested.values() for rule in rules}
    assert len(borne) > len(HERE.rules) / 2


def test_the_command_runs_as_a_script():
    """`python tests/rule_trace.py` traces the project itself."""
    command = [sys.executable, rule_trace.__file__]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.splitlines()[-1], ran.stderr) == (0, "No gap.", "")


def git(*words: str) -> str:
    """Return what git says; nothing without git, or where it knows nothing."""
    if shutil.which("git") is None:
        return ""
    command = ["git", "-C", str(ROOT), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def disappeared(history: str, listed: list[str], changelog: str) -> list[str]:
    """Return the cases that a history of `spec/cases.txt` took away without a word.

    A row is named in the changelog by its own id, or by that of its outline.
    """
    told = set(re.findall(r"[a-z]+/[\w/-]+", changelog))
    gone = set(re.findall(r"^-([a-z]+/\S+)$", history, re.MULTILINE)) - set(listed)
    return sorted(case for case in gone if not {case, case.rpartition("/")[0]} & told)


def test_no_case_disappears_without_a_word():
    """A case that was ever listed is still there, or the changelog tells that it is gone."""
    # What is committed, and what is not yet; every commit of origin that is ours lies in between.
    history = git("log", "-p", "-m", "--format=", "HEAD", "--", "spec/cases.txt")
    history += git("diff", "HEAD", "--", "spec/cases.txt")
    listed = (ROOT / "spec" / "cases.txt").read_text(encoding="utf-8").splitlines()
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert disappeared(history, listed, changelog) == []


def test_a_case_that_disappears_is_found():
    """A case that is gone and not told of is found; one that was moved or told of is not."""
    history = (
        "--- a/spec/cases.txt\n+++ b/spec/cases.txt\n-claiming/gone\n-claiming/moved\n"
        "-claiming/told\n-claiming/row/23\n-claiming/short\n+claiming/new\n"
    )
    changelog = "The cases `claiming/told`, `claiming/row` and claiming/shorter are gone."
    assert disappeared(history, ["claiming/moved", "claiming/new"], changelog) == [
        "claiming/gone",
        "claiming/short",
    ]


def told(pattern: str) -> set[str]:
    """Return what the descriptions of the scenarios name in this way."""
    return {name for one in HERE.scenarios for name in re.findall(pattern, one.description)}


def test_every_figure_of_the_rulebook_is_a_scenario():
    """The twelve figures with a situation of the game are all played."""
    figures = {"3", "4a", "4b", "4c", "4d", "4e", "5", "6a", "6b", "6c", "7a", "7b"}
    assert told(r"\bfigure (\w+)") == figures


def test_every_question_is_a_scenario():
    """The 24 questions that players ask are all answered."""
    assert told(r"\b[Qq]uestion (\d+)") == {str(number) for number in range(1, 25)}
