"""observe --jsonl: a file of events, streamed into the memory in batches that are stored whole or not at all."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from omoide.errors import InvalidInput, OmoideError
from omoide.interfaces.cli import output, view
from omoide.interfaces.cli.verb import Call

if TYPE_CHECKING:
    from omoide.memory import Memory

BATCH = 500  # turns: one transaction costs one wait for the disk, and a bad line undoes no more than this
Numbered = tuple[int, dict[str, Any]]


def observe_file(call: Call, name: str, given: Mapping[str, Any]) -> output.Answer:
    """Observes each line; what a line does not say is taken from `given`."""
    if "key" in given:
        raise InvalidInput("--key names one event; in a file, give each line a key of its own")
    stored = last = forgotten = 0
    with call.open(create=True) as memory, _opened(name) as file, _watched(file, hidden=call.json) as raw:
        turns = _turns(raw, given)
        try:
            while batch := list(islice(turns, BATCH)):
                left_out = _observe(memory, batch)
                forgotten += left_out
                stored, last = stored + len(batch) - left_out, batch[-1][0]
        except OmoideError as error:
            kept = f"lines 1 to {last} are stored, the rest is not" if last else "nothing was stored"
            raise type(error)(f"{error}; {kept}") from error
    return output.Answer({"observed": stored, "forgotten": forgotten}, view.observed)


def _turns(lines: Iterable[tuple[int, bytes]], given: Mapping[str, Any]) -> Iterator[Numbered]:
    for number, line in lines:
        if not line.strip():
            continue
        try:
            said = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"line {number} is not JSON: {error}") from error
        if not isinstance(said, dict):
            raise InvalidInput(f"line {number}: expected an object with the fields of observe")
        yield number, {**given, **said}


def _observe(memory: Memory, batch: list[Numbered]) -> int:
    """How many of them were left out, since they were forgotten on request."""
    try:
        return sum(node.state == "erased" for node in memory.observe_many([turn for _, turn in batch]))
    except OmoideError as error:
        if error.index is None:
            raise
        raise type(error)(f"line {batch[error.index][0]}: {error}") from error


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = open(name, "rb")  # noqa: SIM115 — closed below; only its opening is asked for errors
    except OSError as error:
        raise InvalidInput(f"{name}: {error.strerror}") from error
    with file:
        yield file


@contextmanager
def _watched(file: IO[bytes], hidden: bool) -> Iterator[Iterator[tuple[int, bytes]]]:
    """The lines with their numbers, and a bar on the terminal that follows them by size."""
    if hidden or not sys.stderr.isatty():
        yield enumerate(file, 1)
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=output.progress_console(), transient=True) as progress:
        size = os.fstat(file.fileno()).st_size if file.seekable() else None
        task = progress.add_task("observing", total=size)

        def lines() -> Iterator[tuple[int, bytes]]:
            for number, line in enumerate(file, 1):
                progress.update(task, advance=len(line), description=f"line {number:,}")
                yield number, line

        yield lines()
