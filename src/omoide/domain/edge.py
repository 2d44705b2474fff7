"""Typed links between nodes, and what is read from them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from omoide.domain.node import Node
from omoide.errors import InvalidInput

# Each edge type with its name as seen from the target.
EDGE_TYPES: dict[str, str] = {
    "temporal": "temporal",  # the earlier episode → the later one
    "causal": "caused_by",  # cause → effect
    "entity": "entity",
    "derived_from": "source_of",  # learned node → its source episode
    "supersedes": "superseded_by",  # new → replaced; only this direction is stored
    "related_to": "related_to",
    "contradicts": "contradicts",
    "elaborates": "elaborated_by",
    "example_of": "has_example",
    "recalled_with": "recalled_with",
    "part_of": "has_part",  # child → parent
}
# The relations in which notes are linked.
NOTE_RELATIONS = tuple("derived_from related_to contradicts elaborates example_of supersedes superseded_by".split())
_INTERNAL = frozenset(("temporal", "entity", "recalled_with"))  # created automatically, never offered to callers
SYMMETRIC = frozenset(name for name, inverse in EDGE_TYPES.items() if name == inverse)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One directed link."""

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
    """A linked memory, with the relation as seen from this memory and whether the link starts here."""

    node: Node
    relation: str
    outgoing: bool
    edge: Edge


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two memories that cannot both be true. It is resolved by keeping one."""

    one: Node
    other: Node
    edge: Edge


@dataclass(frozen=True, slots=True)
class LinkSuggestion:
    """A link that could be added with `memory.graph.link(source, target, relation)`."""

    source: int
    target: int
    relation: str
    why: str
    likeness: float
    node: Node  # the target


def relation_from(edge: Edge, id: int) -> tuple[str, bool]:
    """The relation as seen from one end of an edge, and whether the edge starts there."""
    outgoing = edge.source_id == id
    return (edge.type if outgoing else EDGE_TYPES[edge.type]), outgoing


def parse_edge_type(name: str) -> tuple[str, bool]:
    """The stored edge type of a name, and whether its ends are swapped (`superseded_by` is a swapped `supersedes`)."""
    if name in EDGE_TYPES:
        return name, False
    for stored, inverse in EDGE_TYPES.items():
        if name == inverse:
            return stored, True
    known = [each for each in dict.fromkeys((*EDGE_TYPES, *EDGE_TYPES.values())) if each not in _INTERNAL]
    near = get_close_matches(str(name), known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known types are {', '.join(known)}"
    raise InvalidInput(f"unknown link type {name!r}; {hint}")
