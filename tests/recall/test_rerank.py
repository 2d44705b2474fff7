"""The optional reranker: a simple real one, by shared words, and ones that fail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from omoide.errors import InvalidInput
from omoide.providers import cross_encoder
from tests.conftest import NOW, Open


class Overlap:
    """Counts the words that question and text share."""

    name = "overlap"

    def __init__(self) -> None:
        self.read: list[str] = []

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        self.read = list(texts)
        words = set(question.lower().split())
        return [float(len(words & set(text.lower().split()))) for text in texts]


class Broken:
    name = "broken"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        raise RuntimeError("out of memory")


class Short:
    name = "short"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        return [1.0]


def test_the_best_hits_are_reranked_with_their_dates(opened: Open) -> None:
    reranker = Overlap()
    memory = opened(reranker=reranker)
    memory.observe("rust rust rust", at=NOW - timedelta(days=2))
    memory.observe("how we deploy the rust app", at=NOW - timedelta(days=1))
    found = memory.recall("how do we deploy the rust app", limit=1, at=NOW)
    assert found.texts == ["how we deploy the rust app"]
    assert sorted(reranker.read) == ["2026-02-09: rust rust rust", "2026-02-10: how we deploy the rust app"]
    assert "read again by overlap" in str(found.trace)


def test_a_reranked_hit_says_so_and_scores_stay_in_order(opened: Open) -> None:
    memory = opened(reranker=Overlap())
    memory.remember("jam jam jam")
    memory.remember("the pot of plum jam that stood there")
    first, second = memory.recall("what of the jam").hits
    assert first.text == "the pot of plum jam that stood there"
    assert "reranked from 2 to 1" in first.why
    assert first.score >= second.score


@pytest.mark.parametrize(
    ("reranker", "said"), [(Broken(), "RuntimeError: out of memory"), (Short(), "expected 2 finite")]
)
def test_a_reranker_that_fails_never_breaks_recall(opened: Open, reranker: object, said: str) -> None:
    memory = opened(reranker=reranker)
    memory.remember("tea")
    memory.remember("tea again")
    found = memory.recall("tea")
    assert len(found.hits) == 2
    assert said in str(found.trace)


def test_what_is_no_reranker_is_refused(opened: Open) -> None:
    with pytest.raises(InvalidInput, match="reranker: expected"):
        opened(reranker=object())


@pytest.mark.skipif(cross_encoder.is_available(), reason="fastembed is installed here")
def test_without_its_extra_the_cross_encoder_names_it() -> None:
    with pytest.raises(ImportError, match=r'pip install "omoide\[rerank\]"'):
        cross_encoder.CrossEncoder()
