"""The format: a header, one line a row, and an end that tells whether anything is missing or was changed.

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
from typing import IO, Any, NoReturn

from omoide.errors import CannotWrite, InvalidInput, NotFound, OmoideError
from omoide.store import ExportLine, RowImport, Store

FORMAT_VERSION = 1
MAX_LINE_BYTES = 64_000_000  # bytes of one line: sixty times the longest text; more is no line of ours


def encode_line(document: Mapping[str, Any]) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


def new_digest() -> hashlib.blake2b:
    """Against rot and scissors, not against an enemy."""
    return hashlib.blake2b(digest_size=16)


@dataclass(frozen=True, slots=True)
class ExportHeader:
    """What a file says of itself."""

    embeddings: bool
    counts: dict[str, int]
    last: dict[str, int]  # the last ids that were ever given, also to what is gone


def parse_header(line: bytes) -> ExportHeader:
    found = _parse_line(line, 1)
    if found.get("omoide") != "export":
        raise InvalidInput("line 1: this is not an export of Omoide; import_from() takes those of others")
    if type(found.get("format")) is not int or found["format"] < 1:
        raise InvalidInput(f"line 1: there is no format {found.get('format')!r}")
    if found["format"] > FORMAT_VERSION:
        raise InvalidInput(f"line 1: format {found['format']} was written by a newer Omoide; upgrade to import it")
    return ExportHeader(bool(found.get("embeddings")), _header_counts(found, "counts"), _header_counts(found, "last"))


def check_export(file: IO[bytes], progress: Callable[[int], object]) -> ExportHeader:
    """Reads the whole file once, before anything is written: every line is one, none is missing, none was changed."""
    digest, head, end, number = new_digest(), None, None, 0
    for number, line in numbered_lines(file):
        if end is not None:
            raise InvalidInput(f"line {number} stands behind the end; two files in one?")
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
        raise InvalidInput(f"line {number}: the file ends here, and its last line is missing; it was cut off")
    if end.get("lines") != number - 1:
        raise InvalidInput(f"line {number}: {end.get('lines')} lines were written, {number - 1} are here")
    if end.get("digest") != digest:
        raise InvalidInput(f"line {number}: the lines are not the ones that were written; export again, or find a copy")


def numbered_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers; one without an end, or of no end, is refused."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise InvalidInput(f"line {number} is longer than {MAX_LINE_BYTES:,} bytes; it is no line of an export")
        if not line.endswith(b"\n"):
            raise InvalidInput(f"line {number} breaks off in the middle; the file was cut off")
        yield number, line


def row_batches(file: IO[bytes], size: int) -> Iterator[tuple[list[ExportLine], int]]:
    """The rows of a file that was checked, so many at a time, and how many bytes they were."""
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
        found = json.loads(line.decode("utf-8"), parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"line {number} is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"line {number} is not an object")
    if number > 1 and (len(found) != 1 or not all(isinstance(each, dict) for each in found.values())):
        raise InvalidInput(f"line {number}: expected one row under the name of its table")
    return found


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _header_counts(found: Mapping[str, Any], name: str) -> dict[str, int]:
    given = found.get(name, {})
    if not isinstance(given, dict) or not all(type(each) is int and each >= 0 for each in given.values()):
        raise InvalidInput(f"line 1: {name} are not counts")
    return given


# Lossless: every row out of a file and into another, line by line, with the memory of one batch.


ROWS_PER_BATCH = 500  # rows: one transaction costs one wait for the disk, and live traffic waits for no more than this

Progress = Callable[[int, int], object]
"""Hears how much is done, and of how much."""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Where it is, how large, how many rows of each table."""

    path: str
    bytes: int
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of the rows, table by table: added, updated, same or skipped; and the first ids that changed:
    (table, in the other file, here). `forgotten`: memories that were skipped because they were forgotten on request."""

    path: str
    counts: dict[str, dict[str, int]]
    moved: tuple[tuple[str, int, int], ...]
    forgotten: int = 0

    def total(self, outcome: str) -> int:
        return sum(each.get(outcome, 0) for each in self.counts.values())


# ── out ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def export_jsonl(
    store: Store,
    path: str | Path,
    *,
    embeddings: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> ExportReport:
    """Writes everything to a file, under its name only once it is whole."""
    place = check_target(Path(os.path.realpath(path)), overwrite)
    try:
        with store.unfinished(place, "export") as part:
            with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                writer = _ExportWriter(file, embeddings, progress)
                store.send(embeddings, writer.begin, writer.row)
                writer.end()
                file.flush()
                os.fsync(file.fileno())
            part.replace(place)
    except OSError as error:
        raise CannotWrite(f"{place} cannot be written: {error.strerror}") from error
    store.note_export(str(place))
    return ExportReport(str(place), place.stat().st_size, writer.counts)


class _ExportWriter:
    """Counts and digests what it writes."""

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
    if place.is_dir():
        raise InvalidInput(f"{place} is a folder; name a file in it")
    if not place.parent.is_dir():
        raise CannotWrite(f"{place}: the folder {place.parent} does not exist; create it first")
    if place.exists() and not overwrite:
        raise InvalidInput(f"{place} is there already; choose another name, or say that it may be replaced")
    return place


# ── in ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def import_jsonl(
    store: Store, path: str | Path, *, progress: Progress | None = None, batch: int = ROWS_PER_BATCH
) -> ImportReport:
    """Reads a file twice: once to see that it is whole, and once to take its rows, batch by batch."""
    try:
        with open(path, "rb") as file:
            size = max(1, os.fstat(file.fileno()).st_size)
            told = _byte_progress(progress, size)
            head = check_export(file, told)
            file.seek(0)
            arrival = _receive_batches(store, row_batches(file, batch), head, told)
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {path}") from error
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from error
    tally = arrival.tally
    counts = {name: dict(each) for name, each in tally.counts.items()}
    return ImportReport(str(path), counts, tuple(tally.moved), tally.forgotten)


def _receive_batches(
    store: Store, batches: Iterable[tuple[list[ExportLine], int]], head: ExportHeader, told: Callable[[int], object]
) -> RowImport:
    arrival, last = RowImport(), 0
    for batch, size in batches:
        try:
            store.receive(arrival, batch)
        except OmoideError as error:
            kept = f"lines up to {last} are here already" if last else "nothing was imported"
            raise type(error)(f"{error}; {kept}, importing again goes on from there") from error
        last = batch[-1].number
        told(size)
    store.received(arrival, head.last)
    return arrival


def _byte_progress(progress: Progress | None, size: int) -> Callable[[int], object]:
    """Reading and taking are one way, of two halves."""
    done = 0

    def more(bytes: int) -> None:
        nonlocal done
        done += bytes
        if progress is not None:
            progress(min(done, 2 * size), 2 * size)

    return more
