"""The pytest plugin: options, the fixtures `pickomino_edition` and `pickomino_engine`, tags.

Everything here has our prefix. pytest imports this module in every project in whose environment
we are installed, so it costs next to nothing: whatever a run may not need is imported late.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pickomino_conformance.engine import EngineUnderTest
    from pickomino_reference import Edition

ALL_EDITIONS = "all"
REFERENCE = "reference"
SUITE = "pickomino_conformance.suite"

_RULE_TAG = re.compile(r"(setup|rolling|claiming|stealing|failing|ending)\.[a-z-]+")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options and settings, all with our prefix; an option outweighs its setting."""
    group = parser.getgroup("pickomino", "conformance of an engine of Pickomino")
    group.addoption(
        "--pickomino-engine",
        metavar="ENGINE",
        help="a bundled name, module:attribute, or a command ('-- COMMAND' is always one)",
    )
    group.addoption(
        "--pickomino-edition",
        metavar="EDITION",
        help="edition to judge by, with house rules: EDITION+HOUSE; 'all' takes every edition",
    )
    group.addoption(
        "--pickomino-ruling",
        metavar="RULING=VALUE",
        action="append",
        help="one ruling, over the edition; repeatable",
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
        help="longest wait for an answer",
    )
    parser.addini("pickomino_engine", "the engine to be checked", default=REFERENCE)
    parser.addini("pickomino_edition", "the edition to judge by, EDITION+HOUSE", default="")
    parser.addini("pickomino_ruling", "rulings over the edition, RULING=VALUE", type="linelist")
    parser.addini("pickomino_timeout", "longest wait for an answer, in seconds", default="5")
    group.addoption(
        "--pickomino-case", metavar="ID", action="append", default=[], help="only this scenario"
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
    if setting(config, "edition") or setting(config, "ruling"):
        chosen_edition(config)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Say what the suite needs, before pytest imports it.

    Raises:
        pytest.UsageError: the suite is to be run, and pytest-bdd is not installed.
    """
    asked = early_config.known_args_namespace.file_or_dir
    if not any(SUITE in re.sub(r"[/\\]", ".", one) for one in asked):
        return
    if importlib.util.find_spec("pytest_bdd") is None:
        raise pytest.UsageError(
            "The suite needs pytest-bdd, which is not installed: "
            "pip install 'pickomino-spec[pytest]'"
        )


def setting(config: pytest.Config, name: str) -> Any:
    """Return the value of our option, or else of the setting of the same name."""
    given = config.getoption(f"--pickomino-{name}")
    return config.getini(f"pickomino_{name}") if given in (None, []) else given


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_bdd_apply_tag(tag: str, function: Callable[..., Any]) -> bool | None:
    """Turn a tag of our features into one of our markers; leave all other tags alone."""
    if not _is_ours(function):
        return None
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


def _is_ours(function: Callable[..., Any]) -> bool:
    """Whether a scenario stands in one of our features: others may use the same tags."""
    from pickomino_conformance.specification import features_dir

    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    files = [one.filename for one in cells if hasattr(one, "filename")]
    return any(Path(file).is_relative_to(features_dir()) for file in files)


@pytest.fixture(scope="session")
def pickomino_edition(request: pytest.FixtureRequest) -> Edition:
    """The edition that was chosen, with its rulings."""
    return getattr(request, "param", None) or chosen_edition(request.config)


@pytest.fixture(scope="session")
def _pickomino_conversation(request: pytest.FixtureRequest) -> Iterator[Any]:
    from pickomino_conformance.protocol.conversation import Unusable
    from pickomino_conformance.protocol.finding import connect
    from pickomino_conformance.protocol.wire import LONGEST_TIMEOUT
    from pickomino_reference import UnknownName

    try:
        timeout = float(setting(request.config, "timeout"))
    except ValueError as error:
        raise pytest.UsageError(f"pickomino_timeout is a number of seconds: {error}") from None
    if not 0 < timeout <= LONGEST_TIMEOUT:
        raise pytest.UsageError(
            f"pickomino_timeout is a number of seconds, at most a day, not {timeout:g}"
        )
    try:
        conversation = connect(setting(request.config, "engine"), timeout)
    except (UnknownName, Unusable) as error:
        pytest.exit(f"--pickomino-engine: {error}", returncode=pytest.ExitCode.USAGE_ERROR)
    with conversation:
        yield conversation


@pytest.fixture(scope="session")
def pickomino_engine(
    request: pytest.FixtureRequest, pickomino_edition: Edition, _pickomino_conversation: Any
) -> EngineUnderTest:
    """The engine that was chosen, configured to play the edition as far as it can."""
    from pickomino_conformance.engine import EngineUnderTest
    from pickomino_conformance.protocol.translate import as_declared, configuration

    rulings = pickomino_edition.rulings
    if request.config.getoption("--pickomino-as-declared"):
        rulings = as_declared(rulings, _pickomino_conversation.hello)
    else:
        _pickomino_conversation.configure(configuration(rulings))
    return EngineUnderTest(_pickomino_conversation, rulings)


def chosen_edition(config: pytest.Config) -> Edition:
    """Return the edition that the options choose; the default one for `all`.

    Raises:
        pytest.UsageError: no such edition, house rule, ruling or value.
    """
    from pickomino_reference import DEFAULT_EDITION, Contradiction, UnknownName, find_edition
    from pickomino_reference.editions import read_rulings

    name = setting(config, "edition")
    try:
        changes = read_rulings(setting(config, "ruling"))
        return find_edition(DEFAULT_EDITION if name in ("", ALL_EDITIONS) else name, changes)
    except (UnknownName, Contradiction) as error:
        raise pytest.UsageError(str(error)) from None
