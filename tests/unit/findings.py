"""What a check found, made by hand: for the tests of what reports tell."""

from pickomino_conformance.cases import Exchange, Outcome, Verdict
from pickomino_conformance.check import Checked, Plan
from pickomino_conformance.compare import Difference
from pickomino_conformance.diagnose import Diagnosis
from pickomino_conformance.known_failures import Recognised
from pickomino_conformance.protocol.conversation import Conduct, Restart
from pickomino_conformance.protocol.finding import EngineCommand
from pickomino_conformance.protocol.messages import Hello
from pickomino_conformance.report import model
from pickomino_conformance.report.model import Findings, Tally
from pickomino_conformance.specification import rules
from pickomino_reference import Rulings, find_edition

FLIP, EXACT = "failing.flip-highest", "claiming.exact"
PLAIN = Hello("x", 1, (2, 7))
GRILLS = Difference("grill", [22, 25, 30], [22, 30, 36])


def turn_asked(answer: dict, face_down: tuple[int, ...] = ()) -> Exchange:
    """Return a failed turn of a player who owns the 25, and an answer to it.

    The more tiles are told to be face down, the longer it is.
    """
    table = {"grill": [22, 30, 36], "stacks": [[25], []], "player": 0}
    if face_down:
        table["face_down"] = list(face_down)
    decisions = [{"keep": "W", "then": "roll"}, {"keep": "2", "then": "roll"}]
    rolls = ["1223345W", "123445W", "222WWW"]
    return Exchange("turn", {"table": table, "rolls": rolls, "decisions": decisions}, answer)


def departure(case: str, *broken: str, longer: int = 0) -> Outcome:
    """Return a departure of rules."""
    asked = turn_asked({}, tuple(range(longer)))
    level = "features" if case.startswith("failing/") else case.partition("/")[0]
    return Outcome(case, level, broken, Verdict.FAIL, (GRILLS,), exchanges=(asked,))


def found_in(
    *outcomes: Outcome,
    hello: Hello = PLAIN,
    diagnosis: Diagnosis = Diagnosis(),  # noqa: B008  # a frozen value
    known: Recognised = Recognised(),  # noqa: B008
    conduct: Conduct = Conduct(),  # noqa: B008
    **plan: object,
) -> Findings:
    """Return what a check with these outcomes found."""
    tally = Tally(rules())
    for one in outcomes:
        tally.add(one)
    checked = Checked(hello, Rulings(), tally, diagnosis, known, conduct, 1.5)
    return model.find(Plan(EngineCommand("x", (), ""), find_edition(), **plan), checked)


def broken_down(*restarts: Restart) -> Conduct:
    """Return the conduct of an engine that was started anew so often."""
    return Conduct(0, len(restarts), restarts)
