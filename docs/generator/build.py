"""The whole build: the pages, the builder of Markdown, and the site put in its place."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from generator import play_data
from generator.configuration import configuration
from generator.languages import Language, read_languages
from generator.links import dead_links
from generator.pages import write_pages, write_theme
from generator.places import BUILD, ROOT, SITE

SHOWN = 20


class BuildFailed(Exception):
    """Why there is no site."""


def write_sources() -> None:
    """Write the pages and what is laid over the theme, for every language, into `build/`."""
    for part in ("pages", "theme", "root"):
        shutil.rmtree(BUILD / part, ignore_errors=True)
    every = read_languages()
    for say in every:
        write_language(say, every, BUILD)
    _write_root(BUILD / "root")


def write_language(say: Language, every: list[Language], folder: Path) -> None:
    """Write the sources of a language, and what MkDocs needs to know, into the build's folder."""
    english_titles = write_pages(say, folder / "pages" / say.code)
    write_theme(say, folder / "theme" / say.code)
    told = configuration(say, every, english_titles)
    # JSON is YAML too.
    text = json.dumps(told, ensure_ascii=False, indent=2)
    (folder / f"mkdocs.{say.code}.yml").write_text(text, encoding="utf-8")


def build_site() -> None:
    """Build all languages at the same time, and put the site in its place once all is well.

    Raises:
        BuildFailed: a page, or a link, is not as it should be.
    """
    write_sources()
    shutil.rmtree(BUILD / "site", ignore_errors=True)
    every = read_languages()
    running = {say.code: _start(say.code) for say in every}
    told = {code: process.communicate()[0] for code, process in running.items()}
    failed = [code for code, process in running.items() if process.returncode]
    if failed:
        texts = "\n".join(told[code].strip() for code in failed)
        raise BuildFailed(f"The pages could not be built ({', '.join(failed)}):\n{texts}")
    ready = _assemble(every)
    dead = dead_links(ready)
    if dead:
        shown = [*dead[:SHOWN], *([f"… and {len(dead) - SHOWN} more"] if len(dead) > SHOWN else [])]
        raise BuildFailed("\n".join(["Links lead nowhere:", *shown]))
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.move(ready, SITE)


def _start(code: str) -> subprocess.Popen[str]:
    config = str(BUILD / f"mkdocs.{code}.yml")
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", config],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _assemble(every: list[Language]) -> Path:
    """Return the folder of the whole site: English at its root, other languages below."""
    site = BUILD / "site"
    default, *others = [say.code for say in every]
    whole = site / default
    for code in others:
        shutil.move(site / code, whole / code)
    if (BUILD / "root").is_dir():
        shutil.copytree(BUILD / "root", whole, dirs_exist_ok=True)
    return whole


def _write_root(folder: Path) -> None:
    """Write what all languages share into a folder whose content goes to the site's root."""
    folder.mkdir(parents=True)
    try:
        for name, data in play_data.site_files():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    except FileNotFoundError as error:
        raise BuildFailed(str(error)) from error
