"""The search finds the ten most asked questions by the words that people use."""

import pytest

SHOWN = 5

QUESTIONS = {
    "failing.dead-roll": ("bust", "dood"),
    "stealing.steal-back": ("steal back", "terugstelen"),
    "ending.tie-break": ("tie", "gelijkspel"),
    "failing.nothing-returned": ("no tile", "geen tegel"),
    "claiming.lower": ("lower tile", "lagere tegel"),
    "failing.returned-highest": ("highest tile", "hoogste tegel"),
    "rolling.stop-freely": ("stop", "stoppen"),
    "claiming.worm-needed": ("without a worm", "zonder worm"),
    "rolling.forced-end": ("all six faces", "zes kanten"),
    "claiming.above-highest": ("more than 36", "meer dan 36"),
}


@pytest.mark.parametrize("rule", QUESTIONS)
@pytest.mark.parametrize("language", ["en", "nl"])
def test_the_search_finds_what_people_ask(visit, rule, language):
    """The rule, or the question about it, is among the first results."""
    page, record = visit
    page.goto("" if language == "en" else "nl/")
    page.click("label[for=__search]:visible >> nth=0")
    page.fill(".md-search__input", QUESTIONS[rule][language == "nl"])
    page.wait_for_selector(".md-search-result__link")
    links = page.locator(".md-search-result__link").evaluate_all(
        "links => links.map(link => link.getAttribute('href'))"
    )
    assert any(rule in link or "/faq/" in link for link in links[:SHOWN]), links[:SHOWN]
    assert record.foreign == []
