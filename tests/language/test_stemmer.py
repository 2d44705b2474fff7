"""Inflections of one word meet; words that merely begin alike do not."""

from __future__ import annotations

import pytest

from omoide.language.text import is_same_word, singular, stem


@pytest.mark.parametrize(
    "words",
    [("talk", "talks", "talked", "talking"), ("run", "running"), ("parties", "party"), ("move", "moved")],
)
def test_inflections_have_one_stem(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1


def test_numbers_and_short_words_are_their_own_stem() -> None:
    assert [stem(word) for word in ("42", "cat", "a")] == ["42", "cat", "a"]


@pytest.mark.parametrize(
    ("word", "expected"), [("cats", "cat"), ("works", "work"), ("class", "class"), ("is", "is"), ("Adams", "Adams")]
)
def test_a_plural_loses_its_s(word: str, expected: str) -> None:
    assert singular(word) == expected


def test_a_word_with_a_short_ending_is_the_same_word() -> None:
    assert is_same_word("plan", "planned")
    assert not is_same_word("plan", "planetary")
    assert not is_same_word("car", "cars")  # too short to tell from "cart"
