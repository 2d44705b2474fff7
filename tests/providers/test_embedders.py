"""The contract of embedders, run over each one that ships. A new one is a line in EMBEDDERS or TOKEN_EMBEDDERS."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from omoide.providers.hashing import HashingEmbedder
from omoide.providers.minilm import MiniLM
from omoide.providers.protocols import Embedder, TokenEmbedder

EMBEDDERS: dict[str, Callable[[], Embedder]] = {"hashing": HashingEmbedder, "minilm": MiniLM}
TOKEN_EMBEDDERS: dict[str, Callable[[], TokenEmbedder]] = {"minilm": MiniLM}

BERLIN = "My sister moved to Berlin last spring."
TEXTS = [
    BERLIN,
    "ok",
    "The sister who moved to Berlin sends her regards, and asks whether the piano is still for sale.",
    "Kafka lost three messages when the broker restarted.",
    "We drove along the coast for two weeks and wrote down what we ate. " * 20,
]
# Two ways of adding the same numbers may differ in the last bits, never in a digit that ranks.
NEAR = 1e-4


@pytest.fixture(scope="module", params=["hashing", pytest.param("minilm", marks=pytest.mark.minilm)], name="make")
def _make(request: pytest.FixtureRequest) -> Callable[[], Embedder]:
    if request.param == "minilm":
        pytest.importorskip("omoide_minilm", reason="the extra minilm is not installed")
    return EMBEDDERS[request.param]


@pytest.fixture(scope="module", name="embedder")
def _embedder(make: Callable[[], Embedder]) -> Embedder:
    return make()


def test_one_float32_row_per_text(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimensions)
    assert vectors.dtype == np.float32


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    vectors = embedder.embed([])
    assert vectors.shape == (0, embedder.dimensions)
    assert vectors.dtype == np.float32


def test_every_row_has_length_one(embedder: Embedder) -> None:
    lengths = np.linalg.norm(embedder.embed([*TEXTS, "", " ", "?!"]), axis=1)
    assert_allclose(lengths, 1.0, atol=1e-5)


def test_rows_are_in_the_order_of_the_texts(embedder: Embedder) -> None:
    assert_allclose(embedder.embed(TEXTS[::-1]), embedder.embed(TEXTS)[::-1], atol=NEAR)


def test_a_vector_does_not_depend_on_the_other_texts(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS * 8)
    for text, row in zip(TEXTS, together, strict=False):
        assert_allclose(embedder.embed([text])[0], row, atol=NEAR)


def test_the_same_texts_give_the_same_bytes_again(embedder: Embedder) -> None:
    assert embedder.embed(TEXTS).tobytes() == embedder.embed(TEXTS).tobytes()


def test_any_sequence_type_is_accepted(embedder: Embedder) -> None:
    assert_allclose(embedder.embed(tuple(TEXTS)), embedder.embed(TEXTS), atol=NEAR)


def test_embedders_of_one_name_give_the_same_vectors(make: Callable[[], Embedder]) -> None:
    one, other = make(), make()
    assert one.name == other.name
    assert_allclose(one.embed([BERLIN]), other.embed([BERLIN]), atol=NEAR)


def test_similar_texts_are_nearer_than_others(embedder: Embedder) -> None:
    berlin, _, sister, kafka, _ = embedder.embed(TEXTS)
    assert berlin @ sister > berlin @ kafka + 0.2


STRANGE = pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\n",
        "\x00 before and after \x00",
        "a lone surrogate \ud83d, and \udc00",
        "a pair of surrogates \ud83d\ude00",
        "👩‍👩‍👧‍👦🏳️‍🌈",
        "e\u0301\u0302\u0303" * 100,
        "钥匙在厨房的抽屉里。",
        "مفاتيح البيت في المطبخ",
        "\ufeff\u200b\u202e\uffff",
        "x" * 10_000,
    ],
    ids=ascii,
)


@STRANGE
def test_any_string_can_be_embedded(embedder: Embedder, text: str) -> None:
    vector, berlin = embedder.embed([text, BERLIN])
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)
    assert_allclose(berlin, embedder.embed([BERLIN])[0], atol=NEAR)


@pytest.mark.parametrize("unit", ["one more word ", "鑰", "\n", "\ud800", "1.5e-3,"], ids=ascii)
def test_a_megabyte_can_be_embedded(embedder: Embedder, unit: str) -> None:
    vectors = embedder.embed([unit * (1_000_000 // len(unit))])
    assert np.linalg.norm(vectors[0]) == pytest.approx(1.0, abs=1e-5)


def test_threads_may_share_an_embedder(make: Callable[[], Embedder]) -> None:
    embedder, alone = (
        make(),
        make().embed(TEXTS),
    )  # shared before its first use, when it may still have to load
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(lambda _: embedder.embed(TEXTS), range(8)):
            assert_allclose(vectors, alone, atol=NEAR)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="fork is not to be had, or not to be trusted")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_can_embed(embedder: Embedder) -> None:
    before = embedder.embed([BERLIN])
    mine, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=_embed_there, args=(embedder, theirs))
    child.start()
    try:
        assert mine.poll(60), "the child hangs"
        assert_allclose(mine.recv(), before, atol=NEAR)
    finally:
        child.kill()
        child.join()


def _embed_there(embedder: Embedder, answers: Connection[NDArray[np.float32], None]) -> None:
    answers.send(embedder.embed([BERLIN]))


# ── those that give the states of words ───────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module", params=[pytest.param("minilm", marks=pytest.mark.minilm)], name="reader")
def _reader(request: pytest.FixtureRequest) -> TokenEmbedder:
    pytest.importorskip("omoide_minilm", reason="the extra minilm is not installed")
    return TOKEN_EMBEDDERS[request.param]()


def test_states_come_with_the_vectors_that_embed_gives(reader: TokenEmbedder) -> None:
    vectors, pieces = reader.embed_tokens(TEXTS)
    assert_allclose(vectors, reader.embed(TEXTS), atol=NEAR)
    assert len(pieces) == len(TEXTS)


def test_every_piece_has_its_word_and_a_state_of_one_width(reader: TokenEmbedder) -> None:
    _, pieces = reader.embed_tokens([*TEXTS, "", "?"])
    assert {each.states.shape[1] for each in pieces} == {pieces[0].states.shape[1]}
    for each in pieces:
        assert each.states.dtype == np.float32
        assert len(each.words) == len(each.states)


def test_no_texts_have_no_pieces(reader: TokenEmbedder) -> None:
    vectors, pieces = reader.embed_tokens([])
    assert vectors.shape == (0, reader.dimensions)
    assert list(pieces) == []


def test_the_words_are_those_of_the_text_and_the_model_adds_none(reader: TokenEmbedder) -> None:
    _, (pieces, empty) = reader.embed_tokens(["Otto's café, re-embedded!", ""])
    assert list(dict.fromkeys(pieces.words)) == ["Otto", "'", "s", "café", ",", "re", "-", "embedded", "!"]
    assert empty.words == ()


def test_token_states_do_not_depend_on_the_other_texts(reader: TokenEmbedder) -> None:
    _, together = reader.embed_tokens(TEXTS)
    for text, pieces in zip(TEXTS, together, strict=True):
        _, (alone,) = reader.embed_tokens([text])
        assert alone.words == pieces.words
        # Whole numbers inside a model round differently in company; no direction may change by it.
        assert _cosines(alone.states, pieces.states).min() > 0.999


def test_a_word_is_nearer_to_a_similar_word_than_to_its_neighbours(reader: TokenEmbedder) -> None:
    _, (asked, told) = reader.embed_tokens(["Who is my doctor?", "Your physician moved to Berlin."])
    doctor = asked.states[[asked.words.index("doctor")] * len(told.words)]
    assert told.words[int(_cosines(doctor, told.states).argmax())] == "physician"


@STRANGE
def test_any_string_has_finite_states(reader: TokenEmbedder, text: str) -> None:
    _, (pieces,) = reader.embed_tokens([text])
    assert np.isfinite(pieces.states).all()
    assert all(pieces.words)


def _cosines(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    return np.asarray((left * right).sum(axis=1) / lengths, np.float32)


# ── hashing alone ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_name_of_a_hashing_embedder_says_its_dimensions() -> None:
    assert HashingEmbedder(64).name != HashingEmbedder(128).name
    assert HashingEmbedder(64).embed(["a word"]).shape == (1, 64)


def test_a_hashing_embedder_needs_a_dimension() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        HashingEmbedder(0)


def test_hashing_vectors_never_change() -> None:
    # Stored vectors are compared with new ones: what changes this must change the name as well.
    vector = HashingEmbedder(8).embed([BERLIN])[0]
    known = [0.613508, 0.0, 0.283157, 0.141579, -0.566315, -0.141579, 0.424736, -0.047193]
    assert_allclose(vector, known, atol=1e-6)
