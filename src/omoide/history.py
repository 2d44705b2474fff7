"""Records of a memory's past: its versions, its evidence, and what happened to its entities."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from omoide.domain import Entity, Node


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a memory, with its changes: when, by which verb, and the values before."""

    node: Node
    changes: tuple[dict[str, Any], ...]
    ended_by: str = ""  # the words that replaced or ended it

    def __str__(self) -> str:
        ended = f"  — ended by: {self.ended_by}" if self.ended_by else ""
        return f"{self.node.event_at:%Y-%m-%d}  {self.node.id}  {self.node.state}  {self.node.text}{ended}"


@dataclass(frozen=True, slots=True)
class EntityChange:
    """A merge, split or renaming of an entity. `other` is the name that was merged, split off or given up."""

    entity: str
    at: datetime
    verb: str  # merge, split, split off, rename
    other: str

    def __str__(self) -> str:
        texts = {
            "merge": f"{self.other} was merged into {self.entity}",
            "split": f"{self.other} was split off {self.entity}",
            "split off": f"{self.entity} was split off {self.other}",
            "rename": f"{self.other} was renamed {self.entity}",
        }
        return texts.get(self.verb, f"{self.entity}: {self.verb} {self.other}".strip())


@dataclass(frozen=True, slots=True)
class Evidence:
    """An episode that supports a memory, and the words in it that do."""

    episode: Node
    words: str

    def __str__(self) -> str:
        return f"{self.episode.event_at:%Y-%m-%d}  {self.episode.id}  “{self.words}”"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a memory is believed."""

    node: Node
    confidence: float  # as of today
    evidence: tuple[Evidence, ...]
    supersedes: list[int]  # earlier versions, the latest first
    superseded_by: list[int]
    contradicts: list[int]
    entities: tuple[Entity, ...]
    changes: tuple[dict[str, Any], ...]
    entity_changes: tuple[EntityChange, ...] = ()

    def __str__(self) -> str:
        lines = [
            self.node.text,
            f"{self.node.kind} {self.node.id}, {self.node.state}, confidence {self.confidence:.2f}",
        ]
        lines += [f"evidence: {each}" for each in self.evidence]
        lists = {"supersedes": self.supersedes, "superseded by": self.superseded_by, "contradicts": self.contradicts}
        lines += [f"{name}: {', '.join(map(str, ids))}" for name, ids in lists.items() if ids]
        return "\n".join(lines)
