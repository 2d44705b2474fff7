"""Which hits enter a pack: what may matter for the answer, no filler, and a reason where there is little."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.language.sentences import states_constraint
from omoide.recall.context_pack import NOTHING_ASKED, UNANSWERED_REASON
from tests.conftest import Open, consented

TALK = (
    "lenka hasn't eaten meat since she was 15",
    "the router is in the hall, behind the coats",
    "my colleague bára is allergic to nuts",
    "deploy is on tuesdays after two",
    "we walked 31 km with the dog",
    "the fee for the second reminder is 50 crowns",
    "friday afternoons i don't take meetings",
    "i sold the octavia to a guy from vyškov",
    "the caterer is called zelený vůz",
    "neovim eats six gigabytes of memory",
)


@pytest.fixture
def talk(opened: Open) -> Memory:
    from omoide.providers.minilm import MiniLM

    memory = opened(embedder=MiniLM())
    for number, text in enumerate(TALK):
        memory.observe(text, session=f"s{number}", at=f"2026-03-{number + 1:02}T09:00:00+00:00")
        memory.observe("Okay.", role="agent", session=f"s{number}", at=f"2026-03-{number + 1:02}T09:00:20+00:00")
    memory.flush()
    return memory


@pytest.mark.minilm
def test_a_pack_is_as_short_as_the_answer_needs(talk: Memory) -> None:
    pack = talk.context("on which day do we deploy?", budget=2000)
    assert "tuesdays" in pack.markdown
    assert pack.tokens < 200
    assert "far less relevant than the best" in pack.trace.dropped.values()


@pytest.mark.minilm
def test_acknowledgements_are_never_packed(talk: Memory) -> None:
    assert "Okay." not in talk.context("what did we say about the router and the deploy?", budget=2000).markdown


@pytest.mark.minilm
def test_a_constraint_comes_up_though_no_word_is_shared(talk: Memory) -> None:
    request = "find a steakhouse for the two of us"
    assert "eaten meat" in talk.context(request).markdown
    assert TALK[0] in talk.recall(request).texts[:3]
    assert any("constraint" in hit.arms for hit in talk.recall(request))


@pytest.mark.minilm
def test_a_question_about_something_never_told_gets_few_lines_and_a_reason(talk: Memory) -> None:
    pack = talk.context("which colour is the wedding dress of bára's grandmother?")
    assert pack.tokens <= 150
    assert pack.reason == UNANSWERED_REASON


@pytest.mark.parametrize("message", ["thanks!", "ok great, thank you", "Danke!", "hello"])
def test_a_message_that_asks_nothing_gets_nothing(memory: Memory, message: str) -> None:
    memory.observe("thanks for the great help", session="s1")
    memory.remember("Keep answers short", kind="preference", category="communication", name="length")
    pack = memory.context(message)
    assert (pack.markdown, pack.reason) == ("", NOTHING_ASKED)


def test_a_preference_that_does_not_matter_is_left_out(memory: Memory) -> None:
    memory.remember("Use pnpm instead of npm", kind="preference", category="tools", name="package_manager")
    memory.remember("Answer in German", kind="preference", category="communication", name="language")
    memory.observe("The dentist is on Tuesday")
    assert memory.context("when is the dentist?").ids == [2, 3]


def test_sensitive_memories_are_left_out_without_consent(memory: Memory) -> None:
    memory.remember("Otto is allergic to penicillin", sensitive=True)
    assert memory.context("allergic").ids == []
    assert memory.context("allergic", consent=consented(memory)).ids == [1]


def test_a_redacted_secret_says_that_it_was_redacted(memory: Memory) -> None:
    memory.observe("The password of the staging server is password=hunter2-Xk9!qq")
    pack = memory.context("what is the password of the staging server?")
    assert "[redacted:" in pack.markdown
    assert "redacted before they were stored" in pack.reason


def test_an_empty_memory_says_why_the_pack_is_empty(memory: Memory) -> None:
    assert memory.context("where does Otto live?").reason == "nothing was found"


@pytest.mark.parametrize(
    "text",
    [
        "Bublina gets diarrhea from chicken, only salmon or lamb food",
        "never force-push to anything shared",
        "pls no emojis",
        "Mila ist gegen Nüsse allergisch",
        "the doctor said nothing over ten kilos",
    ],
)
def test_constraints_are_recognised(text: str) -> None:
    assert states_constraint(text)


@pytest.mark.parametrize("text", ["we walked 31 km with the dog", "the caterer is called Zelený vůz", "I have no idea"])
def test_plain_talk_is_no_constraint(text: str) -> None:
    assert not states_constraint(text)


def test_the_reason_is_part_of_the_trace(memory: Memory) -> None:
    assert NOTHING_ASKED in str(memory.context("thanks!").trace)


def test_a_budget_that_is_too_small_is_the_reason() -> None:
    with Memory(":memory:", embedder=None) as memory:
        memory.observe("I keep the green tea in the kitchen.", session="s1")
        pack = memory.context("where is the green tea?", budget=5)
    assert (pack.tokens, pack.ids) == (0, [])
    assert "budget is too small" in pack.reason
