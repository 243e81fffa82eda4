"""How pytest-bdd runs the features: what the steps mean, and how the end becomes a verdict.

The steps are those of `cases.steps`, the judge is that of level `features`: here the two are only
brought together.
"""

from collections.abc import Callable, Generator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pytest_bdd import given, then, when
from pytest_bdd.parsers import StepParser
from pytest_bdd.scenario import scenario_wrapper_template_registry as templates

from pickomino_conformance.cases import Judgement, Outcome, Verdict, outcome
from pickomino_conformance.cases.features import LEVEL, judge_scene
from pickomino_conformance.cases.gherkin import FeatureCase, feature_cases
from pickomino_conformance.cases.scene import Scene
from pickomino_conformance.cases.steps import STEPS, GherkinStep, StepForm, StepKind, tell
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.pytest_plugin import ALL_EDITIONS, chosen_edition, setting
from pickomino_conformance.words import message
from pickomino_reference import DEFAULT_EDITION, Edition, edition_names, find_edition

CASE = pytest.StashKey[FeatureCase]()
SCENE = pytest.StashKey[Scene]()
OUTCOME = pytest.StashKey[Outcome]()
HERE = Path(__file__).parent
KEYWORDS: dict[StepKind, Callable[..., Any]] = {"given": given, "when": when, "then": then}


class OneOf(StepParser):
    """Finds the steps of some forms; their definition gets the text as it stands.

    pytest-bdd looks through every definition for each step of each scenario: that there are four
    and not thirty halves its time.
    """

    def __init__(self, kind: StepKind, forms: Sequence[StepForm]) -> None:
        super().__init__(f"{kind}: {', '.join(form.text for form in forms)}")
        self._forms = forms

    def is_matching(self, name: str) -> bool:
        """Whether a step is of one of the forms."""
        return any(form.matches(name) for form in self._forms)

    def parse_arguments(self, name: str) -> dict[str, Any]:
        """Return the text of a step as an argument."""
        return {"told": name}


def definition(kind: StepKind, *, rows: bool) -> Callable[..., None]:
    """Return what steps do: they add to the scene what they tell."""

    def tell_it(scene: Scene, told: str) -> None:
        tell(scene, GherkinStep(kind, told))

    def tell_rows(scene: Scene, told: str, datatable: list[list[str]]) -> None:
        tell(scene, GherkinStep(kind, told, tuple(map(tuple, datatable))))

    return tell_rows if rows else tell_it


for _kind, _rows in dict.fromkeys((form.kind, form.rows) for form in STEPS):
    _forms = [form for form in STEPS if (form.kind, form.rows) == (_kind, _rows)]
    KEYWORDS[_kind](OneOf(_kind, _forms))(definition(_kind, rows=_rows))


@pytest.fixture(autouse=True)
def scene(request: pytest.FixtureRequest, pickomino_engine: EngineUnderTest) -> Scene:  # noqa: ARG001  # it must be there when the scenario is judged
    """What the steps of one scenario have told."""
    told = request.node.stash[SCENE] = Scene()
    return told


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take each scenario through the edition that was chosen, or through all that hold."""
    if "pickomino_edition" not in metafunc.fixturenames:
        return
    editions = [chosen_edition(metafunc.config)]
    if setting(metafunc.config, "edition") == ALL_EDITIONS:
        editions = editions_for(rows_of(metafunc.function)[0])
    names = [edition.name.replace(" ", "+") for edition in editions]
    metafunc.parametrize("pickomino_edition", editions, ids=names, indirect=True, scope="session")


def editions_for(case: FeatureCase) -> list[Edition]:
    """Return the editions in which a case holds, and the default one made to fit."""
    editions = [find_edition(name) for name in edition_names()]
    fitting = [edition for edition in editions if case.holds(edition.rulings)]
    if any(edition.name == DEFAULT_EDITION for edition in fitting):
        return fitting
    changes = {ruling: min(wanted) for ruling, wanted in case.needs.items()}
    return [find_edition(DEFAULT_EDITION, changes), *fitting]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the scenarios that do not hold, or were not asked for."""
    ours = [item for item in items if item.path.parent == HERE]
    for item in ours:
        item.stash[CASE] = case_of(item)
    wanted = set(config.getoption("--pickomino-case"))
    left_out = [item for item in ours if not (_is_wanted(item, wanted) and _holds(item))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def case_of(item: Any) -> FeatureCase:
    """Return the case that a collected scenario, or a row of it, is."""
    cases = rows_of(item.function)
    cells = item.callspec.params.get("_pytest_bdd_example", {}).values()
    if not cells:
        return cases[0]
    return next(case for case in cases if case.id.endswith(f"/{next(iter(cells))}"))


def rows_of(function: Callable[..., Any]) -> list[FeatureCase]:
    """Return the cases of a scenario as pytest-bdd has it, one a row."""
    template = templates[function]
    return _cases()[Path(template.feature.filename).stem, template.line_number]


@cache
def _cases() -> dict[tuple[str, int], list[FeatureCase]]:
    """Return the cases by the chapter and the line of their scenario."""
    found: dict[tuple[str, int], list[FeatureCase]] = {}
    for case in feature_cases():
        found.setdefault((case.chapter, case.line), []).append(case)
    return found


def _is_wanted(item: pytest.Item, wanted: set[str]) -> bool:
    case = item.stash[CASE]
    return not wanted or bool(wanted & {case.id, f"{case.chapter}/{case.slug}"})


def _holds(item: Any) -> bool:
    edition: Edition = item.callspec.params["pickomino_edition"]
    return case_of(item).holds(edition.rulings)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Generator[None, None, None]:
    """Judge a scenario once its steps have told it; tell a departure without any traceback."""
    yield
    case, engine = item.stash[CASE], item.funcargs["pickomino_engine"]
    found = item.stash[OUTCOME] = judge_scene(engine, case, item.stash[SCENE])
    if found.verdict is not Verdict.PASS:
        told = f"{case.id} ({', '.join(case.rules)}): {found.verdict}\n{message(found)}"
        if found.verdict in (Verdict.FAIL, Verdict.ERROR):
            raise pytest.fail.Exception(told, pytrace=False)
        raise pytest.skip.Exception(told)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the outcome of a scenario; whatever has none by now is an error of ours."""
    report = yield
    if call.when == "call" or (call.when == "setup" and not report.passed):
        case = item.stash[CASE]
        said = str(call.excinfo.value) if call.excinfo else ""
        wrong = outcome(case.id, LEVEL, Judgement(Verdict.ERROR, case.rules, (), said))
        told = msgspec.json.encode(item.stash.get(OUTCOME, wrong)).decode()
        report.user_properties.append(("pickomino", told))
    return report
