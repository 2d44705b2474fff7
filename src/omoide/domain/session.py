"""A conversation session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

LearningState = Literal["open", "pending", "learned"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Session:
    """A session; `learning` says whether it is still open, pending for learning, or learned."""

    id: int
    name: str
    channel: str | None
    user: str | None
    started_at: datetime
    last_at: datetime
    ended_at: datetime | None
    summary: str | None
    episode_count: int
    learning: LearningState
    learned_at: datetime | None
    learn_error: str | None

    def __repr__(self) -> str:
        return f"Session({self.name!r}, {self.episode_count} episodes, {self.learning})"

    @property
    def is_open(self) -> bool:
        return self.ended_at is None
