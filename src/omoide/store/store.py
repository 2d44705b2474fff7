"""The store: one file, and a table of operations for each kind of record.

Every operation is a function whose first parameter is a connection, in the module of its table. Here it is bound to the
file as a read or a write transaction: `store.nodes.fetch(ids)`. Inside a transaction, functions call
each other directly.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from omoide.clock import Clock
from omoide.domain.trust import Viewer
from omoide.errors import CannotWrite
from omoide.ids import UlidFactory
from omoide.store.ageing import archive, compression, deduplicate, summary_sources
from omoide.store.ageing.retention import RetentionTable
from omoide.store.engine import consistency, doctor, maintenance_log, night_journal
from omoide.store.engine.consistency import Finding
from omoide.store.engine.file import DatabaseFile, Table, counts, derives, reads, writes
from omoide.store.engine.viewed_file import ViewedFile
from omoide.store.entities import entities, graph, merge, names
from omoide.store.erasure import erasures, receipts
from omoide.store.erasure.erasures import ErasureTable
from omoide.store.exchange import import_foreign, readable_export
from omoide.store.exchange.backup import CopyTable
from omoide.store.exchange.import_filter import ExportLine
from omoide.store.exchange.import_rows import RowImport
from omoide.store.learning.learning_transaction import LearningTable
from omoide.store.records import edges, live_boards, memories, narratives, node_queries, nodes, overview, sessions
from omoide.store.records.proposals import AuditTable, ConsentTable, ProposalTable
from omoide.store.search.search_index import EmbeddingTable, SearchIndex
from omoide.store.tasks import agent_ledgers, lessons, task_lifecycle

T = TypeVar("T")


class NodeTable(Table):
    require = reads(nodes.require)
    fetch = reads(memories.fetch)
    fetch_readable = reads(memories.fetch_readable)
    read_rows = reads(memories.read_rows)
    page = reads(node_queries.page)
    versions = reads(nodes.versions)
    changes = reads(nodes.changes)
    next_valid_until = reads(nodes.next_valid_until)
    find_skill = reads(nodes.find_skill)
    procedures_named = reads(nodes.procedures_named)
    facts_of = reads(node_queries.facts_of)
    refusal = reads(node_queries.refusal)
    grounds = reads(node_queries.grounds)
    uncertain = reads(node_queries.uncertain)
    insert = writes(nodes.insert)
    insert_version = writes(memories.insert_version)
    insert_with_sources = derives(memories.insert_with_sources)
    remember = writes(memories.remember)
    supersede = writes(memories.supersede)
    update = writes(nodes.update)
    hide_earlier = writes(memories.hide_earlier)
    confirm = writes(nodes.confirm)
    adjust_score = writes(nodes.adjust_score)
    count_outcome = writes(nodes.count_outcome)
    record_accesses = counts(memories.record_accesses)


class LinkTable(Table):
    of_node = reads(edges.of_node)
    ending_words = reads(edges.ending_words)
    linked_nodes = reads(memories.linked_nodes)
    contradictions = reads(memories.contradictions)
    link = writes(memories.link)
    unlink = writes(memories.unlink)
    resolve_contradiction = writes(memories.resolve_contradiction)


class TimeTable(Table):
    of_nodes = reads(edges.times_of_nodes)
    between = reads(edges.times_between)
    learned_from = reads(edges.learned_from)
    superseding = reads(edges.superseding)
    said_by_agent = reads(edges.said_by_agent)
    said_later = reads(edges.said_later)


class SessionTable(Table):
    require = reads(sessions.require)
    recent = reads(sessions.recent)
    by_number = reads(sessions.by_number)
    by_recency = reads(sessions.by_recency)
    end = writes(sessions.end)


class EntityTable(Table):
    find_entity_or_user = reads(names.find_entity_or_user)
    described = reads(entities.described)
    relations = reads(entities.relations)
    mentioning_nodes = reads(entities.mentioning_nodes)
    timeline = reads(names.timeline)
    entity_changes = reads(merge.entity_changes)
    save = writes(graph.save_entity)
    relate = writes(graph.relate)
    split = writes(merge.split)
    merge = writes(merge.merge_and_settle)

    def __init__(self, file: DatabaseFile) -> None:
        super().__init__(file)
        self.name_index = names.NameIndex(file).current


class GraphTable(Table):
    read = reads(graph.read)
    most_mentioned = reads(graph.most_mentioned)
    link_chain = reads(graph.link_chain)
    related_entities = reads(graph.related_entities)
    learned_about = reads(graph.learned_about)
    add = writes(graph.add)
    remove = writes(graph.remove)
    withdraw_observations = writes(graph.withdraw_observations)
    unrelate = writes(graph.unrelate)


class RoleTable(Table):
    user_names = reads(names.user_names)
    names_of = reads(names.names_of)
    role_holders = reads(names.role_holders)
    facts_of = reads(names.facts_of)


class DocumentTable(Table):
    find_document = reads(node_queries.find_document)
    fetch_documents = reads(node_queries.fetch_documents)


class NarrativeTable(Table):
    unnarrated = reads(narratives.unnarrated)
    unnarrated_sessions = reads(narratives.unnarrated_sessions)
    narrative_context = reads(narratives.narrative_context)
    list_narratives = reads(narratives.list_narratives)
    learned_since = reads(narratives.learned_since)
    mistakes = reads(narratives.mistakes)
    last_turn = reads(narratives.last_turn)
    latest_turns = reads(narratives.latest_turns)
    insert_narrative = derives(narratives.insert_narrative)


class BoardTable(Table):
    find_board = reads(live_boards.find_board)
    list_boards = reads(live_boards.list_boards)
    session_episodes = reads(live_boards.session_episodes)
    highest_node_id = reads(receipts.highest_node_id)
    visible_nodes = reads(live_boards.visible_nodes)
    visible_session_nodes = reads(live_boards.visible_session_nodes)
    derived_pairs = reads(live_boards.derived_pairs)
    replaced_pairs = reads(live_boards.replaced_pairs)
    owner_names = reads(live_boards.owner_names)
    facts_about = reads(live_boards.facts_about)
    save_board = writes(live_boards.save_board)
    delete_board = writes(live_boards.delete_board)


class GivenTable(Table):
    given_to = reads(live_boards.given_to)
    said_in = reads(live_boards.said_in)
    learned_only_from = reads(live_boards.learned_only_from)
    record_given = writes(live_boards.record_given)
    forget_given = writes(live_boards.forget_given)


class ArchiveTable(Table):
    archived_count = reads(archive.archived_count)
    archive_node = writes(memories.archive_node)
    unarchive_node = writes(memories.unarchive_node)


class DuplicateTable(Table):
    same_text_groups = reads(deduplicate.same_text_groups)
    new_vectors = reads(deduplicate.new_vectors)
    may_have_duplicate = reads(deduplicate.may_have_duplicate)
    compare = reads(deduplicate.compare)
    merge_duplicates = derives(deduplicate.merge_duplicates)


class SummaryTable(Table):
    uncompressed_sessions = reads(compression.uncompressed_sessions)
    unsummarised_sessions = reads(compression.unsummarised_sessions)
    unsummarised_turns = reads(compression.unsummarised_turns)
    distillable = reads(compression.distillable)
    summary_by_key = reads(nodes.by_key)
    tagged_summaries = reads(compression.tagged_summaries)
    turns_between = reads(compression.turns_between)
    turn_times = reads(compression.turn_times)
    turn_before = reads(compression.turn_before)
    turns_below = reads(summary_sources.turns_below)
    ended_facts = reads(summary_sources.ended_facts)
    summary_sources = reads(compression.summary_sources)
    causal_links = reads(compression.causal_links)

    insert_summaries = derives(compression.insert_summaries)
    write_summary = derives(compression.write_summary)
    shorten = derives(compression.shorten_episode)
    set_session_summary = derives(compression.set_session_summary)
    link_causes_upto = derives(compression.link_causes_upto)


class TaskTable(Table):
    find_task = reads(task_lifecycle.find_task)
    get_trace = reads(task_lifecycle.get_trace)
    recent_tasks = reads(task_lifecycle.recent_tasks)
    abandoned_tasks = reads(task_lifecycle.abandoned_tasks)
    handed_out = reads(task_lifecycle.handed_out)
    start_task = writes(task_lifecycle.start_task)
    record_tasks = writes(task_lifecycle.record_tasks)
    add_entry = writes(task_lifecycle.add_entry)
    resolve_error = writes(task_lifecycle.resolve_error)
    finish_task = writes(task_lifecycle.finish_task)
    settle_credit = writes(task_lifecycle.settle_credit)
    hand_out = writes(task_lifecycle.hand_out)
    mark_used = writes(task_lifecycle.mark_used)


class LessonTable(Table):
    bindings_of = reads(lessons.bindings_of)
    triggered_lessons = reads(lessons.triggered_lessons)
    outcome_effects = reads(lessons.outcome_effects)
    success_rate_and_credits = reads(lessons.success_rate_and_credits)
    bind = writes(lessons.bind)
    unbind = writes(lessons.unbind)


class AgentTable(Table):
    require_ledger = reads(agent_ledgers.require_ledger)
    list_ledgers = reads(agent_ledgers.list_ledgers)
    list_checkpoints = reads(agent_ledgers.list_checkpoints)
    list_handoffs = reads(agent_ledgers.list_handoffs)
    add_checkpoint = writes(agent_ledgers.add_checkpoint)
    accept_handoff = writes(agent_ledgers.accept_handoff)


class OverviewTable(Table):
    quotations = reads(overview.quotations)
    replacements = reads(overview.replacements)
    learned_from = reads(overview.learned_from)
    find_entities = reads(overview.find_entities)
    graph_nodes = reads(overview.graph_nodes)
    graph_lines = reads(overview.graph_lines)
    spans = reads(overview.spans)
    talks = reads(overview.talks)
    growth = reads(overview.growth)
    learned_since = reads(overview.learned_since)
    redacted_since = reads(overview.redacted_since)
    session_lines = reads(overview.session_lines)
    find_sessions = reads(overview.find_sessions)


class MaintenanceTable(Table):
    get_cursor = reads(maintenance_log.get_cursor)
    job_cursor = reads(maintenance_log.job_cursor)
    last_run = reads(maintenance_log.last_run)
    last_job_run = reads(maintenance_log.last_job_run)
    failed_jobs = reads(maintenance_log.failed_jobs)
    spending_on = reads(maintenance_log.spending_on)
    list_nights = reads(night_journal.list_nights)
    night_changes = reads(night_journal.night_changes)
    undo_night = writes(night_journal.undo)
    list_set_aside = reads(maintenance_log.list_set_aside)
    take_back = writes(maintenance_log.take_back)
    set_aside = writes(maintenance_log.set_aside)
    set_cursor = writes(maintenance_log.set_cursor)
    set_job_cursor = writes(maintenance_log.set_job_cursor)
    take_lease = writes(maintenance_log.take_lease)
    renew_lease = writes(maintenance_log.renew_lease)
    release_lease = writes(maintenance_log.release_lease)
    begin_run = writes(maintenance_log.begin_run)
    end_run = writes(maintenance_log.end_run)
    begin_job = writes(maintenance_log.begin_job)
    end_job = writes(maintenance_log.end_job)
    reserve_today = writes(maintenance_log.reserve_today)
    settle_spending = writes(maintenance_log.settle_spending)

    def recorded(self, night: int) -> AbstractContextManager[None]:
        """What this thread writes inside can be put back by `undo_night`."""
        return self._file.recorded(night)


class SpaceTable(Table):
    count_all = reads(doctor.count_all)
    file_size = reads(doctor.file_size)
    used_bytes = reads(doctor.used_bytes)
    measure_space = reads(doctor.measure_space)

    def release_pages(self, pages: int) -> bool:
        """Returns empty pages to the disk; False if the file needs a VACUUM first."""
        if not self._file.read(doctor.vacuums_incrementally):
            return False
        self._file.write(doctor.release_pages, pages)
        return True

    def vacuum(self) -> None:
        """Rewrites the file: writers wait, and the disk needs room for a second copy."""
        self._file.alone(doctor.vacuum)


class HealthTable(Table):
    scrub_structure = reads(doctor.check_structure)
    scrub_nodes = reads(doctor.scrub_nodes)
    scrub_remarks = reads(consistency.remarks)

    def examine(self, repair: bool) -> list[Finding]:
        """Runs all checks. The structure is only read; full text can only be checked in a write transaction."""
        structure = self._file.read(doctor.check_structure)
        if not structure.ok:
            return [structure]
        try:
            found = [structure, *self._file.write(doctor.run_checks, repair)]
            removed = CopyTable(self._file).clear_partials()
        except CannotWrite as error:  # a full disk: what can be checked by reading
            why = f"{error}; the text index was not checked and nothing was repaired"
            return [structure, Finding("disk", False, why), *self._file.read(doctor.reading_checks)]
        if removed:
            detail = f"{len(removed)} unfinished copies of crashed processes were removed"
            found.append(Finding("copies", True, detail, repaired=True))
        return found

    def scrub_next(self, batch: int, *, keep: bool) -> doctor.ScrubResult | None:
        """Checks the next nodes; with `keep`, saves the position. None at the end, after which it starts over."""
        found = self._file.read(lambda db: doctor.scrub_nodes(db, maintenance_log.job_cursor(db, "scrubbed"), batch))
        if keep:
            self._file.write(maintenance_log.set_job_cursor, "scrubbed", found.upto if found else 0)
        return found


class ImportTable(Table):
    node_by_key = reads(nodes.by_key)
    node_by_ulid = reads(import_foreign.node_by_ulid)
    foresee = reads(import_foreign.foresee)
    exported_nodes = reads(import_foreign.exported_nodes)
    exported_links = reads(import_foreign.exported_links)
    foreign_files = reads(import_foreign.foreign_files)
    tasks_ended_since = reads(import_foreign.tasks_ended_since)
    save_foreign_file = writes(import_foreign.save_foreign_file)
    import_foreign = writes(import_foreign.import_foreign)

    def take_rows(self, rows: RowImport, batch: list[ExportLine]) -> None:
        """Imports a batch of exported rows, all or nothing."""
        self._file.write(lambda db: rows.take(db, batch, db.now))

    def finish_rows(self, rows: RowImport, sequences: Mapping[str, int]) -> None:
        """Completes an import; removes the bytes of rows that were refused because they had been erased here."""
        self._file.write(lambda db: rows.finish(db, dict(sequences)))
        if rows.tally.erased or rows.cleared:
            erasures.clean_up_after_deletion(self._file)


class ExportTable(Table):
    readable_entities = reads(readable_export.readable_entities)
    nodes_by_day = reads(readable_export.nodes_by_day)
    entity_page = reads(readable_export.entity_page)
    copy_views = reads(readable_export.copy_views)


class Store:
    """One file. Reads never wait for writes; a write is durable when it returns."""

    def __init__(self, path: str, clock: Clock, ids: UlidFactory, busy_timeout: float, **options: Any) -> None:
        """Opens the file; the options `replica` and `key` are those of DatabaseFile."""
        self._bind(DatabaseFile(path, clock, ids, busy_timeout, **options))

    def viewed(self, viewer: Viewer) -> Store:
        """The same file, without what a viewer may not see. It can only be read."""
        seen = Store.__new__(Store)
        seen._bind(ViewedFile(self._file, viewer))
        seen.search = self.search.viewed(seen._file)
        seen.entities.name_index = self.entities.name_index
        return seen

    def _bind(self, file: DatabaseFile) -> None:
        self._file = file
        self.path, self.is_encrypted = file.path, file.key is not None
        self.close = file.close
        self.require_open = file.require_open
        self.state = file.state
        self.one_state = file.one_state
        self.derive = file.derive
        self.derive_each = file.derive_each
        self.nodes = NodeTable(file)
        self.links = LinkTable(file)
        self.proposals = ProposalTable(file)
        self.consents = ConsentTable(file)
        self.audit = AuditTable(file)
        self.times = TimeTable(file)
        self.sessions = SessionTable(file)
        self.entities = EntityTable(file)
        self.graph = GraphTable(file)
        self.roles = RoleTable(file)
        self.documents = DocumentTable(file)
        self.narratives = NarrativeTable(file)
        self.boards = BoardTable(file)
        self.given = GivenTable(file)
        self.search = SearchIndex(file)
        self.embeddings = EmbeddingTable(file)
        self.archive = ArchiveTable(file)
        self.duplicates = DuplicateTable(file)
        self.summaries = SummaryTable(file)
        self.tasks = TaskTable(file)
        self.lessons = LessonTable(file)
        self.agents = AgentTable(file)
        self.learning = LearningTable(file)
        self.erasure = ErasureTable(file)
        self.retention = RetentionTable(file)
        self.copies = CopyTable(file)
        self.imports = ImportTable(file)
        self.exports = ExportTable(file)
        self.maintenance = MaintenanceTable(file)
        self.space = SpaceTable(file)
        self.overview = OverviewTable(file)
        self.health = HealthTable(file)

    @property
    def is_forked(self) -> bool:
        """Whether this is a forked child's copy of what its parent opened."""
        return self._file.is_forked
