"""What leaves first, second and third, and what never does."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from omoide import Memory
from omoide.language.extractive_summary import SpokenTurn
from omoide.recall.pack_markdown import PackLine
from omoide.working.prompt import Prompt

FILLER = "and the harbour crew waited for the tide to turn again before lunch " * 6


def known(memory: Memory) -> None:
    for number in range(6):
        memory.remember(f"The user owns boat number {number} in the harbour", subject="user", importance=10 - number)
    memory.remember("Boats are painted in the spring by the crew of the yard")
    memory.remember("A boat was sold")


def titles(prompt: Prompt) -> list[str]:
    return [section.title for section in prompt.sections]


def test_the_least_relevant_memory_leaves_before_the_others(memory: Memory) -> None:
    known(memory)
    live = memory.live("s1", window=1_300)
    prompt = live.before("Which boats are painted in the spring by the crew of the yard?" + FILLER)
    held = {each.id: each.value for each in live.board.retrieved}
    assert 7 in held
    assert all(value <= held[7] for value in held.values())
    assert prompt.tokens <= prompt.budget


def test_memories_leave_before_any_turn_is_summarised(memory: Memory) -> None:
    known(memory)
    live = memory.live("s1", window=1_500)
    first = live.before("Which boats are painted in spring?")
    assert "Known" in titles(first)
    live.observe(FILLER * 3, role="tool:log")
    second = live.before("And which boats are painted in spring by the crew?")
    assert second.tokens <= second.budget
    assert live.board.summary is None
    assert len(live.board.turns) == 3


def test_the_profile_is_reduced_only_when_compaction_was_not_enough(memory: Memory) -> None:
    known(memory)
    live = memory.live("s1", window=5_000, summarise=_words)
    assert len(_profile(live.before("hello there"))) == 6
    live.after("Hello.")
    for number in range(4):
        live.observe(f"{number} {FILLER * 13}", role="tool:log")
    prompt = live.before("And now?")
    assert live.board.summary is not None
    assert len(_profile(prompt)) == 3
    assert prompt.messages[-1]["content"].endswith("And now?")


def _words(said: Sequence[SpokenTurn], tokens: int) -> str:
    return f"{len(said)} turns"


def _profile(prompt: Prompt) -> list[PackLine]:
    return [line for section in prompt.sections if section.title == "About the user" for line in section.lines]


def test_the_latest_message_is_whole_whenever_the_window_can_hold_it(memory: Memory) -> None:
    live = memory.live("s1", window=1_000)
    live.before("first " * 250)
    live.after("second " * 250)
    message = "Please read: " + "third " * 330 + "and answer in French."
    prompt = live.before(message)
    assert prompt.messages[-1]["content"].endswith(message)
    assert prompt.tokens <= prompt.budget


def test_a_message_that_no_window_holds_keeps_its_beginning_and_its_end(memory: Memory) -> None:
    prompt = memory.live("s1", window=1_000).before("Please read: " + "third " * 3_000 + "and answer in French.")
    assert "Please read: third" in prompt.messages[-1]["content"]
    assert prompt.messages[-1]["content"].endswith("third and answer in French.")
    assert prompt.tokens <= prompt.budget


@pytest.mark.parametrize("seed", range(30, 40))
def test_a_message_longer_than_the_window_keeps_the_budget_with_a_goal_beside_it(memory: Memory, seed: int) -> None:
    chance, vocabulary = (
        random.Random(seed),
        "billing invoice server tomato garden Otto Vercel Berlin pnpm deploy".split(),
    )
    live = memory.live("s1", window=8_000)
    live.goal("Ship it")
    live.before("hello there friend")
    live.after(" ".join(chance.choices(vocabulary, k=chance.randint(20, 200))) + ".")
    prompt = live.before(" ".join(chance.choices(vocabulary, k=int(8_000 * chance.uniform(0.5, 1.2)))) + "?")
    assert prompt.tokens <= prompt.budget
