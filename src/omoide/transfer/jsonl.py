"""Lossless export and import as JSON lines: a header, one line per row, and an end line with count and digest.

{"omoide":"export","format":1,"embeddings":false,"counts":{…},"last":{…}}
{"session":{…}}
{"node":{…}}
…
{"end":{"lines":3,"digest":"…"}}
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from omoide.errors import CannotWrite, InvalidInput, NotFound, OmoideError
from omoide.store import LARGEST_ID, ExportLine, RowImport, Store
from omoide.transfer.import_source import parse_json

FORMAT_VERSION = 1
MAX_LINE_BYTES = 64_000_000  # sixty times the longest text


def encode_line(document: Mapping[str, Any]) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


def new_digest() -> hashlib.blake2b:
    """Detects damaged and truncated files, not deliberate changes."""
    return hashlib.blake2b(digest_size=16)


@dataclass(frozen=True, slots=True)
class ExportHeader:
    """The first line of an export."""

    embeddings: bool
    counts: dict[str, int]
    last: dict[str, int]  # by table, the last id that was ever assigned, also to deleted rows


def parse_header(line: bytes) -> ExportHeader:
    found = _parse_line(line, 1)
    if found.get("omoide") != "export":
        raise InvalidInput("line 1: this is not an export of Omoide; use import_from() for other formats")
    if type(found.get("format")) is not int or found["format"] < 1:
        raise InvalidInput(f"line 1: unknown format {found.get('format')!r}")
    if found["format"] > FORMAT_VERSION:
        raise InvalidInput(f"line 1: format {found['format']} was written by a newer Omoide; upgrade to import it")
    return ExportHeader(bool(found.get("embeddings")), _header_counts(found, "counts"), _header_counts(found, "last"))


def check_export(file: IO[bytes], progress: Callable[[int], object]) -> ExportHeader:
    """Reads the whole file and checks that no line is missing, damaged or changed. Returns its header."""
    digest, head, end, number = new_digest(), None, None, 0
    for number, line in numbered_lines(file):
        if end is not None:
            raise InvalidInput(f"line {number} comes after the end line; are there two exports in one file?")
        if number == 1:
            head = parse_header(line)
        else:
            end = _parse_line(line, number).get("end")
        if end is None:
            digest.update(line)
        progress(len(line))
    if head is None:
        raise InvalidInput("line 1: the file is empty")
    _require_whole(end, number, digest.hexdigest())
    return head


def _require_whole(end: Any, number: int, digest: str) -> None:
    if not isinstance(end, dict):
        raise InvalidInput(f"line {number}: the end line is missing; the file is truncated")
    if end.get("lines") != number - 1:
        raise InvalidInput(f"line {number}: {end.get('lines')} lines were written, {number - 1} were found")
    if end.get("digest") != digest:
        raise InvalidInput(
            f"line {number}: the digest does not match; the file was changed. Export again, or use another copy"
        )


def numbered_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yields the lines with their numbers. Raises InvalidInput for a line that is too long or truncated."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise InvalidInput(f"line {number} is longer than {MAX_LINE_BYTES:,} bytes; this is not an export")
        if not line.endswith(b"\n"):
            raise InvalidInput(f"line {number} has no line end; the file is truncated")
        yield number, line


def row_batches(file: IO[bytes], size: int) -> Iterator[tuple[list[ExportLine], int]]:
    """Yields the rows of a checked file in batches of `size`, each with its number of bytes."""
    rows: list[ExportLine] = []
    bytes = 0
    for number, line in numbered_lines(file):
        ((name, fields),) = _parse_line(line, number).items() if number > 1 else (("", {}),)
        if name not in ("", "end"):
            rows.append(ExportLine(number, name, fields))
            bytes += len(line)
        if len(rows) == size:
            yield rows, bytes
            rows, bytes = [], 0
    if rows:
        yield rows, bytes


def _parse_line(line: bytes, number: int) -> dict[str, Any]:
    try:
        found = parse_json(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"line {number} is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"line {number} is not an object")
    if number > 1 and (len(found) != 1 or not all(isinstance(each, dict) for each in found.values())):
        raise InvalidInput(f"line {number}: expected one row under the name of its table")
    return found


def _header_counts(found: Mapping[str, Any], name: str) -> dict[str, int]:
    given = found.get(name, {})
    if not isinstance(given, dict) or not all(type(each) is int and 0 <= each <= LARGEST_ID for each in given.values()):
        raise InvalidInput(f"line 1: {name} are not counts")
    return given


ROWS_PER_BATCH = 500  # per transaction; other writers wait no longer than for one batch

Progress = Callable[[int, int], object]
"""Called with the amount done and the total."""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Path and size of an export, and its number of rows by table."""

    path: str
    bytes: int
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Result of an import: counts of added, updated, same and skipped rows by table.

    `moved`: the first ids that changed (table, id in the export, id here). `forgotten`: memories that were skipped
    because they were forgotten on request.
    """

    path: str
    counts: dict[str, dict[str, int]]
    moved: tuple[tuple[str, int, int], ...]
    forgotten: int = 0

    def total(self, outcome: str) -> int:
        return sum(each.get(outcome, 0) for each in self.counts.values())


def export_jsonl(
    store: Store,
    path: str | Path,
    *,
    embeddings: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> ExportReport:
    """Writes the whole memory to a file. The file gets its name when it is complete."""
    place = check_target(Path(os.path.realpath(path)), overwrite)
    try:
        with store.copies.partial_copy(place, "export") as part:
            with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                writer = _ExportWriter(file, embeddings, progress)
                store.copies.send_rows(embeddings, writer.begin, writer.row)
                writer.end()
            store.copies.move_into_place(part, place)
    except OSError as error:
        raise CannotWrite(f"{place} cannot be written: {error.strerror}") from error
    store.copies.add(str(place), "export")
    return ExportReport(str(place), place.stat().st_size, writer.counts)


class _ExportWriter:
    """Writes lines and keeps their count and digest."""

    def __init__(self, file: IO[bytes], embeddings: bool, progress: Progress | None) -> None:
        self._file = file
        self._embeddings = embeddings
        self._progress = progress
        self._digest = new_digest()
        self._lines = self._rows = 0
        self.counts: dict[str, int] = {}

    def begin(self, counts: dict[str, int], last: dict[str, int]) -> None:
        self.counts = counts
        self._put(
            {
                "omoide": "export",
                "format": FORMAT_VERSION,
                "embeddings": self._embeddings,
                "counts": counts,
                "last": last,
            }
        )

    def row(self, table: str, fields: Mapping[str, Any]) -> None:
        self._put({table: fields})
        self._rows += table in self.counts
        if self._progress is not None and self._rows % ROWS_PER_BATCH == 0:
            self._progress(self._rows, sum(self.counts.values()))

    def end(self) -> None:
        self._file.write(encode_line({"end": {"lines": self._lines, "digest": self._digest.hexdigest()}}))
        if self._progress is not None:
            self._progress(self._rows, sum(self.counts.values()))

    def _put(self, document: Mapping[str, Any]) -> None:
        line = encode_line(document)
        self._digest.update(line)
        self._file.write(line)
        self._lines += 1


def check_target(place: Path, overwrite: bool) -> Path:
    """Returns the path of a file to write. Raises if it exists without `overwrite`, or its folder does not."""
    if place.is_dir():
        raise InvalidInput(f"{place} is a folder; name a file")
    if not place.parent.is_dir():
        raise CannotWrite(f"{place}: the folder {place.parent} does not exist; create it first")
    if place.exists() and not overwrite:
        raise InvalidInput(f"{place} exists; choose another name, or allow overwriting (--overwrite, overwrite=True)")
    return place


def import_jsonl(
    store: Store, path: str | Path, *, progress: Progress | None = None, batch: int = ROWS_PER_BATCH
) -> ImportReport:
    """Imports an export. Reads the file twice: first to check it, then to import its rows in batches."""
    try:
        with open(path, "rb") as file:
            size = max(1, os.fstat(file.fileno()).st_size)
            count = _byte_progress(progress, size)
            head = check_export(file, count)
            file.seek(0)
            arrival = _receive_batches(store, row_batches(file, batch), head, count)
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {path}") from error
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from error
    tally = arrival.tally
    counts = {name: dict(each) for name, each in tally.counts.items()}
    return ImportReport(str(path), counts, tuple(tally.changed_ids), tally.erased)


def _receive_batches(
    store: Store, batches: Iterable[tuple[list[ExportLine], int]], head: ExportHeader, count: Callable[[int], object]
) -> RowImport:
    arrival, last = RowImport(), 0
    for batch, size in batches:
        try:
            store.imports.take_rows(arrival, batch)
        except OmoideError as error:
            kept = f"lines up to {last} were imported" if last else "nothing was imported"
            raise type(error)(f"{error}; {kept}, importing again continues from there") from error
        last = batch[-1].number
        count(size)
    store.imports.finish_rows(arrival, head.last)
    return arrival


def _byte_progress(progress: Progress | None, size: int) -> Callable[[int], object]:
    """Returns a counter of bytes that reports checking and importing as two halves of the work."""
    done = 0

    def more(bytes: int) -> None:
        nonlocal done
        done += bytes
        if progress is not None:
            progress(min(done, 2 * size), 2 * size)

    return more
