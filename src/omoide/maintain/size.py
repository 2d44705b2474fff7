"""Whether the file has outgrown its limit: pruning begins then, and compression may begin earlier."""

from __future__ import annotations

from omoide.config import Settings
from omoide.store import Store

_MB = 1_000_000


def limit(settings: Settings) -> int:
    """Bytes; 0 is no limit."""
    return settings.max_size * _MB


def is_tight(store: Store, settings: Settings) -> bool:
    """Whether what the file holds, its empty pages left out, is more than it may hold."""
    return bool(settings.max_size) and store.space().used > limit(settings)
