"""Rulings that note which of them are looked at."""

from pickomino_reference import Rulings


class Listening:
    """Stands for rulings, and notes which of them are looked at.

    Other rulings with the same values for those would have had the same outcome, and need not be
    asked. The values already looked at are attributes of its own: looking again costs nothing.
    """

    # Rulings compared as a whole would hide what was looked at.
    __eq__ = __hash__ = None

    def __init__(self, rulings: Rulings) -> None:
        self._rulings = rulings

    def __getattr__(self, name: str) -> object:
        value = getattr(self._rulings, name)
        setattr(self, name, value)
        return value

    @property
    def asked(self) -> set[str]:
        """The names of the rulings that were looked at."""
        return set(vars(self)) - {"_rulings"}

    def stands_for(self, rulings: Rulings) -> bool:
        """Whether these rulings agree in all that was looked at."""
        return all(getattr(rulings, name) is getattr(self, name) for name in self.asked)
