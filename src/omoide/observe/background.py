"""What was recalled, and what together: gathered in memory until it is worth a transaction."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import combinations

from omoide.errors import Busy, Closed, EmbedderFailed, OmoideError
from omoide.store import AnyEmbedder, Store, embed_texts, gives_tokens, pack

_ACCESSES_PER_WRITE = 256  # accesses gathered before they cost a transaction
_LINKED_HITS = 3  # of one answer, so many are linked to each other: the tail of a list stands together by chance


@dataclass(frozen=True, slots=True)
class AccessCounts:
    """How often each node was recalled, when last, and how often two of them together."""

    counts: Counter[int]
    last: dict[int, int]  # microseconds
    pairs: Counter[tuple[int, int]]  # the smaller id first


class PendingAccesses:
    """Safe to use from several threads. Nothing is lost when writing fails: it is put back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held = _no_accesses()

    def add(self, ids: Sequence[int], at: int) -> bool:
        """Notes one answer, best first; tells whether it is time to write."""
        pairs = Counter(combinations(sorted(ids[:_LINKED_HITS]), 2))
        with self._lock:
            self._held = _add_accesses(self._held, AccessCounts(Counter(ids), dict.fromkeys(ids, at), pairs))
            return self._held.counts.total() >= _ACCESSES_PER_WRITE

    def take(self) -> AccessCounts | None:
        """Everything gathered so far, to be written down."""
        with self._lock:
            held, self._held = self._held, _no_accesses()
        return held if held.counts else None

    def put_back(self, taken: AccessCounts) -> None:
        with self._lock:
            self._held = _add_accesses(self._held, taken)


def _no_accesses() -> AccessCounts:
    return AccessCounts(Counter(), {}, Counter())


def _add_accesses(held: AccessCounts, more: AccessCounts) -> AccessCounts:
    held.counts.update(more.counts)
    held.pairs.update(more.pairs)
    for id, at in more.last.items():
        held.last[id] = max(at, held.last.get(id, at))
    return held


# What follows a message without holding it up: embedding from the durable queue, and writing access counts.


_ROLE_SPEAKERS = {
    "user",
    "assistant",
    "agent",
    "ai",
    "bot",
    "human",
    "system",
}  # a role in front of every turn blurs them all
_MAX_RETRY_SECONDS = 60.0  # seconds between two tries of an embedder that fails
_PROBE_TEXT = "hello"  # what any embedder can embed, unless it is out of order


LearnSessions = Callable[[Iterable[str], Callable[[str, int], None]], object]
"""Learns from sessions, and tells after each stretch. One that fails stays pending."""


class _MemoryInUse(Closed):
    """Somebody told or asked something: learning leaves off after the stretch in hand, until it is quiet again."""


class BackgroundWorker:
    """One thread, started by the first work there is and stopped by close().

    With `quiet` seconds it learns only when nobody told or asked anything for so long, else as soon as it can.
    """

    def __init__(
        self,
        store: Store,
        embedder: AnyEmbedder | None,
        batch: int,
        learn: LearnSessions | None = None,
        quiet: float = 0.0,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._batch = max(1, batch)
        self._learn = learn
        self._quiet = quiet
        self._used = time.monotonic()
        self._learning = threading.Lock()  # held while learning: a model is not to be asked twice
        self._failed: set[str] = set()  # sessions that wait for learn() or the next opening: a model costs
        self._model_id: int | None = None
        self._recalled = PendingAccesses()
        self._lock = threading.Lock()
        self._work = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def model_id(self) -> int:
        """The number of the embedder's model in this file, registered on first use."""
        assert self._embedder is not None
        if self._model_id is None:
            self._model_id = self._store.use_model(
                self._embedder.name, self._embedder.dimensions, gives_tokens(self._embedder)
            )
        return self._model_id

    def resume(self) -> None:
        """Goes on with what an earlier process left in the queue."""
        embedder = self._embedder
        if embedder is not None and self._store.wants_vectors(embedder.name, gives_tokens(embedder)):
            self.wake()
        if self._learn is not None and self._store.pending_sessions():
            self.wake()

    def wake(self) -> None:
        """There is something to embed or to learn from."""
        self._used = time.monotonic()
        if (self._embedder is not None or self._learn is not None) and not self._stop.is_set():
            self._work.set()
            self._start()

    def recalled(self, ids: Sequence[int], at: int) -> None:
        """These answered a question; it is written down later, since reading never waits for writing."""
        self._used = time.monotonic()
        if ids and self._recalled.add(ids, at) and not self._stop.is_set():
            self._work.set()
            self._start()

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """While somebody learns in the foreground the background does not: their report tells all of it."""
        self._used = time.monotonic()
        with self._learning:
            yield
        self.wake()

    def flush(self, timeout: float | None, progress: Callable[[int], None] | None) -> bool:
        """Embeds everything that waits, here and now; tells whether nothing waits any more. Learns first, if it is to
        learn as soon as it can.

        `progress` hears how many still wait after each batch. Somebody else's batch is waited for until the timeout.
        Raises EmbedderFailed when the embedder itself is out of order; a text that it refuses is left to the doctor.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        self._write_accesses()
        if not self._quiet:
            self._learn_some()
        if self._embedder is None:
            return True
        self.model_id  # noqa: B018 — a new model queues everything first
        while True:
            busy = self._embed_some()
            waiting = self._store.waiting_texts() if progress or not busy else 1
            if progress:
                progress(waiting)
            if not waiting:
                return True
            if deadline is not None and time.monotonic() > deadline:
                return False
            if not busy:
                self._require_current()
                time.sleep(0.01)  # the last batch is in the hands of another thread or process

    def stop(self) -> None:
        """Tells the thread to end after the batch in hand, without waiting for it."""
        self._stop.set()
        self._work.set()

    def close(self) -> None:
        """Stops after the batch in hand. What is left waits in the file."""
        self.stop()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        with suppress(OmoideError):  # counts of accesses are a courtesy; closing must not fail over them
            self._write_accesses()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="omoide-background", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        pause = 1.0
        while not self._stop.is_set():
            self._work.wait()
            self._work.clear()
            try:
                self._write_accesses()
                if not self._quiet:
                    self._learn_some()
                while not self._stop.is_set() and self._embedder is not None and self._embed_some():
                    pause = 1.0
                if self._quiet and self._is_quiet() and self._learn_some():
                    self._work.set()  # what was learned is embedded too
            except _MemoryInUse:
                self._work.set()
            except Closed:
                return
            except OmoideError:  # kept in the queue with its reason; `doctor` and flush() show it
                self._stop.wait(pause)
                pause = min(pause * 2, _MAX_RETRY_SECONDS)
                self._work.set()

    def _write_accesses(self) -> None:
        taken = self._recalled.take()
        if taken is not None:
            try:
                self._store.touch(taken.counts, taken.last, taken.pairs)
            except Busy:
                self._recalled.put_back(taken)
                raise

    def _is_quiet(self) -> bool:
        """Waits for a quiet moment; False where there is other work first."""
        while (left := self._used + self._quiet - time.monotonic()) > 0:
            if self._learn is None or self._work.wait(left):
                return False
        return not self._stop.is_set()

    def _learn_some(self) -> bool:
        """From the sessions that are over; tells whether there were any. One that fails says so in its row."""
        if self._learn is None:
            return False
        some = False
        with self._learning:
            while names := [name for name in self._store.pending_sessions() if name not in self._failed]:
                some = True
                self._learn(self._until_stopped(names), self._unless_stopped)
                self._failed |= set(names) & set(self._store.pending_sessions())
            if self._store.unlearned_traces():  # tasks belong to no session
                some = True
                self._learn((), self._unless_stopped)
        return some

    def _until_stopped(self, names: Sequence[str]) -> Iterator[str]:
        """Closing waits for the stretch in hand, not for all of them."""
        for name in names:
            self._unless_stopped(name, 0)
            yield name

    def _unless_stopped(self, _session: str, _turns: int) -> None:
        if self._stop.is_set():
            raise Closed(f"{self._store.path} was closed; what is left is learned when it is opened again")
        if self._quiet and time.monotonic() - self._used < self._quiet:
            raise _MemoryInUse(f"{self._store.path} is in use; what is left is learned when it is quiet")

    def _embed_some(self) -> bool:
        """One batch; tells whether there was one."""
        assert self._embedder is not None
        model_id = self.model_id
        claimed = self._store.claim_texts(model_id, self._batch)
        if not claimed:
            return False
        ids = [id for id, _, _ in claimed]
        worded = [_embedded_text(speaker, text) for _, speaker, text in claimed]
        try:
            found = embed_texts(self._embedder, worded)
        except EmbedderFailed as error:
            self._give_back(ids, error)
        except BaseException:  # Ctrl-C: what we hold is given back at once, not when its lease runs out
            self._store.release_texts(ids, "interrupted", blamed=False)
            raise
        else:
            states = None if found.tokens is None else [pack(each) for each in found.tokens]
            self._store.save_vectors(model_id, ids, found.vectors, states)
        return True

    def _give_back(self, ids: list[int], error: EmbedderFailed) -> None:
        """After a failure. An embedder that fails whatever it is given is out of order; the texts are not to blame."""
        assert self._embedder is not None
        try:
            embed_texts(self._embedder, [_PROBE_TEXT])
        except EmbedderFailed:
            self._store.release_texts(ids, str(error), blamed=False)
            raise
        self._store.release_texts(ids, str(error), blamed=True)

    def _require_current(self) -> None:
        assert self._embedder is not None
        if not self._store.is_current(self.model_id):
            raise EmbedderFailed(
                f"another process embeds this file by another model than {self._embedder.name}; "
                "open it again to change back"
            )


def _embedded_text(speaker: str | None, text: str) -> str:
    """What is embedded: who said it belongs to what was said, if it is a name and not a role."""
    if speaker is None or speaker.casefold() in _ROLE_SPEAKERS or text.startswith(f"{speaker}:"):
        return text
    return f"{speaker}: {text}"
