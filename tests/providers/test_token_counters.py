"""One contract for every token counter."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable

import pytest

from omoide import Memory, Settings
from omoide.errors import InvalidInput, MissingExtra, OmoideError
from omoide.language.registry import detect_language
from omoide.providers.protocols import TokenCounter
from omoide.providers.selection import EstimatedTokenCounter, VocabularyTokenCounter, validated_counter
from omoide.recall.question_cues import explicit_recall

INSTALLED = importlib.util.find_spec("splintr") is not None
exact = pytest.mark.skipif(not INSTALLED, reason="needs the extra `tokens`")
COUNTERS: list[object] = [
    pytest.param(EstimatedTokenCounter, id="estimate"),
    *(
        pytest.param(lambda name=name: VocabularyTokenCounter(name), id=name, marks=exact)
        for name in ("o200k_base", "cl100k_base")
    ),
]


@pytest.mark.parametrize("make", COUNTERS)
def test_a_counter_counts_any_text_the_same_each_time_and_an_empty_one_as_nothing(
    make: Callable[[], TokenCounter],
) -> None:
    counter = make()
    assert counter.name
    assert counter.count("") == 0
    texts = ("Hello, world!", "Grüße aus Köln", "你好，世界", "def f(x):\n    return x", "<|endoftext|>", "🙂" * 50)
    assert all(counter.count(text) == counter.count(text) > 0 for text in texts)
    assert counter.count("word " * 1000) == pytest.approx(1000, rel=0.35)


@exact
def test_a_vocabulary_counts_as_the_model_does() -> None:
    assert VocabularyTokenCounter("o200k_base").count("tokenization is fun") == 4
    assert VocabularyTokenCounter("cl100k_base").count("hello world") == 2


@exact
def test_a_control_token_in_a_text_is_text() -> None:
    assert VocabularyTokenCounter("o200k_base").count("<|endoftext|>") > 1


@exact
def test_an_unknown_vocabulary_is_refused_by_its_name() -> None:
    with pytest.raises(InvalidInput, match="unknown vocabulary 'nope'"):
        Memory(":memory:", embedder=None, settings=Settings(tokenizer="nope"))


@pytest.mark.skipif(INSTALLED, reason="the extra is there")
def test_a_vocabulary_that_is_not_installed_names_the_extra() -> None:
    with pytest.raises(MissingExtra, match=r"omoide\[tokens\]"):
        Memory(":memory:", embedder=None, settings=Settings(tokenizer="o200k_base"))


def test_the_same_is_said_where_python_cannot_find_it() -> None:
    code = """
import sys
sys.modules["splintr"] = None
from omoide import Memory, Settings
from omoide.errors import MissingExtra
try:
    Memory(":memory:", embedder=None, settings=Settings(tokenizer="o200k_base"))
except MissingExtra as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "omoide[tokens]" in done.stdout


def test_a_counter_of_ones_own_counts_the_pack() -> None:
    class Letters:
        name = "letters"

        def count(self, text: str) -> int:
            return len(text)

    with Memory(":memory:", embedder=None, token_counter=Letters()) as memory:
        memory.observe("Otto moved to Berlin in spring.")
        pack = memory.context("Berlin", budget=300)
        assert pack.tokens == len(pack.markdown) <= 300


def test_what_is_no_counter_is_refused() -> None:
    with pytest.raises(InvalidInput, match="token counter"):
        Memory(":memory:", embedder=None, token_counter=len)  # type: ignore[arg-type]


def test_a_counter_that_fails_is_named_with_its_reason() -> None:
    def broken(text: str) -> int:
        raise RuntimeError("no vocabulary")

    with pytest.raises(OmoideError, match="token counter: it failed with RuntimeError: no vocabulary"):
        validated_counter(broken)("some words")


def test_saying_i_do_not_remember_triggers_no_explicit_recall() -> None:
    assert explicit_recall("I can't remember my password", detect_language("I can't remember my password")) is None
    assert explicit_recall("Do you remember my password?", detect_language("Do you remember my password?"))
