"""Every place of the file in which words may stand, and how each gives up those of erased nodes.

A new table belongs here: a test walks the schema and fails over a text or blob column that is neither in `words` of
a place nor in `WORDLESS`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import apsw

from omoide.domain.entity import name_key
from omoide.store.ageing import archive, archive_blocks
from omoide.store.entities import mentions
from omoide.store.erasure import free_text
from omoide.store.erasure.erased_words import ErasedWords, is_said_by_node, texts_in_value
from omoide.store.erasure.free_text import ErasableColumns, EraseColumns, ErasureState
from omoide.store.records import rows


def _delete_counted(db: apsw.Connection, statement: str, values: Mapping[str, object]) -> int:
    db.execute(statement, values)
    return int(db.changes())


# ── what goes with its node, by the file's own links ─────────────────────────────────────────────────────────────


def _erase_edges(db: apsw.Connection, doomed: ErasureState) -> int:
    return _delete_counted(
        db,
        """
        DELETE FROM edge
        WHERE source_id IN (SELECT value FROM json_each(:ids)) OR target_id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": doomed.chosen},
    )


def _erase_rows_of_nodes(table: str) -> EraseColumns:
    def erase(db: apsw.Connection, doomed: ErasureState) -> int:
        statement = f"DELETE FROM {table} WHERE node_id IN (SELECT value FROM json_each(:ids))"
        return _delete_counted(db, statement, {"ids": doomed.chosen})

    return erase


def _erase_token_states(db: apsw.Connection, doomed: ErasureState) -> int:
    return _delete_counted(
        db,
        """
        DELETE FROM token_state
        WHERE vector_id IN (SELECT id FROM vector WHERE node_id IN (SELECT value FROM json_each(:ids)))
        """,
        {"ids": doomed.chosen},
    )


def _erase_archived(db: apsw.Connection, doomed: ErasureState) -> int:
    """Their blocks are packed anew without them."""
    before = archive_blocks.byte_samples(db, doomed.ids)
    count = archive.erase_from_archive(db, doomed.ids)
    doomed.packed = archive_blocks.samples_not_in_blocks(db, before)
    return count


def _erase_nodes(db: apsw.Connection, doomed: ErasureState) -> int:
    """Its triggers take it out of the full-text index. From here on it is known which words nobody else has."""
    count = _delete_counted(
        db, "DELETE FROM node WHERE id IN (SELECT value FROM json_each(:ids))", {"ids": doomed.chosen}
    )
    doomed.sweep = ErasedWords(db, doomed.said)
    return count


# ── entities and relations ───────────────────────────────────────────────────────────────────────────────────────


def _erase_relations(db: apsw.Connection, doomed: ErasureState) -> int:
    """Those that came of an erased node or end at an erased entity, unless a fact that is kept says the same."""
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
        {"ids": doomed.chosen, "entity": doomed.entity_id},
    )
    count = 0
    for id, source, type, target, properties, *ends in list(found):
        doomed.said += texts_in_value(json.loads(properties), names=True)
        doomed.touched = (*doomed.touched, *ends)
        heir = _fact_stating(db, doomed, source, type, target)
        if heir is not None and doomed.entity_id is None:
            db.execute("UPDATE relation SET source_node_id = ?, properties = '{}' WHERE id = ?", (heir, id))
            continue
        doomed.relations.append(f"{source} {type} {target}")
        db.execute("DELETE FROM relation WHERE id = ?", (id,))
        count += 1
    return count


def _fact_stating(db: apsw.Connection, doomed: ErasureState, source: str, type: str, target: str) -> int | None:
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
        {"source": source, "type": type, "ids": doomed.chosen},
    )
    return next((id for id, object in found if name_key(object or "") == name_key(target)), None)


def _erase_entities(db: apsw.Connection, doomed: ErasureState) -> int:
    """The one that was asked for, and those of which nothing is left. The others lose what only the erased said."""
    count = 0
    for id in {*doomed.touched, *([doomed.entity_id] if doomed.entity_id is not None else [])}:
        row = db.execute("SELECT name, description, summary, attributes FROM entity WHERE id = ?", (id,)).fetchone()
        if row is None:
            continue
        if id == doomed.entity_id or not _is_mentioned(db, id):
            names = [each for (each,) in db.execute("SELECT name FROM entity_name WHERE entity_id = ?", (id,))]
            doomed.said += [each for each in (*row[:3], *names) if each]
            doomed.said += texts_in_value(json.loads(row[3]), names=True)
            doomed.entities.append(row[0])
            db.execute("DELETE FROM entity WHERE id = ?", (id,))
            count += 1
        else:
            _erase_names(db, id, row[0], doomed)
            _erase_summary(db, id, json.loads(row[3]), doomed)
    return count


def _is_mentioned(db: apsw.Connection, id: int) -> bool:
    found = db.execute(
        """
        SELECT EXISTS (SELECT 1 FROM node_entity WHERE entity_id = :id)
            OR EXISTS (SELECT 1 FROM relation WHERE source_id = :id OR target_id = :id)
        """,
        {"id": id},
    ).get
    return bool(found)


def _erase_names(db: apsw.Connection, id: int, canonical: str, doomed: ErasureState) -> None:
    """Takes away the names that stood in erased nodes and stand in no other; the last one stays."""
    gone = " ".join(f" {name_key(text)} " for text in doomed.said)
    names = list(db.execute("SELECT name FROM entity_name WHERE entity_id = ? ORDER BY is_alias", (id,)))
    lost = [name for (name,) in names if f" {name_key(name)} " in gone and not is_said_by_node(db, name)]
    kept = [name for (name,) in names if name not in lost]
    if not lost or not kept:
        return
    doomed.said += lost
    for name in lost:
        db.execute("DELETE FROM entity_name WHERE entity_id = ? AND name = ?", (id, name))
    if canonical in lost:
        db.execute("UPDATE OR IGNORE entity SET name = ? WHERE id = ?", (kept[0], id))
        db.execute("UPDATE entity_name SET is_alias = 0 WHERE entity_id = ? AND name = ?", (id, kept[0]))


def _erase_summary(db: apsw.Connection, id: int, attributes: dict[str, object], doomed: ErasureState) -> None:
    """A summary that an erased fact went into is made again from the others, when learning runs next."""
    of = json.loads(str(attributes.get("summary_of") or "[]"))
    if doomed.ids.intersection(of):
        attributes.pop("summary_of", None)
        db.execute("UPDATE entity SET summary = NULL, attributes = ? WHERE id = ?", (rows.to_json(attributes), id))
    mentions.recount_mentions(db, id)


# ── sessions and what waits to be learned ────────────────────────────────────────────────────────────────────────


def _erase_proposals(db: apsw.Connection, doomed: ErasureState) -> int:
    """A proposal that read an erased turn is made again without it."""
    statement = "DELETE FROM journal WHERE session_id IN (SELECT value FROM json_each(:sessions))"
    return _delete_counted(db, statement, {"sessions": json.dumps(doomed.said_in)})


def _erase_sessions(db: apsw.Connection, doomed: ErasureState) -> int:
    """One without a node left goes with its name. The others are counted anew, and their summary told it too."""
    count = 0
    for id in doomed.said_in:
        row = db.execute("SELECT name, summary, channel, learn_error FROM session WHERE id = ?", (id,)).fetchone()
        if row is None:
            continue
        if not db.execute("SELECT EXISTS (SELECT 1 FROM node WHERE session_id = ?)", (id,)).get:
            doomed.sessions.append(row[0])
            doomed.said += [each for each in row if each]
            db.execute("DELETE FROM session WHERE id = ?", (id,))
        else:
            doomed.said += [row[1]] if row[1] else []
            _recount_sessions(db, id)
        count += 1
    doomed.sweep = ErasedWords(db, doomed.said)
    return count


def _recount_sessions(db: apsw.Connection, id: int) -> None:
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


def _rebuild_text_index(db: apsw.Connection, doomed: ErasureState) -> int:
    """Deleting only marks words as gone; merging the whole index into one leaves nothing of them, nor of the wordings
    that were updated long ago."""
    for index in ("nodes_fts", "archive_fts"):
        db.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
    return 0


TEXT_INDEX = ErasableColumns(
    "full text",
    {
        f"{index}_{part}": columns
        for index in ("nodes_fts", "archive_fts")
        for part, columns in (("data", ("block",)), ("idx", ("term",)), ("docsize", ("sz",)))
    },
    _rebuild_text_index,
)

_NODE_TABLES = tuple(
    "text summary details attributes tags speaker task_id content_hash key folded_text folded_speaker folded_tags "
    "origin role".split()
)

ERASABLE: tuple[ErasableColumns, ...] = (
    ErasableColumns("relations", {"relation": ("type", "properties")}, _erase_relations),
    ErasableColumns("edges", {"edge": ("predicate", "evidence")}, _erase_edges),
    ErasableColumns("changes", {"change": ("before",)}, _erase_rows_of_nodes("change")),
    ErasableColumns("token states", {"token_state": ("data",)}, _erase_token_states),
    ErasableColumns("vectors", {"vector": ("data",)}, _erase_rows_of_nodes("vector")),
    ErasableColumns("waiting for a vector", {"embedding_queue": ("error",)}, _erase_rows_of_nodes("embedding_queue")),
    ErasableColumns(
        "bindings", {"binding": ("tool", "path", "command", "error", "key")}, _erase_rows_of_nodes("binding")
    ),
    ErasableColumns("archive", {"archive_block": ("data",), "archived": ("reason",)}, _erase_archived),
    ErasableColumns("nodes", {"node": _NODE_TABLES}, _erase_nodes),
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
    # From here on: whatever else says what only the erased said.
    ErasableColumns(
        "told of entities", {}, free_text.erase_texts("entity", "description", "summary", tied=free_text.TIED_ENTITY)
    ),
    ErasableColumns(
        "fields of entities", {}, free_text.erase_documents("entity", "attributes", tied=free_text.TIED_ENTITY)
    ),
    ErasableColumns(
        "fields of relations", {}, free_text.erase_documents("relation", "properties", tied=free_text.TIED_RELATION)
    ),
    ErasableColumns(
        "quotes on links",
        {},
        free_text.erase_documents("edge", "evidence", empty="[]", names=False, tied=free_text.TIED_LINK),
    ),
    ErasableColumns("names of links", {}, free_text.erase_texts("edge", "predicate")),
    ErasableColumns("names of relations", {}, free_text.delete_rows("relation", "type")),
    ErasableColumns(
        "earlier wordings", {}, free_text.erase_documents("change", "before", names=False, tied=free_text.TIED_NODE)
    ),
    ErasableColumns("records of merges", {"merge_move": ("before",)}, free_text.erase_merge_records),
    ErasableColumns(
        "history of entities",
        {},
        free_text.erase_documents("entity_change", "before", names=False, tied=free_text.TIED_TO_ENTITY),
    ),
    ErasableColumns("boards of live sessions", {"live_board": ("session", "board", "system")}, free_text.erase_boards),
    ErasableColumns("entries of tasks", {"task_entry": ("body",)}, free_text.delete_rows("task_entry", "body")),
    ErasableColumns(
        "bound to", {}, free_text.delete_rows("binding", "tool", "path", "command", "error", tied=free_text.TIED_NODE)
    ),
    ErasableColumns("reasons to archive", {}, free_text.erase_texts("archived", "reason", empty="")),
    ErasableColumns(
        "record of upkeep", {"job_run": ("why",)}, free_text.erase_texts("job_run", "why", tied=free_text.ALWAYS_TIED)
    ),
    ErasableColumns(
        "told of sessions", {}, free_text.erase_texts("session", "summary", "channel", tied=free_text.TIED_SESSION)
    ),
    ErasableColumns(
        "errors of learning", {}, free_text.erase_texts("session", "learn_error", tied=free_text.ALWAYS_TIED)
    ),
    ErasableColumns(
        "errors of embedding", {}, free_text.erase_texts("embedding_queue", "error", tied=free_text.ALWAYS_TIED)
    ),
    ErasableColumns("proposals", {}, free_text.delete_rows("journal", "proposal", tied=free_text.ALWAYS_TIED)),
    ErasableColumns(
        "tasks under way",
        {"ledger": ("agent_id", "current_task", "state", "context", "details")},
        free_text.erase_documents("ledger", "state", "context", "details"),
    ),
    ErasableColumns("named tasks", {}, free_text.erase_texts("ledger", "current_task")),
    ErasableColumns(
        "earlier checkpoints",
        {"checkpoint": ("agent_id", "current_task", "state", "context")},
        free_text.erase_documents("checkpoint", "state", "context"),
    ),
    ErasableColumns("tasks of earlier checkpoints", {}, free_text.erase_texts("checkpoint", "current_task", empty="")),
    ErasableColumns(
        "files of others", {"foreign_file": ("path", "body")}, free_text.erase_documents("foreign_file", "body")
    ),
    TEXT_INDEX,
)

# Where words of a node stand that is not here itself: all but what hangs on its row.
CHECKED_ON_IMPORT = ERASABLE[next(number for number, place in enumerate(ERASABLE) if place.name == "entities") :]

# Columns of text or bytes that hold no words of a memory: names of ours, numbers, random ids, keyed digests.
WITHOUT_TEXT: Mapping[str, tuple[str, ...]] = {
    "node": ("ulid", "kind", "source_type", "audience", "state"),
    "entity": ("ulid", "type"),
    "edge": ("type",),
    "relation": ("ulid",),
    "session": ("learning",),
    "change": ("verb",),
    "entity_change": ("verb",),
    "journal": ("extractor",),
    "embedding_model": ("name",),
    "counter": ("name",),
    "write_mark": ("writer",),
    "cache_invalidation": ("part",),
    "migration": ("name", "checksum"),
    "nodes_fts_config": ("k", "v"),
    "archive_fts_config": ("k", "v"),
    "cursor": ("name", "value"),  # ids and times of jobs
    "merge_move": ("kind",),
    "task": ("process",),
    "task_entry": ("what",),
    "spending": ("day",),
    "lease": ("name", "holder"),
    "maintenance_run": ("outcome",),
    "job_run": ("job", "outcome", "counts"),
    "erasure": ("receipt",),
    "tombstone": ("digest",),
    "tombstone_key": ("key",),
    "known_copy": ("path", "kind"),
}
