"""A case as a Gherkin scenario, in the words of `features/`, ready to be pasted there.

A case of a feature is told as its file tells it. Any other is told by the request whose answer
departs, with a `Then` for all that the engine answered otherwise, or for the whole outcome if it
gave none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache, partial
from itertools import combinations, product
from typing import Any

import msgspec
from gherkin import Parser
from msgspec import UNSET

from pickomino_conformance.by_reference import (
    NAMES,
    NotOfTheGame,
    expected_reply,
    goes_on_after_a_refusal,
    read_answer,
    read_params,
    read_script,
    up_to_the_departure,
)
from pickomino_conformance.cases import Exchange, NotReached, Outcome, Script
from pickomino_conformance.data import features_dir
from pickomino_conformance.engines.session import Reply
from pickomino_conformance.protocol import (
    REFUSED,
    Decision,
    ErrorMessage,
    Params,
    ScoreParams,
    ScoreResult,
    StartParams,
    TableMessage,
    TurnParams,
    TurnResult,
)
from pickomino_conformance.specification import CHAPTERS, rules
from pickomino_reference import BASE, Rulings
from pickomino_reference.editions import ALTERNATIVES

_NO_SLUG = re.compile(r"[^A-Za-z0-9]+")


class Untold(Exception):
    """There are no steps for a case; the text says what there are none for."""


def scenario(outcome: Outcome, rulings: Rulings) -> str:
    """Return a case as a scenario.

    Raises:
        Untold: there are no steps for it.
    """
    source = _source(outcome.id)
    if source is not None:
        return source
    if not outcome.exchanges:
        raise Untold("Nothing was asked.")
    exchanges = up_to_the_departure(outcome.exchanges, rulings)
    if goes_on_after_a_refusal(exchanges, rulings):
        raise Untold("There are no steps for a turn after one that is refused.")
    last = exchanges[-1]
    try:
        params = read_params(last)
        steps = _Steps(params)
        then = steps.then(last, rulings)
        told = [*steps.given(), *steps.when(), *then]
        tags = [f"@{rule}" for rule in outcome.rules]
        tags += [f"@{ruling}={value}" for ruling, value in _needs(steps, then, rulings)]
    except (msgspec.ValidationError, NotOfTheGame, NotReached) as error:
        raise Untold(f"{error}.") from None
    slug = _NO_SLUG.sub("-", outcome.id).strip("-").lower()
    lines = [" ".join([*tags, f"@case={slug}"]), f"Scenario: {_title(outcome)}"]
    return "\n".join([*lines, *("  " + line for line in told)]) + "\n"


def _title(outcome: Outcome) -> str:
    """Return what the first rule says, and of which case it is told."""
    known = rules().get(outcome.rules[0]) if outcome.rules else None
    claim = known.statement[0].rstrip(".").replace("`", "") if known else "As the rules have it"
    return f"{claim} ({outcome.id})"


class _Steps:
    """The steps that tell one request."""

    def __init__(self, params: Params) -> None:
        self._params = params
        match params:
            case TurnParams():
                self._script: Script = _without_roll_at_the_end(read_script(params))
                seats, self._player = len(self._script.table.stacks), self._script.table.player
            case ScoreParams(stacks):
                seats = len(stacks)
            case StartParams(players):
                seats = players
            case _:
                raise Untold(f"There are no steps for {type(params).__name__}.")
        if seats > len(NAMES) and not isinstance(params, StartParams):
            raise Untold(f"There are names for {len(NAMES)} players, not for {seats}.")

    def given(self) -> list[str]:
        """Return the table."""
        if isinstance(self._params, StartParams):
            return []
        if isinstance(self._params, ScoreParams):
            return _joined("Given", list(_owned(self._params.stacks)))
        table = self._script.table
        barred = [
            f"the {tile} was just stolen from {NAMES[seat]}"
            for seat, tiles in enumerate(table.barred)
            for tile in tiles
        ]
        shown = f"the grill shows {_tiles(table.grill)}"
        return _joined("Given", [shown, *_owned(table.stacks), *barred])

    def when(self) -> list[str]:
        """Return what is done."""
        if isinstance(self._params, StartParams):
            return [f"When a game for {self._params.players} players is set up"]
        if isinstance(self._params, ScoreParams):
            return ["When the worms are counted"]
        rolls, decisions = self._script.rolls, self._script.decisions
        if not rolls:
            raise Untold("There are no steps for a turn without a roll.")
        who = NAMES[self._player]
        rows = [
            (" ".join(roll), decisions[index].keep or "-" if index < len(decisions) else "-")
            for index, roll in enumerate(rolls)
        ]
        width = max(len("dice"), *(len(dice) for dice, _ in rows))
        lines = [f"When {who} rolls"]
        lines += [
            f"  | {dice:{width}} | {face:10} |" for dice, face in [("dice", "sets aside"), *rows]
        ]
        return [*lines, *(f"And {who} {end}" for end in _endings(self._script))]

    def then(self, asked: Exchange, rulings: Rulings) -> list[str]:
        """Return what must come: where the engine departed, else all of it."""
        expected, reply = expected_reply(self._params, rulings), read_answer(asked)
        due = self._looked_at(expected)
        if reply is None:
            return _joined("Then", due)
        try:
            came = self._looked_at(reply)
        except Untold:
            came = []
        told = self._looked_at(_as_far_as_told(expected, reply))
        departed = [look for look in told if look not in came]
        if not departed:
            raise Untold("What departs is nothing that a step looks at.")
        return _joined("Then", departed)

    def same(self, told: Sequence[str], rulings: Rulings) -> bool:
        """Whether all that is told comes under other rulings, too."""
        try:
            due = self._looked_at(expected_reply(self._params, rulings))
        except (NotOfTheGame, NotReached, Untold):
            return False
        return {line.split(" ", 1)[1] for line in told} <= set(due)

    def _looked_at(self, reply: Reply) -> list[str]:
        """Return a step for everything that a reply tells."""
        match reply:
            case ErrorMessage():
                return ["this is refused"] if reply.code == REFUSED else []
            case ScoreResult():
                return list(_scored(reply))
            case TurnResult():
                return [*_left(reply.table), *_goes_on(reply)]
            case _:
                table: TableMessage | None = getattr(reply, "table", None)
                if table is None or any(table.stacks):
                    raise Untold("There are no steps for this answer.")
                return [f"the grill shows {_tiles(table.grill)}", "nobody owns a tile"]


def _without_roll_at_the_end(script: Script) -> Script:
    """Return a turn without the dead roll that an engine asks for where its player has stopped."""
    if script.decisions and script.decisions[-1].then == "stop":
        return script._replace(rolls=script.rolls[: len(script.decisions)])
    return script


def _joined(first: str, steps: Sequence[str]) -> list[str]:
    return [f"{'And' if index else first} {step}" for index, step in enumerate(steps)]


def _owned(stacks: Sequence[Sequence[int]]) -> Iterator[str]:
    for seat, own in enumerate(stacks):
        name = NAMES[seat] if seat < len(NAMES) else f"player {seat}"
        yield f"{name} owns {' '.join(map(str, own)) or 'nothing'}"


def _left(table: TableMessage) -> Iterator[str]:
    yield f"the grill shows {_tiles(sorted(table.grill))}"
    yield from _owned(table.stacks)


def _goes_on(reply: TurnResult) -> Iterator[str]:
    player = reply.table.player
    if player is not UNSET and not reply.over:
        yield f"it is {NAMES[player] if player < len(NAMES) else f'player {player}'}'s turn"
    if reply.over is not UNSET:
        yield "the game is over" if reply.over else "the game goes on"


def _as_far_as_told(expected: Reply, reply: Reply) -> Reply:
    """Return what is expected, without what the engine leaves out."""
    match expected, reply:
        case TurnResult(), TurnResult():
            player = UNSET if reply.table.player is UNSET else expected.table.player
            table = msgspec.structs.replace(expected.table, player=player)
            over = UNSET if reply.over is UNSET else expected.over
            return msgspec.structs.replace(expected, table=table, over=over)
        case ScoreResult(), ScoreResult():
            return ScoreResult(
                None if reply.worms is None else expected.worms,
                None if reply.winners is None else expected.winners,
            )
        case _:
            return expected


def _scored(reply: ScoreResult) -> Iterator[str]:
    for seat, worms in enumerate(reply.worms or ()):
        yield f"{NAMES[seat] if seat < len(NAMES) else f'player {seat}'} has {worms} worms"
    winners = [NAMES[seat] for seat in sorted(reply.winners or ()) if seat < len(NAMES)]
    if len(winners) == 1:
        yield f"{winners[0]} wins"
    elif winners:
        *others, last = winners
        yield f"{', '.join(others)} and {last} win together"


def _tiles(numbers: Sequence[int]) -> str:
    """Return tiles as `21 to 23 36`, or `nothing`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = [f"{run[0]} to {run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs]
    return " ".join(shown) or "nothing"


def _endings(script: Script) -> Iterator[str]:
    """Yield what is done after the rolls; nothing if the dice have ended the turn."""
    if not script.decisions:
        return
    last = script.decisions[-1]
    if last.keep is None:
        yield _before_choosing(last)
    elif last.then == "roll":
        if len(script.rolls) == len(script.decisions):
            yield "rolls on"
    elif last.claim and last.claim.take is not UNSET:
        yield f"stops and takes {last.claim.take}"
    elif last.claim and last.claim.steal is not UNSET:
        yield f"stops and steals from {_name(last.claim.steal)}"
    elif len(script.set_aside) < BASE.dice and len(set(script.set_aside)) < len(BASE.points):
        yield "stops"


def _before_choosing(decision: Decision) -> str:
    if decision.then == "roll":
        return "rolls on before choosing"
    if not decision.claim:
        return "stops before choosing"
    if decision.claim.take is UNSET:
        raise Untold("There is no step for a steal before choosing.")
    return f"stops before choosing and takes {decision.claim.take}"


def _name(seat: int) -> str:
    if seat >= len(NAMES):
        raise Untold(f"There is no name for player {seat}.")
    return NAMES[seat]


def _needs(steps: _Steps, then: Sequence[str], rulings: Rulings) -> list[tuple[str, str]]:
    """Return the ruling values that the outcome hangs on; several of one ruling will do as well.

    Two rulings may show together only: where they do, no value but the own one is promised.
    """
    same = partial(steps.same, then)
    if not same(rulings):
        return []
    fitting: dict[str, list[StrEnum]] = {
        ruling: [one for one in values if same(_with(rulings, {ruling: one}))]
        for ruling, values in ALTERNATIVES.items()
    }
    together = (
        dict(zip(pair, values, strict=True))
        for pair in combinations(fitting, 2)
        for values in product(*(fitting[ruling] for ruling in pair))
    )
    if not all(same(_with(rulings, values)) for values in together):
        fitting = {one: [getattr(rulings, one.replace("-", "_"))] for one in fitting}
    return [
        (ruling, str(value))
        for ruling, values in fitting.items()
        for value in values
        if len(values) < len(ALTERNATIVES[ruling])
    ]


def _with(rulings: Rulings, values: Mapping[str, StrEnum]) -> Rulings:
    return replace(rulings, **{ruling.replace("-", "_"): one for ruling, one in values.items()})  # type: ignore[arg-type]  # each value belongs to its ruling


def _source(case: str) -> str | None:
    """Return the scenario of a feature file, or none if the case is not of a feature."""
    chapter, _, rest = case.partition("/")
    if chapter not in CHAPTERS:
        return None
    return _sources(chapter).get(rest.split("/")[0])


@cache
def _sources(chapter: str) -> dict[str, str]:
    """Return the scenarios of a feature file as they stand in it, by their slug."""
    text = (features_dir() / f"{chapter}.feature").read_text(encoding="utf-8")
    children: Any = Parser().parse(text)["feature"]["children"]
    scenarios = [child["scenario"] for child in children if "scenario" in child]
    begins = [
        min(tag["location"]["line"] for tag in one["tags"])
        if one["tags"]
        else one["location"]["line"]
        for one in scenarios
    ]
    lines = text.splitlines()
    found: dict[str, str] = {}
    for one, begin, end in zip(scenarios, begins, [*begins[1:], len(lines) + 1], strict=True):
        told = [line.removeprefix("  ") for line in lines[begin - 1 : end - 1]]
        slugs = [tag["name"].removeprefix("@case=") for tag in one["tags"]]
        found |= dict.fromkeys(slugs, "\n".join(told).strip("\n") + "\n")
    return found
