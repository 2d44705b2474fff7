"""The store: the only package that contains SQL. `Store` has a table of operations for each kind of record."""

from omoide.store.ageing.archive import ArchiveRequest
from omoide.store.ageing.compression import SummaryDraft, UncompressedSession
from omoide.store.ageing.retention import AgedNode
from omoide.store.ageing.summary_sources import EndedFact
from omoide.store.engine.consistency import Finding
from omoide.store.engine.maintenance_log import LEASE_MICROSECONDS, DailySpending, MaintenanceRun
from omoide.store.engine.stats import Stats
from omoide.store.entities.entities import EntityProfile
from omoide.store.entities.graph import EntityDraft
from omoide.store.entities.merge import MergeSettlement
from omoide.store.erasure.receipts import (
    ByteScan,
    ErasureClosure,
    ErasurePlan,
    ErasurePreview,
    ErasureReceipt,
    ErasureTarget,
    IdStates,
    KnownCopy,
    RederivedNode,
    TextMention,
    WeakenedNode,
)
from omoide.store.exchange.backup import BackupResult
from omoide.store.exchange.import_filter import ExportLine, RowImportTally
from omoide.store.exchange.import_foreign import ForeignItem, ForeignLink, ForeignNode, ForeignRelation
from omoide.store.exchange.import_rows import RowImport
from omoide.store.exchange.restore import RestoreResult, restore
from omoide.store.learning.learning_transaction import ErasedContentError, LearningTransaction
from omoide.store.learning.unlearned import TaskTrace, UnlearnedSegment, UnsummarisedEntity
from omoide.store.records.live_boards import BoardSnapshot
from omoide.store.records.narratives import NarrativeContext, NarrativeDraft, NarrativeFilter
from omoide.store.records.nodes import TextChange
from omoide.store.search.embedding import (
    AnyEmbedder,
    ProjectedTokenStates,
    accepts_text,
    embed_texts,
    gives_tokens,
    pack,
    unpack,
)
from omoide.store.search.node_filter import NodeFilter
from omoide.store.store import Store
from omoide.store.tasks.agent_ledgers import LedgerUpdate
from omoide.store.tasks.lessons import Reminder
from omoide.store.tasks.task_lifecycle import OpenTask, TaskEnding

__all__ = [
    "LEASE_MICROSECONDS",
    "AgedNode",
    "AnyEmbedder",
    "ArchiveRequest",
    "BackupResult",
    "BoardSnapshot",
    "ByteScan",
    "DailySpending",
    "EndedFact",
    "EntityDraft",
    "EntityProfile",
    "ErasedContentError",
    "ErasureClosure",
    "ErasurePlan",
    "ErasurePreview",
    "ErasureReceipt",
    "ErasureTarget",
    "ExportLine",
    "Finding",
    "ForeignItem",
    "ForeignLink",
    "ForeignNode",
    "ForeignRelation",
    "IdStates",
    "KnownCopy",
    "LearningTransaction",
    "LedgerUpdate",
    "MaintenanceRun",
    "MergeSettlement",
    "NarrativeContext",
    "NarrativeDraft",
    "NarrativeFilter",
    "NodeFilter",
    "OpenTask",
    "ProjectedTokenStates",
    "RederivedNode",
    "Reminder",
    "RestoreResult",
    "RowImport",
    "RowImportTally",
    "Stats",
    "Store",
    "SummaryDraft",
    "TaskEnding",
    "TaskTrace",
    "TextChange",
    "TextMention",
    "UncompressedSession",
    "UnlearnedSegment",
    "UnsummarisedEntity",
    "WeakenedNode",
    "accepts_text",
    "embed_texts",
    "gives_tokens",
    "pack",
    "restore",
    "unpack",
]
