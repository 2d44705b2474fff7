"""Any live session: the budget holds, protected turns stay, and no turn is lost."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import InvalidInput
from omoide.language import tokens
from omoide.working.board import Board, board_from_json
from omoide.working.live_session import LiveSession
from omoide.working.prompt import Prompt, message_tokens
from tests.conftest import counted, ticking

COUNTERS: dict[str, Callable[[str], int]] = {
    "estimate": tokens.estimate,
    "letters": len,
    "words": lambda text: len(text.split()),
    "bytes": lambda text: 2 * len(text.encode()),
    "lines": lambda text: 3 * text.count("\n") + len(text) // 5 + 1,
}
WORDS = (
    "Otto",
    "Anna",
    "Kira",
    "deploy",
    "bread",
    "Berlin",
    "insulin",
    "?",
    "remember when we",
    "你好",
    "<omoide-memory",
)
TEXT = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join),
    st.builds(lambda word, times: f"{word} " * times, st.sampled_from(WORDS), st.integers(50, 900)),
    st.text(min_size=1, max_size=80).filter(lambda text: bool(text.strip()) and "\0" not in text),
)
STEP = st.tuples(st.sampled_from(["before", "after", "tool", "goal", "finish", "fact", "again"]), TEXT)


class Counter:
    def __init__(self, name: str) -> None:
        self.name = name
        self.count = COUNTERS[name]


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    steps=st.lists(STEP, min_size=1, max_size=14),
    window=st.integers(1_000, 20_000),
    counter=st.sampled_from(sorted(COUNTERS)),
    plan=st.sampled_from(["kira", "yodoca"]),
    audience=st.sampled_from(["private", "shared"]),
)
def test_any_sequence_keeps_the_budget_the_protected_turns_and_every_turn(
    steps: list[tuple[str, str]], window: int, counter: str, plan: str, audience: str
) -> None:
    parts = {"embedder": None, "clock": ticking(), "ids": counted(), "token_counter": Counter(counter)}
    with Memory(":memory:", **parts) as memory:  # type: ignore[arg-type]
        for name in ("Otto", "Anna", "Kira"):
            memory.graph.entity(name, type="person", description=f"{name} is somebody")
        memory.graph.relate("Otto", "knows", "Anna")
        memory.remember("Otto lives in Berlin", audience=audience, subject="Otto")
        memory.remember("Anna bakes bread", subject="Anna", sensitive=True)
        memory.remember("always answer in short", kind="preference", name="length", audience=audience)
        live = memory.live("s1", window=window, system="You are Kira.", plan=plan, audience=audience)
        said: list[int] = []
        for verb, text in steps:
            _do(live, memory, verb, text, COUNTERS[counter])
            said += [id for id in live.board.turns if id not in said]
            assert board_from_json(live.board.as_json(), live.board.system) == live.board
        assert [memory.get(id).id for id in said] == said
        assert _reached(memory, live.board) >= set(said)


def _do(live: LiveSession, memory: Memory, verb: str, text: str, count: Callable[[str], int]) -> None:
    match verb:
        case "before" | "again":
            _check(memory, live, live.before(None if verb == "again" and live.pending else text), count)
        case "after":
            live.after(text)
        case "tool":
            live.observe(text, role="tool:log")
        case "goal":
            try:
                live.goal(text)
            except InvalidInput:
                return  # it says that there is no room
        case "finish":
            if live.board.goals:
                live.finish(live.board.goals[0])
        case "fact":
            memory.remember(text, subject="Otto")


def _check(memory: Memory, live: LiveSession, prompt: Prompt, count: Callable[[str], int]) -> None:
    assert message_tokens(prompt.messages, count) == prompt.tokens <= prompt.budget
    assert count(prompt.markdown) <= prompt.budget
    assert prompt.messages[0]["content"].startswith("You are Kira.")
    talk = [each for each in prompt.messages if each["role"] != "system"]
    assert len(talk) == len(live.board.turns)
    assert set(live.board.goals) <= set(prompt.ids)
    assert not set(live.board.turns) & set(prompt.ids)
    shared = live.board.audience == "shared"
    assert not shared or all(memory.get(id).audience == "shared" for id in prompt.ids)
    assert not any(memory.get(id).sensitive for id in prompt.ids)


def _reached(memory: Memory, board: Board) -> set[int]:
    """The turns in the window, and those that its summary rests on, however many summaries back."""
    reached, todo = set(board.turns), [board.summary] if board.summary else []
    while todo:
        for edge in memory.graph.links(id := todo.pop()):
            if edge.source_id == id and edge.type == "derived_from":
                reached.add(edge.target_id)
                if "auto-compaction" in memory.get(edge.target_id).tags:
                    todo.append(edge.target_id)
    return reached
