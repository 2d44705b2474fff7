"""Proposals: changes of the user's words that an agent asked for. They wait until the user decides."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from omoide.clock import to_datetime
from omoide.domain.proposed_change import ChangeVerb, ProposedChange
from omoide.errors import InvalidInput, NotFound
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
    values = {
        "node": node,
        "verb": verb,
        "text": text,
        "attributes": rows.to_json(dict(attributes)),
        "since": since,
        "origin": origin,
        "at": db.now,
    }
    known = db.execute(
        """
        SELECT id
        FROM proposal
        WHERE node_id = :node AND verb = :verb AND text IS :text AND attributes = :attributes AND outcome = 'open'
        """,
        values,
    ).get
    if known is not None:
        return int(known)
    db.execute(
        """
        INSERT INTO proposal (node_id, verb, text, attributes, since, origin, at)
        VALUES (:node, :verb, :text, :attributes, :since, :origin, :at)
        """,
        values,
    )
    return db.last_insert_rowid()


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
        raise InvalidInput(f"proposal {id} is already {found[0].outcome}")
    return found[0]


def decide(db: Connection, id: int, outcome: str) -> ProposedChange:
    """Notes what the user decided."""
    require_open(db, id)
    db.execute("UPDATE proposal SET outcome = ?, decided_at = ? WHERE id = ?", (outcome, db.now, id))
    return _read(db, list(db.execute(f"{_SELECT} WHERE id = ?", (id,))))[0]


def _read(db: Connection, found: list[Any]) -> list[ProposedChange]:
    held = nodes.fetch(db, [row[1] for row in found])
    return [
        ProposedChange(
            id=id,
            node=held[node],
            verb=verb,
            text=text,
            attributes=json.loads(attributes),
            since=None if since is None else to_datetime(since),
            origin=origin,
            at=to_datetime(at),
            outcome=outcome,
            decided_at=None if decided is None else to_datetime(decided),
        )
        for id, node, verb, text, attributes, since, origin, at, outcome, decided in found
        if node in held
    ]


class ProposalTable(Table):
    open_proposals = reads(open_proposals)
    require_open = reads(require_open)
    propose = writes(propose)
    decide = writes(decide)
