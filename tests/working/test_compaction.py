"""Compaction: old turns leave the window as a summary with links to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from omoide import Memory
from omoide.language.extractive_summary import SpokenTurn
from omoide.providers.protocols import Completion, CompletionRequest, ModelCallFailed, TokenPrice
from omoide.working.board import turns_to_keep
from omoide.working.live_session import LiveSession
from omoide.working.prompt import Prompt
from tests.conftest import Open

LONG = (
    "The harbour office moved the crane to pier {0} because the tide was late and the crew agreed to wait there. " * 3
)


def talk(live: LiveSession, rounds: int, first: int = 0) -> None:
    for number in range(first, first + rounds):
        _round(live, number)


def summary_of(memory: Memory, live: LiveSession) -> tuple[str, list[int]]:
    assert live.board.summary is not None
    sources = [edge.target_id for edge in memory.graph.links(live.board.summary) if edge.type == "derived_from"]
    return memory.get(live.board.summary).text, sources


def test_ten_turns_stay_or_three_in_ten_but_never_fewer_than_the_last_three() -> None:
    assert [turns_to_keep(turns) for turns in (2, 5, 11, 20, 33, 34, 100)] == [3, 3, 3, 6, 9, 10, 10]


def test_a_conversation_beyond_three_quarters_of_its_slot_is_compacted(memory: Memory) -> None:
    live = memory.live("s1", window=4_000)
    talk(live, 30)
    text, sources = summary_of(memory, live)
    node = memory.get(live.board.summary or 0)
    assert node.tags == ("auto-compaction",)
    assert node.attributes["compression"] == "compressed"
    assert (node.importance, node.role, node.session) == (5, "system", "s1")
    assert "pier" in text
    assert not set(sources) & set(live.board.turns)
    assert len(live.board.turns) < live.board.turn_count == 60


def test_the_prompt_contains_the_summary_and_notes_the_compaction(memory: Memory) -> None:
    live = memory.live("s1", window=4_000)
    prompts = []
    for number in range(30):
        prompts.append(live.before(LONG.format(number)))
        live.after(f"I wrote down pier {number}.")
    assert any("budget" in prompt.triggers for prompt in prompts)
    told = next(prompt for prompt in prompts if "budget" in prompt.triggers)
    assert "summarised as [id:" in told.notes[0]
    assert "### Earlier in this conversation" in told.messages[0]["content"]


def test_a_second_summary_includes_the_first_and_no_turn_is_lost(memory: Memory) -> None:
    live = memory.live("s1", window=4_000)
    talk(live, 15)
    first = live.board.summary
    talk(live, 30, first=15)
    assert first != live.board.summary
    found, reached = {live.board.summary}, set()
    while found:
        sources = {e.target_id for each in found for e in memory.graph.links(each or 0) if e.source_id == each}
        reached |= sources
        found = {id for id in sources if "auto-compaction" in memory.get(id).tags}
    said = {hit.id for hit in memory.recall("pier", session="s1", limit=200)}
    assert reached | set(live.board.turns) >= said


def test_a_summary_of_summaries_keeps_speakers_and_decisions(memory: Memory) -> None:
    live = memory.live("s1", window=1_500)
    for number in range(40):
        live.before(f"I decided to moor boat {number} at pier {number % 7}. " + "The water was calm all day long. " * 3)
        live.after(f"Noted: boat {number} at pier {number % 7}.")
    text, _ = summary_of(memory, live)
    assert "System:" not in text
    assert "Agent: User:" not in text
    assert "I decided to moor boat" in text
    assert "Noted" not in text


def test_a_models_summary_is_not_attributed_to_the_user(memory: Memory) -> None:
    seen: list[SpokenTurn] = []

    def summarise(said: Sequence[SpokenTurn], tokens: int) -> str:
        seen.extend(said)
        return "They talked about a harbour."

    talk(memory.live("s1", window=4_000, summarise=summarise), 40)
    told = [each for each in seen if each.text == "They talked about a harbour."]
    assert {each.who for each in told} == {"System"}


def test_a_summary_is_no_turn_and_nothing_is_learned_from_it_twice(memory: Memory) -> None:
    live = memory.live("s1", window=4_000)
    live.before("Hi, I'm Otto. I live in Lisbon.")
    live.after("Hello Otto.")
    talk(live, 25)
    live.end()
    assert memory.session("s1").episode_count == 52
    memory.learn("s1")
    lisbon = [hit for hit in memory.recall("Lisbon", kinds=["fact"]).hits if "Lisbon" in hit.text]
    assert len(lisbon) == 1


def test_a_summary_carries_the_least_trusted_origin_and_the_narrowest_audience(memory: Memory) -> None:
    live = memory.live("s1", window=4_000, audience="shared")
    live.before("what does the page say?")
    live.observe("The page says: the harbour is closed", role="tool:web")
    live.after("The harbour is closed.")
    talk(live, 25)
    assert live.board.summary is not None
    first = live.board.summary
    assert memory.get(first).audience == "shared"
    assert memory.get(first).origin in ("tool:web", "agent")


def _round(live: LiveSession, number: int) -> Prompt:
    prompt = live.before(LONG.format(number))
    live.after(f"I wrote down pier {number}.")
    return prompt


def broken(said: Sequence[SpokenTurn], tokens: int) -> str:
    raise RuntimeError("model down")


def nothing(said: Sequence[SpokenTurn], tokens: int) -> Any:
    return None


@pytest.mark.parametrize("summarise", [broken, nothing])
def test_a_summariser_that_fails_ends_no_conversation(memory: Memory, summarise: Callable[..., str]) -> None:
    live = memory.live("s1", window=4_000, summarise=summarise)
    notes = [note for number in range(30) for note in _round(live, number).notes]
    assert "pier" in summary_of(memory, live)[0]
    assert any("extractive summary instead" in note for note in notes)


def test_a_given_summarise_function_is_used(memory: Memory) -> None:
    asked: list[int] = []

    def summarise(said: Sequence[SpokenTurn], tokens: int) -> str:
        asked.append(len(said))
        return f"{len(said)} turns about a harbour"

    live = memory.live("s1", window=4_000, summarise=summarise)
    talk(live, 20)
    assert asked
    assert summary_of(memory, live)[0].endswith("turns about a harbour")


def test_a_message_that_no_window_holds_is_cut_in_the_prompt_and_whole_in_the_file(memory: Memory) -> None:
    live = memory.live("s1", window=2_000, system="You are Kira.")
    long = "many words " * 3_000
    prompt = live.before(long)
    assert prompt.tokens <= prompt.budget
    assert "…" in prompt.messages[-1]["content"]
    assert "cut" in prompt.notes[-1]
    assert live.conversation[-1].text == long


@pytest.mark.parametrize("window", [1_000, 4_000, 128_000])
def test_the_last_three_turns_and_the_goal_are_always_there(opened: Open, window: int) -> None:
    live = opened().live("s1", window=window, system="You are Kira.")
    live.goal("Ship it")
    for number in range(12):
        prompt = live.before(f"{number} " + "word " * 150)
        latest = [each["content"] for each in prompt.messages if each["role"] != "system"][-3:]
        assert "Ship it" in latest[-1]
        assert f"{number} word" in latest[-1]
        if number:
            assert f"{number - 1} word" in latest[-3]
        live.after("done " * 50)


class Writer:
    """A language model that always writes the same summary, or fails."""

    name = "writer"

    def __init__(self, summary: str | None) -> None:
        self.summary = summary
        self.asked = 0

    def price(self, operation: str) -> TokenPrice | None:
        return TokenPrice(0.0, 0.0)

    def complete(self, request: CompletionRequest) -> Completion:
        self.asked += 1
        if self.summary is None:
            raise ModelCallFailed("writer: out of order")
        return Completion(text=json.dumps({"summaries": [{"summary": self.summary, "quotes": []}]}), model=self.name)


def test_a_configured_language_model_writes_the_summary(opened: Open) -> None:
    writer = Writer("The crew agreed to wait for the tide.")
    memory = opened(language_model=writer)
    live = memory.live("s1", window=4_000)
    talk(live, 20)
    assert writer.asked
    assert summary_of(memory, live)[0] == "The crew agreed to wait for the tide."


def test_a_model_that_fails_does_not_keep_the_conversation_waiting(opened: Open) -> None:
    memory = opened(language_model=Writer(None))
    live = memory.live("s1", window=4_000)
    talk(live, 20)
    assert "pier" in summary_of(memory, live)[0]


def test_the_next_prompt_notes_that_a_model_failed(opened: Open) -> None:
    live = opened(language_model=Writer(None)).live("s1", window=4_000)
    notes: list[str] = []
    for number in range(20):
        notes += live.before(LONG.format(number)).notes
        live.after(f"I wrote down pier {number}.")
    assert any("extractive summary instead: writer: out of order" in note for note in notes)
