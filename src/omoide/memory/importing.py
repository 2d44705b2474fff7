"""Other systems' memories in, readable copies out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omoide.domain.entity import entities_named_in
from omoide.errors import InvalidInput, OmoideError
from omoide.memory.rooms import Rooms
from omoide.memory.upkeep import place
from omoide.observe import drafts, validate
from omoide.observe.drafts import entity_profile
from omoide.store import EntityProfile, ForeignItem, ForeignLink, ForeignNode, ForeignRelation

if TYPE_CHECKING:
    from omoide.transfer.import_records import ForeignImportReport, ImportedRecord, ImportTally
    from omoide.transfer.jsonl import ExportReport
    from omoide.transfer.markdown_export import MarkdownExportReport

_BATCH = 500  # as of our own exports: one transaction, whole or not at all
Progress = Callable[[int, int], object]


class Importing(Rooms):
    """What is imported is data: it answers as a quotation, and is nobody's word."""

    def import_from(
        self,
        path: str | Path,
        format: str | None = None,
        *,
        mine: bool = False,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ForeignImportReport:
        """Takes in the memories of another system: a file, a folder or a ZIP archive. Twice changes nothing.

        The format is seen from the content, unless it is named. `mine` says that the conversations are the owner's own:
        then what the user says there counts as the user's word, and may teach. `dry_run` only tells what would happen.
        """
        from omoide.transfer import detect_format, import_source
        from omoide.transfer.import_records import ImportTally

        validate.boolean(mine, "mine"), validate.boolean(dry_run, "dry_run")
        found = import_source.open_source(place(path))
        form, found.pages = detect_format.choose_format(found, format)
        work = _Work(self, ImportTally(), mine, dry_run)
        try:
            for item in form.read(found.pages):
                if work.take(item) and progress is not None:
                    progress(min(found.done, found.size), found.size)
            work.flush()
        except OmoideError as error:
            if work.done and not dry_run:
                raise type(error)(f"{error}; {work.done:,} before it are here, importing again goes on") from error
            raise
        finally:
            self._background.wake()
        if not work.done and not work.tally.counts and form.name not in ("openclaw", "markdown"):
            raise InvalidInput(f"{path}: nothing in it is {form.about}{work.why()}")
        if progress is not None:
            progress(found.size, found.size)
        return work.tally.report(str(path), form.name, dry_run)

    def export_markdown(
        self, folder: str | Path, *, audience: str = "private", progress: Progress | None = None
    ) -> MarkdownExportReport:
        """Writes pages to read: one for each entity, one for each day, an index. Writing again replaces only those.

        With `audience="shared"`, only what is shared and not sensitive.
        """
        from omoide.maintain.calendar import LocalCalendar
        from omoide.transfer import markdown_export

        shared = validate.audience(audience) == "shared"
        zone = LocalCalendar.of(self._settings.time_zone).zone
        return markdown_export.export_markdown(self._store, Path(place(folder)), zone, shared, progress)

    def export_sqlite(self, path: str | Path, *, overwrite: bool = False) -> ExportReport:
        """Writes the seeds' views as tables of a plain SQLite file, which any program reads."""
        from omoide.transfer import sqlite_files

        return sqlite_files.export_sqlite(self._store, Path(place(path)), validate.boolean(overwrite, "overwrite"))


class _Work:
    """One import: items gathered into batches, each whole or not at all."""

    def __init__(self, memory: Importing, tally: ImportTally, mine: bool, dry_run: bool) -> None:
        self._memory = memory
        self.tally = tally
        self._mine = mine
        self._dry_run = dry_run
        self._batch: list[tuple[str, str, str, ForeignItem]] = []  # kind, where, words
        self._seen: set[Any] = set()  # in a dry run, what an earlier batch would have brought
        self.done = 0

    def take(self, item: ImportedRecord) -> bool:
        """Whether a batch was written."""
        from omoide.transfer.import_records import SkippedRecord

        if isinstance(item, SkippedRecord):
            self.tally.skip(item.reason, item.where, item.count)
            return False
        try:
            self._batch += self._foreign(item)
        except InvalidInput as error:
            self.tally.skip(_reason(error), item.where)
        if len(self._batch) < _BATCH:
            return False
        self.flush()
        return True

    def _foreign(self, item: ImportedRecord) -> Iterator[tuple[str, str, str, ForeignItem]]:
        from omoide.transfer.import_records import (
            ImportedEntity,
            ImportedLink,
            ImportedRelation,
            ImportedStatement,
            ImportedTurn,
            SkippedRecord,
        )

        assert not isinstance(item, SkippedRecord)
        memory = self._memory
        now, settings = memory._clock(), memory._settings
        names = memory._store.entity_names()

        def mentioned(text: str) -> tuple[int, ...]:
            return entities_named_in(text, names)

        match item:
            case ImportedTurn():
                given = {name: getattr(item, name) for name in _TURN}
                draft = drafts.draft_imported_turn(given, self._mine, now, settings, mentioned)
                kind = "action" if item.type == "action" else "turn"
                yield kind, item.where, draft.text, ForeignNode(draft)
            case ImportedStatement():
                given = {name: getattr(item, name) for name in _STATEMENT}
                given["attributes"] = {"title": item.title, "category": item.category} if item.kind == "note" else {}
                if item.subject is not None:
                    given["attributes"] = {"subject": validate.required_name(item.subject, "subject")}
                draft = drafts.draft_imported_statement(given, now, settings, mentioned)
                yield (
                    item.kind,
                    item.where,
                    draft.text,
                    ForeignNode(draft, tuple(entity_profile(each) for each in item.about)),
                )
            case ImportedEntity():
                yield (
                    "entity",
                    item.where,
                    item.name,
                    entity_profile(item.name, item.type, item.aliases, item.description, attributes=item.attributes),
                )
            case ImportedRelation():
                tie = ForeignRelation(
                    entity_profile(item.source), validate.required_name(item.type, "type"), entity_profile(item.target)
                )
                yield "relation", item.where, f"{item.source} {item.type} {item.target}", tie
            case ImportedLink():
                predicate = validate.name(item.predicate, "predicate")
                ends = drafts.imported_statement_key(item.source), drafts.imported_statement_key(item.target)
                words = f"{predicate or item.type}"
                yield "link", item.where, words, ForeignLink(*ends, item.type, predicate)

    def flush(self) -> None:
        if not self._batch:
            return
        wanted = [each for *_, each in self._batch]
        outcomes = self._foreseen(wanted) if self._dry_run else self._memory._store.take_foreign(wanted)
        for (kind, where, words, _), outcome in zip(self._batch, outcomes, strict=True):
            if outcome == "lost":
                self.tally.skip("one end of it is not here, or both are the same", where)
            else:
                self.tally.count(kind, outcome, where, words)
        self.done += len(self._batch)
        self._batch = []

    def _foreseen(self, wanted: list[ForeignItem]) -> list[str]:
        outcomes = []
        for each, here in zip(wanted, self._memory._store.is_foreign_here(wanted), strict=True):
            mark = _mark(each)
            outcomes.append("same" if here or mark in self._seen else "added")
            self._seen.add(mark)
        return outcomes

    def why(self) -> str:
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in self.tally.skipped.items())
        return f": {reasons}" if reasons else ""


_TURN = (
    "text", "role", "speaker", "session", "channel", "at", "type", "tags", "outcome", "details", "key",
)  # fmt: skip
_STATEMENT = ("text", "kind", "tags", "at", "details", "key")


def _mark(item: ForeignItem) -> Any:
    match item:
        case ForeignNode():
            return item.draft.key
        case EntityProfile():
            return ("entity", item.name, item.type)
        case ForeignRelation():
            return ("tie", item.source.name, item.type, item.target.name)
        case ForeignLink():
            return ("link", item.source, item.target, item.type)


def _reason(error: InvalidInput) -> str:
    """Short, and the same for all that fail alike."""
    return str(error).split(";")[0][:120]
