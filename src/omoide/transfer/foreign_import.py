"""Imports the memories of other systems, whose format is detected; importing the same twice changes nothing."""

from __future__ import annotations

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
)
from omoide.transfer import import_source
from omoide.transfer.detect_format import choose_format
from omoide.transfer.import_records import (
    ForeignImportReport,
    ImportedEntity,
    ImportedLink,
    ImportedRecord,
    ImportedRelation,
    ImportedStatement,
    ImportedTurn,
    ImportTally,
    SkippedRecord,
    clean_text,
    fingerprint,
)
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
