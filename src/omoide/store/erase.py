"""Erasing: one transaction in which everything goes that was decided on, or nothing does."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import apsw

from omoide.clock import micros, moment
from omoide.layers import Node
from omoide.layers.entity import name_key
from omoide.store import (
    closure,
    edges,
    entities,
    mend,
    mentions,
    needles,
    nodes,
    queue,
    receipts,
    rows,
    spoken,
    tombstone,
)
from omoide.store.doomed import Doomed
from omoide.store.forgotten import Erasing, Mention, Receipt, Rederived
from omoide.store.places import INDEX, PLACES
from omoide.text import fold


@dataclass(frozen=True, slots=True)
class Gone:
    """What a transaction took away, and what to look for in the bytes. Its words are for the eyes of the caller."""

    receipt: Receipt
    nodes: tuple[Node, ...]
    entities: tuple[str, ...]
    relations: tuple[str, ...]
    sessions: tuple[str, ...]
    still_says: tuple[Node, ...]
    swept: tuple[Mention, ...]
    mentions: tuple[Mention, ...]
    needles: tuple[str | bytes, ...]
    since: int  # when the first of it was recorded: copies made earlier cannot hold it


def is_still(db: apsw.Connection, erasing: Erasing) -> bool:
    """Whether what was decided is what there is: somebody may have written since."""
    if closure.named(db, erasing.target) - erasing.ids:
        return False
    found = closure.closed(db, erasing.ids)
    return found.ids == erasing.ids and {each.node.id for each in found.shaken} == {
        each.id for each in erasing.rederived
    }


def erase(db: apsw.Connection, erasing: Erasing, now: int, *, rehearsal: bool = False) -> Gone:
    """Everything goes or nothing does. Freed pages are overwritten as they are freed, unless it is taken back."""
    if not rehearsal:
        db.execute("PRAGMA secure_delete = ON")
    held = nodes.fetch(db, erasing.ids)
    twins = _still_saying(db, held, erasing)
    doomed = _doomed(db, erasing, now)
    _bury(db, held.values(), now)
    mend.join_talk(db, erasing.ids, now)
    free = mend.bequeath(db, erasing.ids, now)
    for each in erasing.rederived:
        rederive(db, each, now)
    told = _told(db)
    counts = {place.name: place.erase(db, doomed) for place in PLACES if place is not INDEX or not rehearsal}
    gone = (told - _told(db)) | {("words", each) for each in doomed.relations}
    tombstone.bury_beside(db, sorted(gone), now=now, upto=receipts.highest(db))
    revived = mend.revive(db, free, now)
    assert doomed.sweep is not None
    swept = tuple(doomed.swept[: mentions.MOST])
    left = tuple(mentions.found(db, doomed.sweep))
    receipt = receipts.write(
        db,
        Receipt(
            id=0,
            at=moment(now),
            way=erasing.target.way,
            ids=tuple(sorted(erasing.ids)),
            counts={name: count for name, count in counts.items() if count},
            stays=tuple(each.id for each in erasing.rederived),
            revived=revived,
            still_says=tuple(each.id for each in twins),
            swept=mentions.wordless(swept),
            mentions=mentions.wordless(left),
        ),
    )
    if erasing.target.words is not None:
        tombstone.bury_asked(db, erasing.target.words, receipt.id, now)
    return Gone(
        receipt,
        tuple(sorted(held.values(), key=lambda node: (node.kind, node.id))),
        tuple(doomed.entities),
        tuple(doomed.relations),
        tuple(doomed.sessions),
        twins,
        swept,
        left,
        (*needles.needles(db, doomed.said, doomed.sweep), *doomed.packed),
        min((micros(node.recorded_at) for node in held.values()), default=now),
    )


def _doomed(db: apsw.Connection, erasing: Erasing, now: int) -> Doomed:
    target, chosen = erasing.target, json.dumps(sorted(erasing.ids))
    spoken_of = db.execute(
        "SELECT DISTINCT entity_id FROM node_entity WHERE node_id IN (SELECT value FROM json_each(?))", (chosen,)
    )
    sessions = db.execute(
        """
        SELECT id
        FROM session
        WHERE
            name = :name
            OR id IN (SELECT session_id FROM node WHERE id IN (SELECT value FROM json_each(:ids)))
        """,
        {"name": target.session, "ids": chosen},
    )
    return Doomed(
        ids=erasing.ids,
        now=now,
        entity_id=None if target.entity is None else entities.require(db, target.entity).id,
        session=target.session,
        touched=tuple(row[0] for row in spoken_of),
        said_in=tuple(row[0] for row in sessions),
        shaken=frozenset(each.id for each in erasing.rederived),
        said=needles.said(db, erasing.ids),
    )


def _told(db: apsw.Connection) -> set[tuple[str, str]]:
    """What is known of entities beside the nodes: those of which some is gone afterwards leave digests of it."""
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


def _bury(db: apsw.Connection, held: Collection[Node], now: int) -> None:
    upto = receipts.highest(db)
    for node in held:
        tombstone.bury(db, node, micros(node.event_at), now=now, upto=upto)


def _still_saying(db: apsw.Connection, held: Mapping[int, Node], erasing: Erasing) -> tuple[Node, ...]:
    """What is kept and says the same: what an erased node was learned from, and whoever else has its very words."""
    kept = closure.sources(db, erasing.ids) - erasing.ids
    hashes = json.dumps([rows.content_hash(node.text).hex() for node in held.values()])
    same = db.execute(
        """
        SELECT id
        FROM node
        WHERE lower(hex(content_hash)) IN (SELECT value FROM json_each(:hashes)) AND id NOT IN (
            SELECT value FROM json_each(:ids)
        )
        """,
        {"hashes": hashes, "ids": json.dumps(sorted(erasing.ids))},
    )
    found = nodes.fetch(db, kept | {row[0] for row in same})
    return tuple(found[id] for id in sorted(found))


def rederive(db: apsw.Connection, each: Rederived, now: int) -> None:
    """The memory as its other evidence has it. Its earlier wordings go: who knows whose words they were."""
    before = nodes.require(db, each.id)
    changes: dict[str, Any] = {"updated_at": now} | ({} if each.condensed else {"key": None})
    if each.confidence is not None:
        changes["confidence"] = each.confidence
    if each.event_at is not None:
        changes |= {"event_at": each.event_at, "valid_from": each.valid_from}
    if each.attributes is not None:
        changes["attributes"] = rows.dump(dict(each.attributes) or None)
    if each.text is not None:
        changes |= {
            "text": each.text,
            "folded_text": fold(each.text),
            "content_hash": rows.content_hash(each.text),
            "token_count": each.token_count,
            "summary": None,
            "details": rows.dump(each.details),
        }
    assignments = ", ".join(f"{name} = :{name}" for name in changes)
    db.execute(
        f"""
        UPDATE node
        SET
            {assignments},
            session_id = iif(
                :condensed, session_id, (SELECT rest.session_id FROM node AS rest WHERE rest.id = :source)
            )
        WHERE id = :id
        """,
        changes | {"id": each.id, "source": each.source, "condensed": each.condensed},
    )
    edges.insert_many(db, [(each.id, source, "derived_from") for source in each.rests_on], now)
    db.execute("DELETE FROM change WHERE node_id = ? AND verb IN ('update', 'evidence')", (each.id,))
    db.execute("INSERT INTO change (node_id, at, verb) VALUES (?, ?, 'rederived')", (each.id, now))
    if each.text is not None and name_key(each.text) != name_key(before.text):
        queue.renew(db, each.id)
        db.execute("DELETE FROM node_entity WHERE node_id = ?", (each.id,))
        spoken.mention(db, each.id, each.entities, now)


def checkpointed(db: apsw.Connection) -> bool:
    """Folds the log into the file and cuts it to nothing; not while somebody reads an older state."""
    busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (0, 0, 0)
    return not busy
