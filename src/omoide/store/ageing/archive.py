"""The archive: nodes whose text is compressed into blocks. They are searched like others and restored exactly.

Their row stays, with its times, links, vector, token states and words in the full-text index. A withdrawn node is
stored the same way, but is not searched: a program took it back.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from omoide.errors import Damaged
from omoide.language.registry import words_of
from omoide.language.sentences import asks_to_keep, holds_content
from omoide.language.text import index_text, is_everyday_word, is_function_word, starts_sentence
from omoide.store.ageing import archive_blocks
from omoide.store.ageing.archive_blocks import ARCHIVED_COLUMNS, ArchivedText
from omoide.store.engine.connection import Connection
from omoide.store.records import rows
from omoide.store.search import fulltext


@dataclass(frozen=True, slots=True)
class ArchiveRequest:
    """A node to archive and why. A withdrawn node is no longer searched."""

    id: int
    reason: str
    state: Literal["archived", "withdrawn"] = "archived"


@dataclass(frozen=True, slots=True)
class _LiveNode:
    session: int | None
    state_at: int
    speaker: str | None
    words: ArchivedText

    @property
    def length(self) -> int:
        """Characters of the text without a leading speaker name."""
        named = bool(self.speaker) and self.words.text.startswith(f"{self.speaker}:")
        return len(self.words.text) - (len(self.speaker or "") + 1 if named else 0)


def archive_nodes(db: Connection, requests: Sequence[ArchiveRequest], now: int) -> list[int]:
    """Archives live nodes: their text moves into blocks; rows, links, vectors and index entries stay."""
    by_id = {each.id: each for each in requests}
    found = _read_nodes(db, by_id, "state = 'live'")
    _insert_archived(db, found, by_id)
    for id in found:
        request = by_id[id]
        _strip_text(db, id, {"state": request.state, "state_at": now})
        db.insert("change", node_id=id, at=now, verb=request.state, before=rows.to_json({"reason": request.reason}))
    return list(found)


def archive_imported(db: Connection, id: int, state_at: int, reason: str) -> bool:
    """Archives the text of an imported node that is archived; False if it is live here."""
    found = _read_nodes(db, [id], "state IN ('archived', 'withdrawn')")
    for live in found.values():
        _insert_archived(db, {id: replace(live, state_at=state_at)}, {id: ArchiveRequest(id, reason)})
        _strip_text(db, id, {})
    return bool(found)


def restore_node(db: Connection, id: int) -> bool:
    """Puts the text back into the row and makes the node live; False if its text is not in the archive."""
    words = archive_blocks.archived_texts(db, [id]).get(id)
    if words is None:
        return False
    if words is archive_blocks.DAMAGED:
        raise Damaged(f"the archived text of memory {id} is damaged; restore it from a backup")
    state_at = db.execute("SELECT state_at FROM archived WHERE node_id = ?", (id,)).get
    db.update("node", id, words.named | {"folded_text": index_text(words.text), "state": "live", "state_at": state_at})
    archive_blocks.remove_from_blocks(db, [id])
    db.insert("change", node_id=id, at=db.now, verb="restored")
    return True


def erase_from_archive(db: Connection, ids: Iterable[int]) -> int:
    """Removes the text of these nodes from blocks and index; returns how many had text here. Rows are not touched."""
    found = db.column("SELECT node_id FROM archived WHERE node_id IN (SELECT value FROM json_each(?))", (ids,))
    damaged = archive_blocks.DAMAGED in archive_blocks.archived_texts(db, found).values()
    db.execute(
        """
        INSERT INTO nodes_fts (nodes_fts, rowid, text, speaker, tags)
        SELECT 'delete', id, text, speaker, tags
        FROM indexed_text_with_archive
        WHERE id IN (SELECT value FROM json_each(?))
        """,
        (found,),
    )
    archive_blocks.remove_from_blocks(db, found)
    if damaged:  # nobody knows which words of the index were theirs
        fulltext.rebuild_index(db)
    return len(found)


def delete_texts(db: Connection, ids: Iterable[int]) -> None:
    """Deletes the text of archived nodes for good; their rows, times and links stay, withdrawn."""
    for id in ids:
        erase_from_archive(db, [id])
        empty: dict[str, Any] = {"text": "", "attributes": None, "content_hash": rows.content_hash("")}
        db.update("node", id, dict.fromkeys(("summary", "details", "folded_text")) | empty | {"state": "withdrawn"})
        db.execute("DELETE FROM vector WHERE node_id = ?", (id,))  # token states are deleted with it
        db.execute("DELETE FROM embedding_queue WHERE node_id = ?", (id,))


def archived_count(db: Connection) -> int:
    """The number of archived nodes, from a counter."""
    return int(db.execute("SELECT value FROM counter WHERE name = 'archived'").get or 0)


def with_archived_text(db: Connection, found: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows of rows.SELECT, the words of those that are out of use put back into them."""
    away = [row[0] for row in found if row[rows.STATE_COLUMN] in ("archived", "withdrawn")]
    archived = archive_blocks.archived_texts(db, away) if away else {}
    return [rows.replace_columns(row, archived[row[0]].named) if row[0] in archived else row for row in found]


def damaged_nodes(db: Connection) -> list[int]:
    """Nodes whose archived text is missing or does not match its hash."""
    hashes = dict(db.execute("SELECT node.id, content_hash FROM archived JOIN node ON node.id = archived.node_id"))
    wrong: list[int] = []
    for block, members in archive_blocks.blocks_of(db).items():
        held = archive_blocks.read_block(db, block)
        wrong += [id for id in members if id not in held or rows.content_hash(held[id].text) != hashes.get(id)]
    return sorted(wrong)


def is_sound(db: Connection) -> bool:
    """Whether the table of archived nodes matches the blocks, the state of the nodes and its counter."""
    differ = db.execute(
        """
        SELECT
            EXISTS (
                SELECT node_id FROM archived
                EXCEPT
                SELECT id FROM node WHERE state IN ('archived', 'withdrawn')
            )
            OR (SELECT count(*) FROM archived) <> (SELECT value FROM counter WHERE name = 'archived')
        """
    ).get
    known = archive_blocks.blocks_of(db)
    stored = ((block, archive_blocks.read_block(db, block)) for block in db.column("SELECT id FROM archive_block"))
    return not differ and all(held.keys() <= set(known.get(block, ())) for block, held in stored)


def repair(db: Connection) -> None:
    """Counts again, and removes text of unknown nodes from the blocks."""
    archive_blocks.remove_unknown(db)
    db.execute("UPDATE counter SET value = (SELECT count(*) FROM archived) WHERE name = 'archived'")


def _read_nodes(db: Connection, ids: Iterable[int], condition: str) -> dict[int, _LiveNode]:
    found = db.execute(
        f"""
        SELECT id, session_id, state_at, speaker, {", ".join(ARCHIVED_COLUMNS)}
        FROM node
        WHERE {condition} AND id IN (SELECT value FROM json_each(?))
        ORDER BY id
        """,
        (ids,),
    )
    return {
        id: _LiveNode(session, state_at, speaker, ArchivedText(*words))
        for id, session, state_at, speaker, *words in list(found)
    }


def _insert_archived(db: Connection, found: Mapping[int, _LiveNode], by_id: Mapping[int, ArchiveRequest]) -> None:
    by_session: dict[int | None, dict[int, ArchivedText]] = defaultdict(dict)
    for id, live in found.items():
        by_session[live.session][id] = live.words
    for session, words in by_session.items():
        places = archive_blocks.add_to_blocks(db, session, words)
        db.executemany(
            "INSERT INTO archived (node_id, block_id, length, state_at, reason) VALUES (?, ?, ?, ?, ?)",
            [(id, places[id], found[id].length, found[id].state_at, by_id[id].reason) for id in words],
        )


def _strip_text(db: Connection, id: int, state: Mapping[str, Any]) -> None:
    """Clears the long columns of the row; the hash stays."""
    db.update("node", id, dict.fromkeys((*ARCHIVED_COLUMNS, "folded_text")) | {"text": ""} | dict(state))


# Decides whether a turn may be archived: only if live memories that were made from it state its content, or if it has
# none. The decision is made once for each turn, and again when another memory is made from it.


_WORD = re.compile(r"\w+(?:[.,:/'’-]\w+)*")  # "4.51", "don't" and "10:30" are one word each
_CONTRACTION = re.compile(r"(?:n['’]t|['’]\w+)\Z")
_EVERYDAY_WORDS = 1_000  # the most frequent English words: what they say is seldom the point of a turn
_WORDS_SHOWN = 5  # in a reason
_TEXT_SHOWN = 200  # characters of a text in the report


@dataclass(frozen=True, slots=True)
class RetentionDecision:
    """What happens to a turn that is past its retention date, and why."""

    id: int
    text: str
    archived: bool
    reason: str
    for_ever: bool = False  # a person asked to keep it


@dataclass(frozen=True, slots=True)
class Batch:
    """The nodes to consider next: at most so many after an id; with `among` only these."""

    after: int
    limit: int
    among: tuple[int, ...] | None = None

    def clause(self, column: str) -> str:
        """The condition on the id column, for the parameters of `values`."""
        chosen = f" AND {column} IN (SELECT value FROM json_each(:among))" if self.among is not None else ""
        return f"{column} > :after{chosen}"

    @property
    def values(self) -> dict[str, Any]:
        return {"after": self.after, "limit": self.limit, "among": self.among}


@dataclass(frozen=True, slots=True)
class _DueTurn:
    id: int
    session: int | None
    role: str | None
    text: str


def decide_due_turns(db: Connection, batch: Batch, now: int) -> list[RetentionDecision]:
    """Decisions about the next turns past their retention date, ordered by id. Turns that were not learned from yet
    are not due."""
    due = _due_turns(db, batch, now)
    carriers = _live_carriers(db, [turn.id for turn in due])
    vocabulary = _Vocabulary(db)
    return [_decide(db, turn, carriers.get(turn.id, {}), vocabulary) for turn in due]


def apply_decisions(db: Connection, decisions: Sequence[RetentionDecision], now: int) -> None:
    """Archives what is carried and marks what stays."""
    archive_nodes(db, [ArchiveRequest(each.id, each.reason) for each in decisions if each.archived], now)
    db.executemany(
        "UPDATE node SET stays_since = ?, expires_at = iif(?, NULL, expires_at) WHERE id = ?",
        [(now, each.for_ever, each.id) for each in decisions if not each.archived],
    )


def _due_turns(db: Connection, batch: Batch, now: int) -> list[_DueTurn]:
    found = db.execute(
        f"""
        SELECT node.id, node.session_id, node.role, node.text
        FROM node INDEXED BY node_expiring
        LEFT JOIN session ON session.id = node.session_id
        WHERE
            node.state = 'live' AND node.expires_at IS NOT NULL AND node.stays_since IS NULL
            AND node.expires_at <= :now AND {batch.clause("node.id")}
            AND node.kind = 'episode' AND node.attributes ->> 'compression' IS NULL
            AND (session.id IS NULL OR session.learned_upto >= node.id)
            AND NOT EXISTS (SELECT 1 FROM change WHERE change.node_id = node.id AND change.verb = 'restored')
        ORDER BY node.id
        LIMIT :limit
        """,
        batch.values | {"now": now},
    )
    return [_DueTurn(*row) for row in found]


def _live_carriers(db: Connection, ids: Sequence[int]) -> dict[int, dict[int, str]]:
    """The words of live memories that were made from each turn. A summary counts in its final form only."""
    found = db.execute(
        """
        SELECT edge.target_id, node.id, node.text || ' ' || coalesce(node.attributes, '')
        FROM edge
        JOIN node ON node.id = edge.source_id
        WHERE
            edge.type = 'derived_from' AND edge.target_id IN (SELECT value FROM json_each(?))
            AND node.state = 'live' AND coalesce(node.attributes ->> 'compression', 'distilled') = 'distilled'
        ORDER BY node.id
        """,
        (ids,),
    )
    carriers: dict[int, dict[int, str]] = defaultdict(dict)
    for turn, id, text in found:
        carriers[turn][id] = text
    return carriers


def _decide(db: Connection, turn: _DueTurn, carriers: Mapping[int, str], vocabulary: _Vocabulary) -> RetentionDecision:
    decision = partial(RetentionDecision, turn.id, turn.text[:_TEXT_SHOWN])
    if _was_asked_to_keep(db, turn):
        return decision(False, "a person asked to keep it", for_ever=True)
    if not holds_content(turn.text, by_agent=turn.role != "user"):
        return decision(True, "it holds no content: a greeting, thanks or an acknowledgement")
    if not carriers:
        return decision(False, "no live memory was made from it")
    missing = vocabulary.missing(turn.text, carriers.values())
    if missing:
        more = f" and {len(missing) - _WORDS_SHOWN} more" if len(missing) > _WORDS_SHOWN else ""
        return decision(False, f"no live memory made from it states: {', '.join(missing[:_WORDS_SHOWN])}{more}")
    stated = ", ".join(f"[id:{id}]" for id in list(carriers)[:_WORDS_SHOWN])
    return decision(True, f"its content is stated by {stated}")


def _was_asked_to_keep(db: Connection, turn: _DueTurn) -> bool:
    """By itself, or by what the user said next: "Put that somewhere safe." """
    if turn.role == "user" and asks_to_keep(turn.text):
        return True
    following = db.execute(
        """
        SELECT text
        FROM node
        WHERE
            session_id = ? AND id > ? AND kind = 'episode' AND role = 'user' AND attributes ->> 'compression' IS NULL
        ORDER BY id
        LIMIT 1
        """,
        (turn.session, turn.id),
    ).get
    return bool(following) and asks_to_keep(following)


class _Vocabulary:
    """Tells which words of a text are its content: names, numbers, dates and words that are not everyday."""

    def __init__(self, db: Connection) -> None:
        self._cut = fulltext.make_tokenizer(db)
        self._minor = words_of("stop_words", "minor_words")

    def missing(self, text: str, others: Iterable[str]) -> list[str]:
        """The content words of a text that occur in none of the others, as written."""
        known = {stem for other in others for stem in self._stems(other)}
        content = list(self._content(text))
        telling = [word for word in content if self._is_telling(word)] or content
        return list(dict.fromkeys(word for word in telling if not known.issuperset(self._stems(word))))

    def _content(self, text: str) -> Iterator[str]:
        """Words as written, but in lower case at the beginning of a sentence, where a capital does not make a name."""
        for found in _WORD.finditer(text):
            word = found[0].lower() if starts_sentence(text, found.start()) else found[0]
            plain = _CONTRACTION.sub("", word.lower())
            minor = plain in self._minor or all(map(is_function_word, self._stems(plain)))
            if _has_digit(word) or not minor:
                yield word

    def _is_telling(self, word: str) -> bool:
        """A name, a number, or a word that is not everyday."""
        everyday = all(is_everyday_word(stem, _EVERYDAY_WORDS) for stem in self._stems(word))
        return _has_digit(word) or not word.islower() or not everyday

    def _stems(self, text: str) -> list[str]:
        return self._cut(index_text(text) or text)


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))
