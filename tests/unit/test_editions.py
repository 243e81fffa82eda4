"""Choosing an edition: names, house rules, single rulings, and what is refused."""

import pytest

from pickomino_reference import (
    Contradiction,
    FlipAfterReturn,
    LowerTile,
    Rulings,
    StealBack,
    UnknownName,
    find_edition,
    ruling_values,
)
from pickomino_reference.editions import read_rulings


def test_the_default_edition_is_the_rulebook() -> None:
    """Without a name one gets the Zoch rulebook, which the bare rulings are, too."""
    assert find_edition().name == "zoch-2005"
    assert find_edition().rulings == Rulings()


def test_a_house_rule_changes_only_its_rulings() -> None:
    """`zoch-2005+soft-landing` turns nothing after a failure and is else the rulebook."""
    soft = find_edition("zoch-2005+soft-landing").rulings
    assert soft == Rulings(flip_after_return=FlipAfterReturn.NEVER)


def test_several_house_rules_are_laid_over_one_edition() -> None:
    """Each of several house rules takes effect."""
    both = find_edition("zoch-2005+free-lower+no-steal-back").rulings
    assert both == Rulings(lower_tile=LowerTile.ANY, steal_back=StealBack.BARRED)


def test_a_single_ruling_overrides_edition_and_house_rules() -> None:
    """What is given as a ruling comes last."""
    edition = find_edition("zoch-2005+soft-landing", {"flip-after-return": "always"})
    assert edition.rulings == Rulings(flip_after_return=FlipAfterReturn.ALWAYS)
    assert edition.name == "zoch-2005+soft-landing flip-after-return=always"


def test_editions_differ_where_the_table_of_sources_says_so() -> None:
    """The long Dutch sheet differs from the rulebook in three rulings."""
    zoch, sheet = (ruling_values(find_edition(n).rulings) for n in ("zoch-2005", "sheet-001"))
    assert {ruling for ruling in zoch if zoch[ruling] != sheet[ruling]} == {
        "flip-after-return",
        "flip-without-return",
        "stop-without-claim",
    }


@pytest.mark.parametrize(
    ("name", "nearest", "known"),
    [
        ("zoch-205", "zoch-2005", "999-games"),
        ("zoch-2005+softlanding", "soft-landing", "no-steal-back"),
        ("zoch-2005+", "", "soft-landing"),
        ("", "", "zoch-2005"),
    ],
)
def test_an_unknown_name_is_refused_with_those_that_exist(
    name: str, nearest: str, known: str
) -> None:
    """The error lists the names that exist, and the nearest one if any is near."""
    with pytest.raises(UnknownName) as error:
        find_edition(name)
    assert f"Did you mean {nearest!r}?" in str(error.value) or not nearest
    assert known in str(error.value)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("steal-bak=barred", "'steal-back'"),
        ("steal-back=bared", "'barred'"),
        ("steal-back", "RULING=VALUE"),
    ],
)
def test_an_unknown_ruling_or_value_is_refused(text: str, named: str) -> None:
    """A ruling, a value, or a form that does not exist is named, with the nearest that does."""
    with pytest.raises(UnknownName) as error:
        read_rulings([text])
    assert named in str(error.value)


@pytest.mark.parametrize(
    "name", ["zoch-2005+free-lower+lower-if-gone", "zoch-2005+shared-win+shared-win"]
)
def test_house_rules_that_contradict_or_repeat_are_refused(name: str) -> None:
    """Two house rules may not set one ruling differently, nor may one stand twice."""
    with pytest.raises(Contradiction):
        find_edition(name)
