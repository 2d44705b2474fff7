"""Imports the memories of other systems, whose format is detected; importing the same twice changes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from omoide.clock import Clock
from omoide.domain.entity import entities_named_in
from omoide.errors import InvalidInput, OmoideError
from omoide.observe import drafts, validate
from omoide.observe.drafts import entity_profile
from omoide.settings import Settings
from omoide.store import (
    EntityProfile,
    ForeignItem,
    ForeignLink,
    ForeignNode,
    ForeignRelation,
    StatementWriting,
    Store,
    foreign_columns,
)
from omoide.transfer import import_source
from omoide.transfer.formats import FORMATS, openclaw
from omoide.transfer.import_records import (
    ForeignImportReport,
    ImportedEntity,
    ImportedLink,
    ImportedRecord,
    ImportedRelation,
    ImportedStatement,
    ImportedTurn,
    ImportFormat,
    ImportTally,
    SkippedRecord,
    as_list,
    as_mapping,
    clean_text,
    fingerprint,
)
from omoide.transfer.import_source import ImportSource, SourceFile
from omoide.transfer.jsonl import Progress

_BATCH = 500  # items of one transaction


class ForeignImport:
    """One import. Imported memories are data with the origin `import`, not statements of the user."""

    def __init__(
        self, store: Store, clock: Clock, settings: Settings, door: StatementWriting, *, mine: bool, dry_run: bool
    ) -> None:
        self._store = store
        self._door = door
        self._clock = clock
        self._settings = settings
        self._mine = mine
        self._dry_run = dry_run
        self._tally = ImportTally()
        self._batch: list[tuple[str, str, str, ForeignItem]] = []  # kind, location, text
        self._seen: set[Any] = set()  # in a dry run, identities of earlier batches
        self._done = 0
        self._form = ""
        self._placed = False  # whether any record had a place; otherwise the file is probably of another format
        self._unplaced: list[tuple[str, str, str]] = []  # reason, location, words

    def run(self, path: str, format: str | None, progress: Progress | None) -> ForeignImportReport:
        """Imports a file, folder or ZIP archive; detects the format if none is given."""
        found = import_source.open_source(path)
        form, found.files, other = choose_format(found, format)
        self._form = form.name
        for name in other:
            self._tally.skip("file of another kind", name)
        try:
            for item in form.read(found.files):
                if self._take(item) and progress is not None:
                    progress(min(found.done, found.size), found.size)
            self._keep_unplaced()
            while self._batch:
                self._flush()
        except OmoideError as error:
            if self._done and not self._dry_run:
                raise type(error)(f"{error}; {self._done:,} are imported, importing again continues") from error
            raise
        if not self._done and not self._tally.counts and form.name not in ("openclaw", "markdown"):
            raise InvalidInput(f"{path}: it contains no records of {form.about}{self._skip_reasons()}")
        if progress is not None:
            progress(found.size, found.size)
        return self._tally.report(path, form.name, self._dry_run)

    def _take(self, item: ImportedRecord) -> bool:
        """Adds an item to the batch; returns whether the batch was written."""
        if isinstance(item, SkippedRecord):
            self._skip(item)
        else:
            try:
                kind, text, record = self._converted(item)
                self._batch.append((kind, item.where, text, record))
                self._placed = True
            except InvalidInput as error:
                self._skip(SkippedRecord(reason=_reason(error), where=item.where, words=_words(item)))
        if len(self._batch) < _BATCH and len(self._unplaced) < _BATCH:
            return False
        self._keep_unplaced()
        self._flush()
        return True

    def _skip(self, item: SkippedRecord) -> None:
        self._tally.skip(item.reason, item.where, item.count)
        if item.words:
            self._unplaced.append((item.reason, item.where, item.words))

    def _keep_unplaced(self) -> None:
        """Adds the notes with the words of unplaced records to the batch, unless nothing was placed so far."""
        if not self._placed and len(self._unplaced) >= _BATCH:
            raise InvalidInput(f"it contains no records of {self._form}{self._skip_reasons()}")
        if not self._placed:
            return
        for reason, where, words in self._unplaced:
            self._tally.unplaced[reason] = self._tally.unplaced.get(reason, 0) + 1
            for number, part in enumerate(_parts(words, self._settings.max_text_bytes)):
                note = ImportedStatement(
                    text=part,
                    where=where,
                    key=f"{self._form}:unplaced:{fingerprint(words, number)}",
                    category="unplaced",
                    details={"unplaced": reason, "where": where},
                )
                kind, text, record = self._converted(note)
                self._batch.append((kind, where, text, record))
        self._unplaced = []

    def _converted(self, item: ImportedRecord) -> tuple[str, str, ForeignItem]:
        """Returns kind, text and store record of an item."""
        match item:
            case ImportedTurn():
                given = {name: getattr(item, name) for name in _TURN}
                draft = drafts.draft_imported_turn(given, self._mine, self._clock(), self._settings, self._mentioned)
                return "action" if item.type == "action" else "turn", draft.text, ForeignNode(draft)
            case ImportedStatement():
                given = {name: getattr(item, name) for name in _STATEMENT}
                given["attributes"] = {"title": item.title, "category": item.category} if item.kind == "note" else {}
                if item.subject is not None:
                    given["attributes"] = {"subject": validate.required_name(item.subject, "subject")}
                draft = drafts.draft_imported_statement(given, self._clock(), self._settings, self._mentioned)
                draft = self._door.completed(draft)
                version = None if item.version is None else drafts.imported_statement_key(item.version)
                about = tuple(map(entity_profile, item.about))
                return item.kind, draft.text, ForeignNode(draft, about, version, dated=item.at is not None)
            case ImportedEntity():
                profile = entity_profile(
                    item.name, item.type, item.aliases, item.description, attributes=item.attributes
                )
                return "entity", item.name, profile
            case ImportedRelation():
                ends = entity_profile(item.source), entity_profile(item.target)
                relation = ForeignRelation(ends[0], validate.required_name(item.type, "type"), ends[1])
                return "relation", f"{item.source} {item.type} {item.target}", relation
            case ImportedLink():
                predicate = validate.name(item.predicate, "predicate")
                keys = drafts.imported_statement_key(item.source), drafts.imported_statement_key(item.target)
                return "link", predicate or item.type, ForeignLink(*keys, item.type, predicate)
            case SkippedRecord():
                raise AssertionError("skipped records are counted, not converted")

    def _mentioned(self, text: str) -> tuple[int, ...]:
        return entities_named_in(text, self._store.entities.name_index())

    def _flush(self) -> None:
        if not self._batch:
            return
        wanted = [each for *_, each in self._batch]
        outcomes = (
            self._dry_outcomes(wanted) if self._dry_run else self._store.imports.import_foreign(wanted, self._door)
        )
        self._done += len(self._batch)
        done, self._batch = self._batch, []
        for (kind, where, text, _), outcome in zip(done, outcomes, strict=True):
            if outcome == "lost":
                reason = "an end of the link is missing, or both are the same"
                self._skip(SkippedRecord(reason=reason, where=where, words=text if kind == "relation" else ""))
            else:
                self._tally.count(kind, outcome, where, text)
        self._keep_unplaced()

    def _dry_outcomes(self, wanted: list[ForeignItem]) -> list[str]:
        """Returns the outcome of each item without writing it."""
        outcomes = []
        for each, outcome in zip(wanted, self._store.imports.foresee(wanted), strict=True):
            mark = _identity(each)
            outcomes.append("same" if mark in self._seen else outcome)
            self._seen.add(mark)
        return outcomes

    def _skip_reasons(self) -> str:
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in self._tally.skipped.items())
        return f": {reasons}" if reasons else ""


_TURN = (
    "text", "role", "speaker", "session", "channel", "at", "type", "tags", "outcome", "details", "key",
)  # fmt: skip
_STATEMENT = ("text", "kind", "tags", "at", "valid_from", "valid_until", "details", "key")


def _parts(text: str, max_bytes: int) -> list[str]:
    """Returns the text, or its parts if it is too long for one memory."""
    if len(text.encode()) <= max_bytes:
        return [text]
    size = max(1, max_bytes // 4)  # a character has at most 4 bytes
    return [part for start in range(0, len(text), size) if (part := clean_text(text[start : start + size]))]


def _words(item: ImportedRecord) -> str:
    """Returns what a record says that cannot be stored as what it is."""
    match item:
        case ImportedTurn() | ImportedStatement():
            return clean_text(item.text)
        case ImportedEntity():
            return clean_text("\n".join(filter(None, (item.name, *item.aliases, item.description))))
        case ImportedRelation():
            return clean_text(f"{item.source} {item.type} {item.target}")
        case ImportedLink() | SkippedRecord():
            return ""


def _identity(item: ForeignItem) -> Any:
    match item:
        case ForeignNode():
            return item.version or item.draft.key
        case EntityProfile():
            return ("entity", item.name, item.type)
        case ForeignRelation():
            return ("relation", item.source.name, item.type, item.target.name)
        case ForeignLink():
            return ("link", item.source, item.target, item.type)


def _reason(error: InvalidInput) -> str:
    """Returns a short reason, the same for records that fail alike."""
    return str(error).split(";")[0][:120]


# Detects the format of an import from the file names of a folder or the beginning of a file.


OMOIDE_EXPORT = "jsonl"
_CLAUDE_FIELDS = {"chat_messages", "conversations_memory", "project_memories", "prompt_template"}
_GRAPH_FIELDS = {"fact", "source_node_uuid", "target_node_uuid"}
_CLAUDE_CODE_TYPES = ("summary", "file-history-snapshot", "queue-operation", "system", "progress")


def choose_format(source: ImportSource, named: str | None) -> tuple[ImportFormat, list[SourceFile], list[str]]:
    """Returns the named or detected format, the files of the source that belong to it, and the names of the others."""
    form = FORMATS[check_format_name(named)] if named is not None else _detect(source)
    files = [file for file in source.files if form.wants(file.name)] if source.is_folder else source.files
    if not files:
        raise InvalidInput(f"{source.path}: no file there is {form.about}; name the file, or another format")
    wanted = {file.name for file in files}
    return form, files, [file.name for file in source.files if file.name not in wanted]


def check_format_name(named: str) -> str:
    """Returns the name of a known format. Raises InvalidInput with a suggestion for others."""
    if isinstance(named, str) and named in FORMATS:
        return named
    near = get_close_matches(str(named), FORMATS, n=1)
    raise InvalidInput(
        f"format: unknown format {named!r}; "
        + (f"did you mean {near[0]}?" if near else f"known are {', '.join(FORMATS)}")
    )


def _detect(source: ImportSource) -> ImportFormat:
    found = _detect_folder(source) if source.is_folder else _detect_file(source.files[0])
    if found == OMOIDE_EXPORT:
        raise InvalidInput(f"{source.path} is an export of Omoide; use import_() for it")
    if found is None:
        raise InvalidInput(f"{source.path}: unknown format; name it, one of {', '.join(FORMATS)}")
    return FORMATS[found]


def _detect_folder(source: ImportSource) -> str | None:
    names = [source_file.name for source_file in source.files]
    if any(re.search(r"(^|/)conversations(-\d+)?\.json$", name) for name in names):
        return _detect_file(next(file for file in source.files if FORMATS["chatgpt"].wants(file.name)))
    if any(FORMATS["codex"].wants(name) for name in names):
        return "codex"
    if any(re.search(r"(^|/)sqlite_vec\.db$", name) for name in names):
        return "memory-service"
    if any(re.search(r"(^|/)MEMORY\.md$", name) for name in names):
        return "openclaw"
    if any(re.search(r"(^|/)memory/[^/]*\d{4}-\d{2}-\d{2}[^/]*\.md$", name) for name in names):
        return "openclaw"
    json_files = [file for file in source.files if file.name.endswith((".jsonl", ".json", ".af"))]
    notes = sum(name.endswith(".md") for name in names)
    if notes >= max(1, len(json_files)):
        return "markdown"
    detected = map(_detect_file, json_files[:20])
    return next((found for found in detected if found not in (None, OMOIDE_EXPORT)), None)


def is_omoide_export(source: ImportSource) -> bool:
    """Whether the source is an export written by Omoide."""
    return not source.is_folder and _detect_file(source.files[0]) == OMOIDE_EXPORT


def _detect_file(source_file: SourceFile) -> str | None:
    if source_file.name.endswith((".md", ".markdown")):
        daily = openclaw.DAILY_FILE.match(source_file.stem)
        return "openclaw" if source_file.stem.casefold() == "memory" or daily else "markdown"
    if source_file.is_sqlite():
        with source_file.on_disk() as path:
            return _detect_tables(str(path))
    head = source_file.head().decode("utf-8-sig", "ignore").lstrip()
    if source_file.name.endswith(".af"):
        return "letta"
    if head.startswith('"'):  # JSON in a string, as Letta's client returns it
        return "letta" if re.search(r'\\"(agents|agent_type|core_memory)\\"', head) else None
    if head.startswith("["):
        return _detect_list_element(_first_json_value(head[1:].lstrip()), head)
    if not head.startswith("{"):
        return None
    line, _, rest = head.partition("\n")
    first = _first_json_value(line)
    if first is None or (not rest.strip() and not source_file.name.endswith((".jsonl", ".ndjson"))):
        return _detect_document(_first_json_value(head), head)
    is_lines = source_file.name.endswith((".jsonl", ".ndjson")) or _first_json_value(rest.lstrip()) is not None
    return _detect_line(first) if is_lines else None


def _detect_tables(path: str) -> str | None:
    if {"content_hash", "content"} <= foreign_columns(path, "memories"):
        return "memory-service"
    return "mem0" if {"memory_id", "new_memory", "event"} <= foreign_columns(path, "history") else None


def _first_json_value(text: str) -> Any:
    """Returns the JSON value at the start of a text, or None if it is incomplete."""
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _detect_list_element(first: Any, head: str) -> str | None:
    """Detects by the first element of a list. If it is too long to parse, its field names decide."""
    found = as_mapping(first)
    fields = set(found) if found else set(re.findall(r'"(\w+)"\s*:', head))
    if "mapping" in fields:
        return "chatgpt"
    if fields & _CLAUDE_FIELDS:
        return "claude"
    if str(found.get("id", "")).startswith("passage-") or "archive_id" in fields:
        return "letta"
    if "content_hash" in fields:
        return "memory-service"
    if "memory" in fields or {"memory_id", "event"} <= fields:
        return "mem0"
    if fields & _GRAPH_FIELDS or {"uuid", "labels"} <= fields or {"uuid", "source_description"} <= fields:
        return "graphiti"
    return "turns" if fields & {"role", "content", "text", "messages"} else None


def _detect_document(found: Any, head: str) -> str | None:
    fields = set(found) if isinstance(found, Mapping) else set(re.findall(r'"(\w+)"\s*:', head))
    if {"entities", "relations"} <= fields or ("entities" in fields and not found):
        return "mcp"
    if fields & _CLAUDE_FIELDS:
        return "claude"
    if fields & {"agents", "core_memory", "agent_type", "archival_memory", "passages"}:
        return "letta"
    first = as_mapping(next(iter(as_list(as_mapping(found).get("memories"))), None))
    if "export_metadata" in fields or "content_hash" in (first or fields):
        return "memory-service"
    if fields & {"results", "memories"}:
        return "mem0"
    if fields & {"edges", "episodes", "facts"} or fields & _GRAPH_FIELDS or ("nodes" in fields and not found):
        return "graphiti"
    if "mapping" in fields:
        return "chatgpt"
    if isinstance(found, Mapping):
        return _detect_line(found)
    return None


def _detect_line(first: Any) -> str | None:
    found = as_mapping(first)
    if found.get("omoide") == "export":
        return OMOIDE_EXPORT
    if found.get("type") in ("entity", "relation") and {"name", "from"} & set(found):
        return "mcp"
    if found.get("type") == "session_meta" or "payload" in found or {"id", "timestamp", "instructions"} <= set(found):
        return "codex"
    if {"sessionId", "parentUuid", "leafUuid"} & set(found) or found.get("type") in _CLAUDE_CODE_TYPES:
        return "claude-code"
    if "memory" in found:
        return "mem0"
    spoken = {"text", "content", "message", "role"} & set(found) or as_list(found.get("messages"))
    return "turns" if spoken else None
