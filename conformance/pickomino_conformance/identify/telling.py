"""What `identify` found, as text."""

from collections.abc import Iterator, Sequence

from pickomino_conformance.identify import Finding, Nearest
from pickomino_reference import ruling_values


def tell(findings: Sequence[Finding], nearest: Nearest, restarts: int = 0) -> Iterator[str]:
    """Yield a line a ruling, with what else is to be said of it; then the nearest edition.

    `restarts` is how often the engine broke down meanwhile.
    """
    widest = max(len(finding.ruling) for finding in findings)
    told = max((len(_played(finding)) for finding in findings if not _long(finding)), default=0)
    for finding in findings:
        counted = f"{finding.seen} of {finding.asked} situations"
        played = _played(finding)
        tail = "" if _long(finding) else f"{'':{max(0, told - len(played))}}  {counted}"
        yield f"{finding.ruling:{widest}}  {played}{tail}"
        if finding.belied:
            yield f"{'':{widest}}  its hello says {' or '.join(finding.declared)}"
        if finding.seen and finding.why:
            yield f"{'':{widest}}  the others could not be asked: {finding.why}"
    yield ""
    if restarts:
        yield f"The engine broke down {'once' if restarts == 1 else f'{restarts} times'} meanwhile."
    if not any(finding.seen for finding in findings):
        yield "Nothing could be told; `pickomino smoke` says more."
        return
    yield f"nearest edition: {nearest.edition.name}"
    values = ruling_values(nearest.edition.rulings)
    for ruling, played in nearest.departing.items():
        yield f"  departs: {ruling} = {values[ruling]} there; it plays {played}"
    if nearest.as_near:
        yield f"  as near: {', '.join(nearest.as_near)}"
    unknown = [finding.ruling for finding in findings if not finding.seen]
    if unknown:
        yield f"  not told: {', '.join(unknown)}"


def _long(finding: Finding) -> bool:
    return bool(finding.contradiction or finding.none_of_these or not finding.seen)


def _played(finding: Finding) -> str:
    if finding.contradiction:
        return f"contradicts itself: {finding.contradiction}"
    if finding.none_of_these:
        return f"none of these. {finding.none_of_these}"
    if not finding.seen:
        return f"not told: {finding.why}"
    return " or ".join(finding.values)
