"""Case files: a failure as a small JSON file; and replay, which asks it again.

Every answer is compared in full, by the one comparison (`compare`).
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import msgspec

from pickomino_conformance import Malformed
from pickomino_conformance.blame import judge, judge_one
from pickomino_conformance.cases import (
    Exchange,
    Judgement,
    NotReached,
    Outcome,
    Unanswered,
    Unsupported,
    Verdict,
    Wanted,
    exchange,
    outcome,
    unanswered,
)
from pickomino_conformance.cases.registry import level_of
from pickomino_conformance.compare import compare
from pickomino_conformance.engine import CHOOSES, Answered, EngineUnderTest, left_to_the_engine
from pickomino_conformance.files import require_writable, write_whole
from pickomino_conformance.oracle import due
from pickomino_conformance.protocol.conversation import Conversation, Reply
from pickomino_conformance.protocol.finding import EngineCommand
from pickomino_conformance.protocol.messages import REFUSED, ErrorMessage
from pickomino_conformance.protocol.translate import (
    Ask,
    Scoring,
    Settling,
    Start,
    configuration,
    request,
)
from pickomino_conformance.report.model import ExitStatus, gherkin
from pickomino_conformance.report.phrases import message
from pickomino_reference import (
    DEFAULT_EDITION,
    Edition,
    Position,
    Rulings,
    Script,
    find_edition,
    make_rulings,
    ruling_values,
)
from pickomino_reference.editions import Contradiction, UnknownName

SUFFIX = ".json"
WRITTEN = (Verdict.FAIL, Verdict.ERROR)
LONGEST_STEM = 120
NEEDS: dict[type[Ask], tuple[str, ...]] = {
    Start: ("start",),
    Scoring: ("score",),
    Position: ("legal", "set-table"),
    Settling: ("settle", "set-table"),
}

_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9./-]*")
_ODD = re.compile(r"[^A-Za-z0-9.-]+")


class UnreadableCase(Exception):
    """A file is no case file; the text says what was expected, and where."""


class CaseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case, whole in itself.

    Attributes:
        id: the case.
        level: the level that asked it.
        rules: the ids of the rules it belongs to.
        edition: what the engine was judged by, house rules and all.
        rulings: the value of every ruling, by its id; those of the edition where it has none.
        engine: the engine that departed, by its own name.
        verdict: what came of it.
        message: the case in words, what was expected and what came; it may quote the engine.
        exchanges: what was asked, and what came. Without them the case is asked by its id.
        gherkin: the case as a scenario; empty if there are no steps for it.
    """

    id: str
    level: str = ""
    rules: tuple[str, ...] = ()
    edition: str = DEFAULT_EDITION
    rulings: dict[str, str] = {}
    engine: str = ""
    verdict: Verdict | None = None
    message: str = ""
    exchanges: tuple[Exchange, ...] = ()
    gherkin: str = ""

    def judged_by(self) -> Rulings:
        """Return the rulings that the case is judged by.

        Raises:
            UnknownName, Contradiction: there is no such edition, ruling or value.
        """
        name, *changes = self.edition.split()
        changed = dict(change.split("=", 1) for change in changes if "=" in change)
        return make_rulings(self.rulings, find_edition(name, changed).rulings)


class Folder:
    """A folder of case files; other files in it are left alone.

    Raises:
        OSError: it can't be made or written to.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        require_writable(path / ("case" + SUFFIX))

    def write(self, failed: Outcome, engine: str, edition: str, rulings: Rulings) -> None:
        """Write a case that failed; of any other verdict, do nothing."""
        if failed.verdict not in WRITTEN or not failed.id:
            return
        case = CaseFile(
            id=failed.id,
            level=failed.level,
            rules=failed.rules,
            edition=edition,
            rulings=ruling_values(rulings),
            engine=engine,
            verdict=failed.verdict,
            message=message(failed),
            exchanges=failed.exchanges,
            gherkin=gherkin(failed, rulings),
        )
        told = msgspec.json.format(msgspec.json.encode(case), indent=2).decode()
        write_whole(self.path / file_name(failed.id), f"{told}\n")


def file_name(case: str) -> str:
    """Return the name of a case's file: safe everywhere, and another one for another case."""
    stem = _ODD.sub("_", case)
    if not _PLAIN_ID.fullmatch(case) or len(stem) > LONGEST_STEM:
        mark = hashlib.sha256(case.encode(errors="backslashreplace")).hexdigest()[:12]
        stem = f"{stem[:LONGEST_STEM].lstrip('.')}-{mark}"
    return stem + SUFFIX


def find(path: Path) -> list[Path]:
    """Return the case files that a path names: itself, or all that lie in the folder.

    Raises:
        UnreadableCase: there is none.
    """
    found = sorted(path.glob("*" + SUFFIX)) if path.is_dir() else [path]
    if not found:
        raise UnreadableCase(f"{path}: there is no case file (*{SUFFIX}) in this folder.")
    return found


def read(path: Path) -> CaseFile:
    """Return the case of a file.

    Raises:
        UnreadableCase: there is no such file, or it is no case file.
    """
    try:
        case = msgspec.json.decode(path.read_bytes(), type=CaseFile)
    except OSError as error:
        raise UnreadableCase(f"{path}: {error.strerror}. Expected a case file.") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnreadableCase(f"{path} is no case file: {error}.") from None
    try:
        case.judged_by()
    except (UnknownName, Contradiction) as error:
        raise UnreadableCase(f"{path}: {error}") from None
    for number, one in enumerate(case.exchanges, start=1):
        try:
            _ = one.ask, one.reply
        except (Malformed, msgspec.ValidationError) as error:
            raise UnreadableCase(f"{path}, request {number}: {error}.") from None
    return case


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of a case that was asked again.

    Attributes:
        outcome: what came of it now; of its exchanges the judged one comes last.
        right: the reply that must come, if it is known.
        same_answer: whether the answer is the one that the file has; none if either has none.
    """

    outcome: Outcome
    right: Reply | None = None
    same_answer: bool | None = None

    @property
    def verdict(self) -> Verdict:
        """What came of it now."""
        return self.outcome.verdict


def exit_status(replayed: Sequence[Replayed]) -> ExitStatus:
    """Return how a replay ends: well if all cases pass that could be judged."""
    verdicts = {one.verdict for one in replayed}
    if verdicts & {Verdict.FAIL, Verdict.ERROR}:
        return ExitStatus.DEPARTS
    judged = verdicts & {Verdict.PASS, Verdict.UNSETTLED}
    return ExitStatus.CONFORMS if judged else ExitStatus.NOT_JUDGED


def replay_all(
    cases: Sequence[CaseFile], edition: Edition | None, command: EngineCommand, timeout: float
) -> list[Replayed]:
    """Ask cases again, each judged by the rulings of its file, or all by this edition.

    Raises:
        Unusable: the engine does not start, or does not say hello.
    """
    with Conversation(command.launcher(timeout)) as conversation:
        return [
            replay(case, edition.rulings if edition else case.judged_by(), conversation)
            for case in cases
        ]


def replay(case: CaseFile, rulings: Rulings, conversation: Conversation) -> Replayed:
    """Ask the requests of a case again, in order, and judge each by these rulings.

    The first that departs is told. If none does, one that could not be judged is, if it departed
    then. The engine is configured to play the rulings. A case without requests is asked by its id.
    """
    conversation.configure(configuration(rulings))
    engine = EngineUnderTest(conversation, rulings)
    if not case.exchanges:
        return Replayed(_ask_by_id(case, engine))
    asked = _without_retries(case.exchanges)
    found: list[Replayed] = []
    for chain in _chains(asked):
        for one in _ask_again(case, engine, chain):
            if one.verdict in WRITTEN:
                return one
            found.append(one)
    departed = _departed(asked, case.judged_by())
    told = [one for place, one in enumerate(found) if place in departed]
    return next((one for one in told if one.verdict is not Verdict.PASS), told[-1])


def _ask_by_id(case: CaseFile, engine: EngineUnderTest) -> Outcome:
    level, wanted = level_of(case.id), Wanted(only=frozenset((case.id,)))
    found = [one for one in level.run(engine, wanted) if one.id == case.id] if level else []
    why = "there is no case of this id, and the file has no requests"
    return next(iter(found), Outcome(case.id, "", (), Verdict.NOT_APPLICABLE, (), why))


def _departed(asked: Sequence[Exchange], rulings: Rulings) -> set[int]:
    """Return the places of the requests whose answers departed then; the last one if none did.

    What went on with a table that was wrong tells nothing.
    """
    found = set[int]()
    for place, one in enumerate(asked):
        tells = one.answer and not (one.goes_on and place - 1 in found)
        if tells and compare(one.ask, one.reply, rulings):
            found.add(place)
    return found or {len(asked) - 1}


def _chains(asked: Sequence[Exchange]) -> list[list[Exchange]]:
    """Return the requests, each with the turns after it that go on with its table."""
    found: list[list[Exchange]] = []
    for one in asked:
        if one.goes_on and found and one.method == found[-1][-1].method == "turn":
            found[-1].append(one)
        else:
            found.append([one])
    return found


class _Came(NamedTuple):
    """What came of a request: a reply, or why there is none.

    `asked` is how the engine was asked it: perhaps with a dead roll more.
    """

    ask: Ask
    asked: Ask
    reply: Reply | None = None
    why: Unanswered | None = None


def _ask_again(
    case: CaseFile, engine: EngineUnderTest, chain: Sequence[Exchange]
) -> Iterator[Replayed]:
    asks = [one.ask for one in chain]
    right = [due(ask, engine.rulings).reply for ask in asks]
    misfit = [one for one in right if isinstance(one, ErrorMessage) and one.code != REFUSED]
    told: list[Exchange] = []
    for place, came in enumerate(_answers(engine, asks, right)):
        if misfit:
            why = f"under these rulings the script does not fit: {misfit[0].message}"
            judgement = Judgement(Verdict.NOT_APPLICABLE, (), (), why)
        else:
            judgement = _judge(engine, came, forbidden=isinstance(right[place], ErrorMessage))
        told.append(exchange(came.asked, came.reply, engine.rulings, goes_on=place > 0))
        found = outcome(case.id, case.level, judgement._replace(rules=case.rules), tuple(told))
        then, now = chain[place].answer, told[-1].answer
        same = then == now or "broken" in then.keys() & now.keys()
        yield Replayed(found, right[place], same if then and now else None)


def _judge(engine: EngineUnderTest, came: _Came, *, forbidden: bool) -> Judgement:
    ask, asked, reply, why = came
    if not isinstance(ask, Script):
        if why is not None:
            return unanswered(why, ())
        assert reply is not None
        return judge_one(engine, ask, reply, ())
    asked = asked if isinstance(asked, Script) else ask
    judgement = judge(engine, ask, Answered(asked, reply, why))
    claims = forbidden and bool(ask.decisions) and ask.decisions[-1].claim is not None
    in_vain = claims and not engine.chooses and judgement.verdict is Verdict.PASS
    return unanswered(Unsupported(CHOOSES), ()) if in_vain else judgement


def _answers(
    engine: EngineUnderTest, asks: Sequence[Ask], right: Sequence[Reply]
) -> Iterator[_Came]:
    scripts = [ask for ask in asks if isinstance(ask, Script)]
    refusals = [isinstance(one, ErrorMessage) for one in right]
    try:
        engine.need(*(["refuse"] if any(refusals) else []))
        if any(decision.keep is None for script in scripts for decision in script.decisions):
            engine.need("unresolved")
        for ask in asks:
            engine.need(*NEEDS.get(type(ask), ()))
    except Unsupported as why:
        yield from (_Came(ask, ask, why=why) for ask in asks)
        return
    if not scripts:
        yield from (_Came(ask, ask, engine.ask_one(ask)[0]) for ask in asks)
    elif any(refusals[:-1]):
        yield from _after_a_refusal(engine, scripts)
    else:
        yield from _turns(engine, scripts)


def _after_a_refusal(engine: EngineUnderTest, scripts: Sequence[Script]) -> Iterator[_Came]:
    """Ask all in one go; what goes on is left the table that the refused turn must not change."""
    if not engine.sets_tables:
        yield from _turns(engine, scripts[:1])
        why = NotReached("what the engine's table is after a refusal is not known")
        yield from (_Came(script, script, why=why) for script in scripts[1:])
        return
    first, *rest = (request(script, engine.rulings) for script in scripts)
    replies = engine.conversation.ask(first, *map(left_to_the_engine, rest))
    # Of an engine that broke down there is one reply.
    came = replies if len(replies) == len(scripts) else replies * len(scripts)
    yield from (_Came(script, script, reply) for script, reply in zip(scripts, came, strict=True))


def _turns(engine: EngineUnderTest, scripts: Sequence[Script]) -> Iterator[_Came]:
    """Ask turns of which each goes on with the table of the one before."""
    why: Unanswered | None = None
    latest: Reply | None = None
    try:
        _, latest, told = engine.ask(*scripts)
        played = _without_retries(told)[-len(scripts) :]
    except Unanswered as failure:
        why = failure
        # From the first turn on; the engine may not even have been led to it.
        tables = [getattr(one.ask, "table", None) for one in failure.exchanges]
        begun = scripts[0].table in tables
        first = tables.index(scripts[0].table) if begun else len(tables)
        played = _without_retries(failure.exchanges[first:])[: len(scripts)]
    for script, one in zip_longest(scripts, played):
        if one is None:
            yield _Came(script, script, why=why)
        else:
            # It went on with the table that the engine answered, which need not be the one told.
            table = getattr(one.ask, "table", script.table)
            # The last reply of a breakdown has its last words.
            reply = latest if latest and script is scripts[-1] else one.reply
            yield _Came(script._replace(table=table), one.ask, reply)


def _without_retries(asked: Sequence[Exchange]) -> list[Exchange]:
    pairs = zip_longest(asked, asked[1:])
    return [one for one, then in pairs if then is None or not one.once_more(then)]
