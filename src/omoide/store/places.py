"""Every place of the file in which words may stand, and how each gives up those of erased nodes.

A new table belongs here: a test walks the schema and fails over a text or blob column that is neither in `words` of
a place nor in `WORDLESS`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import apsw

from omoide.layers.entity import name_key
from omoide.store import archive, blocks, loose, rows, spoken
from omoide.store.doomed import Doomed, Erase, Place
from omoide.store.needles import leaves
from omoide.store.sweep import Sweep, stands


def _counted(db: apsw.Connection, statement: str, values: Mapping[str, object]) -> int:
    db.execute(statement, values)
    return int(db.changes())


# ── what goes with its node, by the file's own links ─────────────────────────────────────────────────────────────


def _edges(db: apsw.Connection, doomed: Doomed) -> int:
    return _counted(
        db,
        """
        DELETE FROM edge
        WHERE source_id IN (SELECT value FROM json_each(:ids)) OR target_id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": doomed.chosen},
    )


def _of_nodes(table: str) -> Erase:
    def erase(db: apsw.Connection, doomed: Doomed) -> int:
        statement = f"DELETE FROM {table} WHERE node_id IN (SELECT value FROM json_each(:ids))"
        return _counted(db, statement, {"ids": doomed.chosen})

    return erase


def _token_states(db: apsw.Connection, doomed: Doomed) -> int:
    return _counted(
        db,
        """
        DELETE FROM token_state
        WHERE vector_id IN (SELECT id FROM vector WHERE node_id IN (SELECT value FROM json_each(:ids)))
        """,
        {"ids": doomed.chosen},
    )


def _archive(db: apsw.Connection, doomed: Doomed) -> int:
    """Their blocks are packed anew without them."""
    before = blocks.pieces(db, doomed.ids)
    count = archive.erase(db, doomed.ids)
    doomed.packed = blocks.no_longer_packed(db, before)
    return count


def _nodes(db: apsw.Connection, doomed: Doomed) -> int:
    """Its triggers take it out of the full-text index. From here on it is known which words nobody else has."""
    count = _counted(db, "DELETE FROM node WHERE id IN (SELECT value FROM json_each(:ids))", {"ids": doomed.chosen})
    doomed.sweep = Sweep(db, doomed.said)
    return count


# ── entities and relations ───────────────────────────────────────────────────────────────────────────────────────


def _relations(db: apsw.Connection, doomed: Doomed) -> int:
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
        doomed.said += leaves(json.loads(properties), names=True)
        doomed.touched = (*doomed.touched, *ends)
        heir = _also_says(db, doomed, source, type, target)
        if heir is not None and doomed.entity_id is None:
            db.execute("UPDATE relation SET source_node_id = ?, properties = '{}' WHERE id = ?", (heir, id))
            continue
        doomed.relations.append(f"{source} {type} {target}")
        db.execute("DELETE FROM relation WHERE id = ?", (id,))
        count += 1
    return count


def _also_says(db: apsw.Connection, doomed: Doomed, source: str, type: str, target: str) -> int | None:
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


def _entities(db: apsw.Connection, doomed: Doomed) -> int:
    """The one that was asked for, and those of which nothing is left. The others lose what only the erased said."""
    count = 0
    for id in {*doomed.touched, *([doomed.entity_id] if doomed.entity_id is not None else [])}:
        row = db.execute("SELECT name, description, summary, attributes FROM entity WHERE id = ?", (id,)).fetchone()
        if row is None:
            continue
        if id == doomed.entity_id or not _spoken_of(db, id):
            names = [each for (each,) in db.execute("SELECT name FROM entity_name WHERE entity_id = ?", (id,))]
            doomed.said += [each for each in (*row[:3], *names) if each]
            doomed.said += leaves(json.loads(row[3]), names=True)
            doomed.entities.append(row[0])
            db.execute("DELETE FROM entity WHERE id = ?", (id,))
            count += 1
        else:
            _unname(db, id, row[0], doomed)
            _untell(db, id, json.loads(row[3]), doomed)
    return count


def _spoken_of(db: apsw.Connection, id: int) -> bool:
    found = db.execute(
        """
        SELECT EXISTS (SELECT 1 FROM node_entity WHERE entity_id = :id)
            OR EXISTS (SELECT 1 FROM relation WHERE source_id = :id OR target_id = :id)
        """,
        {"id": id},
    ).get
    return bool(found)


def _unname(db: apsw.Connection, id: int, canonical: str, doomed: Doomed) -> None:
    """Takes away the names that stood in erased nodes and stand in no other; the last one stays."""
    gone = " ".join(f" {name_key(text)} " for text in doomed.said)
    names = list(db.execute("SELECT name FROM entity_name WHERE entity_id = ? ORDER BY is_alias", (id,)))
    lost = [name for (name,) in names if f" {name_key(name)} " in gone and not stands(db, name)]
    kept = [name for (name,) in names if name not in lost]
    if not lost or not kept:
        return
    doomed.said += lost
    for name in lost:
        db.execute("DELETE FROM entity_name WHERE entity_id = ? AND name = ?", (id, name))
    if canonical in lost:
        db.execute("UPDATE OR IGNORE entity SET name = ? WHERE id = ?", (kept[0], id))
        db.execute("UPDATE entity_name SET is_alias = 0 WHERE entity_id = ? AND name = ?", (id, kept[0]))


def _untell(db: apsw.Connection, id: int, attributes: dict[str, object], doomed: Doomed) -> None:
    """A summary that an erased fact went into is made again from the others, when learning runs next."""
    of = json.loads(str(attributes.get("summary_of") or "[]"))
    if doomed.ids.intersection(of):
        attributes.pop("summary_of", None)
        db.execute("UPDATE entity SET summary = NULL, attributes = ? WHERE id = ?", (rows.dump(attributes), id))
    spoken.recount(db, id)


# ── sessions and what waits to be learned ────────────────────────────────────────────────────────────────────────


def _journal(db: apsw.Connection, doomed: Doomed) -> int:
    """A proposal that read an erased turn is made again without it."""
    statement = "DELETE FROM journal WHERE session_id IN (SELECT value FROM json_each(:sessions))"
    return _counted(db, statement, {"sessions": json.dumps(doomed.said_in)})


def _sessions(db: apsw.Connection, doomed: Doomed) -> int:
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
            _recount(db, id)
        count += 1
    doomed.sweep = Sweep(db, doomed.said)
    return count


def _recount(db: apsw.Connection, id: int) -> None:
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


def _index(db: apsw.Connection, doomed: Doomed) -> int:
    """Deleting only marks words as gone; merging the whole index into one leaves nothing of them, nor of the wordings
    that were updated long ago."""
    for index in ("nodes_fts", "archive_fts"):
        db.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
    return 0


INDEX = Place(
    "full text",
    {
        f"{index}_{part}": columns
        for index in ("nodes_fts", "archive_fts")
        for part, columns in (("data", ("block",)), ("idx", ("term",)), ("docsize", ("sz",)))
    },
    _index,
)

_OF_A_NODE = tuple(
    "text summary details attributes tags speaker task_id content_hash key folded_text folded_speaker folded_tags "
    "origin role".split()
)

PLACES: tuple[Place, ...] = (
    Place("relations", {"relation": ("type", "properties")}, _relations),
    Place("edges", {"edge": ("predicate", "evidence")}, _edges),
    Place("changes", {"change": ("before",)}, _of_nodes("change")),
    Place("token states", {"token_state": ("data",)}, _token_states),
    Place("vectors", {"vector": ("data",)}, _of_nodes("vector")),
    Place("waiting for a vector", {"embedding_queue": ("error",)}, _of_nodes("embedding_queue")),
    Place("bindings", {"binding": ("tool", "path", "command", "error", "key")}, _of_nodes("binding")),
    Place("archive", {"archive_block": ("data",), "archived": ("reason",)}, _archive),
    Place("nodes", {"node": _OF_A_NODE}, _nodes),
    Place(
        "entities",
        {
            "entity": ("name", "description", "summary", "attributes"),
            "entity_name": ("key", "name"),
            "entity_vector": ("data",),
            "entity_change": ("before",),
        },
        _entities,
    ),
    Place("journal", {"journal": ("proposal",)}, _journal),
    Place("sessions", {"session": ("name", "channel", "summary", "learn_error")}, _sessions),
    # From here on: whatever else says what only the erased said.
    Place("told of entities", {}, loose.texts("entity", "description", "summary", tied=loose.ENTITY)),
    Place("fields of entities", {}, loose.documents("entity", "attributes", tied=loose.ENTITY)),
    Place("fields of relations", {}, loose.documents("relation", "properties", tied=loose.RELATION)),
    Place("quotes on links", {}, loose.documents("edge", "evidence", empty="[]", names=False, tied=loose.LINK)),
    Place("names of links", {}, loose.texts("edge", "predicate")),
    Place("names of relations", {}, loose.deleted("relation", "type")),
    Place("earlier wordings", {}, loose.documents("change", "before", names=False, tied=loose.NODE)),
    Place("records of merges", {"moved": ("was",)}, loose.merges),
    Place("history of entities", {}, loose.documents("entity_change", "before", names=False, tied=loose.OF_ENTITY)),
    Place("boards of live sessions", {"live": ("session", "board", "system")}, loose.boards),
    Place("entries of tasks", {"task_entry": ("body",)}, loose.deleted("task_entry", "body")),
    Place("bound to", {}, loose.deleted("binding", "tool", "path", "command", "error", tied=loose.NODE)),
    Place("reasons to archive", {}, loose.texts("archived", "reason", empty="")),
    Place("record of upkeep", {"run": ("why",)}, loose.texts("run", "why", tied=loose.MADE)),
    Place("told of sessions", {}, loose.texts("session", "summary", "channel", tied=loose.SESSION)),
    Place("errors of learning", {}, loose.texts("session", "learn_error", tied=loose.MADE)),
    Place("errors of embedding", {}, loose.texts("embedding_queue", "error", tied=loose.MADE)),
    Place("proposals", {}, loose.deleted("journal", "proposal", tied=loose.MADE)),
    Place(
        "tasks under way",
        {"ledger": ("agent_id", "current_task", "state", "context", "details")},
        loose.documents("ledger", "state", "context", "details"),
    ),
    Place("named tasks", {}, loose.texts("ledger", "current_task")),
    Place(
        "earlier checkpoints",
        {"checkpoint": ("agent_id", "current_task", "state", "context")},
        loose.documents("checkpoint", "state", "context"),
    ),
    Place("tasks of earlier checkpoints", {}, loose.texts("checkpoint", "current_task", empty="")),
    Place("files of others", {"foreign_file": ("path", "body")}, loose.documents("foreign_file", "body")),
    INDEX,
)

# Where words of a node stand that is not here itself: all but what hangs on its row.
BESIDE = PLACES[next(number for number, place in enumerate(PLACES) if place.name == "entities") :]

# Columns of text or bytes that hold no words of a memory: names of ours, numbers, random ids, keyed digests.
WORDLESS: Mapping[str, tuple[str, ...]] = {
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
    "stale": ("what",),
    "migration": ("name", "checksum"),
    "nodes_fts_config": ("k", "v"),
    "archive_fts_config": ("k", "v"),
    "bookmark": ("name", "value"),  # ids and times of jobs
    "moved": ("what",),
    "task": ("process",),
    "task_entry": ("what",),
    "spending": ("day",),
    "lease": ("name", "holder"),
    "round": ("outcome",),
    "run": ("job", "outcome", "counts"),
    "erasure": ("receipt",),
    "tombstone": ("digest",),
    "tombstone_key": ("key",),
    "copy": ("path", "kind"),
}
