"""The scenarios of `features/` as the site shows them: each with the scenes of all its cases."""

from dataclasses import dataclass
from functools import cache

from pickomino_conformance.cases.gherkin import FeatureCase, feature_scenarios
from pickomino_conformance.cases.scene import Scene
from pickomino_conformance.cases.steps import scene_of
from pickomino_reference import Rulings, make_rulings


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """A scenario of a chapter.

    Attributes:
        case: its case; of an outline the first.
        plays: what each of its cases tells; one, unless it is an outline.
    """

    case: FeatureCase
    plays: tuple[Scene, ...]

    @property
    def chapter(self) -> str:
        """The feature file that it stands in."""
        return self.case.chapter

    @property
    def slug(self) -> str:
        """Its part of the case ids."""
        return self.case.slug

    @property
    def title(self) -> str:
        """What it claims."""
        return self.case.title

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it shows."""
        return self.case.rules

    @property
    def needs(self) -> dict[str, tuple[str, ...]]:
        """For each ruling that it hangs on, the values under which it holds."""
        return self.case.needs

    @property
    def rulings(self) -> Rulings:
        """Rulings under which it holds."""
        return make_rulings({ruling: values[0] for ruling, values in self.needs.items()})

    @property
    def anchor(self) -> str:
        """Where it stands on the page of its chapter."""
        return f"case-{self.slug}"


@cache
def read_scenarios() -> tuple[Scenario, ...]:
    """Return every scenario, in the order of the chapters.

    Raises:
        UnknownStep: a step is of no form of the table of steps.
    """
    return tuple(
        Scenario(one.cases[0], tuple(scene_of(case.steps) for case in one.cases))
        for one in feature_scenarios()
    )
