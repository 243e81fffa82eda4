"""The contested points: a box under a rule, and a page with all of them."""

from generator.labels import holds
from generator.languages import Language
from generator.names import name_of
from generator.places import link
from generator.prose import rule_link
from generator.scenarios import Scenario, read_scenarios
from pickomino_reference.data import read_spec

PAGE = "rulings.md"


def box(say: Language, ruling: str, page: str) -> str:
    """Return the question of a ruling with its answers, each with the editions that have it."""
    told = read_spec("rulings")[ruling]
    address = link(page, f"rulings/#{ruling}")
    heading = f'<a href="{address}">{say("Editions differ.")}</a>'
    return (
        f'<div class="ruling"><p class="question">{heading} '
        f"{say.html(told['question'])}</p>{answers(say, ruling, page)}</div>"
    )


def answers(say: Language, ruling: str, page: str) -> str:
    """Return the answers to a ruling as a list that the script can mark."""
    alternatives = read_spec("rulings")[ruling]["alternatives"]
    items = "".join(
        f'<li data-choice="{ruling}={value}">'
        f'<span class="answer">{say.html(text)}</span>'
        f"{holds(say, {ruling: (value,)}, page)}</li>"
        for value, text in alternatives.items()
    )
    return f'<ul class="answers">{items}</ul>'


def rulings_page(say: Language) -> str:
    """Return the page of all contested points."""
    introduction = say(
        "The rulebooks and sheets of this game differ in eight points. "
        "Each of them has a question, and named answers to it. "
        "An edition is one answer to each."
    )
    parts = [f"# {say('Where editions differ')}", introduction]
    for ruling in read_spec("rulings"):
        parts += _section(say, ruling)
    return "\n\n".join(parts) + "\n"


def _section(say: Language, ruling: str) -> list[str]:
    told = read_spec("rulings")[ruling]
    rules = ", ".join(rule_link(say, rule, PAGE) for rule in told["rules"])
    return [
        f"## {name_of(say, 'rulings', ruling)} {{: #{ruling} }}",
        f"{say.html(told['question'])}",
        f'<div class="ruling">{answers(say, ruling, PAGE)}</div>',
        f"{say('The rule:')} {rules}.",
        _examples(say, ruling),
        f'<p class="ident">{say("Its name in the data:")} <code>{ruling}</code></p>',
    ]


def _examples(say: Language, ruling: str) -> str:
    alternatives = read_spec("rulings")[ruling]["alternatives"]
    items = []
    for value in alternatives:
        found = [one for one in read_scenarios() if value in one.needs.get(ruling, ())]
        links = "".join(f"<li>{_link(say, one)}</li>" for one in found)
        items.append(
            f"<li><code>{value}</code><ul data-search-exclude>{links}</ul></li>" if links else ""
        )
    return (
        f'<details class="sources"><summary>{say("Examples")}</summary>'
        f"<ul>{''.join(items)}</ul></details>"
    )


def _link(say: Language, scenario: Scenario) -> str:
    address = link(PAGE, f"rules/{scenario.chapter}/#{scenario.anchor}")
    return f'<a href="{address}">{say.html(scenario.title)}</a>'
