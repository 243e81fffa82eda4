"""Every fault of the catalogue, and the scenarios of its rules that an engine with it fails."""

from collections.abc import Callable, Iterable

from levels_in_process import under_test
from pickomino_conformance.cases import Verdict, features
from pickomino_conformance.cases.gherkin import FeatureCase, feature_cases
from pickomino_conformance.faults import CATALOGUE, Fault
from pickomino_conformance.faults.planting import ruling_faults
from pickomino_reference import Edition, Rulings, find_edition, make_rulings, ruling_values
from pickomino_reference.editions import ALTERNATIVES

AS_IT_IS = "the reference as it is"

# Every value of a ruling is a fault where another one is asked for.
_JUDGED = [make_rulings({one: value}) for one, values in ALTERNATIVES.items() for value in values]
RULING_FAULTS = {fault.name: fault for judged in _JUDGED for fault in ruling_faults(judged)}
FAULTS: dict[str, Fault] = {
    AS_IT_IS: Fault(AS_IT_IS, ()),
    **RULING_FAULTS,
    **{fault.name: fault for fault in CATALOGUE},
}


def made_to_fit(case: FeatureCase) -> Rulings:
    """Return the rulings of the default edition, but for those under which the case holds not."""
    rulings = find_edition().rulings
    values = ruling_values(rulings)
    return make_rulings(
        {name: wanted[0] for name, wanted in case.needs.items() if values[name] not in wanted},
        rulings,
    )


def faults_of(rules: Iterable[str]) -> list[str]:
    """Return the names of the faults that break one of these rules."""
    return [name for name, fault in FAULTS.items() if set(rules).intersection(fault.rules)]


def caught_by(
    engine: Callable[[list[Fault], Edition], object], wanted: tuple[Verdict, ...]
) -> dict[str, list[str]]:
    """Return by each fault the scenarios of its rules that come to one of these verdicts.

    `engine` makes the engine with faults. A fault that is none under the rulings of a scenario,
    because it plays the value that is asked for, is passed over there.
    """
    caught: dict[str, list[str]] = {name: [] for name in FAULTS}
    for case in feature_cases():
        rulings = made_to_fit(case)
        values = ruling_values(rulings)
        for name in (AS_IT_IS, *faults_of(case.rules)):
            played = FAULTS[name].rulings
            if played and all(values[ruling] == value for ruling, value in played.items()):
                continue
            subject = under_test(engine([FAULTS[name]], Edition("", "", rulings)), rulings)
            if features.judge_case(subject, case).verdict in wanted:
                caught[name].append(case.id)
    return caught
