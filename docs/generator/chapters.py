"""The pages of the six chapters: each rule with its statement, examples and sources."""

from collections.abc import Iterator
from html import escape

from generator import rulings
from generator.drawing import draw
from generator.languages import Language
from generator.names import name_of, named
from generator.prose import read_chapter, rule_link, told
from generator.scenarios import Scenario, read_scenarios
from pickomino_conformance.specification import RuleProse
from pickomino_reference.data import read_spec

UNFOLDED = 2
# The box with the answers stands right below.
BOX_FOLLOWS = "Editions differ: see the ruling."


def chapter_page(say: Language, name: str) -> str:
    """Return the Markdown page of a chapter."""
    page = f"rules/{name}.md"
    chapter = read_chapter(name)
    parts = [
        "---\nsearch:\n  boost: 2\n---",
        f"# {name_of(say, 'chapters', name)}",
        told(say, chapter.introduction, page),
    ]
    for rule in chapter.rules:
        parts += _rule(say, rule, chapter.notes.get(rule.id, ()), page)
    return "\n\n".join(parts) + "\n"


def scenarios_of(rule: str) -> list[Scenario]:
    """Return the scenarios that stand under a rule: those that bear it as their first."""
    return [scenario for scenario in read_scenarios() if scenario.rules[0] == rule]


def _rule(say: Language, rule: RuleProse, notes: tuple[str, ...], page: str) -> Iterator[str]:
    yield f"### {name_of(say, 'rules', rule.id)} {{: #{rule.id} }}"
    yield f'<p class="ident"><code>{rule.id}</code>{_also(say, rule.id)}</p>'
    yield told(say, tuple(one for one in rule.statement if one != BOX_FOLLOWS), page)
    if rule.follows:
        names = ", ".join(rule_link(say, other, page) for other in rule.follows)
        yield f'<p class="follows">{say("It follows from:")} {names}.</p>'
    if rule.unsettled:
        text = say.html(rule.unsettled)
        yield f'<p class="unsettled"><b>{say("Not settled:")}</b> {text}.</p>'
    if rule.ruling:
        yield rulings.box(say, rule.ruling, page)
    if notes:
        yield f'<p class="note"><b>{say("Note:")}</b> {told(say, notes, page)}</p>'
    for number, scenario in enumerate(_in_order(scenarios_of(rule.id))):
        yield draw(say, scenario, page, unfolded=number < UNFOLDED)
    yield _sources(say, rule)


def _also(say: Language, rule: str) -> str:
    """Return the other words for a rule, which search then finds too."""
    if rule not in named("also"):
        return ""
    return " · " + say("Also asked as: {words}.", words=name_of(say, "also", rule))


def _in_order(scenarios: list[Scenario]) -> list[Scenario]:
    """Return the scenarios so that the first two tell two values of a ruling apart, if any."""
    contested = [one for one in scenarios if one.needs]
    first = contested[:1] or scenarios[:1]
    second = [one for one in contested if one.needs != first[0].needs][:1] if first else []
    chosen = [*first, *second]
    return [*chosen, *(one for one in scenarios if one not in chosen)]


def _sources(say: Language, rule: RuleProse) -> str:
    cells = read_spec("sources")["rules"].get(rule.id, {})
    rows = []
    for source, cell in cells.items():
        says, note = (cell, "") if isinstance(cell, str) else (cell["says"], cell.get("note", ""))
        rows.append(
            f'<tr class="says-{says}"><th scope="row">{escape(name_of(say, "sources", source))}'
            f"</th><td>{say(says)}</td>"
            f"<td>{say.html(note) if note else ''}</td></tr>"
        )
    if not rows:
        return ""
    return (
        f'<details class="sources" data-search-exclude><summary>{say("Who says what")}</summary>'
        f"<table><thead><tr><th>{say('Source')}</th><th>{say('Says')}</th>"
        f"<th>{say('Note')}</th></tr></thead><tbody>{''.join(rows)}</tbody></table></details>"
    )
