"""The levels of a check: what each asks of an engine."""
