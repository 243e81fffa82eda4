"""Why a move may be made or not, and what comes of it.

Everything here needs the standard library and `pickomino_reference` only, so that it runs
wherever the reference runs, in a browser too. `explain_plain` is the whole of it with JSON
values in and out.
"""

from pickomino_conformance.reasons.consequences import Claimed, Consequence, Failed, Kept, Rolled
from pickomino_conformance.reasons.explaining import Explained, Explanation, Hinge, explain
from pickomino_conformance.reasons.plain import explain_plain
from pickomino_conformance.reasons.positions import Unreadable, read_position
from pickomino_conformance.reasons.why import Why

__all__ = [
    "Claimed",
    "Consequence",
    "Explained",
    "Explanation",
    "Failed",
    "Hinge",
    "Kept",
    "Rolled",
    "Unreadable",
    "Why",
    "explain",
    "explain_plain",
    "read_position",
]
