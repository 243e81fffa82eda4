"""The referee page: the reference in the browser, asked by tapping."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from chromium import Record, opened
from hypothesis import HealthCheck, given, settings
from playwright.sync_api import Browser, Page

from generator.places import SITE
from pickomino_conformance.strategies import positions
from pickomino_reference import (
    DEFAULT_EDITION,
    Position,
    Roll,
    Rulings,
    SetAside,
    Steal,
    Stop,
    Take,
    find_edition,
    legal,
    play,
    ruling_values,
)
from referee_bridge import answer

POSITION = "javascripts/referee-position.mjs"


@pytest.fixture(scope="module")
def loaded(browser: Browser, home: str) -> Iterator[tuple[Page, Record]]:
    """The page with the reference loaded, once for many tests."""
    with opened(browser, home) as (page, record):
        page.goto("referee/?aside=W")
        page.click("[data-key=ask]")
        page.wait_for_selector("[data-key=roll]")
        yield page, record


@pytest.fixture
def referee(loaded: tuple[Page, Record]) -> tuple[Page, Record]:
    """The page with the reference loaded, by the default edition, with a record of its own."""
    page, record = loaded
    record.errors.clear()
    page.evaluate("window.pickomino.choose('')")
    return page, record


def go(page: Page, query: str) -> None:
    """Come to another position on the same page, as by the history, and wait for the answer."""
    page.evaluate(
        "query => { history.replaceState(null, '', query);"
        " dispatchEvent(new PopStateEvent('popstate')); }",
        f"?{query}",
    )
    answered(page)


def answered(page: Page) -> None:
    """Wait until what is said is about what is shown."""
    page.wait_for_selector(".referee-answer:not([inert])")


def lay(page: Page, position: Position, rulings: Rulings) -> None:
    """Come to a position under these rulings."""
    table, turn = position
    plain = {"table": table._asdict(), "kept": turn.set_aside, "roll": turn.rolled or None}
    page.evaluate(
        "rulings => window.pickomino.choose('zoch-2005', rulings)", ruling_values(rulings)
    )
    query = page.evaluate(
        "async ([module, plain]) => {"
        " const { fromProtocol, toAddress } = await import(module);"
        " return toAddress(fromProtocol(plain)); }",
        [f"../{POSITION}", plain],
    )
    go(page, query)


def shown(page: Page) -> tuple[dict, str, str]:
    """Return the table, the dice set aside and the roll that the address tells."""
    plain = page.evaluate(
        "async (module) => {"
        " const { fromAddress, toProtocol } = await import(module);"
        " return toProtocol(fromAddress(new URLSearchParams(location.search))); }",
        f"../{POSITION}",
    )
    return plain["table"], plain["kept"], plain["roll"] or ""


def key(move) -> str:
    """Return the name by which the page knows a move."""
    match move:
        case SetAside(face):
            return f"keep-{face}"
        case Take(tile):
            return f"take-{tile}"
        case Steal(player):
            return f"steal-{player}"
        case Roll():
            return "roll"
    return "stop"


def allowed(position: Position, rulings: Rulings) -> dict:
    """Return what the reference allows, by the page's names."""
    options = legal(position, rulings)
    moves = [SetAside(face) for face in options.faces]
    moves += options.claims or [Stop()] * options.stop
    moves += [Roll("")] * options.roll
    return {key(move): move for move in moves}


def offered(page: Page) -> set[str]:
    """Return the moves that the page offers."""
    keys = page.locator(".referee-moves [data-key]").evaluate_all(
        "buttons => buttons.map(button => button.dataset.key)"
    )
    return set(keys) - {"by-hand"}


def test_the_referee_answers_as_the_reference(referee):
    """In 50 positions of any rulings the same moves are offered, and one is played alike."""
    page, record = referee

    @settings(
        max_examples=50,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(positions())
    def check(drawn):
        position, rulings = drawn
        lay(page, position, rulings)
        moves = allowed(position, rulings)
        assert offered(page) == set(moves)
        name = max(moves)  # rather a claim than a roll
        if name == "roll":
            return
        before = page.url
        page.click(f".referee-moves [data-key='{name}']")
        page.wait_for_function("before => location.href !== before", arg=before)
        answered(page)
        table, turn = play(position, moves[name], rulings)
        told = {part: json.loads(json.dumps(value)) for part, value in table._asdict().items()}
        assert shown(page) == (told, turn.set_aside, turn.rolled)

    check()
    assert record.errors == []
    assert record.foreign == []


def test_nothing_of_python_is_loaded_before_it_is_asked_for(visit):
    """The table can be set up at once; Python comes with a tap, and from the site alone."""
    page, record = visit
    page.goto("referee/")
    page.click("[data-key=tile-30]")
    page.click("[data-key=pad-5]")
    page.wait_for_load_state("networkidle")
    assert record.python == []
    page.click("[data-key=ask]")
    page.wait_for_selector("[data-key=stop]")
    assert "pyodide.asm.wasm" in record.python
    assert record.foreign == []
    assert record.errors == []


def test_a_turn_can_be_played_with_the_keyboard_alone(visit):
    """From the first Tab to the next player, with no tap."""
    page, record = visit
    page.goto("referee/?a=30")
    page.wait_for_selector("[data-key=ask]")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.key") == "ask":
            break
    page.keyboard.press("Enter")
    for _ in range(20):
        page.wait_for_function("document.activeElement.closest('.referee-answer:not([inert]) li')")
        if page.query_selector(".referee-happened"):
            break
        before = page.url
        page.keyboard.press("Enter")
        page.wait_for_function("before => location.href !== before", arg=before)
    assert page.inner_text(".referee-happened").startswith(("Ann", "Rolled"))
    assert page.inner_text(".seat.is-moving .referee-name") == "Bob"
    assert "turn=b" in page.url
    assert record.errors == []


def test_a_position_is_laid_out_by_tapping(referee):
    """Stacks, a face-down tile, dice and the player to move come into a short address."""
    page, _ = referee
    go(page, "a=21")
    page.click("[data-key=new]")
    page.check("[data-key=mode-set-up]")
    page.check("[data-key=players-3]")
    page.check("[data-key=brush-0]")
    page.click("[data-key=tile-22]")
    page.click("[data-key=tile-30]")
    page.check("[data-key=brush-2]")
    page.click("[data-key=tile-25]")
    page.check("[data-key=brush-down]")
    page.click("[data-key=tile-36]")
    page.click("[data-key=turn-2]")
    for face in "WW5":
        page.click(f"[data-key=pad-{face}]")
    page.check("[data-key=die-brush-roll]")
    for face in "11223":
        page.click(f"[data-key=pad-{face}]")
    answered(page)
    address = urlsplit(page.url).query
    assert address.endswith("a=22.30&c=25&down=36&turn=c&aside=5WW&roll=11223")
    assert offered(page) == {"keep-1", "keep-2", "keep-3"}
    page.click("[data-key=undo]")
    assert page.url.endswith("roll=1122")


def test_a_roll_of_real_dice_is_entered(referee):
    """The dice that lie on the table are tapped in, and the turn goes on with them."""
    page, _ = referee
    go(page, "a=30&aside=555WW")
    page.click("[data-key=by-hand]")
    for face in "412":
        page.click(f"[data-key=pad-{face}]")
    page.wait_for_selector("[data-key=keep-4]")
    assert offered(page) == {"keep-1", "keep-2", "keep-4"}
    assert shown(page)[1:] == ("555WW", "124")


def test_every_face_is_equally_likely(visit):
    """Of the 256 values of a byte each face has 42, and the four that are left are drawn again."""
    page, _ = visit
    page.goto("referee/")
    rolled = page.evaluate(
        "async (module) => {"
        " const { rollDice } = await import(module);"
        " let next = 255;"
        " return rollDice(252, bytes => { bytes[0] = next; next -= 1; }); }",
        "../javascripts/referee-dice.mjs",
    )
    assert Counter(rolled) == dict.fromkeys("12345W", 42)


def test_a_dead_roll_tells_what_it_costs(referee):
    """The most asked of all questions: failed, with no tile to return."""
    page, _ = referee
    go(page, "aside=5W&roll=5555WW")
    assert page.inner_text(".referee-headline") == "Ann's turn has failed."
    assert "none is turned" in page.inner_text(".referee-failed")
    rules = page.locator(".referee-failed .referee-rule").evaluate_all(
        "links => links.map(link => link.title)"
    )
    assert rules == ["failing.dead-roll", "failing.nothing-returned"]
    page.click("[data-key=others]")
    assert "the 36 is turned face down" in page.inner_text(".referee-others")
    page.evaluate("window.pickomino.choose('sheet-000')")
    page.wait_for_function(
        "document.querySelector('.referee-failed').textContent.includes('the 36 is turned')"
    )
    page.click("[data-key=settle]")
    page.wait_for_selector(".referee-happened")
    assert shown(page)[0]["face_down"] == [36]


def test_tapping_what_is_not_allowed_tells_why(referee):
    """A tile above the total, the own top tile, and a face that is used."""
    page, _ = referee
    go(page, "a=30&aside=555WW")
    page.click("[data-key=tile-36]")
    assert "above the total of 25" in page.inner_text(".referee-why")
    page.click("[data-key=owned-30]")
    assert page.get_attribute(".referee-why .referee-rule", "title") == "stealing.opponents-only"
    go(page, "aside=5W&roll=55553W")
    page.click("[data-key=roll-1]")
    assert page.get_attribute(".referee-why .referee-rule", "title") == "rolling.new-face"


def test_every_rule_that_is_named_leads_to_its_place(referee, home):
    """The link of a rule goes to the heading with its id, in the language of the page."""
    page, _ = referee
    book = page.evaluate(
        "async () => (await (await fetch('../javascripts/data/referee.json')).json()).rules"
    )
    for rule, told in book.items():
        file, _, anchor = told["href"].partition("#")
        text = (SITE / file / "index.html").read_text(encoding="utf-8")
        assert anchor == rule
        assert re.search(rf'id="{re.escape(rule)}"', text)


def test_every_example_opens_in_the_referee(referee):
    """Each link from an example to the referee is a position that can be answered."""
    page, record = referee
    text = "".join(path.read_text("utf-8") for path in sorted(SITE.glob("rules/*/index.html")))
    links = sorted(set(map(unescape, re.findall(r'href="[./]*referee/\?([^"]+)"', text))))
    assert len(links) > 50
    laid = page.evaluate(
        "async ([module, links]) => {"
        " const { fromAddress, toProtocol } = await import(module);"
        " return links.map(link => toProtocol(fromAddress(new URLSearchParams(link)))); }",
        [f"../{POSITION}", links],
    )
    for link, plain in zip(links, laid, strict=True):
        query = parse_qs(link.replace("+", "%2B"))
        [edition] = query.get("edition", [DEFAULT_EDITION])
        changes = dict(change.split(":") for change in query.get("ruling", []))
        rulings = ruling_values(find_edition(edition, changes).rulings)
        told = json.loads(answer(json.dumps({"position": plain, "rulings": rulings})))
        assert "problem" not in told, link
    go(page, links[0])
    assert page.inner_text(".referee-headline")
    assert record.errors == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("a=40", "40"),
        ("a=22&b=22", "22 lies in two places"),
        ("players=9", "2 to 7 can play"),
        ("players=2&c=22", "Add “players=”"),
        ("aside=7", "shows 7"),
        ("aside=55555555&roll=1", "only 0 are left"),
        ("turn=z", "a for Ann"),
        ("a=%3Cimg%20src=x%20onerror=alert(1)%3E", "no tile"),
    ],
)
def test_an_address_that_makes_no_sense_is_answered_kindly(referee, query, said):
    """What is wrong is told, and a new game lies there."""
    page, record = referee
    go(page, query)
    assert said in page.inner_text(".referee-trouble")
    assert page.locator(".grill .tile:not(.is-face-down)").count() == 16
    assert record.errors == []


def test_a_position_is_shared_with_its_edition(visit):
    """The copied address has the edition that decides, even if none was chosen."""
    page, _ = visit
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("referee/?a=30&aside=W")
    page.click("[data-key=share]")
    page.wait_for_selector(".referee-notice")
    address = page.evaluate("navigator.clipboard.readText()")
    assert address.endswith("referee/?edition=zoch-2005&a=30&aside=W")


def test_without_python_the_page_says_so(visit):
    """If Python can't be loaded, that is told, and it can be tried again."""
    page, _ = visit
    page.route("**/python/*", lambda route: route.abort())
    page.goto("referee/")
    page.click("[data-key=ask]")
    page.wait_for_selector(".referee-trouble")
    assert "could not be loaded" in page.inner_text(".referee-trouble")
    page.unroute("**/python/*")
    page.click("[data-key=ask]")
    page.wait_for_selector("[data-key=roll]")


def test_in_dutch_the_referee_speaks_dutch(visit):
    """The same page in the other language, with the same position."""
    page, record = visit
    page.goto("referee/?a=22&aside=5W&roll=5555WW")
    page.wait_for_selector("[data-key=ask]")
    page.hover(".language button")
    page.click("a[hreflang=nl]:visible")
    page.wait_for_selector("[data-key=ask]")
    assert "a=22" in page.url
    page.click("[data-key=ask]")
    page.wait_for_selector("[data-key=settle]")
    assert page.inner_text(".referee-headline") == "De beurt van Ann is mislukt."
    assert record.errors == []


def test_from_the_front_page_to_the_answer_in_three_clicks(visit):
    """Failed and no tile: the answer of both kinds of box, the example, and the referee."""
    page, _ = visit
    page.goto("")
    page.click("text=I failed and have no tile")
    told = page.locator("[data-choice^='flip-without-return=']")
    assert "No, the grill stays as it is." in told.nth(0).inner_text()
    assert "Yes, the highest one is turned face down." in told.nth(1).inner_text()
    page.click("h3[id='failing.nothing-returned'] ~ details.example a.ask >> nth=0")
    page.click("[data-key=ask]")
    page.wait_for_selector(".referee-headline:not(:empty)")
    assert "failing.nothing-returned" in page.content()
