"""Other values of the rulings: each is a fault where it is not the value asked for."""

from pickomino_conformance.faults.fault import Fault
from pickomino_reference import Rule, Rulings, ruling_values
from pickomino_reference.data import read_spec

# What an engine does that plays this value, in words.
NAMES = {
    ("flip-after-return", "unless-highest"): "the returned tile stays face up if it is the highest",
    ("flip-after-return", "always"): "the returned tile is turned if it is the highest",
    ("flip-after-return", "before-return"): "the highest tile is turned before the own one returns",
    ("flip-after-return", "never"): "nothing is turned after a tile was returned",
    ("flip-without-return", "no"): "nothing is turned when nothing was returned",
    ("flip-without-return", "yes"): "the highest tile is turned although nothing was returned",
    ("lower-tile", "next"): "of the lower tiles only the next one may be taken",
    ("lower-tile", "any"): "any lower tile may be taken",
    ("lower-tile", "any-if-exact-gone"): "any lower tile may be taken if the exact one is gone",
    ("exact-on-opponent", "choice"): "a lower tile may be taken while the exact one can be stolen",
    ("exact-on-opponent", "steal"): "stealing is forced",
    ("stop-without-claim", "fails"): "a player may stop with nothing to claim",
    ("stop-without-claim", "barred"): "a player may not stop with nothing to claim",
    ("steal-back", "allowed"): "a stolen tile may be stolen back at once",
    ("steal-back", "barred"): "a stolen tile may not be stolen back at once",
    ("tie-break", "highest-tile"): "a tie goes to the highest tile",
    ("tie-break", "shared"): "a tie is shared",
    ("six-faces", "over"): "the sixth face ends the turn",
    ("six-faces", "roll-on"): "the turn goes on after six faces",
}


def ruling_faults(judged: Rulings) -> tuple[Fault, ...]:
    """Return a fault for every value of a ruling that is not the one asked for."""
    values, told = ruling_values(judged), read_spec("rulings")
    found = []
    for (ruling, value), name in NAMES.items():
        if values[ruling] == value:
            continue
        rules = tuple(map(Rule, told[ruling]["rules"]))
        if ruling == "flip-after-return":
            rules = (_parted_by(values[ruling], value),)
        found.append(Fault(name, rules, rulings={ruling: value}))
    return tuple(found)


def _parted_by(judged: str, value: str) -> Rule:
    """Return the rule that parts two values of the flip: of the returned tile, or of another."""
    never = "never" in (judged, value)
    return Rule.FAILING_FLIP_HIGHEST if never else Rule.FAILING_RETURNED_HIGHEST
