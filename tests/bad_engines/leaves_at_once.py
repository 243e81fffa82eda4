"""Leaves with status 0 before it reads anything."""
