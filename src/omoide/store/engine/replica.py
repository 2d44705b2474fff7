"""What a writer tells a replica: every transaction, before it is committed to the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from omoide.store.engine.connection import Connection


class Replica(Protocol):
    """Another place that must hold a transaction before the file may commit it (see store/fleet/replication.py)."""

    def begin(self, db: Connection) -> None:
        """Called after BEGIN: starts to record what changes. May raise, which refuses the transaction."""

    def publish(self, db: Connection) -> None:
        """Called before COMMIT: stores the changes elsewhere. Whatever it raises rolls the transaction back."""

    def finish(self, *, committed: bool) -> None:
        """Called when the transaction has ended. `committed`: the file kept it."""


class NoReplica:
    """The replica of a file that is alone."""

    def begin(self, db: Connection) -> None: ...

    def publish(self, db: Connection) -> None: ...

    def finish(self, *, committed: bool) -> None: ...
