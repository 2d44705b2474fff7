"""LangGraph's store. The package ships a suite for checkpointers and none for stores: its own store is the measure."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide import Memory
from tests.adapters.needed import need

need("langgraph", "langgraph")

from langgraph.graph import END, START, StateGraph  # noqa: E402
from langgraph.store.base import BaseStore, GetOp, InvalidNamespaceError, PutOp, SearchOp  # noqa: E402
from langgraph.store.memory import InMemoryStore  # noqa: E402

from omoide.interfaces.adapters.langgraph import MemoryStore  # noqa: E402


@pytest.fixture
def ours(memory: Memory) -> MemoryStore:
    return MemoryStore(memory)


@pytest.fixture(params=["ours", "theirs"])
def store(request: pytest.FixtureRequest, memory: Memory) -> BaseStore:
    """What is true of both is how a store behaves."""
    return MemoryStore(memory) if request.param == "ours" else InMemoryStore()


PEOPLE = ("users", "u1", "people")
DOCS = ("users", "u1", "docs")


def test_an_item_is_put_got_and_deleted(store: BaseStore) -> None:
    store.put(PEOPLE, "otto", {"city": "Berlin", "age": 40, "tags": ["a", {"b": None}]})
    found = store.get(PEOPLE, "otto")
    assert found is not None
    assert found.value == {"city": "Berlin", "age": 40, "tags": ["a", {"b": None}]}
    assert (found.namespace, found.key) == (PEOPLE, "otto")
    store.delete(PEOPLE, "otto")
    assert store.get(PEOPLE, "otto") is None
    store.delete(PEOPLE, "nobody")


def test_put_again_replaces_the_whole_value(store: BaseStore) -> None:
    store.put(PEOPLE, "otto", {"city": "Berlin", "age": 40})
    store.put(PEOPLE, "otto", {"city": "Lisbon"})
    found = store.get(PEOPLE, "otto")
    assert found is not None
    assert found.value == {"city": "Lisbon"}
    assert found.updated_at >= found.created_at


def test_a_key_that_was_deleted_can_be_put_again(store: BaseStore) -> None:
    store.put(PEOPLE, "otto", {"city": "Berlin"})
    store.delete(PEOPLE, "otto")
    store.put(PEOPLE, "otto", {"city": "Lisbon"})
    found = store.get(PEOPLE, "otto")
    assert found is not None
    assert found.value == {"city": "Lisbon"}


def test_the_same_key_in_another_namespace_is_another_item(store: BaseStore) -> None:
    store.put(("a", "b/c"), "d", {"n": 1})
    store.put(("a", "b"), "c/d", {"n": 2})
    store.put(("a",), "d", {"n": 3})
    assert {item.value["n"] for item in store.search(("a",))} == {1, 2, 3}
    assert [item.value["n"] for item in store.search(("a", "b"))] == [2]


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        ({"city": "Berlin"}, {"otto", "ada"}),
        ({"city": "Berlin", "age": 40}, {"otto"}),
        ({"age": {"$gt": 36}}, {"otto", "kim"}),
        ({"age": {"$gte": 36, "$lt": 41}}, {"otto", "ada"}),
        ({"age": {"$lte": 36}}, {"ada"}),
        ({"city": {"$ne": "Berlin"}}, {"kim"}),
        ({"city": {"$eq": "Oslo"}}, {"kim"}),
        ({"work": {"at": "X"}}, {"kim"}),
        ({"likes": ["tea", "rain"]}, {"ada"}),
        ({"nothing": "here"}, set()),
    ],
)
def test_filters_compare_like_the_official_store(store: BaseStore, wanted: dict[str, Any], keys: set[str]) -> None:
    store.put(PEOPLE, "otto", {"city": "Berlin", "age": 40})
    store.put(PEOPLE, "ada", {"city": "Berlin", "age": 36, "likes": ["tea", "rain"]})
    store.put(PEOPLE, "kim", {"city": "Oslo", "age": 50, "work": {"at": "X", "since": 2020}})
    assert {item.key for item in store.search(PEOPLE, filter=wanted)} == keys


def test_pages_of_a_search_hold_every_item_once(store: BaseStore) -> None:
    for number in range(25):
        store.put(PEOPLE, f"k{number}", {"n": number})
    pages = [store.search(("users",), limit=10, offset=start) for start in (0, 10, 20, 30)]
    assert [len(page) for page in pages] == [10, 10, 5, 0]
    assert {item.key for page in pages for item in page} == {f"k{number}" for number in range(25)}


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"prefix": ("a", "b")},
        {"prefix": ("a", "*", "d")},
        {"suffix": ("f",)},
        {"suffix": ("*", "f")},
        {"prefix": ("a",), "suffix": ("f",)},
        {"prefix": ("a", "b"), "max_depth": 3},
        {"max_depth": 1},
        {"limit": 2, "offset": 1},
    ],
)
def test_namespaces_are_listed_like_the_official_store(ours: MemoryStore, given: dict[str, Any]) -> None:
    theirs = InMemoryStore()
    for store in (ours, theirs):
        for path in ("abc", "abde", "abdi", "abf", "acf", "x"):
            store.put(tuple(path), "k", {"n": 1})
    assert ours.list_namespaces(**given) == theirs.list_namespaces(**given)


def test_a_batch_reads_before_it_writes_and_the_last_write_wins(store: BaseStore) -> None:
    store.put(PEOPLE, "otto", {"n": 0})
    results = store.batch(
        [
            PutOp(PEOPLE, "otto", {"n": 1}),
            GetOp(PEOPLE, "otto"),
            PutOp(PEOPLE, "otto", {"n": 2}),
            SearchOp(PEOPLE),
        ]
    )
    assert results[0] is None
    assert results[1].value == {"n": 0}  # type: ignore[union-attr]
    assert [item.value for item in results[3]] == [{"n": 0}]  # type: ignore[union-attr]
    assert store.get(PEOPLE, "otto").value == {"n": 2}  # type: ignore[union-attr]


def test_every_operation_is_async_too(store: BaseStore) -> None:
    async def story() -> list[str]:
        await asyncio.gather(*(store.aput(DOCS, f"k{n}", {"n": n}) for n in range(5)))
        await store.adelete(DOCS, "k0")
        assert (await store.aget(DOCS, "k1")).value == {"n": 1}  # type: ignore[union-attr]
        assert await store.alist_namespaces() == [DOCS]
        return sorted(item.key for item in await store.asearch(("users",)))

    assert asyncio.run(story()) == ["k1", "k2", "k3", "k4"]


def test_bad_namespaces_and_times_to_live_are_refused(store: BaseStore) -> None:
    for namespace in [(), ("a.b",), ("",), ("langgraph", "x")]:
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {"n": 1})
    with pytest.raises(NotImplementedError):
        store.put(("a",), "k", {"n": 1}, ttl=5)


def embedded(texts: list[str]) -> list[list[float]]:
    return [[float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


INDEX: Any = {"dims": 26, "embed": embedded, "fields": ["text"]}


def test_an_index_configuration_compares_every_item_by_its_embeddings(memory: Memory) -> None:
    for store in (MemoryStore(memory, index=INDEX), InMemoryStore(index=INDEX)):
        store.put(DOCS, "b", {"text": "bbb", "more": "zzz"})
        store.put(DOCS, "a", {"text": "aab"})
        store.put(DOCS, "hidden", {"text": "aaa"}, index=False)
        found = store.search(DOCS, query="aaa")
        assert [(item.key, item.score and round(item.score, 2)) for item in found] == [
            ("a", 0.89),
            ("b", 0.0),
            ("hidden", None),
        ]


def test_an_index_is_also_understood_in_the_words_of_their_sqlite_store(memory: Memory) -> None:
    store = MemoryStore(memory, index={"dims": 26, "embed": embedded, "text_fields": ["text"]})
    store.put(DOCS, "b", {"text": "bbb", "more": "zzz"})
    assert store.embeddings is not None
    assert [(item.key, item.score) for item in store.search(DOCS, query="zzz")] == [("b", 0.0)]


def test_reading_from_an_impossible_namespace_is_refused_too(store: BaseStore) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.get(("a.b",), "k")
    with pytest.raises(InvalidNamespaceError):
        store.search(("",))
    with pytest.raises(InvalidNamespaceError):
        store.delete(("a.b",), "k")


def test_a_filter_leads_into_nested_objects_by_dots(ours: MemoryStore) -> None:
    ours.put(DOCS, "k", {"user": {"access-level": "nested"}, "a.b": 1})
    assert [item.key for item in ours.search(DOCS, filter={"user.access-level": "nested", "a.b": 1})] == ["k"]
    assert ours.search(DOCS, filter={"user.name.first": "x"}) == []


def test_a_query_finds_by_what_is_said_best_first_within_the_namespace(ours: MemoryStore) -> None:
    ours.put(PEOPLE, "otto", {"text": "Otto deploys the app to Vercel"})
    ours.put(PEOPLE, "ada", {"text": "Ada grows tomatoes on her balcony"})
    ours.put(DOCS, "deploy", {"text": "deploy with the Vercel command line"})
    found = ours.search(PEOPLE, query="who deploys to Vercel?")
    assert [item.key for item in found] == ["otto"]
    assert found[0].score is not None
    assert {item.key for item in ours.search((), query="Vercel")} == {"otto", "deploy"}
    assert ours.search(("elsewhere",), query="Vercel") == []


def test_only_what_is_to_be_indexed_is_searched(ours: MemoryStore) -> None:
    ours.put(DOCS, "named", {"title": "tomatoes", "secret_word": "zebra"}, index=["title"])
    ours.put(DOCS, "hidden", {"title": "tomatoes"}, index=False)
    assert [item.key for item in ours.search(DOCS, query="tomatoes")] == ["named"]
    assert ours.search(DOCS, query="zebra") == []
    assert {item.key for item in ours.search(DOCS)} == {"named", "hidden"}


def test_a_query_and_a_filter_hold_together(ours: MemoryStore) -> None:
    for number in range(8):
        ours.put(DOCS, f"k{number}", {"text": f"tomatoes of bed {number}", "ripe": number == 5})
    assert [item.key for item in ours.search(DOCS, query="tomatoes", filter={"ripe": True}, limit=3)] == ["k5"]


def test_what_is_deleted_is_withdrawn_unless_it_is_to_be_erased(memory: Memory) -> None:
    for erase in (False, True):
        store = MemoryStore(memory, erase=erase)
        store.put(DOCS, "k", {"text": "tomatoes"})
        store.delete(DOCS, "k")
        assert store.search(DOCS, query="tomatoes") == []
        assert len(memory.list(state="archived")) == (0 if erase else 1)


def test_the_same_items_are_there_when_the_file_is_opened_again(opened: Any) -> None:
    MemoryStore(opened()).put(DOCS, "k", {"text": "tomatoes"})
    found = MemoryStore(opened()).get(DOCS, "k")
    assert found is not None
    assert found.value == {"text": "tomatoes"}


def test_a_graph_keeps_across_threads_what_a_node_puts(memory: Memory) -> None:
    def node(state: dict[str, Any], *, store: BaseStore) -> dict[str, Any]:
        known = store.search(("facts",), query=state["text"])
        store.put(("facts",), state["text"], {"text": state["text"]})
        return {"text": known[0].value["text"] if known else ""}

    graph = StateGraph(dict)
    graph.add_node("node", node)  # type: ignore[call-overload,unused-ignore]
    graph.add_edge(START, "node")
    graph.add_edge("node", END)
    app = graph.compile(store=MemoryStore(memory))
    assert app.invoke({"text": "Otto likes Vercel"}) == {"text": ""}
    assert app.invoke({"text": "what does Otto like?"}) == {"text": "Otto likes Vercel"}


def test_many_threads_write_and_delete_one_key(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db", embedder=None) as memory, ThreadPoolExecutor(8) as threads:
        store = MemoryStore(memory)

        def work(number: int) -> None:
            store.delete(("a",), "k") if number % 3 == 0 else store.put(("a",), "k", {"v": number})

        list(threads.map(work, range(100)))
        store.put(("a",), "k", {"v": "last"})
        found = store.get(("a",), "k")
        assert found is not None
        assert found.value == {"v": "last"}
        assert len(memory.documents.list("langgraph")) == 1


LABEL = st.text(st.characters(categories=["L", "N"], include_characters=" /-_\"'"), min_size=1, max_size=8)
VALUE = st.dictionaries(
    st.sampled_from("abc"), st.none() | st.booleans() | st.integers(-99, 99) | LABEL | st.lists(LABEL), max_size=3
)
STEP = st.tuples(st.lists(LABEL.filter(str.strip), min_size=1, max_size=3).map(tuple), LABEL, st.none() | VALUE)


@given(st.lists(STEP, max_size=8))
def test_it_matches_the_official_store_after_any_operations(steps: list[Any]) -> None:
    theirs = InMemoryStore()
    with Memory(":memory:", embedder=None) as memory:
        ours = MemoryStore(memory)
        for namespace, key, value in steps:
            for store in (ours, theirs):
                if value is None:
                    store.delete(namespace, key)
                else:
                    store.put(namespace, key, value)
        for namespace, key, _ in steps:
            one, other = ours.get(namespace, key), theirs.get(namespace, key)
            assert (one and one.value) == (other and other.value)
        held = {(item.namespace, item.key) for item in theirs.search((), limit=100)}
        assert {(item.namespace, item.key) for item in ours.search((), limit=100)} == held
