"""A visitor of the built site: a server on this machine, and a browser."""

import threading
from collections.abc import Iterator

import pytest
from chromium import Record, opened, start
from playwright.sync_api import Browser, Page, sync_playwright

from generator.places import SITE
from generator.serve import make_server


@pytest.fixture(scope="session")
def home() -> Iterator[str]:
    """The address of the site, as a host would serve it."""
    if not (SITE / "index.html").is_file():
        pytest.exit("There is no site to test: run `make site` first.", returncode=2)
    server = make_server(SITE)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    with sync_playwright() as playwright:
        started = start(playwright)
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser, home: str) -> Iterator[tuple[Page, Record]]:
    """A page on a phone, of a visitor who was never here, and its record."""
    with opened(browser, home) as page_and_record:
        yield page_and_record
