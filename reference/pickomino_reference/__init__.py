"""The rules of Pickomino as a minimal, pure reference implementation.

The same six chapters as `spec/rules/`: `setup`, `rolling`, `claiming`, `stealing`, `failing`,
`ending`; one function a rule. `start`, `legal`, `play` and `score` are the whole game.
"""

from pickomino_reference.box import BASE, Box, find_box
from pickomino_reference.editions import (
    DEFAULT_EDITION,
    Contradiction,
    Edition,
    UnknownName,
    edition_names,
    find_edition,
    house_rule_names,
    make_rulings,
    ruling_values,
)
from pickomino_reference.game import Score, legal, moves, play, reach, score, start
from pickomino_reference.moves import Claim, Move, Options, Roll, SetAside, Steal, Stop, Take
from pickomino_reference.perft import Perft
from pickomino_reference.rules import Refused, Rule
from pickomino_reference.rulings import (
    ExactOnOpponent,
    FlipAfterReturn,
    FlipWithoutReturn,
    LowerTile,
    Rulings,
    SixFaces,
    StealBack,
    StopWithoutClaim,
    TieBreak,
)
from pickomino_reference.table import Position, Table, Turn

__all__ = [
    "BASE",
    "DEFAULT_EDITION",
    "Box",
    "Claim",
    "Contradiction",
    "Edition",
    "ExactOnOpponent",
    "FlipAfterReturn",
    "FlipWithoutReturn",
    "LowerTile",
    "Move",
    "Options",
    "Perft",
    "Position",
    "Refused",
    "Roll",
    "Rule",
    "Rulings",
    "Score",
    "SetAside",
    "SixFaces",
    "Steal",
    "StealBack",
    "Stop",
    "StopWithoutClaim",
    "Table",
    "Take",
    "TieBreak",
    "Turn",
    "UnknownName",
    "edition_names",
    "find_box",
    "find_edition",
    "house_rule_names",
    "legal",
    "make_rulings",
    "moves",
    "play",
    "reach",
    "ruling_values",
    "score",
    "start",
]
