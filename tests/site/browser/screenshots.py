"""Pictures of the main pages, for a person to look at before a release: `make screenshots`."""

import threading
from itertools import product
from pathlib import Path

from chromium import DESKTOP, PHONE, opened, start
from playwright.sync_api import Page, sync_playwright

from generator.languages import read_languages
from generator.places import BUILD, SITE
from generator.serve import make_server

FOLDER = BUILD / "screenshots"
PAGES = {
    "home": "",
    "quick-start": "quick-start/",
    "questions": "questions/",
    "failing": "rules/failing/",
    "rulings": "rulings/",
    "editions": "editions/",
    "compare": "editions/compare/",
    "which-edition": "which-edition/",
    "referee-set-up": "referee/",
    "referee": "referee/?a=22.30&b=25&down=36&aside=555WW",
    "referee-failed": "referee/?aside=5W&roll=5555WW",
}
LANGUAGES = {say.code: say.place for say in read_languages()}
SIZES = {"phone": PHONE, "desktop": DESKTOP}
COLOURS = ("light", "dark")


def main() -> None:
    """Take every page in every language, width and colour scheme."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    server = make_server(SITE)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}/"
    with sync_playwright() as playwright:
        browser = start(playwright)
        for (language, place), (size, viewport), colours in product(
            LANGUAGES.items(), SIZES.items(), COLOURS
        ):
            with opened(browser, home, viewport=viewport, color_scheme=colours) as (page, _):
                for name, address in PAGES.items():
                    page.goto(place + address)
                    take(page, name, FOLDER / f"{name}-{language}-{size}-{colours}.png")
        browser.close()
    server.shutdown()
    print(f"{len(list(FOLDER.glob('*.png')))} pictures are in {FOLDER}")


def take(page: Page, name: str, path: Path) -> None:
    """Take the whole page, once it is drawn; a position with its answer."""
    if name == "which-edition":
        page.wait_for_selector(".which-question")
    if name.startswith("referee"):
        page.wait_for_selector(".is-ready")
    if name in {"referee", "referee-failed"}:
        page.click("[data-key=ask]")
        page.wait_for_selector(".referee-headline:not(:empty)")
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(300)  # the header comes back
    page.screenshot(path=path, full_page=True)


if __name__ == "__main__":
    main()
