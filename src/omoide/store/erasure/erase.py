"""Erases nodes in one transaction: removes all their text, repairs what they were linked to, writes the receipt."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from omoide.clock import to_datetime, to_micros
from omoide.domain import Node
from omoide.domain.entity import name_key
from omoide.store.engine import connection
from omoide.store.engine.connection import Connection
from omoide.store.entities import entities, mentions
from omoide.store.erasure import closure, erased_words, receipts, tombstones
from omoide.store.erasure.erasable_columns import ERASABLE, TEXT_INDEX, has_rowid, worded_columns
from omoide.store.erasure.erased_words import OWN_FIELDS, UNSAID_FIELDS, ErasedWords, WordComparison, texts_in_value
from omoide.store.erasure.free_text import ErasureState
from omoide.store.erasure.receipts import ErasurePlan, ErasurePreview, ErasureReceipt, RederivedNode, TextMention
from omoide.store.records import edges, nodes, rows
from omoide.store.search import vectors


def join_turns(db: Connection, ids: Collection[int], now: int) -> None:
    """Links the turn before each gap to the turn after it."""
    for id in sorted(ids):
        before = db.execute("SELECT source_id FROM edge WHERE target_id = ? AND type = 'temporal'", (id,)).get
        after = db.execute("SELECT target_id FROM edge WHERE source_id = ? AND type = 'temporal'", (id,)).get
        db.execute("DELETE FROM edge WHERE type = 'temporal' AND (source_id = :id OR target_id = :id)", {"id": id})
        if before is not None and after is not None:
            edges.insert(db, before, after, "temporal", now)


def reassign_superseded(db: Connection, ids: Collection[int], now: int) -> list[int]:
    """Links nodes superseded by an erased node to its successor; returns those without a successor."""
    gone = set(ids)
    found = db.execute(
        """
        SELECT DISTINCT edge.target_id
        FROM edge
        JOIN node ON node.id = edge.target_id
        WHERE
            edge.type = 'supersedes' AND node.state = 'superseded'
            AND edge.source_id IN (SELECT value FROM json_each(:ids))
            AND edge.target_id NOT IN (SELECT value FROM json_each(:ids))
        ORDER BY 1
        """,
        {"ids": gone},
    )
    without_successor = []
    for (id,) in list(found):
        successor = _kept_successor(db, id, gone)
        if successor is None:
            without_successor.append(id)
        else:
            edges.insert(db, successor, id, "supersedes", now)
    return without_successor


def reinstate(db: Connection, ids: Collection[int], now: int) -> tuple[int, ...]:
    """Makes nodes live again whose successors are erased."""
    reinstated = [id for id in ids if _may_be_live(db, id)]
    for id in reinstated:
        _reinstate_node(db, id, now)
    return tuple(reinstated)


def _kept_successor(db: Connection, id: int, gone: set[int]) -> int | None:
    """The first successor in the chain that is not erased."""
    seen, ahead = {id}, [id]
    while ahead:
        found = db.execute(
            """
            SELECT source_id FROM edge
            WHERE type = 'supersedes' AND target_id IN (SELECT value FROM json_each(?)) ORDER BY id DESC
            """,
            (ahead,),
        )
        ahead = [row[0] for row in found if row[0] not in seen]
        seen |= set(ahead)
        kept = next((each for each in ahead if each not in gone), None)
        if kept is not None:
            return kept
    return None


def _may_be_live(db: Connection, id: int) -> bool:
    """Only one preference of a name may be live."""
    node = nodes.require(db, id)
    if node.kind != "preference" or not node.attributes.get("name"):
        return True
    return nodes.find_preference(db, node.attributes.get("category") or "other", node.attributes["name"]) is None


def _reinstate_node(db: Connection, id: int, now: int) -> None:
    """Restores the end of validity from the change that recorded the replacement."""
    until = db.execute(
        """
        SELECT before ->> 'valid_until'
        FROM change
        WHERE node_id = ? AND verb = 'superseded'
        ORDER BY id DESC
        LIMIT 1
        """,
        (id,),
    ).get
    db.update("node", id, {"state": "live", "state_at": now, "updated_at": now, "valid_until": until})
    db.insert("change", node_id=id, at=now, verb="reinstated")


MOST_MENTIONS = 1_000  # rows listed one by one

_FIXED_COLUMNS = frozenset({"role", "origin"})  # of a list, unless a tool or a program is named there
_FIXED_VALUES = frozenset({"user", "agent", "system"})
# The full-text index covers them, and no longer contains these words.
_INDEXED_COLUMNS = frozenset({"text", "content_hash", "key", "folded_text", "folded_speaker", "folded_tags"})
_UNSAID_COLUMNS = frozenset({"edge.predicate", "relation.type", "refusal.kind", "refusal.reason", "archived.reason"})
# Columns whose field names the user chose; elsewhere they are ours.
_NAMED_BY_USER = frozenset({"details", "properties", "state", "context", "body"})


def find_mentions(db: Connection, erased: ErasedWords) -> list[TextMention]:
    """Finds text outside of erased rows that contains erased words."""
    if not erased.words and not erased.short:
        return []
    return list(islice(_all_mentions(db, erased), MOST_MENTIONS))


def without_text(named: Iterable[TextMention]) -> tuple[TextMention, ...]:
    """As stored in a receipt."""
    return tuple(replace(each, text=None, word=None) for each in named)


def _all_mentions(db: Connection, erased: ErasedWords) -> Iterator[TextMention]:
    for table, columns in _searched_columns():
        row = "rowid" if has_rowid(db, table) else "NULL"
        for id, *values in db.execute(f"SELECT {row}, {', '.join(columns)} FROM {table}"):
            for column, value in zip(columns, values, strict=True):
                if column in _FIXED_COLUMNS and value in _FIXED_VALUES:
                    continue
                if not isinstance(value, str) or not erased(value):
                    continue
                texts = _texts_of_column(table, column, value)
                word = next((word for text in texts if (word := erased.word_in(text))), None)
                if word is not None:
                    own = db.execute("SELECT text FROM node WHERE id = ?", (id,)).get if table == "node" else value
                    yield TextMention(f"{table}.{column}", id, own, word)
                    if table == "node":  # listed once
                        break


def _searched_columns(*, unsaid: bool = False) -> Iterator[tuple[str, list[str]]]:
    for table, columns in worded_columns():
        said = (each for each in columns if unsaid or f"{table}.{each}" not in _UNSAID_COLUMNS)
        if searched := [each for each in said if each not in _INDEXED_COLUMNS]:
            yield table, searched


def _texts_of_column(table: str, column: str, value: str) -> list[str]:
    """The texts in a JSON document that somebody said, or the text itself."""
    if value[:1] in ("{", "["):
        try:
            document = json.loads(value)
            category = document.get("category") if isinstance(document, dict) else None  # may be a user's collection
            names = column in _NAMED_BY_USER or (table, column) == ("entity", "attributes")
            own = UNSAID_FIELDS if not names else OWN_FIELDS | {"worded"}
            return [*texts_in_value(document, names=names, own=own), *texts_in_value(category)]
        except ValueError:
            pass
    return [value]


@dataclass(frozen=True, slots=True)
class ErasedContent:
    """What an erasure removed and what to search for in the bytes. Contains erased text: never store it."""

    receipt: ErasureReceipt
    preview: ErasurePreview  # without the memories that are kept, and copies
    texts: tuple[str, ...]
    erased_words: ErasedWords
    search_terms: tuple[str | bytes, ...]  # first the samples of the archive, see `with_search_terms`
    since: int  # when the oldest erased node was recorded: older copies cannot hold it


def compare(db: Connection, plan: ErasurePlan) -> ErasurePlan:
    """The plan with what the words of its nodes share with all other texts: no word is compared while it is applied,
    except with texts that were written since."""
    texts = [*erased_words.texts_of_nodes(db, plan.ids), *_texts_beside(db, plan)]
    compared = WordComparison(db, texts, losing=len(plan.ids) + len(plan.rederived))
    for table, columns in _searched_columns(unsaid=True):
        held = db.execute(f"SELECT {', '.join(columns)} FROM {table}")
        compared.compare_all({each for row in held for each in row if isinstance(each, str)})
    return replace(plan, compared=compared, erasures=connection.last_erasure(db))


def _texts_beside(db: Connection, plan: ErasurePlan) -> Iterator[str]:
    """Texts of relations, entities and sessions that may go with the nodes."""
    target = plan.target
    name = None if target.entity is None else entities.require_whole_name(db, target.entity).id
    found = db.execute(
        """
        WITH
            gone (id) AS (SELECT value FROM json_each(:ids)),
            link AS (
                SELECT * FROM relation WHERE source_node_id IN gone OR source_id = :entity OR target_id = :entity
            ),
            touched (id) AS (
                SELECT entity_id FROM node_entity WHERE node_id IN gone
                UNION SELECT source_id FROM link UNION SELECT target_id FROM link UNION SELECT :entity
            )
        SELECT properties FROM link
        UNION ALL SELECT json_array(name, description, summary, json(attributes)) FROM entity WHERE id IN touched
        UNION ALL SELECT json_array(name) FROM entity_name WHERE entity_id IN touched
        UNION ALL
        SELECT json_array(name, summary, channel, learn_error) FROM session
        WHERE name = :session OR id IN (SELECT session_id FROM node WHERE id IN gone)
        """,
        {"ids": json.dumps(sorted(plan.ids)), "entity": name, "session": target.session},
    )
    for (each,) in found:
        yield from texts_in_value(json.loads(each), names=True)


def is_current(db: Connection, plan: ErasurePlan) -> bool:
    """Whether the plan still matches the file: someone may have written since."""
    if connection.last_erasure(db) != plan.erasures or closure.find_targets(db, plan.target, plan.ids) - plan.ids:
        return False
    found = closure.find_closure(db, plan.ids)
    return found.ids == plan.ids and {each.node.id for each in found.weakened} == {each.id for each in plan.rederived}


def erase(db: Connection, plan: ErasurePlan, now: int, *, rehearsal: bool = False) -> ErasedContent:
    """Carries out a plan; the caller's transaction makes it all or nothing. Freed pages are overwritten."""
    if not rehearsal:
        db.execute("PRAGMA secure_delete = ON")
    erased_nodes = nodes.fetch(db, plan.ids)
    same = _nodes_still_saying(db, erased_nodes, plan)
    state = _erasure_state(db, plan, now)
    _add_tombstones(db, erased_nodes.values(), now)
    join_turns(db, plan.ids, now)
    without_successor = reassign_superseded(db, plan.ids, now)
    for each in plan.rederived:
        rederive(db, each, now)
    texts_before = _entity_texts(db)
    counts = {group.name: group.erase(db, state) for group in ERASABLE if group is not TEXT_INDEX or not rehearsal}
    gone = (texts_before - _entity_texts(db)) | {("words", each) for each in state.relations}
    tombstones.add_entity_tombstones(db, sorted(gone), now=now, upto=receipts.highest_node_id(db))
    reinstated = reinstate(db, without_successor, now)
    containing = closure.still_containing(db, plan.target.query or "")
    assert state.erased_words is not None
    cleared_texts = tuple(state.cleared_texts[:MOST_MENTIONS])
    said = Counter(state.texts) - state.unsaid
    mentions_left = tuple(find_mentions(db, state.erased_words.said_in(said)))
    receipt = receipts.insert_receipt(
        db,
        ErasureReceipt(
            id=0,
            at=to_datetime(now),
            way=plan.target.way,
            ids=tuple(sorted(plan.ids)),
            counts={name: count for name, count in counts.items() if count},
            rederived=tuple(each.id for each in plan.rederived),
            reinstated=reinstated,
            still_stated=tuple(each.id for each in same),
            still_containing=tuple(each.id for each in containing),
            cleared_texts=without_text(cleared_texts),
            mentions=without_text(mentions_left),
        ),
    )
    if plan.target.words is not None:
        tombstones.add_request_tombstone(db, plan.target.words, receipt.id, now)
    preview = ErasurePreview(
        nodes=tuple(sorted(erased_nodes.values(), key=lambda node: (node.kind, node.id))),
        counts=receipt.counts,
        entities=tuple(state.entities),
        relations=tuple(state.relations),
        sessions=tuple(state.sessions),
        still_stated=same,
        still_containing=tuple(containing),
        cleared_texts=cleared_texts,
        mentions=mentions_left,
    )
    return ErasedContent(
        receipt,
        preview,
        tuple(state.texts),
        state.erased_words,
        tuple(state.archive_samples),
        min((to_micros(node.recorded_at) for node in erased_nodes.values()), default=now),
    )


def with_search_terms(db: Connection, erased: ErasedContent, *, rehearsal: bool = False) -> ErasedContent:
    """With the words to search for in the bytes, which are compared with every text that is left."""
    words = erased_words.search_words(db, erased.texts, erased.erased_words, rehearsal=rehearsal)
    return replace(erased, search_terms=(*words, *erased.search_terms))


def _erasure_state(db: Connection, plan: ErasurePlan, now: int) -> ErasureState:
    """Entities, sessions and texts of the nodes, read before they are deleted."""
    target = plan.target
    spoken_of = db.column(
        "SELECT DISTINCT entity_id FROM node_entity WHERE node_id IN (SELECT value FROM json_each(?))", (plan.ids,)
    )
    sessions = db.column(
        """
        SELECT id
        FROM session
        WHERE
            name = :name
            OR id IN (SELECT session_id FROM node WHERE id IN (SELECT value FROM json_each(:ids)))
        """,
        {"name": target.session, "ids": plan.ids},
    )
    texts = erased_words.texts_of_nodes(db, plan.ids)
    return ErasureState(
        ids=plan.ids,
        now=now,
        entity_id=None if target.entity is None else entities.require_whole_name(db, target.entity).id,
        session=target.session,
        entity_ids=tuple(spoken_of),
        session_ids=tuple(sessions),
        weakened=frozenset(each.id for each in plan.rederived),
        compared=plan.compared,
        texts=texts,
        unsaid=Counter(texts) - Counter(erased_words.texts_of_nodes(db, plan.ids, UNSAID_FIELDS)),
    )


def _entity_texts(db: Connection) -> set[tuple[str, str]]:
    """Texts and names of entities: those that are missing afterwards get tombstones."""
    return set(
        db.execute(
            """
            SELECT 'entity', ulid FROM entity
            UNION
            SELECT 'words', description FROM entity WHERE description IS NOT NULL
            UNION
            SELECT 'words', summary FROM entity WHERE summary IS NOT NULL
            UNION
            SELECT 'name', name FROM entity_name
            """
        )
    )


def _add_tombstones(db: Connection, erased_nodes: Collection[Node], now: int) -> None:
    upto = receipts.highest_node_id(db)
    for node in erased_nodes:
        tombstones.add_tombstone(db, node, to_micros(node.event_at), now=now, upto=upto)


def _nodes_still_saying(db: Connection, erased_nodes: Mapping[int, Node], plan: ErasurePlan) -> tuple[Node, ...]:
    """Kept nodes that say the same: the sources of erased nodes and nodes with equal text."""
    kept = closure.sources_of(db, plan.ids) - plan.ids
    same = db.column(
        """
        SELECT id
        FROM node
        WHERE
            lower(hex(content_hash)) IN (SELECT value FROM json_each(:hashes))
            AND id NOT IN (SELECT value FROM json_each(:ids))
        """,
        {"hashes": [rows.content_hash(node.text).hex() for node in erased_nodes.values()], "ids": plan.ids},
    )
    return tuple(nodes.fetch_in_order(db, sorted(kept.union(same))))


def rederive(db: Connection, each: RederivedNode, now: int) -> None:
    """Rewrites a memory from its remaining evidence. Its earlier texts go, since they may quote erased nodes."""
    before = nodes.require(db, each.id)
    changes: dict[str, Any] = {"updated_at": now}
    if each.confidence is not None:
        changes["confidence"] = each.confidence
    if each.event_at is not None:
        changes |= {"event_at": each.event_at, "valid_from": each.valid_from}
    if each.attributes is not None:
        changes["attributes"] = rows.to_json(dict(each.attributes) or None)
    if each.text is not None:
        changes |= rows.text_columns(each.text, each.token_count)
        changes |= {"summary": None, "details": rows.to_json(each.details)}
    if not each.keeps_identity:
        session = db.execute("SELECT session_id FROM node WHERE id = ?", (each.source,)).get
        changes |= {"key": None, "session_id": session}
    db.update("node", each.id, changes)
    edges.insert_many(db, [(each.id, source, "derived_from") for source in each.based_on], now)
    db.execute("DELETE FROM change WHERE node_id = ? AND verb IN ('update', 'evidence')", (each.id,))
    db.insert("change", node_id=each.id, at=now, verb="rederived")
    if each.text is not None and name_key(each.text) != name_key(before.text):
        vectors.requeue(db, each.id)
        db.execute("DELETE FROM node_entity WHERE node_id = ?", (each.id,))
        mentions.add_mentions(db, each.id, each.entities)


def checkpoint_log(db: Connection) -> bool:
    """Moves the write-ahead log into the file and truncates it; False while someone reads an older state."""
    busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (0, 0, 0)
    return not busy
