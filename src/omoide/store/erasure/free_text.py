"""Clears text that no link ties to an erased node but that repeats words only erased nodes had.

A row is `related` if it was made from the erased nodes or belongs to the same entity or session. In related text one
erased word is enough to clear it; elsewhere `ErasedWords.unrelated` decides.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from omoide.store.engine.connection import Connection
from omoide.store.erasure.erased_words import ErasedWords, WordComparison
from omoide.store.erasure.receipts import TextMention
from omoide.store.records import rows


@dataclass(slots=True)
class ErasureState:
    """What one erasure removes. Column groups run in order and may add to it for those that follow."""

    ids: frozenset[int]
    now: int
    entity_id: int | None = None  # the entity that is erased by name
    session: str | None = None  # the session that is erased by name
    entity_ids: tuple[int, ...] = ()  # entities that the nodes mention
    session_ids: tuple[int, ...] = ()  # sessions of the nodes
    weakened: frozenset[int] = frozenset()  # nodes that are kept on other evidence
    compared: WordComparison | None = None  # what was compared before the transaction
    erased_words: ErasedWords | None = None  # words only the erased nodes had; set once the nodes are deleted
    texts: list[str] = field(default_factory=list)  # every erased text
    unsaid: Counter[str] = field(default_factory=Counter)  # those of them that nobody said, such as names of predicates
    archive_samples: list[bytes] = field(default_factory=list)  # byte samples of their archive blocks
    entities: list[str] = field(default_factory=list)  # names of erased entities
    relations: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    cleared_texts: list[TextMention] = field(default_factory=list)

    def must_clear(self, column: str, row: int | None, text: str | None, *, related: bool = False) -> bool:
        """Whether a text contains erased words; if so, it is added to the cleared texts."""
        assert self.erased_words is not None
        found = self.erased_words.for_text(related)(text)
        if found:
            self.cleared_texts.append(TextMention(column, row, text))
        return found


EraseColumns = Callable[[Connection, ErasureState], int]
"""Removes the text of erased nodes; returns how many rows were deleted or cleared."""


@dataclass(frozen=True, slots=True)
class ErasableColumns:
    """A group of text columns, by table, and the function that erases them."""

    name: str
    columns: Mapping[str, tuple[str, ...]]
    erase: EraseColumns


_UNDO_FIELDS = ("entity", "kept", "upto")  # a merge without these cannot be undone


def erase_merge_records(db: Connection, state: ErasureState) -> int:
    """Clears what merges recorded so that they can be undone."""
    assert state.erased_words is not None
    return _erase_moved_rows(db, state.erased_words.unrelated) + _erase_merge_changes(
        db, state.erased_words, state.entity_ids
    )


def _erase_moved_rows(db: Connection, erased: ErasedWords) -> int:
    """A name or relation with an erased word does not come back when its merge is undone."""
    moves = db.execute("SELECT rowid, before FROM merge_move WHERE before IS NOT NULL")
    found = [(rowid,) for rowid, before in moves if erased(before)]
    db.executemany("DELETE FROM merge_move WHERE rowid = ?", found)
    return len(found)


def _erase_merge_changes(db: Connection, every: ErasedWords, entity_ids: Collection[int]) -> int:
    """Clears the stored entities. An entity whose name is erased cannot be restored, so its merge becomes final."""
    count = 0
    for id, entity, before in list(db.execute("SELECT id, entity_id, before FROM entity_change WHERE verb = 'merge'")):
        erased = every.for_text(entity in entity_ids)
        if not before or not erased(before):
            continue
        held = json.loads(before)
        if "entity" not in held:
            continue
        if erased(str(held["entity"].get("name"))) or erased(str(held.get("name"))):
            held = {name: value for name, value in held.items() if name not in _UNDO_FIELDS}
            db.execute("DELETE FROM merge_move WHERE change_id = ?", (id,))
        else:
            held |= {side: _without_erased_texts(held[side], erased) for side in ("entity", "kept")}
        db.execute("UPDATE entity_change SET before = ? WHERE id = ?", (rows.to_json(held), id))
        count += 1
    return count


def _without_erased_texts(held: dict[str, Any], erased: ErasedWords) -> dict[str, Any]:
    """Clears texts but keeps every column; attributes are a JSON document of their own."""
    kept = {name: None if isinstance(value, str) and erased(value) else value for name, value in held.items()}
    fields = erased.without_erased(json.loads(held.get("attributes") or "{}"), names=True)
    return kept | {"attributes": rows.to_json(fields) or "{}"}


_WEAKENED = "(SELECT value FROM json_each(:weakened))"
_TOUCHED_ENTITIES = "(SELECT value FROM json_each(:entities))"
NEVER_RELATED, ALWAYS_RELATED = "0", "1"  # ALWAYS: texts that we generate and can generate again
RELATED_NODE = f"node_id IN {_WEAKENED}"
RELATED_LINK = f"source_id IN {_WEAKENED} OR target_id IN {_WEAKENED}"
RELATED_ENTITY = f"id IN {_TOUCHED_ENTITIES}"
OF_RELATED_ENTITY = f"entity_id IN {_TOUCHED_ENTITIES}"
RELATED_RELATION = (
    f"source_node_id IN {_WEAKENED} OR source_id IN {_TOUCHED_ENTITIES} AND target_id IN {_TOUCHED_ENTITIES}"
)
RELATED_SESSION = "id IN (SELECT value FROM json_each(:sessions))"


def _text_rows(
    db: Connection, state: ErasureState, table: str, columns: tuple[str, ...], related: str
) -> list[tuple[Any, ...]]:
    """(row, whether it is related, the columns)."""
    values = {"weakened": state.weakened, "entities": state.entity_ids, "sessions": state.session_ids}
    some = " OR ".join(f"{column} <> ''" for column in columns)
    statement = f"SELECT {_key_column(table)}, coalesce({related}, 0), {', '.join(columns)} FROM {table} WHERE {some}"
    return list(db.execute(statement, values))


def _key_column(table: str) -> str:
    return "path" if table == "foreign_file" else "rowid"


def erase_texts(table: str, *columns: str, empty: str | None = None, related: str = NEVER_RELATED) -> EraseColumns:
    """Clears the text columns of a table where they contain erased words."""

    def erase(db: Connection, state: ErasureState) -> int:
        count = 0
        for row, is_related, *values in _text_rows(db, state, table, columns, related):
            for column, value in zip(columns, values, strict=True):
                if state.must_clear(f"{table}.{column}", row, value, related=bool(is_related)):
                    db.execute(f"UPDATE {table} SET {column} = ? WHERE {_key_column(table)} = ?", (empty, row))
                    count += 1
        return count

    return erase


def erase_documents(
    table: str, *columns: str, empty: str = "{}", names: bool = True, related: str = NEVER_RELATED
) -> EraseColumns:
    """Removes such texts from the JSON columns of a table; `names`: field names are chosen by the user."""

    def erase(db: Connection, state: ErasureState) -> int:
        assert state.erased_words is not None
        count = 0
        for column in columns:
            for row, is_related, value in _text_rows(db, state, table, (column,), related):
                erased = state.erased_words.for_text(bool(is_related))
                if value == empty or not erased(value):
                    continue
                before = json.loads(value)
                kept = erased.without_erased(before, names=names)
                if kept != before:
                    db.execute(
                        f"UPDATE {table} SET {column} = ? WHERE {_key_column(table)} = ?",
                        (rows.to_json(kept) or empty, row),
                    )
                    state.cleared_texts.append(
                        TextMention(f"{table}.{column}", row if isinstance(row, int) else None, value)
                    )
                    count += 1
        return count

    return erase


def delete_rows(table: str, *columns: str, related: str = NEVER_RELATED) -> EraseColumns:
    """Deletes such rows: without the text they would be meaningless or wrong."""

    def erase(db: Connection, state: ErasureState) -> int:
        count = 0
        for row, is_related, *values in _text_rows(db, state, table, columns, related):
            texts = zip(columns, values, strict=True)
            if any(
                state.must_clear(f"{table}.{column}", row, each, related=bool(is_related)) for column, each in texts
            ):
                db.execute(f"DELETE FROM {table} WHERE {_key_column(table)} = ?", (row,))
                count += 1
        return count

    return erase


def erase_boards(db: Connection, state: ErasureState) -> int:
    """Deletes boards of erased sessions and boards with erased words; the agent builds them again."""
    found = [
        (session,)
        for session, board, system in list(db.execute("SELECT session, board, system FROM live_board"))
        if session in state.sessions
        or state.must_clear("live_board.board", None, board, related=True)
        or state.must_clear("live_board.system", None, system)
        or state.must_clear("live_board.session", None, session)
    ]
    db.executemany("DELETE FROM live_board WHERE session = ?", found)
    return len(found)
