"""Selection of the language model, and handling of keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from omoide.errors import InvalidInput
from omoide.providers import selection
from omoide.providers.protocols import OPERATIONS, CompletionRequest, LanguageModel, TokenPrice
from omoide.settings import Settings, load_settings, make_settings
from tests.conftest import run
from tests.providers.server import Server, answer, serving

ASK = CompletionRequest(
    operation="extract", instructions="Read.", input="Hello", schema={"type": "object", "properties": {}}
)
KEY = "sk-a-key-of-nobody"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        server.say(answer({}))
        yield server


def chosen(environment: dict[str, str] | None = None, /, **given: object) -> LanguageModel:
    model = selection.choose_language_model(make_settings(**given), environment=environment or {}).model
    assert model is not None
    return model


def test_without_a_provider_there_is_no_model_but_a_reason() -> None:
    none = selection.choose_language_model(Settings(), environment={"OPENAI_API_KEY": KEY})
    assert none.model is None
    assert "llm_provider" in none.why


def test_a_local_server_needs_no_key_and_costs_nothing(server: Server) -> None:
    model = chosen(llm_provider="ollama", llm_model="qwen3:4b", llm_base_url=server.openai)
    assert model.price("extract") == TokenPrice(0.0, 0.0)
    assert model.complete(ASK).cost == 0.0


@pytest.mark.parametrize("host", ["localhost", "192.168.1.7", "vllm", "gpu.local", "[::1]"])
def test_local_servers_are_free(host: str) -> None:
    model = chosen(llm_provider="vllm", llm_model="m", llm_base_url=f"http://{host}:8000/v1")
    assert model.price("extract") == TokenPrice(0.0, 0.0)


def test_another_model_may_do_another_operation(server: Server) -> None:
    given = {"llm_provider": "vllm", "llm_base_url": server.openai, "llm_model": "big"}
    model = chosen(**given, llm_models="causes=small, enrich = tiny")
    for operation in OPERATIONS:
        model.complete(CompletionRequest(operation=operation, instructions="", input="x", schema=ASK.schema))
    asked = dict(zip(OPERATIONS, (asked["model"] for asked in server.asked), strict=True))
    assert asked == {"extract": "big", "summarise": "big", "enrich": "tiny", "causes": "small", "compress": "big"}


def test_usage_is_summed_per_run(server: Server) -> None:
    settings = make_settings(
        llm_provider="vllm", llm_base_url=server.openai, llm_model="m", llm_price_input=2.0, llm_price_output=4.0
    )
    run = selection.choose_language_model(settings, environment={})
    assert run.model is not None
    run.model.complete(ASK)
    assert run.usage.cost == pytest.approx((100 * 2 + 20 * 4) / 1e6)


@pytest.mark.parametrize("provider", ["openai", "anthropic", "openrouter"])
def test_a_paid_provider_needs_a_key_and_names_the_variable(provider: str) -> None:
    with pytest.raises(InvalidInput, match=f"OMOIDE_LLM_API_KEY or {provider.upper()}_API_KEY"):
        chosen(llm_provider=provider, llm_model="m")
    chosen({f"{provider.upper()}_API_KEY": KEY}, llm_provider=provider, llm_model="m")


def test_a_key_for_one_provider_is_not_sent_to_another_address(server: Server) -> None:
    others = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
    given = {"llm_provider": "openai", "llm_model": "m", "llm_base_url": server.openai}
    chosen(others, **given).complete(ASK)
    assert KEY not in json.dumps(server.headers)
    chosen(others | {"OMOIDE_LLM_API_KEY": "sk-for-this-one"}, **given).complete(ASK)
    assert server.headers[-1]["authorization"] == "Bearer sk-for-this-one"


def test_a_key_is_not_a_setting(tmp_path: Path) -> None:
    file = tmp_path / "omoide.toml"
    file.write_text(f'llm_api_key = "{KEY}"')
    with pytest.raises(InvalidInput, match="OMOIDE_LLM_API_KEY") as raised:
        load_settings(file, {})
    assert KEY not in str(raised.value)
    assert KEY not in repr(load_settings(None, {"OMOIDE_LLM_API_KEY": KEY}))


@pytest.mark.parametrize(
    "given",
    [
        {"llm_provider": "opanai", "llm_model": "m"},
        {"llm_provider": "ollama"},
        {"llm_provider": "ollama", "llm_model": "m", "llm_models": "dream=m"},
        {"llm_provider": "ollama", "llm_model": "m", "llm_models": "extract="},
        {"llm_provider": "ollama", "llm_model": "m", "llm_base_url": "localhost:11434"},
        {"llm_provider": "ollama", "llm_model": "m", "llm_base_url": "http://me:secret@host/v1"},
        {"llm_provider": "ollama", "llm_model": "m", "llm_base_url": "http://host:99999/v1"},
        {"llm_provider": 3},
        {"llm_model": "two\nlines"},
    ],
)
def test_invalid_model_settings_are_refused_before_any_call(given: dict[str, object]) -> None:
    with pytest.raises(InvalidInput) as raised:
        chosen(**given)
    assert "secret" not in str(raised.value)


def test_text_settings_are_read_from_the_environment() -> None:
    got = load_settings(None, {"OMOIDE_LLM_PROVIDER": "ollama", "OMOIDE_LLM_MAX_COST": "2.5", "HOME": ""})
    assert (got.llm_provider, got.llm_max_cost) == ("ollama", 2.5)


def test_a_program_may_bring_its_own_model() -> None:
    with pytest.raises(InvalidInput, match="complete"):
        selection.choose_language_model(Settings(), object())  # type: ignore[arg-type]


def test_a_missing_extra_is_named() -> None:
    said = run(
        """
        import sys
        from importlib.machinery import PathFinder

        real = PathFinder.find_spec  # a machine on which the library is not installed
        PathFinder.find_spec = lambda name, *rest: None if name == "anthropic" else real(name, *rest)
        from omoide.providers.selection import choose_language_model
        from omoide.settings import make_settings
        from omoide.errors import MissingExtra
        try:
            settings = make_settings(llm_provider="anthropic", llm_model="m")
            choose_language_model(settings, environment={"ANTHROPIC_API_KEY": "k"})
        except MissingExtra as error:
            print(error)
        print("pydantic_ai" in sys.modules)
        """
    )
    assert 'pip install "omoide[anthropic]"' in said
    assert said.endswith("False")
