"""What became of a memory, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from omoide.domain import Entity, Node


@dataclass(frozen=True, slots=True)
class Version:
    """One wording of a memory, with the changes it went through: when, which verb, what stood there before."""

    node: Node
    changes: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Became:
    """What became of an entity itself: `other` is the name that was merged into it, split off, or given up."""

    entity: str
    at: datetime
    verb: str  # merge, split, split off, rename
    other: str

    def __str__(self) -> str:
        told = {
            "merge": f"{self.other} was merged into {self.entity}",
            "split": f"{self.other} was split off {self.entity}",
            "split off": f"{self.entity} was split off {self.other}",
            "rename": f"{self.other} was renamed {self.entity}",
        }
        return told.get(self.verb, f"{self.entity}: {self.verb} {self.other}".strip())


@dataclass(frozen=True, slots=True)
class Evidence:
    """An episode that bears a memory out, and the words in it."""

    episode: Node
    words: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why we believe a memory: its evidence, what it replaced, what replaced it, what stands against it."""

    node: Node
    confidence: float  # what is left of the node's own today
    evidence: tuple[Evidence, ...]
    supersedes: list[int]  # the earlier versions, the latest of them first
    superseded_by: list[int]
    contradicts: list[int]
    entities: tuple[Entity, ...]
    changes: tuple[dict[str, Any], ...]
    became: tuple[Became, ...] = ()  # of those entities: which were merged, split, renamed
