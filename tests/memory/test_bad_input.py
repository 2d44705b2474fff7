"""Invalid input raises an error that says what to do, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest

from omoide import Memory
from omoide.errors import InvalidInput, NotFound
from omoide.settings import Settings
from tests.conftest import contents

HALF = "half a pair: \ud83d"
NESTED: list[Any] = []
for _ in range(5_000):
    NESTED = [NESTED]
CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)

BAD_TEXTS = {
    "empty": ("", "text is empty"),
    "blank": (" \n\t ", "text is empty"),
    "ten megabytes": ("x" * 10_000_000, "split it"),
    "ten megabytes of kanji": ("茶" * 3_400_000, "split it"),
    "NUL": ("a\0b", "NUL character at position 1"),
    "half a surrogate pair": (HALF, "half a surrogate pair"),
    "bytes": (b"tea", "must be a str"),
    "nothing": (None, "must be a str"),
    "a list": (["tea"], "must be a str"),
}
BAD_TIMES = {
    "naive": (datetime(2026, 5, 3), "has no time zone"),
    "naive text": ("2026-05-03T09:30:00", "has no time zone"),
    "a day": (date(2026, 5, 3), "expected a datetime"),
    "year 1": (datetime(1, 1, 1, tzinfo=UTC), "outside 1800–2300"),
    "year 9999": (datetime(9999, 12, 31, tzinfo=UTC), "outside 1800–2300"),
    "year 1 west of it": ("0001-01-01T00:00:00+14:00", "outside 1800–2300"),
    "garbage": ("the day before yesterday", "not an ISO 8601 time"),
    "half a surrogate pair": (HALF, "not an ISO 8601 time"),
    "empty": ("", "not an ISO 8601 time"),
    "seconds": (1_777_000_000, "expected a datetime"),
}
BAD_TURNS: dict[str, tuple[dict[str, Any], str]] = {
    "role": ({"role": "wizard"}, "role: expected user, agent, system or tool:NAME"),
    "role of a list": ({"role": ["user"]}, "role: expected"),
    "tool without a name": ({"role": "tool:"}, "role: expected"),
    "tool with half a pair": ({"role": "tool:" + "\ud83d"}, "half a surrogate pair"),
    "origin": ({"origin": "wizard"}, "origin: expected"),
    "type": ({"type": "dream"}, "episode.type: expected one of conversation"),
    "outcome": ({"outcome": "fine"}, "episode.outcome: expected one of success"),
    "audience": ({"audience": "everybody"}, "audience: expected private or shared"),
    "tags of a number": ({"tags": 7}, "tags: expected a list of texts"),
    "tags of numbers": ({"tags": [7]}, "tags: text must be a str"),
    "a blank tag": ({"tags": ["tea", " "]}, "tags: text is empty"),
    "a tag with NUL": ({"tags": ["\0"]}, "tags: text holds a NUL"),
    "a tag with half a pair": ({"tags": [HALF]}, "tags: text holds half"),
    "a long tag": ({"tags": ["x" * 2001]}, "tags: text is 2,001 bytes long"),
    "speaker": ({"speaker": HALF}, "speaker: text holds half"),
    "speaker with NUL": ({"speaker": "a\0"}, "speaker: text holds a NUL"),
    "speaker of a number": ({"speaker": 7}, "speaker: text must be a str"),
    "session": ({"session": HALF}, "session: text holds half"),
    "session of a list": ({"session": ["s"]}, "session: text must be a str"),
    "blank session": ({"session": ""}, "session: text is empty"),
    "channel": ({"channel": HALF}, "channel: text holds half"),
    "task": ({"task": HALF}, "task: text holds half"),
    "key": ({"key": HALF}, "key: text holds half"),
    "key with NUL": ({"key": "a\0"}, "key: text holds a NUL"),
    "key of a number": ({"key": 7}, "key: text must be a str"),
    "details with half a pair": ({"details": {"a": [HALF]}}, "details: JSON cannot hold it"),
    "details with half a pair in a name": ({"details": {HALF: 1}}, "details: JSON cannot hold it"),
    "details that are no number": ({"details": float("nan")}, "details: JSON cannot hold it"),
    "details of an object": ({"details": object()}, "details: JSON cannot hold it"),
    "details in a circle": ({"details": CIRCLE}, "details: JSON cannot hold it"),
    "details without end": ({"details": NESTED}, "details: JSON cannot hold it"),
    "details of a book": ({"details": "x" * 2_000_000}, "details: 2,000,002 bytes long"),
    "a parent of truth": ({"parent": True}, "a node id is a whole number"),
    "a parent of text": ({"parent": "1"}, "a node id is a whole number"),
    "a parent of a fraction": ({"parent": 1.0}, "a node id is a whole number"),
}
BAD_STATEMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "kind": ({"kind": "fcat"}, "did you mean 'fact'"),
    "kind of a list": ({"kind": ["fact"]}, "unknown kind"),
    "an episode": ({"kind": "episode"}, "use observe"),
    "unknown field": ({"subjct": "Otto"}, "did you mean subject"),
    "field of a number": ({"subject": 7}, "fact.subject: expected a non-empty text"),
    "field with half a pair": ({"subject": HALF}, "fact.subject"),
    "document with half a pair": ({"kind": "preference", "value": [HALF]}, "preference.value"),
    "document without end": ({"kind": "preference", "value": NESTED}, "preference.value"),
    "steps of a text": ({"kind": "procedure", "steps": "first"}, "procedure.steps: expected a list"),
    "strength": ({"kind": "preference", "strength": 2}, "preference.strength: expected a number from 0 to 1"),
    "confidence that is no number": ({"confidence": float("nan")}, "confidence: expected a number from 0 to 1"),
    "confidence of truth": ({"confidence": True}, "confidence: expected a number from 0 to 1"),
    "too sure": ({"confidence": 1.5}, "confidence: expected a number from 0 to 1"),
    "importance 11": ({"importance": 11}, "importance: expected a whole number from 1 to 10"),
    "importance 0": ({"importance": 0}, "importance: expected a whole number from 1 to 10"),
    "importance of a fraction": ({"importance": 5.5}, "importance: expected a whole number from 1 to 10"),
    "source type": ({"source_type": "rumour"}, "source_type: expected one of"),
    "origin": ({"origin": "rumour"}, "origin: expected"),
    "sources of a number": ({"sources": 1}, "sources: expected a list of node ids"),
    "sources of a text": ({"sources": "1"}, "sources: expected a list of node ids"),
    "sources of truth": ({"sources": [True]}, "a node id is a whole number"),
    "valid_from": ({"valid_from": "soon"}, "valid_from: 'soon' is not an ISO 8601 time"),
}
Verb = Callable[[Memory], object]
BAD_VERBS: dict[str, tuple[Verb, str]] = {
    "observe_many of nothing": (lambda memory: memory.observe_many(None), "list of dictionaries"),  # type: ignore[arg-type]
    "observe_many of texts": (lambda memory: memory.observe_many(["tea"]), "expected a dictionary"),  # type: ignore[list-item]
    "an unknown field": (lambda memory: memory.observe_many([{"text": "a", "speeker": "b"}]), "did you mean speaker"),
    "a turn without words": (lambda memory: memory.observe_many([{"role": "user"}]), "needs a text"),
    "the last of many": (lambda memory: memory.observe_many([{"text": "tea"}, {"text": ""}]), "text is empty"),
    "update with nothing": (lambda memory: memory.review.update(1), "nothing to update"),
    "update to a blank": (lambda memory: memory.review.update(1, " "), "text is empty"),
    "update of an episode's words": (lambda memory: memory.review.update(2, "else"), "what was said stays"),
    "update with importance 11": (lambda memory: memory.review.update(1, importance=11), "importance"),
    "correct with a blank": (lambda memory: memory.correct(1, ""), "text is empty"),
    "correct an episode": (lambda memory: memory.correct(2, "else"), "what happened, happened"),
    "correct at no time": (lambda memory: memory.correct(1, "else", at="later"), "ISO 8601"),
    "a link to itself": (lambda memory: memory.graph.link(1, 1), "cannot be linked to itself"),
    "a link of an unknown type": (lambda memory: memory.graph.link(1, 2, "casual"), "did you mean 'causal'"),
    "a link without weight": (lambda memory: memory.graph.link(1, 2, weight=float("nan")), "weight"),
    "a link of a text's weight": (lambda memory: memory.graph.link(1, 2, weight="1"), "weight"),  # type: ignore[arg-type]
    "a link with half a pair": (lambda memory: memory.graph.link(1, 2, predicate=HALF), "predicate"),
    "a link with such evidence": (lambda memory: memory.graph.link(1, 2, evidence=[object()]), "evidence"),
    "an entity without a name": (lambda memory: memory.graph.entity("", type="person"), "name: text is empty"),
    "an entity of no type": (lambda memory: memory.graph.entity("Otto", type="wizard"), "entity type: expected one of"),
    "an entity of importance 0": (lambda memory: memory.graph.entity("Otto", importance=0), "importance"),
    "an entity with half a pair": (lambda memory: memory.graph.entity("Otto", summary=HALF), "summary"),
    "an entity with such details": (lambda memory: memory.graph.entity("Otto", shoe=object()), "attributes"),
    "a relation to itself": (lambda memory: memory.graph.relate("Otto", "knows", "otto"), "the same entity"),
    "a relation of no type": (lambda memory: memory.graph.relate("Otto", "", "Eva"), "type: text is empty"),
    "a relation that is too sure": (
        lambda memory: memory.graph.relate("Otto", "knows", "Eva", confidence=2),
        "confidence",
    ),
    "the end of half a pair": (lambda memory: memory.end(HALF), "session: text holds half"),
    "a blank end": (lambda memory: memory.end("s", summary=" "), "text is empty"),
    "a question that is no text": (lambda memory: memory.recall(b"tea"), "query: expected a text"),  # type: ignore[arg-type]
    "a limit of none": (lambda memory: memory.recall("tea", limit=0), "limit"),
    "a limit of truth": (lambda memory: memory.recall("tea", limit=True), "limit"),
    "an unknown recipe": (lambda memory: memory.recall("tea", recipe="everyda"), "everyday"),
    "unknown kinds": (lambda memory: memory.recall("tea", kinds=["fcat"]), "did you mean 'fact'"),
    "a session of half a pair": (lambda memory: memory.recall("tea", session=HALF), "session"),
    "a budget of none": (lambda memory: memory.context("tea", budget=0), "budget"),
    "a shared wizard": (lambda memory: memory.context("tea", audience="wizards"), "audience"),
}
UNKNOWN_IDS = [0, -1, -(2**70), 2**31, 2**63, 2**70]
UNKNOWN: dict[str, Callable[[Memory, int], object]] = {
    "show": lambda memory, id: memory.get(id),
    "history": lambda memory, id: memory.history(id),
    "links": lambda memory, id: memory.graph.links(id),
    "update": lambda memory, id: memory.review.update(id, "else"),
    "correct": lambda memory, id: memory.correct(id, "else"),
    "confirm": lambda memory, id: memory.review.confirm(id),
    "reinforce": lambda memory, id: memory.review.reinforce(id),
    "demote": lambda memory, id: memory.review.demote(id),
    "link": lambda memory, id: memory.graph.link(1, id),
    "observe with a parent": lambda memory, id: memory.observe("a child", parent=id),
    "remember with a source": lambda memory, id: memory.remember("learned", sources=[1, id]),
    "relate with a source": lambda memory, id: memory.graph.relate("Otto", "knows", "Eva", source_node=id),
}


@pytest.fixture
def untouched(memory: Memory, path: str) -> Iterator[Memory]:
    """A memory that must hold the same after the test as before."""
    memory.remember("tea is green")
    memory.observe("I like tea", session="s")
    before = contents(path)
    yield memory
    assert contents(path) == before


@pytest.mark.parametrize(("text", "message"), BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_invalid_text(untouched: Memory, text: Any, message: str) -> None:
    for verb in (untouched.observe, untouched.remember, lambda text: untouched.observe_many([{"text": text}])):
        with pytest.raises(InvalidInput, match=message):
            verb(text)


@pytest.mark.parametrize(("at", "message"), BAD_TIMES.values(), ids=BAD_TIMES)
def test_invalid_time(untouched: Memory, at: Any, message: str) -> None:
    for verb in (untouched.observe, untouched.remember, untouched.recall, untouched.context):
        with pytest.raises(InvalidInput, match=message):
            verb("tea", at=at)
    for name in ("since", "until", "as_of"):
        with pytest.raises(InvalidInput, match=f"{name}: .*{message}"):
            untouched.recall("tea", **{name: at})


@pytest.mark.parametrize(("given", "message"), BAD_TURNS.values(), ids=BAD_TURNS)
def test_invalid_field_of_a_turn(untouched: Memory, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        untouched.observe("tea", **given)
    with pytest.raises(InvalidInput, match=message):
        untouched.observe_many([{"text": "milk"}, {"text": "tea"} | given])


@pytest.mark.parametrize(("given", "message"), BAD_STATEMENTS.values(), ids=BAD_STATEMENTS)
def test_invalid_field_of_a_statement(untouched: Memory, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        untouched.remember("tea", **given)


@pytest.mark.parametrize(("verb", "message"), BAD_VERBS.values(), ids=BAD_VERBS)
def test_invalid_argument(untouched: Memory, verb: Verb, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        verb(untouched)


@pytest.mark.parametrize("verb", UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_id(untouched: Memory, verb: Callable[[Memory, Any], object]) -> None:
    for id in UNKNOWN_IDS:
        with pytest.raises(NotFound, match=f"there is no memory {id}"):
            verb(untouched, id)
    for wrong in (True, b"1", 1.0):
        with pytest.raises(InvalidInput, match="a node id is a whole number"):
            verb(untouched, wrong)


def test_unknown_name(untouched: Memory) -> None:
    for verb in (
        untouched.graph.entity,
        untouched.graph.relations,
        untouched.history,
        untouched.session,
        untouched.end,
    ):
        with pytest.raises(NotFound, match="nobody"):
            verb("nobody")
    with pytest.raises(NotFound, match="nobody"):
        untouched.recall("tea", subject="nobody")


@pytest.mark.parametrize("embedder", ["minilm", object(), 7])
def test_invalid_embedder(tmp_path: Any, embedder: Any) -> None:
    with pytest.raises(InvalidInput, match="embedder: expected"):
        Memory(tmp_path / "memory.db", embedder=embedder)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1, "soon", True])
def test_invalid_setting(value: Any) -> None:
    with pytest.raises(InvalidInput, match="busy_timeout"):
        Settings(busy_timeout=value)


def test_unusual_text_is_stored_verbatim(memory: Memory) -> None:
    odd = [
        "a",
        "’",
        "🥰",
        "\u200b\u00ad",
        "\ufeffBOM",
        "e\u0301",
        "a\r\nb\x0b",
        "\x01\x1b[31m",
        "x" * 900_000,
        "مرحبا",
    ]
    kept = memory.observe_many([{"text": text, "details": {"nul": "\0", "text": text}} for text in odd])
    assert [memory.get(node.id).text for node in kept] == odd
    assert [memory.get(node.id).details for node in kept] == [{"nul": "\0", "text": text} for text in odd]
