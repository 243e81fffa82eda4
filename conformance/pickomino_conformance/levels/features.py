"""Level `features`: every Gherkin scenario that holds for the edition.

pytest runs them in a process of its own, so that nothing of the project in whose folder the
check runs (its settings, its plugins, its `conftest.py`) gets in the way.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

import pickomino_conformance.suite
from pickomino_conformance import interruption
from pickomino_conformance.cases import Conversation, Outcome
from pickomino_conformance.engines import groups
from pickomino_reference import Rulings, ruling_values

RAN = (0, 1, 5)
LOOK_EVERY = 0.05
# Interrupted, pytest still ends its engine; so long it may take.
GRACE = 5.0

# What the suite has no use for costs a quarter of its time.
LEAN = ["--assert", "plain", "--capture", "no"]
for plugin in ("cacheprovider", "logging", "warnings", "unraisableexception", "threadexception"):
    LEAN += ["-p", f"no:{plugin}"]


class SuiteFailed(Exception):
    """pytest itself failed; the text is the end of what it printed."""


@dataclass(frozen=True, slots=True)
class Run:
    """What the suite is run with.

    Attributes:
        engine: the engine, in the form of the option `--pickomino-engine`.
        rulings: those that the engine is judged by.
        as_declared: whether these are its own, so that it is not to be configured.
        timeout: the longest wait for an answer, in seconds.
        cases: the ids of the only cases to be asked; empty for all.
        failed_probes: the names of the probes that failed.
    """

    engine: str
    rulings: Rulings
    as_declared: bool = False
    timeout: float = 5.0
    cases: Sequence[str] = ()
    failed_probes: Sequence[str] = field(default=())

    def arguments(self, results: Path) -> list[str]:
        """Return the command that runs the suite and writes its results."""
        here = Path(pickomino_conformance.suite.__path__[0])
        command = [sys.executable, "-m", "pytest", "-c", str(here / "pytest.ini")]
        command += ["--rootdir", str(here), *LEAN]
        command += ["-p", "pytest_bdd.plugin", "-p", "pickomino_conformance.plugin"]
        command += ["--pickomino-engine", self.engine, "--pickomino-results", str(results)]
        command += ["--pickomino-timeout", str(self.timeout)]
        for ruling, value in ruling_values(self.rulings).items():
            command += ["--pickomino-ruling", f"{ruling}={value}"]
        for case in self.cases:
            command += ["--pickomino-case", case]
        for probe in self.failed_probes:
            command += ["--pickomino-failed-probe", probe]
        if self.as_declared:
            command.append("--pickomino-as-declared")
        return [*command, str(here)]


def run(wanted: Run) -> Iterator[Outcome | Conversation]:
    """Yield the outcome of each scenario as it comes, at last how the conversation went.

    Raises:
        SuiteFailed: pytest could not run the suite.
    """
    with tempfile.TemporaryDirectory(prefix="pickomino-") as folder:
        results, printed = Path(folder) / "results.jsonl", Path(folder) / "printed"
        results.touch()
        command = wanted.arguments(results)
        with (
            results.open("rb") as file,
            _started(command, printed, groups.file_beside(results)) as suite,
        ):
            ended = False
            while not ended:
                ended = suite.poll() is not None
                while (line := file.readline()).endswith(b"\n"):
                    yield msgspec.json.decode(line, type=Outcome | Conversation)
                file.seek(-len(line), os.SEEK_CUR)
                time.sleep(0 if ended else LOOK_EVERY)
        if suite.returncode not in RAN:
            raise SuiteFailed(printed.read_text(errors="replace")[-2000:].strip())


@contextmanager
def _started(command: list[str], printed: Path, engines: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    with ExitStack() as at_last:
        with printed.open("wb") as out, interruption.held():
            suite = subprocess.Popen(  # noqa: S603  # our own suite
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=environment,
                start_new_session=True,
            )
            at_last.callback(_end, suite, engines)
        yield suite


def _end(suite: subprocess.Popen[bytes], engines: Path) -> None:
    """End a suite, if it still runs, and the engines that it could not end itself."""
    if suite.poll() is None:
        suite.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            suite.wait(GRACE)
    if suite.poll() is None:
        groups.end(suite.pid)
        suite.wait()
    groups.end_those_in(engines)
