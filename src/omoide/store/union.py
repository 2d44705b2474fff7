"""The verbs of settling what two entities say against each other once they are one; a split takes all of it back."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

import apsw

from omoide.layers import Fact
from omoide.store import edges, entities, nodes, rows
from omoide.store.identity import Merged


class Union:
    """Handed to whoever settles a merge, inside its transaction."""

    def __init__(self, db: apsw.Connection, merged: Merged, now: int) -> None:
        self._db = db
        self._merged = merged
        self._now = now

    def facts(self) -> tuple[list[Fact], list[Fact]]:
        """What is held of the one that stays, and of the one that is gone."""
        kept, gone = self._merged.before, self._merged.gone
        stays = dict.fromkeys((kept.name, *kept.aliases))
        return self._of(list(stays)), self._of([name for name in (gone.name, *gone.aliases) if name not in stays])

    def _of(self, subjects: Sequence[str]) -> list[Fact]:
        found = self._db.execute(
            """
            SELECT id
            FROM node
            WHERE
                kind = 'fact' AND state = 'live'
                AND attributes ->> 'subject' IN (SELECT value FROM json_each(?))
            ORDER BY id
            """,
            (json.dumps(list(subjects)),),
        )
        held = nodes.fetch(self._db, [row[0] for row in found])
        return [each for _, each in sorted(held.items()) if isinstance(each, Fact)]

    def contradicts(self, one: Fact, other: Fact) -> None:
        """Neither can be preferred."""
        known = self._db.execute(
            """
            SELECT 1 FROM edge
            WHERE type = 'contradicts' AND (source_id, target_id) IN (VALUES (:one, :other), (:other, :one))
            """,
            {"one": one.id, "other": other.id},
        ).get
        if not known:
            edges.insert(self._db, one.id, other.id, "contradicts", self._now)
            self._note("contradicts", self._db.last_insert_rowid())

    def supersedes(self, new: Fact, old: Fact, until: int) -> None:
        """The later word holds; the earlier one ends when it begins."""
        self._close(old, until, new.id)
        edges.insert(self._db, new.id, old.id, "supersedes", self._now)

    def is_past(self, fact: Fact, until: int) -> None:
        """It was so before what is held of the other became true."""
        self._close(fact, until, None)

    def _close(self, fact: Fact, until: int, by: int | None) -> None:
        before = self._db.execute("SELECT valid_until FROM node WHERE id = ?", (fact.id,)).get
        nodes.retire(self._db, fact.id, "superseded", self._now, until)
        self._note("superseded", fact.id, {"valid_until": before, "by": by})

    def part(self, types: Collection[str], target: str, until: int) -> None:
        """The relation that came of a fact ends with it."""
        other = entities.find(self._db, target)
        found: list[Any] = self._db.execute(
            """
            SELECT id, valid_until, updated_at
            FROM relation
            WHERE
                source_id = :source AND target_id = :target AND valid_until IS NULL
                AND type IN (SELECT value FROM json_each(:types))
            """,
            {
                "source": self._merged.kept.id,
                "target": other.id if other else 0,
                "types": json.dumps(sorted(types)),
            },
        ).fetchall()
        for id, ended, updated in found:
            self._note("ended", id, {"valid_until": ended, "updated_at": updated})
            self._db.execute("UPDATE relation SET valid_until = ?, updated_at = ? WHERE id = ?", (until, self._now, id))

    def _note(self, what: str, ref: int, was: dict[str, object] | None = None) -> None:
        self._db.execute(
            "INSERT INTO moved (change_id, what, ref, was) VALUES (?, ?, ?, ?)",
            (self._merged.change, what, ref, None if was is None else rows.dump(was)),
        )
