"""`Memory`, the object that a user of the library holds."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, Self, TypeVar, overload

from omoide.clock import Clock, system_clock
from omoide.ids import UlidFactory, new_ulid
from omoide.memory import lookup, read, write
from omoide.memory.admin import AdminNamespace
from omoide.memory.core import Core, open_core
from omoide.memory.documents import DocumentsNamespace
from omoide.memory.graph import GraphNamespace
from omoide.memory.live_sessions import open_live
from omoide.memory.narrative import NarrativeNamespace
from omoide.memory.review import ReviewNamespace, TrustNamespace
from omoide.memory.tasks import TasksNamespace
from omoide.settings import Settings
from omoide.store import Store
from omoide.store.engine.writer import Replica

if TYPE_CHECKING:
    from omoide.providers.protocols import Embedder, LanguageModel, Reranker, TokenCounter
    from omoide.store.engine.encryption import KeySource
    from omoide.working.board import SummariseTurns
    from omoide.working.live_session import LiveSession

NAMESPACES: dict[str, type] = {
    "graph": GraphNamespace,
    "tasks": TasksNamespace,
    "documents": DocumentsNamespace,
    "narrative": NarrativeNamespace,
    "review": ReviewNamespace,
    "trust": TrustNamespace,
    "admin": AdminNamespace,
}

N = TypeVar("N")
P = ParamSpec("P")
T = TypeVar("T")


class _Alias(Generic[N, P, T]):
    """Offers a method of a namespace on `Memory` itself, with the same signature and documentation."""

    def __init__(self, namespace: str, method: Callable[Concatenate[N, P], T]) -> None:
        self._namespace = namespace
        self._method = method

    @overload
    def __get__(self, memory: None, owner: Any) -> Callable[Concatenate[N, P], T]: ...
    @overload
    def __get__(self, memory: Memory, owner: Any) -> Callable[P, T]: ...
    def __get__(self, memory: Memory | None, owner: Any) -> Any:
        return self._method if memory is None else self._method.__get__(getattr(memory, self._namespace))


class Memory:
    """A long-term memory in one file. Several threads and processes may use the same file at once.

    The most common verbs are methods of the object itself; the others are grouped in the namespaces `graph`, `tasks`,
    `documents`, `narrative`, `review`, `trust` and `admin`.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        embedder: Embedder | Literal["default"] | None = "default",
        reranker: Reranker | None = None,
        language_model: LanguageModel | None = None,
        token_counter: TokenCounter | None = None,
        settings: Settings | None = None,
        create: bool = True,
        clock: Clock = system_clock,
        ids: UlidFactory = new_ulid,
        replica: Replica | None = None,
        key: KeySource | None = None,
    ) -> None:
        """Open or create a memory.

        Args:
            path: The file; the user's own memory if not given, a memory without a file for `":memory:"`.
            embedder: Turns texts into vectors; None to search by words only.
            reranker: Orders the best hits again.
            language_model: Used for learning; the configured one if not given.
            token_counter: Counts tokens for budgets; an estimate if not given.
            settings: Settings to use instead of the configured ones.
            create: Create the file if there is none; otherwise a missing file is an error.
            clock: Returns the current time in microseconds since 1970.
            ids: Makes the ULIDs of new memories.
            replica: Must hold every transaction before the file commits it; `omoide.fleet` gives one.
            key: Where the key of an encrypted file is: `file:PATH`, `keyring`, `keyring:NAME`, `prompt`, or a function
                that returns it; the setting `key_from` if not given. Never the key itself.

        Raises:
            NotFound: The file does not exist and `create` is False.
            KeyRefused: The key is missing or does not fit, or the file is not encrypted.
        """
        self._whole: Memory | None = None  # what this is a view of, which must not be dropped before it
        core = open_core(
            path,
            embedder=embedder,
            reranker=reranker,
            language_model=language_model,
            token_counter=token_counter,
            settings=settings,
            create=create,
            clock=clock,
            ids=ids,
            replica=replica,
            key=key,
        )
        self._bind(core)

    def viewed(self, *, audience: str = "private", consent: str | None = None) -> Memory:
        """Return this memory as another reader sees it: every verb of the result leaves out what they may not see.

        Args:
            audience: Who reads: `private`, or `shared` to leave out private memories.
            consent: Session for which the user consented to show sensitive memories; it may expire meanwhile.

        Returns:
            The same memory for this reader. Others may neither administer nor erase it.

        Raises:
            InvalidInput: No consent is in force for the session.
        """
        seen = copy(self)
        seen._whole = self
        seen._bind(self._core.as_viewer(audience, consent))
        return seen

    def _bind(self, core: Core) -> None:
        self._core = core
        self.graph = GraphNamespace(core)
        self.tasks = TasksNamespace(core)
        self.documents = DocumentsNamespace(core)
        self.narrative = NarrativeNamespace(core)
        self.review = ReviewNamespace(core)
        self.trust = TrustNamespace(core)
        self.admin = AdminNamespace(core)

    # Writing (memory/write.py)
    observe = write.observe
    observe_many = write.observe_many
    remember = write.remember
    correct = write.correct
    forget = write.forget
    learn = write.learn
    end = write.end

    # Searching (memory/read.py)
    recall = read.recall
    context = read.context
    agenda = read.agenda

    # Looking up (memory/lookup.py)
    get = lookup.get
    list = lookup.list_memories
    history = lookup.history
    explain = lookup.explain
    stats = lookup.stats
    session = lookup.session
    sessions = lookup.sessions

    # Shortcuts into namespaces
    task = _Alias("tasks", TasksNamespace.start)
    before_task = _Alias("tasks", TasksNamespace.before)
    maintain = _Alias("admin", AdminNamespace.maintain)

    def live(
        self,
        session: str,
        *,
        window: int | None = None,
        system: str | None = None,
        plan: str | None = None,
        audience: str | None = None,
        summarise: SummariseTurns | None = None,
    ) -> LiveSession:
        """Start or resume a live session, which an agent loop drives with `before`, `after` and `end`.

        A session that was live when its process ended continues where it was; what is not given stays as it was.
        Sensitive memories are shown while the user's consent for this session is in force: `trust.grant_consent`.

        Args:
            session: Name of the session.
            window: Size of the model's context window in tokens.
            system: System prompt of the model.
            plan: How the budget is divided among memories: `kira` or `yodoca`.
            audience: Who reads the prompts: `private` or `shared`.
            summarise: Function `(turns, tokens) -> str` that writes the summaries of compaction.

        Returns:
            The live session.
        """
        given = {"window": window, "system": system, "plan": plan, "audience": audience}
        return open_live(self._core, session, given, self.observe, self.review.update, self.end, summarise)

    def flush(self, *, timeout: float | None = None, progress: Callable[[int], None] | None = None) -> bool:
        """Finish all background work now: embed every text and store access counts.

        Args:
            timeout: Greatest number of seconds to wait; no limit if not given.
            progress: Called with the number of texts that still need a vector.

        Returns:
            True if nothing is left to do.
        """
        self._store.require_open()
        return self._core.background.flush(timeout, progress)

    def close(self) -> None:
        """Finish the current batch of background work and close the file. Closing twice is safe."""
        self._core.close()

    @property
    def path(self) -> str:
        """The path of the file."""
        return self._store.path

    @property
    def _store(self) -> Store:
        return self._core.store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Memory({self.path!r})"
