"""What other systems' files are made of, in our words: every importer yields these and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from omoide.transfer.source import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn, an action or a tool's result of a conversation."""

    text: str
    where: str
    key: str
    role: str
    session: str | None = None
    channel: str | None = None
    speaker: str | None = None
    at: str | None = None
    type: str | None = None
    outcome: str | None = None
    tags: tuple[str, ...] = ()
    details: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A sentence or a note that somebody kept. `about` names the things it speaks of; `subject` is the thing that a
    graph has it as an observation of."""

    text: str
    where: str
    key: str
    kind: str = "note"
    title: str | None = None
    category: str | None = None
    about: tuple[str, ...] = ()
    subject: str | None = None
    at: str | None = None
    tags: tuple[str, ...] = ()
    details: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """An entity."""

    name: str
    where: str
    type: str | None = None
    aliases: tuple[str, ...] = ()
    description: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """One entity works_at, uses, knows … another."""

    source: str
    type: str
    target: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """From one note to another, by their keys."""

    source: str
    target: str
    where: str
    type: str = "related_to"
    predicate: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """What was left out, and why."""

    reason: str
    where: str
    count: int = 1


Item = Said | Held | Thing | Tie | Link | Skipped


@dataclass(frozen=True, slots=True)
class Format:
    """How the files of one other system are read. `wants` says which files of a folder or an archive are its own."""

    name: str
    about: str
    wants: Callable[[str], bool]
    read: Callable[[Sequence[Page]], Iterator[Item]]


def fingerprint(*parts: Any) -> str:
    """Stands for the content of what has no id of its own."""
    told = json.dumps(parts, ensure_ascii=True, default=str)
    return hashlib.blake2b(told.encode(), digest_size=12).hexdigest()


def titled(title: str, text: str) -> str:
    """A note taken out of its page still says whom it is about."""
    return text if title.casefold() in text.casefold() else f"{title}: {text}"
