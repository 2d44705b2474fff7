"""What learning found and did not keep waits for the user, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from omoide import Memory
from omoide.errors import NotFound
from omoide.learn.learner import Learner, entity_summarizer
from omoide.learn.proposal import LearningConversation, Proposal, Quote, Statement
from omoide.memory.overview import TimeOverview
from omoide.settings import Settings

DOUBTED = "Ana saw a whale near Lisbon"


class Inventor:
    """Proposes a statement whose quote nobody said."""

    name = "inventor"

    def extract(self, conversation: LearningConversation) -> Proposal:
        quote = Quote(conversation.turns[0].id, "I own a yacht")
        return Proposal(
            statements=(Statement(form="fact", subject="user", text="User owns a yacht", quote=quote, confidence=0.9),)
        )


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    found = Memory(tmp_path / "memory.db", embedder=None)
    found.observe(DOUBTED, session="s1")
    found.end("s1")
    return found


def refused(memory: Memory) -> list[dict[str, object]]:
    found = TimeOverview(memory).inbox(1, 50)["refused"]
    return [{**each, "turn": each["turn"].text} for each in found]


def test_a_doubted_statement_is_kept_apart_with_its_turn_and_learned_on_the_users_word(memory: Memory) -> None:
    memory.learn()
    (found,) = refused(memory)
    assert (found["text"], found["turn"]) == ("Ana saw a whale near Lisbon", DOUBTED)
    assert found["reason"] == "perhaps not worth keeping"
    node = TimeOverview(memory).learn_refused(int(str(found["id"])))
    assert memory.get(node.id).text == "Ana saw a whale near Lisbon"
    assert refused(memory) == []
    with pytest.raises(NotFound):
        TimeOverview(memory).learn_refused(int(str(found["id"])))


def test_what_a_model_made_up_is_refused_with_the_reason(memory: Memory) -> None:
    Learner(memory._core.store, Inventor(), 0.1, entity_summarizer(Settings(), None)).learn(["s1"])
    (found,) = refused(memory)
    assert (found["text"], found["reason"]) == ("User owns a yacht", "its quote is not in its turn")


def test_a_refused_statement_goes_with_its_turn(memory: Memory) -> None:
    memory.learn()
    memory.forget(session="s1")
    assert refused(memory) == []
    memory.close()
    left = b"".join(each.read_bytes() for each in Path(memory.path).parent.iterdir())
    assert b"saw Ana" not in left
