"""The compared systems, one file each, behind one Protocol.

Turns go in with their vectors; positions of turns come out. A library is imported only when its `Peer` is created, so
that this list can be read without any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Turn = Mapping[str, Any]  # text, role, speaker, session, at; a question has text and at

# In order of measurement and display.
NAMES = ("omoide", "anchor", "txtai", "lancedb", "chroma", "langgraph", "mcp_memory", "mem0", "graphiti")


_ROLES = {"user", "assistant", "agent", "ai", "bot", "human", "system"}


def turn_text(turn: Turn) -> str:
    """Returns the text of a turn for systems that store only text: with the name of the speaker, without roles.

    Omoide embeds the same text, so one table of vectors serves all systems.
    """
    speaker, text = turn.get("speaker"), str(turn["text"])
    if not speaker or speaker.casefold() in _ROLES or text.startswith(f"{speaker}:"):
        return text
    return f"{speaker}: {text}"


class Peer(Protocol):
    """One store in one folder; opens an existing one."""

    version: str

    def __init__(self, folder: Path) -> None: ...

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        """Stores turns so that they are searchable and durable. May be called again."""
        ...

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        """Returns the positions of the k best turns, counted from 0 in build order."""
        ...

    def close(self) -> None: ...


class About(Protocol):
    """Constants that the module of a system defines."""

    TITLE: str  # title in the table
    FINDS_BY: str  # "words + vectors" or "vectors"
    REQUIRES: tuple[str, ...]  # pip requirements; empty: those of Omoide
    LARGEST: int  # most turns in an ordinary run
    Peer: type[Peer]


def about(name: str) -> About:
    module: Any = import_module(f"peers.{name}")
    return module  # type: ignore[no-any-return]
