"""A change of the user's words that an agent asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from omoide.domain.node import Node
from omoide.domain.origin import trust_of

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
    """Whether somebody of this origin may only propose to change a memory. One that is superseded is refused anyway."""
    return trust_of(origin) < trust_of(old.origin) and old.state in ("live", "archived")
