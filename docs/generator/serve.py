"""A server of the built site for one's own machine, as a host would send it."""

import gzip
from functools import cache, partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

PRESSED = {".css", ".html", ".js", ".json", ".mjs", ".py", ".svg", ".txt", ".xml"}


class Handler(SimpleHTTPRequestHandler):
    """Sends files with the types that browsers insist on, and text in gzip."""

    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
    }

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Send the headers, and return what follows them."""
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.partition("?")[0].endswith("/"):
            path /= "index.html"
        accepted = "gzip" in self.headers.get("Accept-Encoding", "")
        if path.suffix not in PRESSED or not accepted or not path.is_file():
            return super().send_head()
        body = _pressed(path, path.stat().st_mtime_ns)
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return BytesIO(body)

    def send_error(self, code: int, *rest: Any, **more: Any) -> None:
        """Send the site's own page where there is none of the name asked for."""
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, *rest, **more)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *told: Any) -> None:
        """Say nothing of each request."""


def make_server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of a folder on this machine alone; port 0 is any that is free.

    Raises:
        OSError: the port is taken.
    """
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(folder)))


@cache
def _pressed(path: Path, _changed: int) -> bytes:
    return gzip.compress(path.read_bytes(), compresslevel=6)
