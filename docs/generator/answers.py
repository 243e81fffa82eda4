"""The answers to the questions that people ask, under every combination of rulings.

`docs/questions.toml` names the question, what it looks at, and the scenarios; the reference
plays the first of them and so gives the answer.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import product

from generator.facts import facts_of
from generator.looks import LOOKS, Answer, Sentence
from generator.places import DOCS
from generator.scenarios import Scenario, read_scenarios
from pickomino_conformance.cases.scene import Scene
from pickomino_reference import Rulings, make_rulings
from pickomino_reference.data import read_spec

FILE = "questions.toml"
PLAYERS = "players"
ASKED_PLAYERS = range(1, 10)

Values = Mapping[str, tuple[str, ...]]


class WrongQuestion(ValueError):
    """An entry of `docs/questions.toml` that can't be answered; the text says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question.

    Attributes:
        id: its name in addresses.
        group: the part of the page that it stands in.
        text: as it is asked.
        also: other words for it.
        look: what of the outcome answers it; empty if the words of a rule do.
        statement: the rule whose words are the answer; empty if an outcome is.
        rules: where it is told in full.
        cases: the scenarios of its situation; the first is played.
        see: scenarios of other situations that show the same.
    """

    id: str
    group: str
    text: str
    also: str
    look: str
    statement: str
    rules: tuple[str, ...]
    cases: tuple[Scenario, ...]
    see: tuple[Scenario, ...]


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """An answer, and the values of rulings under which it is given; none: under all."""

    answer: Answer
    needs: Values


@cache
def read_questions() -> tuple[Question, ...]:
    """Return all questions, in the order of the file.

    Raises:
        WrongQuestion: an entry names what does not exist.
    """
    told = tomllib.loads((DOCS / FILE).read_text(encoding="utf-8"))
    return tuple(read_question(name, entry) for name, entry in told["questions"].items())


@cache
def read_groups() -> dict[str, str]:
    """Return the headings of the groups by their ids, in order."""
    told = tomllib.loads((DOCS / FILE).read_text(encoding="utf-8"))
    groups: dict[str, str] = told["groups"]
    return groups


def look_at(question: Question, played: Scene, rulings: Rulings) -> Answer:
    """Return the answer that a case gives to a question under these rulings."""
    if question.look == PLAYERS:
        return _players(rulings)
    return LOOKS[question.look](facts_of(played, rulings))


def answer_of(question: Question, rulings: Rulings) -> Answer:
    """Return the answer to a question under these rulings."""
    return look_at(question, question.cases[0].plays[0], rulings)


@cache
def answers_of(question: Question) -> tuple[AnsweredQuestion, ...]:
    """Return every answer to a question, each with the rulings that lead to it.

    An answer that hangs on two rulings may come more than once.
    """
    found = [
        AnsweredQuestion(answer_of(question, make_rulings(values)), _each_alone(values))
        for values in _combinations(_that_matter(question))
    ]
    return tuple(_merged(found))


def read_question(name: str, entry: Mapping[str, object]) -> Question:
    """Return a question from its entry.

    Raises:
        WrongQuestion: its group, its look or a scenario does not exist.
    """
    look, group = str(entry.get("look", "")), str(entry["group"])
    if group not in read_groups():
        raise _wrong(name, "group", group, read_groups())
    if look and look not in {*LOOKS, PLAYERS}:
        raise _wrong(name, "look", look, [*LOOKS, PLAYERS])
    return Question(
        id=name,
        group=group,
        text=str(entry["question"]),
        also=str(entry["also"]),
        look=look,
        statement=str(entry.get("statement", "")),
        rules=_texts(entry, "rules"),
        cases=tuple(_scenario(name, case) for case in _texts(entry, "cases")),
        see=tuple(_scenario(name, case) for case in _texts(entry, "see")),
    )


def _texts(entry: Mapping[str, object], key: str) -> tuple[str, ...]:
    found = entry.get(key, [])
    assert isinstance(found, list)
    return tuple(map(str, found))


def _scenario(name: str, case: str) -> Scenario:
    every = {f"{one.chapter}/{one.slug}": one for one in read_scenarios()}
    if case not in every:
        raise _wrong(name, "scenario", case, get_close_matches(case, every))
    return every[case]


def _wrong(name: str, kind: str, came: str, known: Iterable[str]) -> WrongQuestion:
    return WrongQuestion(
        f"docs/{FILE}, {name}: there is no {kind} {came!r}. Choose one of: {', '.join(known)}."
    )


def _alternatives() -> dict[str, list[str]]:
    return {name: list(one["alternatives"]) for name, one in read_spec("rulings").items()}


def _combinations(values: Mapping[str, list[str]]) -> Iterator[dict[str, str]]:
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))


@cache
def _every_rulings() -> dict[tuple[str, ...], Rulings]:
    return {
        tuple(values.values()): make_rulings(values) for values in _combinations(_alternatives())
    }


def _that_matter(question: Question) -> dict[str, list[str]]:
    """Return the rulings on which the answer hangs, whatever the others are."""
    given = {values: answer_of(question, rulings) for values, rulings in _every_rulings().items()}
    matter = {}
    for place, (ruling, values) in enumerate(_alternatives().items()):
        rest: dict[tuple[str, ...], set[Answer]] = {}
        for chosen, answer in given.items():
            rest.setdefault((*chosen[:place], *chosen[place + 1 :]), set()).add(answer)
        if any(len(answers) > 1 for answers in rest.values()):
            matter[ruling] = values
    return matter


def _each_alone(values: Mapping[str, str]) -> Values:
    return {ruling: (value,) for ruling, value in values.items()}


def _merged(found: list[AnsweredQuestion]) -> list[AnsweredQuestion]:
    """Return the answers with two put together wherever they differ in one ruling only."""
    for index, one in enumerate(found):
        for other in found[index + 1 :]:
            differ = [name for name in one.needs if one.needs[name] != other.needs[name]]
            if one.answer == other.answer and len(differ) == 1:
                values = _in_order(differ[0], (*one.needs[differ[0]], *other.needs[differ[0]]))
                both = AnsweredQuestion(one.answer, {**one.needs, differ[0]: values})
                rest = [each for each in found if each is not one and each is not other]
                rest.insert(index, both)
                return _merged(rest)
    return [AnsweredQuestion(one.answer, _without_all(one.needs)) for one in found]


def _in_order(ruling: str, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value for value in _alternatives()[ruling] if value in values)


def _without_all(needs: Values) -> Values:
    """Return what is needed, without rulings of which any value will do."""
    every = _alternatives()
    return {name: values for name, values in needs.items() if len(values) < len(every[name])}


def _players(rulings: Rulings) -> Answer:
    admitted = [
        number
        for number in ASKED_PLAYERS
        if facts_of(Scene(players=number), rulings).refused is None
    ]
    ends = (admitted[0], admitted[-1])
    assert admitted == list(range(ends[0], ends[1] + 1))
    return (Sentence("{number} to {most} people can play.", numbers=ends),)
