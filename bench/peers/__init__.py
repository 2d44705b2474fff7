"""Systems that are measured beside each other: one small file each, behind one shape.

Turns go in with their vectors, places in that order come out. A peer's library is imported only when a `Peer` is made,
so that this list can be read by an interpreter that has none of them.
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

# In the order in which they are asked and shown.
NAMES = ("omoide", "anchor", "txtai", "lancedb", "chroma", "langgraph", "mcp_memory", "mem0", "graphiti")


_ROLES = {"user", "assistant", "agent", "ai", "bot", "human", "system"}


def worded(turn: Turn) -> str:
    """The text of a turn for a system that keeps nothing else: a name belongs to what was said, a role does not.

    Omoide embeds the same words, so that one table of vectors serves them all.
    """
    speaker, text = turn.get("speaker"), str(turn["text"])
    if not speaker or speaker.casefold() in _ROLES or text.startswith(f"{speaker}:"):
        return text
    return f"{speaker}: {text}"


class Peer(Protocol):
    """One store in one folder. Made on a folder that was built before, it opens what is there."""

    version: str

    def __init__(self, folder: Path) -> None: ...

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        """Keeps them, ready to be found and safe on disk; called again, keeps more."""
        ...

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        """The places of the k best, in the order in which they were built, from 0."""
        ...

    def close(self) -> None: ...


class About(Protocol):
    """What a module here says of its peer."""

    TITLE: str  # as it stands in the table
    FINDS_BY: str  # "words + vectors" or "vectors": what a search compares
    REQUIRES: tuple[str, ...]  # what pip installs for it; empty: what Omoide itself needs
    LARGEST: int  # the most turns it is asked to keep in an ordinary run
    Peer: type[Peer]


def about(name: str) -> About:
    module: Any = import_module(f"peers.{name}")
    return module  # type: ignore[no-any-return]
