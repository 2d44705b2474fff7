"""The daily spending limit holds across runs and processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from omoide import Memory
from omoide.clock import to_datetime
from tests.conftest import Open, Ticking
from tests.learn.test_model_and_background import by, nothing, said
from tests.learn.test_model_extractor import lists
from tests.providers.server import Server, answer, error, serving

MOST = 0.02  # dollars: a call may cost some 0.018 (4,000 tokens of answer), and costs 0.00028


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def spent(memory: Memory, clock: Ticking) -> tuple[int, float]:
    found = memory._store.maintenance.spending_on(to_datetime(clock()).date().isoformat())
    return found.calls, found.cost


def test_what_was_spent_is_kept_in_the_file(opened: Open, server: Server, clock: Ticking) -> None:
    server.say(answer(lists()), answer(nothing()))
    with opened(settings=by(server, llm_max_cost_per_day=1.0)) as memory:
        said(memory, "I moved to Berlin", "Nice")
        memory.learn()
    calls, cost = spent(opened(), clock)
    assert calls == 2
    assert cost == pytest.approx(2 * (100 * 2 + 20 * 4) / 1e6)


def test_the_limit_of_a_day_stops_a_later_run_and_the_next_day_goes_on(
    opened: Open, server: Server, clock: Ticking
) -> None:
    settings = by(server, llm_max_cost_per_day=MOST)
    server.say(answer(lists(), tokens=(100, 2_000)), answer(nothing()))
    with opened(settings=settings) as memory:
        said(memory, "I moved to Berlin", session="s1")
        memory.learn()
        asked = len(server.asked)
        assert asked
    with opened(settings=settings) as memory:  # another run, as another process would
        said(memory, "I moved to Rome", session="s2")
        report = memory.learn()
        assert "llm_max_cost_per_day" in report.failed["s2"]
        assert len(server.asked) == asked
        assert memory.session("s2").learning == "pending"
        clock.advance(days=1)
        server.say(answer(lists()), answer(nothing()))
        assert memory.learn().failed == {}
        assert len(server.asked) > asked


def test_what_a_call_did_not_cost_is_there_again(opened: Open, server: Server, clock: Ticking) -> None:
    memory = opened(settings=by(server, llm_max_cost_per_day=MOST))
    said(memory, "I moved to Berlin", "Nice")
    server.say(error(401, "no such key"))
    memory.learn()
    assert spent(memory, clock) == (0, 0.0)


def test_two_that_ask_at_once_do_not_both_get_the_last_of_it(memory: Memory, clock: Ticking) -> None:
    store = memory._store
    first = store.maintenance.reserve_today(0.015, MOST)
    assert first is not None
    assert store.maintenance.reserve_today(0.015, MOST) is None


def test_without_a_limit_nothing_is_written(opened: Open, server: Server, clock: Ticking) -> None:
    memory = opened(settings=by(server))
    said(memory, "I moved to Berlin", "Nice")
    server.say(answer(lists()), answer(nothing()))
    memory.learn()
    assert spent(memory, clock) == (0, 0.0)


def test_a_model_without_a_price_is_not_asked_under_a_limit(opened: Open, server: Server) -> None:
    from omoide.providers.pydantic_ai import PydanticAIModel
    from omoide.settings import make_settings

    model = PydanticAIModel("m", protocol="openai", base_url=server.openai, api_key="", timeout=10.0, price=None)
    settings = make_settings(llm_max_cost=0.0, llm_max_cost_per_day=1.0, llm_retries=0)
    memory = opened(language_model=model, settings=settings)
    said(memory, "I moved to Berlin")
    assert "price is unknown" in memory.learn().failed["s1"]
    assert server.asked == []
