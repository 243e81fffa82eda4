"""A language of the site is a folder of its own: its frame, its pages, and what it lacks."""

import json
import re
from types import SimpleNamespace

import pytest
from jinja2 import Environment, FileSystemLoader

from generator import frame
from generator.build import write_language
from generator.configuration import configuration
from generator.languages import (
    WrongLanguage,
    language_codes,
    read_language,
    read_languages,
)
from generator.lint import complaints
from generator.pages import marked_english, pages
from generator.places import DOCS

EVERY = pytest.mark.parametrize("code", language_codes())

PROFILE = 'name = "Xx"\nsearch = "de"\ncomplete = false\n'
PHRASES = """
"Pickomino, rule by rule" = "Xickomino, xule by xule"
"Play" = "Xlay"
"Start" = "Xtart"
"Quick start" = "Xuick start"
"All editions" = "Xll editions"
"This page is not translated yet." = "Xot yet."
"""
TURN = "# Xurn\n\n[[tile 25]]\n"
OF_TURN = '"tile {number}" = "xile {number}"\n'


@pytest.fixture
def docs(tmp_path):
    """A folder of languages with a made-up one, which has a few phrases and one page."""
    folder = tmp_path / "docs" / "xx"
    (folder / "phrases").mkdir(parents=True)
    (folder / "language.toml").write_text(PROFILE, encoding="utf-8")
    (folder / "phrases" / "frame.toml").write_text(PHRASES, encoding="utf-8")
    (folder / "phrases" / "turn.toml").write_text(OF_TURN, encoding="utf-8")
    (folder / "turn.md").write_text(TURN, encoding="utf-8")
    return folder.parent


@pytest.fixture
def build(docs, tmp_path):
    """What is built of that language, as MkDocs gets it."""
    say = read_language("xx", docs)
    write_language(say, [*read_languages(), say], tmp_path)
    return tmp_path


def told(build):
    """Return the configuration that was written."""
    return json.loads((build / "mkdocs.xx.yml").read_text(encoding="utf-8"))


def written(build, name):
    """Return a page that was written."""
    return (build / "pages" / "xx" / name).read_text(encoding="utf-8")


def test_a_language_is_found_by_its_folder(docs):
    """No list names the languages; English comes first."""
    assert language_codes(docs) == ["xx"]
    assert language_codes()[0] == "en"


def test_a_folder_is_all_that_a_language_needs(build):
    """Its name, its words and its place come out of its folder into MkDocs' configuration."""
    found = told(build)
    assert found["site_name"] == "Xickomino, xule by xule"
    assert found["theme"]["language"] == "xx"
    assert found["docs_dir"] == "pages/xx"
    assert found["plugins"] == [{"search": {"lang": ["de", "en"]}}]
    assert "Xll editions" in (build / "theme/xx/partials/edition-picker.html").read_text()


def test_what_a_folder_has_no_words_for_is_said_in_english(build):
    """The rest of the frame stays as it is in `mkdocs.yml`."""
    names = [scheme["toggle"]["name"] for scheme in told(build)["theme"]["palette"]]
    assert names == ["Dark colours", "Light colours"]


def test_the_navigation_is_told_once(build):
    """Titles are said in the language; a page of its own bears its own title there."""
    ((title, play),) = told(build)["nav"][0].items()
    assert title == "Xlay"
    for entry in ({"Xtart": "index.md"}, {"Xuick start": "quick-start.md"}, "turn.md"):
        assert entry in play
    assert {"Setting up": "set-up.md"} in play  # for which it has no word


def test_a_page_without_a_word_is_english_as_a_whole(build):
    """It says so to the theme, and has its text and its address."""
    page = written(build, "quick-start.md")
    assert page.startswith("---\nin_english: true\n---\n")
    assert "\n# Quick start\n" in page
    assert told(build)["extra"]["untranslated"] == "Xot yet."


def test_a_page_of_its_own_is_not_marked(build):
    """A page for which there are all words is in the language."""
    page = written(build, "turn.md")
    assert page.startswith("# Xurn\n")
    assert 'aria-label="xile 25"' in page


def test_the_title_of_an_english_page_is_that_of_the_navigation():
    """Its own would be English in the reader's tab; what else its front matter has stays."""
    marked = marked_english("---\ntitle: A turn\nhide:\n  - toc\n---\n\n# Turn\n")
    assert marked == "---\nin_english: true\nhide:\n  - toc\n---\n\n# Turn\n"


def test_data_without_a_word_is_english_as_a_whole(build):
    """The scripts of a page speak one language."""
    data = json.loads(written(build, "javascripts/data/which-edition.json"))
    assert data["words"]["again"] == "Begin again"


def test_what_a_language_lacks_is_told(docs):
    """Missing pages and phrases, and words that nothing asks for."""
    (docs / "xx" / "faq.md").write_text("# Xaq\n", encoding="utf-8")
    (docs / "xx" / "phrases" / "more.toml").write_text('"sing" = "xing"\n', encoding="utf-8")
    found = complaints(read_language("xx", docs))
    assert "docs/xx/quick-start.md does not exist, though there is such a page in English." in (
        found.missing
    )
    assert "No xx words for: Dark colours" in found.missing
    assert found.idle == [
        "docs/xx/faq.md has no page in English that it could be told from.",
        "Nothing asks for the xx words of: sing",
    ]


@pytest.mark.parametrize("profile", ["", 'name = "Xx"\n', f"{PROFILE}colour = 3\n"])
def test_a_folder_that_does_not_say_enough_is_refused(docs, profile):
    """The error has the file, what was expected and what came."""
    (docs / "xx" / "language.toml").write_text(profile, encoding="utf-8")
    with pytest.raises(WrongLanguage, match=r"xx.language\.toml: expected name .*; came "):
        read_language("xx", docs)


def switch(say, page, build):
    """Return the links of the switch on a page: of each language its name and address."""
    found = configuration(say, read_languages(), {})
    templates = Environment(loader=FileSystemLoader([DOCS / "overrides", build]), autoescape=True)
    html = templates.get_template("partials/alternate.html").render(
        config=found, lang=SimpleNamespace(t=str), **page
    )
    return dict(re.findall(r'hreflang="(\w+)"[^>]*href="([^"]*)"', html))


@pytest.fixture
def picker(tmp_path):
    """A folder of templates with the picker of the edition, which stands beside the switch."""
    (tmp_path / "partials").mkdir()
    (tmp_path / "partials" / "edition-picker.html").touch()
    return tmp_path


@EVERY
def test_the_switch_offers_this_page_in_all_other_languages(code, picker):
    """From any page the reader gets to the same page, whatever the language."""
    say = read_language(code)
    page = {"base_url": "../..", "page": SimpleNamespace(file=True, url="rules/failing/")}
    root = "../../" if say.is_default else "../../../"
    assert switch(say, page, picker) == {
        other.code: f"{root}{other.place}rules/failing/"
        for other in read_languages()
        if other.code != code
    }


def test_a_wrong_address_leads_to_the_first_pages(picker):
    """The page for wrong addresses has no counterpart, and its base is the site's root."""
    found = switch(read_language("en"), {"base_url": "/"}, picker)
    assert found == {say.code: f"/{say.place}" for say in read_languages()[1:]}


# German, which has its frame, and whose pages come later.

GERMAN = {
    "site_name": "Heckmeck am Bratwurmeck, Regel für Regel",
    "copyright": "Die Namen und Bilder des Spiels gehören ihren Eigentümern. "
    "Dies ist ein unabhängiges Werk in eigenen Worten.",
}


def test_the_german_frame_speaks_german():
    """Name, colours, search, navigation and the picker of the edition."""
    say = read_language("de")
    titles = {page.name: page.title for page in pages(say) if not page.translated}
    found = configuration(say, read_languages(), titles)
    assert {name: found[name] for name in GERMAN} == GERMAN
    assert found["theme"]["language"] == "de"
    assert [one["toggle"]["name"] for one in found["theme"]["palette"]] == [
        "Dunkle Farben",
        "Helle Farben",
    ]
    sections = {title for section in found["nav"] for title in section}
    assert {"Spielen", "Regeln", "Ausgaben", "Programme"} <= sections
    assert {"Würfeln": "rules/rolling.md"} in found["nav"][1]["Regeln"]
    assert 'value="">Alle Ausgaben</option>' in frame.edition_picker(say)


def test_the_german_frame_lacks_no_word():
    """What stands around every page is German, whatever the page is."""
    say = read_language("de")
    configuration(say, [], {})
    frame.edition_picker(say)
    frame.edition_script(say)
    assert list(say.missing) == []
