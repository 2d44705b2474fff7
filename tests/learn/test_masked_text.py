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


def test_what_cannot_be_put_back_is_refused_and_the_reason_told(memory: Memory) -> None:
    memory.observe(f'Always start commit messages with "{"x" * 200}".', session="s")
    memory.end("s")
    report = memory.learn()
    assert [entry.why for entry in report.entries if entry.verb == "refused"] == [
        "a part of it is quoted, or code, or a link"
    ]
