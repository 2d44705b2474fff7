"""Agent tools: schemas, checks, answers as text and data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from omoide import Memory
from omoide.errors import InvalidInput, NotFound
from omoide.interfaces.tools import SETS, chosen, cost, named
from tests.conftest import Open, Ticking


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "otto.db", embedder=None) as memory:
        yield memory


def call(memory: Memory, name: str, /, **arguments: Any) -> Any:
    (tool,) = chosen(name)
    return tool(memory, arguments)


def test_what_is_stored_is_found_with_its_id(memory: Memory) -> None:
    stored = call(memory, "memory_store", content="The payment API signs with HMAC", tags="payments, hmac")
    found = call(memory, "memory_query", query="payment signature hmac")
    assert stored.text == "stored as [id:1]"
    assert found.text.startswith("[id:1] agent: The payment API signs with HMAC (fact, today")
    assert found.data["memories"][0]["tags"] == ["payments", "hmac"]


def test_reinforcing_adds_three_and_demoting_subtracts_one(memory: Memory) -> None:
    call(memory, "memory_store", content="Deploy with vercel --prod")
    assert call(memory, "memory_reinforce", id=1).data == {"id": 1, "score": 3}
    assert call(memory, "memory_demote", id=1).data == {"id": 1, "score": 2}


def test_a_corrected_fact_is_answered_by_the_new_one(memory: Memory) -> None:
    call(memory, "remember_fact", fact="Otto lives in São Paulo")
    call(memory, "correct_fact", id=1, fact="Otto lives in Berlin", since="2026-05-01")
    assert "[id:2]" in call(memory, "search_memory", query="where does Otto live").text
    assert call(memory, "explain_fact", id=2).data["supersedes"] == [1]


def test_an_explanation_shows_the_decayed_confidence(opened: Open, clock: Ticking) -> None:
    memory = opened()
    guess = memory.remember("Otto owns a boat", source_type="inferred", confidence=0.8)
    clock.advance(days=60)
    why, told = memory.explain(guess.id), call(memory, "explain_fact", id=guess.id)
    assert 0 < why.confidence < why.node.confidence == 0.8
    assert told.data["confidence"] == pytest.approx(why.confidence, rel=1e-3)
    assert f"confidence today: {why.confidence:.2f}, stated with 0.80" in told.text


def test_a_search_can_be_narrowed_by_layer_entity_and_time(memory: Memory) -> None:
    memory.graph.entity("Otto", type="person")
    memory.observe("Otto likes espresso", session="s1", at="2026-03-02T12:00:00+00:00")
    memory.remember("Otto likes filter coffee", at="2026-06-02T12:00:00+00:00")
    narrowed = call(memory, "search_memory", query="coffee espresso", type="semantic", entity_name="Otto")
    early = call(memory, "search_memory", query="espresso likes", before="2026-04-01", type="episodic")
    assert [row["id"] for row in narrowed.data["results"]] == [2]
    assert [row["id"] for row in early.data["results"]] == [1]


def test_nothing_found_tells_the_model_not_to_guess(memory: Memory) -> None:
    assert call(memory, "search_memory", query="quantum chromodynamics").text == "nothing relevant is known"


@pytest.mark.parametrize(
    ("name", "arguments", "lesson"),
    [
        ("memory_query", {}, "query is missing (Keywords"),
        ("memory_query", {"querry": "x", "query": "x"}, "there is no argument querry, did you mean query?"),
        ("memory_query", {"query": "x", "limit": "many"}, "limit: input should be a valid integer"),
        ("memory_query", {"query": "x", "limit": 5_000}, "less than or equal to 50, got 5000"),
        ("search_memory", {"query": "x", "type": "dreams"}, "'episodic', 'semantic', 'procedural' or 'opinion'"),
        ("search_memory", {"query": "x", "after": "some day"}, "after: expected today, yesterday, last_week"),
        ("memory_store", {"content": ["a", "list"]}, "content: input should be a valid string"),
    ],
)
def test_wrong_arguments_get_a_helpful_error(memory: Memory, name: str, arguments: dict[str, Any], lesson: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        call(memory, name, **arguments)
    assert lesson in str(caught.value)


def test_an_unknown_id_is_named(memory: Memory) -> None:
    with pytest.raises(NotFound, match="7"):
        call(memory, "memory_reinforce", id=7)


def test_every_tool_has_a_description_and_describes_each_argument() -> None:
    for tool in chosen("all"):
        assert len(tool.description) > 30
        for name, argument in tool.schema.get("properties", {}).items():
            assert argument.get("description"), f"{tool.name}.{name}"
        assert tool.schema["additionalProperties"] is False


def test_the_small_set_costs_less_than_all() -> None:
    assert cost(chosen("core")) < cost(chosen("all")) / 2
    assert {each.name for each in chosen("core,koshi")} == {*SETS["core"], *SETS["koshi"]}


def test_an_unknown_set_is_refused_with_the_nearest() -> None:
    with pytest.raises(InvalidInput, match="did you mean koshi"):
        chosen("koshy")


def test_a_long_tool_reports_progress(memory: Memory) -> None:
    memory.observe("I live in Berlin.", session="s1")
    memory.end("s1")
    heard: list[tuple[float, float | None, str]] = []
    (tool,) = chosen("learn_now")
    answer = tool(memory, {}, lambda done, total, message: heard.append((done, total, message)))
    assert heard == [(1, None, "learning from s1")]
    assert answer.data["turns"] == 1


def test_an_agent_writes_and_finds_narratives(memory: Memory) -> None:
    assert call(memory, "narrative_search").text == "nothing was said yet"
    memory.observe("Please move billing to Postgres.", session="s1")
    first = call(memory, "narrative_update", text="Billing is to move to Postgres.", topic="billing")
    second = call(memory, "narrative_update", text="The move waits for Otto.", session="s1")
    assert (first.text, second.text) == ("stored as [id:2]", "stored as [id:3], after [id:2]")
    assert "The move waits for Otto." in call(memory, "narrative_search").text
    found = call(memory, "narrative_search", query="who is the move waiting for")
    assert found.data["narratives"][0]["id"] == 3
    assert [tool.name for tool in chosen("narrative")] == ["narrative_update", "narrative_search"]


def test_forget_previews_before_it_erases(memory: Memory) -> None:
    node = memory.observe("The numbat is a secret.", session="s")
    kept = memory.observe("The zoo is open.", session="t")
    first = named("forget")(memory, {"session": "s"})
    assert "1 memory would be erased" in first.text
    assert "numbat" in first.text
    assert memory.get(node.id).text == "The numbat is a secret."
    done = named("forget")(memory, {"session": "s", "confirm": True})
    assert done.text == "1 memory erased; no byte of it is left"
    assert done.data["receipt"]["ids"] == [node.id]
    assert [hit.id for hit in memory.recall("numbat zoo").hits] == [kept.id]


def test_forget_takes_exactly_one_target(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="exactly one of id, session, entity, query, got id, session"):
        named("forget")(memory, {"id": 1, "session": "s"})
    with pytest.raises(InvalidInput, match="exactly one of id, session, entity, query, got none"):
        named("forget")(memory, {})


@pytest.mark.parametrize("id", [1, "1", "[id:1]", "id:1", "[1]", " [id: 1] "])
def test_an_id_is_accepted_in_every_printed_form(memory: Memory, id: Any) -> None:
    call(memory, "memory_store", content="Deploy with vercel --prod")
    assert call(memory, "memory_reinforce", id=id).data == {"id": 1, "score": 3}
    assert call(memory, "narrative_update", text="We deploy.", nodes=[id]).data["narrative"]["id"] == 2
    assert call(memory, "forget", id=id).data["would_erase"][0]["id"] == 1


def test_an_invalid_id_is_refused(memory: Memory) -> None:
    for id in ("two", "[id:]", "1.5", "[id:1] [id:2]"):
        with pytest.raises(InvalidInput, match="id: input should be a valid integer"):
            call(memory, "memory_demote", id=id)


def test_tags_are_a_text_with_commas_or_a_list(memory: Memory) -> None:
    stored = call(memory, "memory_store", content="The API signs with HMAC", tags=["payments", "hmac"])
    assert stored.data["memory"]["tags"] == ["payments", "hmac"]
    assert call(memory, "memory_update", id=1, content="It signs", tags=["a", "b"]).data["memory"]["tags"] == ["a", "b"]


@pytest.mark.parametrize("tool", ["get_entity_info", "get_timeline"])
@pytest.mark.parametrize("argument", ["entity_name", "name", "entity"])
def test_the_entity_argument_has_aliases(memory: Memory, tool: str, argument: str) -> None:
    memory.graph.entity("Otto", type="person")
    memory.remember("Otto likes filter coffee")
    assert "filter coffee" in call(memory, tool, **{argument: "Otto"}).text
    assert list(named(tool).schema["properties"]) == ["entity_name", "limit"]
    with pytest.raises(InvalidInput, match="entity_name is missing"):
        call(memory, tool)


def test_destructive_tools_are_marked_and_not_in_the_default_set() -> None:
    assert [each.name for each in chosen("all") if each.destroys] == ["forget"]
    assert "forget" not in [each.name for each in chosen("core")]
