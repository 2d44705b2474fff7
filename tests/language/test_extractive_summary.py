"""Extractive summaries: which sentences are kept, which are dropped, and that the budget holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from omoide.language.extractive_summary import SpokenTurn, brief_summary, summarize
from omoide.language.sentences import split_sentences
from omoide.language.tokens import estimate

OUTPUT = "Vercel CLI 33\n" + "building…\n" * 60 + "Deployed successfully to https://app.vercel.app\nDone in 41 s"
CODE = 'I configured vercel.json:\n```json\n{"functions": {"runtime": "edge"}}\n```\nRunning the deploy now.'
DEPLOY = (  # Kira-L's own example, as it would be said
    SpokenTurn("user", "Hi! Can you help me deploy the app to Vercel?", "Otto"),
    SpokenTurn(
        "agent", "Of course! There are three options: Docker, serverless functions and edge functions. Which one?"
    ),
    SpokenTurn("user", "I hate Docker, let's never use it.", "Otto"),
    SpokenTurn("agent", "Understood. Serverless functions are simple, and edge functions answer close to your users."),
    SpokenTurn("user", "ok let's go with edge functions then", "Otto"),
    SpokenTurn("agent", CODE),
    SpokenTurn("tool:shell", OUTPUT),
    SpokenTurn("user", "It works, thanks!", "Otto"),
    SpokenTurn("agent", "Great! Which plan are you on?"),
    SpokenTurn("user", "The hobby plan.", "Otto"),
    SpokenTurn("agent", "Let me know if you need anything else."),
)


def test_a_quarter_of_the_tokens_keeps_the_decision_the_outcome_and_the_quote() -> None:
    whole = sum(estimate(turn.text) for turn in DEPLOY)
    kept = summarize(DEPLOY, whole // 4).text
    assert "Otto: I hate Docker, let's never use it." in kept
    assert "edge functions" in kept
    assert "Deployed successfully" in kept
    assert "hobby plan" in kept


def test_a_brief_summary_is_one_or_two_sentences() -> None:
    told = brief_summary(DEPLOY).text
    assert "I hate Docker" in told
    assert "edge functions" in told
    assert estimate(told) <= 40
    assert sum(len(split_sentences(line.partition(": ")[2])) for line in told.splitlines()) <= 2


def test_a_brief_summary_has_no_unimportant_second_sentence() -> None:
    assert brief_summary(
        [SpokenTurn("user", "I always use pnpm, never npm."), SpokenTurn("agent", "`run.py`")]
    ).text == ("User: I always use pnpm, never npm.")


def test_greetings_code_and_long_output_are_dropped() -> None:
    kept = summarize(DEPLOY, 1_000).text
    assert "Hi!" not in kept
    assert "runtime" not in kept
    assert kept.count("building") == 0
    assert "[json, 1 line]" in kept
    assert "Deployed successfully to https://app.vercel.app [63 lines]" in kept


def test_an_answered_question_is_dropped_unless_its_answer_needs_it() -> None:
    kept = summarize(DEPLOY, 1_000).text
    assert "Can you help me" not in kept
    assert "(Which plan are you on?) The hobby plan." in kept


def test_a_yes_is_kept_with_its_question() -> None:
    talk = [
        SpokenTurn("agent", "Shall I delete the old server?"),
        SpokenTurn("user", "Yes, please!"),
        SpokenTurn("agent", "Done."),
    ]
    assert summarize(talk, 60).text == "User: (Shall I delete the old server?) Yes, please!\nAgent: Done."


def test_an_unanswered_question_is_kept() -> None:
    assert "What about the database?" in summarize([SpokenTurn("user", "It works. What about the database?")], 100).text


def test_sentences_keep_their_order_and_a_speaker_is_named_once_per_run() -> None:
    talk = [
        SpokenTurn("user", "We moved to Berlin. I love the lakes.", "Ana"),
        SpokenTurn("agent", "Berlin has 80 lakes."),
    ]
    assert summarize(talk, 100).text == "Ana: We moved to Berlin. I love the lakes.\nAgent: Berlin has 80 lakes."


def test_repeated_statements_appear_once() -> None:
    talk = [
        SpokenTurn("user", "The deadline is Friday the 13th."),
        SpokenTurn("agent", "Noted: the deadline is Friday the 13th."),
    ]
    assert summarize(talk, 100).text.count("13th") == 1


def test_scripts_without_spaces_are_split_into_sentences() -> None:
    talk = [SpokenTurn("user", "你好！我决定搬到柏林。我讨厌下雨。"), SpokenTurn("agent", "好的。")]
    assert split_sentences(talk[0].text) == ["你好！", "我决定搬到柏林。", "我讨厌下雨。"]
    assert summarize(talk, 40).text == "User: 我决定搬到柏林。 我讨厌下雨。"
    assert brief_summary([SpokenTurn("user", "おはよう。東京に引っ越しました。猫が好きです。")], 12).text in {
        "User: 猫が好きです。",
        "User: 東京に引っ越しました。",
    }


def test_abbreviations_and_numbers_do_not_end_a_sentence() -> None:
    assert split_sentences("Dr. Silva charged 3.50 euros. We paid.") == ["Dr. Silva charged 3.50 euros.", "We paid."]


def test_a_table_row_is_no_sentence() -> None:
    assert split_sentences("The prices:\n| plan | euros |\n|---|---|\n- Hobby is free.") == [
        "The prices:",
        "Hobby is free.",
    ]


def test_summarizing_a_summary_keeps_a_question_with_its_answer() -> None:
    assert split_sentences("(Which plan are you on?) The hobby plan.") == ["(Which plan are you on?) The hobby plan."]


def test_a_speaker_named_in_the_text_is_not_named_twice() -> None:
    assert summarize([SpokenTurn("user", "Otto: I moved to Berlin.", "Otto")], 40).text == "Otto: I moved to Berlin."


def test_a_sentence_that_does_not_fit_is_cut_with_an_ellipsis() -> None:
    told = brief_summary(
        [SpokenTurn("user", "I decided to " + "walk along the river and then " * 30 + "go home.")], 20
    ).text
    assert told.startswith("User: I decided to walk")
    assert told.endswith("…")
    assert estimate(told) <= 20


@pytest.mark.parametrize(
    "talk", [(), (SpokenTurn("user", "ok"),), (SpokenTurn("user", "Hi!"), SpokenTurn("agent", "Hello there!"))]
)
def test_small_talk_alone_has_no_summary(talk: tuple[SpokenTurn, ...]) -> None:
    assert summarize(talk, 100).text == ""


TALK = some.lists(
    some.builds(
        SpokenTurn,
        role=some.sampled_from(["user", "agent", "system", "tool:shell"]),
        text=some.text(min_size=1, max_size=300) | some.sampled_from([turn.text for turn in DEPLOY]),
        speaker=some.none() | some.sampled_from(["Otto", "Ana Lúcia", "小林"]),
        importance=some.integers(1, 10),
    ),
    max_size=12,
)


@given(TALK, some.integers(0, 200))
def test_any_summary_stays_within_its_budget(talk: list[SpokenTurn], tokens: int) -> None:
    assert estimate(summarize(talk, tokens).text) <= tokens
    assert estimate(brief_summary(talk, tokens).text) <= tokens


@given(TALK)
def test_summaries_are_deterministic(talk: list[SpokenTurn]) -> None:
    assert summarize(talk, 80).text == summarize(list(talk), 80).text


CI = (
    SpokenTurn("user", "Morning. The nightly import is red since yesterday."),
    SpokenTurn("agent", "Which step fails?"),
    SpokenTurn("user", "The upload, with a timeout after 30 seconds."),
    SpokenTurn("agent", "I ran it here: the bucket answers after 41 seconds since the region was changed."),
    SpokenTurn("user", "ok so what do you suggest"),
    SpokenTurn("agent", "Either raise the limit to 60 seconds or move the bucket back to Frankfurt."),
    SpokenTurn("user", "We will move the bucket back to Frankfurt. Honestly I'm fed up with slow uploads."),
    SpokenTurn("agent", "Done: moved the bucket and its keys. All 214 tests pass."),
    SpokenTurn("user", "perfect. Please always tell me before you change a region."),
    SpokenTurn("agent", "Noted."),
    SpokenTurn("user", "no that's it, thanks!"),
)
FAMILY = (
    SpokenTurn("user", "My dad is in hospital since Monday, he had a heart attack."),
    SpokenTurn("agent", "I'm so sorry. How is he?"),
    SpokenTurn("user", "He is awake. I'm really scared though. The operation is on Friday at 9am in the Charité."),
    SpokenTurn("agent", "Do you want me to clear your Friday?"),
    SpokenTurn("user", "yes please"),
    SpokenTurn("agent", "I moved the review to Monday and told Priya."),
    SpokenTurn("user", "Thank you. My sister arrives tonight, she will sleep at our place for a week or so."),
    SpokenTurn("agent", "I can find her a train from Leipzig if that helps her to get there sooner."),
)
TRAVEL = (
    SpokenTurn("user", "Good evening! We're still planning the trip to Japan."),
    SpokenTurn("agent", "Lovely. Which cities are you thinking of?"),
    SpokenTurn("user", "Kyoto and Osaka mostly. My brother would rather see Hiroshima, but it's far."),
    SpokenTurn("agent", "Hiroshima is 90 minutes from Osaka by train. You could do it as a day trip."),
    SpokenTurn("user", "hmm how much would that cost"),
    SpokenTurn("agent", "About 10,000 yen each way without a pass."),
    SpokenTurn("user", "OK then we go with Kyoto for five nights and a day trip to Hiroshima."),
    SpokenTurn("agent", "Sounds good. Shall I look for flights?"),
    SpokenTurn("user", "I booked them already, from Munich on April 3 for 812 euros each."),
    SpokenTurn("agent", "I found three ryokans near Gion, the cheapest is 140 euros a night."),
)
HEALTH = (
    SpokenTurn("user", "hey"),
    SpokenTurn("agent", "Hello Ana! How are you today?"),
    SpokenTurn("user", "Not great. I fell off my bike on Sunday and fractured my wrist."),
    SpokenTurn("agent", "I'm sorry to hear that. Did you see a doctor?"),
    SpokenTurn("user", "Yes, Dr. Brandt put it in a cast for six weeks. I'm pretty upset."),
    SpokenTurn("agent", "That must be hard. Would you like shorter messages from me for a while?"),
    SpokenTurn("user", "Yes, please keep answers short. My check-up is on June 14 at 10:30."),
    SpokenTurn("agent", "Noted, June 14 at 10:30."),
)
TALKS = {"coding": CI, "family": FAMILY, "travel": TRAVEL, "health": HEALTH}


def quarter(talk: tuple[SpokenTurn, ...]) -> str:
    return summarize(talk, sum(estimate(turn.text) for turn in talk) // 4).text


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("coding", ["We will move the bucket back to Frankfurt.", "All 214 tests pass."]),
        ("family", ["My dad is in hospital since Monday, he had a heart attack."]),
        ("travel", ["we go with Kyoto for five nights and a day trip to Hiroshima."]),
        ("health", ["I fell off my bike on Sunday and fractured my wrist."]),
    ],
)
def test_a_quarter_of_the_tokens_keeps_decisions_events_and_outcomes(name: str, told: list[str]) -> None:
    kept = quarter(TALKS[name])
    assert [each for each in told if each not in kept] == []


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
@pytest.mark.parametrize("tokens", [24, 30, 40, 60, 90])
def test_a_feeling_is_kept_only_with_its_cause(talk: tuple[SpokenTurn, ...], tokens: int) -> None:
    for kept in (summarize(talk, tokens).text, brief_summary(talk, tokens).text):
        assert "scared" not in kept or "heart attack" in kept
        assert "pretty upset" not in kept or "fractured" in kept or "cast" in kept


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
def test_greetings_and_courtesies_are_dropped_in_any_budget(talk: tuple[SpokenTurn, ...]) -> None:
    kept = "\n".join(summarize(talk, tokens).text for tokens in (24, 40, 80, 500))
    for oil in ("Morning.", "Good evening", "Hello Ana", "sorry", "Noted.", "Sounds good", "must be hard"):
        assert oil not in kept


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
def test_a_longer_brief_summary_contains_the_shorter_one(talk: tuple[SpokenTurn, ...]) -> None:
    def told(tokens: int) -> set[str]:
        return {
            each
            for line in brief_summary(talk, tokens).text.splitlines()
            for each in split_sentences(line.partition(": ")[2])
        }

    assert told(24)
    assert told(24) <= told(30) <= told(36) <= told(40)


def test_a_question_without_a_question_mark_is_recognized() -> None:
    assert "what do you suggest" not in summarize(CI, 500).text.lower()
    assert summarize([SpokenTurn("user", "Otto bought a boat\nwhat should we call it")], 60).text == (
        "User: Otto bought a boat. what should we call it"
    )
    assert (
        "when I arrive"
        in summarize([SpokenTurn("agent", "When?"), SpokenTurn("user", "I'll call you when I arrive")], 60).text
    )


def test_a_greeting_word_is_an_answer_after_a_question() -> None:
    talk = [SpokenTurn("agent", "When shall I call the plumber?"), SpokenTurn("user", "Morning.")]
    assert summarize(talk, 60).text == "User: (When shall I call the plumber?) Morning."
