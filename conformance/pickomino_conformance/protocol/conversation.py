"""A conversation with an engine: hello, rulings, requests by the case, restarts.

A *case* of a conversation is a short sequence of requests that belong together (a `start` and
the turns after it, or a single turn); each may hang on the replies before it. If the engine
breaks in the middle of a case, the case is asked once more, alone, in a new process; if it
breaks again, that is its answer. So it is if processes break again and again, even though a new
one always answers.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import msgspec

from pickomino_conformance.protocol.messages import (
    METHODS,
    PROTOCOL,
    PROTOCOLS,
    Call,
    ConfigureParams,
    ErrorMessage,
    Hello,
    HelloParams,
    Params,
    Result,
    TurnParams,
    decode_answer,
    decode_result,
    encode,
    quoted,
)
from pickomino_conformance.protocol.wire import GRACE, Broken, Wire
from pickomino_reference import BASE

# So many breakdowns of an engine are told; their number tells the rest.
MOST_BREAKDOWNS = 20
WINDOW = 256
MOST_BROKEN_CASES = 5
MOST_LOST_PROCESSES = 20
GRACE_WHEN_BROKEN = 0.2
GIVEN_UP = "it broke down too often before"
UNREADABLE = (msgspec.DecodeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Breakdown:
    """No answer: the engine broke down.

    Attributes:
        reason: how, as a part of a sentence.
        last_words: the end of its stderr.
        asked: whether the case was asked at all; not once the engine was given up.
    """

    reason: str
    last_words: str = ""
    asked: bool = True


Reply = Result | ErrorMessage | Breakdown


class Restart(msgspec.Struct, frozen=True):
    """A breakdown after which an engine was started anew, and its case asked once more.

    Attributes:
        reason: how it broke down, as a part of a sentence.
        last_words: the end of its stderr.
        method: what was asked and not answered.
        rolls: the dice of that request, if it was a turn.
        answered: whether the case was answered when it was asked once more.
    """

    reason: str
    last_words: str = ""
    method: str = ""
    rolls: tuple[str, ...] = ()
    answered: bool = False


class Conduct(msgspec.Struct, frozen=True):
    """How an engine behaved in a conversation, apart from its answers.

    Attributes:
        passed_over: lines on its stdout that were no answers.
        restarts: how often it had to be started anew.
        breakdowns: why; the first of them, if there are many.
    """

    passed_over: int = 0
    restarts: int = 0
    breakdowns: tuple[Restart, ...] = ()


T = TypeVar("T")
# A case that chooses each request by the replies before it, and what it comes to.
Talk = Generator[Params, Reply, T]


class Unusable(Exception):
    """Nothing can be judged: the engine does not start, or says hello wrongly."""

    def __init__(self, reason: str, last_words: str = "", hint: str = "") -> None:
        super().__init__(reason)
        self.last_words = last_words
        self.hint = hint


class Conversation:
    """A conversation with an engine that has said hello.

    Use it as a context, so that its process is ended.

    Args:
        launch: starts the engine anew.
        configure: chooses the rulings to be sent, once the engine has said what it can play;
            none if it returns None.

    Raises:
        Unusable: it does not start, or its hello is not one.
    """

    def __init__(
        self,
        launch: Callable[[], Wire],
        configure: Callable[[Hello], dict[str, str] | None] = lambda _: None,
    ) -> None:
        self._launch = launch
        self._configure = configure
        self._sent = self._received = 0
        self._wire: Wire | None = None
        self._passed_over = 0
        self._broken_cases = self._lost_processes = 0
        self._restarts: list[Restart] = []
        try:
            _, self.hello = self._open()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Conversation":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        self.close(GRACE_WHEN_BROKEN if interrupted else GRACE)

    @property
    def conduct(self) -> Conduct:
        """How the engine has behaved so far."""
        passed_over = self._passed_over + (self._wire.passed_over if self._wire else 0)
        return Conduct(passed_over, self._lost_processes, tuple(self._restarts))

    @property
    def given_up(self) -> bool:
        """Whether the engine broke down so often that it is not started again."""
        return self._broken_cases >= MOST_BROKEN_CASES or self._breaks_on_and_on

    @property
    def _breaks_on_and_on(self) -> bool:
        """Whether so many processes broke that it can't be due to single cases."""
        return self._lost_processes >= MOST_LOST_PROCESSES

    def close(self, grace: float = GRACE) -> None:
        """End the process, if there is one."""
        if self._wire is not None:
            self._passed_over += self._wire.passed_over
            self._wire.close(grace)
            self._wire = None

    def configure(self, configure: Callable[[Hello], dict[str, str] | None]) -> None:
        """Let the engine play other rulings from now on."""
        self._configure = configure
        if self._wire is not None:
            self._send_rulings(self._wire, self.hello)

    def ask(self, *requests: Params) -> list[Reply]:
        """Return the replies to the requests of one case."""
        return next(self.ask_many([requests]))

    def ask_many(self, cases: Iterable[Sequence[Params]]) -> Iterator[list[Reply]]:
        """Yield the replies of each case, in order; the requests are pipelined.

        A case of an engine that was given up is answered by a single `Breakdown`.
        """
        source = iter(cases)
        waiting: deque[Sequence[Params]] = deque()
        sent = 0
        while True:
            while len(waiting) < WINDOW and (case := next(source, None)) is not None:
                waiting.append(case)
            if not waiting:
                return
            if self.given_up:
                waiting.popleft()
                yield [Breakdown(GIVEN_UP, asked=False)]
                continue
            replies: list[Reply] = []
            try:
                wire = self._wire or self._reopen()
                while sent < len(waiting):
                    for request in waiting[sent]:
                        self._send(wire, request)
                    sent += 1
                for request in waiting[0]:
                    replies.append(self._receive(wire, request))  # noqa: PERF401  # kept if it breaks
            except (Broken, Unusable) as broken:
                sent = 0
                case = waiting.popleft()
                unanswered = case[len(replies)]
                answer = self._once_more(partial(self._replies, case), broken, unanswered)
                yield [answer] if isinstance(answer, Breakdown) else answer
                continue
            waiting.popleft()
            sent -= 1
            yield replies

    def converse(self, talk: Callable[[], Talk[T]]) -> T:
        """Return what a case comes to that chooses each request by the replies before it.

        If the engine breaks down, the case begins anew in a new process; if it breaks down
        again, that is the reply to the request, and to all that follow.
        """
        case = _Case(talk())
        if self.given_up:
            return case.go_on(lambda _: Breakdown(GIVEN_UP, asked=False))
        try:
            return case.go_on(self._ask_it)
        except (Broken, Unusable) as broken:
            again = _Case(talk())
            answer = self._once_more(lambda: again.go_on(self._ask_it), broken, case.unanswered)
            return again.go_on(lambda _: answer) if isinstance(answer, Breakdown) else answer

    def _ask_it(self, request: Params) -> Reply:
        return self._exchange(self._wire or self._reopen(), request)

    def _replies(self, case: Sequence[Params]) -> list[Reply]:
        wire = self._reopen()
        for request in case:
            self._send(wire, request)
        return [self._receive(wire, request) for request in case]

    def _once_more(
        self, ask: Callable[[], T], first: Exception, unanswered: Params | None
    ) -> T | Breakdown:
        """Ask a case alone in a new process, after the engine broke down on it.

        The case was perhaps only the first whose answer was lost with the process.
        """
        words = self._lose(first)
        self._lost_processes += 1
        answered = False
        try:
            if self._breaks_on_and_on:
                often = f"the last of {self._lost_processes} times"
                return Breakdown(f"it breaks down again and again; {often}: {first}", words)
            answer = ask()
        except (Broken, Unusable) as broken:
            self._broken_cases += 1
            again = "" if str(broken) == str(first) else f" (the first time: {first})"
            return Breakdown(f"{broken}{again}", self._lose(broken))
        else:
            answered = True
            return answer
        finally:
            if self._lost_processes <= MOST_BREAKDOWNS:
                method = METHODS[type(unanswered)] if unanswered else ""
                rolls = tuple(unanswered.rolls) if isinstance(unanswered, TurnParams) else ()
                self._restarts.append(Restart(str(first), words, method, rolls, answered))

    def _lose(self, broken: Exception | None = None) -> str:
        words = self._wire.last_words() if self._wire else ""
        self.close(GRACE_WHEN_BROKEN)
        return broken.last_words if isinstance(broken, Unusable) else words

    def _reopen(self) -> Wire:
        wire, _ = self._open()
        return wire

    def _open(self) -> tuple[Wire, Hello]:
        """Start the engine, greet it, and send the rulings."""
        try:
            wire = self._launch()
        except Broken as broken:
            raise Unusable(str(broken)) from None
        self._wire = wire
        self._sent = self._received = 0
        try:
            reply = self._exchange(wire, HelloParams(protocol=PROTOCOL))
        except Broken as broken:
            raise self._unusable(
                f"it does not answer hello: {broken}",
                "The first request is hello; see spec/protocol/transcript.jsonl.",
            ) from None
        if isinstance(reply, ErrorMessage):
            raise self._unusable(f"it answers hello with error {reply.code}: {reply.message}")
        assert isinstance(reply, Hello)
        fewest, most = reply.players
        if fewest > most:
            raise self._unusable(
                f"it says hello with players [{fewest}, {most}]: the fewest, then the most"
            )
        least, greatest = BASE.players
        if most < least or fewest > greatest:
            raise self._unusable(
                f"it plays with {_range(fewest, most)}; the game is for {_range(least, greatest)}"
            )
        if reply.protocol not in PROTOCOLS:
            known = ", ".join(map(str, PROTOCOLS))
            raise self._unusable(
                f"it answers hello with version {reply.protocol} of the protocol; "
                f"known here: {known}",
                "An engine answers the version that it speaks, the highest up to the one it was "
                "sent. Does a newer release of this suite know yours?",
            )
        self._send_rulings(wire, reply)
        return wire, reply

    def _send_rulings(self, wire: Wire, hello: Hello) -> None:
        rulings = self._configure(hello)
        if rulings is None:
            return
        try:
            reply = self._exchange(wire, ConfigureParams(rulings=rulings))
        except Broken as broken:
            raise self._unusable(f"it does not answer configure: {broken}") from None
        if isinstance(reply, ErrorMessage):
            raise self._unusable(f"it answers configure with error {reply.code}: {reply.message}")

    def _unusable(self, reason: str, hint: str = "") -> Unusable:
        return Unusable(reason, self._lose(), hint)

    def _exchange(self, wire: Wire, request: Params) -> Reply:
        self._send(wire, request)
        return self._receive(wire, request)

    def _send(self, wire: Wire, request: Params) -> None:
        self._sent += 1
        method = METHODS[type(request)]
        wire.send(encode(Call(self._sent, method, request)))

    def _receive(self, wire: Wire, request: Params) -> Reply:
        """Return the next reply, which must be the one to `request`.

        Raises:
            Broken: it is none, or it has another id or another shape.
        """
        self._received += 1
        line = wire.receive()
        try:
            answer = decode_answer(line)
        except UNREADABLE as error:
            raise Broken(
                f"its answer is no answer of the protocol: {error}: {_short(line)}"
            ) from None
        if answer.id != self._received:
            said = (
                f": {_short(line)}"
                if answer.id is None
                else "; one line is expected for each request, in order, with the request's id"
            )
            raise Broken(f"it answered id {answer.id} where {self._received} was due{said}")
        if answer.error is not msgspec.UNSET:
            return answer.error
        if answer.result is msgspec.UNSET:
            raise Broken(f"its answer has neither result nor error: {_short(line)}")
        method = METHODS[type(request)]
        try:
            return decode_result[method](answer.result)  # type: ignore[no-any-return]
        except UNREADABLE as error:
            raise Broken(f"its answer to {method} is malformed: {error}: {_short(line)}") from None


class _Case(Generic[T]):
    """A case under way; `unanswered` is the request that has no reply yet."""

    def __init__(self, talk: Talk[T]) -> None:
        self._talk = talk
        self.unanswered: Params | None = None

    def go_on(self, ask: Callable[[Params], Reply]) -> T:
        """Ask what is still to be asked; return what the case comes to."""
        try:
            if self.unanswered is None:
                self.unanswered = next(self._talk)
            while True:
                self.unanswered = self._talk.send(ask(self.unanswered))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def _range(fewest: int, most: int) -> str:
    return f"{fewest} to {most}" if fewest < most else str(fewest)


def _short(line: bytes) -> str:
    return quoted(line[:800].decode(errors="replace"), 200)
