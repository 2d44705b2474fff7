"""Whose word a memory is, and whose word counts for more. An origin is fixed when a memory is written."""

from __future__ import annotations

from collections.abc import Iterable

USER = "user"
_ORDER = ("user", "agent", "system", "tool", "document", "import")  # from the most to the least trusted
_SPEAKERS = ("agent", "system")


def trust_of(origin: str) -> int:
    """3 for the user, 2 for the agent and the system, 1 for data: tool output, documents, imports."""
    return 3 if origin == USER else 2 if origin in _SPEAKERS else 1


def least_trusted(origins: Iterable[str], default: str = "agent") -> str:
    """The least trusted of some origins, which everything that is made of them gets."""
    return max(origins, key=_place, default=default)


def is_data_origin(origin: str) -> bool:
    """Whether text of this origin is data (tool output, documents, imports) and not somebody's statement."""
    return trust_of(origin) == 1


def _place(origin: str) -> tuple[int, str]:
    name = origin.partition(":")[0]
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER)), origin
