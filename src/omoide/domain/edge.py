"""Typed links between nodes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from omoide.domain.node import Node
from omoide.errors import InvalidInput

# Each type with what it reads as from the other end.
EDGE_TYPES: dict[str, str] = {
    "temporal": "temporal",  # the earlier episode → the later one
    "causal": "caused_by",  # cause → effect
    "entity": "entity",
    "derived_from": "source_of",  # what was learned → the episode it was learned from
    "supersedes": "superseded_by",  # the new one → the one it replaces; the other direction is read, not stored
    "related_to": "related_to",
    "contradicts": "contradicts",
    "elaborates": "elaborated_by",
    "example_of": "has_example",
    "recalled_with": "recalled_with",
    "part_of": "has_part",  # child → parent
}
# Loki's seven, in which notes are linked; the others are made by the way things happen.
NOTE_RELATIONS = (
    "derived_from",
    "related_to",
    "contradicts",
    "elaborates",
    "example_of",
    "supersedes",
    "superseded_by",
)
_INTERNAL = frozenset(("temporal", "entity", "recalled_with"))  # made by what happens: nobody is told to make them
SYMMETRIC = frozenset(name for name, inverse in EDGE_TYPES.items() if name == inverse)


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


@dataclass(frozen=True, slots=True)
class Neighbour:
    """What a memory is linked to: how the link reads from this memory's end, and whether it was made from here."""

    node: Node
    relation: str
    outgoing: bool
    edge: Edge


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two memories that cannot both hold: resolved by keeping one."""

    one: Node
    other: Node
    edge: Edge


@dataclass(frozen=True, slots=True)
class LinkSuggestion:
    """A suggested link; `memory.graph.link(source, target, relation)` accepts it."""

    source: int
    target: int
    relation: str
    why: str
    likeness: float
    node: Node  # the target


def relation_from(edge: Edge, id: int) -> tuple[str, bool]:
    """How a link reads from one of its ends, and whether it begins there."""
    outgoing = edge.source_id == id
    return (edge.type if outgoing else EDGE_TYPES[edge.type]), outgoing


def parse_edge_type(name: str) -> tuple[str, bool]:
    """The stored type, and whether the ends change places (`superseded_by` is `supersedes` read backwards)."""
    if name in EDGE_TYPES:
        return name, False
    for stored, inverse in EDGE_TYPES.items():
        if name == inverse:
            return stored, True
    known = [each for each in dict.fromkeys((*EDGE_TYPES, *EDGE_TYPES.values())) if each not in _INTERNAL]
    near = get_close_matches(str(name), known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known types are {', '.join(known)}"
    raise InvalidInput(f"unknown link type {name!r}; {hint}")
