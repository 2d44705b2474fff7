"""Runs one system in its own process: reads a JSON order per line, answers with a JSON line, measures its CPU time.

    python peer_worker.py NAME

    {"do": "open", "folder": STORE, "inputs": FOLDER}    turns.jsonl, vectors.npy, questions.jsonl, asked.npy
    {"do": "build", "first": 0, "last": 1000}            keep these turns
    {"do": "ask", "first": 0, "last": 20, "k": 10}       answer these questions
    {"do": "close"}

Runs under the interpreter of the system, so it uses only the standard library, numpy and that system.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from metrics import cpu, disk, rss
from peers import Peer, about

EXAMPLES = 200  # texts that a library may embed by itself


class Worker:
    """State between orders."""

    def __init__(self, name: str) -> None:
        self._make: Callable[[Path], Peer] = about(name).Peer
        self._peer: Peer | None = None
        self._loaded = False
        self._turns: list[dict[str, Any]] = []

    @property
    def peer(self) -> Peer:
        assert self._peer is not None, "open it first"
        return self._peer

    def open(self, folder: str, inputs: str) -> dict[str, Any]:
        self._folder, self._inputs = Path(folder), Path(inputs)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._questions = _lines(self._inputs / "questions.jsonl")
        self._asked = np.load(self._inputs / "asked.npy")
        self._turns = []
        if not self._loaded:
            with tempfile.TemporaryDirectory() as empty:  # loads the library, which is not measured
                self._make(Path(empty)).close()
            self._loaded = True
        self._before = rss()
        seconds = cpu(lambda: setattr(self, "_peer", self._make(self._folder)))
        return {"cpu": seconds, "version": self.peer.version, "empty": self._before}

    def build(self, first: int, last: int) -> dict[str, Any]:
        self._turns = self._turns or _lines(self._inputs / "turns.jsonl")
        turns, vectors = self._turns[first:last], np.load(self._inputs / "vectors.npy", mmap_mode="r")[first:last]
        seconds = cpu(lambda: self.peer.build(turns, np.array(vectors)))
        given = getattr(self.peer, "given", None)
        if given is not None and given.strangers > EXAMPLES:
            raise ValueError(f"{given.strangers} texts were embedded in other words than their vectors were given for")
        return {"cpu": seconds}

    def ask(self, first: int, last: int, k: int) -> dict[str, Any]:
        found: list[list[int]] = []
        seconds = [
            cpu(lambda n=n: found.append(self.peer.search(self._questions[n], self._asked[n], k)))  # type: ignore[misc]
            for n in range(first, last)
        ]
        return {"ms": [1000 * each for each in seconds], "found": found, "rss": rss() - self._before}

    def close(self) -> dict[str, Any]:
        self.peer.close()
        self._peer = None
        return {"disk": disk(self._folder)}


def _lines(file: Path) -> list[dict[str, Any]]:
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # libraries that print must not write into the protocol
    worker = Worker(sys.argv[1])
    for line in sys.stdin:
        order = json.loads(line)
        try:
            answer = getattr(worker, order.pop("do"))(**order)
        except Exception as error:  # reported as the reason
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
