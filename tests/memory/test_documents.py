"""Documents are stored under a name in a collection, with their history."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from omoide.errors import InvalidInput
from tests.conftest import Open, unsound


def test_a_document_is_found_by_its_name_and_its_text(memory: Memory) -> None:
    node = memory.documents.save("plans", "deploy", "we deploy to Vercel", body={"steps": [1, 2]})
    assert memory.documents.get("plans", "deploy") == memory.get(node.id)
    assert memory.documents.get("other", "deploy") is None
    assert memory.recall("where do we deploy?").hits[0].node.details == {"steps": [1, 2]}


def test_a_new_text_replaces_the_old_one_which_stays_in_the_history(memory: Memory) -> None:
    first = memory.documents.save("plans", "deploy", "we deploy to Vercel", body={"to": "Vercel"})
    second = memory.documents.save("plans", "deploy", "we deploy to Fly", body={"to": "Fly"})
    assert first.id == second.id
    assert second.details == {"to": "Fly"}
    before = memory.history(first.id)[0].changes[0]["before"]
    assert (before["text"], before["details"]) == ("we deploy to Vercel", {"to": "Vercel"})


def test_saving_the_same_document_again_changes_nothing(memory: Memory) -> None:
    first = memory.documents.save("plans", "deploy", "we deploy to Vercel", tags=["a"])
    assert memory.documents.save("plans", "deploy", "we deploy to Vercel", tags=["a"]) == first


def test_saving_unarchives_a_document_with_its_history(memory: Memory) -> None:
    node = memory.documents.save("plans", "deploy", "we deploy to Vercel")
    memory.admin.archive(node.id)
    assert memory.documents.list("plans") == []
    again = memory.documents.save("plans", "deploy", "we deploy to Fly")
    assert (again.id, again.state, again.text) == (node.id, "live", "we deploy to Fly")


def test_the_name_of_an_erased_document_can_be_used_again(memory: Memory) -> None:
    memory.forget(memory.documents.save("plans", "deploy", "we deploy to Vercel").id)
    assert memory.documents.get("plans", "deploy") is None
    memory.documents.save("plans", "deploy", "we deploy to Fly")
    node = memory.documents.save("plans", "deploy", "we deploy to Render")
    assert [each.id for each in memory.documents.list("plans")] == [node.id]
    assert memory.documents.get("plans", "deploy") == node
    assert unsound(memory) == []


def test_an_erased_document_leaves_none_of_its_earlier_texts(memory: Memory, path: str) -> None:
    memory.documents.save("plans", "deploy", "the zebra plan", body={"word": "xylophone"})
    node = memory.documents.save("plans", "deploy", "another plan", body={"word": "other"})
    memory.forget(node.id)
    memory.close()
    assert b"xylophone" not in Path(path).read_bytes()


def test_turns_are_listed_in_order_and_the_latest_with_a_limit(memory: Memory) -> None:
    for text in ("one", "two", "three"):
        memory.observe(text, session="s1")
    assert [each.text for each in memory.list(["episode"], session="s1", order="added").items] == [
        "one",
        "two",
        "three",
    ]
    assert [each.text for each in memory.list(["episode"], session="s1", limit=2).items[::-1]] == ["two", "three"]
    assert memory.list(["episode"], session="unheard of", order="added").items == ()


def test_a_document_needs_a_text(memory: Memory) -> None:
    with pytest.raises(InvalidInput):
        memory.documents.save("plans", "deploy", " ")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(blacklist_categories=["Cs"]), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcdef"), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(JSON)
def test_any_body_comes_back_as_it_was(body: object) -> None:
    with Memory(":memory:", embedder=None) as memory:
        memory.documents.save("plans", "any", "words", body={"body": body})
        found = memory.documents.get("plans", "any")
        assert found is not None
        assert found.details == {"body": body}


def test_two_documents_with_the_same_text_stay_separate(opened: Open) -> None:
    memory = opened()
    memory.documents.save("plans", "one", "we deploy to Vercel", body={"n": 1})
    memory.documents.save("plans", "two", "we deploy to Vercel", body={"n": 2})
    memory.maintain()
    assert len(memory.documents.list("plans")) == 2
