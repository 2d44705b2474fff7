"""The embedding queue: nothing is lost or mixed, and one bad text blocks no other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

from omoide import Memory
from omoide.clock import Clock
from omoide.errors import EmbedderFailed, InvalidInput
from omoide.observe.background import BackgroundWorker
from omoide.store import Store
from omoide.store.search.vector_index import VectorIndex
from tests.conftest import SECOND, START, Open, contents, counted, unsound

Vectors = NDArray[np.float32]


def unit(vectors: NDArray[np.floating]) -> Vectors:
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return np.asarray(vectors / lengths, np.float32)


class Words:
    """Texts that share words are similar: each word maps to one dimension."""

    def __init__(self, name: str = "words", dimensions: int = 64) -> None:
        self.name = name
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in text.lower().split():
                row[crc32(word.encode()) % self.dimensions] += 1
        return unit(vectors)


class Answers(Words):
    """Returns what the test sets."""

    def __init__(self, answer: Callable[[Sequence[str]], object]) -> None:
        super().__init__("answers", 2)
        self.answer = answer

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self.answer(texts)  # type: ignore[return-value]


class Patient(Words):
    """Embeds a question at once, and a batch of texts when the test allows it."""

    def __init__(self, name: str, dimensions: int) -> None:
        super().__init__(name, dimensions)
        self.go = threading.Event()

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(texts) > 1:
            self.go.wait()
        return super().embed(texts)


class Squeamish(Words):
    """Refuses a batch that contains the word poison."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        if any("poison" in text for text in texts):
            raise RuntimeError("not this")
        return super().embed(texts)


class Moody(Words):
    """Fails until it is repaired."""

    broken = True

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.broken:
            raise ConnectionError("nobody answers")
        return super().embed(texts)


class Hand:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


TURNS = [f"turn {number} about {topic}" for number, topic in enumerate(["tea", "rain", "trains", "bread"] * 20)]


def told(memory: Memory) -> Memory:
    memory.observe_many([{"text": text} for text in TURNS])
    return memory


def vector_stage(memory: Memory) -> str:
    return next(step.note for step in memory.recall("tea").trace.steps if step.stage == "vector")


def test_flush_waits_until_every_node_has_its_vector(opened: Open, path: str) -> None:
    memory = told(opened(embedder=Words()))
    memory.flush()
    assert contents(path)["vector"] == len(TURNS)
    assert contents(path)["embedding_queue"] == 0
    assert vector_stage(memory).endswith("found")


def test_the_background_thread_survives_an_error_that_is_not_ours(memory: Memory) -> None:
    threads: list[threading.Thread] = []
    again = threading.Event()

    def learn(*_: object) -> None:
        threads.append(threading.current_thread())
        if len(threads) == 1:
            raise KeyError("steps")
        again.set()

    memory.observe("I live in Rome.", session="s")
    memory.end("s")
    worker = BackgroundWorker(memory._store, None, 1, learn)
    worker.wake()
    assert again.wait(30)
    assert threads[0] is threads[1]
    worker.close()


def test_texts_stored_without_an_embedder_are_embedded_later(opened: Open, path: str) -> None:
    told(opened()).close()
    opened(embedder=Words()).flush()
    assert contents(path)["vector"] == len(TURNS)


def test_the_batch_of_a_dead_worker_is_embedded_after_its_lease(path: str) -> None:
    clock = Hand()
    store = Store(path, clock, counted(), 5.0)
    memory = told(Memory(path, embedder=None, clock=clock))
    model = store.embeddings.use_model("words", 64)
    claimed = store.embeddings.claim_texts(model, 1000)  # and then it is killed
    assert len(claimed) == len(TURNS)
    assert store.embeddings.claim_texts(model, 1000) == []
    clock.now += 61 * SECOND
    again = [store.embeddings.claim_texts(model, 1000) for _ in TURNS]
    assert [id for batch in again for id, _, _ in batch] == [
        id for id, _, _ in claimed
    ]  # each alone: one may be the killer
    store.close()
    memory.close()


def test_flush_waits_for_the_lease_of_a_worker_that_died(path: str, clock: Clock, opened: Open) -> None:
    told(opened()).close()
    store = Store(path, clock, counted(), 5.0)
    store.embeddings.claim_texts(store.embeddings.use_model("words", 64), 1000)
    store.close()
    opened(embedder=Words()).flush()
    assert contents(path)["vector"] == len(TURNS)


def test_a_text_that_crashes_embedders_is_given_up_alone(path: str) -> None:
    """The worker of this text crashes each time; only its batch is affected."""
    clock = Hand()
    memory = told(Memory(path, embedder=None, clock=clock))
    deadly = memory.observe("the deadly one").id
    store = Store(path, clock, counted(), 5.0)
    model = store.embeddings.use_model("words", 64)
    for _ in range(200):
        claimed = store.embeddings.claim_texts(model, 32)
        if not claimed:
            clock.now += 61 * SECOND
        elif deadly not in [id for id, _, _ in claimed]:
            store.embeddings.save_vectors(
                model, [id for id, _, _ in claimed], Words().embed([text for _, _, text in claimed])
            )
    assert contents(path)["vector"] == len(TURNS)
    assert unsound(memory) == ["embedding: 0 nodes have no vector and are not queued; 1 failed (None)"]
    store.close()
    memory.close()


def test_a_refused_text_blocks_no_other_and_the_doctor_names_it(opened: Open, path: str) -> None:
    memory = told(opened(embedder=Squeamish()))
    memory.observe("poison")
    memory.flush()
    assert contents(path)["vector"] == len(TURNS)
    (complaint,) = unsound(memory)
    assert "1 failed (words: RuntimeError: not this)" in complaint
    assert memory.recall("poison").texts[0] == "poison"  # by its words


def test_the_doctor_gives_a_refused_text_another_chance(opened: Open, path: str) -> None:
    memory = opened(embedder=Squeamish())
    memory.observe("poison")
    memory.flush()
    memory.close()
    memory = opened(embedder=Words())
    memory.admin.doctor(repair=True)
    memory.flush()
    assert contents(path)["vector"] == 1
    assert unsound(memory) == []


def test_a_broken_embedder_gives_up_no_text(opened: Open, path: str) -> None:
    embedder = Moody()
    memory = told(opened(embedder=embedder))
    for _ in range(10):
        with pytest.raises(EmbedderFailed, match="nobody answers"):
            memory.flush()
    assert unsound(memory) == []
    assert memory.recall("bread").texts
    embedder.broken = False
    memory.flush()
    assert contents(path)["vector"] == len(TURNS)


@pytest.mark.parametrize(
    "answer",
    [
        lambda texts: np.zeros((len(texts), 3), np.float32),
        lambda texts: np.zeros((len(texts) + 1, 2), np.float32),
        lambda texts: np.zeros(2, np.float32),
        lambda texts: np.full((len(texts), 2), np.nan, np.float32),
        lambda texts: np.full((len(texts), 2), np.inf, np.float32),
        lambda texts: [[1.0, 2.0], [3.0]] * len(texts),
        lambda texts: "nonsense",
        lambda texts: None,
    ],
    ids=["wide", "long", "flat", "nan", "infinite", "ragged", "text", "nothing"],
)
def test_invalid_vectors_are_refused_and_the_text_stays_queued(
    opened: Open, path: str, answer: Callable[[Sequence[str]], object]
) -> None:
    memory = opened(embedder=Answers(answer))
    memory.observe("tea with milk")
    with pytest.raises(EmbedderFailed, match="answers"):
        memory.flush()
    assert contents(path)["vector"] == 0
    assert memory.recall("milk").texts == ["tea with milk"]
    assert vector_stage(memory).startswith("skipped")
    assert unsound(memory) == []


def test_recall_works_without_an_embedder_that_fails(opened: Open) -> None:
    embedder = Moody()
    embedder.broken = False
    memory = told(opened(embedder=embedder))
    memory.flush()
    embedder.broken = True
    assert vector_stage(memory) == "skipped, words: ConnectionError: nobody answers"


def test_vectors_of_any_length_are_kept_as_directions(opened: Open) -> None:
    memory = opened(embedder=Answers(lambda texts: [[3e20, 4e20]] * len(texts)))
    memory.observe("long")
    memory.flush()
    planes = memory._store.search.vectors(1)
    assert dict(planes.scores(np.array([0.6, 0.8], np.float32), [1])) == {1: pytest.approx(1.0, abs=5e-3)}


@pytest.mark.parametrize("dimensions", [0, -1, True, 2.0, None])
def test_an_embedder_must_say_its_size_before_a_file_is_made(path: str, dimensions: object) -> None:
    embedder = Words()
    embedder.dimensions = dimensions  # type: ignore[assignment]
    with pytest.raises(InvalidInput, match="dimensions"):
        Memory(path, embedder=embedder)
    assert not Path(path).exists()


def test_another_model_embeds_everything_anew_and_old_vectors_are_never_asked(opened: Open, path: str) -> None:
    first = told(opened(embedder=Words("first")))
    first.flush()
    first.close()
    second = opened(embedder=(embedder := Patient("second", 32)))
    assert vector_stage(second) == "skipped, no node has a vector yet"
    embedder.go.set()
    second.flush()
    assert second.stats().embedding_model == "second"
    assert contents(path)["vector"] == len(TURNS)
    assert len(second._store.search.vectors(2)) == len(TURNS)
    assert len(second._store.search.vectors(1)) == 0


def test_a_process_with_the_old_model_leaves_the_queue_to_the_new_one(opened: Open, path: str) -> None:
    old = told(opened(embedder=Words("old")))
    old.flush()
    new = opened(embedder=(embedder := Patient("new", 32)))
    new.recall("tea")  # makes it the current model
    assert vector_stage(old).endswith("found")
    with pytest.raises(EmbedderFailed, match="another model than old"):
        old.flush()
    embedder.go.set()
    new.flush()
    assert vector_stage(new).endswith("found")
    assert old.recall("tea").hits
    assert contents(path)["vector"] == len(TURNS)


def test_a_model_that_changes_its_size_needs_a_new_name(opened: Open) -> None:
    told(opened(embedder=Words())).flush()
    changed = opened(embedder=Words("words", 32))
    with pytest.raises(EmbedderFailed, match="needs a new name"):
        changed.flush()
    assert "needs a new name" in vector_stage(changed)
    assert changed.recall("tea").hits


def test_a_changed_text_gets_a_new_vector(opened: Open) -> None:
    memory = opened(embedder=Words())
    fact = memory.remember("otto likes tea")
    memory.flush()
    memory.review.update(fact.id, "otto likes rain")
    memory.flush()
    query = Words().embed(["rain otto likes"])[0]
    found = memory._store.search.vectors(1).scores(query, [fact.id])
    assert dict(found) == {fact.id: pytest.approx(1.0, abs=1e-2)}


def test_a_memory_that_is_dropped_leaves_no_thread_behind(path: str) -> None:
    memory = Memory(path, embedder=Words())
    memory.observe("tea")
    memory.flush()
    (worker,) = [thread for thread in threading.enumerate() if thread.name == "omoide-background"]
    del memory
    worker.join(10)
    assert not worker.is_alive()


# ── planes ────────────────────────────────────────────────────────────────────────────────────────────────────────


def spread_evenly(count: int, seed: int) -> Vectors:
    return unit(np.random.default_rng(seed).standard_normal((count, 128)))


def clustered(count: int, seed: int) -> Vectors:
    """Two hundred topics around a common direction, as sentence vectors are."""
    random = np.random.default_rng(seed)
    topics = np.random.default_rng(1).standard_normal((200, 128))
    return unit(topics[random.integers(200, size=count)] + 0.5 * random.standard_normal((count, 128)) + 1.0)


def grown(vectors: Vectors) -> VectorIndex:
    planes = VectorIndex(vectors.shape[1])
    for start in range(0, len(vectors), 1_000):
        planes.add(range(start, start + 1_000), vectors[start : start + 1_000].astype(np.float16))
    return planes


def test_the_scan_of_sign_bits_agrees_with_the_exact_one() -> None:
    vectors, queries = clustered(20_000, 2), clustered(50, 3)
    planes = grown(vectors)
    exact = np.argsort(-(queries @ vectors.T), axis=1)[:, :10]
    found = [{id for id, _ in planes.search(query, 10)} for query in queries]
    agreed = sum(len(ids & {*best}) for ids, best in zip(found, exact, strict=True))
    assert agreed / exact.size >= 0.95


def test_similar_vectors_are_found_among_unrelated_ones() -> None:
    """Evenly spread vectors have no near neighbours; a disturbed one still finds itself."""
    vectors = spread_evenly(20_000, 2)
    planes = grown(vectors)
    disturbed = unit(vectors[:200] + 0.5 * spread_evenly(200, 3))
    assert [planes.search(query, 1).ids[0] for query in disturbed] == list(range(200))


def test_a_rewritten_vector_keeps_its_position() -> None:
    vectors = spread_evenly(5_000, 2).astype(np.float16)
    planes = VectorIndex(128)
    planes.add(range(5_000), vectors)
    planes.add([7, 8, 7], vectors[[100, 200, 300]])
    assert len(planes) == 5_000
    assert dict(planes.scores(vectors[300].astype(np.float32), [7])) == {7: pytest.approx(1.0, abs=1e-2)}
    found = {id for id, _ in planes.search(vectors[300].astype(np.float32), 2)}
    assert found == {7, 300}


def test_the_vector_index_can_be_searched_while_it_grows() -> None:
    vectors = spread_evenly(12_000, 2).astype(np.float16)
    planes = VectorIndex(128)
    wrong: list[BaseException] = []

    def search() -> None:
        try:
            while len(planes) < 12_000:
                planes.search(vectors[0].astype(np.float32), 10)
                planes.scores(vectors[0].astype(np.float32), [0, 5_000])
        except BaseException as error:
            wrong.append(error)

    searcher = threading.Thread(target=search)
    searcher.start()
    for start in range(0, 12_000, 50):
        planes.add(range(start, start + 50), vectors[start : start + 50])
    searcher.join()
    assert wrong == []


def test_texts_left_by_an_earlier_process_are_embedded_in_the_background(opened: Open, path: str) -> None:
    told(opened()).close()
    embedder = Patient("later", 32)
    later = opened(embedder=embedder)
    embedder.go.set()
    while contents(path)["vector"] < len(TURNS):
        pass
    assert vector_stage(later).endswith("found")
