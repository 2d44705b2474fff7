"""A memory that learns by a language model, and one that learns by itself.

The server says what the test tells it to: these tests are about our side, never about how good a model is.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from omoide import Memory
from omoide.settings import Settings, make_settings
from tests.conftest import NOW, Open
from tests.learn.test_model_extractor import fact, lists
from tests.learn.whole import Fuse, PowerCut
from tests.providers.server import Server, answer, error, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def by(server: Server, **given: Any) -> Settings:
    priced = {"llm_price_input": 2.0, "llm_price_output": 4.0, "llm_retries": 0, "llm_repairs": 0}
    return make_settings(llm_provider="vllm", llm_model="m", llm_base_url=server.openai, **priced, **given)


def said(memory: Memory, *texts: str, session: str = "s1") -> None:
    for number, text in enumerate(texts):
        memory.observe(text, session=session, at=NOW + timedelta(minutes=number))
    memory.end(session)


def facts(memory: Memory) -> set[tuple[str, str]]:
    held = memory.list(state="all", order="added")
    return {(each.attributes["predicate"], each.attributes["object"]) for each in held if each.kind == "fact"}


def nothing() -> dict[str, list[Any]]:
    return {"links": []}


def test_the_model_is_asked_and_the_rules_add_what_it_left_out(opened: Open, server: Server) -> None:
    memory = opened(settings=by(server))
    said(memory, "I live in Lyon", "I work at Siemens")
    server.say(answer(lists(statements=[fact(1, "I live in Lyon", "Lyon")])), answer(nothing()))
    memory.learn()
    assert facts(memory) == {("lives_in", "Lyon"), ("works_at", "Siemens")}


def test_what_both_tell_of_a_turn_is_stored_once(opened: Open, server: Server) -> None:
    memory = opened(settings=by(server))
    said(memory, "I moved to Berlin", "Nice")
    server.say(answer(lists(statements=[fact(1, "moved to Berlin", "Berlin")])), answer(nothing()))
    memory.learn()
    assert len([each for each in memory.list() if each.kind == "fact"]) == 1


def test_the_report_says_what_the_model_took(opened: Open, server: Server) -> None:
    memory = opened(settings=by(server))
    said(memory, "I moved to Berlin", "Nice")
    server.say(answer(lists()), answer(nothing()))
    usage = memory.learn().usage
    assert (usage.calls, usage.tokens) == (2, 240)
    assert usage.cost == pytest.approx(2 * (100 * 2 + 20 * 4) / 1e6)


def test_a_model_that_fails_leaves_the_session_pending_and_says_why(opened: Open, server: Server) -> None:
    memory = opened(settings=by(server))
    said(memory, "I moved to Berlin", "Nice")
    server.say(error(401, "no such key"))
    report = memory.learn()
    assert list(report.failed) == ["s1"]
    [session] = memory.sessions()
    assert session.learning == "pending"
    assert session.learn_error == report.failed["s1"]
    assert facts(memory) == set()
    server.say(answer(lists()), answer(nothing()))
    assert memory.learn().failed == {}
    [session] = memory.sessions()
    assert (session.learning, session.learn_error) == ("learned", None)
    assert facts(memory) == {("lives_in", "Berlin")}


def test_a_model_that_was_asked_is_not_asked_again_after_a_crash(opened: Open, server: Server, fuse: Fuse) -> None:
    memory = opened(settings=by(server))
    said(memory, "I moved to Berlin", "Nice")
    server.say(answer(lists()), answer(nothing()))
    fuse.burnt, fuse.at = 0, 10  # the proposal is written down in five statements, and is just being applied
    with pytest.raises(PowerCut):
        memory.learn()
    assert memory.session("s1").learning == "pending"
    asked = len(server.asked)
    memory.learn()
    assert facts(memory) == {("lives_in", "Berlin")}
    assert len(server.asked) == asked


def test_the_model_sums_up_who_is_spoken_of_often(opened: Open, server: Server) -> None:
    memory = opened(settings=by(server))
    texts = ["My sister Anna is a nurse.", "Anna lives in Denver.", "Anna called again."]
    said(memory, *texts)
    summary = "Anna is the sister of the user, a nurse, and lives in Denver."
    server.say(answer(lists()), answer(nothing()), answer({"summaries": [{"summary": summary}]}))
    memory.learn()
    assert memory.graph.entity("Anna").summary == summary
    assert "Anna lives in Denver" in json.dumps(server.asked[-1])


def test_a_model_may_be_passed_instead_of_named(opened: Open, server: Server) -> None:
    from omoide.providers.pydantic_ai import PydanticAIModel

    model = PydanticAIModel("m", protocol="openai", base_url=server.openai, api_key="", timeout=10.0, price=None)
    memory = opened(language_model=model, settings=make_settings(llm_max_cost=0.0))
    said(memory, "I moved to Berlin", "Nice")
    server.say(answer(lists()), answer(nothing()))
    memory.learn()
    assert [asked["model"] for asked in server.asked] == ["m", "m"]


# By itself


def by_itself() -> Settings:
    return make_settings(learn_automatically=1)


def test_a_new_session_lets_the_one_before_be_learned(opened: Open) -> None:
    memory = opened(settings=by_itself())
    memory.observe("I live in Berlin.", session="s1", at=NOW)
    memory.flush()
    assert facts(memory) == set()
    memory.observe("Hello again.", session="s2", at=NOW + timedelta(days=1))
    memory.flush()
    assert facts(memory) == {("lives_in", "Berlin")}
    assert memory.session("s1").learning == "learned"


def test_opening_goes_on_with_what_was_left(opened: Open) -> None:
    with opened() as memory:
        said(memory, "I live in Berlin.")
    memory = opened(settings=by_itself())
    memory.flush()
    assert facts(memory) == {("lives_in", "Berlin")}


def test_in_a_quiet_moment_the_session_before_is_learned_from(opened: Open) -> None:
    memory = opened(settings=make_settings(learn_idle_seconds=0.01))
    memory.observe("I live in Berlin.", session="s1", at=NOW)
    memory.observe("Hello again.", session="s2", at=NOW + timedelta(days=1))
    while memory.session("s1").learning != "learned":
        threading.Event().wait(0.001)
    assert facts(memory) == {("lives_in", "Berlin")}


def test_while_somebody_speaks_nothing_is_learned_nor_by_flushing(opened: Open) -> None:
    memory = opened(settings=make_settings(learn_idle_seconds=3600.0))
    said(memory, "I live in Berlin.")
    memory.flush()
    memory.recall("Where do I live?")
    memory.close()
    with opened(settings=make_settings(learn_automatically=0)) as memory:
        assert facts(memory) == set()
        assert memory.session("s1").learning == "pending"


def test_a_model_is_not_asked_in_a_quiet_moment_unless_that_was_said(opened: Open, server: Server) -> None:
    memory = opened(settings=by(server, learn_idle_seconds=0.01))
    said(memory, "I live in Berlin.")
    memory._core.background.wake()
    assert memory._core.background._thread is None
    assert server.asked == []


def test_without_the_setting_nothing_is_learned_by_itself(opened: Open) -> None:
    memory = opened()
    said(memory, "I live in Berlin.")
    memory.flush()
    assert facts(memory) == set()


def test_a_model_that_fails_is_asked_once_and_again_when_the_file_is_opened(opened: Open, server: Server) -> None:
    server.say(error(401, "no such key"))
    settings = by(server, learn_automatically=1)
    with opened(settings=settings) as memory:
        said(memory, "I live in Berlin.", "Really.")
        memory.flush()
        memory.flush()
        assert len(server.asked) == 1
        assert "401" in (memory.session("s1").learn_error or "")
    with opened(settings=settings) as memory:
        memory.flush()
        assert len(server.asked) == 2


def test_what_is_only_supposed_is_refused_to_a_model_too_and_the_reason_is_told(opened: Open, server: Server) -> None:
    memory = opened(settings=by(server))
    said(memory, "If I lived in Berlin I would ride a bike", "Nice")
    server.say(answer(lists(statements=[fact(1, "lived in Berlin", "Berlin")])), answer(nothing()))
    report = memory.learn()
    assert facts(memory) == set()
    assert any("supposed, not told" in note for note in report.notes)
