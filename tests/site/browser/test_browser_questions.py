"""The page of questions follows the reader's edition."""

import pytest
from chromium import DESKTOP, PHONE, opened
from test_browser_pages import grave

from pickomino_reference import edition_names

# How many answers each question shows.
SHOWN = """
lists => lists.map(list => [...list.children].filter(item => item.offsetParent !== null).length)
"""
PAGES = ["engines/", "engines/protocol/", "engines/verdicts/", "api/strategies/"]


@pytest.mark.parametrize("language", ["", "nl/"])
def test_an_edition_leaves_one_answer_to_each_question(browser, home, language):
    """Whatever edition, house rule or single ruling is chosen."""
    chosen = [*edition_names(), "zoch-2005+free-lower", "sheet-001&ruling=six-faces:roll-on"]
    with opened(browser, home) as (page, record):
        shown = {}
        for edition in chosen:
            page.goto(f"{language}questions/?edition={edition.replace('+', '%2B')}")
            shown[edition] = set(page.locator(".replies").evaluate_all(SHOWN))
    assert shown == {edition: {1} for edition in chosen}
    assert record.errors == []


def test_without_an_edition_every_answer_of_a_box_is_shown(browser, home):
    """The 36 and the tile that was put back have the answers of all boxes and sheets."""
    with opened(browser, home) as (page, _):
        page.goto("questions/")
        replies = [page.locator(f"#{name} ~ .replies >> nth=0") for name in ("no-tile", "tie")]
        shown = [one.locator("> li:visible").count() for one in replies]
    assert shown == [2, 1]


def test_a_question_leads_to_its_example_and_to_the_referee(browser, home):
    """Unfolded, the example is drawn, and its position can be taken to the referee."""
    with opened(browser, home) as (page, _):
        page.goto("questions/#no-tile")
        example = page.locator("#case-nothing-to-return")
        example.locator("summary >> nth=0").click()
        assert example.locator(".grill >> nth=0").is_visible()
        example.locator("a.ask").click()
        page.wait_for_url("**/referee/?**")


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nobody_is_shut_out_of_messages_and_code(browser, home, name, colours, size):
    """axe finds nothing serious in messages, tables and the interface."""
    with opened(browser, home, viewport=size, color_scheme=colours) as (page, _):
        page.goto(name)
        assert grave(page) == []
