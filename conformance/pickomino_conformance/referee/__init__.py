"""The referee: a game log is checked turn by turn, and every departure named with its rule.

For engines whose dice can't be forced. `referee_log` reads a log of JSON lines,
`referee_turns` takes the same objects from a test:

    from pickomino_conformance.referee import referee_turns

    def test_my_game_is_by_the_rules():
        assert referee_turns(my_log).departures == ()
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pickomino_conformance.diagnosis import Diagnosis
from pickomino_conformance.referee.departing import Departure
from pickomino_conformance.referee.exercising import SITUATIONS
from pickomino_conformance.referee.finding import Finding
from pickomino_conformance.referee.judging import Referee
from pickomino_conformance.referee.log import (
    Beginning,
    Ending,
    LoggedTurn,
    LogLine,
    MalformedLog,
    read_lines,
    read_objects,
)
from pickomino_reference import Edition, Rule, find_edition


@dataclass(frozen=True, slots=True)
class Refereed:
    """What a referee found in a log.

    Attributes:
        editions: what the games were judged by.
        games, turns: how many there are.
        not_judged: how many turns begin with an impossible table.
        departures: where the log departs, in its order; at most `MOST_KEPT` of a kind.
        broken: how many departures there are, by the rule that is broken; those that were not
            kept are counted like the last one of their kind that was.
        contradictions: how often the log contradicts itself.
        exercised: how many turns, or beginnings or ends of games, exercise a rule.
        diagnoses: the faults that explain what departs; one for each set of rulings by which
            something was judged that departs.
    """

    editions: tuple[Edition, ...]
    games: int
    turns: int
    not_judged: int
    departures: tuple[Departure, ...]
    broken: Mapping[Rule, int]
    contradictions: int
    exercised: Mapping[Rule, int]
    diagnoses: tuple[Diagnosis, ...] = ()

    @property
    def never_exercised(self) -> tuple[Rule, ...]:
        """The rules of which the log shows nothing, so that its silence proves nothing."""
        shown = {*self.exercised, *self.broken}
        return tuple(rule for rule in SITUATIONS if rule not in shown)

    @property
    def conforms(self) -> bool:
        """Whether the log departs nowhere."""
        return not self.broken and not self.contradictions


def referee_turns(
    objects: Iterable[Mapping[str, Any]], edition: Edition | str | None = None
) -> Refereed:
    """Return what a referee finds in a log given as objects, numbered from 1 like lines.

    `edition` is what the log is judged by; if it is not given, what the log says of itself, or
    else the default edition.

    Raises:
        MalformedLog: an object is of another shape than that of a log.
        UnknownName: there is no such edition.
    """
    chosen = find_edition(edition) if isinstance(edition, str) else edition
    return _judge(read_objects(objects), chosen, None)


def referee_log(
    lines: Iterable[bytes],
    edition: Edition | None = None,
    watch: Callable[[int], None] | None = None,
) -> Refereed:
    """Return what a referee finds in a log of JSON lines; `watch` is told each line's number.

    Raises:
        MalformedLog: a line is no JSON, or of another shape than that of a log.
    """
    return _judge(read_lines(lines), edition, watch)


def _judge(
    lines: Iterable[LogLine], edition: Edition | None, watch: Callable[[int], None] | None
) -> Refereed:
    referee, finding = Referee(edition), Finding()
    for line in lines:
        finding.add(line, referee.judge(line))
        if watch is not None:
            watch(line.line)
    if not referee.turns:
        raise MalformedLog(
            "there is no turn in the log; a turn is a line with table, rolls, decisions and "
            "table_after."
        )
    found = finding.settle(claims_told=referee.claims_told)
    return Refereed(
        editions=tuple(referee.editions.values()),
        games=referee.games,
        turns=referee.turns,
        not_judged=referee.not_judged,
        departures=found.departures,
        broken=found.broken,
        contradictions=found.contradictions,
        exercised=found.exercised,
        diagnoses=found.diagnoses,
    )


__all__ = [
    "Beginning",
    "Departure",
    "Ending",
    "LogLine",
    "LoggedTurn",
    "MalformedLog",
    "Refereed",
    "referee_log",
    "referee_turns",
]
