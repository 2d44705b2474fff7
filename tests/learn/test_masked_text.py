"""Masked text is restored in what is learned."""

from __future__ import annotations

import pytest

from omoide import Memory

GAP = "\ufffc"


@pytest.mark.parametrize(
    ("said", "kind", "kept"),
    [
        ('Remember that the wifi password hint is "cat".', "fact", 'The wifi password hint is "cat"'),
        ("Remember that the function is called `foo_bar`.", "fact", "The function is called `foo_bar`"),
        ("Remember that the script is `make all now`.", "fact", "The script is `make all now`"),
        ('Always start commit messages with "feat:".', "preference", 'start commit messages with "feat:"'),
    ],
)
def test_what_stands_in_quotation_marks_or_ticks_is_kept_as_it_was_said(
    memory: Memory, said: str, kind: str, kept: str
) -> None:
    memory.observe(said, session="s", at="2026-05-14T12:00:00+00:00")
    memory.end("s")
    memory.learn()
    texts = [hit.node.text for hit in memory.recall(said, kinds=[kind]).hits]
    assert any(kept in text for text in texts)
    assert not any(GAP in text for text in texts)


def test_code_that_is_only_quoted_is_not_learned(memory: Memory) -> None:
    memory.observe('The log says "I live in Rome and my name is Otto, says the record".', session="s")
    memory.end("s")
    memory.learn()
    assert not memory.list(kinds=["fact", "preference"])
