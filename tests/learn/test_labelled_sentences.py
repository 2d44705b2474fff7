"""Minimum precision and recall of the rules on labelled sentences."""

from __future__ import annotations

import pytest

from omoide.learn.rules import RuleExtractor
from tests.learn.labelled import compare, samples


@pytest.mark.parametrize(
    ("name", "count", "recall"),
    [
        ("sentences.txt", 330, 0.95),
        ("heldout.txt", 240, 0.9),
        ("blind.txt", 220, 0.95),
        ("second.txt", 80, 0.9),
        ("third.txt", 100, 0.95),
        ("fourth.txt", 1800, 0.9),
        ("fifth.txt", 340, 0.97),
        ("sixth.txt", 130, 0.97),
    ],
)
def test_what_the_rules_propose_is_right_nineteen_times_in_twenty(name: str, count: int, recall: float) -> None:
    judged = list(samples(name))
    assert len(judged) >= count
    found = compare(RuleExtractor(), judged)
    assert found.precision >= 0.95, found.wrong
    assert found.recall >= recall, found.missed


def test_nothing_is_learned_from_statements_that_are_no_facts() -> None:
    silent = {"hypotheticals and wishes", "questions", "quotations and reported speech", "requests and fiction"}
    silent |= {"sarcasm and jokes", "code, logs, links", "small talk"}
    judged = [sample for sample in samples("sentences.txt") if sample.group in silent]
    assert len(judged) > 80
    assert compare(RuleExtractor(), judged).wrong == ()


def test_where_a_rule_must_keep_silent_it_does() -> None:
    judged = [sample for sample in samples("fourth.txt") if not sample.expected]
    assert len(judged) > 1600
    heard = compare(RuleExtractor(), judged).wrong
    assert len(heard) * 200 <= len(judged), heard
