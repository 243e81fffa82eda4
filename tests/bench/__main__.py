"""The bench: what things cost, as ratios side by side in one run.

Machines are noisy, so a floor or a peer is measured in the same run, alternating. Nothing here
is a test: no figure fails anything.
"""

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from random_games import play_games

from pickomino_conformance.cases import turns
from pickomino_conformance.engine import EngineUnderTest
from pickomino_conformance.protocol.conversation import Conversation
from pickomino_conformance.protocol.finding import bundled_dir, find, of_command
from pickomino_reference import find_edition, start

HERE = Path(__file__).parent
ROUNDS = 3
GAMES = 200
PEER_GAMES = 30
PLAYED = 500
THREE_FAULTS = (
    "the bottom tile is returned",
    "a dead roll pays out what was set aside before",
    "nothing can be stolen with a total below every tile of the grill",
)


def seconds(work: Callable[[], object]) -> float:
    """Return how long this takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def level_turns(command: tuple[str, ...], *, judge: bool) -> None:
    """Ask all scripts of a turn; judge the answers, or only read them."""
    with Conversation(of_command(list(command)).launcher(60)) as conversation:
        engine = EngineUnderTest(conversation, find_edition().rulings)
        asking = turns.AskingTurns(engine, turns.Turns(start(2), engine.rulings))
        if judge:
            assert all(outcome.verdict == "pass" for outcome in asking.run())
        else:
            for _ in conversation.ask_many(asking.requests()):
                pass


def bench_turns() -> None:
    """Level `turns` on the reference over the pipe, against the floor."""
    floor_engine = of_command([sys.executable, str(HERE / "floor_engine.py")]).command
    floor, level = [], []
    for _ in range(ROUNDS):
        floor.append(seconds(lambda: level_turns(floor_engine, judge=False)))
        level.append(seconds(lambda: level_turns(find("reference").command, judge=True)))
    show("level turns, 128,040 scripts", min(level), "floor", min(floor), "at most 3")


def bench_games() -> None:
    """Random two-player games of the reference, against `pickomino-env`, by the peer's rulings."""
    sys.path.insert(0, f"{bundled_dir()}/pickomino-env")
    from random_play import play_random_games

    rulings = find_edition("zoch-2005-short", {"exact-on-opponent": "steal"}).rulings
    play_games(GAMES, random.Random(0), rulings)
    ours, theirs, shipped = [], [], []
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        ours.append(GAMES / seconds(lambda c=chance: play_games(GAMES, c, rulings)))
        theirs.append(
            PEER_GAMES / seconds(lambda s=seed: play_random_games(PEER_GAMES, s, both=True))
        )
        shipped.append(PEER_GAMES / seconds(lambda s=seed: play_random_games(PEER_GAMES, s)))
    show("reference, random games a second", max(ours), "pickomino-env", max(theirs), "5 or more")
    show("the same", max(ours), "pickomino-env with its own bot", max(shipped), "")


def bench_start() -> None:
    """How long `pickomino --help` and `pickomino editions` take, against bare Python."""
    script = str(Path(sys.executable).with_name("pickomino"))
    bare = best([sys.executable, "-c", "pass"])
    for arguments in (["--help"], ["editions"]):
        took = best([script, *arguments])
        show(f"pickomino {arguments[0]}, seconds", took, "bare python", bare, "under 0.3 s")


def bench_features() -> None:
    """Level `features` on the reference over the pipe, and how soon a check says its first word."""
    script = str(Path(sys.executable).with_name("pickomino"))
    took = best([script, "check", "--level", "features", "reference"])
    smoke = best([script, "smoke", "reference"])
    show("check --level features, seconds", took, "the probes only", smoke, "0.6 s for the level")
    command = [script, "check", "--level", "features", "reference"]
    first = min(seconds(lambda: _first_line(command)) for _ in range(ROUNDS))
    show("the first line of a check, seconds", first, wanted="at most 0.5 s")


def _first_line(command: list[str]) -> None:
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as check:
        assert check.stdout is not None
        assert check.stdout.readline()
        check.kill()


def bench_check() -> None:
    """A check of the reference at all levels over the pipe, against one with level `turns` only."""
    script = str(Path(sys.executable).with_name("pickomino"))
    whole, memory = cost([script, "check", "reference"])
    turns_only, _ = cost([script, "check", "--level", "turns", "reference"])
    show("check, all levels, seconds", whole, "level turns only", turns_only, "under 30 s")
    show("its peak memory, MB", memory, wanted="under 300 MB")


def bench_played_games() -> None:
    """Games of level `games` against a Python engine over the pipe."""
    script = str(Path(sys.executable).with_name("pickomino"))
    took = [
        cost([script, "check", "--level", "games", "--games", str(number), "reference"])[0]
        for number in (PLAYED, 2 * PLAYED)
    ]
    rate = PLAYED / (took[1] - took[0]) * 60
    show("level games, games a minute", rate, wanted="1,000 or more")


def bench_diagnosis() -> None:
    """A check at level `features` of an engine with three faults, against one with none."""
    script = str(Path(sys.executable).with_name("pickomino"))
    command = [script, "check", "--level", "features", "--"]
    wrong = [sys.executable, "-m", "pickomino_conformance.faults", *THREE_FAULTS]
    took, _ = cost([*command, *wrong])
    plain, _ = cost([*command, script, "serve"])
    show("check with three faults, seconds", took, "with none", plain, "under 20 s")


def cost(command: list[str]) -> tuple[float, float]:
    """Return the seconds that a command takes, and the most memory that it and its own held, MB."""
    took = seconds(lambda: subprocess.run(command, capture_output=True, check=False))
    return took, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def best(command: list[str]) -> float:
    """Return the shortest of several runs of a command, in seconds."""
    run = lambda: subprocess.run(command, capture_output=True, check=True)  # noqa: E731
    return min(seconds(run) for _ in range(ROUNDS))


def show(
    what: str, value: float, other: str = "", reference: float | None = None, wanted: str = ""
) -> None:
    """Print a figure and, if there is one beside it, that one and their ratio."""
    beside = f"{'':30} {'':9}         {'':6}"
    if reference is not None:
        beside = f"{other:30} {reference:9.3f}   ratio {value / reference:6.2f}"
    print(f"{what:38} {value:9.3f}   {beside}   {wanted}")


if __name__ == "__main__":
    benches = (bench_check, bench_played_games, bench_diagnosis, bench_start, bench_features)
    for bench in (*benches, bench_turns, bench_games):
        bench()
