"""How the lists are written: names between commas, looked up without regard to case."""

from __future__ import annotations


def names(text: str) -> dict[str, str]:
    """Lower case → the name as it is written."""
    parts = (" ".join(part.split()) for part in text.split(","))
    return {part.lower(): part for part in parts if part}


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())
