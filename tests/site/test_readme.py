"""The front page of the project: short, with its two commands, and no link that leads nowhere."""

import re

import pytest

from generator.places import ROOT

PAGES = ("README.md", "CONTRIBUTING.md", "spec/game-log.md", "spec/protocol/README.md")


def test_the_readme_is_a_front_page():
    """Whoever opens the project sees all of it at once, and how it is checked and tested."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    commands = {line.split("  ")[2] for line in lines if line.startswith("    make ")}
    assert (len(lines) <= 80, commands) == (True, {"make check", "make test"})


@pytest.mark.parametrize("page", PAGES)
def test_links_between_files_lead_to_a_file(page):
    """What a page of the repository links is there."""
    path = ROOT / page
    links = re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []
