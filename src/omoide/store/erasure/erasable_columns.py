"""Every column that may contain user text, and how the text of erased nodes is removed from it.

A new table must be added here: a test walks the schema and fails for a text or blob column that is neither in
`ERASABLE` nor in `WITHOUT_TEXT`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from omoide.domain.entity import name_key
from omoide.store.ageing import archive, archive_blocks
from omoide.store.engine.connection import Connection
from omoide.store.entities import mentions
from omoide.store.erasure.erased_words import ErasedWords, is_said_by_node, texts_in_value
from omoide.store.erasure.free_text import (
    ALWAYS_RELATED,
    OF_RELATED_ENTITY,
    RELATED_ENTITY,
    RELATED_LINK,
    RELATED_NODE,
    RELATED_RELATION,
    RELATED_SESSION,
    ErasableColumns,
    EraseColumns,
    ErasureState,
    delete_rows,
    erase_boards,
    erase_documents,
    erase_merge_records,
    erase_texts,
)
from omoide.store.records import rows

_IDS = "(SELECT value FROM json_each(:ids))"


def _delete(table: str, condition: str = f"node_id IN {_IDS}") -> EraseColumns:
    def erase(db: Connection, state: ErasureState) -> int:
        db.execute(f"DELETE FROM {table} WHERE {condition}", {"ids": state.ids})
        return int(db.changes())

    return erase


def _erase_archived(db: Connection, state: ErasureState) -> int:
    """Rewrites the archive blocks without the nodes."""
    before = archive_blocks.byte_samples(db, state.ids)
    count = archive.erase_from_archive(db, state.ids)
    state.archive_samples = archive_blocks.samples_not_in_blocks(db, before)
    return count


def _erase_nodes(db: Connection, state: ErasureState) -> int:
    """Triggers remove the nodes from the full-text index. Only then are the erased words known."""
    count = _delete("node", f"id IN {_IDS}")(db, state)
    state.erased_words = ErasedWords(db, state.texts, state.compared)
    return count


def _erase_relations(db: Connection, state: ErasureState) -> int:
    """Deletes relations of erased nodes and entities, except those that a kept fact states as well."""
    found = db.execute(
        """
        SELECT relation.id, source.name, relation.type, target.name, relation.properties, source.id, target.id
        FROM relation
        JOIN entity AS source ON source.id = relation.source_id
        JOIN entity AS target ON target.id = relation.target_id
        WHERE
            relation.source_node_id IN (SELECT value FROM json_each(:ids))
            OR :entity IN (relation.source_id, relation.target_id)
        """,
        {"ids": state.ids, "entity": state.entity_id},
    )
    count = 0
    for id, source, type, target, properties, *ends in list(found):
        state.texts += texts_in_value(json.loads(properties), names=True)
        state.entity_ids = (*state.entity_ids, *ends)
        stating_fact = _fact_stating(db, state, source, type, target)
        if stating_fact is not None and state.entity_id is None:
            db.execute("UPDATE relation SET source_node_id = ?, properties = '{}' WHERE id = ?", (stating_fact, id))
            continue
        state.relations.append(f"{source} {type} {target}")
        db.execute("DELETE FROM relation WHERE id = ?", (id,))
        count += 1
    return count


def _fact_stating(db: Connection, state: ErasureState, source: str, type: str, target: str) -> int | None:
    found = db.execute(
        """
        SELECT node.id, node.attributes ->> 'object'
        FROM node
        WHERE
            node.kind = 'fact' AND node.state = 'live' AND node.attributes ->> 'subject' = :source
            AND (node.attributes ->> 'predicate' = :type
                 OR node.attributes ->> 'predicate' = 'lives_in' AND :type = 'located_in')
            AND node.id NOT IN (SELECT value FROM json_each(:ids))
        """,
        {"source": source, "type": type, "ids": state.ids},
    )
    return next((id for id, object in found if name_key(object or "") == name_key(target)), None)


def _erase_entities(db: Connection, state: ErasureState) -> int:
    """Deletes the targeted entity and entities that nothing mentions; the others lose erased names and summaries."""
    count = 0
    for id in {*state.entity_ids, *([state.entity_id] if state.entity_id is not None else [])}:
        row = db.execute("SELECT name, description, summary, attributes FROM entity WHERE id = ?", (id,)).fetchone()
        if row is None:
            continue
        if id == state.entity_id or not _is_mentioned(db, id):
            names = [each for (each,) in db.execute("SELECT name FROM entity_name WHERE entity_id = ?", (id,))]
            state.texts += [each for each in (*row[:3], *names) if each]
            state.texts += texts_in_value(json.loads(row[3]), names=True)
            state.entities.append(row[0])
            db.execute("DELETE FROM entity WHERE id = ?", (id,))
            count += 1
        else:
            _erase_names(db, id, row[0], state)
            _erase_summary(db, id, json.loads(row[3]), state)
    return count


def _is_mentioned(db: Connection, id: int) -> bool:
    found = db.execute(
        """
        SELECT EXISTS (SELECT 1 FROM node_entity WHERE entity_id = :id)
            OR EXISTS (SELECT 1 FROM relation WHERE source_id = :id OR target_id = :id)
        """,
        {"id": id},
    ).get
    return bool(found)


def _erase_names(db: Connection, id: int, canonical: str, state: ErasureState) -> None:
    """Removes names that occurred only in erased nodes; the last name stays."""
    assert state.erased_words is not None
    compared = state.erased_words.compared
    names = list(db.execute("SELECT name FROM entity_name WHERE entity_id = ? ORDER BY is_alias", (id,)))
    erased_names = [name for (name,) in names if compared.names(name, state.texts) and not is_said_by_node(db, name)]
    kept = [name for (name,) in names if name not in erased_names]
    if not erased_names or not kept:
        return
    state.texts += erased_names
    for name in erased_names:
        db.execute("DELETE FROM entity_name WHERE entity_id = ? AND name = ?", (id, name))
    if canonical in erased_names:
        db.execute("UPDATE OR IGNORE entity SET name = ? WHERE id = ?", (kept[0], id))
        db.execute("UPDATE entity_name SET is_alias = 0 WHERE entity_id = ? AND name = ?", (id, kept[0]))


def _erase_summary(db: Connection, id: int, attributes: dict[str, object], state: ErasureState) -> None:
    """Clears a summary based on an erased fact; the next learning run writes it again."""
    of = json.loads(str(attributes.get("summary_of") or "[]"))
    if state.ids.intersection(of):
        attributes.pop("summary_of", None)
        db.execute("UPDATE entity SET summary = NULL, attributes = ? WHERE id = ?", (rows.to_json(attributes), id))
    mentions.recount_mentions(db, id)


def _erase_proposals(db: Connection, state: ErasureState) -> int:
    """Deletes proposals that read an erased turn; they are made again without it."""
    db.execute("DELETE FROM journal WHERE session_id IN (SELECT value FROM json_each(?))", (state.session_ids,))
    return int(db.changes())


def _erase_sessions(db: Connection, state: ErasureState) -> int:
    """Deletes sessions without nodes; the others lose their summary and are counted again."""
    count = 0
    for id in state.session_ids:
        row = db.execute("SELECT name, summary, channel, learn_error FROM session WHERE id = ?", (id,)).fetchone()
        if row is None:
            continue
        if not db.execute("SELECT EXISTS (SELECT 1 FROM node WHERE session_id = ?)", (id,)).get:
            state.sessions.append(row[0])
            state.texts += [each for each in row if each]
            db.execute("DELETE FROM session WHERE id = ?", (id,))
        else:
            state.texts += [row[1]] if row[1] else []
            _recount_sessions(db, id)
        count += 1
    state.erased_words = ErasedWords(db, state.texts, state.compared)
    return count


def _recount_sessions(db: Connection, id: int) -> None:
    db.execute(
        """
        UPDATE session
        SET
            summary = NULL,
            learn_error = NULL,
            episode_count = counted.many,
            last_node_id = counted.last,
            started_at = coalesce(counted.first_at, session.started_at),
            last_at = coalesce(counted.newest_at, session.last_at)
        FROM (
            SELECT count(*) AS many, max(id) AS last, min(event_at) AS first_at, max(event_at) AS newest_at
            FROM node
            WHERE session_id = :id AND kind = 'episode' AND attributes ->> 'compression' IS NULL  -- a turn
        ) AS counted
        WHERE session.id = :id
        """,
        {"id": id},
    )


def _rebuild_text_index(db: Connection, state: ErasureState) -> int:
    """Merges the index segments: deleting only marks words as deleted, also those of earlier updates."""
    db.execute("INSERT INTO nodes_fts (nodes_fts) VALUES ('optimize')")
    return 0


TEXT_INDEX = ErasableColumns(
    "full text",
    {"nodes_fts_data": ("block",), "nodes_fts_idx": ("term",), "nodes_fts_docsize": ("sz",)},
    _rebuild_text_index,
)

_NODE_COLUMNS = tuple(
    "text summary details attributes tags speaker task_id content_hash key folded_text folded_speaker folded_tags "
    "origin role".split()
)

ERASABLE: tuple[ErasableColumns, ...] = (
    ErasableColumns("relations", {"relation": ("type", "properties")}, _erase_relations),
    ErasableColumns(
        "edges", {"edge": ("predicate", "evidence")}, _delete("edge", f"source_id IN {_IDS} OR target_id IN {_IDS}")
    ),
    ErasableColumns("changes", {"change": ("before",)}, _delete("change")),
    ErasableColumns(
        "token states",
        {"token_state": ("data",)},
        _delete("token_state", f"vector_id IN (SELECT id FROM vector WHERE node_id IN {_IDS})"),
    ),
    ErasableColumns("vectors", {"vector": ("data",)}, _delete("vector")),
    ErasableColumns("embedding queue", {"embedding_queue": ("error",)}, _delete("embedding_queue")),
    ErasableColumns("refusals", {"refusal": ("kind", "text", "reason")}, _delete("refusal")),
    ErasableColumns("proposals", {"proposal": ("text", "attributes", "origin")}, _delete("proposal")),
    ErasableColumns("mentioned times", {"mentioned_time": ("words",)}, _delete("mentioned_time")),
    ErasableColumns("bindings", {"binding": ("tool", "path", "command", "error", "key")}, _delete("binding")),
    ErasableColumns("archive", {"archive_block": ("data",), "archived": ("reason",)}, _erase_archived),
    ErasableColumns("nodes", {"node": _NODE_COLUMNS}, _erase_nodes),
    ErasableColumns(
        "entities",
        {
            "entity": ("name", "description", "summary", "attributes"),
            "entity_name": ("key", "name"),
            "entity_vector": ("data",),
            "entity_change": ("before",),
        },
        _erase_entities,
    ),
    ErasableColumns("journal", {"journal": ("proposal",)}, _erase_proposals),
    ErasableColumns("sessions", {"session": ("name", "channel", "summary", "learn_error")}, _erase_sessions),
    # From here on: other text that repeats erased words.
    ErasableColumns(
        "entity descriptions",
        {},
        erase_texts("entity", "description", "summary", related=RELATED_ENTITY),
    ),
    ErasableColumns("entity attributes", {}, erase_documents("entity", "attributes", related=RELATED_ENTITY)),
    ErasableColumns("relation properties", {}, erase_documents("relation", "properties", related=RELATED_RELATION)),
    ErasableColumns(
        "link evidence",
        {},
        erase_documents("edge", "evidence", empty="[]", names=False, related=RELATED_LINK),
    ),
    ErasableColumns("link predicates", {}, erase_texts("edge", "predicate")),
    ErasableColumns("relation types", {}, delete_rows("relation", "type")),
    ErasableColumns("earlier versions", {}, erase_documents("change", "before", names=False, related=RELATED_NODE)),
    ErasableColumns("merge records", {"merge_move": ("before",)}, erase_merge_records),
    ErasableColumns(
        "entity history",
        {},
        erase_documents("entity_change", "before", names=False, related=OF_RELATED_ENTITY),
    ),
    ErasableColumns("live boards", {"live_board": ("session", "board", "system")}, erase_boards),
    ErasableColumns("task entries", {"task_entry": ("body",)}, delete_rows("task_entry", "body")),
    ErasableColumns(
        "binding triggers",
        {},
        delete_rows("binding", "tool", "path", "command", "error", related=RELATED_NODE),
    ),
    ErasableColumns("proposed texts", {}, delete_rows("proposal", "text", related=RELATED_NODE)),
    ErasableColumns("refused texts", {}, delete_rows("refusal", "text", "reason", related=RELATED_NODE)),
    ErasableColumns("consents", {"consent": ("session", "reason")}, delete_rows("consent", "session", "reason")),
    ErasableColumns("archive reasons", {}, erase_texts("archived", "reason", empty="")),
    ErasableColumns("maintenance log", {"job_run": ("why",)}, erase_texts("job_run", "why", related=ALWAYS_RELATED)),
    ErasableColumns("nights", {"night_change": ("changes",)}, _delete("night_change", "TRUE")),
    ErasableColumns(
        "set aside",
        {"set_aside": ("item", "error")},
        delete_rows("set_aside", "item", "error", related=ALWAYS_RELATED),
    ),
    ErasableColumns("session summaries", {}, erase_texts("session", "summary", "channel", related=RELATED_SESSION)),
    ErasableColumns("learning errors", {}, erase_texts("session", "learn_error", related=ALWAYS_RELATED)),
    ErasableColumns("embedding errors", {}, erase_texts("embedding_queue", "error", related=ALWAYS_RELATED)),
    ErasableColumns("learning proposals", {}, delete_rows("journal", "proposal", related=ALWAYS_RELATED)),
    ErasableColumns(
        "ledgers",
        {"ledger": ("agent_id", "current_task", "state", "context", "details")},
        erase_documents("ledger", "state", "context", "details"),
    ),
    ErasableColumns("ledger tasks", {}, erase_texts("ledger", "current_task")),
    ErasableColumns(
        "checkpoints",
        {"checkpoint": ("agent_id", "current_task", "state", "context")},
        erase_documents("checkpoint", "state", "context"),
    ),
    ErasableColumns("checkpoint tasks", {}, erase_texts("checkpoint", "current_task", empty="")),
    ErasableColumns("foreign files", {"foreign_file": ("path", "body")}, erase_documents("foreign_file", "body")),
    TEXT_INDEX,
)

_BINARY_TABLES = frozenset({"vector", "token_state", "entity_vector", "archive_block"})


def worded_columns() -> Iterator[tuple[str, tuple[str, ...]]]:
    """(table, its columns with words), group by group, without the full-text index."""
    for group in ERASABLE:
        for table, columns in group.columns.items():
            if table not in _BINARY_TABLES and "_fts" not in table:
                yield table, columns


def has_rowid(db: Connection, table: str) -> bool:
    return not db.execute("SELECT sql LIKE '%WITHOUT ROWID%' FROM sqlite_schema WHERE name = ?", (table,)).get


# For imports: everything except the rows of the nodes themselves.
CHECKED_ON_IMPORT = ERASABLE[next(number for number, group in enumerate(ERASABLE) if group.name == "entities") :]

# Text and blob columns without user text: our own names, numbers, random ids, keyed digests.
WITHOUT_TEXT: Mapping[str, tuple[str, ...]] = {
    "node": ("ulid", "kind", "source_type", "audience", "state"),
    "entity": ("ulid", "type"),
    "edge": ("type",),
    "relation": ("ulid",),
    "session": ("learning", "summary_by"),
    "change": ("verb",),
    "entity_change": ("verb",),
    "journal": ("extractor",),
    "embedding_model": ("name",),
    "counter": ("name",),
    "write_mark": ("writer",),
    "cache_invalidation": ("part",),
    "migration": ("name", "checksum"),
    "nodes_fts_config": ("k", "v"),
    "cursor": ("name", "value"),
    "merge_move": ("kind",),
    "task": ("process",),
    "task_entry": ("what",),
    "spending": ("day",),
    "lease": ("name", "holder", "mark"),
    "set_aside": ("job",),
    "maintenance_run": ("outcome",),
    "job_run": ("job", "outcome", "counts"),
    "erasure": ("receipt",),
    "tombstone": ("digest",),
    "tombstone_key": ("key",),
    "known_copy": ("path", "kind"),
    "given": ("reader",),
    "fleet_position": ("space",),
    "proposal": ("verb", "outcome"),
    "audit": ("door", "actor", "operation", "changes", "digest"),
}
