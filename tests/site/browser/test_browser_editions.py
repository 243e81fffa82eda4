"""Choosing an edition, and finding out which one is in the box."""

import pytest
from chromium import opened

from pickomino_reference import edition_names, find_edition, ruling_values
from pickomino_reference.data import read_spec

UNKNOWN = "unknown"


def edition_of(page):
    """Return the edition that the page shows."""
    return page.evaluate("document.documentElement.dataset.edition")


def test_a_chosen_edition_stays(visit):
    """It survives a reload, and other pages know it too."""
    page, record = visit
    page.goto("rules/failing/")
    page.select_option("#edition-picker", "sheet-001")
    assert edition_of(page) == "sheet-001"
    assert "edition=sheet-001" in page.url
    page.reload()
    assert edition_of(page) == "sheet-001"
    page.goto("rulings/")
    assert edition_of(page) == "sheet-001"
    assert page.input_value("#edition-picker") == "sheet-001"
    assert record.errors == []


def test_a_shared_link_brings_its_edition(browser, home, visit):
    """Who opens a link with an edition sees that one, house rules and all."""
    page, _ = visit
    page.goto("rules/failing/")
    page.select_option("#edition-picker", "sheet-004")
    with opened(browser, home) as (other, _):
        other.goto(page.url)
        assert edition_of(other) == "sheet-004"
        other.goto("rules/failing/?edition=zoch-2005+soft-landing")
        assert edition_of(other) == "zoch-2005+soft-landing"


def test_what_does_not_hold_is_hidden(visit):
    """The quick start of an edition that turns the 36 says so, another one does not."""
    page, _ = visit
    page.goto("quick-start/?edition=sheet-000")
    assert page.is_visible("[data-when='flip-without-return=yes']")
    assert not page.is_visible("[data-when='flip-without-return=no']")
    page.select_option("#edition-picker", "zoch-2005")
    assert not page.is_visible("[data-when='flip-without-return=yes']")
    assert page.is_visible("[data-when='flip-without-return=no']")


@pytest.mark.parametrize("name", edition_names())
def test_honest_answers_lead_to_the_edition(visit, name):
    """Whoever answers by an edition's rules is told that edition, and no question too many."""
    page, record = visit
    page.goto("which-edition/")
    rulings = ruling_values(find_edition(name).rulings)
    asked = answer_all(page, rulings)
    title = page.inner_text(f"#edition-picker option[value='{name}']", timeout=1000).strip()
    assert title in page.inner_text("#which-edition h2")
    assert 0 < len(asked) <= 5
    page.click("[data-key=use]")
    assert edition_of(page) == name
    assert record.errors == []


def answer_all(page, rulings):
    """Answer every question by these rulings; return the rulings that were asked about."""
    page.wait_for_selector(".which-question")
    asked = []
    while page.query_selector(".which-question"):
        [ruling] = {
            button.get_attribute("data-key").removesuffix(f"-{UNKNOWN}")
            for button in page.query_selector_all(f".which-answers [data-key$='-{UNKNOWN}']")
        }
        assert ruling not in asked
        asked.append(ruling)
        page.click(f"[data-key='{ruling}-{rulings.get(ruling, UNKNOWN)}']")
    return asked


def test_who_knows_nothing_is_asked_what_tells_them_apart_and_no_more(visit):
    """Points on which all editions agree are not asked; then all of them remain."""
    page, _ = visit
    page.goto("which-edition/")
    asked = answer_all(page, {})
    editions = [edition["rulings"] for edition in read_spec("editions")["editions"].values()]
    differing = {one for one in editions[0] if len({rulings[one] for rulings in editions}) > 1}
    assert set(asked) == differing
    page.click("[data-key=retellings]")
    assert page.locator(".which-left li").count() == len(editions)


def test_answers_stand_in_the_address(browser, home, visit):
    """A reload, or a friend, goes on where the answers stopped; one can be taken back."""
    page, _ = visit
    page.goto("which-edition/?flip-without-return=yes&lower-tile=unknown")
    page.wait_for_selector(".which-said")
    assert page.locator(".which-said li").count() == 2
    page.click("[data-key=forget-lower-tile]")
    assert page.url.endswith("?flip-without-return=yes")
    page.reload()
    page.wait_for_selector(".which-said")
    assert page.locator(".which-said li").count() == 1


def test_an_unknown_box_is_told_by_its_points(visit):
    """Answers that no edition gives lead to picking, and picking to an address to share."""
    page, record = visit
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("which-edition/?exact-on-opponent=steal&lower-tile=any")
    page.click("[data-key=pick]")
    page.select_option("[data-key=point-steal-back]", "barred")
    page.click("[data-key=share]")
    page.wait_for_selector("#which-edition [role=status]:not(:empty)")
    address = page.evaluate("navigator.clipboard.readText()")
    page.goto(address)
    rulings = page.evaluate("window.pickomino.rulings")
    assert rulings["exact-on-opponent"] == "steal"
    assert rulings["lower-tile"] == "any"
    assert rulings["steal-back"] == "barred"
    assert record.errors == []


def test_without_script_everything_is_there(browser, home):
    """All questions stand on the page with their answers, each with its editions."""
    with opened(browser, home, java_script_enabled=False) as (page, _):
        page.goto("which-edition/")
        for ruling in read_spec("rulings").values():
            assert page.get_by_text(ruling["question"]).first.is_visible()
