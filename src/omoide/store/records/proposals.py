"""Proposed changes, consents, and the audit as it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omoide.domain.trust import ChangeVerb, Consent, ProposedChange
from omoide.errors import Conflict, NotAllowed, NotFound
from omoide.store.engine import writer
from omoide.store.engine.connection import Connection
from omoide.store.engine.file import Table, reads, writes
from omoide.store.records import nodes, rows

_SELECT = """
    SELECT id, node_id, verb, text, attributes, since, origin, at, outcome, decided_at
    FROM proposal
"""


def propose(
    db: Connection,
    node: int,
    verb: ChangeVerb,
    text: str | None,
    attributes: Mapping[str, Any],
    origin: str,
    since: int | None = None,
) -> int:
    """Stores a proposal and returns its id. The same one that is still open is stored once."""
    values = {"node_id": node, "verb": verb, "text": text, "attributes": rows.to_json(dict(attributes))}
    known = db.execute(
        """
        SELECT id
        FROM proposal
        WHERE node_id = :node_id AND verb = :verb AND text IS :text AND attributes = :attributes AND outcome = 'open'
        """,
        values,
    ).get
    return db.insert("proposal", **values, since=since, origin=origin, at=db.now) if known is None else int(known)


def was_proposed(db: Connection, node: int, text: str) -> bool:
    """Whether a text was proposed for a node before, whatever was decided."""
    return db.execute("SELECT 1 FROM proposal WHERE node_id = ? AND text = ?", (node, text)).get is not None


def open_proposals(db: Connection, limit: int) -> list[ProposedChange]:
    """What waits for the user, the latest first."""
    found = db.execute(f"{_SELECT} WHERE outcome = 'open' ORDER BY id DESC LIMIT ?", (limit,))
    return _read(db, list(found))


def require_open(db: Connection, id: int) -> ProposedChange:
    """A proposal that waits. Raises NotFound, and InvalidInput if it is decided."""
    found = _read(db, list(db.execute(f"{_SELECT} WHERE id = ?", (id,))))
    if not found:
        raise NotFound(f"there is no proposal {id}")
    if found[0].outcome != "open":
        raise Conflict(f"proposal {id} is already {found[0].outcome}")
    return found[0]


def decide(db: Connection, id: int, outcome: str) -> ProposedChange:
    """Notes what the user decided."""
    require_open(db, id)
    db.update("proposal", id, {"outcome": outcome, "decided_at": db.now})
    return _read(db, list(db.execute(f"{_SELECT} WHERE id = ?", (id,))))[0]


def _read(db: Connection, found: list[Any]) -> list[ProposedChange]:
    held = nodes.fetch(db, [row[1] for row in found])
    return [rows.record(ProposedChange, (id, held[node], *rest)) for id, node, *rest in found if node in held]


class ProposalTable(Table):
    open_proposals = reads(open_proposals)
    require_open = reads(require_open)
    propose = writes(propose)
    decide = writes(decide)


# Consent to show sensitive memories: for one session, with a reason, until a time.


_IN_FORCE = "revoked_at IS NULL AND expires_at > :now"


def grant(db: Connection, session: str, reason: str, until: int) -> Consent:
    id = db.insert("consent", session=session, reason=reason, granted_at=db.now, expires_at=until)
    return _select(db, "id = :id", {"id": id})[0]


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
        raise NotAllowed(
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
    return [rows.record(Consent, row) for row in found]


class ConsentTable(Table):
    list_consents = reads(list_consents)
    is_granted = reads(is_granted)
    use = reads(use)
    grant = writes(grant)
    revoke = writes(revoke)


# Reading the audit.


class AuditTable(Table):
    latest = reads(writer.latest)
