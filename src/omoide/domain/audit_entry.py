"""Who changes memories, and the entry that is kept of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime


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
