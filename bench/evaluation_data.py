"""Reads conversations with known evidence from a folder. The data sets we use may not be redistributed.

A task is a folder with docs.jsonl {id, corpus, session, seq, timestamp, speaker, text} and queries.jsonl {id, corpus,
text, asked_at, category, relevant[], max_seq?}. A query sees its own corpus, and with max_seq only
earlier turns.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Row = dict[str, Any]
_AGENTS = {"assistant", "ai"}


@dataclass(frozen=True, slots=True)
class Corpus:
    """One conversation and its questions, both in order of time."""

    docs: Sequence[Row]
    queries: Sequence[Row]

    def steps(self) -> Iterator[tuple[int, list[Row]]]:
        """Yields the number of turns so far, and the questions asked at that point."""
        seqs = [doc["seq"] for doc in self.docs]
        for upto, asked in groupby(self.queries, key=_upto):
            yield sum(seq < upto for seq in seqs), list(asked)


def tasks(folder: Path, names: Sequence[str] = ()) -> list[str]:
    return list(names) or sorted(file.parent.name for file in folder.glob("*/queries.jsonl"))


def corpora(folder: Path, most: int | None = None) -> list[Corpus]:
    """Returns the conversations of one task, with at most `most` questions each."""
    docs, queries = defaultdict(list), defaultdict(list)
    for doc in _rows(folder / "docs.jsonl"):
        docs[doc["corpus"]].append(doc)
    for query in _rows(folder / "queries.jsonl"):
        if query["relevant"]:
            queries[query["corpus"]].append(query)
    return [
        Corpus(sorted(docs[name], key=lambda doc: doc["seq"]), sorted(asked[:most], key=_upto))
        for name, asked in queries.items()
    ]


def documents(folder: Path) -> list[Row]:
    """Returns every turn of a task, in order of time within each conversation."""
    return sorted(_rows(folder / "docs.jsonl"), key=lambda doc: (doc["corpus"], doc["seq"]))


def turn(doc: Row) -> Row:
    """Converts a document for observe_many. Times without a zone are read as UTC."""
    speaker = doc["speaker"]
    return {
        "text": doc["text"],
        "role": "agent" if speaker and speaker.casefold() in _AGENTS else "user",
        "speaker": speaker,
        "session": doc["session"],
        "at": moment(doc["timestamp"]),
    }


def moment(text: str | None) -> str | None:
    if not text:
        return None
    when = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).isoformat()


class CachedEmbedder:
    """The default embedder with a file cache, since embedding takes most of a run."""

    def __init__(self, file: Path | None) -> None:
        from omoide.providers.minilm import MiniLM

        self._model, self._file, self._new = MiniLM(), file, 0
        self.name, self.dimensions = self._model.name, self._model.dimensions
        self._known: dict[bytes, NDArray[np.float32]] = {}
        if file is not None and file.exists():
            with np.load(file) as kept:
                self._known = {key.tobytes(): row for key, row in zip(kept["k"], kept["v"], strict=True)}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        keys = [hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in texts]
        missing = [place for place, key in enumerate(keys) if key not in self._known]
        if missing:
            for place, row in zip(missing, self._model.embed([texts[place] for place in missing]), strict=True):
                self._known[keys[place]] = row
            self._new += len(missing)
        return np.stack([self._known[key] for key in keys])

    def __getattr__(self, name: str) -> Any:
        """Forwards everything else to the embedder."""
        return getattr(self._model, name)

    def save(self) -> None:
        if self._file is not None and self._new:
            keys = np.frombuffer(b"".join(self._known), np.uint8).reshape(-1, 16)
            np.savez(self._file, k=keys, v=np.stack(list(self._known.values())))
            self._new = 0


def _upto(query: Row) -> float:
    limit = query.get("max_seq")
    return math.inf if limit is None else float(limit)


def _rows(file: Path) -> list[Row]:
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
