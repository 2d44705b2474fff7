"""What comes from other systems: taken in one batch, one transaction; what is here already stays as it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import apsw

from omoide.ids import Ids
from omoide.layers import Draft, Entity
from omoide.store import edges, entities, nodes, orphans, tombstone
from omoide.store.entities import Profile


@dataclass(frozen=True, slots=True)
class Kept:
    """A node, and the things it speaks of."""

    draft: Draft
    about: tuple[Profile, ...] = ()


@dataclass(frozen=True, slots=True)
class Tied:
    """A relation of two entities."""

    source: Profile
    type: str
    target: Profile


@dataclass(frozen=True, slots=True)
class Linked:
    """A link of two nodes, by their keys."""

    source: bytes
    target: bytes
    type: str
    predicate: str | None


Foreign = Kept | Profile | Tied | Linked


def are_here(db: apsw.Connection, batch: Sequence[Foreign]) -> list[bool]:
    recorded = Recorded(db)
    return [is_here(db, item, recorded) for item in batch]


def is_here(db: apsw.Connection, item: Foreign, recorded: Recorded) -> bool:
    """Whether taking it would change nothing."""
    match item:
        case Kept():
            return recorded.holds(item.draft)
        case Profile():
            known = entities.find(db, item.name, item.type)
            return known is not None and _news(known, item) is None
        case Tied():
            return _is_tied(db, item)
        case Linked():
            return _is_linked(db, item)


def take(db: apsw.Connection, batch: Sequence[Foreign], now: int, ids: Ids) -> list[str]:
    """What became of each: added, same, forgotten (it was erased on request), or lost (an end of it is not here)."""
    outcomes = []
    drafts: list[tuple[int, Draft]] = []
    recorded = Recorded(db)
    guard = tombstone.Guard(db, now, len(batch), brought=True)
    for number, item in enumerate(batch):
        if is_here(db, item, recorded):
            outcomes.append("same")
        elif guard.armed and _is_forgotten(db, item, guard):
            outcomes.append("forgotten")
        elif isinstance(item, Kept):
            outcomes.append("added")
            drafts.append((number, _linked(item.draft, [_entity(db, each, now, ids) for each in item.about])))
        elif isinstance(item, Profile):
            _entity(db, _untold(item, guard), now, ids)
            outcomes.append("added")
        elif isinstance(item, Tied):
            outcomes.append(_tie(db, item, now, ids))
        else:
            outcomes.append("")  # when all its nodes are here
    _insert(db, drafts, outcomes, now, ids)
    for number, item in enumerate(batch):
        if isinstance(item, Linked) and not outcomes[number]:
            outcomes[number] = _link(db, item, now)
    return outcomes


def _linked(draft: Draft, about: Sequence[Entity]) -> Draft:
    """With the entities it speaks of; its subject goes by the name that we know it under."""
    told = dict(draft.attributes)
    if about and "subject" in told:
        told["subject"] = about[0].name
    ids = dict.fromkeys((*draft.entities, *(each.id for each in about)))
    return replace(draft, attributes=told, entities=tuple(ids))


def _is_forgotten(db: apsw.Connection, item: Foreign, guard: tombstone.Guard) -> bool:
    """Whether it would bring back what was erased here. An entity comes with what speaks of it, not by itself."""
    match item:
        case Kept():
            return guard.refuses(item.draft) is not None
        case Profile():
            return _is_erased(db, item, guard)
        case Tied():
            words = f"{item.source.name} {item.type} {item.target.name}"
            return guard.knows_words(words) or any(_is_erased(db, each, guard) for each in (item.source, item.target))
        case Linked():
            return False


def _is_erased(db: apsw.Connection, given: Profile, guard: tombstone.Guard) -> bool:
    return guard.knows_name(given.name) and entities.find(db, given.name, given.type) is None


def _untold(given: Profile, guard: tombstone.Guard) -> Profile:
    """Without the paragraphs that were erased."""
    kept = [each for each in (given.description or "").split("\n\n") if each and not guard.knows_words(each)]
    return replace(given, description="\n\n".join(kept) or None)


def _insert(db: apsw.Connection, drafts: Sequence[tuple[int, Draft]], outcomes: list[str], now: int, ids: Ids) -> None:
    last = db.execute("SELECT coalesce(max(id), 0) FROM node").get
    for (number, _), node in zip(drafts, nodes.insert(db, [draft for _, draft in drafts], now, ids), strict=True):
        outcomes[number] = "forgotten" if node.state == "erased" else "added" if node.id > last else "same"
        last = max(last, node.id if node.state != "erased" else 0)
    _end(db, {draft.session for _, draft in drafts if draft.session is not None})


def _end(db: apsw.Connection, sessions: set[str]) -> None:
    """A conversation that was brought here is over: it ended with its last turn."""
    db.execute(
        """
        UPDATE session
        SET ended_at = last_at, learning = 'pending'
        WHERE ended_at IS NULL AND name IN (SELECT value FROM json_each(?))
        """,
        (json.dumps(sorted(sessions)),),
    )


class Recorded:
    """What was recorded while it happened, without a key: by session, read once a batch, since one may be long."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._sessions: dict[str, frozenset[tuple[str, str]]] = {}

    def holds(self, draft: Draft) -> bool:
        """Under its key; or, of an event, in its session in the same words; or as an observation of its subject."""
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
        """Whether the graph has it already, drawn by hand."""
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


def _news(known: Entity, given: Profile) -> Profile | None:
    """What a profile adds to what is known: a stranger's file fills gaps, and overrules nothing."""
    added = Profile(
        name=given.name,
        type=given.type if known.type == "other" and given.type not in (None, "other") else None,
        aliases=tuple(each for each in given.aliases if each not in known.aliases and each != known.name),
        description=given.description if known.description is None else None,
        attributes={key: value for key, value in (given.attributes or {}).items() if key not in known.attributes},
    )
    return added if added.type or added.aliases or added.description or added.attributes else None


def _entity(db: apsw.Connection, given: Profile, now: int, ids: Ids) -> Entity:
    known = entities.find(db, given.name, given.type)
    if known is not None:
        news = _news(known, given)
        return known if news is None else entities.save(db, replace(news, type=news.type or known.type), now, ids)
    saved = entities.save(db, given, now, ids)
    orphans.told(db, saved.id, now)
    return saved


def _is_tied(db: apsw.Connection, tie: Tied) -> bool:
    source, target = (entities.find(db, each.name, each.type) for each in (tie.source, tie.target))
    if source is None or target is None:
        return False
    return (
        db.execute(
            "SELECT 1 FROM relation WHERE source_id = ? AND target_id = ? AND type = ?",
            (source.id, target.id, tie.type),
        ).get
        is not None
    )


def _tie(db: apsw.Connection, tie: Tied, now: int, ids: Ids) -> str:
    source, target = _entity(db, tie.source, now, ids), _entity(db, tie.target, now, ids)
    if source.id == target.id and tie.source.name != tie.target.name:  # two things there, one here
        return "lost"
    entities.relate(
        db,
        (source.id, target.id),
        tie.type,
        now,
        ids,
        confidence=1.0,
        properties={"origin": "import"},
        source_node=None,
    )
    return "added"


def _ends(db: apsw.Connection, link: Linked) -> tuple[int, int] | None:
    found = [db.execute("SELECT id FROM node WHERE key = ?", (key,)).get for key in (link.source, link.target)]
    return None if None in found or found[0] == found[1] else (int(found[0]), int(found[1]))


def _is_linked(db: apsw.Connection, link: Linked) -> bool:
    ends = _ends(db, link)
    if ends is None:
        return False
    found = db.execute("SELECT 1 FROM edge WHERE source_id = ? AND target_id = ? AND type = ?", (*ends, link.type)).get
    return found is not None


def _link(db: apsw.Connection, link: Linked, now: int) -> str:
    ends = _ends(db, link)
    if ends is None:
        return "lost"
    edges.link(db, ends, link.type, now, predicate=link.predicate, weight=1.0, confidence=1.0, evidence=())
    return "added"
