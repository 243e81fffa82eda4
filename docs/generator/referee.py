"""Links into the referee page, with a position in their address."""

from generator.labels import editions_that_fit
from generator.scenarios import Scenario
from pickomino_conformance.cases.scene import Scene
from pickomino_conformance.words import spans
from pickomino_reference import DEFAULT_EDITION

SEATS = "abcdefg"


def referee_address(scenario: Scenario, scene: Scene) -> str:
    """Return where the referee looks at the last decision of a case; nothing if it can't be told.

    Only cases of one turn are told: the table after another turn depends on the edition.
    """
    if scene.grill is None or len(scene.acts) != 1:
        return ""
    return "referee/?" + "&".join([*_edition(scenario), *_table(scene), *_dice(scene)])


def _edition(scenario: Scenario) -> list[str]:
    editions = editions_that_fit(scenario.needs)
    if DEFAULT_EDITION in editions:
        return [f"edition={editions[0]}"] if scenario.needs else []
    if editions:
        return [f"edition={editions[0]}"]
    changes = [f"ruling={ruling}:{values[0]}" for ruling, values in scenario.needs.items()]
    return [f"edition={DEFAULT_EDITION}", *changes]


def _table(scene: Scene) -> list[str]:
    table = scene.table
    told = [f"players={len(table.stacks)}"] if len(table.stacks) != 2 else []
    told += [
        f"{seat}={'.'.join(map(str, own))}"
        for seat, own in zip(SEATS, table.stacks, strict=False)
        if own
    ]
    if table.face_down:
        told.append(f"grill={spans(table.grill, '{}-{}', '.', '')}")
    if table.player:
        told.append(f"turn={SEATS[table.player]}")
    for seat, tiles in enumerate(table.barred):
        if tiles:
            told.append(f"{SEATS[seat]}-barred={'.'.join(map(str, tiles))}")
    return told


def _dice(scene: Scene) -> list[str]:
    (act,) = scene.acts
    early = act.last is not None and act.last.keep is None
    looked_at = len(act.rolls) - (0 if act.ended and not early else 1)
    chosen = act._replace(rolls=act.rolls[:looked_at]).script(scene.table)
    told = [f"aside={''.join(sorted(chosen.set_aside))}"] if chosen.set_aside else []
    if looked_at < len(act.rolls):
        told.append(f"roll={act.rolls[-1]}")
    return told
