"""The report for machines: JSON lines, written as the check goes."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from pickomino_conformance.cases import Outcome, Verdict
from pickomino_conformance.protocol.conversation import Conduct
from pickomino_conformance.report.model import Tally
from pickomino_conformance.report.phrases import message

MOST_CASES = 100
# What was not judged does not take all the room of what failed.
MOST_OTHERS = 20
COUNTING = (Verdict.FAIL, Verdict.ERROR, Verdict.KNOWN, Verdict.UNSETTLED)


class Report:
    """A report under way; without its footer it was cut off.

    Of the cases that did not pass at most 100 a rule and level are written.
    """

    def __init__(self, path: Path | None) -> None:
        self._file = path.open("wb") if path else None
        self._written: Counter[tuple[str, str]] = Counter()

    def __enter__(self) -> "Report":
        return self

    def __exit__(self, *_: object) -> None:
        if self._file:
            self._file.close()

    def case(self, outcome: Outcome) -> bool:
        """Write a case that did not pass, unless its rules have had their share in this level.

        Returns whether it was written, or would have been if there were a file.
        """
        if outcome.verdict in (Verdict.PASS, Verdict.NOT_APPLICABLE):
            return False
        keys = [(outcome.level, rule) for rule in outcome.rules]
        most = MOST_CASES if outcome.verdict in COUNTING else MOST_OTHERS
        if all(self._written[key] >= most for key in keys) and keys:
            return False
        self._written.update(keys)
        self.write("case", {**msgspec.to_builtins(outcome), "message": message(outcome)})
        return True

    def level(self, level: str, counts: Mapping[Verdict, int]) -> None:
        """Write how many cases of a level came to which verdict."""
        names = {Verdict.PASS: "passed", Verdict.FAIL: "failed", Verdict.ERROR: "errors"}
        members = {
            names.get(verdict, str(verdict).replace("-", "_")): counts.get(verdict, 0)
            for verdict in Verdict
        }
        self.write("level", {"level": level, **members})

    def rules(self, tally: Tally) -> None:
        """Write the verdict of every rule."""
        for rule, counts in tally.rules.items():
            members = {
                "rule": rule,
                "verdict": tally.verdict(rule),
                "passed": counts[Verdict.PASS],
                "failed": counts[Verdict.FAIL],
            }
            self.write("rule", members)

    def breakdowns(self, conduct: Conduct) -> None:
        """Write how the engine broke down, each time that it was started anew."""
        for restart in conduct.breakdowns:
            self.write("breakdown", msgspec.to_builtins(restart))

    def write(self, kind: str, members: Mapping[str, Any]) -> None:
        """Write a line of this kind, such as the header and, at the end, the footer."""
        if self._file:
            self._file.write(msgspec.json.encode({"type": kind, **members}) + b"\n")
            self._file.flush()
