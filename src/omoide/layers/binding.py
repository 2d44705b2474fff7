"""A lesson tied to what it is told for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from omoide.layers.trigger import Trigger


@dataclass(frozen=True, slots=True)
class Binding:
    """One trigger of one lesson."""

    id: int
    node_id: int
    trigger: Trigger
    created_at: datetime
