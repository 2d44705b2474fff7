"""Background work after a write: embedding from the durable queue, learning, and writing access counts."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import combinations
from queue import Empty, SimpleQueue

from omoide.errors import Busy, Closed, EmbedderFailed, OmoideError
from omoide.store import AnyEmbedder, Store, embed_texts, gives_tokens, pack

_ACCESSES_PER_WRITE = 256  # collected before one transaction writes them
_LINKED_HITS = 3  # of one answer; lower hits are together by chance


_Answer = tuple[Sequence[int], int]
"""The hits of an answer, best first, and when it was given."""


@dataclass(frozen=True, slots=True)
class AccessCounts:
    """How often and when each node was recalled, and how often pairs were recalled together."""

    counts: Counter[int]
    last: dict[int, int]  # microseconds
    pairs: Counter[tuple[int, int]]  # the smaller id first
    answers: list[_Answer]  # that were counted


class PendingAccesses:
    """Collects accesses until they are written. Thread-safe; after a failed write they are put back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: list[_Answer] = []
        self._count = 0

    def add(self, ids: Sequence[int], at: int) -> bool:
        """Adds the hits of one answer, best first. Returns whether it is time to write."""
        with self._lock:
            self._held.append((ids, at))
            self._count += len(ids)
            return self._count >= _ACCESSES_PER_WRITE

    def take(self) -> AccessCounts | None:
        """Removes and returns all accesses, or None if there are none."""
        with self._lock:
            held, self._held, self._count = self._held, [], 0
        return _count_accesses(held) if held else None

    def put_back(self, taken: AccessCounts) -> None:
        with self._lock:
            self._held += taken.answers
            self._count += taken.counts.total()


def _count_accesses(answers: list[_Answer]) -> AccessCounts:
    found = AccessCounts(Counter(), {}, Counter(), answers)
    for ids, at in answers:
        found.counts.update(ids)
        found.pairs.update(combinations(sorted(ids[:_LINKED_HITS]), 2))
        for id in ids:
            found.last[id] = max(at, found.last.get(id, at))
    return found


# Speakers that are not embedded: a role before every turn would make all turns similar.
_ROLE_SPEAKERS = {"user", "assistant", "agent", "ai", "bot", "human", "system"}
_MAX_RETRY_SECONDS = 60.0  # between two attempts of a failing embedder
_PROBE_TEXT = "hello"  # a working embedder can embed it


LearnSessions = Callable[[Iterable[str], Callable[[str, int], None]], object]
"""Learns from sessions and reports after each segment. A session that fails stays pending."""


class _MemoryInUse(Closed):
    """The memory is in use: learning pauses after the current segment until it is idle again."""


class _Signal:
    """A threading.Event that Ctrl-C inside `set` cannot leave locked for ever."""

    def __init__(self) -> None:
        self._sent: SimpleQueue[None] = SimpleQueue()

    def set(self) -> None:
        self._sent.put(None)

    def is_set(self) -> bool:
        return not self._sent.empty()

    def clear(self) -> None:
        with suppress(Empty):
            while True:
                self._sent.get_nowait()

    def wait(self, timeout: float | None = None) -> bool:
        try:
            self._sent.put(self._sent.get(timeout=timeout))
        except Empty:
            return False
        return True


class BackgroundWorker:
    """One thread, started by the first work and stopped by close().

    It learns after `idle_seconds` without use, or as soon as it can if that is 0.
    """

    def __init__(
        self,
        store: Store,
        embedder: AnyEmbedder | None,
        batch: int,
        learn: LearnSessions | None = None,
        idle_seconds: float = 0.0,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._batch = max(1, batch)
        self._learn = learn
        self._idle_seconds = idle_seconds
        self._last_use = time.monotonic()
        self._learning = threading.Lock()  # held while learning, so that no model is called twice
        self._failed: set[str] = set()  # not retried until learn() or the next start: model calls cost money
        self._model_id: int | None = None
        self._accesses = PendingAccesses()
        self._lock = threading.Lock()
        self._work = _Signal()
        self._stop = _Signal()
        self._thread: threading.Thread | None = None

    @property
    def model_id(self) -> int:
        """Id of the embedder's model in this file, registered on first use."""
        assert self._embedder is not None
        if self._model_id is None:
            self._model_id = self._store.embeddings.use_model(
                self._embedder.name, self._embedder.dimensions, gives_tokens(self._embedder)
            )
        return self._model_id

    def resume(self) -> None:
        """Continues with the queue that an earlier process left."""
        embedder = self._embedder
        if embedder is not None and self._store.embeddings.wants_vectors(embedder.name, gives_tokens(embedder)):
            self.wake()
        if self._learn is not None and self._store.learning.pending_sessions():
            self.wake()

    def wake(self) -> None:
        """Starts work on new texts and sessions."""
        self._last_use = time.monotonic()
        if (self._embedder is not None or self._learn is not None) and not self._stop.is_set():
            self._work.set()
            self._start()

    def record_hits(self, ids: Sequence[int], at: int) -> None:
        """Records the hits of an answer. They are written later, so that reading never waits for writing."""
        self._last_use = time.monotonic()
        if ids and self._accesses.add(ids, at) and not self._stop.is_set():
            self._work.set()
            self._start()

    @contextmanager
    def learning_paused(self) -> Iterator[None]:
        """Pauses background learning while the caller learns, so that the caller's report is complete."""
        self._last_use = time.monotonic()
        with self._learning:
            yield
        self.wake()

    def flush(self, timeout: float | None, progress: Callable[[int], None] | None) -> bool:
        """Embeds all pending texts in this thread; learns first unless learning waits for idle time.

        `progress` is called with the number of pending texts after each batch. Waits until `timeout` for batches of
        other processes. Returns whether nothing is pending. Raises EmbedderFailed if the embedder does not work; a
        single text that it refuses is skipped and shown by `doctor`.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        self._write_accesses()
        if not self._idle_seconds:
            self._learn_some()
        if self._embedder is None:
            return True
        self.model_id  # noqa: B018 — registers a new model, which queues all texts
        while True:
            busy = self._embed_some()
            waiting = self._store.embeddings.pending_count() if progress or not busy else 1
            if progress:
                progress(waiting)
            if not waiting:
                return True
            if deadline is not None and time.monotonic() > deadline:
                return False
            if not busy:
                self._require_current()
                time.sleep(0.01)  # another thread or process embeds the last batch

    def stop(self) -> None:
        """Tells the thread to end after the current batch, without waiting for it."""
        self._stop.set()
        self._work.set()

    def close(self) -> None:
        """Stops after the current batch. The rest stays in the queue of the file."""
        self.stop()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        with suppress(OmoideError):  # access counts are not essential; closing must not fail
            self._write_accesses()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="omoide-background", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        try:
            self._work_until_stopped()
        finally:
            self._work.set()  # for a second thread: Ctrl-C while one was started may have hidden it from `_start`

    def _work_until_stopped(self) -> None:
        pause = 1.0
        while not self._stop.is_set():
            self._work.wait()
            self._work.clear()
            try:
                self._write_accesses()
                if not self._idle_seconds:
                    self._learn_some()
                while not self._stop.is_set() and self._embedder is not None and self._embed_some():
                    pause = 1.0
                if self._idle_seconds and self._wait_until_idle() and self._learn_some():
                    self._work.set()  # embed what was learned
            except _MemoryInUse:
                self._work.set()
            except Closed:
                return
            except Exception:  # ours or not: the queue keeps the text and the error, `doctor` and flush() show it
                self._stop.wait(pause)
                pause = min(pause * 2, _MAX_RETRY_SECONDS)
                self._work.set()

    def _write_accesses(self) -> None:
        taken = self._accesses.take()
        if taken is not None:
            try:
                self._store.nodes.record_accesses(taken.counts, taken.last, taken.pairs)
            except Busy:
                self._accesses.put_back(taken)
                raise

    def _wait_until_idle(self) -> bool:
        """Waits until the memory is idle. Returns False if there is other work first."""
        while (left := self._last_use + self._idle_seconds - time.monotonic()) > 0:
            if self._learn is None or self._work.wait(left):
                return False
        return not self._stop.is_set()

    def _learn_some(self) -> bool:
        """Learns from ended sessions and returns whether there were any. The row of a failed session has the error."""
        if self._learn is None:
            return False
        some = False
        with self._learning:
            while names := [name for name in self._store.learning.pending_sessions() if name not in self._failed]:
                some = True
                self._learn(self._until_stopped(names), self._unless_stopped)
                self._failed |= set(names) & set(self._store.learning.pending_sessions())
            if self._store.learning.unlearned_trace_count():  # traces belong to no session
                some = True
                self._learn((), self._unless_stopped)
        return some

    def _until_stopped(self, names: Sequence[str]) -> Iterator[str]:
        """Yields sessions until the worker stops, so that closing waits for the current segment only."""
        for name in names:
            self._unless_stopped(name, 0)
            yield name

    def _unless_stopped(self, _session: str, _turns: int) -> None:
        if self._stop.is_set():
            raise Closed(f"{self._store.path} was closed; the rest is learned when it is opened again")
        if self._idle_seconds and time.monotonic() - self._last_use < self._idle_seconds:
            raise _MemoryInUse(f"{self._store.path} is in use; the rest is learned when it is idle")

    def _embed_some(self) -> bool:
        """Embeds one batch. Returns whether there was one."""
        assert self._embedder is not None
        model_id = self.model_id
        claimed = self._store.embeddings.claim_texts(model_id, self._batch)
        if not claimed:
            return False
        ids = [id for id, _, _ in claimed]
        texts = [_embedded_text(speaker, text) for _, speaker, text in claimed]
        try:
            found = embed_texts(self._embedder, texts)
        except EmbedderFailed as error:
            self._release_failed(ids, error)
        except BaseException:  # on Ctrl-C release the texts at once instead of after their lease
            self._store.embeddings.release_texts(ids, "interrupted", blamed=False)
            raise
        else:
            states = None if found.tokens is None else [pack(each) for each in found.tokens]
            self._store.embeddings.save_vectors(model_id, ids, found.vectors, states)
        return True

    def _release_failed(self, ids: list[int], error: EmbedderFailed) -> None:
        """Releases texts after a failure. If the embedder fails on any text, the texts are not blamed."""
        assert self._embedder is not None
        try:
            embed_texts(self._embedder, [_PROBE_TEXT])
        except EmbedderFailed:
            self._store.embeddings.release_texts(ids, str(error), blamed=False)
            raise
        self._store.embeddings.release_texts(ids, str(error), blamed=True)

    def _require_current(self) -> None:
        assert self._embedder is not None
        if not self._store.embeddings.is_current_model(self.model_id):
            raise EmbedderFailed(
                f"another process embeds this file with another model than {self._embedder.name}; "
                "open it again to use this model"
            )


def _embedded_text(speaker: str | None, text: str) -> str:
    """Returns the text to embed, preceded by the speaker if it is a name and not a role."""
    if speaker is None or speaker.casefold() in _ROLE_SPEAKERS or text.startswith(f"{speaker}:"):
        return text
    return f"{speaker}: {text}"
