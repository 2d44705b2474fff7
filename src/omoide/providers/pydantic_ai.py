"""Language models of OpenAI-compatible servers and Anthropic, through pydantic-ai.

Only the translation of pydantic-ai is used (`direct.model_request`): how a model takes a schema, what an error means,
what a token costs. Validation and retries are ours, because a truncated answer still contains complete facts.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args

from omoide.providers.protocols import Completion, CompletionRequest, FinishReason, ModelCallFailed, TokenPrice

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings


T = TypeVar("T")

# The libraries would also send the operating system, the Python version and values of their own variables.
_ALLOWED_HEADERS = frozenset(
    """
    host connection accept accept-encoding content-type content-length content-encoding user-agent
    authorization x-api-key anthropic-version anthropic-beta
    """.split()
)
_PROVIDER_HEADERS = frozenset({"openai-organization", "openai-project"})  # only for the provider's own address

MAX_BODY_BYTES = 4_000_000  # an answer of 100,000 tokens takes half a megabyte


def limited_http_client(timeout: float, own: bool) -> Any:
    """Returns an HTTP client that sends only allowed headers and stops reading at MAX_BODY_BYTES.

    `own`: the request goes to the provider's default address.
    """
    import httpx2

    class LimitedStream(httpx2.AsyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            read = 0
            async for part in self._stream:
                read += len(part)
                if read > MAX_BODY_BYTES:
                    raise ValueError(f"the answer has more than {MAX_BODY_BYTES:,} bytes")
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def limit(response: httpx2.Response) -> None:
        response.stream = LimitedStream(response.stream)

    async def strip(request: httpx2.Request) -> None:
        allowed = _ALLOWED_HEADERS | _PROVIDER_HEADERS if own else _ALLOWED_HEADERS
        for name in [name for name in request.headers if name not in allowed]:
            del request.headers[name]

    return httpx2.AsyncClient(timeout=timeout, event_hooks={"request": [strip], "response": [limit]})


def run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine in a new thread, so that programs with an event loop (notebooks) can call it."""
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(asyncio.run(work))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="omoide-languagemodel", daemon=True)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]


WireProtocol = Literal["openai", "anthropic"]
OutputMode = Literal["native", "tool", "prompted"]

# Timeout, conflict, too early, too many requests. All 5xx are retried too; 529 is "overloaded" at Anthropic.
_RETRY_STATUS = frozenset({408, 409, 425, 429})
# Returned by servers that do not support structured output, or not with these settings.
_UNSUPPORTED_STATUS = frozenset({400, 404, 415, 422, 501})
_KEY_IN_TEXT = re.compile(r"\b(?:sk|pk|key)-[\w*.\-]{6,}|\bBearer\s+\S+", re.IGNORECASE)
_MAX_MESSAGE_CHARACTERS = 300


class PydanticAIModel:
    """One model at one address. The first call imports the library, which takes about 2 s."""

    def __init__(
        self,
        model: str,
        *,
        protocol: WireProtocol = "openai",
        base_url: str | None = None,  # None: the provider's default address
        api_key: str = "",
        timeout: float = 120.0,  # seconds for the whole call, however slowly the answer arrives
        price: TokenPrice | None = None,
    ) -> None:
        if protocol not in get_args(WireProtocol):
            raise ValueError(f"expected one of {', '.join(get_args(WireProtocol))}, got {protocol!r}")
        for module in ("pydantic_ai", protocol):
            if find_spec(module) is None:
                raise ImportError(
                    f'{protocol} models need {module}, which is missing: pip install "omoide[{protocol}]"', name=module
                )
        self._model = model
        self._protocol: WireProtocol = protocol
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._price = price
        self._plain = False  # True after the server refused structured output

    @property
    def name(self) -> str:
        return f"{self._protocol}:{self._model}"

    def __repr__(self) -> str:
        return f"PydanticAIModel({self.name!r})"  # never the key

    def price(self, operation: str) -> TokenPrice | None:
        if self._price is None:
            self._price = known_price(self._protocol, self._model, self._base_url)
        return self._price

    def complete(self, request: CompletionRequest) -> Completion:
        try:
            return run_in_thread(self._request(request, plain=self._plain))
        except ModelCallFailed:
            raise
        except Exception as error:
            if self._plain or not _is_unsupported(error):
                raise self._call_failed(error) from None  # the cause may hold the key in its headers
        try:  # small servers reject response format and temperature: try again with the schema in the prompt
            answer = run_in_thread(self._request(request, plain=True))
        except Exception as error:
            raise self._call_failed(error) from None
        self._plain = True
        return answer

    async def _request(self, request: CompletionRequest, plain: bool) -> Completion:
        from pydantic_ai.direct import model_request

        async with asyncio.timeout(self._timeout):
            client, model = self._open_client(plain)
            try:
                mode: OutputMode = "prompted" if plain else _output_mode(model)
                settings = {"max_tokens": request.max_output_tokens, "timeout": self._timeout}
                response = await model_request(
                    model,
                    _messages(request),
                    model_settings=cast("ModelSettings", settings if plain else settings | _sampling_settings(model)),
                    model_request_parameters=_request_parameters(request.schema, mode),
                    instrument=False,
                )
            finally:
                await client.close()
        return self._completion(response)

    def _open_client(self, plain: bool) -> tuple[Any, Model]:
        """Returns a client for this call only: connections belong to an event loop, which lasts for one call.

        `plain`: no response format is sent at all, since some servers refuse every one.
        """
        client = limited_http_client(self._timeout, own=self._base_url is None)
        given: dict[str, Any] = {"max_retries": 0, "timeout": self._timeout, "http_client": client}
        if self._protocol == "anthropic":
            from anthropic import AsyncAnthropic
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            # Without an explicit address the library would read one from the environment.
            given["base_url"] = self._base_url or "https://api.anthropic.com"
            claude = AsyncAnthropic(api_key=self._api_key or "none", **given)
            return claude, AnthropicModel(self._model, provider=AnthropicProvider(anthropic_client=claude))
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile
        from pydantic_ai.providers.openai import OpenAIProvider
        from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

        given["base_url"] = self._base_url or "https://api.openai.com/v1"
        openai = AsyncOpenAI(api_key=self._api_key or "none", **given)
        if self._base_url is None and not plain:
            return openai, OpenAIChatModel(self._model, provider=OpenAIProvider(openai_client=openai))
        # Some servers know only the older name of the limit, max_tokens.
        profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
        profile["supports_json_schema_output"] = not plain
        profile["supports_json_object_output"] = False
        provider = OpenAICompatibleProvider("compatible", openai_client=openai, profile=profile)
        return openai, OpenAIChatModel(self._model, provider=provider)

    def _completion(self, response: ModelResponse) -> Completion:
        usage = response.usage
        price = self.price("") if (usage.input_tokens or usage.output_tokens) else None
        return Completion(
            text=_response_text(response),
            model=response.model_name or self._model,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cost=price.of(usage.input_tokens, usage.output_tokens) if price else None,
            finish=_finish_reason(response.finish_reason),
        )

    def _call_failed(self, error: Exception) -> ModelCallFailed:
        """Describes what happened, without keys, and whether a retry may help."""
        where = f"{self.name} at {self._base_url}" if self._base_url else self.name
        status = getattr(error, "status_code", None)
        if status is not None:
            said = self._without_keys(_error_message(getattr(error, "body", None)))
            retryable = status in _RETRY_STATUS or status >= 500
            return ModelCallFailed(
                f"{where}: answered {status}{': ' + said if said else ''}{_advice(status)}",
                retryable=retryable and not _is_quota_error(error),
                retry_after=_retry_after(error) if retryable else None,
            )
        if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
            return ModelCallFailed(
                f"{where}: no answer within {self._timeout:g} s (llm_timeout)", retryable=True, may_be_charged=True
            )
        if "Connection" in type(error).__name__:
            return ModelCallFailed(f"{where}: connection failed; is the server running?", retryable=True)
        what = self._without_keys(f"{type(error).__name__}: {error}")
        return ModelCallFailed(f"{where}: the answer could not be read ({what})", retryable=True)

    def _without_keys(self, text: str) -> str:
        if self._api_key:
            text = text.replace(self._api_key, "[key]")
        return _KEY_IN_TEXT.sub("[key]", text)[:_MAX_MESSAGE_CHARACTERS]


def known_price(protocol: WireProtocol, model: str, base_url: str | None) -> TokenPrice | None:
    """Returns the price from the list that comes with pydantic-ai, or None. Makes no request."""
    from genai_prices import Usage, calc_price

    provider = {"provider_api_url": base_url} if base_url else {"provider_id": protocol}
    try:  # for a small call: some prices rise with the length of the text
        read = calc_price(Usage(input_tokens=1_000, output_tokens=0), model, **provider).total_price
        wrote = calc_price(Usage(input_tokens=0, output_tokens=1_000), model, **provider).total_price
    except Exception:  # LookupError for an unknown model, other errors for an unknown address
        return None
    return TokenPrice(float(read) * 1_000, float(wrote) * 1_000)


def _output_mode(model: Model) -> OutputMode:
    if model.profile.get("supports_json_schema_output", False):
        return "native"
    return "tool" if model.profile.get("supports_tools", True) else "prompted"


def _sampling_settings(model: Model) -> dict[str, Any]:
    """Asks for temperature 0 and no thinking, where the model supports it."""
    profile = cast("dict[str, Any]", model.profile)
    if profile.get("supports_thinking", False):  # or as little as possible: it costs as much as output
        return {"thinking": False}
    return {} if profile.get("anthropic_disallows_sampling_settings", False) else {"temperature": 0.0}


def _request_parameters(schema: Mapping[str, Any], mode: OutputMode) -> Any:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    if mode == "tool":
        tool = ToolDefinition(name="answer", description="The answer.", parameters_json_schema=dict(schema))
        tool.kind = "output"
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    wanted = OutputObjectDefinition(json_schema=dict(schema), name="answer", strict=True if mode == "native" else None)
    return ModelRequestParameters(output_mode=mode, output_object=wanted)


def _messages(request: CompletionRequest) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart

    messages: list[ModelMessage] = [
        ModelRequest.user_text_prompt(request.input, instructions=request.instructions),
    ]
    for failed in request.failed_answers:
        messages.append(ModelResponse(parts=[TextPart(failed.answer or "(nothing)")]))
        messages.append(ModelRequest.user_text_prompt(failed.problem, instructions=request.instructions))
    return messages


def _response_text(response: ModelResponse) -> str:
    """Returns the arguments of the tool call if there was one, otherwise the text."""
    from pydantic_ai.messages import TextPart, ToolCallPart

    for part in response.parts:
        if isinstance(part, ToolCallPart):
            return part.args if isinstance(part.args, str) else json.dumps(part.args or {}, ensure_ascii=False)
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def _finish_reason(reason: str | None) -> FinishReason:
    return {"length": "length", "content_filter": "refused"}.get(reason or "", "stop")  # type: ignore[return-value]


def _error_message(body: object) -> str:
    """Returns the message in the body of an error, wherever the server put it."""
    if isinstance(body, Mapping):
        inner = body.get("error", body.get("message", body.get("detail", "")))
        return _error_message(inner) if isinstance(inner, Mapping) else str(inner)
    return " ".join(str(body or "").split())


def _is_unsupported(error: Exception) -> bool:
    too_long = "ContextWindow" in type(error).__name__
    return getattr(error, "status_code", None) in _UNSUPPORTED_STATUS and not too_long


def _is_quota_error(error: Exception) -> bool:
    """Used-up credits also return 429, but waiting does not help."""
    return "Quota" in type(error).__name__


def _advice(status: int) -> str:
    match status:
        case 401 | 403:
            return "; check the key (OMOIDE_LLM_API_KEY, or the provider's own variable)"
        case 404:
            return "; check llm_model and llm_base_url"
        case _:
            return ""


def _retry_after(error: Exception) -> float | None:
    """Returns Retry-After in seconds; pydantic-ai converts the date form."""
    asked = getattr(error, "retry_after", None)
    if asked is None:
        headers = getattr(error, "headers", None) or {}
        asked = headers.get("retry-after")
    try:
        return max(0.0, float(asked)) if asked is not None else None
    except ValueError:
        return None
