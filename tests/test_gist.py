"""The most telling sentences of a talk: what is kept, what goes, and that no budget is passed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from omoide.gist import Said, essence, gist
from omoide.sentences import sentences
from omoide.tokens import estimate

OUTPUT = "Vercel CLI 33\n" + "building…\n" * 60 + "Deployed successfully to https://app.vercel.app\nDone in 41 s"
CODE = 'I configured vercel.json:\n```json\n{"functions": {"runtime": "edge"}}\n```\nRunning the deploy now.'
DEPLOY = (  # Kira-L's own example, as it would be said
    Said("user", "Hi! Can you help me deploy the app to Vercel?", "Otto"),
    Said("agent", "Of course! There are three options: Docker, serverless functions and edge functions. Which one?"),
    Said("user", "I hate Docker, let's never use it.", "Otto"),
    Said("agent", "Understood. Serverless functions are simple, and edge functions answer close to your users."),
    Said("user", "ok let's go with edge functions then", "Otto"),
    Said("agent", CODE),
    Said("tool:shell", OUTPUT),
    Said("user", "It works, thanks!", "Otto"),
    Said("agent", "Great! Which plan are you on?"),
    Said("user", "The hobby plan.", "Otto"),
    Said("agent", "Let me know if you need anything else."),
)


def test_a_quarter_of_the_tokens_keeps_the_decision_the_outcome_and_the_quote() -> None:
    whole = sum(estimate(turn.text) for turn in DEPLOY)
    kept = gist(DEPLOY, whole // 4)
    assert "Otto: I hate Docker, let's never use it." in kept
    assert "edge functions" in kept
    assert "Deployed successfully" in kept
    assert "hobby plan" in kept


def test_an_essence_is_one_or_two_sentences() -> None:
    told = essence(DEPLOY)
    assert "I hate Docker" in told
    assert "edge functions" in told
    assert estimate(told) <= 40
    assert sum(len(sentences(line.partition(": ")[2])) for line in told.splitlines()) <= 2


def test_an_essence_has_no_second_sentence_for_its_own_sake() -> None:
    assert essence([Said("user", "I always use pnpm, never npm."), Said("agent", "`run.py`")]) == (
        "User: I always use pnpm, never npm."
    )


def test_greetings_code_and_long_output_do_not_come_through() -> None:
    kept = gist(DEPLOY, 1_000)
    assert "Hi!" not in kept
    assert "runtime" not in kept
    assert kept.count("building") == 0
    assert "[json, 1 line]" in kept
    assert "Deployed successfully to https://app.vercel.app [63 lines]" in kept


def test_a_question_that_was_answered_goes_unless_its_answer_needs_it() -> None:
    kept = gist(DEPLOY, 1_000)
    assert "Can you help me" not in kept
    assert "(Which plan are you on?) The hobby plan." in kept


def test_a_yes_of_the_user_stays_with_what_they_were_asked() -> None:
    talk = [Said("agent", "Shall I delete the old server?"), Said("user", "Yes, please!"), Said("agent", "Done.")]
    assert gist(talk, 60) == "User: (Shall I delete the old server?) Yes, please!\nAgent: Done."


def test_a_question_that_nobody_answered_stays() -> None:
    assert "What about the database?" in gist([Said("user", "It works. What about the database?")], 100)


def test_the_order_is_that_of_the_talk_and_the_speaker_is_named_once_a_run() -> None:
    talk = [Said("user", "We moved to Berlin. I love the lakes.", "Ana"), Said("agent", "Berlin has 80 lakes.")]
    assert gist(talk, 100) == "Ana: We moved to Berlin. I love the lakes.\nAgent: Berlin has 80 lakes."


def test_what_was_said_twice_is_told_once() -> None:
    talk = [Said("user", "The deadline is Friday the 13th."), Said("agent", "Noted: the deadline is Friday the 13th.")]
    assert gist(talk, 100).count("13th") == 1


def test_scripts_without_spaces_are_read_by_sentence() -> None:
    talk = [Said("user", "你好！我决定搬到柏林。我讨厌下雨。"), Said("agent", "好的。")]
    assert sentences(talk[0].text) == ["你好！", "我决定搬到柏林。", "我讨厌下雨。"]
    assert gist(talk, 40) == "User: 我决定搬到柏林。 我讨厌下雨。"
    assert essence([Said("user", "おはよう。東京に引っ越しました。猫が好きです。")], 12) in {
        "User: 猫が好きです。",
        "User: 東京に引っ越しました。",
    }


def test_abbreviations_and_numbers_do_not_end_a_sentence() -> None:
    assert sentences("Dr. Silva charged 3.50 euros. We paid.") == ["Dr. Silva charged 3.50 euros.", "We paid."]


def test_a_row_of_a_table_is_no_sentence() -> None:
    assert sentences("The prices:\n| plan | euros |\n|---|---|\n- Hobby is free.") == ["The prices:", "Hobby is free."]


def test_a_gist_of_a_gist_keeps_a_question_with_its_answer() -> None:
    assert sentences("(Which plan are you on?) The hobby plan.") == ["(Which plan are you on?) The hobby plan."]


def test_a_transcript_does_not_name_its_speaker_twice() -> None:
    assert gist([Said("user", "Otto: I moved to Berlin.", "Otto")], 40) == "Otto: I moved to Berlin."


def test_what_does_not_fit_whole_is_cut_with_an_ellipsis() -> None:
    told = essence([Said("user", "I decided to " + "walk along the river and then " * 30 + "go home.")], 20)
    assert told.startswith("User: I decided to walk")
    assert told.endswith("…")
    assert estimate(told) <= 20


@pytest.mark.parametrize("talk", [(), (Said("user", "ok"),), (Said("user", "Hi!"), Said("agent", "Hello there!"))])
def test_a_talk_of_nothing_has_no_gist(talk: tuple[Said, ...]) -> None:
    assert gist(talk, 100) == ""


TALK = some.lists(
    some.builds(
        Said,
        role=some.sampled_from(["user", "agent", "system", "tool:shell"]),
        text=some.text(min_size=1, max_size=300) | some.sampled_from([turn.text for turn in DEPLOY]),
        speaker=some.none() | some.sampled_from(["Otto", "Ana Lúcia", "小林"]),
        importance=some.integers(1, 10),
    ),
    max_size=12,
)


@given(TALK, some.integers(0, 200))
def test_any_talk_stays_within_any_budget(talk: list[Said], tokens: int) -> None:
    assert estimate(gist(talk, tokens)) <= tokens
    assert estimate(essence(talk, tokens)) <= tokens


@given(TALK)
def test_any_talk_has_one_gist(talk: list[Said]) -> None:
    assert gist(talk, 80) == gist(list(talk), 80)
