"""The things of the world that memories speak of, and how those things are related."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

ENTITY_TYPES = ("person", "organization", "project", "place", "concept", "tool", "event", "other")
TYPE_ALIASES = {"location": "place"}  # Kira-L's word for Yodoca's place


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A person, organization, project, place, concept, tool, event or other thing with a name."""

    id: int
    ulid: str
    name: str
    type: str
    description: str | None
    summary: str | None
    aliases: tuple[str, ...]
    attributes: Mapping[str, Any]
    first_seen_at: datetime
    last_referenced_at: datetime
    mention_count: int
    importance: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One entity works_at, uses, knows … another."""

    id: int
    ulid: str
    source: str
    source_id: int
    type: str
    target: str
    target_id: int
    properties: Mapping[str, Any]
    confidence: float
    source_node_id: int | None
    valid_from: datetime | None
    valid_until: datetime | None
    created_at: datetime
    updated_at: datetime


def name_key(name: str) -> str:
    """How a name is looked up: case, width, accents and outer punctuation do not matter."""
    decomposed = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)) if not name.isascii() else decomposed
    kept = "".join(c if c.isalnum() else " " for c in plain.casefold())
    return " ".join(kept.split())
