"""Every fault of the catalogue as an engine over the pipe: how soon it is found, and as what.

`python tests/bench/faults.py [EDITION]` prints a line a fault: the seconds that a check with level
`features` takes, the rules of the fault, and the diagnosis if it is another one. The exit status
tells whether every fault was found and named.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from pickomino_conformance.cases import Verdict
from pickomino_conformance.check import Plan, run
from pickomino_conformance.faults import faults_against, find_fault
from pickomino_conformance.protocol.finding import of_command
from pickomino_reference import DEFAULT_EDITION, find_edition

AT_ONCE = 2


class Row(NamedTuple):
    """What came of one fault."""

    seconds: float
    name: str
    rules: tuple[str, ...]
    departs: bool
    named: bool
    diagnosis: tuple[str, ...]


def examine(edition: str, name: str) -> Row:
    """Check an engine with this fault."""
    command = [sys.executable, "-m", "pickomino_conformance.faults", "--edition", edition, name]
    chosen = find_edition(edition)
    began = time.perf_counter()
    checked = run(Plan(of_command(command), chosen, levels=("smoke", "features")))
    took = time.perf_counter() - began
    rules = tuple(map(str, find_fault(name, chosen.rulings).rules))
    found = checked.diagnosis.faults
    named = len(found) == 1 and name in (found[0].name, *found[0].equally)
    broken = checked.tally.with_verdict(Verdict.FAIL, Verdict.UNSETTLED)
    told = tuple(" / ".join((one.name, *one.equally)) for one in found)
    return Row(took, name, rules, bool(set(rules).intersection(broken)), named, told)


def main(edition: str = DEFAULT_EDITION) -> int:
    """Print the table, and return 1 if a fault was missed or took for another."""
    names = [fault.name for fault in faults_against(find_edition(edition).rulings)]
    missed = 0
    with ProcessPoolExecutor(AT_ONCE) as pool:
        for row in pool.map(examine, [edition] * len(names), names):
            mark = "ok" if row.departs and row.named else "--"
            missed += mark != "ok"
            also = (
                "" if row.diagnosis == (row.name,) else f"  diagnosed: {'; '.join(row.diagnosis)}"
            )
            print(f"{mark} {row.seconds:5.1f} s  {row.name:76} {', '.join(row.rules)}{also}")
    print(f"{len(names) - missed} of {len(names)} faults are found and named.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
