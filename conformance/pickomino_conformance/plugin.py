"""The pytest plugin: options, the fixtures `pickomino_edition` and `pickomino_engine`, tags.

Everything here bears our prefix, and nothing happens in a test run that does not use it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pickomino_conformance.subject import Subject
    from pickomino_reference import Edition

ALL_EDITIONS = "all"

_RULE_TAG = re.compile(r"(setup|rolling|claiming|stealing|failing|ending)\.[a-z-]+")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options, all with our prefix."""
    group = parser.getgroup("pickomino", "conformance of an engine of Pickomino")
    group.addoption(
        "--pickomino-engine",
        metavar="ENGINE",
        default="reference",
        help="a bundled name, module:attribute, or a command ('-- COMMAND' is always a command)",
    )
    group.addoption(
        "--pickomino-edition",
        metavar="EDITION",
        help="edition and house rules to judge by, EDITION+HOUSE; 'all' for all that hold",
    )
    group.addoption(
        "--pickomino-ruling",
        metavar="RULING=VALUE",
        action="append",
        default=[],
        help="a single ruling, over those of the edition; may be repeated",
    )
    group.addoption(
        "--pickomino-as-declared",
        action="store_true",
        help="judge by the rulings that the engine declares",
    )
    group.addoption(
        "--pickomino-timeout",
        metavar="SECONDS",
        type=float,
        default=5.0,
        help="the longest wait for an answer",
    )
    group.addoption(
        "--pickomino-case", metavar="ID", action="append", default=[], help="only this scenario"
    )
    group.addoption("--pickomino-results", metavar="FILE", help="write each outcome as JSON lines")
    group.addoption(
        "--pickomino-failed-probe",
        metavar="NAME",
        action="append",
        default=[],
        help="a probe of level smoke that failed; what it poisons is not asked",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register our markers."""
    for line in (
        "pickomino_rule(id): the rule of the specification that a scenario belongs to",
        "pickomino_value(ruling, value): the scenario holds where the ruling has this value",
        "pickomino_case(slug): the scenario's part of its case id",
        "pickomino_unsettled: no source tells what must come",
        "pickomino_property(*ids): the rules that a property is about",
    ):
        config.addinivalue_line("markers", line)
    if config.getoption("--pickomino-edition") or config.getoption("--pickomino-ruling"):
        chosen_edition(config)


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_bdd_apply_tag(tag: str, function: Callable[..., Any]) -> bool | None:
    """Turn a tag of our features into one of our markers; leave all other tags alone."""
    if _RULE_TAG.fullmatch(tag):
        pytest.mark.pickomino_rule(tag)(function)
        return True
    if tag == "unsettled":
        pytest.mark.pickomino_unsettled(function)
        return True
    name, equals, value = tag.partition("=")
    if equals:
        mark = pytest.mark.pickomino_case(value)
        (mark if name == "case" else pytest.mark.pickomino_value(name, value))(function)
        return True
    return None


@pytest.fixture(scope="session")
def pickomino_edition(request: pytest.FixtureRequest) -> Edition:
    """The edition that was chosen, with its rulings."""
    return getattr(request, "param", None) or chosen_edition(request.config)


@pytest.fixture(scope="session")
def _pickomino_connection(request: pytest.FixtureRequest) -> Iterator[Any]:
    from pickomino_conformance.engines.found import connect
    from pickomino_conformance.engines.session import Unusable
    from pickomino_reference import UnknownName

    option = request.config.getoption
    try:
        engine = connect(option("--pickomino-engine"), option("--pickomino-timeout"))
    except (UnknownName, Unusable) as error:
        pytest.exit(f"--pickomino-engine: {error}", returncode=pytest.ExitCode.USAGE_ERROR)
    with engine:
        yield engine


@pytest.fixture(scope="session")
def pickomino_engine(
    request: pytest.FixtureRequest, pickomino_edition: Edition, _pickomino_connection: Any
) -> Subject:
    """The engine that was chosen, playing the edition as far as it can be configured to."""
    from pickomino_conformance.subject import Subject, as_declared, configuration

    rulings = pickomino_edition.rulings
    if request.config.getoption("--pickomino-as-declared"):
        rulings = as_declared(rulings, _pickomino_connection.hello)
    else:
        _pickomino_connection.configure(configuration(rulings))
    return Subject(_pickomino_connection, rulings)


def chosen_edition(config: pytest.Config) -> Edition:
    """Return the edition that the options choose; the default one for `all`.

    Raises:
        pytest.UsageError: no such edition, house rule, ruling or value.
    """
    from pickomino_reference import DEFAULT_EDITION, Contradiction, UnknownName, find_edition
    from pickomino_reference.editions import read_rulings

    name = config.getoption("--pickomino-edition")
    try:
        changes = read_rulings(config.getoption("--pickomino-ruling"))
        return find_edition(DEFAULT_EDITION if name in (None, ALL_EDITIONS) else name, changes)
    except (UnknownName, Contradiction) as error:
        raise pytest.UsageError(str(error)) from None
