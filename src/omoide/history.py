"""What became of a memory, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omoide.layers import Entity, Node


@dataclass(frozen=True, slots=True)
class Version:
    """One wording of a memory, with the changes it went through: when, which verb, what stood there before."""

    node: Node
    changes: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """An episode that bears a memory out, and the words in it."""

    episode: Node
    words: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why we believe a memory: its evidence, what it replaced, what replaced it, what stands against it."""

    node: Node
    evidence: tuple[Evidence, ...]
    supersedes: list[int]  # the earlier versions, the latest of them first
    superseded_by: list[int]
    contradicts: list[int]
    entities: tuple[Entity, ...]
    changes: tuple[dict[str, Any], ...]
