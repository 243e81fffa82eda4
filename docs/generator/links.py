"""The links of the built site: each must lead to a file, and to an element that is there."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

_ID = re.compile(r"""\s(?:id|name)=(?:"([^"]+)"|'([^']+)'|([^\s"'>]+))""")
_LINK = re.compile(r"""\s(?:href|src)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


def dead_links(site: Path) -> list[str]:
    """Return every link of the site's pages that leads nowhere within it, as a sentence."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    ids = {
        path: {unescape(_any(found)) for found in _ID.finditer(text)}
        for path, text in pages.items()
    }
    return [
        f"{path.relative_to(site)}: {why}"
        for path, text in pages.items()
        if path.name != "404.html"
        for why in _dead(site, path, text, ids)
    ]


def _dead(site: Path, page: Path, text: str, ids: dict[Path, set[str]]) -> Iterator[str]:
    for address in sorted({unescape(_any(found)) for found in _LINK.finditer(text)}):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if target.is_dir():
            target /= "index.html"
        if not target.is_file() or not target.is_relative_to(site.resolve()):
            yield f"the link {address!r} leads to no page"
        elif parts.fragment and unquote(parts.fragment) not in ids.get(target, {"__"}):
            yield f"the link {address!r} leads to no such place on its page"


def _any(found: re.Match[str]) -> str:
    return next(group for group in found.groups() if group is not None)
