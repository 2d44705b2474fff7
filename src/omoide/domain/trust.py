"""Who changes and who sees memories: audit entries, consent, viewers, and changes that an agent proposes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from omoide.domain.node import Node, trust_of


@dataclass(frozen=True, slots=True)
class Actor:
    """Through which door something is changed (`python`, `cli`, `http`, `mcp`), by whom, with which verb or tool."""

    door: str = "python"
    name: str = ""
    operation: str = ""


ACTOR: ContextVar[Actor] = ContextVar("actor", default=Actor())  # noqa: B039 - it is frozen


@contextmanager
def acting(door: str | None = None, name: str | None = None, operation: str | None = None) -> Iterator[None]:
    """What is changed inside is recorded as changed by this actor; what is not given stays."""
    given = {"door": door, "name": name, "operation": operation}
    reset = ACTOR.set(replace(ACTOR.get(), **{field: value for field, value in given.items() if value is not None}))
    try:
        yield
    finally:
        ACTOR.reset(reset)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One transaction that changed memories. `changes` has ranges of ids: added, changed and removed."""

    id: int
    at: datetime
    door: str
    actor: str
    operation: str
    changes: Mapping[str, list[list[int]]]
    digest: str  # of this entry and the one before


# The user's consent to show sensitive memories in a session.


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """It holds for one session, from when it was granted until it expires or is revoked."""

    id: int
    session: str
    reason: str
    granted_at: datetime
    expires_at: datetime
    revoked_at: datetime | None


# Who reads: what a reader may see decides which rows leave the store.


Audience = Literal["private", "shared"]


@dataclass(frozen=True, slots=True)
class Viewer:
    """The user alone (`private`), or others as well (`shared`), with or without consent to see what is sensitive.

    What is sensitive is never shown to others.
    """

    audience: Audience = "private"
    consent: bool = False

    @property
    def shared(self) -> bool:
        return self.audience == "shared"

    @property
    def sees_all(self) -> bool:
        return self.consent and not self.shared

    def allows(self, node: Node) -> bool:
        """Whether the reader may see a memory."""
        return (node.audience == "shared" or not self.shared) and (self.sees_all or not node.sensitive)


# A change of the user's words that an agent asked for.


ChangeVerb = Literal["correct", "update"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedChange:
    """It waits until the user accepts or refuses it."""

    id: int
    node: Node  # as it is now
    verb: ChangeVerb
    text: str | None  # None: the text stays
    attributes: Mapping[str, Any]
    since: datetime | None  # when a correction became true
    origin: str  # who asked
    at: datetime
    outcome: Literal["open", "accepted", "refused"]
    decided_at: datetime | None


def outranked(origin: str, old: Node) -> bool:
    """Whether somebody of this origin may only propose to change a memory: it is the user's word, or they confirmed it.

    One that is superseded is refused anyway.
    """
    owner = "user" if old.is_confirmed else old.origin
    return trust_of(origin) < trust_of(owner) and old.state in ("live", "archived")
