"""Links into the referee page, with a position in their address."""

from generator.labels import editions_that_fit
from generator.scenarios import Play, Scenario
from pickomino_reference import BASE, DEFAULT_EDITION

SEATS = "abcdefg"


def referee_address(scenario: Scenario, play: Play) -> str:
    """Return where the referee looks at the last decision of a play; nothing if it can't be told.

    Only plays of one turn are told: the table after another turn depends on the edition.
    """
    if play.grill is None or len(play.acts) != 1:
        return ""
    return "referee/?" + "&".join([*_edition(scenario), *_table(play), *_dice(play)])


def _edition(scenario: Scenario) -> list[str]:
    editions = editions_that_fit(scenario.needs)
    if DEFAULT_EDITION in editions:
        return [f"edition={editions[0]}"] if scenario.needs else []
    if editions:
        return [f"edition={editions[0]}"]
    changes = [f"ruling={ruling}:{values[0]}" for ruling, values in scenario.needs.items()]
    return [f"edition={DEFAULT_EDITION}", *changes]


def _table(play: Play) -> list[str]:
    names = list(play.stacks)
    told = [f"players={len(names)}"] if len(names) != 2 else []
    told += [
        f"{seat}={'.'.join(map(str, own))}"
        for seat, own in zip(SEATS, play.stacks.values(), strict=False)
        if own
    ]
    if play.face_down:
        told.append(f"grill={_ranges(play.grill or ())}")
    player = names.index(play.acts[0].player)
    if player:
        told.append(f"turn={SEATS[player]}")
    for seat, name in enumerate(names):
        barred = [str(tile) for tile, robbed in play.stolen if robbed == name]
        if barred:
            told.append(f"{SEATS[seat]}-barred={'.'.join(barred)}")
    return told


def _dice(play: Play) -> list[str]:
    act = play.acts[0]
    chosen = act.rolls if act.ending and not act.early else act.rolls[:-1]
    aside = "".join(sorted(face for roll in chosen for face in roll.dice if face == roll.face))
    told = [f"aside={aside}"] if aside else []
    if len(chosen) < len(act.rolls):
        told.append(f"roll={act.rolls[-1].dice}")
    return told


def _ranges(tiles: tuple[int, ...]) -> str:
    told: list[str] = []
    runs: list[list[int]] = []
    for tile in sorted(tiles):
        if runs and tile == runs[-1][-1] + 1:
            runs[-1].append(tile)
        else:
            runs.append([tile])
    for run in runs:
        told += [f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run)
    assert set(tiles) <= set(BASE.worms)
    return ".".join(told)
