"""The one reader of feature files: scenarios, outlines with their rows, and where each holds."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from gherkin import Compiler, Parser

from pickomino_conformance.cases import fits
from pickomino_conformance.cases.steps import GherkinStep, StepKind
from pickomino_conformance.specification import CHAPTERS, features_dir
from pickomino_reference import Rulings

CASE = "case"
UNSETTLED = "unsettled"

_CHAPTERS = tuple(f"{chapter}." for chapter in CHAPTERS)
_KINDS: dict[str, StepKind] = {"Context": "given", "Action": "when", "Outcome": "then"}


class FeatureCase(NamedTuple):
    """A case: a scenario, or one row of an outline.

    Attributes:
        id: `chapter/slug`, for a row with its first cell: `chapter/slug/row`.
        chapter: the name of its feature file.
        slug: its part of the case ids.
        title: what it claims.
        rules: the ids of the rules that it shows.
        needs: for each ruling that it hangs on, the values under which it holds.
        unsettled: whether no source tells what must come.
        steps: what is told, done and looked at, in order.
        line: the line of its scenario in the file, from 1.
    """

    id: str
    chapter: str
    slug: str
    title: str
    rules: tuple[str, ...]
    needs: dict[str, tuple[str, ...]]
    unsettled: bool
    steps: tuple[GherkinStep, ...]
    line: int

    def holds(self, rulings: Rulings) -> bool:
        """Whether it holds under these rulings."""
        return fits(rulings, self.needs)


class FeatureScenario(NamedTuple):
    """A scenario, or an outline with all its rows, as it stands in a feature file.

    Attributes:
        chapter: the name of the feature file.
        title: what it claims.
        description: the free text under its title.
        tags: its tags, and those of its `Rule`, without the `@`.
        source: its text, from its tags on, without the indentation.
        cases: one; of an outline one for each row.
    """

    chapter: str
    title: str
    description: str
    tags: tuple[str, ...]
    source: str
    cases: tuple[FeatureCase, ...]

    def __str__(self) -> str:
        return f"features/{self.chapter}.feature, {self.title!r}"

    @property
    def slugs(self) -> list[str]:
        """Its parts of the case ids; exactly one, where nothing is wrong."""
        return [tag.removeprefix(f"{CASE}=") for tag in self.tags if tag.startswith(f"{CASE}=")]

    @property
    def rules(self) -> list[str]:
        """The ids of the rules that it shows."""
        return _rules(self.tags)


def read_feature(text: str, chapter: str) -> list[FeatureScenario]:
    """Return the scenarios of a feature file, given its text and its name."""
    document: Any = Parser().parse(text)
    pickles: dict[str, list[Any]] = {}
    document["uri"] = chapter
    for pickle in Compiler().compile(document):
        pickles.setdefault(pickle["astNodeIds"][0], []).append(pickle)
    nodes = list(_nodes(document["feature"]["children"], document["feature"]["tags"]))
    sources = _sources(text, [node for node, _ in nodes])
    return [
        _scenario(chapter, node, tags, source, pickles.get(node["id"], []))
        for (node, tags), source in zip(nodes, sources, strict=True)
    ]


@cache
def feature_scenarios() -> tuple[FeatureScenario, ...]:
    """Return every scenario of the features, in the order of the chapters."""
    return tuple(
        scenario
        for chapter in CHAPTERS
        for scenario in read_feature(
            (features_dir() / f"{chapter}.feature").read_text(encoding="utf-8"), chapter
        )
    )


def feature_cases() -> Iterator[FeatureCase]:
    """Yield every case of the features, in the order of the chapters."""
    for scenario in feature_scenarios():
        yield from scenario.cases


def _nodes(children: Iterable[Any], inherited: list[Any]) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yield every scenario with its tags, and those of what it stands in."""
    for child in children:
        if "scenario" in child:
            tags = [*inherited, *child["scenario"]["tags"]]
            names = (tag["name"].removeprefix("@") for tag in tags)
            yield child["scenario"], tuple(dict.fromkeys(names))
        if "rule" in child:
            rule = child["rule"]
            yield from _nodes(rule["children"], [*inherited, *rule["tags"]])


def _scenario(
    chapter: str, node: Any, tags: tuple[str, ...], source: str, pickles: list[Any]
) -> FeatureScenario:
    scenario = FeatureScenario(chapter, node["name"], node["description"].strip(), tags, source, ())
    rows = [row["cells"][0]["value"] for table in node["examples"] for row in table["tableBody"]]
    slugs = scenario.slugs
    needs: dict[str, tuple[str, ...]] = {}
    for tag in tags:
        ruling, equals, value = tag.partition("=")
        if equals and ruling != CASE:
            needs[ruling] = (*needs.get(ruling, ()), value)
    cases = (
        FeatureCase(
            id="/".join([chapter, *slugs, *rows[place : place + 1]]),
            chapter=chapter,
            slug=slugs[0] if slugs else "",
            title=node["name"],
            rules=tuple(_rules(tags)),
            needs=needs,
            unsettled=UNSETTLED in tags,
            steps=tuple(_step(step) for step in pickle["steps"]),
            line=node["location"]["line"],
        )
        for place, pickle in enumerate(pickles)
    )
    return scenario._replace(cases=tuple(cases))


def _rules(tags: Iterable[str]) -> list[str]:
    return [tag for tag in tags if tag.startswith(_CHAPTERS)]


def _step(step: Any) -> GherkinStep:
    rows = step.get("argument", {}).get("dataTable", {}).get("rows", ())
    cells = tuple(tuple(cell["value"] for cell in row["cells"]) for row in rows)
    return GherkinStep(_KINDS[step["type"]], step["text"], cells)


def _sources(text: str, nodes: list[Any]) -> list[str]:
    """Return the text of each scenario, without its indentation and the empty lines around it.

    It ends where the next scenario begins, or the tags or the line of the next `Rule`.
    """
    lines = text.splitlines()
    told = []
    for node in nodes:
        begin = min(one["location"]["line"] for one in (node, *node["tags"])) - 1
        indent = len(lines[begin]) - len(lines[begin].lstrip())
        block = [lines[begin]]
        head = node["location"]["line"]
        for number, line in enumerate(lines[begin + 1 :], begin + 2):
            # Whatever stands as far to the left after the scenario's own line is another one.
            if number > head and line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            block.append(line)
        told.append("\n".join(line[indent:] for line in block).strip("\n") + "\n")
    return told
