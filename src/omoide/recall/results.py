"""What recall returns: `Hit` and `Recall`; and a cache of recent results."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from shutil import get_terminal_size

from omoide.domain import Node
from omoide.language.text import shorten
from omoide.recall.question import NoEmbedding, Query, RecallQuestion
from omoide.recall.trace import RecallTrace, TraceStep

_MAX_PRINTED = 18  # hits; with the title and the last line they fit a screen


@dataclass(frozen=True, slots=True, repr=False)
class Hit:
    """A recalled memory, its score and the reason in words."""

    node: Node
    score: float
    why: str
    arms: tuple[str, ...]
    confidence: float = 1.0  # effective confidence at the time of asking
    probability: float | None = None  # of being relevant; None if it was not judged

    @property
    def id(self) -> int:
        return self.node.id

    @property
    def kind(self) -> str:
        return self.node.kind

    @property
    def text(self) -> str:
        return self.node.text

    @property
    def archived(self) -> bool:
        """Whether it is archived or expired, and was found because the archive was searched."""
        return self.node.state in ("archived", "expired")

    def __repr__(self) -> str:
        return f"Hit({self.id}, {self.kind}, {self.score:.3g}, {shorten(' '.join(self.text.split()), 60)!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Recall:
    """The result of a recall: hits, best first, possibly none. `print(recall)` shows one line for each hit."""

    query: Query  # the question as it was understood
    hits: tuple[Hit, ...]
    trace: RecallTrace
    probability: float | None = None  # that the best hit is relevant; if it is low, there are no hits

    @property
    def question(self) -> str:
        return self.query.question.text

    @property
    def texts(self) -> list[str]:
        return [hit.text for hit in self.hits]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __repr__(self) -> str:
        return f"Recall({shorten(self.question, 60)!r}, {len(self)} hits)"

    def __str__(self) -> str:
        width = max(40, get_terminal_size((100, 24)).columns)
        count = {0: "no hits", 1: "1 hit"}.get(len(self), f"{len(self)} hits")
        lines = [f"{count} for {self.question!r}"]
        lines += [f"[id:{hit.id}] {hit.kind} {hit.score:.2f}  {hit.text}" for hit in self.hits[:_MAX_PRINTED]]
        if len(self) > _MAX_PRINTED:
            lines.append(f"… and {len(self) - _MAX_PRINTED} more")
        return "\n".join(shorten(" ".join(line.split()), width) for line in lines)


# ── cache ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_MAX_CACHED = 100
_LIFETIME = timedelta(seconds=60)  # scores that depend on the time of asking hardly change within it


@dataclass(frozen=True, slots=True)
class _Cached:
    found: Recall
    state: Hashable
    since: datetime
    until: datetime


class RecallCache:
    """The most recently used results. Thread-safe.

    A result is stored with the state of the file it was read from. Any write, also by another process, changes that
    state, so a cached result is never older than the file.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: OrderedDict[Hashable, _Cached] = OrderedDict()

    def __len__(self) -> int:
        return len(self._cached)

    def get(self, question: RecallQuestion, state: Hashable) -> Recall | None:
        """The cached result, if nothing was written since and it is still valid at the time of asking."""
        key = _cache_key(question)
        with self._lock:
            cached = self._cached.get(key)
            if cached is None or cached.state != state or not cached.since <= question.at <= cached.until:
                self._cached.pop(key, None)  # its texts may have been erased by another process
                return None
            self._cached.move_to_end(key)
        age = (question.at - cached.since).total_seconds()
        trace = cached.found.trace.copy()
        trace.steps.append(TraceStep("cache", f"answered {age:.0f} s ago, nothing was written since", 0.0))
        return replace(cached.found, trace=trace)

    def put(self, question: RecallQuestion, found: Recall, state: Hashable, next_end: datetime | None) -> None:
        """Store a result for a minute, or until `next_end`, when the next fact ends.

        A question that names a time ("five minutes ago") is valid only for the same moment of asking. A result
        without an embedding because the embedder failed is not stored.
        """
        if isinstance(found.query.embedding, NoEmbedding) and found.query.embedding.failed:
            return
        until = question.at if found.query.when is not None else question.at + _LIFETIME
        if next_end is not None:
            until = min(until, max(question.at, next_end - timedelta(microseconds=1)))
        key, own = _cache_key(question), replace(found, trace=found.trace.copy())  # the caller may extend its trace
        with self._lock:
            self._cached[key] = _Cached(own, state, question.at, until)
            self._cached.move_to_end(key)
            while len(self._cached) > _MAX_CACHED:
                self._cached.popitem(last=False)


def _cache_key(question: RecallQuestion) -> Hashable:
    """Everything except the time of asking (`valid_at` follows it)."""
    filter = replace(question.filter, valid_at=None)
    return question.text, question.limit, filter, question.recipe, question.at.tzinfo
