"""The harness among bad engines: each gets its verdict, in clear words, and leaves nothing behind.

Every engine is a program of `bad_engines/`, named after its fault and checked as a user would.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ENGINES = Path(__file__).parents[1] / "bad_engines"
ENDLESS = 60
CONFORMS, DEPARTS, UNJUDGED = 0, 1, 2
CHAPTERS = ("setup", "rolling", "claiming", "stealing", "failing", "ending")


@dataclass(frozen=True)
class Ended:
    """How a check ended: exit status, what was printed, and the lines of the report."""

    status: int
    stdout: str
    stderr: str
    report: list[dict[str, Any]]

    def lines(self, kind: str) -> list[dict[str, Any]]:
        """Return the lines of this type."""
        return [line for line in self.report if line["type"] == kind]

    @property
    def footer(self) -> str:
        """The verdict of the whole check."""
        return str(self.report[-1]["verdict"])

    @property
    def verdicts(self) -> Counter[str]:
        """How many cases came to which verdict, of those that did not pass."""
        return Counter(line["verdict"] for line in self.lines("case"))

    @property
    def messages(self) -> str:
        """What is said of the cases that did not pass."""
        return "\n".join(line["message"] for line in self.lines("case"))

    def rules(self, verdict: str) -> set[str]:
        """Return the rules of this verdict."""
        return {line["rule"] for line in self.lines("rule") if line["verdict"] == verdict}

    @property
    def outcome(self) -> tuple[int, str]:
        """Exit status and verdict."""
        return self.status, self.footer


Check = Callable[..., Ended]


def command(name: str, *arguments: str) -> list[str]:
    """Return what runs a bad engine."""
    return ["--", sys.executable, str(ENGINES / f"{name}.py"), *arguments]


def processes_with(marker: str) -> dict[int, str]:
    """Return the processes whose command line bears a marker; zombies have none."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if marker in line:
            found[int(folder.name)] = line
    return found


def await_file(file: Path) -> None:
    """Wait until an engine has made a file, to say that it hangs from now on."""
    began = time.monotonic()
    while not file.exists():
        assert time.monotonic() - began < ENDLESS, "the engine was never asked"
        time.sleep(0.05)


def as_in_the_background() -> None:
    """Ignore interrupts as the background of a script does, and nothing else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@contextlib.contextmanager
def interruptible(folder: Path, level: str, engine: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Start a check as scripts do in their background; it does not outlive the block."""
    (folder / "temporary").mkdir()
    words = [sys.executable, "-m", "pickomino_conformance", "check", "--level", level]
    words += ["--report", str(folder / "report.jsonl"), "--timeout", "50", *engine]
    with (folder / "stderr").open("wb") as stderr:
        checking = subprocess.Popen(
            words,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env={**os.environ, "TMPDIR": str(folder / "temporary")},
            preexec_fn=as_in_the_background,  # noqa: PLW1509  # it sets two signals, no more
        )
    try:
        yield checking
    finally:
        checking.kill()
        checking.wait()


def left_behind(marker: str) -> dict[int, str]:
    """Return the processes that bear a marker and do not vanish within 2 s."""
    began = time.monotonic()
    while (found := processes_with(marker)) and time.monotonic() - began < 2:
        time.sleep(0.05)
    return found


@pytest.fixture
def marker(tmp_path: Path) -> Iterator[str]:
    """An argument by which an engine is found; what a failing test leaves behind is ended."""
    unique = f"marked-{tmp_path.name}-{time.monotonic_ns()}"
    yield unique
    for number in processes_with(unique):
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def only(*wanted: str) -> list[str]:
    """Return the options that ask only these cases."""
    return [word for case in wanted for word in ("--case", case)]


@pytest.fixture
def check(tmp_path: Path, marker: str) -> Check:
    """Check an engine, and demand what must hold of every check, however bad the engine is."""

    def run(engine: list[str], *options: str, level: str = "smoke", timeout: float = 10) -> Ended:
        report = tmp_path / "report.jsonl"
        marked = [*engine, marker] if engine[0] == "--" else engine
        words = [sys.executable, "-m", "pickomino_conformance", "check"]
        words += ["--level", level, "--timeout", str(timeout), "--report", str(report), *options]
        ended = subprocess.run(
            [*words, *marked], capture_output=True, timeout=ENDLESS, check=False, cwd=tmp_path
        )
        lines = [json.loads(line) for line in report.read_text().splitlines()]
        found = Ended(ended.returncode, ended.stdout.decode(), ended.stderr.decode(), lines)
        assert left_behind(marker) == {}
        require_well_ended(found)
        return found

    return run


def require_well_ended(ended: Ended) -> None:
    """Demand a whole report, and plain words on the terminal."""
    kinds = [line["type"] for line in ended.report]
    assert kinds[0] == "header"
    assert [kind for kind in kinds if kind != "breakdown"][-2:] == ["diagnosis", "footer"]
    assert kinds.count("rule") == 42
    assert set(kinds) <= {"header", "case", "level", "rule", "diagnosis", "breakdown", "footer"}
    said = ended.stdout + ended.stderr
    assert "Traceback" not in ended.stdout
    assert "pickomino_conformance/" not in said, "a traceback of the harness itself"
    assert [char for char in said if not (char.isprintable() or char == "\n")] == []
    if ended.stdout:
        words = {"pass": "conforms", "fail": "departs", "error": "erred"}
        word = "could not be judged" if ended.status == UNJUDGED else words[ended.outcome[1]]
        assert f"The engine {word}" in ended.stdout
    else:
        assert ended.status == UNJUDGED
        assert "can't be judged" in ended.stderr


def test_a_right_engine_conforms(check: Check) -> None:
    """An engine that answers everything rightly conforms, in every rule, without a remark."""
    ended = check(command("always_right"), level="features")
    assert ended.outcome == (CONFORMS, "pass")
    assert len(ended.rules("pass")) == 42
    assert "assed over" not in ended.stdout
    assert ended.stderr == ""


def test_a_wrong_engine_departs(check: Check) -> None:
    """An engine that never changes the table departs; it is judged, so nothing is an error."""
    ended = check(command("always_wrong"), *only("claiming"), level="features")
    assert ended.outcome == (DEPARTS, "fail")
    assert "claiming.exact" in ended.rules("fail")
    assert ended.rules("error") == set()


def test_the_time_limit_is_for_one_answer(check: Check) -> None:
    """A slow engine is no hanging one, though all its answers together take far longer."""
    ended = check(
        command("slow"), *only("setup/start-grill", "ending"), level="features", timeout=1
    )
    assert ended.outcome == (CONFORMS, "pass")


@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("hangs_at_hello", "no answer within 0.5 s"),
        ("floods_stderr_and_never_answers", "no answer within 0.5 s"),
        ("floods_stdout", "no answer within 0.5 s"),
        ("floods_stdout_without_a_line", "a line longer than 1048576 bytes"),
        ("crashes_at_start", "it left with status 1"),
        ("leaves_at_once", "it left with status 0"),
        ("closes_its_stdin", "no answer within 0.5 s"),
        ("never_ends_its_line", 'its last line has no end: \'{"jsonrpc"'),
        ("prints_garbage_only", "the last one: 'got hello'"),
        (
            "answers_twice",
            "it answered id 1 where 2 was due; one line is expected for each",
        ),
    ],
)
def test_without_a_hello_nothing_is_judged(check: Check, engine: str, reason: str) -> None:
    """An engine with which no conversation begins can't be judged, and it is said why."""
    ended = check(command(engine), level="features", timeout=0.5)
    assert ended.outcome == (UNJUDGED, "error")
    assert ended.lines("case") == []
    assert reason in ended.stderr


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("crashes_at_start", "Its last words: no dice in the box"),
        ("floods_stderr_and_never_answers", "still thinking"),
    ],
)
def test_last_words_are_shown(check: Check, engine: str, words: str) -> None:
    """What an engine said last on stderr is shown, with a hint, but never all of a flood."""
    ended = check(command(engine), timeout=0.5)
    assert words in ended.stderr
    assert "The first request is hello; see spec/protocol" in ended.stderr
    assert len(ended.stderr) < 6000


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"protocol": 2}, "it answers hello with version 2 of the protocol; known here: 1"),
        ({"protocol": "1"}, "Expected `int`, got `str` - at `$.protocol`"),
        ({"players": 4}, "Expected `array`, got `int` - at `$.players`"),
        ({"capabilities": "refuse"}, "at `$.capabilities`"),
        ({"rulings": {"steal-back": 1}}, "at `$.rulings[...]`"),
        ({"players": [7, 2]}, "players [7, 2]: the fewest, then the most"),
        ({"players": [8, 9]}, "it plays with 8 to 9; the game is for 2 to 7"),
        ({"players": [0, 0]}, "it plays with 0; the game is for 2 to 7"),
    ],
)
def test_a_hello_that_is_none_is_not_believed(
    check: Check, members: dict[str, Any], reason: str
) -> None:
    """A hello of another version or shape ends the check; the text names the wrong member."""
    ended = check(command("says_hello_in_another_shape", json.dumps(members)))
    assert ended.outcome == (UNJUDGED, "error")
    assert reason in ended.stderr


@pytest.mark.parametrize(
    "members",
    [{"players": [7, 7]}, {"capabilities": []}],
    ids=str,
)
def test_an_engine_that_can_play_nothing_is_not_judged(
    check: Check, members: dict[str, Any]
) -> None:
    """Where no case suits what an engine says it can, nothing is judged; no case errs."""
    ended = check(command("says_hello_in_another_shape", json.dumps(members)))
    assert ended.outcome == (UNJUDGED, "error")
    assert set(ended.verdicts) == {"unsupported"}


def test_turns_that_an_engine_can_t_play_are_not_judged(check: Check) -> None:
    """Level turns, too, is unsupported for an engine that can play none of it."""
    engine = command("says_hello_in_another_shape", json.dumps({"capabilities": []}))
    ended = check(engine, level="turns")
    assert ended.outcome == (UNJUDGED, "error")
    assert set(ended.verdicts) == {"unsupported"}


@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("hangs_at_the_first_turn", "no answer within 1 s; its last words: “thinking about"),
        ("leaves_at_the_first_turn", "it left with status 0"),
        ("killed_by_a_signal", "it was ended by signal 11 (Segmentation fault)"),
        ("says_that_it_crashed", "The engine crashed: “lost a die”"),
        ("says_half_a_line_and_leaves", "it left with status 0; its last line has no end: '{"),
        ("says_100_megabytes_on_one_line", "a line longer than 1048576 bytes"),
        ("nests_too_deep", "its answer is no answer of the protocol: maximum recursion depth"),
        ("says_no_utf8", "its answer is no answer of the protocol: Invalid UTF-8"),
        ("closes_its_stdout", "it closed its stdout"),
        ("leaves_a_child_at_the_first_turn", "it left with status 4, but a child of it holds"),
        ("answers_another_id", "it answered id 4 where 3 was due"),
        ("answers_without_an_id", "the quotes are missing"),
    ],
)
def test_an_engine_that_answers_no_turn_is_not_judged(
    check: Check, engine: str, reason: str
) -> None:
    """A breakdown at every turn is an error, never a pass, and the reason is told."""
    ended = check(command(engine), timeout=1)
    assert ended.outcome == (UNJUDGED, "error")
    assert ended.verdicts == {"error": 1, "not-reached": 5}
    assert reason in ended.messages
    assert reason.split("'", maxsplit=1)[0] in " ".join(ended.stdout.split())


@pytest.mark.parametrize("line", ["[]", "5", "null"])
def test_a_bare_value_is_no_answer(check: Check, line: str) -> None:
    """A line that is no object is passed over, mentioned, and named as the reason."""
    ended = check(command("answers_a_bare_value", line), timeout=1)
    assert ended.outcome == (UNJUDGED, "error")
    assert f"that began with no {{, the last one: '{line}'" in ended.messages
    assert "logs belong on stderr" in ended.stdout


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ("null", "Expected `object`, got `null`"),
        ("[]", "Expected `object`, got `array`"),
        ("7", "Expected `object`, got `int`"),
        ("{}", "missing required field `table`"),
        ('{"table": {"grill": [-1], "stacks": []}}', "Expected `int` >= 0 - at `$.table.grill[0]`"),
    ],
)
def test_a_result_of_another_shape_is_an_error(check: Check, result: str, reason: str) -> None:
    """A result that is none of the protocol is an error that names the place, not a departure."""
    ended = check(command("results_in_another_shape", result))
    assert ended.outcome == (UNJUDGED, "error")
    assert ended.verdicts == {"error": 1, "not-reached": 5}
    assert reason in ended.messages


@pytest.mark.parametrize(
    ("engine", "invariant"),
    [
        ("makes_a_tile_37", "an impossible table, tile 37 is not in the box"),
        ("doubles_a_tile", "an impossible table, tile 23 is there twice"),
        ("loses_tiles", "more than one tile left the game in one turn: 21, 22"),
        ("adds_a_stack", "an impossible table, 3 stacks for 2 players"),
        ("drops_all_stacks", "an impossible table, 0 stacks for 2 players"),
        ("numbers_players_from_one", "player 2 has no seat; players are numbered from 0"),
    ],
)
def test_an_impossible_table_is_a_departure(check: Check, engine: str, invariant: str) -> None:
    """A well-formed table that can't be is a failure of the case's rules, not an error."""
    ended = check(command(engine))
    assert ended.outcome == (DEPARTS, "fail")
    assert ended.rules("fail") == {"setup.tiles"}
    assert "error" not in ended.verdicts
    assert invariant in ended.messages


@pytest.mark.parametrize(
    ("engine", "verdict", "came"),
    [
        ("knows_no_null", "error", "The engine crashed: “AttributeError"),
        ("forgets_its_table", "fail", "Expected: player 0 owns 23. Came: player 0 owns no tile."),
    ],
)
def test_an_engine_that_keeps_no_table_is_told_what_null_means(
    check: Check, engine: str, verdict: str, came: str
) -> None:
    """One probe fails, with its lesson; the scenarios of several turns are not asked then."""
    ended = check(command(engine), level="features")
    assert ended.outcome == (DEPARTS, verdict)
    (case,) = [line for line in ended.lines("case") if line["verdict"] == verdict]
    assert case["id"] == "smoke/a-null-table-goes-on"
    assert came in case["message"]
    assert "That means: the table that the last `start` or `turn` answered" in case["message"]
    why_not = "Not asked: it tells nothing while the probe a-null-table-goes-on fails."
    others = [line["message"] for line in ended.lines("case") if line != case]
    assert [message for message in others if not message.endswith(why_not)] == []
    refusals = check(command(engine), level="refusals").lines("level")[-1]
    assert (refusals["level"], refusals["failed"], refusals["errors"]) == ("refusals", 0, 0)


def test_a_score_for_too_few_is_a_departure(check: Check) -> None:
    """A score that leaves players out is a failure of its rules, told in the game's words."""
    ended = check(command("scores_nobody"), *only("setup/worms-on-a-tile"), level="features")
    assert ended.outcome == (DEPARTS, "fail")
    assert ended.rules("fail") == {"setup.worms"}
    assert "IndexError" not in ended.messages


def test_refusing_everything_departs(check: Check) -> None:
    """A refusal of what is allowed is a departure: the engine did answer."""
    ended = check(command("refuses_everything"))
    assert ended.outcome == (DEPARTS, "fail")
    assert "it refuses the turn (“never”)" in ended.messages


def test_every_answer_is_judged_for_itself(check: Check) -> None:
    """An engine that answers the same request rightly first and wrongly later departs."""
    ended = check(command("changes_its_answer"))
    assert ended.outcome == (DEPARTS, "fail")
    assert "claiming.exact" in ended.rules("fail")


def test_a_crash_at_some_cases_is_an_error_of_these(check: Check) -> None:
    """A crash is an error of its cases only; after some the engine is given up, not passed."""
    ended = check(command("crashes_at_a_steal"), *only(*CHAPTERS), level="features")
    assert ended.outcome == (DEPARTS, "error")
    assert ended.verdicts["error"] == 5
    assert "it left with status 70; its last words: “cannot steal”" in ended.messages
    assert ended.verdicts["fail"] == 0


def test_a_missing_method_is_an_error_where_it_was_claimed(check: Check) -> None:
    """What an engine claims and then does not know errs in its cases; the rest is judged."""
    cases = only("setup/start-grill", "setup/worms-on-a-tile", "setup/lowest-tile-exists")
    ended = check(command("lacks_a_method", "start", "score"), *cases, level="features")
    assert ended.outcome == (DEPARTS, "error")
    assert ended.verdicts == {"error": 22}
    assert "error -32601: “no such method”" in ended.messages


def test_without_turns_nothing_is_judged(check: Check) -> None:
    """An engine that knows no turn, and not how one ends, can't be judged."""
    ended = check(command("lacks_a_method", "turn", "settle"))
    assert ended.outcome == (UNJUDGED, "error")
    assert "error -32601: “no such method”" in ended.messages


@pytest.mark.parametrize(
    "engine",
    [
        "floods_stderr",
        "will_not_leave",
        "leaves_a_child",
        "answers_out_of_order",
    ],
)
def test_bad_manners_are_no_departure(check: Check, engine: str) -> None:
    """An engine that answers each question rightly conforms, however it behaves otherwise."""
    ended = check(command(engine))
    assert ended.outcome == (CONFORMS, "pass")
    assert ended.lines("case") == []


def test_garbage_between_answers_is_passed_over(check: Check) -> None:
    """Lines on stdout that are no answers change no verdict; they are counted, blank ones not."""
    ended = check(command("prints_garbage_between_answers"))
    assert ended.outcome == (CONFORMS, "pass")
    assert "Passed over: 18 lines on the engine's stdout that began with no {" in ended.stdout


def test_an_engine_that_breaks_on_and_on_is_given_up(check: Check) -> None:
    """A new process for every answer is not granted for ever: in the end that is an error."""
    ended = check(command("leaves_after_every_turn"), *only("rolling"), level="features")
    assert ended.outcome == (DEPARTS, "error")
    assert "it breaks down again and again; the last of 20 times" in ended.messages
    assert ended.verdicts["not-reached"] > 0


@pytest.mark.parametrize(
    ("engine", "level"),
    [("hangs_at_every_hundredth_answer", "features"), ("leaves_after_every_third_turn", "smoke")],
)
def test_a_breakdown_is_asked_once_more_and_never_conforms(
    check: Check, engine: str, level: str
) -> None:
    """A case on which a process broke is judged by a new one; the engine erred all the same."""
    ended = check(command(engine), level=level, timeout=1)
    assert ended.outcome == (DEPARTS, "error")
    assert ended.lines("case") == []
    assert "The engine broke down and was started anew" in ended.stdout
    told = ended.lines("breakdown")
    assert len(told) == ended.lines("footer")[0]["restarts"]
    assert {one["answered"] for one in told} == {True}
    assert {one["method"] for one in told} <= {"turn", "start", "score"}
    assert [one for one in told if not one["reason"]] == []
    assert "asked once more, it was answered" in ended.stdout


@pytest.mark.parametrize(
    ("plea", "level", "hangs_at"),
    [
        (signal.SIGTERM, "smoke", "hello"),
        (signal.SIGINT, "smoke", "turn"),
        (signal.SIGTERM, "smoke", "turn"),
        (signal.SIGHUP, "smoke", "turn"),
        (signal.SIGINT, "features", "steal"),
        (signal.SIGHUP, "features", "steal"),
    ],
)
def test_an_interrupted_check_leaves_nothing(
    tmp_path: Path, marker: str, plea: signal.Signals, level: str, hangs_at: str
) -> None:
    """Engine and child are ended, whatever they ignore; the report is whole, no folder stays."""
    hanging, stderr = tmp_path / "hanging", tmp_path / "stderr"
    engine = command("hangs_with_a_child", str(hanging), hangs_at, marker)
    with interruptible(tmp_path, level, engine) as checking:
        await_file(hanging)
        checking.send_signal(plea)
        # A terminal and `timeout` send twice; the second changes nothing.
        checking.send_signal(plea)
        assert checking.wait(timeout=ENDLESS) == 128 + plea
    assert left_behind(marker) == {}
    assert stderr.read_text() == "Interrupted.\n"
    assert list((tmp_path / "temporary").iterdir()) == []
    lines = [json.loads(line) for line in (tmp_path / "report.jsonl").read_text().splitlines()]
    assert lines[0]["type"] == "header"
    assert (lines[-1]["type"], lines[-1]["verdict"]) == ("footer", "error")


def test_what_an_engine_says_can_t_steer_anything(check: Check) -> None:
    """Control sequences, markup and HTML in all texts are shown as what they are."""
    ended = check(command("steers_the_terminal"))
    assert ended.outcome == (DEPARTS, "fail")
    assert r"\x1b[2J\x1b]0;owned\x07" in ended.stdout
    assert "<script>alert(1)</script>" in ended.stdout
    assert r"\[/red]" in ended.stdout


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no-such-program", "there is no program './no-such-program'; check its name and path"),
        ("not-executable", "'./not-executable' can't be started: Permission denied"),
        ("folder", "'./folder' can't be started: Permission denied"),
        ("no-format", "'./no-format' can't be started: Exec format error"),
        ("no-interpreter", "there is no program './no-interpreter'"),
    ],
)
def test_a_command_that_can_t_be_started(
    check: Check, tmp_path: Path, name: str, reason: str
) -> None:
    """A command that is none, or can't be run, is told by name, with the reason."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "not-executable").touch()
    for script, text in (("no-format", "no dice"), ("no-interpreter", "#!/no/such/thing\n")):
        (tmp_path / script).write_text(text)
        (tmp_path / script).chmod(0o755)
    ended = check(["--", f"./{name}"])
    assert ended.outcome == (UNJUDGED, "error")
    assert reason in ended.stderr


CLASSES = f"{ENGINES}/python_classes.py"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no_such_module:Engine", "No module named 'no_such_module'"),
        ("no/such/file.py:Engine", "No such file or directory"),
        ("broken.py:Engine", "expected ':'"),
        (f"{CLASSES}:RaisesInItsConstructor", "KeyError: 'dice'"),
        (f"{CLASSES}:LeavesInItsConstructor", "it left with status 5"),
        (f"{CLASSES}:Absent", "has no attribute 'Absent'"),
    ],
)
def test_a_class_of_which_no_engine_can_be_made(
    check: Check, tmp_path: Path, name: str, reason: str
) -> None:
    """A Python class that can't be found or made is told with what Python said of it."""
    (tmp_path / "broken.py").write_text("class Engine\n")
    ended = check([name])
    assert ended.outcome == (UNJUDGED, "error")
    assert reason in ended.stderr
