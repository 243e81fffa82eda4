"""The messages of the adapter protocol, version 1 (`spec/protocol/`).

JSON-RPC 2.0, one object a line. A struct here is the shape of a message, no more: which tiles
exist, or whether a turn is legal, is not its business. Unknown members are ignored.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from msgspec.json import Decoder, Encoder

# Every version that was ever published; the harness sends the highest and speaks them all.
PROTOCOLS = (1,)
PROTOCOL = PROTOCOLS[-1]

REFUSED = 1
MISFIT = 2
CRASHED = 3
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
NO_SUCH_METHOD = -32601
MALFORMED = -32602

# So many characters of what an engine says are told.
MOST_QUOTED = 2000

Number = Annotated[int, Meta(ge=0)]
Dice = Annotated[str, Meta(pattern="^[1-5W]{0,8}$")]
Roll = Annotated[str, Meta(pattern="^[1-5W]{1,8}$")]

if TYPE_CHECKING:
    Face = str
else:
    # A choice among literals is checked faster than a pattern.
    Face = Literal["1", "2", "3", "4", "5", "W"]


class TableMessage(Struct, omit_defaults=True):
    """A table: face-up and face-down tiles, stacks bottom to top, whose turn it is."""

    grill: list[Number]
    stacks: list[list[Number]]
    face_down: list[Number] | UnsetType = UNSET
    player: Number | UnsetType = UNSET
    barred: list[list[Number]] | UnsetType = UNSET


class ClaimMessage(Struct, omit_defaults=True):
    """A claim: a tile of the grill to take, or a player to steal from; one of the two."""

    take: Number | UnsetType = UNSET
    steal: Number | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.take is UNSET) is (self.steal is UNSET):
            raise ValueError('a claim is either {"take": tile} or {"steal": player}')


class DecisionMessage(Struct, omit_defaults=True):
    """What the player does with a roll: the face set aside, then rolling on or stopping."""

    keep: Face | None
    then: Literal["roll", "stop"]
    claim: ClaimMessage | UnsetType | None = UNSET


class HelloParams(Struct):
    """What the harness says first: the version of the protocol."""

    protocol: int


class TurnParams(Struct):
    """A whole turn, with dice and decisions; a null table is the one that was answered last."""

    table: TableMessage | None
    rolls: list[Roll]
    decisions: list[DecisionMessage]


class StartParams(Struct):
    """How many players begin a game."""

    players: int


class ScoreParams(Struct):
    """The stacks to be counted."""

    stacks: list[list[Number]]


class LegalParams(Struct):
    """A table, the dice set aside, and the roll from which to choose, if there is one."""

    table: TableMessage | None
    kept: Dice
    roll: Roll | None = None


class SettleParams(Struct):
    """The end of a turn: the dice set aside, the claim, or a last, dead roll."""

    table: TableMessage | None
    kept: Dice
    claim: ClaimMessage | None = None
    dead: bool = False


class ConfigureParams(Struct):
    """The value that the engine is to play, for every ruling."""

    rulings: dict[str, str]


Params = (
    HelloParams
    | TurnParams
    | StartParams
    | ScoreParams
    | LegalParams
    | SettleParams
    | ConfigureParams
)


class Hello(Struct):
    """What an engine says of itself.

    Attributes:
        name, version: as the engine likes.
        protocol: the version of the protocol that it speaks.
        players: the fewest and the most players.
        capabilities: what it can do beyond `hello` and `turn`.
        rulings: the value it plays, or the values that it can be configured to play.
    """

    name: str
    protocol: int
    players: tuple[int, int]
    version: str = ""
    capabilities: list[str] = []
    rulings: dict[str, str | list[str]] = {}


class StepMessage(Struct):
    """The trace of one decision: all set aside so far, dice left to roll, the total."""

    kept: Dice
    dice: Number
    total: Number


class TurnResult(Struct, omit_defaults=True):
    """The table after a turn, and what else the engine can tell."""

    table: TableMessage
    over: bool | UnsetType = UNSET
    rolls_used: Number | UnsetType = UNSET
    trace: list[StepMessage] | UnsetType = UNSET


class StartResult(Struct):
    """The table of a new game."""

    table: TableMessage


class ScoreResult(Struct):
    """Worms of each player, and who wins; either may be unknown to the engine."""

    worms: list[Number] | None = None
    winners: list[Number] | None = None


class LegalResult(Struct):
    """What may be done: faces to keep, rolling, stopping, claims."""

    keep: str
    roll: bool
    stop: bool
    claims: list[ClaimMessage]


class ConfigureResult(Struct):
    """Nothing: the rulings are taken over."""


Result = TurnResult | Hello | StartResult | ScoreResult | LegalResult | ConfigureResult


class ErrorData(Struct, omit_defaults=True):
    """What an engine knows of an error: see `Misfit`, and `rule` for a refusal."""

    after_rolls: Number | UnsetType = UNSET
    wants: str | UnsetType = UNSET
    dice: Number | UnsetType = UNSET
    offers: list[ClaimMessage] | UnsetType = UNSET
    rule: str | UnsetType = UNSET


class ErrorMessage(Struct, omit_defaults=True):
    """An error by its code: refused, misfit, crashed, no such method, malformed."""

    code: int
    message: str = ""
    data: Raw | UnsetType = UNSET


class Answer(Struct):
    """A line of the engine: a result or an error for the request of the same id."""

    id: int | None
    result: Raw | UnsetType = UNSET
    error: ErrorMessage | UnsetType = UNSET


class Request(Struct):
    """A line of the harness."""

    id: int | str | None
    method: str
    params: Raw | UnsetType = UNSET
    jsonrpc: str = "2.0"


class Call(Struct):
    """A line of the harness, with its params as the struct that they are."""

    id: int
    method: str
    params: Params
    jsonrpc: str = "2.0"


PARAMS: dict[str, type[Params]] = {
    "hello": HelloParams,
    "turn": TurnParams,
    "start": StartParams,
    "score": ScoreParams,
    "legal": LegalParams,
    "settle": SettleParams,
    "configure": ConfigureParams,
}
RESULTS: dict[str, type[Result]] = {
    "hello": Hello,
    "turn": TurnResult,
    "start": StartResult,
    "score": ScoreResult,
    "legal": LegalResult,
    "settle": TurnResult,
    "configure": ConfigureResult,
}
METHODS: dict[type[Params], str] = {params: method for method, params in PARAMS.items()}
CAPABILITIES = (
    "start",
    "set-table",
    "score",
    "legal",
    "settle",
    "configure",
    "choose-claim",
    "refuse",
    "unresolved",
)


def quoted(text: str, most: int = MOST_QUOTED) -> str:
    """Return what an engine says as a quotation that it can't end by itself; cut if it is long."""
    inside = cut(text, most).replace("“", '"').replace("”", '"')
    return f"“{inside}”"


def cut(text: str, most: int) -> str:
    """Return the beginning of a text, if it is long."""
    return text if len(text) <= most else text[:most] + "…"


encode = Encoder().encode
decode_answer = Decoder(Answer).decode
decode_request = Decoder(Request).decode
decode_result: dict[str, Any] = {name: Decoder(shape).decode for name, shape in RESULTS.items()}
decode_params: dict[str, Any] = {name: Decoder(shape).decode for name, shape in PARAMS.items()}
