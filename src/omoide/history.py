"""What became of a memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from omoide.layers import Node


@dataclass(frozen=True, slots=True)
class Version:
    """One wording of a memory, with the changes it went through: when, which verb, what stood there before."""

    node: Node
    changes: tuple[dict[str, Any], ...]
