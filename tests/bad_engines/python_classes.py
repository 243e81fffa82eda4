"""Python classes of which no engine can be made."""


class RaisesInItsConstructor:
    """Needs dice."""

    def __init__(self) -> None:
        raise KeyError("dice")


class LeavesInItsConstructor:
    """Ends the process."""

    def __init__(self) -> None:
        raise SystemExit(5)
