"""The records that importers yield, the description of an import format, and the report of an import."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from omoide.transfer.foreign_fields import clean_text
from omoide.transfer.import_source import SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTurn:
    """A turn, an action or a tool result of a conversation. `where` is its location in the source."""

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
class ImportedStatement:
    """A stored sentence or note. `about` names entities it mentions; `subject` is the entity that it is an
    observation of in a graph. `version` is the key of this wording, if the other system may change the words of the
    memory with this `key`."""

    text: str
    where: str
    key: str
    kind: str = "note"
    title: str | None = None
    category: str | None = None
    about: tuple[str, ...] = ()
    subject: str | None = None
    version: str | None = None
    at: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    tags: tuple[str, ...] = ()
    details: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedEntity:
    """An entity."""

    name: str
    where: str
    type: str | None = None
    aliases: tuple[str, ...] = ()
    description: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRelation:
    """A relation between two entities, such as works_at, uses or knows."""

    source: str
    type: str
    target: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLink:
    """A link from one note to another, by their keys."""

    source: str
    target: str
    where: str
    type: str = "related_to"
    predicate: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedRecord:
    """A record that was skipped, and the reason. `words` is what it says if it was not left out on purpose: they
    are kept in a note."""

    reason: str
    where: str
    count: int = 1
    words: str = ""


ImportedRecord = ImportedTurn | ImportedStatement | ImportedEntity | ImportedRelation | ImportedLink | SkippedRecord


@dataclass(frozen=True, slots=True)
class ImportFormat:
    """How to read the files of another system. `wants` tells by its name whether a file has this format."""

    name: str
    about: str
    wants: Callable[[str], bool]
    read: Callable[[Sequence[SourceFile]], Iterator[ImportedRecord]]


def fingerprint(*parts: Any) -> str:
    """Returns a digest that identifies content without an id."""
    document = json.dumps(parts, ensure_ascii=True, default=str)
    return hashlib.blake2b(document.encode(), digest_size=12).hexdigest()


def record_words(given: Any) -> str:
    """Returns what a record says that has no place here: its text, or its JSON if that contains any."""
    if isinstance(given, str):
        return clean_text(given)
    return clean_text(json.dumps(given, ensure_ascii=False, default=str)) if _says_something(given) else ""


def _says_something(given: Any) -> bool:
    if isinstance(given, Mapping):
        return any(_says_something(each) for field, each in given.items() if field not in _IDENTITY_FIELDS)
    if isinstance(given, list | tuple):
        return any(map(_says_something, given))
    return isinstance(given, str) and given.strip() != ""


_IDENTITY_FIELDS = frozenset(
    ("id", "uuid", "hash", "type", "role", "sender", "user_id", "agent_id", "run_id", "created_at", "updated_at")
)


def with_title(title: str, text: str) -> str:
    """Returns the text, preceded by the title unless it contains it, so that it is clear on its own."""
    return text if title.casefold() in text.casefold() else f"{title}: {text}"


_EXAMPLES_PER_KIND = 5
_EXAMPLE_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class ForeignImportReport:
    """Result of importing a file of another system.

    `counts`: by kind, how many were added, existed (same) or stay forgotten; `skipped`: counts by reason;
    `unplaced`: of those, how many had no place here, so that their words are kept in a note with the category
    `unplaced`; `examples`: the first added records (kind, where, text); `left_out`: the first skipped ones
    (reason, where).
    """

    path: str
    format: str
    dry_run: bool
    counts: dict[str, dict[str, int]]
    skipped: dict[str, int]
    examples: tuple[tuple[str, str, str], ...]
    left_out: tuple[tuple[str, str], ...]
    unplaced: dict[str, int] = field(default_factory=dict)

    def total(self, outcome: str) -> int:
        return sum(each.get(outcome, 0) for each in self.counts.values())


@dataclass(slots=True)
class ImportTally:
    """Collects the counts and examples of a ForeignImportReport."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    examples: list[tuple[str, str, str]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    unplaced: dict[str, int] = field(default_factory=dict)

    def count(self, kind: str, outcome: str, where: str, text: str) -> None:
        held = self.counts.setdefault(kind, {})
        held[outcome] = held.get(outcome, 0) + 1
        if outcome == "added" and sum(each[0] == kind for each in self.examples) < _EXAMPLES_PER_KIND:
            flat = " ".join(text.split())
            self.examples.append(
                (kind, where, flat if len(flat) <= _EXAMPLE_CHARACTERS else flat[: _EXAMPLE_CHARACTERS - 1] + "…")
            )

    def skip(self, reason: str, where: str, count: int = 1) -> None:
        self.skipped[reason] = self.skipped.get(reason, 0) + count
        if sum(each[0] == reason for each in self.left_out) < _EXAMPLES_PER_KIND:
            self.left_out.append((reason, where))

    def report(self, path: str, format: str, dry_run: bool) -> ForeignImportReport:
        return ForeignImportReport(
            path, format, dry_run, self.counts, self.skipped, tuple(self.examples), tuple(self.left_out), self.unplaced
        )
