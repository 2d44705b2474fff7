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


CI = (
    Said("user", "Morning. The nightly import is red since yesterday."),
    Said("agent", "Which step fails?"),
    Said("user", "The upload, with a timeout after 30 seconds."),
    Said("agent", "I ran it here: the bucket answers after 41 seconds since the region was changed."),
    Said("user", "ok so what do you suggest"),
    Said("agent", "Either raise the limit to 60 seconds or move the bucket back to Frankfurt."),
    Said("user", "We will move the bucket back to Frankfurt. Honestly I'm fed up with slow uploads."),
    Said("agent", "Done: moved the bucket and its keys. All 214 tests pass."),
    Said("user", "perfect. Please always tell me before you change a region."),
    Said("agent", "Noted."),
    Said("user", "no that's it, thanks!"),
)
FAMILY = (
    Said("user", "My dad is in hospital since Monday, he had a heart attack."),
    Said("agent", "I'm so sorry. How is he?"),
    Said("user", "He is awake. I'm really scared though. The operation is on Friday at 9am in the Charité."),
    Said("agent", "Do you want me to clear your Friday?"),
    Said("user", "yes please"),
    Said("agent", "I moved the review to Monday and told Priya."),
    Said("user", "Thank you. My sister arrives tonight, she will sleep at our place for a week or so."),
    Said("agent", "I can find her a train from Leipzig if that helps her to get there sooner."),
)
TRAVEL = (
    Said("user", "Good evening! We're still planning the trip to Japan."),
    Said("agent", "Lovely. Which cities are you thinking of?"),
    Said("user", "Kyoto and Osaka mostly. My brother would rather see Hiroshima, but it's far."),
    Said("agent", "Hiroshima is 90 minutes from Osaka by train. You could do it as a day trip."),
    Said("user", "hmm how much would that cost"),
    Said("agent", "About 10,000 yen each way without a pass."),
    Said("user", "OK then we go with Kyoto for five nights and a day trip to Hiroshima."),
    Said("agent", "Sounds good. Shall I look for flights?"),
    Said("user", "I booked them already, from Munich on April 3 for 812 euros each."),
    Said("agent", "I found three ryokans near Gion, the cheapest is 140 euros a night."),
)
HEALTH = (
    Said("user", "hey"),
    Said("agent", "Hello Ana! How are you today?"),
    Said("user", "Not great. I fell off my bike on Sunday and fractured my wrist."),
    Said("agent", "I'm sorry to hear that. Did you see a doctor?"),
    Said("user", "Yes, Dr. Brandt put it in a cast for six weeks. I'm pretty upset."),
    Said("agent", "That must be hard. Would you like shorter messages from me for a while?"),
    Said("user", "Yes, please keep answers short. My check-up is on June 14 at 10:30."),
    Said("agent", "Noted, June 14 at 10:30."),
)
TALKS = {"coding": CI, "family": FAMILY, "travel": TRAVEL, "health": HEALTH}


def quarter(talk: tuple[Said, ...]) -> str:
    return gist(talk, sum(estimate(turn.text) for turn in talk) // 4)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("coding", ["We will move the bucket back to Frankfurt.", "All 214 tests pass."]),
        ("family", ["My dad is in hospital since Monday, he had a heart attack."]),
        ("travel", ["we go with Kyoto for five nights and a day trip to Hiroshima."]),
        ("health", ["I fell off my bike on Sunday and fractured my wrist."]),
    ],
)
def test_a_quarter_keeps_what_was_decided_what_happened_and_how_it_came_out(name: str, told: list[str]) -> None:
    kept = quarter(TALKS[name])
    assert [each for each in told if each not in kept] == []


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
@pytest.mark.parametrize("tokens", [24, 30, 40, 60, 90])
def test_a_feeling_never_stands_without_what_it_is_about(talk: tuple[Said, ...], tokens: int) -> None:
    for kept in (gist(talk, tokens), essence(talk, tokens)):
        assert "scared" not in kept or "heart attack" in kept
        assert "pretty upset" not in kept or "fractured" in kept or "cast" in kept


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
def test_no_greeting_and_no_mere_politeness_is_kept_in_any_budget(talk: tuple[Said, ...]) -> None:
    kept = "\n".join(gist(talk, tokens) for tokens in (24, 40, 80, 500))
    for oil in ("Morning.", "Good evening", "Hello Ana", "sorry", "Noted.", "Sounds good", "must be hard"):
        assert oil not in kept


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
def test_a_longer_essence_tells_what_a_shorter_one_tells(talk: tuple[Said, ...]) -> None:
    def told(tokens: int) -> set[str]:
        return {each for line in essence(talk, tokens).splitlines() for each in sentences(line.partition(": ")[2])}

    assert told(24)
    assert told(24) <= told(30) <= told(36) <= told(40)


def test_a_question_without_its_mark_is_a_question_and_does_not_run_into_the_next() -> None:
    assert "what do you suggest" not in gist(CI, 500).lower()
    assert gist([Said("user", "Otto bought a boat\nwhat should we call it")], 60) == (
        "User: Otto bought a boat. what should we call it"
    )
    assert "when I arrive" in gist([Said("agent", "When?"), Said("user", "I'll call you when I arrive")], 60)


def test_the_time_of_day_is_an_answer_where_somebody_asked() -> None:
    talk = [Said("agent", "When shall I call the plumber?"), Said("user", "Morning.")]
    assert gist(talk, 60) == "User: (When shall I call the plumber?) Morning."
