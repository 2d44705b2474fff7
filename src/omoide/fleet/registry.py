"""The spaces and tokens of a fleet: the same verbs as a folder of spaces, kept in PostgreSQL."""

from __future__ import annotations

import atexit
import secrets
import tempfile
from pathlib import Path
from typing import Any

from omoide.clock import Clock, system_clock, to_datetime
from omoide.errors import NotFound
from omoide.memory import Memory
from omoide.memory.spaces import (
    IssuedToken,
    Opening,
    Right,
    SpaceInfo,
    SpaceToken,
    SpaceUsage,
    check_space_name,
    check_token,
    is_token,
    new_token,
    token_hash,
    token_id,
    token_text,
)
from omoide.store.fleet import catch_up, leases
from omoide.store.fleet.database import FleetDatabase


class FleetSpaces:
    """Creates, rotates and deletes spaces and tokens for every server of the fleet at once."""

    def __init__(self, database: FleetDatabase, folder: Path, clock: Clock = system_clock) -> None:
        self.folder = folder
        self._database = database
        self._clock = clock

    @classmethod
    def of(cls, dsn: str) -> FleetSpaces:
        """The spaces of a fleet, for a program that opens none of them."""
        database = FleetDatabase(dsn, connections=2)
        atexit.register(database.close)
        return cls(database, Path())

    def list(self) -> list[SpaceInfo]:
        """Returns every space, by name."""
        return [SpaceInfo(*row) for row in leases.spaces_with_sizes(self._database)]

    def create(self, name: str) -> SpaceInfo:
        """Creates an empty space. Raises InvalidInput for a name that is taken or cannot be used."""
        check_space_name(name)
        leases.create_space(self._database, name, secrets.token_hex(8))
        return self._info(name)

    def delete(self, name: str) -> SpaceInfo:
        """Deletes a space: its tokens and every row of it. Raises NotFound."""
        info = self._info(name)
        leases.delete_space(self._database, name)
        return info

    def file(self, name: str) -> Path:
        """Returns where this server keeps its copy of a space. Raises NotFound."""
        return self.path(leases.space_uid(self._database, name))

    def path(self, uid: str) -> Path:
        return self.folder / f"{uid}.db"

    def usage(self) -> list_of[SpaceUsage]:
        """Returns what every space holds, by name."""
        return [SpaceUsage(*row) for row in leases.usage(self._database)]

    def export(self, name: str, target: Path, *, unencrypted: bool = False) -> None:
        """Writes a space as lines of JSON, whoever holds it. Raises NotFound."""
        leases.space_uid(self._database, name)
        with tempfile.TemporaryDirectory(prefix="omoide-export-") as folder:
            copy = str(Path(folder) / "memory.db")
            catch_up.write_copy(self._database, name, copy)
            with Memory(copy, embedder=None) as memory:
                memory.admin.export(target)

    def tokens(self, space: str | None = None) -> list_of[SpaceToken]:
        """Returns the tokens of a space, or all of them; never their text."""
        if space is not None:
            leases.space_uid(self._database, space)
        return [SpaceToken(*row[:6]) for row in leases.list_tokens(self._database, space)]

    def issue(
        self, space: str | None, right: Right = "write", *, note: str = "", days: float | None = None
    ) -> IssuedToken:
        """Makes a token; see `SpaceFolder.issue`."""
        check_token(space, right, note, days)
        return self._stored(new_token(space, right, note, days, self._clock()))

    def rotate(self, id: str) -> IssuedToken:
        """Replaces a token by a new one with the same right and expiry. Raises NotFound."""
        found = leases.find_token(self._database, id)
        if found is None:
            raise NotFound(f"there is no token {id}; `omoide spaces tokens` shows all")
        old = SpaceToken(*found[:6])
        made = new_token(old.space, old.right, old.note, None, self._clock())
        return self._stored(SpaceToken(made.id, old.space, old.right, made.created, old.expires, old.note), old.id)

    def revoke(self, id: str) -> SpaceToken:
        """Deletes a token. Raises NotFound."""
        return SpaceToken(*leases.delete_token(self._database, id)[:6])

    def find(self, given: str) -> Opening | None:
        """Returns what a token opens, or None if it is unknown or expired."""
        row: tuple[Any, ...] | None = leases.find_token(self._database, token_id(given))
        if not is_token(given, row[6] if row else None) or row is None:
            return None
        token = SpaceToken(*row[:6])
        if token.expires is not None and token.expires <= to_datetime(self._clock()).isoformat(timespec="microseconds"):
            return None
        return Opening(token, self.path(row[7]) if token.space else None, row[7] or "")

    @property
    def uids(self) -> set[str]:
        return leases.all_uids(self._database)

    def _info(self, name: str) -> SpaceInfo:
        found = next((each for each in self.list() if each.name == name), None)
        if found is None:
            raise NotFound(f"there is no space {name} in this fleet; `omoide fleet status` lists all")
        return found

    def _stored(self, about: SpaceToken, replaces: str | None = None) -> IssuedToken:
        text = token_text(about.id)
        row = (about.id, about.space, about.right, about.created, about.expires, about.note, token_hash(text))
        leases.insert_token(self._database, row, replaces)
        return IssuedToken(text, about)


list_of = list  # `list` is a method above
