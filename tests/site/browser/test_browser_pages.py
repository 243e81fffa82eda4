"""Every page of the site, as a visitor's browser has it."""

import pytest
from chromium import DESKTOP, NARROW, PHONE, opened
from playwright.sync_api import Browser, Page

from generator.languages import read_languages
from generator.places import BUILD, SITE

AXE = (BUILD / "npm" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
PLACES = [say.place for say in read_languages()]
PAGES = sorted(
    path.relative_to(SITE).as_posix().removesuffix("index.html")
    for path in SITE.rglob("*.html")
    if path.name != "404.html"
)
MAIN = [
    "",
    "quick-start/",
    "questions/",
    "rules/failing/",
    "rulings/",
    "editions/",
    "editions/compare/",
    "referee/?a=22.30&b=25&aside=555WW",
    "which-edition/",
    *[place + page for place in PLACES if place for page in ("", "referee/")],
]


def test_every_page_loads_quietly_and_fits_the_narrowest_phone(browser, home):
    """No page has an error, asks anybody else for anything, or is wider than 320 px."""
    wide = []
    with opened(browser, home, viewport=NARROW) as (page, record):
        for name in PAGES:
            answer = page.goto(name)
            assert answer is not None
            assert answer.status == 200
            if name.endswith(("referee/", "which-edition/")):
                page.wait_for_selector(".is-ready, .which-question")
            if page.evaluate("document.documentElement.scrollWidth") > NARROW["width"]:
                wide.append(name)
    assert wide == []
    assert record.errors == []
    assert record.foreign == []
    assert record.python == []


def test_all_languages_have_the_same_pages():
    """What is there in English is there in every other language."""
    others = tuple(place for place in PLACES if place)
    english = {name for name in PAGES if not name.startswith(others)}
    assert len(english) > 20
    for place in others:
        own = {name.removeprefix(place) for name in PAGES if name.startswith(place)}
        assert own == english


def test_a_page_leads_to_itself_in_every_other_language(browser, home):
    """The switch offers all other languages, and keeps the page, the edition and the place."""
    with opened(browser, home) as (page, record):
        for place in PLACES:
            page.goto(f"{place}rules/failing/?edition=sheet-001#failing.flip-highest")
            links = page.locator(".language a")
            assert links.count() == len(PLACES) - 1
            for other in sorted(set(PLACES) - {place}):
                page.goto(f"{place}rules/failing/?edition=sheet-001#failing.flip-highest")
                page.hover(".language button")
                page.click(f".language a[href$='{other}rules/failing/']:visible >> nth=0")
                page.wait_for_url(
                    f"{home}{other}rules/failing/?edition=sheet-001#failing.flip-highest"
                )
    assert record.errors == []


def test_the_first_page_is_light(browser, home):
    """Less than 300 kB are sent for the first page; the search comes later, fonts never."""
    sent: dict[str, int] = {}
    with opened(browser, home) as (page, _):
        page.on(
            "requestfinished",
            lambda request: sent.update({request.url: request.sizes()["responseBodySize"]}),
        )
        page.goto("")
        page.wait_for_load_state("networkidle")
    weight = {url: size for url, size in sent.items() if "/search/" not in url}
    assert len(weight) > 5
    assert sum(weight.values()) < 300_000, weight


@pytest.mark.parametrize("name", MAIN)
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nobody_is_shut_out(browser: Browser, home: str, name: str, colours, size):
    """axe finds nothing serious on the main pages: contrast, labels, order, names."""
    with opened(browser, home, viewport=size, color_scheme=colours) as (page, _):
        page.goto(name)
        if "referee" in name or "which-edition" in name:
            page.wait_for_selector(".is-ready, .which-question")
        assert grave(page) == []


def test_nobody_is_shut_out_of_the_answer(browser, home):
    """axe finds nothing serious in what the referee says, unfolded."""
    with opened(browser, home) as (page, _):
        page.goto("referee/?a=22.30&b=25&aside=555WW")
        page.click("[data-key=ask]")
        page.click("[data-key=refused]")
        page.click("[data-key=others]")
        assert grave(page) == []


def grave(page: Page) -> list[str]:
    """Return what axe finds that is serious or critical, with the elements it concerns."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run()")
    return [
        f"{one['id']}: {node['html']}"
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
        for node in one["nodes"]
    ]
