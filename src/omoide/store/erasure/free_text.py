"""What an erasure takes away, as the places of the file are told it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import apsw

from omoide.store.erasure.erased_words import ErasedWords
from omoide.store.erasure.receipts import TextMention
from omoide.store.records import rows


@dataclass(slots=True)
class ErasureState:
    """What goes. Places are asked in order and may leave a note for those after them."""

    ids: frozenset[int]
    now: int
    entity_id: int | None = None  # an entity that was asked for by name
    session: str | None = None  # and a session
    touched: tuple[int, ...] = ()  # entities that the nodes spoke of
    said_in: tuple[int, ...] = ()  # sessions that they were said in
    weakened: frozenset[int] = frozenset()  # nodes that stay on other evidence
    sweep: ErasedWords | None = None  # what only they said; there once the nodes are gone
    said: list[str] = field(default_factory=list)  # every text that went
    packed: list[bytes] = field(default_factory=list)  # bytes of the blocks that held archived ones
    entities: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    swept: list[TextMention] = field(default_factory=list)  # free text that was emptied

    @property
    def chosen(self) -> str:
        return json.dumps(sorted(self.ids))

    def says(self, text: str | None, *, tied: bool = False) -> bool:
        """Whether a text gives away what only the erased said; `tied`: it was made of them, or speaks of the same."""
        assert self.sweep is not None
        return self.sweep.where(tied)(text)

    def empties(self, place: str, row: int | None, text: str | None, *, tied: bool = False) -> bool:
        """The same, and makes a note of it."""
        found = self.says(text, tied=tied)
        if found:
            self.swept.append(TextMention(place, row, text))
        return found


EraseColumns = Callable[[apsw.Connection, ErasureState], int]
"""Takes the words away; how many rows went or were emptied."""


@dataclass(frozen=True, slots=True)
class ErasableColumns:
    """`words`: the columns of each table that may hold words, or something made of them that betrays them."""

    name: str
    words: Mapping[str, tuple[str, ...]]
    erase: EraseColumns


# What merges of entities wrote down to be taken back by, without what only the erased said.


_UNDO_FIELDS = ("entity", "kept", "upto")  # without these a merge stands, and is not taken back


def erase_merge_texts(db: apsw.Connection, sweep: ErasedWords, touched: Collection[int]) -> int:
    """`touched`: the entities that the erased spoke of; one word is enough there."""
    return _erase_moved_rows(db, sweep.untied) + _erase_merge_changes(db, sweep, touched)


def _erase_moved_rows(db: apsw.Connection, sweep: ErasedWords) -> int:
    """A name or a relation that says such a word does not come back when its merge is taken back."""
    found = [
        (place,)
        for place, before in db.execute("SELECT rowid, before FROM merge_move WHERE before IS NOT NULL")
        if sweep(before)
    ]
    db.executemany("DELETE FROM merge_move WHERE rowid = ?", found)
    return len(found)


def _erase_merge_changes(db: apsw.Connection, every: ErasedWords, touched: Collection[int]) -> int:
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
            held = {name: value for name, value in held.items() if name not in _UNDO_FIELDS}
            db.execute("DELETE FROM merge_move WHERE change_id = ?", (id,))
        else:
            held |= {side: _without_erased_texts(held[side], sweep) for side in ("entity", "kept")}
        db.execute("UPDATE entity_change SET before = ? WHERE id = ?", (rows.to_json(held), id))
        count += 1
    return count


def _without_erased_texts(held: dict[str, Any], sweep: ErasedWords) -> dict[str, Any]:
    """Every column stays, though it may be empty; fields stand in a text of their own."""
    kept = {name: None if isinstance(value, str) and sweep(value) else value for name, value in held.items()}
    fields = sweep.pruned(json.loads(held.get("attributes") or "{}"), names=True)
    return kept | {"attributes": rows.to_json(fields) or "{}"}


# Free text that no link ties to a node: emptied where it gives away what only the erased said.
#
# What was made of the erased, or speaks of the same entity or session, is `tied` to them: there one word is enough. The
# condition on a row that says so knows :weakened, :touched and :sessions of the erasure.


_WEAKENED = "(SELECT value FROM json_each(:weakened))"
_TOUCHED_ENTITIES = "(SELECT value FROM json_each(:touched))"
NEVER_TIED, ALWAYS_TIED = "0", "1"  # MADE: by us, of whatever there was, and made again
TIED_NODE = f"node_id IN {_WEAKENED}"
TIED_LINK = f"source_id IN {_WEAKENED} OR target_id IN {_WEAKENED}"
TIED_ENTITY = f"id IN {_TOUCHED_ENTITIES}"
TIED_TO_ENTITY = f"entity_id IN {_TOUCHED_ENTITIES}"
TIED_RELATION = (
    f"source_node_id IN {_WEAKENED} OR source_id IN {_TOUCHED_ENTITIES} AND target_id IN {_TOUCHED_ENTITIES}"
)
TIED_SESSION = "id IN (SELECT value FROM json_each(:sessions))"


def _text_rows(
    db: apsw.Connection, doomed: ErasureState, table: str, columns: tuple[str, ...], tied: str
) -> list[tuple[Any, ...]]:
    """(row, whether it is tied, the columns)."""
    known = {"weakened": doomed.weakened, "touched": doomed.touched, "sessions": doomed.said_in}
    values = {name: json.dumps(sorted(ids)) for name, ids in known.items() if f":{name}" in tied}
    some = " OR ".join(f"{column} <> ''" for column in columns)
    statement = f"SELECT {_key_column(table)}, coalesce({tied}, 0), {', '.join(columns)} FROM {table} WHERE {some}"
    return list(db.execute(statement, values))


def _key_column(table: str) -> str:
    return "path" if table == "foreign_file" else "rowid"


def erase_texts(table: str, *columns: str, empty: str | None = None, tied: str = NEVER_TIED) -> EraseColumns:
    """Empties the text columns of a table where they hold such a word."""

    def erase(db: apsw.Connection, doomed: ErasureState) -> int:
        count = 0
        for row, is_tied, *values in _text_rows(db, doomed, table, columns, tied):
            for column, value in zip(columns, values, strict=True):
                if doomed.empties(f"{table}.{column}", row, value, tied=bool(is_tied)):
                    db.execute(f"UPDATE {table} SET {column} = ? WHERE {_key_column(table)} = ?", (empty, row))
                    count += 1
        return count

    return erase


def erase_documents(
    table: str, *columns: str, empty: str = "{}", names: bool = True, tied: str = NEVER_TIED
) -> EraseColumns:
    """Takes such texts out of the JSON columns of a table; `names`: its fields are called as the user likes."""

    def erase(db: apsw.Connection, doomed: ErasureState) -> int:
        assert doomed.sweep is not None
        count = 0
        for column in columns:
            for row, is_tied, value in _text_rows(db, doomed, table, (column,), tied):
                sweep = doomed.sweep.where(bool(is_tied))
                if value == empty or not sweep(value):
                    continue
                before = json.loads(value)
                kept = sweep.pruned(before, names=names)
                if kept != before:
                    db.execute(
                        f"UPDATE {table} SET {column} = ? WHERE {_key_column(table)} = ?",
                        (rows.to_json(kept) or empty, row),
                    )
                    doomed.swept.append(TextMention(f"{table}.{column}", row if isinstance(row, int) else None, value))
                    count += 1
        return count

    return erase


def delete_rows(table: str, *columns: str, tied: str = NEVER_TIED) -> EraseColumns:
    """Deletes such rows: without the word they would say nothing, or something else."""

    def erase(db: apsw.Connection, doomed: ErasureState) -> int:
        count = 0
        for row, is_tied, *values in _text_rows(db, doomed, table, columns, tied):
            told = zip(columns, values, strict=True)
            if any(doomed.empties(f"{table}.{column}", row, each, tied=bool(is_tied)) for column, each in told):
                db.execute(f"DELETE FROM {table} WHERE {_key_column(table)} = ?", (row,))
                count += 1
        return count

    return erase


def erase_merge_records(db: apsw.Connection, doomed: ErasureState) -> int:
    """What merges of entities wrote down to be taken back by."""
    assert doomed.sweep is not None
    return erase_merge_texts(db, doomed.sweep, doomed.touched)


def erase_boards(db: apsw.Connection, doomed: ErasureState) -> int:
    """What an agent had before it in a session that is gone, or that says such a word: it is made anew."""
    found = [
        (session,)
        for session, board, system in list(db.execute("SELECT session, board, system FROM live_board"))
        if session in doomed.sessions
        or doomed.empties("live_board.board", None, board, tied=True)
        or doomed.empties("live_board.system", None, system)
        or doomed.empties("live_board.session", None, session)
    ]
    db.executemany("DELETE FROM live_board WHERE session = ?", found)
    return len(found)
