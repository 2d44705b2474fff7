"""Stores a statement, learned or remembered: the one door for what is learned, remembered and written by tools.

A new statement is compared with the stored ones of its subject. It confirms one, replaces or ends some, contradicts
some, or is added; its subject and the people it names become entities, and slots become relations between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Protocol

from omoide.clock import to_datetime
from omoide.domain import Draft, Entity, Fact, Node, Preference
from omoide.domain.entity import name_key
from omoide.domain.kinds import STATEMENT_KINDS, kind_of
from omoide.domain.node import WriteVerb, Written, validate_attributes
from omoide.domain.slots import SLOTS, Slot, competing_slots, ended_slots
from omoide.language.registry import words_of
from omoide.language.text import fts_terms, search_terms, stem
from omoide.learn.change import Comparison, StatedContent, Verdict, content_of, end_of, subject_of
from omoide.learn.proposal import USER, ChangeKind, Statement
from omoide.learn.quote_matching import word_rarity
from omoide.learn.statements.statement_extractor import read_statement
from omoide.store import EntityProfile, ErasedContentError, LearningTransaction, StatementSearch, Store

_SHARED_WORDS = 8  # the rarest words of an announced change, by which the statement that it means is searched
_MOST_TERMS = 8
_ENTITY_TYPES = {
    "lives_in": "place", "born_in": "place", "works_at": "organization", "studies": "organization",
    "team": "organization", "member_of": "organization", "works_on": "project", "uses": "tool",
    "deployed_on": "tool", "pet": "other", "owns": "other",
}  # fmt: skip  # what the value of a slot is; people by default


class KnownEntities(Protocol):
    """Finds the entities that names mean."""

    def find_entity(self, name: str) -> Entity | None: ...

    def names_of(self, name: str) -> tuple[str, ...]: ...

    def add_names(self, entity: Entity) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStatement:
    """A statement to be stored. `draft` has its subject, slot and matter as attributes."""

    draft: Draft
    change: ChangeKind | None = None
    words: str = ""  # the quote, which may name what it replaces
    sources: tuple[tuple[int, str], ...] = ()  # (episode, quote)
    subject_given: bool = False  # by the caller, so that it becomes an entity whatever it is called
    named: bool = False  # the caller named the preference, so that another value of this name replaces it
    own_word: bool = True  # the subject said it, or somebody who acts for them


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """What storing a statement did. `others` are the statements it replaced, ended or contradicts."""

    verb: WriteVerb
    node: Node
    others: tuple[Node, ...] = ()

    @property
    def reported(self) -> Node:
        """The node, with what storing it did."""
        return replace(self.node, written=Written(self.verb, tuple(other.id for other in self.others)))


@dataclass(frozen=True, slots=True)
class StatementWriter:
    """Writes statements in one transaction."""

    transaction: LearningTransaction
    entities: KnownEntities

    def write(self, new: NewStatement) -> WriteOutcome:
        """Compare a statement with the stored ones and store it. Raises ErasedContentError."""
        content, found = self._compare(new)
        outcome = self._apply(new, content, found)
        current = outcome.verb not in ("contradicted", "ended") and outcome.node.valid_until is None
        self._link_entities(outcome.node, new, current=current)
        return outcome

    def end(self, new: NewStatement) -> list[Node]:
        """End what a statement names, and store nothing: "forget that I live in Rome"."""
        content, found = self._compare(new)
        ended = [node for node, verdict in found if verdict == "ends"]
        for old in ended:
            until = _end_of(old, end_of(content))
            self.transaction.end_validity(old.id, until)
            if isinstance(old, Fact):
                self._end_relation(old, until)
        return ended

    def _compare(self, new: NewStatement) -> tuple[StatedContent, list[tuple[Node, Verdict]]]:
        """The content of a statement, and what it does to stored ones."""
        subject = subject_of(new.draft)
        names = self.entities.names_of(subject) if subject else ()
        content = replace(content_of(new.draft, names), named=new.named, own_word=new.own_word)
        rarity = self._rarity(new) if new.change is not None else {}
        held = self.transaction.statements(self._search(new, content, names, rarity))
        contents = [self._held_content(each, names, new) for each in held]
        keys, by_stem = frozenset(map(name_key, names)), {stem(name_key(word)): rare for word, rare in rarity.items()}
        verdicts = Comparison(content, new.change, new.words, keys, by_stem).decide(contents)
        return content, [(held[place], verdict) for place, verdict in verdicts.items()]

    def take_place(self, node: Node, new: NewStatement, old: Node) -> None:
        """Give a corrected node the entities and relations of its text, and end the relation of the old one."""
        if isinstance(old, Fact) and old.subject and old.object:
            self._end_relation(old, self.transaction.now)
        self._link_entities(node, new, current=node.valid_until is None)

    def _rarity(self, new: NewStatement) -> dict[str, float]:
        """How rare each word of an announced change is among all memories."""
        words = [word for word in search_terms(f"{new.draft.text} {new.words}") if word.lower() not in _empty_words()]
        own = 1 if new.sources else 0  # its turn contains them
        counts, memories = self.transaction.word_counts(words)
        return {word: word_rarity(counts.get(word, own) - own, memories) for word in words}

    def _search(
        self, new: NewStatement, content: StatedContent, names: tuple[str, ...], rarity: Mapping[str, float]
    ) -> StatementSearch:
        """By slot, by all words of the matter, and for an announced change by its rarest words that are known."""
        attributes = new.draft.attributes
        matter = str(attributes.get("matter") or attributes.get("name") or attributes.get("about") or "")
        spoken = search_terms(matter.replace("_", " ")) or [
            word for word in search_terms(new.draft.text) if len(word) > 2
        ]
        own = {part for name in names for part in name_key(name).split()}
        known = [word for word, rare in rarity.items() if rare < 1.0 and name_key(word) not in own]
        rarest = sorted(known, key=lambda word: -rarity[word])[:_SHARED_WORDS]
        return StatementSearch(
            subjects=names,
            slots=self._slots(new, content),
            matter=matter or None,
            words=" AND ".join(fts_terms(spoken[:_MOST_TERMS])),
            announced=" OR ".join(fts_terms(rarest)),
        )

    @staticmethod
    def _slots(new: NewStatement, content: StatedContent) -> tuple[str, ...]:
        if content.slot is None:
            return ()
        return competing_slots(content.slot) if new.change != "ends" or content.value else ended_slots(content.slot)

    def _held_content(self, held: Node, names: tuple[str, ...], new: NewStatement) -> StatedContent:
        content = content_of(held, names)
        if new.own_word:
            return content
        said_by = {name_key(name) for name in self.transaction.speakers(held.id)}
        return replace(content, own_word=bool(said_by & {name_key(name) for name in names}))

    # ── what the verdicts mean ──

    def _apply(self, new: NewStatement, content: StatedContent, found: Sequence[tuple[Node, Verdict]]) -> WriteOutcome:
        def those(verdict: Verdict) -> list[Node]:
            return [node for node, each in found if each == verdict]

        replaced, ended, against, later = those("replaces"), those("ends"), those("contradicts"), those("past")
        if same := those("confirms"):
            node = self._confirm(same[0], new)
        else:
            node = self.transaction.add(self._dated(new, content, [*replaced, *ended], later), *new.sources)
        for old in (*replaced, *ended, *same[1:]):
            self._retire(old, node, new, content, is_end=old in ended)
        for old in against:
            self.transaction.link(node.id, old.id, "contradicts", confidence=new.draft.confidence)
        verb: WriteVerb = "confirmed" if same else "stored"
        if replaced or ended:
            verb = "superseded" if replaced else "ended"
        elif against:
            verb = "contradicted"
        return WriteOutcome(verb, node, tuple((*replaced, *ended) or against))

    def _confirm(self, held: Node, new: NewStatement) -> Node:
        """Count a statement as evidence for a stored one."""
        again = None
        if isinstance(held, Preference):
            given = new.draft.attributes
            again = held.attributes_if_restated(held.value, held.text, given.get("strength", 0.0))
        self.transaction.confirm(held, new.draft, new.sources, again)
        return self.transaction.current_version(held.id) or held

    def _dated(self, new: NewStatement, content: StatedContent, ended: Sequence[Node], later: Sequence[Node]) -> Draft:
        """The draft with the time in which it is true, as far as the statements around it tell."""
        draft = new.draft
        if new.change == "ends":  # it says that something is over, and fills no slot itself
            kept = {name: value for name, value in draft.attributes.items() if name not in ("predicate", "object")}
            return replace(draft, attributes=kept, valid_until=None)
        starts = [held for held in map(content_of, ended) if held.has_stated_start]
        if new.change == "corrects" or draft.source_type == "corrected":
            since = [held.known_since for held in map(content_of, ended)]  # the wrong version was never true
            return replace(draft, valid_from=min(since)) if since else draft
        if starts and not later:
            latest = max(held.known_since for held in starts)  # the new one cannot start before the old one
            return replace(draft, valid_from=max(latest, content.known_since))
        until = draft.valid_until
        if later and until is None:
            until = min(content_of(held).known_since for held in later)
        over = until is not None and until < draft.event_at and not content.has_stated_start
        return replace(draft, valid_until=until, valid_from=None if over else draft.valid_from)

    def _retire(self, old: Node, node: Node, new: NewStatement, content: StatedContent, *, is_end: bool) -> None:
        until = _end_of(old, end_of(content) if is_end else content.known_since)
        self.transaction.retire_for(old.id, node.id, until, new.words)
        if isinstance(old, Fact) and old.subject and old.object:
            self._end_relation(old, until)

    # ── entities and relations ──

    def _link_entities(self, node: Node, new: NewStatement, *, current: bool) -> None:
        """Make the subject, and whom a slot names, entities that the statement mentions; relate them if it is true."""
        attributes = new.draft.attributes
        slot = SLOTS.get(attributes.get("predicate") or "")
        subject = self._entity(subject_of(new.draft), _subject_type(slot), new)
        value = attributes.get("object")
        other = None
        if slot is not None and slot.relation is not None and isinstance(value, str):
            other = self._entity(value if _is_proper(value) else None, _ENTITY_TYPES.get(slot.name, "person"), new)
        self.transaction.mention(node.id, [each.id for each in (subject, other) if each is not None])
        if slot is None or slot.relation is None or subject is None or other is None or not current:
            return
        source, target = (other, subject) if slot.of_value else (subject, other)
        if source.id != target.id:
            episode = new.sources[0][0] if new.sources else node.id
            self.transaction.relate(source.id, slot.relation, target.id, new.draft.confidence, episode)

    def _entity(self, name: str | None, type: str | None, new: NewStatement) -> Entity | None:
        if name is None:
            return None
        known = self.entities.find_entity(name)
        if known is not None or name == USER:
            return known
        if not _is_proper(name) and not new.subject_given:
            return None  # what a sentence is about in passing is no entity: "commit messages"
        seen_at = new.draft.event_at if new.sources else None  # without a source it was entered by hand
        made = self.transaction.save_entity(EntityProfile(name=name, type=type, seen_at=seen_at))
        self.entities.add_names(made)
        return made

    def _end_relation(self, fact: Fact, until: int) -> None:
        slot = SLOTS.get(fact.predicate or "")
        one, other = self.entities.find_entity(fact.subject or ""), self.entities.find_entity(fact.object or "")
        if slot is None or slot.relation is None or one is None or other is None:
            return
        source, target = (other, one) if slot.of_value else (one, other)
        self.transaction.end_relations(source.id, slot.relation, until, target.id)


def _end_of(old: Node, until: int) -> int:
    """When a statement ends: not before it began, if that was stated."""
    held = content_of(old)
    return max(until, held.known_since) if held.has_stated_start else until


@cache
def _empty_words() -> frozenset[str]:
    return words_of("stop_words", "minor_words")


def _subject_type(slot: Slot | None) -> str | None:
    return "person" if slot is not None and slot.group != "thing" and slot.name != "deadline" else None


def _is_proper(value: str) -> bool:
    """Whether a value is a name and not a description: "Acme", not "a small bakery"."""
    return value[:1].isupper() or not value[:1].isascii()


# Remembering a sentence: it is read like a statement of a conversation and stored through the same door.


_LONGEST_STATEMENT = 1_000  # characters; a longer text is no single statement


@dataclass(slots=True)
class StoredNames:
    """The entities of a file, found by their exact names."""

    transaction: LearningTransaction
    owner: Entity | None = field(init=False)

    def __post_init__(self) -> None:
        self.owner = self.transaction.owner()

    def find_entity(self, name: str) -> Entity | None:
        return self.owner if name == USER else self.transaction.entity(name)

    def names_of(self, name: str) -> tuple[str, ...]:
        entity = self.find_entity(name)
        if entity is None:
            return (name,)
        owner = (USER,) if self.owner is not None and entity.id == self.owner.id else ()
        return tuple(dict.fromkeys((*entity.names, name, *owner)))

    def add_names(self, entity: Entity) -> None:
        """Nothing to note: names are looked up in the file."""


@dataclass(frozen=True, slots=True)
class StatementDoor:
    """The one door for statements that somebody writes: remember, tools, the graph and imports."""

    store: Store
    owner: str | None  # the user's name, if known

    @classmethod
    def of(cls, store: Store) -> StatementDoor:
        owner = store.learning.owner()
        return cls(store, owner.name if owner else None)

    def remember(self, draft: Draft, sources: Sequence[int] = ()) -> Node:
        """Store a draft; a statement is compared with what is known. `written` of the result says what happened."""
        if draft.kind not in STATEMENT_KINDS:
            return self.store.nodes.remember(draft, sources)
        read = self.read(draft)

        def write(transaction: LearningTransaction) -> Node:
            node = self.write(transaction, draft, read)
            if node.state != "erased":
                transaction.link_sources(node.id, sources)
            return node

        return self.store.learning.transact(write)

    def correct(self, old: int, draft: Draft, until: int | None, accepts: int | None = None) -> Node:
        """Replace a memory by a better one, with the entities and relations that the new text names.

        `accepts` is the proposal that is accepted with it.
        """
        new = self.completed(draft)

        def write(transaction: LearningTransaction) -> Node:
            if accepts is not None:
                transaction.accept(accepts)
            return self.replace(transaction, old, new, until)

        return self.store.learning.transact(write)

    def replace(self, transaction: LearningTransaction, old: int, new: Draft, until: int | None) -> Node:
        """Replace a memory within a transaction. `new` is completed."""
        node = transaction.correct(old, new, until)
        if new.kind in STATEMENT_KINDS:
            writer = StatementWriter(transaction, StoredNames(transaction))
            writer.take_place(node, NewStatement(draft=new), transaction.episodes([old])[old])
        return replace(node, written=Written("superseded", (old,)))

    def read(self, draft: Draft) -> Statement | None:
        """A draft's text as a statement. An observation such as "speaks Spanish" is read as one of its subject."""
        subject, text = draft.attributes.get("subject"), draft.text
        if subject and name_key(subject) not in name_key(text):
            text = f"{subject} {text[:1].lower()}{text[1:]}"
        return _read(text, draft.event_at, self.owner)

    def completed(self, draft: Draft) -> Draft:
        """A statement with the subject, slot and matter that its text gives; other drafts as they are."""
        read = self.read(draft) if draft.kind in STATEMENT_KINDS else None
        return draft if read is None or read.change is not None else _completed(draft, read)

    def write(self, transaction: LearningTransaction, draft: Draft, read: Statement | None = None) -> Node:
        """Store a draft within a transaction. One that was erased on request returns with the state `erased`."""
        if draft.kind not in STATEMENT_KINDS:
            return transaction.insert(draft)
        try:
            return write_draft(transaction, draft, read).reported
        except ErasedContentError as error:
            return transaction.erased_node(error.args[0], draft)


def write_draft(transaction: LearningTransaction, draft: Draft, read: Statement | None = None) -> WriteOutcome:
    """Store a draft that somebody wrote, compared with what is known. `read` is its text as a statement.

    Raises ErasedContentError.
    """
    if (known := transaction.node_with_key(draft.key)) is not None:
        return WriteOutcome("known", known)
    change: ChangeKind | None = "corrects" if draft.source_type == "corrected" else None
    new = NewStatement(
        draft=draft if read is None else _completed(draft, read),
        change=read.change if read is not None and read.change is not None else change,
        words=draft.text,
        subject_given="subject" in draft.attributes,
        named=draft.kind == "preference" and "name" in draft.attributes,
    )
    return StatementWriter(transaction, StoredNames(transaction)).write(new)


def _read(text: str, at: int, owner: str | None) -> Statement | None:
    """The statement that a text makes; None if it makes none, or is too long to be one."""
    return read_statement(text, at=to_datetime(at), owner=owner) if len(text) <= _LONGEST_STATEMENT else None


def _completed(draft: Draft, read: Statement) -> Draft:
    """A draft with what its text says about subject, slot and matter, where the caller left it out."""
    given: Mapping[str, Any] = draft.attributes
    subject = given.get("subject")
    same_subject = subject is None or name_key(subject) == name_key(read.subject)
    match draft.kind:
        case "fact":
            own: dict[str, Any] = {"matter": read.matter}
            if same_subject and "object" not in given and given.get("predicate") in (None, read.slot):
                own |= {"subject": read.subject, "predicate": read.slot, "object": read.value}
                own |= {"form": read.form if read.kind == "fact" else None}
        case "preference":
            own = {"name": read.matter, "scope": read.scope, "exceptions": read.exceptions}
            own |= {} if "name" in given else {"value": read.value}  # the value belongs to the name that was read
            own |= {"form": read.form if read.kind == "preference" else None}
        case "opinion":
            own = {"holder": read.subject, "about": read.matter}
        case _:
            own = {"name": read.matter}
    kept = {name: value for name, value in own.items() if value and name not in given}
    return replace(draft, attributes=dict(given) | validate_attributes(kind_of(draft.kind), kept))
