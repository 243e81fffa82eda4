"""The table of rules and verdicts: what real checks of real engines came to.

`make verdicts` checks the engines and writes `docs/verdicts.json`; a test checks them again.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from generator.languages import Language
from generator.messages import laid_out
from generator.names import name_of
from generator.places import DOCS, ROOT, link
from generator.prose import rule_address
from pickomino_conformance.specification import rules

KEPT = DOCS / "verdicts.json"
# Which engines are checked: a name to show, what the command line is given, what it takes.
ENGINES = {
    "reference": (["reference"], ""),
    "pickomino-env": (["pickomino-env"], ""),
    "sample-node": (["--", "node", "engines/sample-node/engine.js"], "node"),
}
QUICK = ("features",)
JUDGED = {"pass", "fail", "error", "known", "unsettled"}

# Whatever a report says: signs, so that nobody needs colours to read the table.
SIGNS = {
    "pass": "✓",
    "fail": "✗",
    "error": "!",
    "known": "✗",
    "unsettled": "?",
    "not-reached": "·",
    "unsupported": "·",
    "not-applicable": "·",
}


class RuleVerdict(NamedTuple):
    """What a check says of a rule: the verdict, and how many cases passed and failed."""

    verdict: str
    passed: int
    failed: int


Check = dict[str, Any]


class CheckFailed(Exception):
    """A check that told nothing."""


@cache
def read_checks() -> dict[str, Check]:
    """Return what was kept of the last checks, by engine."""
    checks: dict[str, Check] = json.loads(KEPT.read_text(encoding="utf-8"))
    return checks


def write_checks() -> None:
    """Check every engine, on all levels and on the quick one, and keep what came.

    Raises:
        CheckFailed: an engine could not be judged.
    """
    kept = {name: {"all": check(name), "quick": check(name, QUICK)} for name in ENGINES}
    KEPT.write_text(laid_out(kept) + "\n", encoding="utf-8")


def check(name: str, levels: Sequence[str] = ()) -> Check:
    """Return what a check of an engine says: the engine, the levels, each rule, the diagnosis.

    Raises:
        CheckFailed: the engine could not be judged.
    """
    target, _ = ENGINES[name]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.jsonl"
        chosen = [part for level in levels for part in ("--level", level)]
        command = [*_PICKOMINO, "check", *chosen, "--report", str(report), *target]
        done = subprocess.run(  # noqa: S603 - our own command
            command, cwd=ROOT, capture_output=True, text=True, check=False
        )
        if done.returncode > 1:
            raise CheckFailed(f"{' '.join(command)}: {done.stdout}{done.stderr}")
        lines = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    return _kept(done.stdout.partition(", judged by")[0], lines)


def verdicts_page(say: Language, page: str) -> str:
    """Return the table as HTML, a row a rule."""
    checks = read_checks()
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in checks)
    rows = "".join(_row(say, rule, page) for rule in rules())
    return (
        f'<div class="wide"><table class="verdicts"><thead><tr><th>{say("Rule")}</th>{heads}'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def told_checks(say: Language) -> str:
    """Return a list of what was checked, and what was found."""
    items = []
    for name, check in read_checks().items():
        every = check["all"]
        verdicts = [RuleVerdict(*one).verdict for one in every["rules"].values()]
        cases = sum(sum(RuleVerdict(*one)[1:]) for one in every["rules"].values())
        told = say(
            "{judged} of {rules} rules judged, {broken} broken; {cases} verdicts in all",
            judged=sum(one in JUDGED for one in verdicts),
            rules=len(verdicts),
            broken=verdicts.count("fail") + verdicts.count("error"),
            cases=_thousands(say, cases),
        )
        items.append(f"- **{name}** ({escape(every['engine'])}): {told}.")
    return "\n".join(items)


def told_diagnosis(say: Language, name: str) -> str:
    """Return the faults by which a check explains what departs, as a list.

    Raises:
        KeyError: there is no check of such an engine.
    """
    faults = read_checks()[name]["all"]["faults"]
    items = [f'<li lang="en">{escape(fault)}</li>' for fault in faults]
    return f"<ul>{''.join(items)}</ul>" if items else say("There is nothing to explain.")


def _kept(engine: str, lines: list[dict[str, Any]]) -> Check:
    header = lines[0]
    found = {
        line["rule"]: RuleVerdict(line["verdict"], line["passed"], line["failed"])
        for line in lines
        if line["type"] == "rule"
    }
    faults = [
        fault["name"] for line in lines if line["type"] == "diagnosis" for fault in line["faults"]
    ]
    return {
        "engine": engine,
        "edition": header["edition"],
        "levels": header["levels"],
        "rules": found,
        "faults": faults,
    }


def _row(say: Language, rule: str, page: str) -> str:
    address = link(page, rule_address(rule))
    checks = [one["all"]["rules"] for one in read_checks().values()]
    cells = "".join(_cell(say, RuleVerdict(*found[rule])) for found in checks)
    return (
        f'<tr><th scope="row"><a href="{address}">{escape(name_of(say, "rules", rule))}</a>'
        f"<br><code>{rule}</code></th>{cells}</tr>"
    )


def _cell(say: Language, told: RuleVerdict) -> str:
    counted = ""
    if told.verdict in JUDGED:
        cases = _thousands(say, told.passed + told.failed)
        passed = f"{_thousands(say, told.passed)}/" if told.failed else ""
        counted = f" <small>{passed}{cases}</small>"
    return (
        f'<td class="verdict-{told.verdict}"><span aria-hidden="true">{SIGNS[told.verdict]}</span> '
        f"<code>{told.verdict}</code>{counted}</td>"
    )


def _thousands(say: Language, number: int) -> str:
    return f"{number:,}".replace(",", say(","))


_PICKOMINO = [sys.executable, "-m", "pickomino_conformance"]
