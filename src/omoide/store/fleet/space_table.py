"""Spaces and tokens of a fleet, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import errors

from omoide.errors import InvalidInput, NotFound
from omoide.store.fleet.database import FleetDatabase
from omoide.store.fleet.replication import delete_rows

_TOKEN = 'id, space, "right", created, expires, note, hash'


def list_spaces(database: FleetDatabase) -> list[tuple[str, str, int, int]]:
    """(name, created, bytes, number of tokens) of every space, by name."""
    with database.connection() as db:
        return db.execute(
            """
            SELECT
                name,
                to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'),
                bytes,
                (SELECT count(*) FROM omoide.token WHERE token.space = space.name)
            FROM omoide.space
            ORDER BY name
            """
        ).fetchall()


def usage(database: FleetDatabase) -> list[tuple[str, int, int, int, int]]:
    """(name, memories, sessions, bytes, number of tokens) of every space, by name."""
    with database.connection() as db:
        return db.execute(
            """
            SELECT
                name, memories, sessions, bytes,
                (SELECT count(*) FROM omoide.token WHERE token.space = spaces_overview.name)
            FROM omoide.spaces_overview
            ORDER BY name
            """
        ).fetchall()


def create_space(database: FleetDatabase, name: str, uid: str) -> None:
    try:
        with database.raw_connection() as db:
            db.execute("INSERT INTO omoide.space (name, uid) VALUES (%s, %s)", (name, uid))
    except errors.UniqueViolation as error:
        raise InvalidInput(f"there is a space {name} already; choose another name, or delete it first") from error


def delete_space(database: FleetDatabase, name: str) -> None:
    """Deletes a space, its tokens and its rows in one transaction. Its holder is refused from then on."""
    with database.connection() as db:
        if not db.execute("DELETE FROM omoide.space WHERE name = %s", (name,)).rowcount:
            raise NotFound(f"there is no space {name} in this fleet; `omoide fleet status` lists all")
        delete_rows(db, database, name)


def space_uid(database: FleetDatabase, name: str) -> str:
    with database.connection() as db:
        found = db.execute("SELECT uid FROM omoide.space WHERE name = %s", (name,)).fetchone()
    if found is None:
        raise NotFound(f"there is no space {name} in this fleet; `omoide fleet status` lists all")
    return str(found[0])


def has_memories(database: FleetDatabase, name: str) -> bool:
    with database.connection() as db:
        return db.execute("SELECT EXISTS (SELECT 1 FROM omoide.node WHERE space = %s)", (name,)).fetchone() == (True,)


def all_uids(database: FleetDatabase) -> set[str]:
    with database.connection() as db:
        return {str(row[0]) for row in db.execute("SELECT uid FROM omoide.space")}


def list_tokens(database: FleetDatabase, space: str | None) -> list[tuple[Any, ...]]:
    with database.connection() as db:
        return db.execute(
            f"SELECT {_TOKEN} FROM omoide.token WHERE %s::text IS NULL OR space = %s ORDER BY created, id",
            (space, space),
        ).fetchall()


def find_token(database: FleetDatabase, id: str) -> tuple[Any, ...] | None:
    """The row of a token and the uid of its space."""
    with database.connection() as db:
        return db.execute(
            """
            SELECT token.id, space, "right", created, expires, note, hash, space.uid
            FROM omoide.token
            LEFT JOIN omoide.space ON space.name = token.space
            WHERE token.id = %s
            """,
            (id,),
        ).fetchone()


def insert_token(database: FleetDatabase, row: Sequence[Any], replaces: str | None = None) -> None:
    """Stores a token; with `replaces`, in the same transaction as another one is deleted."""
    try:
        with database.raw_connection() as db, db.transaction():
            if replaces is not None:
                db.execute("DELETE FROM omoide.token WHERE id = %s", (replaces,))
            db.execute(f"INSERT INTO omoide.token ({_TOKEN}) VALUES (%s, %s, %s, %s, %s, %s, %s)", row)
    except errors.ForeignKeyViolation as error:
        raise NotFound(f"there is no space {row[1]} in this fleet; `omoide fleet status` lists all") from error


def delete_token(database: FleetDatabase, id: str) -> tuple[Any, ...]:
    with database.connection() as db:
        found = db.execute(f"DELETE FROM omoide.token WHERE id = %s RETURNING {_TOKEN}", (id,)).fetchone()
    if found is None:
        raise NotFound(f"there is no token {id}; `omoide spaces tokens` shows all")
    return found
