"""Engines: finding them, starting them, talking to them."""
