"""Lossless: every row out of a file and into another, line by line, with the memory of one batch."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from omoide.errors import CannotWrite, InvalidInput, NotFound, OmoideError
from omoide.store import Arrival, Line, Store
from omoide.transfer import lines

BATCH = 500  # rows: one transaction costs one wait for the disk, and live traffic waits for no more than this

Progress = Callable[[int, int], object]
"""Hears how much is done, and of how much."""


@dataclass(frozen=True, slots=True)
class Exported:
    """Where it is, how large, how many rows of each table."""

    path: str
    bytes: int
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of the rows, table by table: added, updated, same or skipped; and the first ids that changed:
    (table, in the other file, here). `forgotten`: memories that were skipped because they were forgotten on request."""

    path: str
    counts: dict[str, dict[str, int]]
    moved: tuple[tuple[str, int, int], ...]
    forgotten: int = 0

    def total(self, outcome: str) -> int:
        return sum(each.get(outcome, 0) for each in self.counts.values())


# ── out ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def export(
    store: Store,
    path: str | Path,
    *,
    embeddings: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Exported:
    """Writes everything to a file, under its name only once it is whole."""
    place = free(Path(os.path.realpath(path)), overwrite)
    try:
        with store.unfinished(place, "export") as part:
            with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                writer = _Writer(file, embeddings, progress)
                store.send(embeddings, writer.begin, writer.row)
                writer.end()
                file.flush()
                os.fsync(file.fileno())
            part.replace(place)
    except OSError as error:
        raise CannotWrite(f"{place} cannot be written: {error.strerror}") from error
    store.note_export(str(place))
    return Exported(str(place), place.stat().st_size, writer.counts)


class _Writer:
    """Counts and digests what it writes."""

    def __init__(self, file: IO[bytes], embeddings: bool, progress: Progress | None) -> None:
        self._file = file
        self._embeddings = embeddings
        self._progress = progress
        self._digest = lines.digested()
        self._lines = self._rows = 0
        self.counts: dict[str, int] = {}

    def begin(self, counts: dict[str, int], last: dict[str, int]) -> None:
        self.counts = counts
        self._put(
            {
                "omoide": "export",
                "format": lines.FORMAT,
                "embeddings": self._embeddings,
                "counts": counts,
                "last": last,
            }
        )

    def row(self, table: str, fields: Mapping[str, Any]) -> None:
        self._put({table: fields})
        self._rows += table in self.counts
        if self._progress is not None and self._rows % BATCH == 0:
            self._progress(self._rows, sum(self.counts.values()))

    def end(self) -> None:
        self._file.write(lines.encoded({"end": {"lines": self._lines, "digest": self._digest.hexdigest()}}))
        if self._progress is not None:
            self._progress(self._rows, sum(self.counts.values()))

    def _put(self, document: Mapping[str, Any]) -> None:
        line = lines.encoded(document)
        self._digest.update(line)
        self._file.write(line)
        self._lines += 1


def free(place: Path, overwrite: bool) -> Path:
    if place.is_dir():
        raise InvalidInput(f"{place} is a folder; name a file in it")
    if not place.parent.is_dir():
        raise CannotWrite(f"{place}: the folder {place.parent} does not exist; create it first")
    if place.exists() and not overwrite:
        raise InvalidInput(f"{place} is there already; choose another name, or say that it may be replaced")
    return place


# ── in ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def import_(store: Store, path: str | Path, *, progress: Progress | None = None, batch: int = BATCH) -> Imported:
    """Reads a file twice: once to see that it is whole, and once to take its rows, batch by batch."""
    try:
        with open(path, "rb") as file:
            size = max(1, os.fstat(file.fileno()).st_size)
            told = _told(progress, size)
            head = lines.checked(file, told)
            file.seek(0)
            arrival = _received(store, lines.batches(file, batch), head, told)
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {path}") from error
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from error
    tally = arrival.tally
    counts = {name: dict(each) for name, each in tally.counts.items()}
    return Imported(str(path), counts, tuple(tally.moved), tally.forgotten)


def _received(
    store: Store, batches: Iterable[tuple[list[Line], int]], head: lines.Header, told: Callable[[int], object]
) -> Arrival:
    arrival, last = Arrival(), 0
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


def _told(progress: Progress | None, size: int) -> Callable[[int], object]:
    """Reading and taking are one way, of two halves."""
    done = 0

    def more(bytes: int) -> None:
        nonlocal done
        done += bytes
        if progress is not None:
            progress(min(done, 2 * size), 2 * size)

    return more
