"""Holding what is derived against the rows it is derived from, and making it again where it differs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import apsw

from omoide.store import fulltext, queue, rows, tokens, vectors
from omoide.text import fold


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what was looked at, whether it holds, what was seen, whether it was mended."""

    check: str
    ok: bool
    detail: str
    repaired: bool = False


Check = Callable[[apsw.Connection, bool], Finding]


def examine(db: apsw.Connection, repair: bool) -> list[Finding]:
    """All checks of a file whose structure is sound, in an order in which a repair can rely on the ones before it."""
    checks = (_links, _words, _folding, _text_index, _vectors, _tokens, _queue, _sessions)
    return [check(db, repair) for check in checks]


def structure(db: apsw.Connection) -> Finding:
    """Pages and indexes. Only reads: on broken pages every other answer would be a guess, and every write harm."""
    seen = [each for each in _broken(db) if "nodes_fts" not in each]  # the text index has a check of its own
    if not seen:
        return Finding("file structure", True, "every page and index is sound")
    return Finding(
        "file structure", False, f"{'; '.join(seen[:3])}; copy the file away, then restore a backup or `.recover` it"
    )


def _broken(db: apsw.Connection) -> list[str]:
    try:
        seen = [str(row[0]) for row in db.execute("PRAGMA integrity_check(20)")]
    except apsw.CorruptError as error:  # so broken that even looking fails
        return [str(error)]
    return [] if seen == ["ok"] else seen


def _links(db: apsw.Connection, repair: bool) -> Finding:
    seen = [(table, rowid) for table, rowid, *_ in db.execute("PRAGMA foreign_key_check")]
    if not seen:
        return Finding("links", True, "every link leads to a row")
    if repair:
        for table in {table for table, _ in seen} & {"edge", "vector", "token_state", "embedding_queue", "change"}:
            db.executemany(f"DELETE FROM {table} WHERE rowid = ?", [(rowid,) for name, rowid in seen if name == table])
        db.execute(  # has no rowid
            """
            DELETE FROM node_entity
            WHERE node_id NOT IN (SELECT id FROM node) OR entity_id NOT IN (SELECT id FROM entity)
            """
        )
    left = len(list(db.execute("PRAGMA foreign_key_check")))
    return Finding("links", False, f"{len(seen)} lead nowhere", repaired=repair and left == 0)


def _words(db: apsw.Connection, repair: bool) -> Finding:
    """Never repaired by itself: a changed word is the user's to judge."""
    written = db.execute("SELECT id, text, content_hash FROM node")
    wrong = [id for id, text, kept in written if rows.content_hash(text) != kept]
    if not wrong:
        return Finding("words", True, "every text is as it was written")
    return Finding("words", False, f"{len(wrong)} texts differ from their hash, first node {wrong[0]}")


def _folding(db: apsw.Connection, repair: bool) -> Finding:
    wrong = []
    for id, text, speaker, tags, *kept in db.execute(
        "SELECT id, text, speaker, tags, folded_text, folded_speaker, folded_tags FROM node"
    ):
        should = [fold(text), fold(speaker) if speaker else None, fold(tags) if tags else None]
        if kept != should:
            wrong.append((*should, id))
    if wrong and repair:
        db.executemany("UPDATE node SET folded_text = ?, folded_speaker = ?, folded_tags = ? WHERE id = ?", wrong)
    detail = f"{len(wrong)} texts were folded in another way" if wrong else "the index is given what it should be"
    return Finding("folding", not wrong, detail, repaired=bool(wrong) and repair)


def _text_index(db: apsw.Connection, repair: bool) -> Finding:
    if fulltext.is_true(db):
        return Finding("full text", True, "rows and index hold the same words")
    if repair:
        fulltext.rebuild(db)
    return Finding("full text", False, "rows and index differ", repaired=repair and fulltext.is_true(db))


def _vectors(db: apsw.Connection, repair: bool) -> Finding:
    wrong = [
        id
        for id, data, dimensions in db.execute(
            """
            SELECT vector.id, vector.data, embedding_model.dimensions
            FROM vector
            JOIN embedding_model ON embedding_model.id = vector.model_id
            """
        )
        if not vectors.is_sound(data, dimensions)
    ]
    if wrong and repair:
        db.executemany("DELETE FROM vector WHERE id = ?", [(id,) for id in wrong])
        queue.refill(db)
    detail = f"{len(wrong)} vectors are not what their model makes" if wrong else "every vector is one of its model's"
    return Finding("vectors", not wrong, detail, repaired=bool(wrong) and repair)


def _tokens(db: apsw.Connection, repair: bool) -> Finding:
    wrong = db.execute(f"SELECT count(*) FROM token_state WHERE length(data) % {tokens.BYTES} <> 0").get
    missing = db.execute(
        """
        SELECT count(*)
        FROM vector
        JOIN embedding_model ON embedding_model.id = vector.model_id
        LEFT JOIN token_state ON token_state.vector_id = vector.id
        LEFT JOIN embedding_queue ON embedding_queue.node_id = vector.node_id
        WHERE
            embedding_model.current
            AND embedding_model.gives_tokens
            AND token_state.vector_id IS NULL
            AND embedding_queue.node_id IS NULL
        """
    ).get
    if not wrong and not missing:
        return Finding("token states", True, "every vector has the states its model gives, or waits for them")
    if repair:
        db.execute(f"DELETE FROM token_state WHERE length(data) % {tokens.BYTES} <> 0")
        queue.refill(db)
    return Finding("token states", False, f"{wrong} are cut off, {missing} are missing", repaired=repair)


def _queue(db: apsw.Connection, repair: bool) -> Finding:
    missing = db.execute(
        """
        SELECT count(*)
        FROM node
        LEFT JOIN vector ON vector.node_id = node.id
            AND vector.model_id IN (SELECT id FROM embedding_model WHERE current)
        LEFT JOIN embedding_queue ON embedding_queue.node_id = node.id
        WHERE vector.node_id IS NULL AND embedding_queue.node_id IS NULL
        """
    ).get
    given_up, reason = queue.failed(db)
    if not missing and not given_up:
        return Finding("embedding", True, f"every node has a vector or waits for one ({queue.waiting(db)} waiting)")
    if repair:
        queue.refill(db)
    detail = f"{missing} nodes have no vector and wait for none"
    if given_up:
        detail += f"; {given_up} were given up ({reason})"
    return Finding("embedding", False, detail, repaired=repair)


def _sessions(db: apsw.Connection, repair: bool) -> Finding:
    wrong = list(
        db.execute(
            """
            SELECT session.id, count(node.id)
            FROM session
            LEFT JOIN node ON
                node.session_id = session.id AND node.kind = 'episode' AND node.attributes ->> 'compression' IS NULL
            GROUP BY session.id
            HAVING count(node.id) <> session.episode_count
            """
        )
    )
    if wrong and repair:
        db.executemany("UPDATE session SET episode_count = ? WHERE id = ?", [(count, id) for id, count in wrong])
    detail = f"{len(wrong)} sessions miscount their episodes" if wrong else "every session counts its episodes right"
    return Finding("sessions", not wrong, detail, repaired=bool(wrong) and repair)
