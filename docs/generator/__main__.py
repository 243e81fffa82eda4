"""`python -m generator`: write the pages, build the site, or serve it.

pages          write the Markdown of all languages into build/
build          write it and build the site into site/
serve [PORT]   serve site/ on this machine
untranslated   list what each language has no words for yet
shown          run the commands that the pages show, and keep what they print
verdicts       check the engines of the table of verdicts, and keep what comes
"""

import sys
from collections.abc import Callable

from generator.answers import WrongQuestion
from generator.build import BuildFailed, build_site, write_sources
from generator.languages import WrongLanguage, read_languages
from generator.lint import complaints, wrong
from generator.macros import UnknownMacro
from generator.places import SITE
from generator.samples import Unexpected, write_shown
from generator.serve import make_server
from generator.verdicts import CheckFailed, write_checks
from pickomino_conformance.cases.scene import UnknownStep

# What went wrong in words that need no traceback.
_TOLD = (
    BuildFailed,
    CheckFailed,
    Unexpected,
    UnknownMacro,
    UnknownStep,
    WrongLanguage,
    WrongQuestion,
)
PORT = 8000
HIGHEST_PORT = 65535


def main(arguments: list[str]) -> None:
    """Do what the arguments say; leave with 1 if it failed, 2 if they say nothing known."""
    match arguments:
        case ["pages"]:
            _make(write_sources)
        case ["build"]:
            _make(build_site)
            print(f"The site is in {SITE.name}/; `make site-serve` shows it.")
        case ["shown"]:
            _make(write_shown)
        case ["verdicts"]:
            _make(write_checks)
        case ["serve"]:
            _serve(PORT)
        case ["serve", port] if port.isdecimal() and int(port) <= HIGHEST_PORT:
            _serve(int(port))
        case ["untranslated"]:
            _make(_tell_untranslated)
        case _:
            print(__doc__, file=sys.stderr)
            sys.exit(2)


def _make(step: Callable[[], None]) -> None:
    try:
        step()
    except _TOLD as failure:
        sys.exit(str(failure))


def _tell_untranslated() -> None:
    """Print what each language lacks; leave with 1 if any of it is a mistake."""
    mistaken = False
    for say in read_languages():
        found = complaints(say)
        mistaken |= wrong(say, found)
        lines = [*found.missing, *found.idle]
        told = f"{len(lines)} to do" if lines else "everything is translated"
        print("\n".join([f"{say.name} ({say.code}): {told}.", *lines]))
    sys.exit(mistaken)


def _serve(port: int) -> None:
    if not (SITE / "index.html").is_file():
        sys.exit("There is no site yet: run `make site` first.")
    try:
        server = make_server(SITE, port)
    except OSError as error:
        sys.exit(f"Port {port} can't be had: {error.strerror}. Give another one: serve PORT.")
    print(f"http://127.0.0.1:{server.server_port}/  (Ctrl-C ends it)")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
