"""Remembering a sentence: it is read like a statement of a conversation and stored through the same door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from omoide.clock import to_datetime
from omoide.domain import Draft, Entity, Node
from omoide.domain.entity import name_key
from omoide.domain.kinds import STATEMENT_KINDS, kind_of
from omoide.domain.node import Written, validate_attributes
from omoide.learn.proposal import USER, ChangeKind, Statement
from omoide.learn.statement_writer import NewStatement, StatementWriter, WriteOutcome
from omoide.learn.statements.statement_extractor import read_statement
from omoide.store import ErasedContentError, LearningTransaction, Store

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
