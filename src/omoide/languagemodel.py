"""Which language model a run of learning uses: the one given, the one the settings name, or none and why."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from omoide import config, tokens
from omoide.config import Settings
from omoide.errors import InvalidInput, MissingExtra
from omoide.providers.languagemodel import OPERATIONS, Answer, LanguageModel, Price, Request
from omoide.providers.meter import Limit, Meter, Metered, Purse
from omoide.providers.patience import Patient


@dataclass(frozen=True, slots=True)
class Place:
    """Where a provider listens, what it speaks, and the variable that usually holds its key."""

    speaks: Literal["openai", "anthropic"]
    address: str | None  # None: the protocol's own
    key: str | None = None


PLACES = {
    "openai": Place("openai", None, "OPENAI_API_KEY"),
    "anthropic": Place("anthropic", None, "ANTHROPIC_API_KEY"),
    "openrouter": Place("openai", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "ollama": Place("openai", "http://localhost:11434/v1"),
    "lmstudio": Place("openai", "http://localhost:1234/v1"),
    "vllm": Place("openai", "http://localhost:8000/v1"),
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The model of one run with its meter, or None and the reason."""

    model: LanguageModel | None
    meter: Meter
    why: str = ""


def choose(
    settings: Settings,
    given: LanguageModel | None = None,
    *,
    purse: Purse | None = None,
    environment: Mapping[str, str] | None = None,
    sleep: Callable[[float], None] = time.sleep,
    chance: Callable[[], float] = random.random,
) -> Chosen:
    """Patient, metered and limited: anew for each run, since the limit is a run's; `purse` holds that of a day."""
    meter = Meter(Limit(settings.llm_max_cost, settings.llm_max_tokens))
    model = _checked(given) if given is not None else _configured(settings, environment)
    if model is None:
        return Chosen(None, meter, "no language model is configured (llm_provider); rules learn by themselves")
    metered = Metered(model, meter, tokens.estimate, purse)  # inside: each attempt is counted
    return Chosen(Patient(metered, settings.llm_retries, sleep=sleep, chance=chance), meter)


class ByOperation:
    """One model for most operations, another one for some."""

    def __init__(self, default: LanguageModel, others: Mapping[str, LanguageModel]) -> None:
        self._default = default
        self._others = others

    @property
    def name(self) -> str:
        return self._default.name

    def price(self, operation: str) -> Price | None:
        return self._for(operation).price(operation)

    def complete(self, request: Request) -> Answer:
        return self._for(request.operation).complete(request)

    def _for(self, operation: str) -> LanguageModel:
        return self._others.get(operation, self._default)


def _configured(settings: Settings, environment: Mapping[str, str] | None) -> LanguageModel | None:
    if not settings.llm_provider:
        return None
    place = _place(settings.llm_provider)
    if not settings.llm_model:
        raise InvalidInput(f"llm_provider is {settings.llm_provider}, but llm_model is empty; name one of its models")
    others = _by_operation(settings.llm_models)
    address = _address(settings.llm_base_url) or place.address
    # A provider's own key goes to the provider alone: another address gets OMOIDE_LLM_API_KEY or nothing.
    own = [place.key] if place.key and not settings.llm_base_url else []
    key = config.api_key(*own, environment=environment)
    if own and not key:
        raise InvalidInput(f"{settings.llm_provider} needs a key: set OMOIDE_LLM_API_KEY or {place.key}")

    from omoide.providers.pydanticai import PydanticAI

    def made(model: str) -> LanguageModel:
        return PydanticAI(
            model,
            speaks=place.speaks,
            base_url=address,
            api_key=key,
            timeout=settings.llm_timeout,
            price=_price(settings, address),
        )

    try:
        return ByOperation(made(settings.llm_model), {name: made(model) for name, model in others.items()})
    except ImportError as error:
        raise MissingExtra(str(error)) from None


def _place(name: str) -> Place:
    if name in PLACES:
        return PLACES[name]
    near = get_close_matches(name, PLACES, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(PLACES)}; others speak openai at llm_base_url"
    raise InvalidInput(f"unknown llm_provider {name!r}; {hint}")


def _by_operation(text: str) -> dict[str, str]:
    """`extract=big-model, causes=small-model`."""
    chosen: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        operation, _, model = (piece.strip() for piece in part.partition("="))
        if operation not in OPERATIONS or not model:
            raise InvalidInput(
                f"llm_models: expected operation=model with one of {', '.join(OPERATIONS)}, got {part!r}"
            )
        chosen[operation] = model
    return chosen


def _address(text: str) -> str | None:
    if not text:
        return None
    try:
        parts = urlsplit(text)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise InvalidInput(
            "llm_base_url: expected an address such as http://localhost:11434/v1, without a name, password or key in it"
        )
    return text.rstrip("/")


def _price(settings: Settings, address: str | None) -> Price | None:
    if settings.llm_price_input or settings.llm_price_output:
        return Price(settings.llm_price_input, settings.llm_price_output)
    return Price(0.0, 0.0) if address and _at_home(urlsplit(address).hostname or "") else None


def _at_home(host: str) -> bool:
    """This machine, its network, or a neighbour in a compose file: what runs there sends no bill."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".internal", ".home.arpa", ".localhost"))


def _checked(given: LanguageModel) -> LanguageModel:
    named = isinstance(getattr(given, "name", None), str)
    if not (named and callable(getattr(given, "complete", None)) and callable(getattr(given, "price", None))):
        raise InvalidInput("language model: expected an object with name, price(operation) and complete(request)")
    return given
