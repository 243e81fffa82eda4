"""The scenarios of the features are read and drawn as they stand there."""

import re

import pytest

from generator.chapters import chapter_page, scenarios_of
from generator.drawing import draw, draw_play
from generator.languages import Language
from generator.referee import referee_address
from generator.scenarios import read_scenarios
from pickomino_conformance.specification import CHAPTERS, rules
from pickomino_reference.data import spec_dir

EN = Language("en")


def scenario(chapter, slug):
    """Return a scenario by its case id."""
    return next(one for one in read_scenarios() if (one.chapter, one.slug) == (chapter, slug))


def drawn(chapter, slug):
    """Return the drawing of the first case of a scenario."""
    found = scenario(chapter, slug)
    return draw_play(EN, found.plays[0], found.rulings)


def test_a_stolen_tile_is_the_top_one_by_then():
    """What a second thief gets is the tile that the first one left on top."""
    endings = re.findall(r'told ending">(.*?)</p>', drawn("stealing", "next-tile-can-be-stolen"))
    stolen = [re.findall(r'data-worms="\d">(\d+)<', one) for one in endings]
    assert stolen[1] == ["24"]
    assert endings[1].endswith("from Ann")


def test_every_case_is_read():
    """The cases of the list and those of the site are the same in number, chapter by chapter."""
    listed = (spec_dir() / "cases.txt").read_text(encoding="utf-8").split()
    for chapter in CHAPTERS:
        found = [one for one in read_scenarios() if one.chapter == chapter]
        expected = sum(case.startswith(f"{chapter}/") for case in listed)
        assert sum(len(one.plays) for one in found) == expected


def test_every_case_and_rule_has_its_anchor():
    """The pages of the chapters have every rule id and every case slug once, as an anchor."""
    listed = (spec_dir() / "cases.txt").read_text(encoding="utf-8").split()
    cases = {tuple(case.split("/")[:2]) for case in listed}
    for chapter in CHAPTERS:
        page = chapter_page(EN, chapter)
        anchors = re.findall(r'id="case-([^"]+)"', page)
        assert sorted(anchors) == sorted(slug for name, slug in cases if name == chapter)
        headings = re.findall(r"\{: #(\S+) \}", page)
        assert headings == [rule for rule in rules() if rule.startswith(f"{chapter}.")]


@pytest.mark.parametrize("rule", list(rules()))
def test_every_rule_has_examples(rule):
    """No rule stands without at least one example, and two of them are unfolded at most."""
    found = scenarios_of(rule)
    page = chapter_page(EN, rule.partition(".")[0])
    told = page.partition(f"{{: #{rule} }}")[2].partition("\n### ")[0]
    unfolded = re.findall(r'<details class="example"[^>]*? open>', told)
    assert len(unfolded) == min(len(found), 2)
    assert len(found) > 0


def test_the_first_examples_of_a_ruling_tell_its_answers_apart():
    """Of the rule about no tile to return both answers are shown without unfolding anything."""
    page = chapter_page(EN, "failing")
    told = page.partition("{: #failing.nothing-returned }")[2].partition("\n### ")[0]
    opened = re.findall(r'data-when="([^"]+)" open', told)
    assert opened == ["flip-without-return=no", "flip-without-return=yes"]


def test_all_dice_are_drawn_and_the_chosen_ones_stand_out():
    """A drawing has as many dice as were rolled, and marks those of the chosen face."""
    html = drawn("claiming", "question-1")
    assert len(re.findall(r'<i class="die', html)) == 8 + 5
    assert re.findall(r'is-set-aside" data-face="(.)"', html) == ["4"] * 3 + ["W"] * 2
    assert re.findall(r'class="total"[^>]*>(\d+)', html) == ["12", "22"]


def test_a_drawing_tells_itself_to_a_screen_reader():
    """Every group of pieces bears a label that says what lies there."""
    html = drawn("failing", "question-10")
    labels = re.findall(r'role="img" aria-label="([^"]+)"', html)
    assert labels == [
        "Grill: 24, 27, 34; face down: 21, 22, 25, 26, 28 to 33, 35, 36",
        "23",
        "no tile",
        "1, 2, 3, 3, 4, 4, 5, worm; set aside: worm",
        "1, 2, 3, 4, 5, 5, worm; set aside: 2",
        "2, 2, 2, worm, worm, worm; nothing is set aside",
        "tile 34, face down",
    ]


def test_the_grill_after_a_failure_shows_what_came_back_and_what_was_turned():
    """The returned 23 and the turned 36 are marked, and nothing else."""
    html = drawn("failing", "question-6-grill")
    after = html.partition('class="after"')[2]
    assert re.findall(r'is-changed" data-worms="\d">(\d+)', after) == ["23", "36"]
    assert 'class="tile is-face-down is-changed" data-worms="4">36' in after


def test_a_scenario_says_where_it_holds():
    """An example of a ruling names its boxes, folds the sheets away, and tells the script."""
    html = draw(EN, scenario("failing", "nothing-to-return"), "rules/failing.md", unfolded=True)
    assert 'data-when="flip-without-return=no"' in html
    assert re.findall(r'href="../../editions/([^/"]+)/"', html) == [
        "zoch-2005",
        "zoch-2005-short",
        "999-games",
        "sheet-004",
    ]
    assert "<summary>one retelling</summary>" in html


def test_a_position_is_in_the_address_of_the_referee():
    """Stacks, grill, dice and the edition are told, as the referee page reads them."""
    found = scenario("failing", "question-10")
    assert referee_address(found, found.plays[0]) == (
        "referee/?edition=zoch-2005&a=23&grill=24.27.34&aside=2W&roll=222WWW"
    )


def test_an_example_of_another_edition_asks_the_referee_under_it():
    """A scenario that no box plays names an edition that does, or the single ruling."""
    turned = scenario("failing", "nothing-to-return-turns")
    barred = scenario("stealing", "barred-by-the-table")
    assert "edition=sheet-000&" in referee_address(turned, turned.plays[0])
    assert referee_address(barred, barred.plays[0]) == (
        "referee/?edition=zoch-2005&ruling=steal-back:barred&a=24&turn=b&b-barred=24&aside=333WWW"
    )


def test_no_address_has_more_than_eight_dice():
    """Dice set aside and dice rolled are never more than there are."""
    for one in read_scenarios():
        address = referee_address(one, one.plays[0])
        dice = re.findall(r"(?:aside|roll)=([1-5W]+)", address)
        assert sum(map(len, dice)) <= 8
