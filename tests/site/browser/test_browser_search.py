"""The search finds the ten most asked questions by the words that people use."""

import tomllib
from collections.abc import Iterator

import pytest
from chromium import Record, opened
from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as Waited

from generator.places import DOCS

# Pages; each of them lists its places that fit.
SHOWN = 3

QUESTIONS = {
    "failing.dead-roll": ("bust", "doodgegooid"),
    "stealing.steal-back": ("steal back", "terugstelen"),
    "ending.tie-break": ("tie", "gelijkspel"),
    "failing.nothing-returned": ("no tile", "geen steen"),
    "claiming.lower": ("lower tile", "lagere steen"),
    "failing.returned-highest": ("highest tile", "hoogste steen"),
    "rolling.stop-freely": ("stop", "stoppen"),
    "claiming.worm-needed": ("without a worm", "zonder worm"),
    "rolling.forced-end": ("all six faces", "zes waarden"),
    "claiming.above-highest": ("more than 36", "meer dan 36"),
}


@pytest.fixture(scope="module", params=["", "nl/"], ids=["en", "nl"])
def search(browser: Browser, home: str, request) -> Iterator[tuple[Page, Record, str]]:
    """The first page of a language with its search open and ready."""
    with opened(browser, home) as (page, record):
        page.goto(request.param)
        page.click("label[for=__search]:visible >> nth=0")
        ask(page, "22")
        page.wait_for_selector(".md-search-result__link")
        yield page, record, request.param


def ask(page: Page, words: str) -> None:
    """Type words into the search, key by key as a person does."""
    page.fill(".md-search__input", "")
    page.locator(".md-search__input").press_sequentially(words)


def questions_about(rule: str) -> list[str]:
    """Return the questions that are answered by a rule before all others."""
    asked = tomllib.loads((DOCS / "questions.toml").read_text(encoding="utf-8"))["questions"]
    return [name for name, question in asked.items() if question["rules"][0] == rule]


def found(page: Page) -> list[str]:
    """Return where the results lead, in order."""
    return page.locator(".md-search-result__link").evaluate_all(
        "links => links.map(link => link.pathname + link.hash)"
    )


@pytest.mark.parametrize("rule", QUESTIONS)
def test_the_search_finds_what_people_ask(search, rule):
    """The rule, or the question about it, is told under one of the first three pages."""
    page, record, language = search
    ask(page, QUESTIONS[rule][language == "nl/"])
    try:
        page.wait_for_function(
            "([places, shown]) => [...document.querySelectorAll('.md-search-result__item')]"
            ".slice(0, shown).flatMap(item => [...item.querySelectorAll('a')])"
            ".some(link => places.includes(link.hash.slice(1)))",
            arg=[[rule, *questions_about(rule)], SHOWN],
            timeout=3000,
        )
    except Waited:
        pytest.fail(f"only {found(page)}")
    assert record.errors == []
    assert record.foreign == []
