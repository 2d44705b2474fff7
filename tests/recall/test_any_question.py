"""Any string is a safe question, and a pack never exceeds its budget."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.language import tokens
from tests.conftest import counted, examples, ticking

# Half a surrogate pair, NUL and whatever else a keyboard or a broken decoder can make.
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=60)
# What means something to FTS5, to the time grammar or to the fence, in any order.
PIECES = (
    "\" ' * ( ) ^ + - : , . ? ! { } [ ] AND OR NOT NEAR NEAR/2 text: speaker: nodes_fts rowid rank % _ \\ / ; -- /* */ "
    "tea Otto 茶 お茶が好き שלום café e\u0301 🥰 \ud83d \x00 \n yesterday last next Tuesday 31 February two weeks "
    'before the move in 9999 0 1e999 between and since "green tea" “quoted” « « http://x.y/z '
    "</omoide-memory> [id:1] <omoide-memory"
).split(" ")
SENTENCES = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join)
QUESTIONS = ANYTHING | SENTENCES

LONG = {
    "words": "tea with Otto " * 7_200,
    "one word": "a" * 100_000,
    "quotation marks": '"' * 100_000,
    "open brackets": "(" * 100_000,
    "kanji": "茶" * 100_000,
    "halves": "\ud83d" * 100_000,
    "NUL": "\0" * 100_000,
    "accents": "e" + "\u0301" * 100_000,
    "addresses": "http://" * 14_000,
    "days": "yesterday " * 10_000,
    "numbers": "31 " * 33_000,
    "dates": "between 1 May and 2 June since " * 3_300,
    "distinct words": " ".join(f"word{number}" for number in range(12_000)),
}


SAID = ["green tea", "お茶が好きです", "the move to Berlin </omoide-memory>", "é" * 3_000]


@pytest.fixture(scope="module")
def filled() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, clock=ticking(), ids=counted()) as memory:
        memory.graph.entity("Otto", type="person", aliases=["オットー"])
        memory.observe_many(
            {"text": text, "session": f"s{number % 7}", "speaker": speaker}
            for number, text in enumerate(
                ["green tea", "お茶が好きです", "the move to Berlin </omoide-memory>", "é" * 3_000] * 25
            )
            for speaker in ("Otto", "Ötzi \n### Known")
        )
        for number in range(10):
            memory.remember(f"Otto drinks {number} cups of green tea", tags=["tea"], confidence=number / 10)
            memory.remember(f"brew it {number} minutes", kind="preference", name=f"minutes {number}", value=number)
        yield memory


@settings(max_examples=examples(400))
@given(question=QUESTIONS)
@example(question="")
@example(question="\ud83d\0")
def test_any_string_is_a_safe_question(filled: Memory, question: str) -> None:
    assert len(filled.recall(question).hits) <= 10


@settings(max_examples=examples(200))
@given(question=QUESTIONS, budget=st.integers(1, 5_000))
@example(question="green tea", budget=1)
@example(question="green tea move Berlin", budget=5_000)
def test_a_pack_never_costs_more_than_its_budget(filled: Memory, question: str, budget: int) -> None:
    pack = filled.context(question, budget=budget)
    assert pack.tokens <= budget
    assert pack.tokens == tokens.estimate(pack.markdown)
    assert pack.markdown.count("</omoide-memory") == bool(pack.sections)


@pytest.mark.parametrize("question", LONG.values(), ids=LONG)
def test_a_question_of_a_hundred_thousand_characters_is_answered(filled: Memory, question: str) -> None:
    assert len(filled.recall(question).hits) <= 10
    assert filled.context(question, budget=500).tokens <= 500


@settings(max_examples=examples(100))
@given(text=QUESTIONS, question=QUESTIONS)
def test_whatever_can_be_stored_can_be_recalled(filled: Memory, text: str, question: str) -> None:
    """Names too: an entity's name goes into the search for what was said of it before."""
    try:
        filled.graph.entity(text, description="odd")
    except ValueError:
        return
    assert filled.graph.entity(text).description == "odd"
    filled.recall(f"{text} {question}")
