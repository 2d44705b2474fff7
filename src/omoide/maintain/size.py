"""Whether the file has outgrown its limit: pruning begins then, and compression may begin earlier."""

from __future__ import annotations

from omoide.config import Settings
from omoide.store import Store

_MB = 1_000_000


def limit(settings: Settings) -> int:
    """Bytes; 0 is no limit."""
    return settings.max_size * _MB


def is_tight(store: Store, settings: Settings) -> bool:
    """Whether what is in use is more than the file may hold. Its empty pages do not count, nor does the archive:
    what has been moved there would go on counting, and each night would take more."""
    most = limit(settings)
    return bool(most) and store.held() > most and store.space().in_use > most
