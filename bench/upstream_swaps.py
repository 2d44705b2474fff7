"""A pytest plugin: the tests of a framework meet our adapter under the name of the framework's own class.

`UPSTREAM_SWAP` names the suite; without it nothing is exchanged, and the framework's own class is tested.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from omoide import Memory


def _memory(place: Any = ":memory:") -> Memory:
    """One file for one place, so that a place that is opened again has what was stored there."""
    if str(place) == ":memory:":
        return Memory(":memory:", embedder=None)
    return Memory(Path(f"{place}.omoide"), embedder=None)


def _langgraph_memory() -> None:
    from omoide.interfaces.adapters.langgraph import MemoryStore

    class Store(MemoryStore):
        def __init__(self, *, index: Any = None) -> None:
            super().__init__(_memory(), index=index)

    import_module("langgraph.store.memory").InMemoryStore = Store  # type: ignore[attr-defined]


def _langgraph_sqlite() -> None:
    from omoide.interfaces.adapters.langgraph import MemoryStore

    class Store(MemoryStore):
        def setup(self) -> None:
            pass

        @classmethod
        @contextmanager
        def from_conn_string(cls, place: str, *, index: Any = None, **_: Any) -> Iterator[Store]:
            with _memory(place) as memory:
                yield cls(memory, index=index)

    class AsyncStore(MemoryStore):
        async def setup(self) -> None:
            pass

        @classmethod
        @asynccontextmanager
        async def from_conn_string(cls, place: str, *, index: Any = None, **_: Any) -> AsyncIterator[AsyncStore]:
            with _memory(place) as memory:
                yield cls(memory, index=index)

    package: Any = import_module("langgraph.store.sqlite")
    package.SqliteStore, package.AsyncSqliteStore = Store, AsyncStore


def _openai_agents() -> None:
    from omoide.interfaces.adapters.openai_agents import MemorySession

    class Session(MemorySession):
        def __init__(self, session_id: str, db_path: Any = ":memory:", *_: Any, **given: Any) -> None:
            super().__init__(_memory(db_path), session_id, given.get("session_settings"))

        def close(self) -> None:
            self._conversation._memory.close()

    for name in ("agents", "agents.memory", "agents.memory.sqlite_session"):
        import_module(name).SQLiteSession = Session  # type: ignore[attr-defined]


def _crewai() -> None:
    from omoide.interfaces.adapters.crewai import MemoryStorage

    opened: dict[str, Memory] = {}

    class Storage(MemoryStorage):
        def __init__(self, path: Any = None, **_: Any) -> None:
            place = str(path or os.environ.get("CREWAI_STORAGE_DIR") or tempfile.mkdtemp())
            Path(place).mkdir(parents=True, exist_ok=True)
            super().__init__(opened.setdefault(place, _memory(f"{place}/memory")))

    import_module("crewai.memory.storage.lancedb_storage").LanceDBStorage = Storage  # type: ignore[attr-defined]


SWAPS = {
    "langgraph-memory": _langgraph_memory,
    "langgraph-sqlite": _langgraph_sqlite,
    "openai-agents": _openai_agents,
    "crewai": _crewai,
}

if (swap := os.environ.get("UPSTREAM_SWAP", "")) in SWAPS:
    SWAPS[swap]()
