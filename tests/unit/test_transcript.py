"""The protocol's transcript: it shows everything, and every table in it is one."""

from itertools import chain

from pickomino_conformance.protocol.messages import (
    MALFORMED,
    MISFIT,
    NO_SUCH_METHOD,
    PARAMS,
    REFUSED,
)
from pickomino_reference import BASE
from protocol_messages import EXCHANGES, FOLDER, TRANSCRIPT, kind


def test_the_transcript_alternates_between_question_and_answer() -> None:
    """Requests and answers alternate, and each answer bears the id of its request."""
    numbers = range(1, len(EXCHANGES) + 1)
    assert [(n, True, n, False) for n in numbers] == [
        (request["id"], "method" in request, answer["id"], "method" in answer)
        for request, answer in EXCHANGES
    ]


def test_grep_finds_the_requests_of_the_transcript() -> None:
    """The word "method" in quotes stands in the requests and nowhere else, so grep parts them."""
    lines = (FOLDER / "transcript.jsonl").read_text().splitlines()
    assert lines[::2] == [line for line in lines if '"method"' in line]


def test_the_transcript_shows_every_method_and_every_error_of_an_adapter() -> None:
    """Every method is answered with a result; refusals, misfits and the two -326xx are shown."""
    shown = {kind(request, answer) for request, answer in EXCHANGES}
    assert {
        *((method, None) for method in PARAMS),
        ("start", REFUSED),
        ("turn", REFUSED),
        ("turn", MISFIT),
        ("shuffle", NO_SUCH_METHOD),
        ("settle", MALFORMED),
    } == shown


def test_the_transcript_shows_everything_that_a_misfit_can_want() -> None:
    """A script can lack a roll, a decision or a claim, and the transcript shows each."""
    errors = [answer["error"] for _, answer in EXCHANGES if "error" in answer]
    wants = [error["data"]["wants"] for error in errors if error["code"] == MISFIT]
    assert sorted(wants) == ["claim", "decision", "roll"]


def test_every_table_of_the_transcript_holds_every_tile_once() -> None:
    """A table names each of the sixteen tiles exactly once."""
    said = [
        part for line in TRANSCRIPT for name in ("params", "result") if (part := line.get(name))
    ]
    tables = [part["table"] for part in said if part.get("table")]
    assert [sorted(BASE.worms)] * len(tables) == [
        sorted([*table["grill"], *table["face_down"], *chain(*table["stacks"])]) for table in tables
    ]
