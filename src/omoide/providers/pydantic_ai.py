"""One call on the wire: its own thread and event loop, and a client that reads no more than an answer can hold."""

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

# What the libraries would add besides: which system and Python this is, and whatever stands in variables of their own.
_ALLOWED_HEADERS = frozenset(
    """
    host connection accept accept-encoding content-type content-length content-encoding user-agent
    authorization x-api-key anthropic-version anthropic-beta
    """.split()
)
_PROVIDER_HEADERS = frozenset({"openai-organization", "openai-project"})  # for the provider's own address alone

MAX_BODY_BYTES = 4_000_000  # an answer of 100,000 tokens has half a megabyte


def limited_http_client(timeout: float, own: bool) -> Any:
    """An HTTP client that says no more than it must, and stops reading a body that no answer could fill."""
    import httpx2

    class Counted(httpx2.AsyncByteStream):
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

    async def count(response: httpx2.Response) -> None:
        response.stream = Counted(response.stream)

    async def strip(request: httpx2.Request) -> None:
        for name in [
            name for name in request.headers if name not in _ALLOWED_HEADERS and not (own and name in _PROVIDER_HEADERS)
        ]:
            del request.headers[name]

    return httpx2.AsyncClient(timeout=timeout, event_hooks={"request": [strip], "response": [count]})


def run_in_thread(work: Coroutine[Any, Any, T]) -> T:
    """Runs in a thread of its own, so that it may be called from a program that has an event loop (a notebook)."""
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


# Language models behind an OpenAI-compatible endpoint, or Anthropic's, through pydantic-ai.
#
# Of pydantic-ai only the translation is used (`direct.model_request`): how a schema is put to which model, what an
# error means, what a token costs. Validation and retrying are ours, because a cut-off answer still holds whole facts.


WireProtocol = Literal["openai", "anthropic"]
OutputMode = Literal["native", "tool", "prompted"]

# 408 timeout, 409 conflict, 425 too early, 429 slow down, 5xx; Anthropic's 529 is "overloaded".
_RETRY_STATUS = frozenset({408, 409, 425, 429})
# How a server says that it cannot do structured output, or not with these settings.
_UNSUPPORTED_STATUS = frozenset({400, 404, 415, 422, 501})
_KEY_IN_TEXT = re.compile(r"\b(?:sk|pk|key)-[\w*.\-]{6,}|\bBearer\s+\S+", re.IGNORECASE)
_MAX_MESSAGE_CHARACTERS = 300


class PydanticAIModel:
    """One model at one address. Cheap to make: the library (about 2 s to import) is loaded by the first call."""

    def __init__(
        self,
        model: str,
        *,
        speaks: WireProtocol = "openai",
        base_url: str | None = None,  # None is the provider's own
        api_key: str = "",
        timeout: float = 120.0,  # seconds for a whole call, however slowly it trickles in
        price: TokenPrice | None = None,
    ) -> None:
        if speaks not in get_args(WireProtocol):
            raise ValueError(f"expected one of {', '.join(get_args(WireProtocol))}, got {speaks!r}")
        for module in ("pydantic_ai", speaks):
            if find_spec(module) is None:
                raise ImportError(
                    f'{speaks} models need {module}, which is missing: pip install "omoide[{speaks}]"', name=module
                )
        self._model = model
        self._speaks: WireProtocol = speaks
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._price = price
        self._plain = False  # becomes true once the server has refused structured output

    @property
    def name(self) -> str:
        return f"{self._speaks}:{self._model}"

    def __repr__(self) -> str:
        return f"PydanticAI({self.name!r})"  # never the key

    def price(self, operation: str) -> TokenPrice | None:
        if self._price is None:
            self._price = known_price(self._speaks, self._model, self._base_url)
        return self._price

    def complete(self, request: CompletionRequest) -> Completion:
        try:
            return run_in_thread(self._answer(request, plain=self._plain))
        except ModelCallFailed:
            raise
        except Exception as error:
            if self._plain or not _is_unsupported(error):
                raise self._failed(error) from None  # the cause may hold the key in its headers
        try:  # again without what small servers do not know: no response format, no temperature, the schema in words
            answer = run_in_thread(self._answer(request, plain=True))
        except Exception as error:
            raise self._failed(error) from None
        self._plain = True
        return answer

    async def _answer(self, request: CompletionRequest, plain: bool) -> Completion:
        from pydantic_ai.direct import model_request

        async with asyncio.timeout(self._timeout):
            client, model = self._open()
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
        return self._read(response)

    def _open(self) -> tuple[Any, Model]:
        """A client for this call alone: connections belong to an event loop, and ours lasts as long as the call."""
        client = limited_http_client(self._timeout, own=self._base_url is None)
        given: dict[str, Any] = {"max_retries": 0, "timeout": self._timeout, "http_client": client}
        if self._speaks == "anthropic":
            from anthropic import AsyncAnthropic
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            # An address is always passed, or the library would look for one in the environment.
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
        if self._base_url is None:
            return openai, OpenAIChatModel(self._model, provider=OpenAIProvider(openai_client=openai))
        # Other servers know the older name of the limit, max_tokens, and some only that.
        profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
        profile["supports_json_schema_output"] = True
        provider = OpenAICompatibleProvider("compatible", openai_client=openai, profile=profile)
        return openai, OpenAIChatModel(self._model, provider=provider)

    def _read(self, response: ModelResponse) -> Completion:
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

    def _failed(self, error: Exception) -> ModelCallFailed:
        """What happened, in words that hold no key, and whether asking again may help."""
        where = f"{self.name} at {self._base_url}" if self._base_url else self.name
        status = getattr(error, "status_code", None)
        if status is not None:
            said = self._scrubbed(_error_message(getattr(error, "body", None)))
            again = status in _RETRY_STATUS or status >= 500
            return ModelCallFailed(
                f"{where}: answered {status}{': ' + said if said else ''}{_advice(status)}",
                again=again and not _is_quota_error(error),
                after=_retry_after(error) if again else None,
            )
        if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
            return ModelCallFailed(
                f"{where}: no answer within {self._timeout:g} s (llm_timeout)", again=True, late=True
            )
        if "Connection" in type(error).__name__:
            return ModelCallFailed(
                f"{where}: could not be reached, or the connection broke; is it running?", again=True
            )
        what = self._scrubbed(f"{type(error).__name__}: {error}")
        return ModelCallFailed(f"{where}: the answer could not be read ({what})", again=True)

    def _scrubbed(self, text: str) -> str:
        if self._api_key:
            text = text.replace(self._api_key, "[key]")
        return _KEY_IN_TEXT.sub("[key]", text)[:_MAX_MESSAGE_CHARACTERS]


def known_price(speaks: WireProtocol, model: str, base_url: str | None) -> TokenPrice | None:
    """From the price list that comes with pydantic-ai; no request is made."""
    from genai_prices import Usage, calc_price

    place = {"provider_api_url": base_url} if base_url else {"provider_id": speaks}
    try:  # of a small call: some prices rise with the length of the text
        read = calc_price(Usage(input_tokens=1_000, output_tokens=0), model, **place).total_price
        wrote = calc_price(Usage(input_tokens=0, output_tokens=1_000), model, **place).total_price
    except Exception:  # LookupError for a model, other errors for an address that it does not know
        return None
    return TokenPrice(float(read) * 1_000, float(wrote) * 1_000)


def _output_mode(model: Model) -> OutputMode:
    if model.profile.get("supports_json_schema_output", False):
        return "native"
    return "tool" if model.profile.get("supports_tools", True) else "prompted"


def _sampling_settings(model: Model) -> dict[str, Any]:
    """The likeliest words and no long thoughts, where the model lets itself be told."""
    profile = cast("dict[str, Any]", model.profile)
    if profile.get("supports_thinking", False):
        return {"thinking": False}  # or as little as it can: extraction is reading, and thoughts cost as answers do
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
    for exchange in request.before:
        messages.append(ModelResponse(parts=[TextPart(exchange.answer or "(nothing)")]))
        messages.append(ModelRequest.user_text_prompt(exchange.complaint, instructions=request.instructions))
    return messages


def _response_text(response: ModelResponse) -> str:
    """The arguments of the call if there was one, otherwise what was written."""
    from pydantic_ai.messages import TextPart, ToolCallPart

    for part in response.parts:
        if isinstance(part, ToolCallPart):
            return part.args if isinstance(part.args, str) else json.dumps(part.args or {}, ensure_ascii=False)
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def _finish_reason(reason: str | None) -> FinishReason:
    return {"length": "length", "content_filter": "refused"}.get(reason or "", "stop")  # type: ignore[return-value]


def _error_message(body: object) -> str:
    """The message inside of an error's body, wherever the server put it."""
    if isinstance(body, Mapping):
        inner = body.get("error", body.get("message", body.get("detail", "")))
        return _error_message(inner) if isinstance(inner, Mapping) else str(inner)
    return " ".join(str(body or "").split())


def _is_unsupported(error: Exception) -> bool:
    too_long = "ContextWindow" in type(error).__name__
    return getattr(error, "status_code", None) in _UNSUPPORTED_STATUS and not too_long


def _is_quota_error(error: Exception) -> bool:
    """Credits that are used up come back as 429 too; waiting does not bring them back."""
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
    """Retry-After in seconds; as a date it is read by pydantic-ai."""
    asked = getattr(error, "retry_after", None)
    if asked is None:
        headers = getattr(error, "headers", None) or {}
        asked = headers.get("retry-after")
    try:
        return max(0.0, float(asked)) if asked is not None else None
    except ValueError:
        return None
