"""Token states are written and deleted with the vector of the same text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from omoide import Memory
from omoide.errors import EmbedderFailed
from omoide.providers.protocols import TokenStates
from omoide.store.search.embedding import AXES, BYTES, ProjectedTokenStates, pack, project, unpack
from tests.conftest import Open, contents, unsound
from tests.open_file import connect
from tests.reading import Plain, Reading

TURNS = ["tea with milk", "rain all day", "the train was late", "…"]


def told(memory: Memory) -> Memory:
    memory.observe_many([{"text": text} for text in TURNS])
    return memory


def embedded(memory: Memory) -> None:
    told(memory).flush()
    memory.close()


def sizes(path: str) -> dict[int, int]:
    """Pieces of each node that has states."""
    db = connect(path, 1.0)
    found = dict(
        db.execute(
            "SELECT node_id, length(token_state.data) FROM token_state JOIN vector ON id = vector_id ORDER BY node_id"
        )
    )
    db.close()
    return {int(id): int(size) // BYTES for id, size in found.items()}


def run(path: str, *statements: str) -> None:
    db = connect(path, 1.0)
    for statement in statements:
        db.execute(statement)
    db.close()


# ── what is kept of a state ───────────────────────────────────────────────────────────────────────────────────────


def states(count: int, seed: int, width: int = 384) -> NDArray[np.float32]:
    drawn = np.random.default_rng(seed).standard_normal((count, width))
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)


@pytest.mark.parametrize("width", [8, AXES, 384])
def test_a_packed_state_is_most_similar_to_its_original(width: int) -> None:
    held = project(states(200, 1, width))
    matrix, _ = unpack([pack(ProjectedTokenStates(("word",) * 200, held))])
    assert (held @ matrix.T).argmax(axis=1).tolist() == list(range(200))


def test_texts_are_unpacked_together_with_the_row_where_each_begins() -> None:
    held = project(states(5, 1))
    texts = [pack(ProjectedTokenStates(("a", "b"), held[:2])), pack(ProjectedTokenStates(("c", "d", "e"), held[2:]))]
    assert [len(text) for text in texts] == [2 * BYTES, 3 * BYTES]
    matrix, starts = unpack(texts)
    assert matrix.shape == (5, AXES)
    assert starts == [0, 2]


def test_punctuation_is_not_kept() -> None:
    assert len(pack(ProjectedTokenStates(("tea", ",", "…", "茶", "?!"), project(states(5, 1))))) == 2 * BYTES


def test_the_axes_never_change() -> None:
    # Stored states are compared with new ones: what changes this makes every stored one meaningless.
    known = "e0222fc936bb79eec658a4dc4c8a271b"
    assert pack(ProjectedTokenStates(("word",), project(np.arange(384, dtype=np.float32)[None] - 191.5))).hex() == known


# ── when they are made ────────────────────────────────────────────────────────────────────────────────────────────


def test_states_are_saved_with_the_vectors(opened: Open, path: str) -> None:
    embedded(opened(embedder=Reading()))
    assert contents(path)["vector"] == len(TURNS)
    assert sizes(path) == {1: 3, 2: 3, 3: 4, 4: 0}  # the last says nothing, and is not asked again


def test_an_embedder_without_states_leaves_none_and_nothing_is_missing(opened: Open, path: str) -> None:
    memory = told(opened(embedder=Plain()))
    memory.flush()
    assert sizes(path) == {}
    assert unsound(memory) == []
    assert memory.admin.doctor(repair=True)
    assert memory.admin.pending_embeddings() == 0


def test_a_changed_text_loses_its_states_with_its_vector(opened: Open, path: str) -> None:
    memory = opened(embedder=Reading())
    fact = memory.remember("otto likes tea")
    memory.flush()
    memory.close()
    opened().review.update(fact.id, "otto likes tea and rain")
    assert sizes(path) == {}
    opened(embedder=Reading()).flush()
    assert sizes(path) == {fact.id: 5}


def test_erasing_a_node_deletes_its_states(opened: Open, path: str) -> None:
    embedded(opened(embedder=Reading()))
    run(path, "DELETE FROM node WHERE id = 2")
    assert list(sizes(path)) == [1, 3, 4]


def test_another_model_replaces_the_states_too(opened: Open, path: str) -> None:
    embedded(opened(embedder=Reading()))
    other = Plain()
    other.name = "other"
    opened(embedder=other).flush()
    assert contents(path)["vector"] == len(TURNS)
    assert sizes(path) == {}


FIRST = "WHERE vector_id = (SELECT id FROM vector WHERE node_id = 1)"
FIRST_GONE = f"DELETE FROM token_state {FIRST}"
FIRST_CUT = f"UPDATE token_state SET data = x'00' {FIRST}"


# ── a file that was embedded before ───────────────────────────────────────────────────────────────────────────────


def vectors(path: str) -> list[tuple[object, ...]]:
    db = connect(path, 1.0)
    found = list(db.execute("SELECT * FROM vector"))
    db.close()
    return found


def test_states_that_are_missing_are_made_and_the_vectors_stay(opened: Open, path: str) -> None:
    embedded(opened(embedder=Plain()))
    before = vectors(path)
    later = opened(embedder=Reading())
    later.flush()
    assert list(sizes(path)) == [1, 2, 3, 4]
    assert vectors(path) == before  # the same rows: nobody has to read them again
    assert unsound(later) == []


def test_a_file_without_states_gets_them_from_the_first_embedder_that_gives_them(opened: Open, path: str) -> None:
    before = opened(embedder=Plain())
    embedded(before)
    before.close()
    later = opened(embedder=Reading())
    assert later.recall("tea").hits[0].id == 1  # by the old vectors meanwhile
    while len(sizes(path)) < len(TURNS):  # by itself, in the background
        pass
    assert unsound(later) == []


def test_an_embedder_without_states_ignores_missing_ones(opened: Open, path: str) -> None:
    embedded(opened(embedder=Reading()))
    run(path, FIRST_GONE)
    plain = opened(embedder=Plain())
    plain.flush()
    assert unsound(plain) == []
    opened(embedder=Reading()).flush()
    assert list(sizes(path)) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("damage", "detail"),
    [
        (FIRST_CUT, "1 are damaged, 0 are missing"),
        (FIRST_GONE, "0 are damaged, 1 are missing"),
    ],
)
def test_the_doctor_finds_truncated_and_missing_states(opened: Open, path: str, damage: str, detail: str) -> None:
    memory = told(opened(embedder=Reading()))
    memory.flush()
    run(path, damage)
    assert unsound(memory) == [f"token states: {detail}"]
    assert memory.recall("tea").hits  # without them
    memory.admin.doctor(repair=True)
    memory.flush()
    assert unsound(memory) == []
    assert sizes(path)[1] == 3


# ── what an embedder may not answer ───────────────────────────────────────────────────────────────────────────────


class Answers(Plain):
    """Good vectors, and whatever it was told for states."""

    def __init__(self, answer: Callable[[Sequence[str]], object]) -> None:
        super().__init__()
        self.answer = answer

    def embed_tokens(self, texts: Sequence[str]) -> Any:
        return self.embed(texts), self.answer(texts)


def pieces(words: Sequence[str], states: object) -> Callable[[Sequence[str]], object]:
    return lambda texts: [TokenStates(tuple(words), states) for _ in texts]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "answer",
    [
        lambda texts: None,
        lambda texts: [],
        lambda texts: ["nonsense"] * len(texts),
        pieces(["tea"], np.zeros((2, 4), np.float32)),
        pieces(["tea"], np.zeros(4, np.float32)),
        pieces(["tea"], np.zeros((1, 0), np.float32)),
        pieces(["tea"], np.full((1, 4), np.nan, np.float32)),
        pieces(["tea"], "nonsense"),
    ],
    ids=["nothing", "too few", "text", "long", "flat", "narrow", "nan", "no numbers"],
)
def test_invalid_states_are_refused_and_the_text_stays_queued(
    opened: Open, path: str, answer: Callable[[Sequence[str]], object]
) -> None:
    memory = opened(embedder=Answers(answer))
    memory.observe("tea with milk")
    with pytest.raises(EmbedderFailed, match="reading"):
        memory.flush()
    assert contents(path)["vector"] == contents(path)["token_state"] == 0
    assert memory.recall("milk").texts == ["tea with milk"]


def test_stats_count_token_states(opened: Open) -> None:
    memory = told(opened(embedder=Reading()))
    memory.flush()
    assert memory.stats().token_states == len(TURNS)
