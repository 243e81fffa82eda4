"""The questions that people ask: no answer says anything that its scenarios do not prove."""

import re
from pathlib import Path

import pytest

from generator.answers import (
    PLAYERS,
    WrongQuestion,
    answer_of,
    answers_of,
    look_at,
    read_question,
    read_questions,
)
from generator.facts import facts_of
from generator.labels import editions_that_fit, fits
from generator.languages import Language, read_language, read_languages
from generator.looks import NO, YES
from generator.questions import questions_page
from generator.scenarios import read_scenarios
from pickomino_reference import Steal, Take, edition_names, find_edition, ruling_values
from pickomino_reference.data import read_spec

EN = Language("en")
COMPLETE = [say.code for say in read_languages() if say.complete]
PLAYED = [question for question in read_questions() if question.look]
QUESTIONS = pytest.mark.parametrize("question", PLAYED, ids=lambda question: question.id)

# What a scenario must look at, so that it proves what a look tells: an outcome, or an ending.
PROOFS = {
    "allowed": {"answer", "stack", "grill", "stacks", "player", "over"},
    "stop": {"stop", "take"},
    "roll": {"roll-on", "face_up", "stack"},
    "claims": {"take", "steal"},
    "steal": {"take", "steal"},
    "must-steal": {"take", "steal"},
    "lower": {"take"},
    "failed": {"stack", "stacks"},
    "failure": {"grill", "face_down"},
    "turned": {"grill"},
    "returned-turned": {"grill"},
    "lose-all": {"stack"},
    "face-up-again": {"grill", "face_down"},
    "over": {"over"},
    "failure-at-the-end": {"grill"},
    "most-worms": {"winners"},
    "tie": {"winners"},
    "tie-covered": {"winners"},
    "aside": {"take"},
    "total": {"take"},
    PLAYERS: {"stacks", "answer"},
}


def editions():
    """Return every edition by its name, with house rules that bring values no edition has."""
    houses = [f"zoch-2005+{house}" for house in read_spec("editions")["house-rules"]]
    return {name: find_edition(name).rulings for name in [*edition_names(), *houses]}


def agrees(part, due, facts):
    """Whether what a scenario says that follows is what the reference makes of it."""
    after = facts.after
    first, _, number = part.partition(".")
    match first:
        case "answer":
            return (due == "refused") == (facts.refused is not None)
        case "grill":
            return after.grill == tuple(due)
        case "stack":
            return after.stacks[int(number)] == tuple(due)
        case "stacks":
            return list(map(list, after.stacks)) == due
        case "face_up":
            return int(number) in after.grill
        case "face_down":
            return int(number) in after.face_down
        case "player":
            return after.player == due
        case "over":
            return (after.grill == ()) == due
        case "worms":
            return facts.score.worms[int(number)] == due
        case "winners":
            return sorted(facts.score.winners) == due
    raise AssertionError(f"no test of {part}")


def holds(scenario, rulings):
    """Whether a scenario holds under these rulings."""
    return fits(ruling_values(rulings), scenario.needs)


@QUESTIONS
def test_the_scenarios_of_a_question_say_what_the_reference_does(question):
    """In every edition, what each scenario says that follows is what came of playing it."""
    wrong = [
        (name, scenario.slug, part)
        for name, rulings in editions().items()
        for scenario in (*question.cases, *question.see)
        if holds(scenario, rulings)
        for told in scenario.plays
        for part, due in told.looks.items()
        if not agrees(part, due, facts_of(told, rulings))
    ]
    assert wrong == []


@QUESTIONS
def test_every_scenario_of_a_question_gives_its_answer(question):
    """In every edition, the scenarios that hold there all lead to the answer that is shown."""
    other = [
        (name, scenario.slug)
        for name, rulings in editions().items()
        for scenario in question.cases
        if holds(scenario, rulings)
        if look_at(question, scenario.plays[0], rulings) != answer_of(question, rulings)
    ]
    assert other == []


@QUESTIONS
def test_an_answer_is_proved_in_every_edition(question):
    """In every edition a scenario of the question holds that looks at what the answer tells."""
    unproved = [
        name
        for name in edition_names()
        if not any(
            holds(scenario, find_edition(name).rulings) and proves(question, scenario)
            for scenario in question.cases
        )
    ]
    assert unproved == []


def proves(question, scenario):
    """Whether a scenario looks at what the question asks for."""
    told = scenario.plays[0]
    endings = {ending(act.last) for act in told.acts if act.ended}
    return bool(PROOFS[question.look] & ({part.partition(".")[0] for part in told.looks} | endings))


def ending(decision):
    """Return how a turn is ended."""
    match decision.claim:
        case Take():
            return "take"
        case Steal():
            return "steal"
    return {"roll": "roll-on", "stop": "stop"}[decision.then]


@QUESTIONS
def test_what_an_answer_hangs_on_is_shown_by_a_scenario_of_that_value(question):
    """For each value that an edition plays, and that changes the answer, an example bears it."""
    tagged = {
        (ruling, value)
        for scenario in (*question.cases, *question.see)
        for ruling, values in scenario.needs.items()
        for value in values
    }
    missing = [
        (ruling, value)
        for answered in answers_of(question)
        for ruling, values in answered.needs.items()
        for value in values
        if editions_that_fit({ruling: (value,)}) and (ruling, value) not in tagged
    ]
    assert missing == []


@QUESTIONS
def test_every_combination_of_rulings_has_exactly_one_answer(question):
    """Whatever edition, house rule or single ruling is chosen, one answer is left on the page."""
    answers = answers_of(question)
    for rulings in editions().values():
        found = [one.answer for one in answers if fits(ruling_values(rulings), one.needs)]
        assert found == [answer_of(question, rulings)]


def answer(name, edition):
    """Return the answer to a question in an edition, by its id."""
    question = next(one for one in PLAYED if one.id == name)
    return answer_of(question, find_edition(edition).rulings)


@pytest.mark.parametrize(
    ("edition", "turned"),
    [
        ("zoch-2005", False),
        ("zoch-2005-short", False),
        ("999-games", False),
        ("sheet-000", True),
        ("sheet-001", True),
        ("sheet-002", True),
        ("sheet-004", False),
        ("ultraboardgames", True),
    ],
)
def test_whether_the_36_is_turned_for_nothing(edition, turned):
    """Both kinds of box are told, as their sources have it."""
    told = answer("no-tile", edition)
    assert told[0] == (YES if turned else NO)
    assert told[1].tiles == (((36,),) if turned else ())


@pytest.mark.parametrize(
    ("edition", "tiles"),
    [
        ("zoch-2005", ((25,), (24,))),
        ("sheet-004", ((25,),)),
        ("ultraboardgames", ((25,), (21, 24))),
    ],
)
def test_what_there_is_beside_a_steal(edition, tiles):
    """Rulebook, strict sheet and free choice: steal or take the 24, steal only, or the 21 too."""
    assert answer("must-steal", edition)[1].tiles == tiles


def test_a_returned_tile_that_is_the_highest_has_three_answers():
    """It stays, it is turned, or another is turned before it comes back."""
    answers = [answer("returned-highest", name) for name in ("zoch-2005", "sheet-001")]
    assert [one[0] for one in answers] == [NO, YES]
    before = answer("returned-highest", "ultraboardgames")
    assert [one.tiles for one in before] == [(), ((30,),), ((28,),)]


def test_no_example_stands_twice_on_the_page():
    """Each anchor of the page leads to one place."""
    anchors = [scenario.anchor for question in read_questions() for scenario in question.cases]
    assert sorted(anchors) == sorted(set(anchors))


def test_the_twenty_four_questions_are_all_among_them():
    """Every scenario that names a question of the list stands under one of the page."""
    features = Path(__file__).parents[2] / "features"
    named = set()
    for path in features.glob("*.feature"):
        for slug in re.findall(r"@case=(\S+)\n  Scenario[^\n]*\n    Question ", path.read_text()):
            named.add(f"{path.stem}/{slug}")
    shown = {
        f"{scenario.chapter}/{scenario.slug}"
        for question in read_questions()
        for scenario in (*question.cases, *question.see)
    }
    assert named - shown == set()


@pytest.mark.parametrize("code", COMPLETE)
@pytest.mark.parametrize(
    ("word", "question"),
    [
        ({"en": "bust", "nl": "kapot"}, "bust"),
        ({"en": "steal back", "nl": "terugstelen"}, "steal-back"),
        ({"en": "tie", "nl": "gelijkspel"}, "tie-covered"),
        ({"en": "no tile", "nl": "geen tegel"}, "no-tile"),
        ({"en": "no worm", "nl": "regenworm"}, "without-worm"),
        ({"en": "pass", "nl": "passen"}, "stop-with-nothing"),
        ({"en": "leftover dice", "nl": "overgebleven dobbelstenen"}, "six-faces"),
        ({"en": "37", "nl": "37"}, "above-36"),
    ],
)
def test_questions_have_the_words_that_people_use(code, word, question):
    """Whoever searches by the words of the table finds the question."""
    page = questions_page(read_language(code))
    section = page.partition(f"{{: #{question} }}")[2].partition("\n###")[0]
    heading = page.partition(f"{{: #{question} }}")[0].rpartition("###")[2]
    assert word[code] in (heading + section).lower()


def test_a_scenario_is_played_turn_after_turn():
    """A tile stolen in the first turn is the top one of the thief in the second."""
    found = next(one for one in read_scenarios() if one.slug == "steal-back-allowed").plays[0]
    facts = facts_of(found, find_edition().rulings)
    assert [ending(act.last) for act in found.acts] == ["steal", "steal"]
    assert facts.after.stacks[1] == (24,)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"group": "songs"}, "no group 'songs'.*failing"),
        ({"look": "sung"}, "no look 'sung'.*turned"),
        ({"cases": ["failing/nothing-to-retur"]}, "no scenario.*failing/nothing-to-return"),
    ],
)
def test_an_entry_that_names_what_does_not_exist_is_told(change, told):
    """The error has the file, the question, what came, and what could be meant."""
    entry = {"group": "failing", "question": "Bust?", "also": "", "look": "turned"} | change
    with pytest.raises(WrongQuestion, match=rf"questions\.toml, bust: there is {told}"):
        read_question("bust", entry)
