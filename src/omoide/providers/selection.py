"""Selects the embedder, reranker, language model and token counter of a memory from arguments, settings and extras."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal
from urllib.parse import urlsplit

from omoide.errors import InvalidInput, MissingExtra, OmoideError
from omoide.language import tokens
from omoide.providers.model_limits import MeteredModel, ModelUsage, RetryingModel, RunLimit, SpendingLimit, UsageMeter
from omoide.providers.protocols import (
    OPERATIONS,
    Completion,
    CompletionRequest,
    Embedder,
    LanguageModel,
    Reranker,
    TokenCounter,
    TokenPrice,
)
from omoide.settings import Settings, language_model_key


def choose_embedder(embedder: Embedder | Literal["default"] | None) -> tuple[Embedder | None, str]:
    """Returns the embedder to use, or None and the reason. "default" is MiniLM if it is installed."""
    if embedder is None:
        return None, "no embedder was given"
    if isinstance(embedder, str):
        from omoide.providers import minilm

        if embedder != "default":
            raise InvalidInput(f"embedder: expected an Embedder, None or 'default', got {embedder!r}")
        if not minilm.is_available():
            return None, 'no embedder is installed; `pip install "omoide[minilm]"` installs the default one'
        return minilm.MiniLM(), ""
    if not (isinstance(getattr(embedder, "name", None), str) and callable(getattr(embedder, "embed", None))):
        raise InvalidInput("embedder: expected an object with name, dimensions and embed(texts)")
    dimensions = getattr(embedder, "dimensions", None)
    if isinstance(dimensions, bool) or not isinstance(dimensions, int) or dimensions < 1:
        raise InvalidInput(f"embedder: dimensions must be a whole number from 1, got {dimensions!r}")
    return embedder, ""


def check_reranker(reranker: Reranker | None) -> Reranker | None:
    """Returns `reranker`. Raises InvalidInput if it lacks name or scores()."""
    named = isinstance(getattr(reranker, "name", None), str)
    if reranker is not None and not (named and callable(getattr(reranker, "scores", None))):
        raise InvalidInput("reranker: expected an object with name and scores(question, texts)")
    return reranker


@dataclass(frozen=True, slots=True)
class ProviderEndpoint:
    """Address and protocol of a provider, and the environment variable that usually holds its key."""

    protocol: Literal["openai", "anthropic"]
    address: str | None  # None: the default address of the protocol
    key: str | None = None


ENDPOINTS = {
    "openai": ProviderEndpoint("openai", None, "OPENAI_API_KEY"),
    "anthropic": ProviderEndpoint("anthropic", None, "ANTHROPIC_API_KEY"),
    "openrouter": ProviderEndpoint("openai", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "ollama": ProviderEndpoint("openai", "http://localhost:11434/v1"),
    "lmstudio": ProviderEndpoint("openai", "http://localhost:1234/v1"),
    "vllm": ProviderEndpoint("openai", "http://localhost:8000/v1"),
}


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """The model of one run and its meter; without a model, `why` is the reason."""

    model: LanguageModel | None
    meter: UsageMeter | None = None
    why: str = ""

    @property
    def usage(self) -> ModelUsage:
        return self.meter.usage if self.meter else ModelUsage()


def choose_language_model(
    settings: Settings,
    given: LanguageModel | None = None,
    *,
    daily_limit: SpendingLimit | None = None,
    environment: Mapping[str, str] | None = None,
    sleep: Callable[[float], None] = time.sleep,
    chance: Callable[[], float] = random.random,
) -> ChosenModel:
    """Returns the model for one run, with retries, metering and spending limits.

    `given` replaces the model that the settings name; `daily_limit` adds the daily spending limit.
    """
    model = _check_model(given) if given is not None else _configured_model(settings, environment)
    if model is None:
        return ChosenModel(None, why="no language model is configured (llm_provider); learning uses rules")
    meter = UsageMeter(RunLimit(settings.llm_max_cost, settings.llm_max_tokens))
    metered = MeteredModel(model, meter, tokens.estimate, daily_limit)  # inside the retries: each attempt counts
    return ChosenModel(RetryingModel(metered, settings.llm_retries, sleep=sleep, chance=chance), meter)


class ModelPerOperation:
    """Uses one model by default and other models for some operations."""

    def __init__(self, default: LanguageModel, others: Mapping[str, LanguageModel]) -> None:
        self._default = default
        self._others = others

    @property
    def name(self) -> str:
        return self._default.name

    def price(self, operation: str) -> TokenPrice | None:
        return self._for(operation).price(operation)

    def complete(self, request: CompletionRequest) -> Completion:
        return self._for(request.operation).complete(request)

    def _for(self, operation: str) -> LanguageModel:
        return self._others.get(operation, self._default)


def _configured_model(settings: Settings, environment: Mapping[str, str] | None) -> LanguageModel | None:
    if not settings.llm_provider:
        return None
    endpoint = _endpoint(settings.llm_provider)
    if not settings.llm_model:
        raise InvalidInput(f"llm_provider is {settings.llm_provider}, but llm_model is empty; name one of its models")
    others = _models_by_operation(settings.llm_models)
    address = _check_base_url(settings.llm_base_url) or endpoint.address
    # A provider's own key is sent only to its default address; other addresses get OMOIDE_LLM_API_KEY or no key.
    own = [endpoint.key] if endpoint.key and not settings.llm_base_url else []
    key = language_model_key(*own, environment=environment)
    if own and not key:
        raise InvalidInput(f"{settings.llm_provider} needs a key: set OMOIDE_LLM_API_KEY or {endpoint.key}")

    from omoide.providers.pydantic_ai import PydanticAIModel

    def make(model: str) -> LanguageModel:
        return PydanticAIModel(
            model,
            protocol=endpoint.protocol,
            base_url=address,
            api_key=key,
            timeout=settings.llm_timeout,
            price=_price(settings, address),
        )

    try:
        return ModelPerOperation(make(settings.llm_model), {name: make(model) for name, model in others.items()})
    except ImportError as error:
        raise MissingExtra(str(error)) from None


def _endpoint(name: str) -> ProviderEndpoint:
    if name in ENDPOINTS:
        return ENDPOINTS[name]
    near = get_close_matches(name, ENDPOINTS, n=1)
    known = f"known are {', '.join(ENDPOINTS)}; for other servers use openai with llm_base_url"
    hint = f"did you mean {near[0]}?" if near else known
    raise InvalidInput(f"unknown llm_provider {name!r}; {hint}")


def _models_by_operation(text: str) -> dict[str, str]:
    """Parses `extract=big-model, causes=small-model`."""
    chosen: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        operation, _, model = (piece.strip() for piece in part.partition("="))
        if operation not in OPERATIONS or not model:
            raise InvalidInput(
                f"llm_models: expected operation=model with one of {', '.join(OPERATIONS)}, got {part!r}"
            )
        chosen[operation] = model
    return chosen


def _check_base_url(text: str) -> str | None:
    if not text:
        return None
    try:
        parts = urlsplit(text)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise InvalidInput(
            "llm_base_url: expected an address such as http://localhost:11434/v1, without user name, password or key"
        )
    return text.rstrip("/")


def _price(settings: Settings, address: str | None) -> TokenPrice | None:
    if settings.llm_price_input or settings.llm_price_output:
        return TokenPrice(settings.llm_price_input, settings.llm_price_output)
    return TokenPrice(0.0, 0.0) if address and _is_local(urlsplit(address).hostname or "") else None


def _is_local(host: str) -> bool:
    """Whether a host is this machine, in its network or in its compose file, and therefore free of charge."""
    from ipaddress import ip_address

    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".internal", ".home.arpa", ".localhost"))


def _check_model(given: LanguageModel) -> LanguageModel:
    named = isinstance(getattr(given, "name", None), str)
    if not (named and callable(getattr(given, "complete", None)) and callable(getattr(given, "price", None))):
        raise InvalidInput("language model: expected an object with name, price(operation) and complete(request)")
    return given


# Token counters: the calibrated estimate, or exact counts with the vocabulary of the model in use.
#
# Exact counts use splintr (extra `tokens`), whose wheel contains the vocabularies of OpenAI (cl100k_base, o200k_base,
# gpt-oss), Llama, Qwen, Mistral, DeepSeek, Gemma and others. tiktoken downloads its vocabularies; rs-bpe has only two.


class VocabularyTokenCounter:
    """Counts with a vocabulary of splintr, such as `VocabularyTokenCounter("o200k_base")`."""

    def __init__(self, name: str) -> None:
        try:
            from splintr import Tokenizer
        except ImportError as error:
            raise ImportError(
                f'counting with {name} needs the vocabularies; install them with `pip install "omoide[tokens]"`'
            ) from error
        try:
            self._model: Any = Tokenizer.from_pretrained(name)
        except ValueError as error:
            raise ValueError(f"unknown vocabulary {name!r}: {error}") from None
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def count(self, text: str) -> int:
        """Returns the number of tokens. Text that looks like a control token is counted as text."""
        return len(self._model.encode_ordinary(text))


class EstimatedTokenCounter:
    """The calibrated estimate of omoide.language.tokens; its average error is 4 to 8 %."""

    name = "estimate"

    def count(self, text: str) -> int:
        return tokens.estimate(text)


def choose_token_counter(given: TokenCounter | None, settings: Settings) -> TokenCounter:
    """Returns `given`, the counter that `settings.tokenizer` names, or the estimate.

    Raises MissingExtra if the vocabularies are not installed.
    """
    if given is not None:
        if not (isinstance(getattr(given, "name", None), str) and callable(getattr(given, "count", None))):
            raise InvalidInput("token counter: expected an object with name and count(text)")
        return given
    if not settings.tokenizer:
        return EstimatedTokenCounter()
    try:
        return VocabularyTokenCounter(settings.tokenizer)
    except ImportError as error:
        raise MissingExtra(str(error)) from None
    except ValueError as error:
        raise InvalidInput(f"tokenizer: {error}") from None


def validated_counter(count: Callable[[str], int]) -> Callable[[str], int]:
    """Wraps a counter so that it returns a whole number from 0 or raises InvalidInput."""

    def counted(text: str) -> int:
        try:
            found = count(text) if text else 0
        except OmoideError:
            raise
        except Exception as error:  # foreign code may raise anything; the message says whose it was
            raise InvalidInput(f"token counter: it failed with {type(error).__name__}: {error}") from error
        if isinstance(found, bool) or not isinstance(found, int) or found < 0:
            raise InvalidInput(f"token counter: expected a whole number from 0, got {found!r}")
        return found

    return counted
