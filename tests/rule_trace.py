"""What hangs together: each rule with its prose, scenarios, function and properties, and the gaps.

`python tests/rule_trace.py` prints the table and the gaps; it exits with 1 if there
is a gap. With `--cases` it prints the ids of all cases instead, as `spec/cases.txt` has them.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pickomino_reference
from pickomino_conformance.cases.gherkin import CASE, UNSETTLED, FeatureScenario, read_feature
from pickomino_conformance.specification import CHAPTERS, RuleProse, features_dir, parse_chapter
from pickomino_reference.data import spec_dir

SAYS = ("agrees", "differs", "silent", "unread", "unsettled")
NO_SOURCE = "none"
PROPERTY = "pickomino_property"

_CHAPTER = "|".join(CHAPTERS)
_RULE_ID = re.compile(rf"(?:{_CHAPTER})\.[a-z]+(?:-[a-z]+)*")
# `failing.feature` is a file, not a rule.
_MENTION = re.compile(rf"\b(?:{_CHAPTER})\.(?!(?:feature|md|py)\b)[a-z]+(?:-[a-z]+)*")
_CODE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True)
class Project:
    """The parts of the specification, read when they are first looked at.

    Attributes:
        spec: the folder of prose and data.
        features: the folder of the feature files.
        reference: the folder of the reference's modules.
        properties: the file of the properties.
    """

    spec: Path
    features: Path
    reference: Path
    properties: Path

    @cached_property
    def rules(self) -> list[RuleProse]:
        """Every rule as the prose tells it, in the order of the chapters."""
        return [rule for text in self.prose.values() for rule in parse_chapter(text)]

    @cached_property
    def rule_ids(self) -> set[str]:
        """The ids of all rules."""
        return {rule.id for rule in self.rules}

    @cached_property
    def prose(self) -> dict[str, str]:
        """The text of each chapter."""
        return {
            path.stem: path.read_text(encoding="utf-8")
            for path in _by_chapter((self.spec / "rules").glob("*.md"))
        }

    @cached_property
    def data(self) -> dict[str, dict[str, Any]]:
        """The tables of each data file, by its name."""
        return {
            path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
            for path in sorted(self.spec.glob("*.toml"))
        }

    @cached_property
    def values(self) -> set[str]:
        """Every value of every ruling, in the form `ruling=value`."""
        return {
            f"{ruling}={value}"
            for ruling, told in self.data["rulings"].items()
            for value in told["alternatives"]
        }

    @cached_property
    def scenarios(self) -> list[FeatureScenario]:
        """Every scenario, in the order of the chapters and files."""
        paths = _by_chapter(self.features.glob("*.feature"))
        texts = [(path.read_text(encoding="utf-8"), path.stem) for path in paths]
        return [scenario for text, chapter in texts for scenario in read_feature(text, chapter)]

    @cached_property
    def cases(self) -> list[str]:
        """The ids of all cases, in the order of the scenarios."""
        return [case.id for one in self.scenarios for case in one.cases if case.slug]

    @cached_property
    def functions(self) -> dict[str, str]:
        """The rule with which the docstring of a function begins, by `module.function`."""
        paths = _by_chapter(self.reference.glob("*.py"))
        return dict(one for path in paths if path.stem in CHAPTERS for one in _read_module(path))

    @cached_property
    def tested(self) -> dict[str, list[str]]:
        """The ids that each property names."""
        tree = ast.parse(self.properties.read_text(encoding="utf-8"))
        found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        named = {function.name: list(_named_rules(function)) for function in found}
        return {name: rules for name, rules in named.items() if rules}


HERE = Project(
    spec=spec_dir(),
    features=features_dir(),
    reference=Path(pickomino_reference.__path__[0]),
    properties=Path(__file__).parent / "exhaustive" / "test_properties.py",
)


def table(project: Project) -> list[str]:
    """Return the lines of the table: a rule a line, with what bears its id."""
    functions = {rule: name.partition(".")[2] for name, rule in project.functions.items()}
    scenarios = Counter(rule for scenario in project.scenarios for rule in scenario.rules)
    properties = Counter(rule for rules in project.tested.values() for rule in set(rules))
    rows = [("rule", "prose", "scenarios", "function", "properties")]
    rows += [
        (
            rule.id,
            _sentences(len(rule.statement)),
            str(scenarios[rule.id]),
            functions.get(rule.id, "follows" if rule.follows else "-"),
            str(properties[rule.id]),
        )
        for rule in project.rules
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numbers = (2, 4)
    return [
        "  ".join(
            cell.rjust(width) if column in numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def gaps(project: Project) -> list[str]:
    """Return every gap, as a sentence that says where it is and what is missing."""
    parts = (_prose, _mentions, _sources, _rulings, _scenarios, _sides, _cases)
    return [gap for part in (*parts, _functions, _properties) for gap in part(project)]


def _prose(project: Project) -> Iterator[str]:
    """What the prose lacks, or names although there is no such thing."""
    sources = _sources_of(project)
    for chapter, text in project.prose.items():
        if chapter not in CHAPTERS:
            yield f"spec/rules/{chapter}.md: there is no such chapter"
        for rule in parse_chapter(text):
            where = f"spec/rules/{chapter}.md, {rule.id}"
            if rule.chapter != chapter:
                yield f"{where}: the rule stands in another chapter than its own"
            if not rule.statement:
                yield f"{where}: the rule says nothing"
            if not rule.source or (rule.source == NO_SOURCE and not rule.unsettled):
                yield f"{where}: the rule has no source"
            elif (source := rule.source.partition(",")[0]) not in {*sources, NO_SOURCE}:
                yield f"{where}: there is no source {source!r}"
            if rule.ruling and rule.ruling not in project.data["rulings"]:
                yield f"{where}: there is no ruling {rule.ruling!r}"
    for rule_id, told in Counter(rule.id for rule in project.rules).items():
        if told > 1:
            yield f"spec/rules: the rule {rule_id} is told {told} times"


def _mentions(project: Project) -> Iterator[str]:
    """Words of the prose, the data and the features that name nothing."""
    editions = project.data["editions"]
    names = {*project.rule_ids, *_sources_of(project), *project.data["rulings"], *project.values}
    names |= {*editions["editions"], *editions["house-rules"]}
    texts = [(f"spec/rules/{chapter}.md", text) for chapter, text in project.prose.items()]
    for where, text in texts:
        # What looks like a rule is looked for below, in every text.
        for name in dict.fromkeys(_CODE.findall(text)):
            if not _RULE_ID.fullmatch(name) and name.replace(" = ", "=") not in names:
                yield f"{where}: `{name}` names nothing"
    texts += [
        (f"spec/{name}.toml", text) for name, told in project.data.items() for text in _texts(told)
    ]
    texts += [(str(scenario), scenario.description) for scenario in project.scenarios]
    for where, text in texts:
        for rule in dict.fromkeys(_MENTION.findall(text)):
            if rule not in project.rule_ids:
                yield f"{where}: there is no rule {rule}"


def _sources(project: Project) -> Iterator[str]:
    """Rules of which a source was not asked, and cells that say nothing sensible."""
    told = project.data["sources"]["rules"]
    compared = {source for cells in told.values() for source in cells}
    for source in sorted(compared - _sources_of(project)):
        yield f"spec/sources.toml: there is no source {source!r}"
    for rule_id in sorted(set(told) - project.rule_ids):
        yield f"spec/sources.toml: there is no rule {rule_id}"
    for rule in project.rules:
        cells = told.get(rule.id, {})
        for source in sorted(compared - set(cells)):
            yield f"spec/sources.toml: {source} is not asked about {rule.id}"
        for source, cell in cells.items():
            where = f"spec/sources.toml, {rule.id}, {source}"
            says, value = _cell(cell)
            if says not in SAYS:
                yield f"{where}: {says!r} is none of {', '.join(SAYS)}"
            if (says == "differs") != bool(value):
                yield f"{where}: exactly a source that differs names a value"
            elif value and value not in {
                v for v in project.values if v.startswith(f"{rule.ruling}=")
            }:
                yield f"{where}: {value!r} is no value of a ruling of this rule"
        settled = not (rule.follows or rule.unsettled)
        if cells and settled and "agrees" not in {_cell(cell)[0] for cell in cells.values()}:
            yield f"spec/sources.toml: no source agrees with {rule.id}"


def _rulings(project: Project) -> Iterator[str]:
    """Rulings that don't fit to their rules, to the sources, or to the editions."""
    told = project.data["sources"]["rules"]
    for ruling, data in project.data["rulings"].items():
        where = f"spec/rulings.toml, {ruling}"
        if set(data["rules"]) != {rule.id for rule in project.rules if rule.ruling == ruling}:
            yield f"{where}: its rules are not those that name it"
        for source in sorted(set(data["sources"]) - _sources_of(project)):
            yield f"{where}: there is no source {source!r}"
        cells = [told.get(rule, {}) for rule in data["rules"]]
        first = next(iter(data["alternatives"]))
        for source in sorted({*data["sources"], *(name for row in cells for name in row)}):
            says = [_cell(row.get(source, "unread")) for row in cells]
            differing = {value.partition("=")[2] for _, value in says if value}
            value = data["sources"].get(source)
            # What a source leaves open may be given a value by its wording.
            left_open = value != first and ("unsettled", "") in says
            if (differing or {first}) != {value or first} and not left_open:
                yield f"{where}: spec/sources.toml has another value for {source}"
    editions = project.data["editions"]
    for name, edition in (editions["editions"] | editions["house-rules"]).items():
        for source in _listed(edition["source"]):
            if source not in _sources_of(project):
                yield f"spec/editions.toml, {name}: there is no source {source!r}"


def _scenarios(project: Project) -> Iterator[str]:
    """Scenarios whose tags are wrong, or whose title another one has."""
    unsettled = {rule.id for rule in project.rules if rule.unsettled}
    names = {*project.rule_ids, *project.values, UNSETTLED}
    for scenario in project.scenarios:
        if scenario.chapter not in CHAPTERS:
            yield f"{scenario}: there is no such chapter"
        if not scenario.rules:
            yield f"{scenario}: the scenario has no rule"
        for tag in scenario.tags:
            if tag not in names and not tag.startswith(f"{CASE}="):
                yield f"{scenario}: the tag @{tag} names nothing"
        if len(scenario.slugs) != 1:
            yield f"{scenario}: there is not one tag @case=, but {len(scenario.slugs)}"
        if (UNSETTLED in scenario.tags) != bool(unsettled & set(scenario.rules)):
            yield f"{scenario}: @unsettled stands with rules that are unsettled, and with no others"
    for place, number in Counter((one.chapter, one.title) for one in project.scenarios).items():
        if number > 1:
            yield f"features/{place[0]}.feature: {number} scenarios have the title {place[1]!r}"


def _sides(project: Project) -> Iterator[str]:
    """Rules that are not shown from both sides, and values that are not shown."""
    number = Counter(rule for scenario in project.scenarios for rule in set(scenario.rules))
    for rule in project.rules:
        if number[rule.id] < 2:
            told = number[rule.id] or "none"
            yield f"{rule.id}: there should be a scenario for each side, and there is {told}"
    tags = {tag for scenario in project.scenarios for tag in scenario.tags}
    for value in sorted(project.values - tags):
        yield f"{value}: there is no scenario with this value"


def _cases(project: Project) -> Iterator[str]:
    """Case ids that are not unique, or that `spec/cases.txt` has otherwise."""
    for case, number in Counter(project.cases).items():
        if number > 1:
            yield f"{case}: {number} cases have this id"
    path = project.spec / "cases.txt"
    listed = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    missing = sorted(set(project.cases) - set(listed))
    unknown = sorted(set(listed) - set(project.cases))
    yield from (f"spec/cases.txt: {case} is missing" for case in missing)
    yield from (f"spec/cases.txt: there is no case {case}" for case in unknown)
    if not (missing or unknown) and listed != list(dict.fromkeys(project.cases)):
        yield "spec/cases.txt: the cases are not in the order of the features"


def _functions(project: Project) -> Iterator[str]:
    """Rules without their function, and functions without their rule."""
    for name, rule_id in project.functions.items():
        if rule_id not in project.rule_ids:
            yield f"{name}: there is no rule {rule_id}"
        elif name != rule_id.replace("-", "_"):
            yield f"{name}: it begins with the rule {rule_id}, whose name it does not bear"
    have = set(project.functions.values())
    for rule in project.rules:
        if rule.follows and rule.id in have:
            yield f"{rule.id}: it follows from others, and has a function all the same"
        if not rule.follows and rule.id not in have:
            yield f"{rule.id}: it has no function, and is not marked as following from others"


def _properties(project: Project) -> Iterator[str]:
    """Properties of rules that don't exist."""
    for name, rules in project.tested.items():
        for rule in rules:
            if rule not in project.rule_ids:
                yield f"{project.properties.name}, {name}: there is no rule {rule}"


def _by_chapter(paths: Iterable[Path]) -> list[Path]:
    """Return files in the order of the chapters, others last."""
    order = {chapter: place for place, chapter in enumerate(CHAPTERS)}
    return sorted(paths, key=lambda path: (order.get(path.stem, len(order)), path.name))


def _read_module(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            first, colon, _ = (ast.get_docstring(node) or "").partition(":")
            if colon and _RULE_ID.fullmatch(first):
                yield f"{path.stem}.{node.name}", first


def _named_rules(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the ids in the markers of a property."""
    for mark in function.decorator_list:
        if (
            isinstance(mark, ast.Call)
            and isinstance(mark.func, ast.Attribute)
            and mark.func.attr == PROPERTY
        ):
            for argument in mark.args:
                yield str(ast.literal_eval(argument))


def _sources_of(project: Project) -> set[str]:
    return set(project.data["sources"]["sources"])


def _cell(cell: Any) -> tuple[str, str]:
    """Return what a cell says, and the value it names."""
    return (cell, "") if isinstance(cell, str) else (cell["says"], cell.get("value", ""))


def _listed(names: str | list[str]) -> list[str]:
    return [names] if isinstance(names, str) else names


def _sentences(number: int) -> str:
    return "1 sentence" if number == 1 else f"{number} sentences"


def _texts(told: Any) -> Iterator[str]:
    """Yield every text in a TOML value, but not its keys."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict | list):
        for part in told.values() if isinstance(told, dict) else told:
            yield from _texts(part)


def main(arguments: list[str] | None = None) -> int:
    """Print the table and the gaps, or the case ids; return the exit status."""
    parser = argparse.ArgumentParser(prog="python tests/rule_trace.py")
    parser.description = "Show what bears the id of each rule, and what is missing."
    parser.add_argument("--spec", type=Path, default=HERE.spec, metavar="DIR")
    parser.add_argument("--features", type=Path, default=HERE.features, metavar="DIR")
    parser.add_argument("--reference", type=Path, default=HERE.reference, metavar="DIR")
    parser.add_argument("--properties", type=Path, default=HERE.properties, metavar="FILE")
    parser.add_argument("--cases", action="store_true", help="print the ids of all cases instead")
    chosen = parser.parse_args(arguments)
    project = Project(chosen.spec, chosen.features, chosen.reference, chosen.properties)
    if chosen.cases:
        sys.stdout.write("".join(f"{case}\n" for case in project.cases))
        return 0
    found = gaps(project)
    told = f"{len(found)} gaps" if len(found) != 1 else "1 gap"
    sys.stdout.write("\n".join([*table(project), "", *found, told if found else "No gap."]) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
