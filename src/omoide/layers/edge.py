"""Typed links between nodes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from omoide.errors import InvalidInput

# Each type with what it reads as from the other end.
EDGE_TYPES: dict[str, str] = {
    "temporal": "temporal",  # the earlier episode → the later one
    "causal": "causal",  # cause → effect
    "entity": "entity",
    "derived_from": "derived_from",  # what was learned → the episode it was learned from
    "supersedes": "superseded_by",  # the new one → the one it replaces; the other direction is read, not stored
    "related_to": "related_to",
    "contradicts": "contradicts",
    "elaborates": "elaborates",
    "example_of": "example_of",
    "recalled_with": "recalled_with",
    "part_of": "part_of",  # child → parent
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One link, from source to target."""

    id: int
    source_id: int
    target_id: int
    type: str
    predicate: str | None
    weight: float
    confidence: float
    valid_from: datetime
    valid_until: datetime | None
    evidence: tuple[Any, ...]
    created_at: datetime


def edge_type(name: str) -> tuple[str, bool]:
    """The stored type, and whether the ends change places (`superseded_by` is `supersedes` read backwards)."""
    if name in EDGE_TYPES:
        return name, False
    for stored, inverse in EDGE_TYPES.items():
        if name == inverse:
            return stored, True
    near = get_close_matches(str(name), [*EDGE_TYPES, "superseded_by"], n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known types are {', '.join(EDGE_TYPES)}"
    raise InvalidInput(f"unknown link type {name!r}; {hint}")
