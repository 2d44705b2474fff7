"""Imports records of other systems in batches; records that are known stay as they are, unless their words changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Literal, Protocol

from omoide.clock import to_micros
from omoide.domain import Draft, Entity, Node
from omoide.domain.edge import NOTE_RELATIONS
from omoide.domain.kinds import STATEMENT_KINDS
from omoide.domain.trust import outranked
from omoide.store.ageing import retention
from omoide.store.engine.connection import Connection
from omoide.store.entities import entities
from omoide.store.entities.entities import EntityProfile
from omoide.store.erasure import tombstones
from omoide.store.learning.learning_transaction import LearningTransaction, WriteStatement
from omoide.store.records import edges, nodes, proposals


@dataclass(frozen=True, slots=True)
class ForeignNode:
    """A node and the entities it mentions. `version` is the key of its wording, if the other system may change it;
    `dated`: the other system says when it was written."""

    draft: Draft
    about: tuple[EntityProfile, ...] = ()
    version: bytes | None = None
    dated: bool = True


@dataclass(frozen=True, slots=True)
class ForeignRelation:
    """A relation between two entities."""

    source: EntityProfile
    type: str
    target: EntityProfile


@dataclass(frozen=True, slots=True)
class ForeignLink:
    """A link between two nodes, by their keys."""

    source: bytes
    target: bytes
    type: str
    predicate: str | None


ForeignItem = ForeignNode | EntityProfile | ForeignRelation | ForeignLink


def foresee(db: Connection, batch: Sequence[ForeignItem]) -> list[str]:
    """What importing each item would do: added, updated, proposed or same."""
    recorded = RecordedNodes(db)
    return [_foreseen(db, item, recorded) for item in batch]


def _foreseen(db: Connection, item: ForeignItem, recorded: RecordedNodes) -> str:
    revision = _revision(db, item)
    if revision is not None:
        return revision.outcome
    return "same" if is_known(db, item, recorded) else "added"


def _revision(db: Connection, item: ForeignItem) -> Revision | None:
    if not isinstance(item, ForeignNode) or item.version is None:
        return None
    return revision_of(db, item.draft, item.version, item.dated)


def is_known(db: Connection, item: ForeignItem, recorded: RecordedNodes) -> bool:
    """Whether importing it would change nothing."""
    match item:
        case ForeignNode():
            return recorded.holds(item.draft)
        case EntityProfile():
            known = entities.find(db, item.name, item.type)
            return known is not None and _new_details(known, item) is None
        case ForeignRelation():
            return _is_related(db, item)
        case ForeignLink():
            return _is_linked(db, item)


def import_foreign(db: Connection, batch: Sequence[ForeignItem], writer: StatementWriting) -> list[str]:
    """The outcome of each item: added, updated, proposed (a new wording of what the user corrected here), same,
    forgotten (erased here on request) or lost (one end is missing)."""
    outcomes: list[str] = []
    drafts: list[tuple[int, Draft]] = []
    recorded = RecordedNodes(db)
    guard = tombstones.TombstoneGuard(db, db.now, len(batch), brought=True)
    for number, item in enumerate(batch):
        if isinstance(item, ForeignNode) and item.version and any(each.key == item.draft.key for _, each in drafts):
            _insert_drafts(db, drafts, outcomes, writer.write)  # an earlier wording of the same memory
            drafts = []
        revision = _revision(db, item)
        if revision is not None and revision.outcome != "same":
            outcomes.append(_revise(db, item, revision, guard, writer))
        elif revision is not None or is_known(db, item, recorded):
            outcomes.append("same")
        elif guard.armed and _is_erased_item(db, item, guard):
            outcomes.append("forgotten")
        elif isinstance(item, ForeignNode):
            outcomes.append("added")
            drafts.append((number, _with_entities(item.draft, [_save_entity(db, each) for each in item.about])))
        elif isinstance(item, EntityProfile):
            _save_entity(db, _without_erased_text(item, guard))
            outcomes.append("added")
        elif isinstance(item, ForeignRelation):
            outcomes.append(_relate(db, item))
        else:
            outcomes.append("")  # linked below, once all nodes exist
    _insert_drafts(db, drafts, outcomes, writer.write)
    for number, item in enumerate(batch):
        if isinstance(item, ForeignLink) and not outcomes[number]:
            outcomes[number] = _link(db, item)
    return outcomes


def _revise(
    db: Connection, item: ForeignItem, found: Revision, guard: tombstones.TombstoneGuard, writer: StatementWriting
) -> str:
    assert isinstance(item, ForeignNode)
    assert item.version is not None
    if guard.armed and _is_erased_item(db, item, guard):
        return "forgotten"
    draft = _with_entities(item.draft, [_save_entity(db, each) for each in item.about])
    revise(db, found, draft, item.version, writer)
    return found.outcome


def _with_entities(draft: Draft, about: Sequence[Entity]) -> Draft:
    """Adds the entities; the subject gets the name under which the entity is known here."""
    told = dict(draft.attributes)
    if about and "subject" in told:
        told["subject"] = about[0].name
    ids = dict.fromkeys((*draft.entities, *(each.id for each in about)))
    return replace(draft, attributes=told, entities=tuple(ids))


def _is_erased_item(db: Connection, item: ForeignItem, guard: tombstones.TombstoneGuard) -> bool:
    """Whether it would bring back erased content. An entity comes with the nodes that mention it."""
    match item:
        case ForeignNode():
            return guard.refuses(item.draft) is not None
        case EntityProfile():
            return _is_erased_entity(db, item, guard)
        case ForeignRelation():
            words = f"{item.source.name} {item.type} {item.target.name}"
            return guard.knows_words(words) or any(
                _is_erased_entity(db, each, guard) for each in (item.source, item.target)
            )
        case ForeignLink():
            return False


def _is_erased_entity(db: Connection, given: EntityProfile, guard: tombstones.TombstoneGuard) -> bool:
    return guard.knows_name(given.name) and entities.find(db, given.name, given.type) is None


def _without_erased_text(given: EntityProfile, guard: tombstones.TombstoneGuard) -> EntityProfile:
    """Without erased paragraphs."""
    kept = [each for each in (given.description or "").split("\n\n") if each and not guard.knows_words(each)]
    return replace(given, description="\n\n".join(kept) or None)


def _insert_drafts(
    db: Connection, drafts: Sequence[tuple[int, Draft]], outcomes: list[str], write: WriteStatement
) -> None:
    transaction = LearningTransaction(db)
    last = db.execute("SELECT coalesce(max(id), 0) FROM node").get
    for stated, group in groupby(drafts, lambda each: each[1].kind in STATEMENT_KINDS):
        found = list(group)
        given = [draft for _, draft in found]
        stored = [write(transaction, draft) for draft in given] if stated else nodes.insert(db, given)
        for (number, _), node in zip(found, stored, strict=True):
            outcomes[number] = "forgotten" if node.state == "erased" else "added" if node.id > last else "same"
            last = max(last, node.id if node.state != "erased" else 0)
    _end_sessions(db, {draft.session for _, draft in drafts if draft.session is not None})


def _end_sessions(db: Connection, sessions: set[str]) -> None:
    """Ends imported sessions with their last turn."""
    db.execute(
        """
        UPDATE session
        SET ended_at = last_at, learning = 'pending'
        WHERE ended_at IS NULL AND name IN (SELECT value FROM json_each(?))
        """,
        (sessions,),
    )


class RecordedNodes:
    """Nodes recorded live, without a key; read once per session and batch."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._sessions: dict[str, frozenset[tuple[str, str]]] = {}

    def holds(self, draft: Draft) -> bool:
        """Whether the node is known: by key, as the same turn of its session, or as the same fact about its subject."""
        if self._db.execute("SELECT 1 FROM node WHERE key = ? AND key IS NOT NULL", (draft.key,)).get:
            return True
        if draft.kind == "fact" and "subject" in draft.attributes:
            return self._observes(draft)
        if draft.kind != "episode" or draft.session is None:
            return False
        if draft.session not in self._sessions:
            self._sessions[draft.session] = self._of(draft.session)
        return (draft.role or "", draft.text) in self._sessions[draft.session]

    def _observes(self, draft: Draft) -> bool:
        """Whether the graph has the fact already."""
        known = entities.find(self._db, draft.attributes["subject"])
        found = self._db.execute(
            """
            SELECT 1
            FROM node
            WHERE attributes ->> 'subject' = :subject AND kind = 'fact' AND state = 'live' AND text = :text
            """,
            {"subject": known.name if known else draft.attributes["subject"], "text": draft.text},
        )
        return found.get is not None

    def _of(self, session: str) -> frozenset[tuple[str, str]]:
        found = self._db.execute(
            """
            SELECT coalesce(node.role, ''), node.text
            FROM session
            JOIN node ON node.session_id = session.id
            WHERE session.name = ? AND node.key IS NULL AND node.kind = 'episode'
            """,
            (session,),
        )
        return frozenset(found)


def _new_details(known: Entity, given: EntityProfile) -> EntityProfile | None:
    """What a profile adds: imports fill gaps and never overwrite."""
    added = EntityProfile(
        name=given.name,
        type=given.type if known.type == "other" and given.type not in (None, "other") else None,
        aliases=tuple(each for each in given.aliases if each not in known.aliases and each != known.name),
        description=given.description if known.description is None else None,
        attributes={key: value for key, value in (given.attributes or {}).items() if key not in known.attributes},
    )
    return added if added.type or added.aliases or added.description or added.attributes else None


def _save_entity(db: Connection, given: EntityProfile) -> Entity:
    known = entities.find(db, given.name, given.type)
    if known is not None:
        news = _new_details(known, given)
        return known if news is None else entities.save(db, replace(news, type=news.type or known.type))
    saved = entities.save(db, given)
    retention.keep_entity(db, saved.id)
    return saved


def _is_related(db: Connection, tie: ForeignRelation) -> bool:
    source, target = (entities.find(db, each.name, each.type) for each in (tie.source, tie.target))
    if source is None or target is None:
        return False
    known = "SELECT 1 FROM relation WHERE source_id = ? AND target_id = ? AND type = ?"
    return db.execute(known, (source.id, target.id, tie.type)).get is not None


def _relate(db: Connection, tie: ForeignRelation) -> str:
    source, target = _save_entity(db, tie.source), _save_entity(db, tie.target)
    if source.id == target.id and tie.source.name != tie.target.name:  # two entities there, one here
        return "lost"
    entities.upsert_relation(db, (source.id, target.id), tie.type, properties={"origin": "import"})
    return "added"


def _relation_ends(db: Connection, link: ForeignLink) -> tuple[int, int] | None:
    found = [db.execute("SELECT id FROM node WHERE key = ?", (key,)).get for key in (link.source, link.target)]
    return None if None in found or found[0] == found[1] else (int(found[0]), int(found[1]))


def _is_linked(db: Connection, link: ForeignLink) -> bool:
    ends = _relation_ends(db, link)
    if ends is None:
        return False
    found = db.execute("SELECT 1 FROM edge WHERE source_id = ? AND target_id = ? AND type = ?", (*ends, link.type)).get
    return found is not None


def _link(db: Connection, link: ForeignLink) -> str:
    ends = _relation_ends(db, link)
    if ends is None:
        return "lost"
    edges.upsert(db, ends, link.type, predicate=link.predicate)
    return "added"


def node_by_ulid(db: Connection, ulid: str) -> Node | None:
    found = db.execute("SELECT id FROM node WHERE ulid = ?", (ulid,)).get
    return None if found is None else nodes.require(db, found)


def exported_nodes(db: Connection) -> list[int]:
    """Nodes that a `.loki/memory` folder contains: all that came from one, and our own of the same kinds.

    Where an imported node came from is out of sight while it is out of use, so all of those are among them.
    """
    return db.column(
        """
        SELECT id
        FROM node
        WHERE
            details ->> '$.loki' IS NOT NULL
            OR state IN ('archived', 'withdrawn') AND origin = 'import'
            OR state = 'live' AND kind IN ('pattern', 'antipattern', 'fact', 'note', 'handoff')
            AND coalesce(attributes ->> 'category', '') <> 'ledger'
            OR id IN (SELECT node_id FROM task WHERE number IS NOT NULL)
        ORDER BY id
        """
    )


def exported_links(db: Connection) -> list[tuple[int, str, int]]:
    """Links of the types that the .loki format knows."""
    found = db.execute(
        """
        SELECT source_id, type, target_id
        FROM edge
        WHERE type IN (SELECT value FROM json_each(?)) AND valid_until IS NULL
        ORDER BY id
        """,
        (NOTE_RELATIONS,),
    )
    return list(found)


def save_foreign_file(db: Connection, path: str, body: Any) -> bool:
    """Stores a file unchanged; returns whether it is new or changed."""
    dumped = json.dumps(body, ensure_ascii=False)
    if db.execute("SELECT body FROM foreign_file WHERE path = ?", (path,)).get == dumped:
        return False
    db.upsert("foreign_file", ["path"], path=path, body=dumped)
    return True


def foreign_files(db: Connection) -> dict[str, Any]:
    return {path: json.loads(body) for path, body in db.execute("SELECT path, body FROM foreign_file ORDER BY path")}


def tasks_ended_since(db: Connection, since: int) -> list[tuple[int, dict[str, Any]]]:
    """(start, attributes) of finished tasks."""
    found = db.execute(
        """
        SELECT node.event_at, node.attributes
        FROM task
        JOIN node ON node.id = task.node_id
        WHERE task.number IS NOT NULL AND node.event_at >= :since
        ORDER BY node.event_at
        """,
        {"since": since},
    )
    return [(int(at), json.loads(attributes or "{}")) for at, attributes in found]


# New wordings of imported memories: another system changed the text of a memory that it had before.


class StatementWriting(Protocol):
    """Reads and stores statements, compared with what is known, and replaces them."""

    def completed(self, draft: Draft) -> Draft: ...

    def write(self, transaction: LearningTransaction, draft: Draft) -> Node: ...

    def replace(self, transaction: LearningTransaction, old: int, draft: Draft, until: int | None) -> Node: ...


@dataclass(frozen=True, slots=True)
class Revision:
    """What a memory with a known key would do here: nothing, replace `held`, or become a proposal to the user."""

    outcome: Literal["same", "updated", "proposed"]
    held: Node | None = None


def revision_of(db: Connection, draft: Draft, version: bytes, dated: bool) -> Revision | None:
    """What importing this wording would do; None if the memory is not known here.

    `version` is the key of this wording, the draft's own key that of the memory. `dated`: the file says when it was
    written; only a later wording replaces one that is held.
    """
    first = nodes.find_by_evidence(db, draft.key)
    if first is None:
        return None
    current = nodes.require(db, nodes.latest_version(db, first.id))
    older = dated and draft.event_at <= to_micros(current.event_at) and current.origin == draft.origin
    if (
        older
        or current.state not in ("live", "archived")
        or current.text == draft.text
        or (first.text == draft.text and not dated)
        or nodes.find_by_evidence(db, version) is not None
    ):
        return Revision("same")
    if not outranked(draft.origin, current):
        return Revision("updated", current)
    if first.text == draft.text or proposals.was_proposed(db, current.id, draft.text):
        return Revision("same")
    return Revision("proposed", current)


def revise(db: Connection, found: Revision, draft: Draft, version: bytes, writer: StatementWriting) -> None:
    """Replaces the held wording, or proposes the new one where the held one is the user's."""
    if found.held is None:
        return
    if found.outcome == "proposed":
        proposals.propose(db, found.held.id, "correct", draft.text, draft.attributes, draft.origin, draft.event_at)
        return
    since = draft.event_at if draft.event_at > to_micros(found.held.event_at) else None
    writer.replace(LearningTransaction(db), found.held.id, replace(draft, key=version), since)
