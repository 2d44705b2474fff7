"""Generated from Memory by `python -m tests.memory.async_stub`."""

import builtins
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, Unpack, overload

from omoide.clock import Clock, system_clock
from omoide.domain import Agenda, Edge, Entity, Node, Relation, Session
from omoide.domain.edge import Contradiction, LinkSuggestion, Neighbour
from omoide.domain.entity import EntityGraph
from omoide.domain.importance import MemoryCredit, RetentionPolicy
from omoide.domain.task import Ledger, LedgerCheckpoint, TaskEfficiency
from omoide.domain.trigger import Binding
from omoide.domain.trust import AuditEntry, Consent, ProposedChange
from omoide.history import EntityChange, Explanation, Version
from omoide.ids import UlidFactory, new_ulid
from omoide.learn.learning_context import LearningReport
from omoide.maintain.job import MaintenanceJob, MaintenanceReport
from omoide.memory.continuity import NarrativePassage, Recap
from omoide.memory.lookup import MemoryPage
from omoide.memory.memory import Memory
from omoide.memory.write import ForgetOptions, Ids
from omoide.providers.protocols import Embedder, LanguageModel, Reranker, TokenCounter
from omoide.recall.briefing import Briefing
from omoide.recall.context_pack import Pack
from omoide.recall.results import Hit, Recall
from omoide.settings import Settings
from omoide.store import (
    BackupResult,
    ErasurePreview,
    ErasureReceipt,
    Finding,
    IdStates,
    MaintenanceRun,
    Night,
    Reminder,
    Stats,
    StoredSecretsReport,
    UndoneNight,
)
from omoide.store.engine.encryption import KeySource
from omoide.store.engine.writer import Replica
from omoide.transfer.import_records import ForeignImportReport
from omoide.transfer.jsonl import ExportReport, ImportReport
from omoide.transfer.loki.folder import LokiReport
from omoide.transfer.markdown_export import MarkdownExportReport
from omoide.transfer.skill_files import ImportedSkill
from omoide.working.board import Board, SummariseTurns
from omoide.working.budget import WindowBudget
from omoide.working.prompt import Prompt

class AsyncProblem:
    id: int
    async def resolved(self, resolution: str) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class AsyncTask:
    id: int
    async def action(
        self, /, name: str, *, target: Any = None, result: Any = None, error: Any = None, **more: Any
    ) -> None: ...
    async def artifact(self, *paths: str) -> None: ...
    async def before(
        self, *, limit: int = 5, budget: int | None = None, consent: str | None = None, recipe: str = "before_task"
    ) -> Briefing: ...
    async def error(self, type: str, message: str = "", *, resolution: str | None = None) -> AsyncProblem: ...
    async def fail(self, why: str | None = None, *, type: str = "failed") -> Node: ...
    async def file(self, *paths: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    async def partial(self, why: str | None = None, *, commit: str | None = None) -> Node: ...
    async def resolve(self, resolution: str, error: int | None = None) -> None: ...
    async def succeed(self, *, commit: str | None = None) -> Node: ...
    async def tool(
        self, /, name: str, arguments: Any = None, *, result: Any = None, error: Any = None, **more: Any
    ) -> None: ...
    @property
    def trace(self) -> Node: ...
    async def use(self, id: int) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class AsyncLiveSession:
    async def after(self, reply: str, *, at: datetime | str | None = None, **fields: Any) -> Node: ...
    async def before(
        self, message: str | None = None, *, at: datetime | str | None = None, **fields: Any
    ) -> Prompt: ...
    @property
    def board(self) -> Board: ...
    @property
    def budget(self) -> WindowBudget: ...
    @property
    def conversation(self) -> list[Node]: ...
    async def end(self, *, summary: str | None = None) -> Session | None: ...
    async def finish(self, goal: int | str | Node, outcome: str = "success") -> Node: ...
    async def goal(self, text: str, *, at: datetime | str | None = None) -> Node: ...
    async def observe(self, text: str, *, role: str, at: datetime | str | None = None, **fields: Any) -> Node: ...
    @property
    def pending(self) -> Node | None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class AsyncGraphNamespace:
    async def add(
        self,
        entities: Iterable[Mapping[str, Any]] = (),
        relations: Iterable[Collection[str]] = (),
        *,
        origin: str = "user",
        at: datetime | str | None = None,
        key: str | None = None,
        on_skip: Callable[[str], object] | None = None,
    ) -> EntityGraph: ...
    async def backlinks(self, id: int) -> builtins.list[Neighbour]: ...
    async def entities(self, limit: int = 20) -> builtins.list[Entity]: ...
    async def entity(
        self,
        /,
        name: str,
        *,
        type: str | None = None,
        aliases: Collection[str] = (),
        description: str | None = None,
        summary: str | None = None,
        importance: int | None = None,
        **attributes: Any,
    ) -> Entity: ...
    async def link(
        self,
        source: int,
        target: int,
        type: str = "related_to",
        *,
        predicate: str | None = None,
        weight: float = 1.0,
        confidence: float = 1.0,
        evidence: Sequence[Any] = (),
    ) -> Edge: ...
    async def links(self, id: int) -> builtins.list[Edge]: ...
    async def merge(self, name: str, into: str) -> Entity: ...
    async def neighbours(self, id: int, *, relation: str | None = None) -> builtins.list[Neighbour]: ...
    async def read(self, names: Collection[str] | None = None) -> EntityGraph: ...
    async def relate(
        self,
        /,
        source: str,
        type: str,
        target: str,
        *,
        confidence: float = 1.0,
        source_node: int | None = None,
        **properties: Any,
    ) -> Relation: ...
    async def relations(self, name: str) -> builtins.list[Relation]: ...
    async def remove(
        self, names: Collection[str] = (), *, observations: Collection[int] = ()
    ) -> builtins.list[str]: ...
    async def split(self, name: str, alias: str, *, type: str | None = None) -> Entity: ...
    async def suggest_links(self, id: int, limit: int = 5) -> builtins.list[LinkSuggestion]: ...
    async def timeline(self, name: str, limit: int = 50) -> builtins.list[Node]: ...
    async def unlink(self, source: int, target: int, type: str | None = None) -> builtins.list[Edge]: ...
    async def unrelate(self, source: str, type: str, target: str) -> Relation: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class AsyncTasksNamespace:
    async def accept_handoff(self, id: int, agent: str) -> Node: ...
    async def before(
        self,
        goal: str,
        *,
        action_type: str | None = None,
        files: Collection[str] = (),
        limit: int = 5,
        budget: int | None = None,
        at: datetime | str | None = None,
        audience: str = "private",
        consent: str | None = None,
        recipe: str = "before_task",
        task: int | None = None,
    ) -> Briefing: ...
    async def bind(
        self,
        id: int,
        *,
        path: str | None = None,
        command: str | None = None,
        tool: str | None = None,
        error: str | None = None,
    ) -> Binding: ...
    async def bindings(self, id: int | None = None) -> builtins.list[Binding]: ...
    async def checkpoint(
        self,
        agent: str,
        *,
        task: str | None = None,
        state: Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
        completed: int = 0,
        at: datetime | str | None = None,
    ) -> Ledger: ...
    async def checkpoints(self, agent: str, limit: int = 20) -> builtins.list[LedgerCheckpoint]: ...
    async def credit(self, limit: int = 20, *, least_tasks: int = 1) -> builtins.list[MemoryCredit]: ...
    async def efficiency(self, days: int = 7, *, at: datetime | str | None = None) -> builtins.list[TaskEfficiency]: ...
    async def export_skills(
        self, folder: str | Path, ids: Collection[int] = (), *, unencrypted: bool = False
    ) -> builtins.list[Path]: ...
    async def handoff(
        self,
        *,
        what_was_done: str,
        to: str | None = None,
        from_: str | None = None,
        artifacts: Collection[str] = (),
        git_state: str | None = None,
        needs_testing: Collection[str] = (),
        known_issues: Collection[str] = (),
        relevant_patterns: Collection[Any] = (),
        at: datetime | str | None = None,
        details: Any = None,
        key: str | None = None,
    ) -> Node: ...
    async def handoffs(
        self, agent: str | None = None, *, open: bool = True, limit: int = 20
    ) -> builtins.list[Node]: ...
    async def import_skills(
        self, paths: str | Path | Collection[str | Path], *, origin: str = "import"
    ) -> builtins.list[ImportedSkill]: ...
    async def learn(self) -> LearningReport: ...
    async def ledger(self, agent: str) -> Ledger: ...
    async def ledgers(self) -> builtins.list[Ledger]: ...
    async def lessons(
        self,
        *,
        tool: str | None = None,
        path: str | None = None,
        command: str | None = None,
        error: str | None = None,
        limit: int = 3,
        consent: str | None = None,
        audience: str = "private",
    ) -> builtins.list[Reminder]: ...
    async def list(self, limit: int = 20, *, open: bool = False) -> builtins.list[Node]: ...
    async def outcome(self, id: int, outcome: Literal["success", "failure", "partial"]) -> Node: ...
    async def record(
        self,
        goal: str,
        outcome: str,
        *,
        agent: str | None = None,
        phase: str | None = None,
        type: str | None = None,
        constraints: Collection[str] = (),
        files: Collection[str] = (),
        actions: Sequence[Mapping[str, Any]] = (),
        errors: Sequence[Mapping[str, Any]] = (),
        artifacts: Collection[str] = (),
        commit: str | None = None,
        seconds: float | None = None,
        name: str | None = None,
        session: str | None = None,
        tags: Collection[str] = (),
        origin: str = "agent",
        sensitive: bool = False,
        audience: str = "private",
        at: datetime | str | None = None,
        details: Any = None,
        key: str | None = None,
    ) -> Node: ...
    async def resume(self, id: int | str) -> AsyncTask: ...
    async def skill_markdown(self, id: int) -> str: ...
    async def skills(self, goal: str | None = None, limit: int = 5) -> builtins.list[Hit]: ...
    async def start(
        self,
        goal: str,
        *,
        agent: str | None = None,
        phase: str | None = None,
        type: str | None = None,
        constraints: Collection[str] = (),
        files: Collection[str] = (),
        name: str | None = None,
        session: str | None = None,
        tags: Collection[str] = (),
        sensitive: bool = False,
        audience: str = "private",
        detached: bool = False,
        key: str | None = None,
    ) -> AsyncTask: ...
    async def unbind(self, id: int, binding: int | None = None) -> int: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class AsyncDocumentsNamespace:
    async def get(self, collection: str, name: str) -> Node | None: ...
    async def list(self, collection: str) -> builtins.list[Node]: ...
    async def save(
        self,
        collection: str,
        name: str,
        text: str,
        *,
        body: Any = None,
        tags: Collection[str] = (),
        origin: str = "agent",
    ) -> Node: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class AsyncNarrativeNamespace:
    async def export_continuity(
        self,
        page: str = "",
        *,
        goal: str | None = None,
        budget: int = 1000,
        audience: str = "private",
        consent: str | None = None,
    ) -> str: ...
    async def get(self, id: int) -> NarrativePassage | None: ...
    async def import_continuity(self, page: str) -> builtins.list[Node]: ...
    async def list(
        self, limit: int = 20, *, session: str | None = None, topic: str | None = None, audience: str = "private"
    ) -> builtins.list[Node]: ...
    async def recap(
        self,
        *,
        session: str | None = None,
        channel: str | None = None,
        at: datetime | str | None = None,
        budget: int = 500,
        audience: str = "private",
        consent: str | None = None,
    ) -> Recap: ...
    async def write(
        self,
        text: str | None = None,
        *,
        nodes: Collection[int] = (),
        topic: str | None = None,
        session: str | None = None,
        previous: int | None = None,
        at: datetime | str | None = None,
    ) -> Node | None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class AsyncReviewNamespace:
    async def accept(self, proposal: int) -> Node: ...
    async def confirm(self, id: int) -> Node: ...
    async def contradictions(self, limit: int = 20) -> builtins.list[Contradiction]: ...
    async def demote(self, id: int) -> Node: ...
    async def proposals(self, limit: int = 20) -> builtins.list[ProposedChange]: ...
    async def refuse(self, proposal: int) -> ProposedChange: ...
    async def reinforce(self, id: int) -> Node: ...
    async def resolve(self, keep: int, over: int) -> Node: ...
    async def uncertain(self, limit: int = 20, *, below: float = 0.5) -> builtins.list[Node]: ...
    async def update(
        self,
        /,
        id: int,
        text: str | None = None,
        *,
        tags: Collection[str] | None = None,
        importance: int | None = None,
        sensitive: bool | None = None,
        audience: str | None = None,
        origin: str = "user",
        **attributes: Any,
    ) -> Node: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class AsyncTrustNamespace:
    async def audit(self, limit: int = 20) -> builtins.list[AuditEntry]: ...
    async def consents(self, limit: int = 20) -> builtins.list[Consent]: ...
    async def grant_consent(self, session: str, reason: str, *, hours: float = 1.0) -> Consent: ...
    async def revoke_consent(self, session: str) -> builtins.list[Consent]: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class AsyncAdminNamespace:
    async def archive(self, id: int, *, withdraw: bool = False) -> Node: ...
    async def backup(
        self, path: str | Path, *, overwrite: bool = False, progress: Callable[[int, int], object] | None = None
    ) -> BackupResult: ...
    async def doctor(self, *, repair: bool = False) -> builtins.list[Finding]: ...
    async def export(
        self,
        path: str | Path,
        *,
        embeddings: bool = False,
        overwrite: bool = False,
        unencrypted: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> ExportReport: ...
    async def export_loki(
        self, folder: str | Path, *, unencrypted: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> LokiReport: ...
    async def export_markdown(
        self,
        folder: str | Path,
        *,
        audience: str = "private",
        unencrypted: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> MarkdownExportReport: ...
    async def export_sqlite(
        self, path: str | Path, *, overwrite: bool = False, unencrypted: bool = False
    ) -> ExportReport: ...
    async def id_states(self) -> IdStates: ...
    async def import_(
        self, path: str | Path, *, progress: Callable[[int, int], object] | None = None
    ) -> ImportReport: ...
    async def import_from(
        self,
        path: str | Path,
        format: str | None = None,
        *,
        mine: bool = False,
        dry_run: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> ForeignImportReport: ...
    async def import_loki(
        self, folder: str | Path, *, progress: Callable[[int, int], None] | None = None
    ) -> LokiReport: ...
    async def jobs(self) -> builtins.list[MaintenanceJob]: ...
    async def last_maintenance(self, *, whole: bool = False) -> MaintenanceRun | None: ...
    async def live_sessions(self) -> builtins.list[str]: ...
    async def live_state(self, session: str | None = None) -> Board: ...
    async def maintain(
        self,
        jobs: Collection[str] | None = None,
        *,
        dry_run: bool = False,
        policy: RetentionPolicy | None = None,
        confirm: bool = False,
        progress: Callable[[str, int], object] | None = None,
    ) -> MaintenanceReport: ...
    async def nights(self, limit: int = 20) -> builtins.list[Night]: ...
    async def pending_embeddings(self) -> int: ...
    async def preload(self) -> bool: ...
    async def receipts(self, limit: int = 20) -> builtins.list[ErasureReceipt]: ...
    async def redact(self, *, dry_run: bool = False) -> StoredSecretsReport: ...
    async def unarchive(self, id: int) -> Node: ...
    async def undo(self, night: int | None = None) -> UndoneNight: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class AsyncMemory:
    graph: AsyncGraphNamespace
    tasks: AsyncTasksNamespace
    documents: AsyncDocumentsNamespace
    narrative: AsyncNarrativeNamespace
    review: AsyncReviewNamespace
    trust: AsyncTrustNamespace
    admin: AsyncAdminNamespace
    def __init__(
        self,
        path: str | Path | Memory | None = None,
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
    ) -> None: ...
    async def agenda(
        self,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        *,
        audience: str = "private",
        consent: str | None = None,
    ) -> Agenda: ...
    async def before_task(
        self,
        goal: str,
        *,
        action_type: str | None = None,
        files: Collection[str] = (),
        limit: int = 5,
        budget: int | None = None,
        at: datetime | str | None = None,
        audience: str = "private",
        consent: str | None = None,
        recipe: str = "before_task",
        task: int | None = None,
    ) -> Briefing: ...
    async def close(self) -> None: ...
    async def context(
        self,
        query: str,
        *,
        budget: int | None = None,
        limit: int = 30,
        session: str | None = None,
        at: datetime | str | None = None,
        as_of: datetime | str | None = None,
        audience: str = "private",
        consent: str | None = None,
        recipe: str = "everyday",
        task: int | None = None,
        reader: str | None = None,
        archive: bool | Literal["only"] = True,
    ) -> Pack: ...
    async def correct(
        self, /, id: int, text: str, *, at: datetime | str | None = None, origin: str = "user", **attributes: Any
    ) -> Node: ...
    async def end(self, session: str, *, summary: str | None = None) -> Session: ...
    async def explain(self, id: int) -> Explanation: ...
    async def flush(self, *, timeout: float | None = None, progress: Callable[[int], None] | None = None) -> bool: ...
    @overload
    async def forget(
        self, id: Ids = None, *, preview: Literal[False] = False, **options: Unpack[ForgetOptions]
    ) -> ErasureReceipt: ...
    @overload
    async def forget(
        self, id: Ids = None, *, preview: Literal[True], **options: Unpack[ForgetOptions]
    ) -> ErasurePreview: ...
    @overload
    async def forget(
        self, id: Ids = None, *, preview: bool, **options: Unpack[ForgetOptions]
    ) -> ErasurePreview | ErasureReceipt: ...
    async def get(self, id: int) -> Node: ...
    @overload
    async def history(self, id: int) -> builtins.list[Version]: ...
    @overload
    async def history(self, id: str) -> builtins.list[Version | EntityChange]: ...
    async def learn(
        self, session: str | None = None, *, progress: Callable[[str, int], None] | None = None
    ) -> LearningReport: ...
    async def list(
        self,
        kinds: Collection[str] | None = None,
        *,
        subject: str | None = None,
        session: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        text: str | None = None,
        origin: str | None = None,
        below: float | None = None,
        sensitive: bool | None = None,
        state: Literal["live", "superseded", "archived", "all"] = "live",
        order: Literal["newest", "oldest", "added", "updated", "important"] = "newest",
        limit: int = 50,
        cursor: str | None = None,
    ) -> MemoryPage: ...
    async def live(
        self,
        session: str,
        *,
        window: int | None = None,
        system: str | None = None,
        plan: str | None = None,
        audience: str | None = None,
        summarise: SummariseTurns | None = None,
    ) -> AsyncLiveSession: ...
    async def maintain(
        self,
        jobs: Collection[str] | None = None,
        *,
        dry_run: bool = False,
        policy: RetentionPolicy | None = None,
        confirm: bool = False,
        progress: Callable[[str, int], object] | None = None,
    ) -> MaintenanceReport: ...
    async def observe(
        self,
        text: str,
        *,
        role: str = "user",
        speaker: str | None = None,
        session: str | None = None,
        channel: str | None = None,
        at: datetime | str | None = None,
        type: str | None = None,
        tags: Collection[str] = (),
        outcome: str | None = None,
        parent: int | None = None,
        details: Any = None,
        task: str | None = None,
        origin: str | None = None,
        sensitive: bool = False,
        audience: str = "private",
        key: str | None = None,
    ) -> Node: ...
    async def observe_many(self, turns: Iterable[Mapping[str, Any]]) -> builtins.list[Node]: ...
    @property
    def path(self) -> str: ...
    async def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        kinds: Collection[str] = (),
        subject: str | None = None,
        session: str | None = None,
        tags: Collection[str] = (),
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        at: datetime | str | None = None,
        as_of: datetime | str | None = None,
        audience: str = "private",
        consent: str | None = None,
        recipe: str = "everyday",
        archive: bool | Literal["only"] = True,
        why_not: Collection[int] = (),
    ) -> Recall: ...
    async def remember(
        self,
        /,
        text: str,
        *,
        kind: str = "fact",
        tags: Collection[str] = (),
        confidence: float = 1.0,
        importance: int = 5,
        origin: str = "user",
        source_type: str = "stated",
        session: str | None = None,
        task: str | None = None,
        at: datetime | str | None = None,
        valid_from: datetime | str | None = None,
        valid_until: datetime | str | None = None,
        details: Any = None,
        sensitive: bool = False,
        audience: str = "private",
        key: str | None = None,
        sources: Collection[int] = (),
        **attributes: Any,
    ) -> Node: ...
    async def session(self, session: str) -> Session: ...
    async def sessions(self, limit: int = 20) -> builtins.list[Session]: ...
    async def stats(self) -> Stats: ...
    async def task(
        self,
        goal: str,
        *,
        agent: str | None = None,
        phase: str | None = None,
        type: str | None = None,
        constraints: Collection[str] = (),
        files: Collection[str] = (),
        name: str | None = None,
        session: str | None = None,
        tags: Collection[str] = (),
        sensitive: bool = False,
        audience: str = "private",
        detached: bool = False,
        key: str | None = None,
    ) -> AsyncTask: ...
    async def viewed(self, *, audience: str = "private", consent: str | None = None) -> AsyncMemory: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
