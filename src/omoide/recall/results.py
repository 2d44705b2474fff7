"""What recall hands back: hits with their reasons, best first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from omoide.domain import Node
from omoide.recall.question import NoEmbedding, Query, RecallQuestion
from omoide.recall.trace import RecallTrace, TraceStep


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory that matters here, and why."""

    node: Node
    score: float
    why: str
    arms: tuple[str, ...]
    confidence: float = 1.0  # what is left of it at the time of asking
    probability: float | None = None  # that it is about what was asked, by its own words; None where it was not judged

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
        """Whether it is out of use and was found since the archive was asked for."""
        return self.node.state in ("archived", "expired")


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a question. An empty one is an answer too."""

    query: Query  # the question as it was understood
    hits: tuple[Hit, ...]
    trace: RecallTrace
    probability: float | None = None  # that the best found is about what was asked; low, and there are no hits

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


# Answers that still hold: the same question, the same store, the same minute.
#
# An answer is kept under everything that it depends on, and with the state of the file that it was read from. A write of
# any process, also the flush of access counts, changes that state; so a cached answer is never older than the file.


_MAX_CACHED = 100  # Kira-R
_LIFETIME = timedelta(seconds=60)  # Kira-R; what depends on the time of asking hardly moves in it


@dataclass(frozen=True, slots=True)
class _Cached:
    found: Recall
    state: Hashable
    since: datetime
    until: datetime


class RecallCache:
    """The latest answers, the least used forgotten first. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, _Cached] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, question: RecallQuestion, state: Hashable) -> Recall | None:
        """The answer of before, if nothing was written since and it still holds at the time of asking."""
        with self._lock:
            kept = self._kept.get(_cache_key(question))
            if kept is None or kept.state != state or not kept.since <= question.at <= kept.until:
                self._kept.pop(_cache_key(question), None)  # its words may have been forgotten by another process
                return None
            self._kept.move_to_end(_cache_key(question))
        age = (question.at - kept.since).total_seconds()
        trace = kept.found.trace.copy()
        trace.steps.append(TraceStep("cache", f"answered {age:.0f} s ago, nothing was written since", 0.0))
        return replace(kept.found, trace=trace)

    def keep(self, question: RecallQuestion, found: Recall, state: Hashable, next_end: datetime | None) -> None:
        """Keeps an answer for a minute, or until `next_end`, when something stops being true.

        "Five minutes ago" moves with the clock: a question that speaks of a time is answered anew unless it is asked
        of the very same moment.
        """
        if isinstance(found.query.meaning, NoEmbedding) and found.query.meaning.failed:
            return  # answered without a meaning, since the embedder failed: it shall be asked again
        until = question.at if found.query.when is not None else question.at + _LIFETIME
        if next_end is not None:
            until = min(until, max(question.at, next_end - timedelta(microseconds=1)))
        with self._lock:
            mine = replace(found, trace=found.trace.copy())  # whoever asked may go on writing into theirs
            self._kept[_cache_key(question)] = _Cached(mine, state, question.at, until)
            self._kept.move_to_end(_cache_key(question))
            while len(self._kept) > _MAX_CACHED:
                self._kept.popitem(last=False)


def _cache_key(question: RecallQuestion) -> Hashable:
    """Everything but the moment of asking, which may move a little: that of `keep` moves with it."""
    keep = replace(question.keep, valid_at=None)
    return question.text, question.limit, keep, question.recipe, question.at.tzinfo
