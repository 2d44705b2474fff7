"""Consent to show sensitive memories: for one session, with a reason, until a time."""

from __future__ import annotations

from omoide.clock import to_datetime
from omoide.domain.consent import Consent
from omoide.errors import InvalidInput, NotFound
from omoide.store.engine.connection import Connection
from omoide.store.engine.file import Table, reads, writes

_IN_FORCE = "revoked_at IS NULL AND expires_at > :now"


def grant(db: Connection, session: str, reason: str, until: int) -> Consent:
    db.execute(
        "INSERT INTO consent (session, reason, granted_at, expires_at) VALUES (?, ?, ?, ?)",
        (session, reason, db.now, until),
    )
    return _select(db, "id = :id", {"id": db.last_insert_rowid()})[0]


def revoke(db: Connection, session: str) -> list[Consent]:
    """Ends every consent for a session. Raises NotFound if none is in force."""
    values = {"session": session, "now": db.now}
    ids = db.column(f"SELECT id FROM consent WHERE session = :session AND {_IN_FORCE}", values)
    if not ids:
        raise NotFound(f"no consent is in force for the session {session!r}")
    db.execute(f"UPDATE consent SET revoked_at = :now WHERE session = :session AND {_IN_FORCE}", values)
    return [each for id in ids for each in _select(db, "id = :id", {"id": id})]


def is_granted(db: Connection, session: str) -> bool:
    found = db.execute(
        f"SELECT EXISTS (SELECT 1 FROM consent WHERE session = :session AND {_IN_FORCE})",
        {"session": session, "now": db.now},
    )
    return bool(found.get)


def use(db: Connection, session: str) -> None:
    """Raises InvalidInput if no consent for the session is in force."""
    if not is_granted(db, session):
        raise InvalidInput(
            f"no consent is in force for the session {session!r}; the user grants it with trust.grant_consent"
        )


def list_consents(db: Connection, limit: int) -> list[Consent]:
    """What was granted, the latest first, also what ended since."""
    return _select(db, "TRUE", {}, limit)


def _select(db: Connection, where: str, values: dict[str, object], limit: int = 1) -> list[Consent]:
    found = db.execute(
        f"""
        SELECT id, session, reason, granted_at, expires_at, revoked_at
        FROM consent
        WHERE {where}
        ORDER BY id DESC
        LIMIT :limit
        """,
        values | {"limit": limit},
    )
    return [
        Consent(
            id=id,
            session=session,
            reason=reason,
            granted_at=to_datetime(granted),
            expires_at=to_datetime(expires),
            revoked_at=None if revoked is None else to_datetime(revoked),
        )
        for id, session, reason, granted, expires, revoked in found
    ]


class ConsentTable(Table):
    list_consents = reads(list_consents)
    is_granted = reads(is_granted)
    use = reads(use)
    grant = writes(grant)
    revoke = writes(revoke)
