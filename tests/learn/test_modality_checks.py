"""Questions, suppositions, fiction and quotations are refused for every extractor."""

from __future__ import annotations

import pytest

from omoide.learn.grounding import ground_proposal
from omoide.learn.proposal import USER, EntityMention, ProposalItem, Quote, StatedOpinion
from omoide.learn.rules import RuleExtractor
from tests.learn.labelled import samples
from tests.learn.test_grounding import claim, talk, weigh, wish


def why(text: str, *items: ProposalItem) -> list[str]:
    return [refusal.reason for refusal in weigh(talk(text), *items).refused]


@pytest.mark.parametrize(
    ("text", "quote", "reason"),
    [
        ("Do I live in Berlin?", "live in Berlin", "it is asked, not told"),
        ("If I lived in Berlin I'd be happy", "lived in Berlin", "it is supposed, not told"),
        ("Wenn ich in Berlin wohne, ist alles gut", "in Berlin", "it is supposed, not told"),
        ("In the novel, I live in Berlin", "live in Berlin", "it is part of a story, a role or a text to work on"),
        ("Pretend that I live in Berlin", "live in Berlin", "it is part of a story, a role or a text to work on"),
        ("He said I live in Berlin", "live in Berlin", "these are somebody else's words"),
        ("I live in Berlin, just kidding", "live in Berlin", "it is said in jest"),
        ("The first line is `I live in Berlin`", "I live in Berlin", "it is quoted, or code, or a log"),
        ("Fwd\n-----Original Message-----\nI live in Berlin.", "I live in Berlin", "it is quoted, or code, or a log"),
    ],
)
def test_a_claim_that_nobody_made_is_refused_and_the_reason_told(text: str, quote: str, reason: str) -> None:
    assert why(text, claim(quote, "Berlin")) == [reason]


def test_what_is_told_beside_a_question_is_told() -> None:
    assert why("I live in Berlin, what can I visit?", claim("live in Berlin", "Berlin")) == []
    assert why("Berlin? Yes, I live in Berlin.", claim("Berlin", "Berlin")) == []


def test_a_preference_may_be_put_as_a_question_and_not_as_a_condition() -> None:
    assert why("Can you always use pnpm?", wish("always use pnpm", "pnpm")) == []
    assert why("Should I use pnpm?", wish("use pnpm", "pnpm")) == ["it is asked, not told"]
    assert why("If I used pnpm it would be faster", wish("used pnpm", "pnpm")) == ["it is supposed, not told"]


def test_an_opinion_in_somebody_elses_mouth_is_not_the_users() -> None:
    held = StatedOpinion(
        holder=USER, about="Rust", text="User likes Rust", quote=Quote(10, "Rust is great"), confidence=0.9
    )
    assert why("My boss says I think Rust is great", held) == ["these are somebody else's words"]


def test_what_others_are_told_to_do_stays_theirs_to_tell() -> None:
    assert why("Anna told me she lives in Berlin now", claim("she lives in Berlin", "Berlin", subject="Anna")) == []


def test_a_name_in_a_story_or_a_question_creates_no_entity() -> None:
    for text in ("Should I move to Porto?", "In the game I live in Porto", "If I moved to Porto I'd sail"):
        found = weigh(talk(text), EntityMention(name="Porto", type="place", quote=Quote(10, "Porto")))
        assert [item.existing_only for item in found.proposal.entities] == [True], text


def test_the_rules_propose_nothing_that_is_refused_for_it() -> None:
    for name in ("sentences.txt", "heldout.txt", "blind.txt", "second.txt"):
        for sample in samples(name):
            assert ground_proposal(sample.conversation, RuleExtractor().extract(sample.conversation)).refused == (), (
                sample
            )
