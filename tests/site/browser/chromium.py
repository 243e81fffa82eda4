"""Debian's Chromium, driven by Playwright, and what is recorded of each page."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright

PROGRAM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 360, "height": 740}
NARROW = {"width": 320, "height": 640}
DESKTOP = {"width": 1280, "height": 900}


@dataclass
class Record:
    """What happened while pages were open.

    Attributes:
        home: the address of the site.
        errors: what the console told as an error, and exceptions nobody caught.
        requests: the address of every request.
    """

    home: str
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @property
    def foreign(self) -> list[str]:
        """The requests that left the site."""
        own = (self.home, "data:", "blob:")
        return [address for address in self.requests if not address.startswith(own)]

    @property
    def python(self) -> list[str]:
        """The requests for Python, without the site's address."""
        place = f"{self.home}python/"
        return [one.removeprefix(place) for one in self.requests if one.startswith(place)]


def start(playwright: Playwright) -> Browser:
    """Return the browser, without a window."""
    return playwright.chromium.launch(executable_path=PROGRAM, args=FLAGS)


@contextmanager
def opened(browser: Browser, home: str, **options: Any) -> Iterator[tuple[Page, Record]]:
    """Open an empty page of a visitor who was never here, and record what happens."""
    context = browser.new_context(base_url=home, **({"viewport": PHONE} | options))
    context.set_default_timeout(45_000)
    page = context.new_page()
    yield page, record(context, page, home)
    context.close()


def record(context: BrowserContext, page: Page, home: str) -> Record:
    """Return the record of a page that is just opened; it grows."""
    kept = Record(home)
    # The context sees the requests of workers too.
    context.on("request", lambda request: kept.requests.append(request.url))
    page.on("pageerror", lambda error: kept.errors.append(str(error)))
    page.on("console", lambda message: kept.errors.extend(_errors(message)))
    return kept


def _errors(message: ConsoleMessage) -> list[str]:
    """Return what the console told, with the address it concerns, if it is an error."""
    return [f"{message.text} {message.location['url']}"] if message.type == "error" else []
