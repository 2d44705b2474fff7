"""Answers that still hold: the same question, the same store, the same minute.

An answer is kept under everything that it depends on, and with the state of the file that it was read from. A write of
any process, also the flush of access counts, changes that state; so a cached answer is never older than the file.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from omoide.recall.hit import Recall
from omoide.recall.meaning import Unread
from omoide.recall.question import Question
from omoide.recall.trace import Step

_MOST = 100  # Kira-R
_MINUTE = timedelta(seconds=60)  # Kira-R; what depends on the time of asking hardly moves in it


@dataclass(frozen=True, slots=True)
class _Kept:
    found: Recall
    state: Hashable
    since: datetime
    until: datetime


class Answers:
    """The latest answers, the least used forgotten first. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, question: Question, state: Hashable) -> Recall | None:
        """The answer of before, if nothing was written since and it still holds at the time of asking."""
        with self._lock:
            kept = self._kept.get(_key(question))
            if kept is None or kept.state != state or not kept.since <= question.at <= kept.until:
                self._kept.pop(_key(question), None)  # its words may have been forgotten by another process
                return None
            self._kept.move_to_end(_key(question))
        age = (question.at - kept.since).total_seconds()
        trace = kept.found.trace.copy()
        trace.steps.append(Step("cache", f"answered {age:.0f} s ago, nothing was written since", 0.0))
        return replace(kept.found, trace=trace)

    def keep(self, question: Question, found: Recall, state: Hashable, next_end: datetime | None) -> None:
        """Keeps an answer for a minute, or until `next_end`, when something stops being true.

        "Five minutes ago" moves with the clock: a question that speaks of a time is answered anew unless it is asked
        of the very same moment.
        """
        if isinstance(found.query.meaning, Unread) and found.query.meaning.failed:
            return  # answered without a meaning, since the embedder failed: it shall be asked again
        until = question.at if found.query.when is not None else question.at + _MINUTE
        if next_end is not None:
            until = min(until, max(question.at, next_end - timedelta(microseconds=1)))
        with self._lock:
            mine = replace(found, trace=found.trace.copy())  # whoever asked may go on writing into theirs
            self._kept[_key(question)] = _Kept(mine, state, question.at, until)
            self._kept.move_to_end(_key(question))
            while len(self._kept) > _MOST:
                self._kept.popitem(last=False)


def _key(question: Question) -> Hashable:
    """Everything but the moment of asking, which may move a little: that of `keep` moves with it."""
    keep = replace(question.keep, valid_at=None)
    return question.text, question.limit, keep, question.recipe, question.at.tzinfo
