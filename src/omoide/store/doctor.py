"""Holding what is derived against the rows it is derived from, and making it again where it differs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import apsw

from omoide.store import archive, blocks, drift, fulltext, links, queue, remarks, rows, tokens, vectors
from omoide.store.finding import Finding
from omoide.text import fold

Check = Callable[[apsw.Connection, bool], Finding]


def examine(db: apsw.Connection, repair: bool) -> list[Finding]:
    """All checks of a file whose structure is sound, in an order in which a repair can rely on the ones before it."""
    checks = (links.check, _words, _folding, *drift.CHECKS, _text_index, _archive, _vectors, _tokens, _queue)
    return [*(check(db, repair) for check in checks), *remarks.all_of(db)]


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
        _look_afresh(db)
        seen = [str(row[0]) for row in db.execute("PRAGMA integrity_check(20)")]
    except apsw.CorruptError as error:  # so broken that even looking fails
        return [str(error)]
    return [] if seen == ["ok"] else seen


def _look_afresh(db: apsw.Connection) -> None:
    """A check alone trusts what this connection remembers of a text index, and takes what others merged since for
    corruption (SQLite 3.54); a question does not."""
    for index in ("nodes_fts", "archive_fts"):
        with suppress(apsw.CorruptError, apsw.SQLError):  # damaged, or a file without it: the check will tell
            db.execute(f"SELECT rowid FROM {index} WHERE {index} MATCH 'a' LIMIT 1").fetchall()


def _words(db: apsw.Connection, repair: bool) -> Finding:
    """Never repaired by itself: a changed word is the user's to judge."""
    written = db.execute("SELECT id, text, content_hash FROM node")
    packed = blocks.holding(db)
    away = {id for members in packed.values() for id in members}
    wrong = [id for id, text, kept in written if id not in away and rows.content_hash(text) != kept]
    wrong += archive.damaged(db)
    if not wrong:
        return Finding("words", True, "every text is as it was written")
    first = ", ".join(map(str, wrong[:5]))
    return Finding(
        "words",
        False,
        f"{len(wrong)} texts differ from their hash, first node {first}; compare them with a backup, and "
        "`omoide update ID TEXT` those that are wrong",
    )


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


def _archive(db: apsw.Connection, repair: bool) -> Finding:
    if archive.index_is_true(db):
        return Finding("archive", True, f"blocks and index hold the same {archive.count(db)} nodes")
    if repair:
        archive.rebuild(db)
    return Finding("archive", False, "blocks and index differ", repaired=repair and archive.index_is_true(db))


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
        WHERE
            vector.node_id IS NULL AND embedding_queue.node_id IS NULL
            AND node.state IN ('live', 'superseded')
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
