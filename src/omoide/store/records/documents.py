"""Documents: notes in a collection, found by name."""

from __future__ import annotations

from omoide.domain import Node
from omoide.store.engine.connection import Connection
from omoide.store.erasure import tombstones
from omoide.store.records import nodes


def find_document(db: Connection, collection: str, name: str, key: bytes) -> Node | None:
    """The document of a name, in any state.

    A document written again after an erasure has no key, because its first key is known as erased: it is found by its
    attributes. Only files in which something was erased need that lookup."""
    found = db.execute("SELECT id FROM node WHERE key = ? AND key IS NOT NULL", (key,)).get
    if found is None and tombstones.any_tombstones(db):
        found = db.execute(
            """
            SELECT id
            FROM node
            WHERE
                kind = 'note'
                AND kind <> 'episode'
                AND attributes ->> 'category' = :collection
                AND attributes ->> 'title' = :name
            ORDER BY state = 'live' DESC, id DESC
            LIMIT 1
            """,
            {"collection": collection, "name": name},
        ).get
    return None if found is None else nodes.require(db, found)


def list_documents(db: Connection, collection: str) -> list[int]:
    """The documents of a collection, newest first."""
    found = db.execute(
        """
        SELECT id
        FROM node
        WHERE
            kind = 'note'
            AND kind <> 'episode'
            AND state = 'live'
            AND attributes ->> 'category' = :collection
            AND attributes ->> 'title' IS NOT NULL
        ORDER BY updated_at DESC, id DESC
        """,
        {"collection": collection},
    )
    return [row[0] for row in found]


def fetch_documents(db: Connection, collection: str) -> list[Node]:
    """The documents of a collection, the latest first."""
    return nodes.fetch_in_order(db, list_documents(db, collection))
