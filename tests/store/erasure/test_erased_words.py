"""A common word does not clear unrelated text: it stays and is listed."""

from __future__ import annotations

import pytest

from omoide import Memory
from omoide.store.erasure.erased_words import _addresses
from tests.conftest import Open, Ticking

LUIGI = "Berlin is our home town; the best pizza is at Luigi's; contract 4411"


def test_our_own_messages_are_not_user_text(opened: Open, clock: Ticking) -> None:
    memory = opened()
    memory.graph.entity("Anna", type="person", description="She learned to play the piano, an episode of her youth")
    turns = [memory.observe(text, session="s").id for text in ("Hello there old friend", "The boat is red")]
    memory.end("s")
    for _ in range(9):
        clock.advance(days=1)
        memory.maintain(policy="kira")
    assert [memory.get(id).state for id in turns] == ["archived", "archived"]
    why = memory.explain(turns[1]).changes
    memory.forget(turns[0])
    assert memory.graph.entity("Anna").description == "She learned to play the piano, an episode of her youth"
    assert memory.explain(turns[1]).changes == why


@pytest.fixture
def eaten(memory: Memory) -> int:
    """A turn that has one word in common with much that was not made of it."""
    memory.graph.entity("Berlin", type="place", description=LUIGI)
    memory.review.update(memory.remember("Otto likes pizza with anchovies").id, "Otto likes pasta")
    memory.tasks.checkpoint("coder", task="order the pizza module", state={"step": "pizza service"})
    memory.tasks.checkpoint("coder", task="other")
    memory.task("Build the shop", detached=True).action("edit", target="pizza.py", result="added 3 tests")
    memory.graph.relate("Otto", "lives_in", "Berlin", note="moved for pizza in 2019")
    memory.observe("I like tea", session="s")
    return memory.observe("I ate pizza yesterday", session="s").id


def test_unrelated_text_keeps_a_common_word_and_is_listed(memory: Memory, eaten: int) -> None:
    preview = memory.forget(eaten, preview=True)
    receipt = memory.forget(eaten)
    assert memory.graph.entity("Berlin").description == LUIGI
    earlier = memory.tasks.checkpoints("coder")[1]
    assert (earlier.current_task, dict(earlier.state)) == ("order the pizza module", {"step": "pizza service"})
    assert [each.properties for each in memory.graph.relations("Otto")] == [{"note": "moved for pizza in 2019"}]
    assert receipt.clean
    assert receipt.cleared_texts == preview.cleared_texts == ()
    named = {each.column for each in receipt.mentions}
    assert named >= {
        "entity.description",
        "checkpoint.state",
        "relation.properties",
        "task_entry.body",
        "change.before",
    }
    assert [(each.column, each.row) for each in preview.mentions] == [
        (each.column, each.row) for each in receipt.mentions
    ]
    assert LUIGI in [each.text for each in preview.mentions]
    assert {each.text for each in receipt.mentions} == {None}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The gate opens with k7x9q2", "Say k7x9q2 at the gate"),
        ("Call me at 5550199", "Phone: 5550199"),
        ("Write to jo@ex.org", "Mail: jo@ex.org, always"),
        ("I met a zyxomat", "Fond of every zyxomat"),
        ("We will sell the old boat in June", "He said they will sell the old boat soon"),
        ("Secretly married", "They are secretly married since May"),
        ("My PIN is 739 and I have HIV", "Otto: HIV, PIN 739"),
    ],
)
def test_a_phrase_or_secret_is_cleared_everywhere_and_previewed(memory: Memory, said: str, told: str) -> None:
    memory.graph.entity("Quiet", description=told)
    gone = memory.observe(said, session="s").id
    preview = memory.forget(gone, preview=True)
    receipt = memory.forget(gone)
    assert memory.graph.entity("Quiet").description is None
    assert [(each.column, each.text) for each in preview.cleared_texts] == [("entity.description", told)]
    assert [(each.column, each.text) for each in receipt.cleared_texts] == [("entity.description", None)]
    assert receipt.mentions == ()
    assert memory.admin.receipts()[0] == receipt


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I went to the doctor", "He went to the shop"),  # small words are no phrase
        ("In 2019 it rained", "Built in 2019"),  # a year is no secret
        ("I have HIV", "An HIV clinic"),  # a short word alone: named
    ],
)
def test_a_coincidence_clears_nothing(memory: Memory, said: str, told: str) -> None:
    memory.graph.entity("Quiet", description=told)
    memory.forget(memory.observe(said, session="s").id)
    assert memory.graph.entity("Quiet").description == told


def test_a_phrase_of_a_kept_memory_is_not_cleared(memory: Memory) -> None:
    memory.graph.entity("Quiet", description="They will sell the old boat soon")
    memory.observe("We will sell the old boat, said Anna", session="kept")
    memory.forget(memory.observe("We will sell the old boat in June", session="s").id)
    assert memory.graph.entity("Quiet").description == "They will sell the old boat soon"


def test_text_about_the_same_entity_is_cleared_for_one_word(memory: Memory) -> None:
    memory.graph.entity("Berlin", type="place", description=LUIGI)
    memory.observe("Berlin is cold", session="t")
    memory.forget(memory.observe("In Berlin I ate pizza", session="s").id)
    assert memory.graph.entity("Berlin").description is None


def test_kept_names_are_listed_beside_a_clean_scan(memory: Memory) -> None:
    memory.observe("I work with Zqperson", session="chat with Zqperson")
    memory.observe("Tea is nice", session="chat with Zqperson")
    memory.tasks.checkpoint("Zqperson", task="review")
    memory.task("Review", agent="Zqperson", name="task Zqperson", detached=True)
    note = memory.remember("Use pnpm", kind="note")
    memory.tasks.bind(note.id, command="deploy Zqperson", error="Zqperson failed")
    shelved = memory.documents.save("shelf Zqperson", "doc", "A plan")
    receipt = memory.forget(query="Zqperson", limit=100)
    assert receipt.clean
    assert memory.tasks.bindings() == []
    named = {each.column for each in receipt.mentions}
    assert named >= {"session.name", "ledger.agent_id", "checkpoint.agent_id", "node.attributes"}
    assert ("node.attributes", shelved.id) in {(each.column, each.row) for each in receipt.mentions}
    assert "binding.command" not in named


def test_only_words_that_somebody_said_are_mentioned(memory: Memory) -> None:
    gone = memory.remember("Tea at three", form="relation", predicate="object_of", subject="Otto", object="tea")
    said = memory.remember("A relation", form="relation", subject="Kim", predicate="child", object="Jo")
    memory.remember("Jo sings", form="relation", subject="Jo", predicate="object_of", details={"worded": "by rules"})
    memory.tasks.checkpoint("coder", task="draw the object", state={})
    assert memory.forget(gone.id, preview=True).mentions == ()
    assert memory.forget(said.id, preview=True).mentions == ()


def test_a_memory_is_mentioned_once(memory: Memory) -> None:
    gone = memory.remember("A zyxomat in Quorn", kind="note")
    kept = memory.remember("It hums", subject="quorn", predicate="is", object="loud", details={"about": "zyxomat"})
    found = memory.forget(gone.id, preview=True).mentions
    assert [(each.row, each.word) for each in found if each.column.startswith("node.")] == [(kept.id, "zyxomat")]


def test_a_long_text_without_spaces_is_forgotten_in_linear_time(memory: Memory) -> None:
    """A base64 document of this size took minutes."""
    text = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo" * 8_000
    note = memory.remember(text, kind="note")
    memory.review.update(note.id, text=text[:-20])
    assert [each.id for each in memory.forget(note.id, preview=True).nodes] == [note.id]


def test_addresses_are_found_in_what_is_written_around_them() -> None:
    assert _addresses("mail <Otto@example.org>, see (https://x.y/z?q=1) or www.foo.com.") == [
        "otto@example.org",
        "https://x.y/z?q=1",
        "www.foo.com",
    ]
    assert _addresses("x@y and @otto and a.b") == []
