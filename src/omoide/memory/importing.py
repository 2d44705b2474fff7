"""Other systems' memories in, readable copies out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omoide.errors import InvalidInput, OmoideError
from omoide.layers.names import named_in
from omoide.memory.rooms import Rooms
from omoide.memory.upkeep import place
from omoide.observe import checked, foreign
from omoide.observe.profile import profile
from omoide.store import Foreign, Kept, Linked, Profile, Tied

if TYPE_CHECKING:
    from omoide.transfer.item import Item
    from omoide.transfer.jsonl import Exported
    from omoide.transfer.pages import Written
    from omoide.transfer.taken import Taken, Tally

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
    ) -> Taken:
        """Takes in the memories of another system: a file, a folder or a ZIP archive. Twice changes nothing.

        The format is seen from the content, unless it is named. `mine` says that the conversations are the owner's own:
        then what the user says there counts as the user's word, and may teach. `dry_run` only tells what would happen.
        """
        from omoide.transfer import guess, source
        from omoide.transfer.taken import Tally

        checked.yes_or_no(mine, "mine"), checked.yes_or_no(dry_run, "dry_run")
        found = source.opened(place(path))
        form, found.pages = guess.chosen(found, format)
        work = _Work(self, Tally(), mine, dry_run)
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
    ) -> Written:
        """Writes pages to read: one for each entity, one for each day, an index. Writing again replaces only those.

        With `audience="shared"`, only what is shared and not sensitive.
        """
        from omoide.maintain.days import Calendar
        from omoide.transfer import pages

        shared = checked.audience(audience) == "shared"
        zone = Calendar.of(self._settings.time_zone).zone
        return pages.write(self._store, Path(place(folder)), zone, shared, progress)

    def export_sqlite(self, path: str | Path, *, overwrite: bool = False) -> Exported:
        """Writes the seeds' views as tables of a plain SQLite file, which any program reads."""
        from omoide.transfer import plain

        return plain.write(self._store, Path(place(path)), checked.yes_or_no(overwrite, "overwrite"))


class _Work:
    """One import: items gathered into batches, each whole or not at all."""

    def __init__(self, memory: Importing, tally: Tally, mine: bool, dry_run: bool) -> None:
        self._memory = memory
        self.tally = tally
        self._mine = mine
        self._dry_run = dry_run
        self._batch: list[tuple[str, str, str, Foreign]] = []  # kind, where, words
        self._seen: set[Any] = set()  # in a dry run, what an earlier batch would have brought
        self.done = 0

    def take(self, item: Item) -> bool:
        """Whether a batch was written."""
        from omoide.transfer.item import Skipped

        if isinstance(item, Skipped):
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

    def _foreign(self, item: Item) -> Iterator[tuple[str, str, str, Foreign]]:
        from omoide.transfer.item import Held, Link, Said, Skipped, Thing, Tie

        assert not isinstance(item, Skipped)
        memory = self._memory
        now, settings = memory._clock(), memory._settings
        names = memory._store.entity_names()

        def mentioned(text: str) -> tuple[int, ...]:
            return named_in(text, names)

        match item:
            case Said():
                given = {name: getattr(item, name) for name in _TURN}
                draft = foreign.said(given, self._mine, now, settings, mentioned)
                kind = "action" if item.type == "action" else "turn"
                yield kind, item.where, draft.text, Kept(draft)
            case Held():
                given = {name: getattr(item, name) for name in _STATEMENT}
                given["attributes"] = {"title": item.title, "category": item.category} if item.kind == "note" else {}
                if item.subject is not None:
                    given["attributes"] = {"subject": checked.required(item.subject, "subject")}
                draft = foreign.held(given, now, settings, mentioned)
                yield item.kind, item.where, draft.text, Kept(draft, tuple(profile(each) for each in item.about))
            case Thing():
                yield (
                    "entity",
                    item.where,
                    item.name,
                    profile(item.name, item.type, item.aliases, item.description, attributes=item.attributes),
                )
            case Tie():
                tie = Tied(profile(item.source), checked.required(item.type, "type"), profile(item.target))
                yield "relation", item.where, f"{item.source} {item.type} {item.target}", tie
            case Link():
                predicate = checked.name(item.predicate, "predicate")
                ends = foreign.held_key(item.source), foreign.held_key(item.target)
                words = f"{predicate or item.type}"
                yield "link", item.where, words, Linked(*ends, item.type, predicate)

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

    def _foreseen(self, wanted: list[Foreign]) -> list[str]:
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


def _mark(item: Foreign) -> Any:
    match item:
        case Kept():
            return item.draft.key
        case Profile():
            return ("entity", item.name, item.type)
        case Tied():
            return ("tie", item.source.name, item.type, item.target.name)
        case Linked():
            return ("link", item.source, item.target, item.type)


def _reason(error: InvalidInput) -> str:
    """Short, and the same for all that fail alike."""
    return str(error).split(";")[0][:120]
