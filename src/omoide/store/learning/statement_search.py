"""Finds stored statements about the same matter, and the statements that were refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from omoide.clock import DAY
from omoide.domain import Node
from omoide.domain.entity import name_key
from omoide.store.engine.connection import Connection
from omoide.store.records import nodes
from omoide.store.search.fulltext import make_tokenizer

_MOST_WITH_WORDS = 300  # newest memories with the words of a statement that are compared with it


@dataclass(frozen=True, slots=True)
class StatementSearch:
    """Where statements are looked for: by subject and slot, by matter, and by words."""

    subjects: tuple[str, ...]
    slots: tuple[str, ...] = ()
    matter: str | None = None
    words: str = ""  # FTS5 expression of what a statement of the same subject and matter contains
    announced: str = ""  # FTS5 expression of what a statement that an announced change means contains, of any subject


def find(db: Connection, search: StatementSearch) -> list[Node]:
    """Statements that may be about the same matter, newest first. An archived one is current too."""
    found = {*_of_slot(db, search), *_of_matter(db, search.matter), *_with_words(db, search.words)}
    meant = set(_with_words(db, search.announced))
    names = {name_key(name) for name in search.subjects}
    held = nodes.fetch_in_order(db, sorted(found | meant, reverse=True))
    # A text of which nobody knows whom it is about may repeat any statement.
    return [each for each in held if not names or each.id in meant or _subject_of(each) in {"", *names}]


def _of_slot(db: Connection, search: StatementSearch) -> list[int]:
    return db.column(
        """
        SELECT id
        FROM node
        WHERE
            kind = 'fact' AND state IN ('live', 'archived')
            AND attributes ->> 'subject' IN (SELECT value FROM json_each(:subjects))
            AND attributes ->> 'predicate' IN (SELECT value FROM json_each(:slots))
        """,
        {"subjects": search.subjects, "slots": search.slots},
    )


def _of_matter(db: Connection, matter: str | None) -> list[int]:
    return db.column(
        """
        SELECT id
        FROM node
        WHERE
            kind IN ('fact', 'preference', 'opinion', 'procedure') AND state IN ('live', 'archived')
            AND coalesce(attributes ->> 'matter', attributes ->> 'name', attributes ->> 'about') = ?
        """,
        (matter,),
    )


def _with_words(db: Connection, expression: str) -> list[int]:
    if not expression:
        return []
    return db.column(
        """
        SELECT node.id
        FROM (SELECT rowid FROM nodes_fts WHERE nodes_fts MATCH :words ORDER BY rowid DESC LIMIT :limit) AS found
        JOIN node ON node.id = found.rowid
        WHERE
            node.kind IN ('fact', 'preference', 'opinion', 'procedure') AND node.state IN ('live', 'archived')
            AND node.source_type <> 'consolidation'
        """,
        {"words": f"text : ({expression})", "limit": _MOST_WITH_WORDS},
    )


def word_counts(db: Connection, words: Sequence[str]) -> tuple[dict[str, int], int]:
    """How many memories contain each of the words, and about how many memories there are."""
    cut = make_tokenizer(db)
    terms = {word: tokens[0] for word in words if (tokens := cut(word))}
    counted = "SELECT term, doc FROM word WHERE term IN (SELECT value FROM json_each(?))"
    counts = dict(db.execute(counted, (terms.values(),)))
    total = db.execute("SELECT coalesce(max(id), 0) FROM node").get
    return {word: int(counts[term]) for word, term in terms.items() if term in counts}, int(total)


def _subject_of(node: Node) -> str:
    return name_key(node.attributes.get("subject") or node.attributes.get("holder") or "")


# What learning found in a turn and did not keep, and why: kept for a month, for the inbox of the page.


_KEPT = 30 * DAY
_LONGEST = 1_000  # characters


@dataclass(frozen=True, slots=True)
class RefusedStatement:
    """A statement of a turn that was not kept. The time is in microseconds."""

    id: int
    node: int
    kind: str
    text: str
    reason: str
    at: int


def note_refusal(db: Connection, refused: Iterable[tuple[int, str, str, str]]) -> None:
    """Notes (turn, kind, text, reason) of each; older ones than a month are deleted."""
    rows = [(turn, kind, text[:_LONGEST], reason[:_LONGEST], db.now) for turn, kind, text, reason in refused]
    if not rows:
        return
    db.execute("DELETE FROM refusal WHERE at < ?", (db.now - _KEPT,))
    db.executemany("INSERT OR IGNORE INTO refusal (node_id, kind, text, reason, at) VALUES (?, ?, ?, ?, ?)", rows)


def refused_since(db: Connection, since: int, limit: int) -> list[RefusedStatement]:
    """Those since a moment, the latest first."""
    found = db.execute(
        """
        SELECT id, node_id, kind, text, reason, at
        FROM refusal
        WHERE at >= :since
        ORDER BY id DESC
        LIMIT :limit
        """,
        {"since": since, "limit": limit},
    )
    return [RefusedStatement(*row) for row in found]


def find_refused(db: Connection, id: int) -> RefusedStatement | None:
    row = db.execute("SELECT id, node_id, kind, text, reason, at FROM refusal WHERE id = ?", (id,)).fetchone()
    return None if row is None else RefusedStatement(*row)


def delete_refused(db: Connection, id: int) -> None:
    db.execute("DELETE FROM refusal WHERE id = ?", (id,))
