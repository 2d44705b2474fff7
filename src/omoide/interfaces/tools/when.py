"""Times as agents write them: Yodoca's words and plain dates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from omoide.clock import system_clock, to_datetime
from omoide.errors import InvalidInput

_BACK = {"today": 0, "yesterday": 1, "last_week": 7, "last_month": 30, "last_year": 365}


def instant(text: str | None, field: str, now: datetime | None = None) -> datetime | None:
    """`last_week`, `last_month`, `YYYY-MM-DD` or a whole ISO time; a date begins at its midnight, UTC."""
    if text is None:
        return None
    now = now or to_datetime(system_clock())
    word = text.strip().lower().replace(" ", "_").replace("-", "_")
    if word in _BACK:
        back = now - timedelta(days=_BACK[word])
        return back if _BACK[word] > 1 else back.replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidInput(f"{field}: expected {', '.join(_BACK)}, YYYY-MM-DD or an ISO time, got {text!r}") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
