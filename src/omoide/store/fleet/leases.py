"""Who writes which space: leases by the clock of the database, the servers of the fleet, its spaces and tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import errors

from omoide.errors import Conflict, NewerFile, NotFound
from omoide.store.engine import migrate
from omoide.store.fleet.database import FleetDatabase
from omoide.store.fleet.replication import Lease, delete_rows


@dataclass(frozen=True, slots=True)
class Holder:
    """The server that has a space."""

    server: str
    address: str
    seconds_left: float


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """A server of the fleet. `alive`: it was heard of within the time of a lease."""

    id: str
    address: str
    started_at: datetime
    seen_at: datetime
    draining: bool
    alive: bool
    spaces: int


@dataclass(frozen=True, slots=True)
class SpaceStatus:
    """A space: who holds it, its last transaction, and when it was written."""

    name: str
    holder: str | None
    epoch: int
    sequence: int
    written_at: datetime | None
    bytes: int


class LeaseTable:
    """Takes, renews and gives back leases for one server."""

    def __init__(self, database: FleetDatabase, server: str, address: str, seconds: float) -> None:
        self._database = database
        self.server = server
        self.address = address
        self.seconds = seconds

    def join(self) -> None:
        """Makes the server known."""
        with self._database.connection() as db:
            db.execute(
                """
                INSERT INTO omoide.server (id, address)
                VALUES (%s, %s)
                ON CONFLICT (id) DO UPDATE SET address = excluded.address, seen_at = clock_timestamp(), draining = false
                """,
                (self.server, self.address),
            )
            db.execute("DELETE FROM omoide.server WHERE seen_at < clock_timestamp() - interval '1 day'")

    def leave(self) -> None:
        """Gives back everything, in one go."""
        with self._database.connection() as db:
            db.execute(
                """
                UPDATE omoide.space
                SET holder = NULL, address = NULL, expires_at = clock_timestamp()
                WHERE holder = %s
                """,
                (self.server,),
            )
            db.execute("DELETE FROM omoide.server WHERE id = %s", (self.server,))

    def take(self, space: str) -> Lease | Holder:
        """Takes a space that nobody holds; otherwise returns who does. Taking it raises the epoch."""
        with self._database.connection() as db:
            found = db.execute(
                """
                UPDATE omoide.space
                SET
                    holder = %(server)s,
                    address = %(address)s,
                    epoch = epoch + 1,
                    expires_at = clock_timestamp() + make_interval(secs => %(seconds)s),
                    preferred = NULL
                WHERE
                    name = %(space)s AND schema <= %(schema)s
                    AND (holder IS NULL OR holder = %(server)s OR expires_at < clock_timestamp())
                    AND (
                        preferred IS NULL OR preferred = %(server)s
                        OR NOT EXISTS (
                            SELECT 1
                            FROM omoide.server
                            WHERE
                                id = space.preferred AND NOT draining
                                AND seen_at > clock_timestamp() - make_interval(secs => %(seconds)s)
                        )
                    )
                RETURNING uid, epoch, sequence
                """,
                {
                    "server": self.server,
                    "address": self.address,
                    "seconds": self.seconds,
                    "schema": migrate.latest_version(),
                    "space": space,
                },
            ).fetchone()
            if found is not None:
                return Lease(space, found[0], found[1], found[2])
            return self._holder(db, space)

    def holder(self, space: str) -> Holder:
        """Who has a space, or should take it. Raises NotFound."""
        with self._database.connection() as db:
            return self._holder(db, space)

    def _holder(self, db: Any, space: str) -> Holder:
        found = db.execute(
            """
            SELECT
                coalesce(space.holder, server.id, ''),
                coalesce(space.address, server.address, ''),
                coalesce(extract(epoch FROM expires_at - clock_timestamp()), 0),
                space.schema
            FROM omoide.space
            LEFT JOIN omoide.server ON server.id = space.preferred
            WHERE name = %s
            """,
            (space,),
        ).fetchone()
        if found is None:
            raise NotFound(f"there is no space {space} in this fleet; `omoide fleet status` lists all")
        if found[3] > migrate.latest_version():
            raise NewerFile(f"the space {space} has format {found[3]} of a newer server; upgrade this server")
        return Holder(found[0], found[1], max(0.0, float(found[2])))

    def give_back(self, leases: Sequence[Lease]) -> None:
        """Lets others take spaces at once. What was lost meanwhile stays with its new holder."""
        with self._database.connection() as db:
            for lease in leases:
                db.execute(
                    """
                    UPDATE omoide.space
                    SET holder = NULL, address = NULL, expires_at = clock_timestamp()
                    WHERE name = %s AND uid = %s AND epoch = %s AND holder = %s
                    """,
                    (lease.space, lease.uid, lease.epoch, self.server),
                )

    def renew(self, leases: Sequence[Lease], sizes: dict[str, int]) -> tuple[set[str], set[str], bool]:
        """Renews leases and reports that the server is alive.

        Returns:
            The spaces that are still held, those that another server should have, and whether this one is to drain.
        """
        with self._database.connection() as db:
            draining = db.execute(
                "UPDATE omoide.server SET seen_at = clock_timestamp() WHERE id = %s RETURNING draining", (self.server,)
            ).fetchone()
            rows = db.execute(
                """
                UPDATE omoide.space
                SET
                    expires_at = clock_timestamp() + make_interval(secs => %s),
                    bytes = coalesce(held.bytes, space.bytes)
                FROM unnest(%s::text[], %s::bigint[], %s::bigint[]) AS held (name, epoch, bytes)
                WHERE space.name = held.name AND space.epoch = held.epoch AND space.holder = %s
                RETURNING space.name, space.preferred
                """,
                (
                    self.seconds,
                    [each.space for each in leases],
                    [each.epoch for each in leases],
                    [sizes.get(each.space) for each in leases],
                    self.server,
                ),
            ).fetchall()
        kept = {row[0] for row in rows}
        leaving = {row[0] for row in rows if row[1] not in (None, self.server)}
        return kept, leaving, draining is not None and bool(draining[0])

    def due_for_maintenance(self, hours: float) -> str | None:
        """A space that nobody else holds and whose maintenance is due; it counts as done for `hours` from now."""
        with self._database.connection() as db:
            found = db.execute(
                """
                UPDATE omoide.space
                SET maintenance_at = clock_timestamp() + make_interval(secs => %s * 3600)
                WHERE
                    name = (
                        SELECT name
                        FROM omoide.space
                        WHERE
                            maintenance_at <= clock_timestamp() AND written_at IS NOT NULL
                            AND (holder = %s OR holder IS NULL OR expires_at < clock_timestamp())
                        ORDER BY maintenance_at
                        LIMIT 1
                        FOR UPDATE SKIP LOCKED
                    )
                RETURNING name
                """,
                (hours, self.server),
            ).fetchone()
        return None if found is None else str(found[0])


def sequences(database: FleetDatabase, spaces: Sequence[str]) -> dict[str, int]:
    """The last transaction of each of these spaces."""
    with database.connection() as db:
        return dict(db.execute("SELECT name, sequence FROM omoide.space WHERE name = ANY(%s)", (list(spaces),)))


def ping(database: FleetDatabase) -> None:
    with database.connection() as db:
        db.execute("SELECT 1")


# For operators.


def list_servers(database: FleetDatabase, lease_seconds: float) -> list[ServerInfo]:
    with database.connection() as db:
        rows = db.execute(
            """
            SELECT
                id, address, started_at, seen_at, draining,
                seen_at > clock_timestamp() - make_interval(secs => %s),
                (SELECT count(*) FROM omoide.space WHERE holder = server.id AND expires_at > clock_timestamp())
            FROM omoide.server
            ORDER BY started_at, id
            """,
            (lease_seconds,),
        ).fetchall()
    return [ServerInfo(*row) for row in rows]


def list_spaces(database: FleetDatabase) -> list[SpaceStatus]:
    with database.connection() as db:
        rows = db.execute(
            """
            SELECT
                name, CASE WHEN expires_at > clock_timestamp() THEN holder END, epoch, sequence, written_at, bytes
            FROM omoide.space
            ORDER BY name
            """
        ).fetchall()
    return [SpaceStatus(*row) for row in rows]


def drain(database: FleetDatabase, server: str) -> None:
    """Asks a server to give back everything and to take nothing more. Raises NotFound."""
    with database.connection() as db:
        if not db.execute("UPDATE omoide.server SET draining = true WHERE id = %s", (server,)).rowcount:
            raise NotFound(f"there is no server {server} in this fleet; `omoide fleet status` lists all")


def rebalance(database: FleetDatabase, lease_seconds: float) -> list[tuple[str, str, str]]:
    """Asks servers with more spaces than the others to pass some on. Returns (space, from, to)."""
    alive = [each.id for each in list_servers(database, lease_seconds) if each.alive and not each.draining]
    held: dict[str, list[str]] = {server: [] for server in alive}
    for space in list_spaces(database):
        if space.holder in held:
            held[space.holder].append(space.name)
    moves = []
    while alive:
        most, least = max(alive, key=lambda each: len(held[each])), min(alive, key=lambda each: len(held[each]))
        if len(held[most]) - len(held[least]) < 2:
            break
        space_name = held[most].pop()
        held[least].append(space_name)
        moves.append((space_name, most, least))
    with database.connection() as db:
        for space_name, _, to in moves:
            db.execute("UPDATE omoide.space SET preferred = %s WHERE name = %s", (to, space_name))
    return moves


# Spaces and tokens of a fleet, in PostgreSQL.


_TOKEN = 'id, space, "right", created, expires, note, hash'


def spaces_with_sizes(database: FleetDatabase) -> list[tuple[str, str, int, int]]:
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
        raise Conflict(f"there is a space {name} already; choose another name, or delete it first") from error


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
