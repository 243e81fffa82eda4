"""The rules of Pickomino as a minimal, pure reference implementation.

The same six chapters as `spec/rules/`: `setup`, `rolling`, `claiming`, `stealing`, `failing`,
`ending`; one function a rule. `start`, `legal`, `play` and `score` are the whole game.
"""

from pickomino_reference.box import BASE as BASE, Box as Box, find_box as find_box
from pickomino_reference.editions import DEFAULT_EDITION as DEFAULT_EDITION, Edition as Edition
from pickomino_reference.editions import Contradiction as Contradiction, UnknownName as UnknownName
from pickomino_reference.editions import edition_names as edition_names
from pickomino_reference.editions import find_edition as find_edition
from pickomino_reference.editions import house_rule_names as house_rule_names
from pickomino_reference.editions import make_rulings as make_rulings
from pickomino_reference.editions import ruling_values as ruling_values
from pickomino_reference.game import Score as Score, legal as legal, play as play
from pickomino_reference.game import reach as reach, score as score, start as start
from pickomino_reference.moves import Claim as Claim, Move as Move, Options as Options
from pickomino_reference.moves import Roll as Roll, SetAside as SetAside
from pickomino_reference.moves import Steal as Steal, Stop as Stop, Take as Take
from pickomino_reference.rules import Refused as Refused, Rule as Rule
from pickomino_reference.rulings import ExactOnOpponent as ExactOnOpponent
from pickomino_reference.rulings import FlipAfterReturn as FlipAfterReturn
from pickomino_reference.rulings import FlipWithoutReturn as FlipWithoutReturn
from pickomino_reference.rulings import LowerTile as LowerTile, Rulings as Rulings
from pickomino_reference.rulings import SixFaces as SixFaces, StealBack as StealBack
from pickomino_reference.rulings import StopWithoutClaim as StopWithoutClaim, TieBreak as TieBreak
from pickomino_reference.table import Position as Position, Table as Table, Turn as Turn
from pickomino_reference.turn import Decision as Decision, End as End, Record as Record
from pickomino_reference.turn import Script as Script, Step as Step, play_turn as play_turn
