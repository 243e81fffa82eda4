"""The pages: what holds where, what is translated, and that nothing leads astray."""

import gzip
import http.client
import re
import threading

import pytest

from generator import frame
from generator.__main__ import main
from generator.cards import card_page, settle
from generator.configuration import configuration
from generator.editions import compare_page, edition_page, list_page
from generator.labels import editions_that_fit, holds, read_needs
from generator.languages import Language, WrongLanguage, language_codes, read_language
from generator.links import dead_links
from generator.lint import Complaints, complaints, wrong
from generator.macros import UnknownMacro, expand
from generator.pages import pages
from generator.places import link
from generator.serve import make_server
from pickomino_reference import edition_names, find_edition, house_rule_names, ruling_values
from pickomino_reference.data import read_spec

EN = Language("en")
EVERY = pytest.mark.parametrize("code", language_codes())
TRANSLATED = pytest.mark.parametrize("code", [code for code in language_codes() if code != "en"])
EDITIONS = pytest.mark.parametrize("name", edition_names())


@pytest.fixture(scope="module")
def made():
    """All pages of every language, made once."""
    return {code: list(pages(read_language(code))) for code in language_codes()}


# What holds where.


def test_needs_are_read_by_ruling():
    """Two values of one ruling are alternatives, two rulings are needed both."""
    assert read_needs("lower-tile=any lower-tile=any-if-exact-gone tie-break=shared") == {
        "lower-tile": ("any", "any-if-exact-gone"),
        "tie-break": ("shared",),
    }


def test_a_misspelt_need_is_refused():
    """A value that does not exist is named, so that no text can vanish by a slip."""
    with pytest.raises(ValueError, match="flip-without-return=maybe"):
        read_needs("flip-without-return=maybe")


def test_the_36_is_turned_for_nothing_in_three_sheets_and_the_summary():
    """The editions in which a failure without a tile turns the highest one, by the sources."""
    assert editions_that_fit({"flip-without-return": ("yes",)}) == [
        "sheet-000",
        "sheet-001",
        "sheet-002",
        "ultraboardgames",
    ]


def test_what_only_a_house_rule_brings_names_it():
    """A label for stealing back names the house rule, since no edition bars it."""
    label = holds(EN, {"steal-back": ("barred",)}, "turn.md")
    assert "house rule: No stealing back" in label
    assert "<a" not in label


# Addresses.


@pytest.mark.parametrize(
    ("page", "target", "expected"),
    [
        ("index.md", "turn/", "turn/"),
        ("turn.md", "rules/failing/#failing.passes", "../rules/failing/#failing.passes"),
        ("editions/index.md", "turn/", "../turn/"),
        ("rules/failing.md", "", "../../"),
        ("index.md", "", "./"),
    ],
)
def test_an_address_is_told_from_where_the_page_is_served(page, target, expected):
    """A page is served as a folder of its own name, an index as its folder."""
    assert link(page, target) == expected


# Macros.


def test_macros_draw_pieces_and_link_rules():
    """Hand-written pages name pieces and rules, and get them drawn and linked."""
    told = expand(EN, "[[tile 25]] see [[rule claiming.exact]]", "turn.md")
    assert 'data-worms="2">25</span>' in told
    assert told.endswith(
        'see <a href="../rules/claiming/#claiming.exact" title="claiming.exact">The exact tile</a>'
    )


@pytest.mark.parametrize("macro", ["[[song 3]]", "[[rule failing.sings]]", "[[case failing/x]]"])
def test_a_misspelt_macro_stops_the_build(macro):
    """The error names the page and the macro."""
    with pytest.raises(UnknownMacro, match=rf"^turn\.md: .*{re.escape(macro)}"):
        expand(EN, macro, "turn.md")


# Editions and their cards.


def test_a_settled_text_keeps_only_what_holds():
    """Of two answers the card has the one of its edition."""
    text = "[[when flip-without-return=no]]\nstays\n[[end]]\n" * 2 + (
        "[[when flip-without-return=yes]]\nturned\n[[end]]\nand so on\n"
    )
    rulings = ruling_values(find_edition("sheet-001").rulings)
    assert settle(text, rulings) == "turned\nand so on\n"


@EVERY
@EDITIONS
def test_a_card_answers_every_contested_point(code, name):
    """Nothing is left open on a card: no alternatives, no labels, and it says what it is of."""
    card = card_page(read_language(code), name)
    assert re.search(r"data-when|class=\"holds\"|\[\[", card) is None
    assert f"editions/{name}/" in card


@EVERY
def test_the_quick_start_has_every_answer_to_every_question(code):
    """Each answer to a ruling is told in the quick start, or goes without saying."""
    text = read_language(code).page("quick-start.md")
    told = set(re.findall(r"\[\[when (\S+)\]\]", text))
    every = {
        f"{ruling}={value}"
        for ruling, one in read_spec("rulings").items()
        for value in one["alternatives"]
    }
    # What goes without saying: a steal is free, and may be taken back.
    assert every - told == {"exact-on-opponent=choice", "steal-back=allowed"}


@EDITIONS
def test_an_edition_is_told_by_its_departures(name):
    """The headings of its page are the rulings in which it is not the Zoch rulebook."""
    default = ruling_values(find_edition().rulings)
    own = ruling_values(find_edition(name).rulings)
    headings = re.findall(r"^## .* \{: #(\S+) \}$", edition_page(EN, name), re.MULTILINE)
    assert headings == [ruling for ruling, value in own.items() if value != default[ruling]]


def test_boxes_come_before_retellings():
    """The list shows boxes, and folds the sheets away."""
    shown, folded = list_page(EN).split("<details")
    entry = re.compile(r'<li data-for-edition="([^"]+)"')
    editions = read_spec("editions")["editions"]
    assert entry.findall(shown) == [n for n, e in editions.items() if e["kind"] != "retelling"]
    assert entry.findall(folded) == [n for n, e in editions.items() if e["kind"] == "retelling"]


def test_the_comparison_is_a_whole_table_without_script():
    """Every edition has a value for every ruling in it."""
    cells = re.findall(r'<td data-edition-column="([^"]+)" data-value="([^"]+)"', compare_page(EN))
    expected = [
        (name, edition["rulings"][ruling])
        for ruling in read_spec("rulings")
        for name, edition in read_spec("editions")["editions"].items()
    ]
    assert cells == expected


def test_the_picker_has_every_edition():
    """All editions can be chosen in the header, and none."""
    options = re.findall(r'<option value="([^"]*)"', frame.edition_picker(EN))
    assert sorted(options) == sorted(["", *edition_names()])


def test_the_script_knows_editions_house_rules_and_values():
    """What the script in the browser is told has the names of the specification."""
    told = frame.edition_script(EN)
    for name in [*edition_names(), *house_rule_names(), *read_spec("rulings")]:
        assert f'"{name}":' in told


# Languages.


@EVERY
def test_a_complete_language_lacks_nothing(code):
    """Every phrase that is asked for has words there; in no language is one idle."""
    say = read_language(code)
    found = complaints(say)
    assert not wrong(say, found), [*found.missing, *found.idle]


@pytest.mark.parametrize(
    ("complete", "missing", "idle", "expected"),
    [
        (True, ["no word"], [], True),
        (False, ["no word"], [], False),
        (False, [], ["no use"], True),
        (True, [], [], False),
    ],
)
def test_what_is_missing_is_a_mistake_in_a_complete_language_only(
    complete, missing, idle, expected
):
    """A language may come bit by bit; words that nothing asks for are misspelt in any."""
    say = Language("xx", complete=complete)
    assert wrong(say, Complaints(missing, idle)) == expected


def test_what_has_no_words_is_said_in_english_and_noted():
    """A missing phrase does not stop the build; the lint finds it."""
    dutch = Language("nl", {"worm": "pier", "idle": "ongebruikt"})
    assert [dutch("worm"), dutch("{n} tiles", n=3)] == ["pier", "3 tiles"]
    assert (list(dutch.missing), dutch.unused) == (["{n} tiles"], ["idle"])


def test_one_text_is_translated_once(tmp_path):
    """Two files with words for one text contradict each other, and are refused."""
    told = 'name = "Xx"\nsearch = "xx"\ncomplete = true\n'
    (tmp_path / "xx" / "phrases").mkdir(parents=True)
    (tmp_path / "xx" / "language.toml").write_text(told, encoding="utf-8")
    for name in ("one", "two"):
        path = tmp_path / "xx" / "phrases" / f"{name}.toml"
        path.write_text('"worm" = "worm"\n', encoding="utf-8")
    with pytest.raises(WrongLanguage, match=r"two\.toml: 'worm'"):
        read_language("xx", tmp_path)


@TRANSLATED
def test_translations_keep_names_and_places(code):
    """What stands in braces or backticks in a text stands in its translation too."""
    marks = re.compile(r"\{\w+\}|`[^`]+`|#")
    phrases = read_language(code).phrases
    assert len(phrases) > 50
    lost = [
        text
        for text, own in phrases.items()
        if sorted(marks.findall(text)) != sorted(marks.findall(own))
    ]
    assert lost == []


@EVERY
def test_the_languages_have_the_same_pages(code, made):
    """Whoever changes the language finds the same page there."""
    assert [page.name for page in made[code]] == [page.name for page in made["en"]]


@EVERY
def test_every_page_is_in_the_navigation(code, made):
    """Only cards are left out of it, and what it names exists."""
    nav = str(configuration(read_language(code), [], {})["nav"])
    names = [page.name for page in made[code] if not page.name.startswith("cards/")]
    assert sorted(re.findall(r"[\w/.-]+\.md", nav)) == sorted(names)


@EVERY
def test_no_page_asks_for_anything_from_elsewhere(code, made):
    """No picture, script or style of a page is loaded from another host."""
    loaded = re.compile(r"<(?:script|img|link|iframe)[^>]+(?:src|href)=[\"']?(?:https?:)?//")
    assert [page.name for page in made[code] if loaded.search(page.text)] == []


# The command, links and the server.


@pytest.mark.parametrize("arguments", [[], ["sing"], ["serve", "80800"], ["serve", "here"]])
def test_a_wrong_command_tells_the_right_ones(arguments, capsys):
    """Whoever mistypes gets the list of commands and status 2."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert (left.value.code, "serve [PORT]" in capsys.readouterr().err) == (2, True)


def test_dead_links_are_found(tmp_path):
    """A link must lead to a page, and to a place that is on it."""
    (tmp_path / "turn").mkdir()
    (tmp_path / "turn" / "index.html").write_text('<h2 id="steal">', encoding="utf-8")
    (tmp_path / "index.html").write_text(
        '<a href="turn/#steal"><a href="turn/#sing"><a href="gone/"><a href="https://x.org/">',
        encoding="utf-8",
    )
    assert dead_links(tmp_path) == [
        "index.html: the link 'gone/' leads to no page",
        "index.html: the link 'turn/#sing' leads to no such place on its page",
    ]


@pytest.fixture
def asked(tmp_path):
    """A question to a server of a folder with a page, a module and a program."""
    (tmp_path / "index.html").write_text("worms", encoding="utf-8")
    (tmp_path / "404.html").write_text("no such page", encoding="utf-8")
    (tmp_path / "a.mjs").write_text("export {}", encoding="utf-8")
    (tmp_path / "a.wasm").write_bytes(b"\0asm")
    server = make_server(tmp_path)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)

    def ask(path, **headers):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    yield ask
    connection.close()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.mjs", "text/javascript"), ("a.wasm", "application/wasm"), ("", "text/html")],
)
def test_files_are_sent_with_the_type_that_browsers_ask_for(asked, name, kind):
    """Modules and WebAssembly run only under their right types."""
    assert asked(f"/{name}")[1]["Content-Type"].partition(";")[0] == kind


def test_text_is_sent_in_gzip_to_who_takes_it(asked):
    """As a host would send it, and plain to who does not ask for it."""
    _, headers, body = asked("/", **{"Accept-Encoding": "gzip"})
    assert (headers["Content-Encoding"], gzip.decompress(body)) == ("gzip", b"worms")
    assert asked("/")[2] == b"worms"


def test_what_is_not_there_gets_the_sites_own_page(asked):
    """A wrong address is answered with 404 and a page that helps."""
    status, _, body = asked("/nothing/")
    assert (status, body) == (404, b"no such page")


@EVERY
def test_the_home_of_the_site_leads_to_both_answers(code, made):
    """The first page links the rule about the 36, where both kinds of box are told."""
    home = next(page.text for page in made[code] if page.name == "index.md")
    assert 'href="rules/failing/#failing.nothing-returned"' in home
