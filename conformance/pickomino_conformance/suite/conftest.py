"""The steps of the features, and how the outcome of a scenario becomes a verdict.

Steps are few and general: a table is laid, players roll, stop and claim, and then one thing is
looked at. Each `Then` compares whole values.
"""

import inspect
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from parse import with_pattern
from pytest_bdd import given, parsers, then, when

from pickomino_conformance import sentences
from pickomino_conformance.cases import (
    VERDICTS,
    Conversation,
    Departure,
    Exchange,
    Outcome,
    Verdict,
)
from pickomino_conformance.engines.session import Engine
from pickomino_conformance.levels import smoke
from pickomino_conformance.plugin import ALL_EDITIONS, chosen_edition, setting
from pickomino_conformance.protocol import ClaimMessage, Decision
from pickomino_conformance.subject import Subject
from pickomino_conformance.suite.remembering import remember_steps
from pickomino_conformance.suite.scene import ChoseItself, Scene
from pickomino_reference import (
    DEFAULT_EDITION,
    Edition,
    Rulings,
    edition_names,
    find_edition,
    ruling_values,
)

remember_steps()


def tiles(text: str) -> tuple[int, ...]:
    """Return the tiles of `21 to 23 36`; none of `nothing`."""
    if text == "nothing":
        return ()
    spread = re.sub(
        r"(\d+) to (\d+)",
        lambda run: " ".join(map(str, range(int(run[1]), int(run[2]) + 1))),
        text,
    )
    return tuple(map(int, spread.split()))


def step(kind: Callable[..., Any], text: str) -> Callable[[Callable[..., None]], object]:
    """Return the decorator of a step definition; `{own:Tiles}` in its text are tiles."""

    def decorate(function: Callable[..., None]) -> object:
        # pytest-bdd asks for the signature four times a step; it is quick if it stands there.
        function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
        parser = parsers.parse(text, extra_types={"Tiles": TILES})
        return kind(parser, stacklevel=2)(function)

    return decorate


TILES = with_pattern(r"nothing|\d[\d to]*")(tiles)


@dataclass(frozen=True, slots=True)
class Tags:
    """What the tags of a scenario say."""

    case: str
    rules: tuple[str, ...]
    needs: dict[str, frozenset[str]]
    unsettled: bool

    def hold(self, rulings: Rulings) -> bool:
        """Whether the scenario holds under these rulings."""
        values = ruling_values(rulings)
        return all(values[ruling] in wanted for ruling, wanted in self.needs.items())


TAGS = pytest.StashKey[Tags]()
SCENE = pytest.StashKey[Scene]()
OUTCOME = pytest.StashKey[Outcome]()
ENGINE = pytest.StashKey[Engine]()
HERE = Path(__file__).parent


def tags_of(item: pytest.Item) -> Tags:
    """Return what the tags of a collected scenario say."""
    if TAGS not in item.stash:
        item.stash[TAGS] = _read_tags(item)
    return item.stash[TAGS]


def _read_tags(item: pytest.Item) -> Tags:
    chapter = Path(item.path).stem.removeprefix("test_")
    slugs = [mark.args[0] for mark in item.iter_markers("pickomino_case")]
    callspec = getattr(item, "callspec", None)
    row = callspec.params.get("_pytest_bdd_example", {}) if callspec else {}
    needs: dict[str, frozenset[str]] = {}
    for mark in item.iter_markers("pickomino_value"):
        ruling, value = mark.args
        needs[ruling] = needs.get(ruling, frozenset()) | {value}
    return Tags(
        case="/".join([chapter, *slugs, *list(row.values())[:1]]),
        rules=tuple(sorted(mark.args[0] for mark in item.iter_markers("pickomino_rule"))),
        needs=needs,
        unsettled=item.get_closest_marker("pickomino_unsettled") is not None,
    )


def editions_for(needs: dict[str, frozenset[str]]) -> list[Edition]:
    """Return the editions in which a scenario holds, and the default one made to fit."""
    editions = [find_edition(name) for name in edition_names()]
    fitting = [
        edition
        for edition in editions
        if all(ruling_values(edition.rulings)[r] in wanted for r, wanted in needs.items())
    ]
    if any(edition.name == DEFAULT_EDITION for edition in fitting):
        return fitting
    changes = {ruling: min(wanted) for ruling, wanted in needs.items()}
    return [find_edition(DEFAULT_EDITION, changes), *fitting]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take each scenario through the edition that was chosen, or through all that hold."""
    if "pickomino_edition" not in metafunc.fixturenames:
        return
    editions = [chosen_edition(metafunc.config)]
    if setting(metafunc.config, "edition") == ALL_EDITIONS:
        editions = editions_for(tags_of(metafunc.definition).needs)
    names = [edition.name.replace(" ", "+") for edition in editions]
    metafunc.parametrize("pickomino_edition", editions, ids=names, indirect=True, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the scenarios that do not hold, or were not asked for."""
    wanted = set(config.getoption("--pickomino-case"))
    kept, left_out = [], []
    for item in items:
        if not _ours(item):
            kept.append(item)
            continue
        tags = tags_of(item)
        edition = item.callspec.params["pickomino_edition"]  # type: ignore[attr-defined]
        if wanted and not wanted.intersection({tags.case, tags.case.rpartition("/")[0]}):
            left_out.append(item)
        elif not tags.hold(edition.rulings):
            left_out.append(item)
            _write(config, _outcome(tags, Verdict.NOT_APPLICABLE))
        else:
            kept.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


@pytest.fixture(autouse=True)
def scene(request: pytest.FixtureRequest, pickomino_engine: Subject) -> Scene:
    """The scene of one scenario."""
    failed = smoke.named(request.config.getoption("--pickomino-failed-probe"))
    scene = Scene(pickomino_engine, tags_of(request.node).rules, failed)
    request.node.stash[SCENE] = scene
    request.config.stash[ENGINE] = pickomino_engine.engine
    return scene


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Turn the end of a scenario into a verdict and a sentence, without any traceback."""
    scene, tags = item.stash[SCENE], tags_of(item)
    try:
        yield
        item.stash[OUTCOME] = _outcome(tags, Verdict.PASS, exchanges=scene.subject.exchanges)
    except ChoseItself:
        item.stash[OUTCOME] = _outcome(tags, Verdict.PASS, exchanges=scene.subject.exchanges)
    except tuple(VERDICTS) as error:
        verdict = VERDICTS[type(error)]
        if verdict is Verdict.FAIL and tags.unsettled:
            verdict = Verdict.UNSETTLED
        message = f"{scene.tell()} {error}"
        item.stash[OUTCOME] = _outcome(tags, verdict, message, scene.subject.exchanges)
        told = f"{tags.case} ({', '.join(tags.rules)}): {verdict}\n{message}"
        if verdict in (Verdict.FAIL, Verdict.ERROR):
            raise pytest.fail.Exception(told, pytrace=False) from None
        raise pytest.skip.Exception(told) from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write the outcome of a scenario; whatever has no verdict by now is an error of ours."""
    report = yield
    if call.when == "call" or (call.when == "setup" and not report.passed):
        verdict = Verdict.PASS if report.passed else Verdict.ERROR
        said = str(call.excinfo.value) if call.excinfo else ""
        outcome = item.stash.get(OUTCOME, None) or _outcome(tags_of(item), verdict, said)
        _write(item.config, outcome)
        report.user_properties.append(("pickomino", msgspec.json.encode(outcome).decode()))
    return report


def _ours(item: pytest.Item) -> bool:
    return item.path.parent == HERE


def _outcome(
    tags: Tags, verdict: Verdict, message: str = "", exchanges: Sequence[Exchange] = ()
) -> Outcome:
    return Outcome(tags.case, "features", tags.rules, verdict, message, tuple(exchanges))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write how the conversation with the engine went."""
    engine = session.config.stash.get(ENGINE, None)
    if engine is not None:
        _write(session.config, engine.conversation)


def _write(config: pytest.Config, outcome: Outcome | Conversation) -> None:
    path = config.getoption("--pickomino-results")
    if path:
        with Path(path).open("ab") as file:
            file.write(msgspec.json.encode(outcome) + b"\n")


def same(what: str, expected: object, came: object, show: Any = str) -> None:
    """Raise `Departure` unless the two are equal; `what` says what they are."""
    if expected != came:
        raise Departure(f"Expected: {what} {show(expected)}. Came: {what} {show(came)}.")


@step(given, "the grill shows {row:Tiles}")
def _(scene: Scene, row: tuple[int, ...]) -> None:
    scene.lay_grill(row)


@step(given, "{name} owns {own:Tiles}")
def _(scene: Scene, name: str, own: tuple[int, ...]) -> None:
    scene.lay_stack(name, own)


@step(given, "the {tile:d} was just stolen from {name}")
def _(scene: Scene, tile: int, name: str) -> None:
    scene.bar(tile, name)


@step(when, "{name} rolls")
def _(scene: Scene, name: str, datatable: list[list[str]]) -> None:
    heading, *rows = datatable
    assert heading == ["dice", "sets aside"], "a table of rolls has the columns dice, sets aside"
    scene.act(name).add_rolls([(dice.replace(" ", ""), face) for dice, face in rows])


@step(when, "{name} stops")
def _(scene: Scene, name: str) -> None:
    scene.act(name).stop(None)


@step(when, "{name} stops and takes {tile:d}")
def _(scene: Scene, name: str, tile: int) -> None:
    scene.act(name).stop(ClaimMessage(take=tile))


@step(when, "{name} stops and steals from {victim}")
def _(scene: Scene, name: str, victim: str) -> None:
    scene.act(name).stop(ClaimMessage(steal=scene.seat(victim)))


@step(when, "{name} rolls on")
def _(scene: Scene, name: str) -> None:
    scene.act(name)
    scene.roll_on()


@step(when, "{name} rolls on before choosing")
def _(scene: Scene, name: str) -> None:
    scene.act(name).before_choosing(Decision(keep=None, then="roll"))
    scene.roll_on()


@step(when, "{name} stops before choosing")
def _(scene: Scene, name: str) -> None:
    scene.act(name).before_choosing(Decision(keep=None, then="stop", claim=None))


@step(when, "{name} stops before choosing and takes {tile:d}")
def _(scene: Scene, name: str, tile: int) -> None:
    claim = ClaimMessage(take=tile)
    scene.act(name).before_choosing(Decision(keep=None, then="stop", claim=claim))


@step(when, "a game for {players:d} players is set up")
def _(scene: Scene, players: int) -> None:
    scene.set_up(players)


@step(when, "the worms are counted")
def _(scene: Scene) -> None:
    scene.count_worms()


@step(then, "the grill shows {row:Tiles}")
def _(scene: Scene, row: tuple[int, ...]) -> None:
    same("grill", row, scene.grill(), sentences.tiles)


@step(then, "{name} owns {own:Tiles}")
def _(scene: Scene, name: str, own: tuple[int, ...]) -> None:
    same(f"{name} owns", own, tuple(scene.stacks()[scene.seat(name)]), sentences.stack)


@step(then, "nobody owns a tile")
def _(scene: Scene) -> None:
    stacks = scene.stacks()
    same("stacks", [[] for _ in stacks], stacks)


@step(then, "the {tile:d} is face up")
def _(scene: Scene, tile: int) -> None:
    if tile not in scene.grill():
        shown = sentences.tiles(scene.grill())
        raise Departure(f"Expected: the {tile} is face up on the grill. Came: grill {shown}.")


@step(then, "the {tile:d} is face down")
def _(scene: Scene, tile: int) -> None:
    if tile not in scene.face_down():
        shown = sentences.tiles(scene.face_down())
        raise Departure(f"Expected: the {tile} is face down. Came: face down {shown}.")


@step(then, "it is {name}'s turn")
def _(scene: Scene, name: str) -> None:
    came = scene.next_player()
    same("next is", name, sentences.player(came, scene.names))


@step(then, "the game is over")
def _(scene: Scene) -> None:
    if not scene.over():
        raise Departure("Expected: the game is over. Came: it goes on.")


@step(then, "the game goes on")
def _(scene: Scene) -> None:
    if scene.over():
        raise Departure("Expected: the game goes on. Came: it is over.")


@step(then, "this is refused")
def _(scene: Scene) -> None:
    scene.refused()


@step(then, "{name} has {number:d} worms")
def _(scene: Scene, name: str, number: int) -> None:
    same(f"worms of {name}:", number, scene.worms()[scene.seat(name)])


@step(then, "{name} wins")
def _(scene: Scene, name: str) -> None:
    _wins(scene, [name])


@step(then, "{names} win together")
def _(scene: Scene, names: str) -> None:
    _wins(scene, re.split(r", | and ", names))


def _wins(scene: Scene, names: list[str]) -> None:
    came = [sentences.player(number, scene.names) for number in scene.winners()]
    same("won by", sorted(names), sorted(came), " and ".join)
