"""Times that a text speaks of, which is not when it was said: "the dentist is on the 26th"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from omoide.clock import to_micros
from omoide.language.date_words import may_have_date


@dataclass(frozen=True, slots=True, order=True)
class MentionedTime:
    """From `begins` up to `ends`, in microseconds; `words` is the phrase that names it."""

    begins: int
    ends: int
    words: str

    def overlaps(self, other: MentionedTime) -> bool:
        return self.begins < other.ends and other.begins < self.ends


def mentioned_times(text: Any, at: datetime) -> tuple[MentionedTime, ...]:
    """Return the days and longer times that a statement speaks of, seen from when and where it was said."""
    if not isinstance(text, str) or not may_have_date(text):
        return ()
    from omoide.language.time.mentioned import dates_in_statement, is_time_of_speaking

    found = (
        MentionedTime(to_micros(clue.span.start), to_micros(clue.span.end), clue.phrase.text.rstrip(" .,;"))
        for clue in dates_in_statement(text, at)
        if not is_time_of_speaking(clue, at)
    )
    return tuple({(each.begins, each.ends): each for each in found}.values())
