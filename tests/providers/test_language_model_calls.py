"""Language model calls over real HTTP: requests, answers and failures."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from omoide.providers.model_limits import MeteredModel, ModelUsage, RetryingModel, RunLimit, UsageMeter
from omoide.providers.protocols import (
    Completion,
    CompletionRequest,
    FailedAnswer,
    ModelCallFailed,
    SpendingLimitReached,
    TokenPrice,
)
from omoide.providers.pydantic_ai import PydanticAIModel, known_price
from tests.providers.server import Reply, ScriptedAnswer, Server, answer, error, serving

KEY = "sk-very-secret-key-0123456789"
SCHEMA = {
    "type": "object",
    "properties": {"names": {"type": "array", "items": {"type": "string"}, "maxItems": 5}},
    "required": ["names"],
    "additionalProperties": False,
}
ASK = CompletionRequest(operation="extract", instructions="Name them.", input="Otto and Kira", schema=SCHEMA)

Make = Callable[..., PydanticAIModel]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture(params=["openai", "anthropic"])
def make(request: pytest.FixtureRequest, server: Server) -> Make:
    """The same suite over both protocols."""
    protocol = request.param
    model = {"openai": "gpt-5-mini", "anthropic": "claude-haiku-4-5"}[protocol]
    address = {"openai": server.openai, "anthropic": server.anthropic}[protocol]

    def made(timeout: float = 20.0, price: TokenPrice | None = None) -> PydanticAIModel:
        return PydanticAIModel(model, protocol=protocol, base_url=address, api_key=KEY, timeout=timeout, price=price)

    return made


def failure(model: PydanticAIModel) -> ModelCallFailed:
    with pytest.raises(ModelCallFailed) as raised:
        model.complete(ASK)
    return raised.value


def test_an_answer_has_tokens_and_cost(server: Server, make: Make) -> None:
    server.say(answer({"names": ["Otto"]}, tokens=(1_000, 100)))
    got = make(price=TokenPrice(1.0, 10.0)).complete(ASK)
    assert json.loads(got.text) == {"names": ["Otto"]}
    assert (got.input_tokens, got.output_tokens, got.finish) == (1_000, 100, "stop")
    assert got.cost == pytest.approx(0.002)


def test_schema_instructions_and_text_are_sent_separately(server: Server, make: Make) -> None:
    server.say(answer({"names": []}))
    make().complete(ASK)
    [asked] = server.asked
    assert "maxItems" in json.dumps(asked.get("response_format") or asked["output_config"])
    system = asked.get("system") or [m for m in asked["messages"] if m["role"] == "system"]
    users = [m for m in asked["messages"] if m["role"] == "user"]
    assert "Name them." in json.dumps(system)
    assert "Otto and Kira" not in json.dumps(system)
    assert "Otto and Kira" in json.dumps(users)


def test_an_unusable_answer_is_sent_back_with_the_problem(server: Server, make: Make) -> None:
    server.say(answer({"names": []}))
    make().complete(replace(ASK, failed_answers=(FailedAnswer("rubbish", "that was no JSON"),)))
    roles = [message["role"] for message in server.asked[0]["messages"] if message["role"] != "system"]
    assert roles == ["user", "assistant", "user"]
    assert "that was no JSON" in json.dumps(server.asked[0]["messages"][-1])


def test_an_answer_given_as_a_tool_call_is_read_like_any_other(server: Server, make: Make) -> None:
    server.say(answer({"names": ["Kira"]}, tool=True))
    assert json.loads(make().complete(ASK).text) == {"names": ["Kira"]}


def test_a_server_without_structured_output_gets_the_schema_in_the_prompt(server: Server, make: Make) -> None:
    server.say(error(400, "response_format is not supported"), answer({"names": []}))
    model = make()
    model.complete(ASK)
    model.complete(ASK)
    assert len(server.asked) == 3
    for asked in server.asked[1:]:
        assert "response_format" not in asked, asked
        assert "output_config" not in asked
        assert "maxItems" in json.dumps(asked)


def test_an_old_anthropic_model_is_asked_with_a_tool(server: Server) -> None:
    server.say(answer({"names": ["Otto"]}, tool=True))
    model = PydanticAIModel("claude-3-haiku-20240307", protocol="anthropic", base_url=server.anthropic, api_key=KEY)
    assert json.loads(model.complete(ASK).text) == {"names": ["Otto"]}
    assert server.asked[0]["tools"][0]["name"] == "answer"


def test_a_truncated_answer_is_marked_and_returned(server: Server, make: Make) -> None:
    server.say(ScriptedAnswer('{"names": ["Otto", "Ki', finish="length"))
    got = make().complete(ASK)
    assert (got.finish, got.text) == ("length", '{"names": ["Otto", "Ki')


def test_a_refusal_is_marked(server: Server, make: Make) -> None:
    server.say(ScriptedAnswer("I would rather not", finish="refusal"))
    assert make().complete(ASK).finish == "refused"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_a_busy_provider_is_retryable(server: Server, make: Make, status: int) -> None:
    server.say(error(status, "busy", retry_after="7"))
    failed = failure(make())
    assert failed.retryable
    assert failed.retry_after == 7
    assert str(status) in str(failed)


@pytest.mark.parametrize("status", [401, 403, 404, 413])
def test_permanent_errors_are_not_retryable(server: Server, make: Make, status: int) -> None:
    server.say(error(status))
    assert not failure(make()).retryable


def test_a_broken_connection_is_an_error(server: Server, make: Make) -> None:
    server.say(Reply(b'{"id": "1", "choices": [', cut=True))
    assert failure(make()).retryable


@pytest.mark.parametrize(
    "body",
    [b"", b'{"id": "1", "obj', b"<html>Bad gateway</html>", b"[]", b"null", b'{"choices": []}', b'{"error": "full"}'],
    ids=["empty", "truncated", "html", "list", "null", "no choices", "error"],
)
def test_an_invalid_body_is_an_error(server: Server, make: Make, body: bytes) -> None:
    server.say(Reply(body))
    assert failure(make()).retryable


def test_a_call_ends_at_its_timeout(server: Server, make: Make) -> None:
    server.say(Reply(b"", late=True))
    failed = failure(make(timeout=0.3))
    assert failed.retryable
    assert failed.may_be_charged
    assert "llm_timeout" in str(failed)


def test_an_endless_body_is_not_read(server: Server, make: Make) -> None:
    server.say(ScriptedAnswer("x" * 5_000_000))
    failure(make())


def test_a_missing_server_is_an_error(server: Server) -> None:
    failed = failure(PydanticAIModel("m", base_url="http://127.0.0.1:9/v1", api_key=KEY))
    assert failed.retryable
    assert "127.0.0.1:9" in str(failed)


def test_the_key_is_sent_and_never_shown(server: Server, make: Make, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server.say(error(401, f"Incorrect API key provided: {KEY}"))
    model = make()
    failed = failure(model)
    assert any(KEY in value for value in server.headers[0].values())
    told = "".join(traceback.format_exception(failed)) + repr(model) + caplog.text
    assert KEY not in told
    assert "check the key" in str(failed)


def test_nothing_of_the_environment_or_the_machine_is_sent(
    server: Server, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "of-another-place")
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "x-more: of-another-place")
    server.say(answer({"names": []}))
    make().complete(ASK)
    [sent] = server.headers
    assert "of-another-place" not in sent.values()
    assert not [name for name in sent if name.startswith("x-stainless")]


def test_it_can_be_called_inside_an_event_loop(server: Server, make: Make) -> None:
    server.say(answer({"names": []}))

    async def notebook() -> Completion:
        return make().complete(ASK)

    assert asyncio.run(notebook()).finish == "stop"


def test_prices_of_known_models_are_known_without_a_network() -> None:
    price = known_price("anthropic", "claude-haiku-4-5", None)
    assert price is not None
    assert 0 < price.input < price.output
    assert known_price("openai", "a-model-nobody-knows", None) is None
    assert known_price("openai", "gpt-5-mini", "https://example.org/v1") is None


# Patience


def test_a_busy_provider_is_asked_again_after_growing_pauses(server: Server, make: Make) -> None:
    server.say(error(503), error(500), Reply(b"{", cut=True), answer({"names": []}))
    pauses: list[float] = []
    RetryingModel(make(), 3, sleep=pauses.append, chance=lambda: 1.0).complete(ASK)
    assert pauses == [1.0, 2.0, 4.0]


def test_the_pause_that_a_provider_asks_for_is_kept(server: Server, make: Make) -> None:
    server.say(error(429, retry_after="20"), answer({"names": []}))
    pauses: list[float] = []
    RetryingModel(make(), 3, sleep=pauses.append, chance=lambda: 0.5).complete(ASK)
    assert pauses == [20.5]


def test_retries_end(server: Server, make: Make) -> None:
    server.say(error(503))
    pauses: list[float] = []
    with pytest.raises(ModelCallFailed):
        RetryingModel(make(), 2, sleep=pauses.append, chance=lambda: 0.0).complete(ASK)
    assert pauses == [0.5, 1.0]
    assert len(server.asked) == 3


def test_a_provider_that_asks_for_an_hour_is_not_retried(server: Server, make: Make) -> None:
    server.say(error(429, retry_after="3600"))
    with pytest.raises(ModelCallFailed):
        RetryingModel(make(), 3, sleep=lambda pause: pytest.fail(f"slept {pause}")).complete(ASK)


# The usage


def test_usage_sums_answered_calls(server: Server, make: Make) -> None:
    server.say(answer({"names": []}, tokens=(100, 10)))
    meter = UsageMeter(RunLimit())
    model = MeteredModel(make(price=TokenPrice(1.0, 10.0)), meter, len)
    model.complete(ASK)
    model.complete(ASK)
    assert (meter.usage.calls, meter.usage.input_tokens, meter.usage.output_tokens) == (2, 200, 20)
    assert meter.usage.cost == pytest.approx(0.0004)
    assert str(meter.usage) == "2 calls, 220 tokens, $0.0004"


def test_a_limit_in_dollars_stops_before_the_call(server: Server, make: Make) -> None:
    server.say(answer({"names": []}, tokens=(1_000, 4_000)))
    meter = UsageMeter(RunLimit(cost=0.06))
    model = MeteredModel(make(price=TokenPrice(1.0, 10.0)), meter, len)
    model.complete(ASK)
    with pytest.raises(SpendingLimitReached, match="llm_max_cost"):
        model.complete(ASK)
    assert len(server.asked) == 1
    assert meter.usage.cost <= 0.06


def test_a_limit_in_tokens_stops_before_the_call(server: Server, make: Make) -> None:
    server.say(answer({"names": []}))
    with pytest.raises(SpendingLimitReached, match="llm_max_tokens"):
        MeteredModel(make(), UsageMeter(RunLimit(tokens=3_000)), len).complete(ASK)
    assert server.asked == []


def test_what_was_spent_before_counts_against_the_limit(server: Server, make: Make) -> None:
    meter = UsageMeter(RunLimit(cost=1.0), before=ModelUsage(cost=0.99))
    with pytest.raises(SpendingLimitReached):
        MeteredModel(make(price=TokenPrice(1.0, 10.0)), meter, len).complete(ASK)


def test_a_limit_in_dollars_without_a_price_is_refused_and_says_what_to_set(server: Server) -> None:
    model = PydanticAIModel("nobody-knows-it", base_url="https://example.org/v1")
    with pytest.raises(SpendingLimitReached, match="llm_price_input"):
        MeteredModel(model, UsageMeter(RunLimit(cost=1.0)), len).complete(ASK)


def test_a_timeout_counts_the_sent_tokens(server: Server, make: Make) -> None:
    server.say(Reply(b"", late=True))
    meter = UsageMeter(RunLimit())
    with pytest.raises(ModelCallFailed):
        MeteredModel(make(timeout=0.3, price=TokenPrice(1.0, 1.0)), meter, len).complete(ASK)
    assert meter.usage.input_tokens > 0
    assert meter.usage.cost > 0
