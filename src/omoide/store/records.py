"""What merges of entities wrote down to be taken back by, without what only the erased said."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import apsw

from omoide.store import rows
from omoide.store.sweep import Sweep

_WHOLE = ("entity", "kept", "upto")  # without these a merge stands, and is not taken back


def swept(db: apsw.Connection, sweep: Sweep, touched: Collection[int]) -> int:
    """`touched`: the entities that the erased spoke of; one word is enough there."""
    return _moved(db, sweep.untied) + _merges(db, sweep, touched)


def _moved(db: apsw.Connection, sweep: Sweep) -> int:
    """A name or a relation that says such a word does not come back when its merge is taken back."""
    found = [(place,) for place, was in db.execute("SELECT rowid, was FROM moved WHERE was IS NOT NULL") if sweep(was)]
    db.executemany("DELETE FROM moved WHERE rowid = ?", found)
    return len(found)


def _merges(db: apsw.Connection, every: Sweep, touched: Collection[int]) -> int:
    """The entities as they stood before: without a name of its own none can be there again, so its merge stands."""
    count = 0
    for id, entity, before in list(db.execute("SELECT id, entity_id, before FROM entity_change WHERE verb = 'merge'")):
        sweep = every.where(entity in touched)
        if not before or not sweep(before):
            continue
        held = json.loads(before)
        if "entity" not in held:
            continue
        if sweep(str(held["entity"].get("name"))) or sweep(str(held.get("name"))):
            held = {name: value for name, value in held.items() if name not in _WHOLE}
            db.execute("DELETE FROM moved WHERE change_id = ?", (id,))
        else:
            held |= {side: _row(held[side], sweep) for side in ("entity", "kept")}
        db.execute("UPDATE entity_change SET before = ? WHERE id = ?", (rows.dump(held), id))
        count += 1
    return count


def _row(held: dict[str, Any], sweep: Sweep) -> dict[str, Any]:
    """Every column stays, though it may be empty; fields stand in a text of their own."""
    kept = {name: None if isinstance(value, str) and sweep(value) else value for name, value in held.items()}
    fields = sweep.pruned(json.loads(held.get("attributes") or "{}"), names=True)
    return kept | {"attributes": rows.dump(fields) or "{}"}
