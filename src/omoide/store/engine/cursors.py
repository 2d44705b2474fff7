"""Cursors: where a maintenance job stopped. A lost cursor only makes the job start over."""

from __future__ import annotations

import json
from typing import Any

from omoide.store.engine.connection import Connection
from omoide.store.records import rows


def get_cursor(db: Connection, name: str) -> Any:
    """The saved value, or None."""
    found = db.execute("SELECT value FROM cursor WHERE name = ?", (name,)).get
    return None if found is None else json.loads(found)


def set_cursor(db: Connection, name: str, value: Any) -> None:
    db.execute(
        "INSERT INTO cursor (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, rows.to_json(value)),
    )
