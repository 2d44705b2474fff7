"""Which value a question asks for, and which lines hold one."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.recall.context_pack import UNANSWERED_REASON
from omoide.recall.question import asked_value
from tests.conftest import Open

NAMES = ("Ian", "Ida", "Max", "Zoe", "Kim", "Lee")


@pytest.mark.parametrize(
    ("question", "line", "holds"),
    [
        ("What's Vera's phone number?", "Vera is on 0151 496 0733", True),
        ("What's Vera's phone number?", "Vera has 2 cats", False),
        ("what's father pavel's surname", "father pavel came by", False),
        ("What's the surname of the Ian next door?", "Ian Brodsky next door has a drill", True),
        ("What's Mr. Novak's first name?", "Mr. Novak, Petr and I met", False),
        ("How many hens are there?", "we have eleven hens now", True),
        ("How many hens are there?", "the hens are out again", False),
        ("which hotel is it in Porto?", "the hotel in Porto is by the river", True),
        ("which hotel is it in Porto?", "we fly to Porto in June", False),
        ("When's Vera's birthday?", "Vera turns up late to everything", False),
        ("When is Vera back from the coast?", "Vera is back from the coast on Friday", True),
        ("When is Vera back from the coast?", "Vera is on the coast, she'll be back", False),
        ("When is Zdenka back from the coast?", "Ian is back on Friday", False),
        ("whats veras phone number", "vera is away (2026-08-04 to 2026-08-15)", False),
        ("how much is the boat", "the boat goes on 12 july at 9:30 (2026-07-12)", False),
        ("how much is the boat", "the boat is 340 now", True),
        ("how many litres of plum wine did we make last autumn", "the plum tree was planted 3 years ago", False),
        ("how many litres of plum wine did we make last autumn", "we made 40 litres of plum wine", True),
        ("what's my sister called", "the plumber is called Max", False),
        ("what's my sister called", "Ida is my sister", True),
        ("what are the names of Ian's sons?", "Ian: They are well. His name is Max", True),
        ("what did tall Ian name the boat", "tall Ian left on parental leave, a boat at last", False),
        ("when was Vera born", "Vera's course is longer, until july (2026-07)", False),
        ("what size of shoes does Vera wear", "Vera wears a blue coat", False),
    ],
)
def test_a_line_holds_the_value_that_is_asked_for(question: str, line: str, holds: bool) -> None:
    asked = asked_value(question)
    assert asked is not None
    assert asked.is_in(line) == holds


@pytest.mark.parametrize(
    "text", ["why did we leave Porto?", "flowers for Ian's 70th birthday", "a birthday cake for Ian"]
)
def test_other_questions_ask_for_no_kind_of_value(text: str) -> None:
    assert asked_value(text) is None


@pytest.mark.minilm
def test_a_question_whose_value_nobody_told_gets_few_lines(opened: Open) -> None:
    from omoide.providers.minilm import MiniLM

    memory: Memory = opened(embedder=MiniLM())
    for number in range(12):
        memory.observe(f"Vera rang about the garden fence, plank by plank, part {number}", session=f"s{number}")
    memory.flush()
    pack = memory.context("What's Vera's phone number?")
    assert pack.reason == UNANSWERED_REASON
    assert pack.tokens <= 150


@pytest.mark.minilm
def test_a_value_that_nobody_told_is_missing_however_the_question_is_put(opened: Open) -> None:
    from omoide.providers.minilm import MiniLM

    memory: Memory = opened(embedder=MiniLM())
    for number in range(12):
        memory.observe(f"Vera rang about the garden fence, plank by plank, part {number}", session=f"s{number}")
    memory.flush()
    assert memory.context("surname of the man of Vera?").reason == UNANSWERED_REASON


@pytest.mark.minilm
def test_a_message_that_only_names_a_value_asks_for_it(opened: Open) -> None:
    from omoide.providers.minilm import MiniLM

    memory: Memory = opened(embedder=MiniLM())
    for number in range(12):
        memory.observe(f"Vera rang about the garden fence, plank by plank, part {number}", session=f"s{number}")
    memory.flush()
    assert memory.context("Vera's phone number").reason == UNANSWERED_REASON


@pytest.mark.minilm
def test_a_thing_may_be_told_without_the_word_for_its_kind(opened: Open) -> None:
    from omoide.providers.minilm import MiniLM

    memory: Memory = opened(embedder=MiniLM())
    memory.observe_many([{"text": f"the fence needs paint, part {n}", "session": f"s{n}"} for n in range(8)])
    memory.observe("Vera flew to the capital of Portugal, Lisbon, and on to Oslo and Paris", session="trips")
    memory.flush()
    assert memory.context("Which cities has Vera visited?").reason == ""


@pytest.mark.minilm
def test_a_tiny_pack_holds_the_best_line_however_long(opened: Open) -> None:
    from omoide.providers.minilm import MiniLM

    memory: Memory = opened(embedder=MiniLM())
    memory.observe(
        "Vera's phone number changed again, she says, since the old phone number belonged to the shop, and she will "
        "tell me the number of the new phone when she finds the paper on which she wrote the number of it down",
        session="long",
    )
    memory.observe_many([{"text": f"{who} rang Vera about the {who} gate", "session": who} for who in NAMES])
    memory.flush()
    question = "What's Vera's phone number?"
    pack = memory.context(question)
    assert pack.reason == UNANSWERED_REASON
    assert memory.recall(question).hits[0].id in pack.ids
