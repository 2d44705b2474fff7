"""The user's consent to show sensitive memories in a session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """It holds for one session, from when it was granted until it expires or is revoked."""

    id: int
    session: str
    reason: str
    granted_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
