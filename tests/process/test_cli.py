"""The command line: what it prints, what it refuses, and its exit status."""

import os
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest


def pickomino(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    """Run the console script."""
    command = [sys.executable, "-m", "pickomino_conformance", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


SAMPLES = Path(__file__).parents[2] / "docs" / "samples"
SERVE = [sys.executable, "-m", "pickomino_conformance", "serve"]


def test_perft_prints_a_line_a_depth_in_plain_digits() -> None:
    """The counts can be compared with a text tool."""
    done = pickomino("perft", "--edition", "zoch-2005", "--players", "2", "--depth", "5")
    assert done.stdout == "1 1287\n2 4752\n3 2418724\n4 19021431\n5 1788061222\n"


def test_perft_divides_by_the_first_move() -> None:
    """The lines of the moves come first and add up to the line of the depth."""
    done = pickomino("perft", "--box", "tiny", "--depth", "3", "--divide")
    *moves, _, _, last = done.stdout.splitlines()
    assert len(moves) == 10
    assert moves[0].split()[0] == "roll:111"
    assert last == f"3 {sum(int(line.split()[1]) for line in moves)}"


def test_editions_lists_all() -> None:
    """Eight editions and six house rules, a line each."""
    done = pickomino("editions")
    names = [line.split()[0] for line in done.stdout.splitlines() if line]
    assert names.count("zoch-2005") == 1
    assert {"sheet-004", "ultraboardgames", "soft-landing", "roll-on"} <= set(names)


def test_editions_shows_where_two_differ() -> None:
    """Two editions are compared ruling by ruling, in words."""
    done = pickomino("editions", "zoch-2005", "sheet-004")
    assert "exact-on-opponent" in done.stdout
    assert "flip-after-return" not in done.stdout
    assert "They differ in 1 ruling and agree in 7." in done.stdout


def test_editions_shows_one_with_every_ruling() -> None:
    """An edition is shown with the value of each ruling."""
    done = pickomino("editions", "sheet-001+no-steal-back")
    assert "steal-back = barred" in done.stdout
    assert "flip-after-return = always" in done.stdout


def test_check_prints_a_line_a_rule_by_chapter_and_conforms() -> None:
    """The reference is checked over the protocol like any other engine, and conforms."""
    done = pickomino("check", "--level", "features", "reference")
    assert done.returncode == 0
    assert done.stderr == ""
    chapters = ["Setting up", "Rolling", "Claiming", "Stealing", "Failing", "Ending"]
    assert [line for line in done.stdout.splitlines() if line in chapters] == chapters
    assert sum(line.startswith("  ") for line in done.stdout.splitlines()) == 42
    assert "The engine conforms." in done.stdout


def test_a_departure_is_told_by_the_smallest_case() -> None:
    """Table, dice, what was expected and what came stand in one sentence."""
    done = pickomino("check", "--level", "features", "--", *SERVE, "--edition", "sheet-000")
    told = " ".join(done.stdout.split())
    assert done.returncode == 1
    assert "Departures failing.nothing-returned" in told
    assert "grill 22; Ann owns no tile; Bob owns 28. Ann rolls 1 2 2 3 3 4 5 W" in told
    assert "Expected: the game goes on. Came: the game is over." in told


def test_what_stands_after_the_dashes_is_a_command_even_with_a_bundled_name() -> None:
    """`-- reference` is a program of that name, which is not there."""
    done = pickomino("check", "--", "reference")
    assert done.returncode == 2
    assert "no program 'reference'" in done.stderr


def test_our_own_script_is_found_without_a_path() -> None:
    """`-- pickomino serve` runs the script beside our Python, if none is on the path."""
    bare = {"PATH": "/nowhere"}
    done = pickomino("smoke", "--", "pickomino", "serve", "--edition", "sheet-001", env=bare)
    assert (done.returncode, done.stderr) == (0, "")


def test_options_after_the_dashes_belong_to_the_engine() -> None:
    """The engine's own options reach it untouched."""
    done = pickomino("smoke", "--", *SERVE, "--edition", "nothing-like-it")
    assert done.returncode == 2
    assert "There is no edition 'nothing-like-it'" in done.stderr


def test_smoke_tells_each_probe() -> None:
    """Six probes, a line each."""
    done = pickomino("smoke", "reference")
    assert done.returncode == 0
    assert [line.split() for line in done.stdout.splitlines()[1:-1]] == [
        ["every-turn-is-answered", "pass"],
        ["an-exact-tile-is-taken", "pass"],
        ["five-is-not-a-worm", "pass"],
        ["eight-dice-settle", "pass"],
        ["stacks-run-bottom-to-top", "pass"],
        ["a-null-table-goes-on", "pass"],
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check", "--edition", "zoch-205", "reference"], "Did you mean 'zoch-2005'?"),
        (["check", "--edition", "zoch-2005+soft", "reference"], "Known are: soft-landing"),
        (["check", "--ruling", "steal-back=bared", "reference"], "Did you mean 'barred'?"),
        (["check", "--ruling", "steal-back", "reference"], "Expected RULING=VALUE"),
        (["check", "--level", "feature", "reference"], "Did you mean 'features'?"),
        (["check", "pickomino-en"], "Did you mean 'pickomino-env'?"),
        (["check", "no_such_module:Engine"], "No module named 'no_such_module'"),
        (["check", "--"], "A command is expected after --"),
        (["check", "reference", "--", "node", "x.js"], "Name one engine"),
        (["check", "--case", "failing/no-such-case", "reference"], "There is no case"),
        (["check", "--report", "no/such/folder/report.jsonl", "reference"], "--report"),
        (["check", "--timeout", "0", "reference"], "--timeout"),
        (["check", "--timeout", "1e300", "reference"], "at most a day, 86400 seconds, not 1e+300"),
        (["identify", "--timeout", "1e10", "reference"], "at most a day, 86400 seconds, not 1e+10"),
        (["editions", "zoch"], "There is no edition 'zoch'"),
        (["perft", "--depth", "0"], "--depth"),
        (["perft", "--depth", "2", "--players", "9"], "for 2 to 7 players, not for 9"),
        (["perft", "--depth", "2", "--box", "big"], "Known are: base"),
        (["nonsense"], "No such command"),
        (["check"], "`pickomino check reference` checks the reference over the protocol"),
        (["smoke"], "`pickomino smoke reference` asks the reference over the protocol"),
        (["identify"], "Name the engine: reference, pickomino-env, module:attribute"),
        (["check", "--json"], "No such option"),
    ],
)
def test_bad_usage_is_told_and_ends_with_status_two(arguments: list[str], told: str) -> None:
    """What was expected, what came, and what to do next; never a traceback."""
    done = pickomino(*arguments)
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_replay_without_an_engine_says_what_to_type(tmp_path: Path) -> None:
    """Case files alone are asked of nobody."""
    case = tmp_path / "case.json"
    case.write_text('{"id": "failing/no-worm"}')
    done = pickomino("replay", str(case))
    assert done.returncode == 2
    assert "`pickomino replay CASE.json reference` asks the reference" in done.stderr


def test_the_program_has_two_names() -> None:
    """`pickomino-spec` is `pickomino`, and calls itself so."""
    scripts = [Path(sys.executable).with_name(name) for name in ("pickomino", "pickomino-spec")]
    told = [
        subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
        for script in scripts
    ]
    assert told == [pickomino("--version").stdout] * 2
    usage = subprocess.run([scripts[1], "-h"], capture_output=True, text=True, check=True).stdout
    assert usage.startswith("Usage: pickomino-spec [OPTIONS] COMMAND")


@pytest.mark.parametrize(
    "command",
    ["check", "smoke", "replay", "identify", "serve", "explain", "referee", "editions", "perft"],
)
def test_the_help_of_every_command_ends_with_an_example(command: str) -> None:
    """`-h` is `--help`; its last line can be typed."""
    done = pickomino(command, "-h")
    assert done.returncode == 0
    assert done.stdout == pickomino(command, "--help").stdout
    assert done.stdout.splitlines()[-1].startswith("  Example: pickomino ")


def test_the_help_of_check_lists_the_levels() -> None:
    """It has them from the registry."""
    told = " ".join(pickomino("check", "--help").stdout.split())
    assert "Levels: smoke, features, turns, tables, refusals, games." in told


def test_completion_can_be_installed() -> None:
    """The shell's completion is an option of the program."""
    done = pickomino("--show-completion", "bash")
    assert "_PICKOMINO_COMPLETE=complete_bash" in done.stdout


COMMANDS = [
    ("check --level features --case setup reference", 0),
    ("check --level features --case failing -- pickomino serve --edition sheet-000", 1),
    ("check --level features -- no-such-program", 2),
    ("smoke reference", 0),
    ("perft --depth 3 --divide", 0),
    ("editions", 0),
    ("explain {samples}/position.json", 0),
    ("referee {samples}/games.jsonl", 1),
]


@pytest.mark.parametrize(("words", "status"), COMMANDS)
def test_a_reader_that_leaves_early_changes_no_status(words: str, status: int) -> None:
    """`pickomino check | head -1` ends quietly, with the status that the check has."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        done = pickomino_writes_to(nobody, words)
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_what_nobody_reads_is_not_counted() -> None:
    """`pickomino perft | head -1` does not go on counting for hours."""
    command = f"{sys.executable} -m pickomino_conformance perft --depth 9 --divide | head -1"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.startswith("roll:11111111 ")
    assert done.stderr == ""


@pytest.mark.parametrize("words", [words for words, status in COMMANDS if status < 2])
def test_a_full_disk_is_told_in_one_line(words: str) -> None:
    """What can't be printed is no verdict: status 2, and the reason."""
    with Path("/dev/full").open("wb") as full:
        done = pickomino_writes_to(full, words)
    assert done.returncode == 2
    assert done.stderr == "stdout: No space left on device. Choose another place.\n"


def pickomino_writes_to(stdout: BinaryIO, words: str) -> subprocess.CompletedProcess[str]:
    """Run the console script with its output going there."""
    command = [sys.executable, "-m", "pickomino_conformance"]
    command += words.format(samples=SAMPLES).split()
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
