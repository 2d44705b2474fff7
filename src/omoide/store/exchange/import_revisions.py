"""New wordings of imported memories: another system changed the text of a memory that it had before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Protocol

from omoide.clock import to_micros
from omoide.domain import Draft, Node
from omoide.domain.proposed_change import outranked
from omoide.store.engine.connection import Connection
from omoide.store.learning.learning_transaction import LearningTransaction
from omoide.store.records import nodes, proposals


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
