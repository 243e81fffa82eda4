"""The page of the questions that people ask, each with its answers and the examples for them."""

from collections.abc import Iterator
from html import escape

from generator import pieces
from generator.answers import AnsweredQuestion, Question, answers_of, read_groups, read_questions
from generator.drawing import draw
from generator.facts import facts_of
from generator.labels import data_when, holds, only_by_house_rule
from generator.languages import Language
from generator.looks import Sentence
from generator.places import link
from generator.prose import read_chapter, rule_link, told
from generator.scenarios import Scenario
from pickomino_conformance.specification import CHAPTERS
from pickomino_reference import BASE, Rulings, claiming

PAGE = "questions.md"


def questions_page(say: Language) -> str:
    """Return the page of all questions."""
    introduction = say(
        "The answers are worked out by the program that all examples of this site are tested with. "
        "Choose your edition at the top, and only its answers are left."
    )
    parts = [
        "---\nsearch:\n  boost: 3\n---",
        f"# {say('Questions and answers')}",
        introduction,
        _all(say),
    ]
    for group, heading in read_groups().items():
        parts.append(f"## {say(heading)} {{: #{group} }}")
        for question in read_questions():
            if question.group == group:
                parts += _question(say, question)
    return "\n\n".join(parts) + "\n"


def sentence(say: Language, one: Sentence) -> str:
    """Return a sentence of an answer as HTML."""
    values: dict[str, object] = {
        place: _any_of(say, tiles)
        for place, tiles in zip(("tile", "other"), one.tiles, strict=False)
    }
    values |= dict(zip(("number", "most"), one.numbers, strict=False))
    if one.names:
        values["names"] = _listed(say, one.names)
    if one.dice:
        values["dice"] = pieces.dice(say, one.dice)
    return say(one.text, **values)


def _all(say: Language) -> str:
    links = "".join(
        f'<li><a href="#{question.id}">{escape(say(question.text))}</a></li>'
        for question in read_questions()
    )
    return (
        f'<details class="sources" data-search-exclude><summary>{say("All questions")}</summary>'
        f"<ul>{links}</ul></details>"
    )


def _question(say: Language, question: Question) -> Iterator[str]:
    yield f"### {say(question.text)} {{: #{question.id} }}"
    if question.statement:
        yield f'<p class="answer">{_statement(say, question.statement)}</p>'
    else:
        answers = answers_of(question)
        yield _situation(say, question, answers)
        items = "".join(_answer(say, one) for one in answers)
        yield f'<ul class="answers replies">{items}</ul>'
    for scenario in question.cases:
        yield draw(say, scenario, PAGE, unfolded=False)
    yield _further(say, question)
    yield f'<p class="ident">{say("Also asked as: {words}.", words=say(question.also))}</p>'


def _statement(say: Language, rule: str) -> str:
    for chapter in CHAPTERS:
        for one in read_chapter(chapter).rules:
            if one.id == rule:
                return told(say, one.statement, PAGE)
    raise KeyError(rule)


def _answer(say: Language, one: AnsweredQuestion) -> str:
    house = " data-house-only" if only_by_house_rule(one.needs) else ""
    text = " ".join(sentence(say, each) for each in one.answer)
    return (
        f'<li{data_when(one.needs)}{house}><span class="answer">{text}</span>'
        f"{holds(say, one.needs, PAGE)}</li>"
    )


def _situation(say: Language, question: Question, answers: tuple[AnsweredQuestion, ...]) -> str:
    """Return what lies there, where an answer names tiles or players of it."""
    if not any(each.tiles or each.names for one in answers for each in one.answer):
        return ""
    facts = facts_of(question.cases[0].plays[0], Rulings())
    own = facts.before.player if facts.score is None else None
    parts = []
    if facts.dice and facts.options.claims:
        parts.append(say("your total is {number}", number=claiming.total(facts.dice, BASE)))
    for seat, stack in enumerate(facts.before.stacks):
        if stack:
            shown = ", ".join(map(str, stack))
            parts.append(
                say("you have {tiles}", tiles=shown)
                if seat == own
                else say("{name} has {tiles}", name=facts.names[seat], tiles=shown)
            )
    if facts.score is None:
        parts.append(say("the grill shows {tiles}", tiles=pieces.spans(say, facts.before.grill)))
    listed = "; ".join(parts)
    return f'<p class="situation" data-search-exclude>{say("For instance:")} {listed}.</p>'


def _further(say: Language, question: Question) -> str:
    rules = ", ".join(rule_link(say, rule, PAGE) for rule in question.rules)
    line = f"{say('The rule:')} {rules}."
    if question.see:
        line += f" {say('More examples:')} {', '.join(_link(say, one) for one in question.see)}."
    return f'<p class="further" data-search-exclude>{line}</p>'


def _link(say: Language, scenario: Scenario) -> str:
    address = link(PAGE, f"rules/{scenario.chapter}/#{scenario.anchor}")
    return f'<a href="{address}">{escape(say(scenario.title))}</a>'


def _any_of(say: Language, tiles: tuple[int, ...]) -> str:
    return _joined([pieces.shown_tile(say, tile) for tile in tiles], say("or"))


def _listed(say: Language, names: tuple[str, ...]) -> str:
    return _joined([f"<b>{name}</b>" for name in names], say("and"))


def _joined(parts: list[str], word: str) -> str:
    if len(parts) == 1:
        return parts[0]
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"
