"""Where the site's parts come from, where they go, and how pages name each other."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BUILD = ROOT / "build"
SITE = ROOT / "site"

DEFAULT_LANGUAGE = "en"


def link(page: str, target: str) -> str:
    """Return the address of `target` (`editions/zoch-2005/#rulings`) as seen from a page.

    A page is named by its file, `rules/failing.md`, which is served as `rules/failing/`.
    """
    return up(page) + target or "./"


def up(page: str) -> str:
    """Return the way from a page to the first page of its language, `../../` or nothing."""
    path = page.removesuffix("index.md").removesuffix(".md").strip("/")
    return "../" * len(path.split("/")) if path else ""
