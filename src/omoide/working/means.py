"""What a live session works with: all of it is handed in, so that this room reaches into no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from omoide.layers import Node, Session
from omoide.layers.episodic import Retention
from omoide.recall.hit import Recall
from omoide.store import Filter, Store
from omoide.working.compact import Summarise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Ask(Protocol):
    """Recall, as the blackboard asks it."""

    def __call__(self, text: str, at: datetime, keep: Filter, recipe: str, limit: int) -> Recall: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a live session works with; all of it is handed in."""

    store: Store
    observe: Callable[..., Node]
    update: Callable[..., Node]
    end: Callable[..., Session]
    ask: Ask
    embed: Callable[[Sequence[str]], NDArray[np.float32] | None]
    named: Callable[[str], tuple[int, ...]]
    moment: Callable[[datetime | str | None], datetime]
    count: Callable[[str], int]
    summarise: Summarise
    narrate: Callable[[str], object]
    retention: Retention
    response: int | None = None
