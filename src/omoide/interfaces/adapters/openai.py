"""`with_memory(client, …)`: an OpenAI-compatible client that remembers. It needs no further package."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from omoide.interfaces.adapters.conversation import context_for, last_user_text, or_log, text_of
from omoide.memory import Memory

Client = TypeVar("Client")
_SYSTEM = ("system", "developer")


def with_memory(client: Client, memory: Memory, *, session: str, budget: int | None = None) -> Client:
    """Wraps a client: `chat.completions.create` and `responses.create` (and `parse`) add the context before a call and
    observe both turns after it. The rest of the client, and the messages that you pass, stay unchanged.
    """
    return _Client(client, _Observer(memory, session, budget))  # type: ignore[return-value]  # it acts as one


@dataclass(frozen=True, slots=True)
class _Observer:
    memory: Memory
    session: str
    budget: int | None

    def with_context(self, api: str, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call with the context among its messages, in a new list."""
        field = "messages" if api == "chat" else "input"
        found = context_for(self.memory, last_user_text(given.get(field)), self.budget)
        if not found:
            return given
        messages = given[field]
        messages = [{"role": "user", "content": messages}] if isinstance(messages, str) else list(messages)
        first = next((index for index, each in enumerate(messages) if _role(each) not in _SYSTEM), len(messages))
        message = {"role": "system" if api == "chat" else "developer", "content": found}
        return given | {field: [*messages[:first], message, *messages[first:]]}

    def observe(self, api: str, given: dict[str, Any], reply: str) -> None:
        """Observes both turns. The same call again is the same turn; another reply to it is another turn."""
        messages = given.get("messages" if api == "chat" else "input")
        asked = last_user_text(messages)
        key = _digest(self.session, api, given.get("previous_response_id"), given.get("conversation"), _until(messages))
        turns = [
            {"text": asked, "role": "user", "session": self.session, "key": f"{key}:asked"},
            {"text": reply, "role": "agent", "session": self.session, "key": f"{key}:{_digest(reply)}"},
        ]
        not_blank = [each for each in turns if each["text"].strip()]
        or_log("these two turns", lambda: self.memory.observe_many(not_blank), None)


class _Client:
    """Passes everything on except the two ways to call a model."""

    def __init__(self, client: Any, observer: _Observer, *path: str) -> None:
        self._client = client
        self._observer = observer
        self._path = path

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._client, name)
        match (*self._path, name):
            case ("chat" | "responses",) | ("chat", "completions"):
                return _Client(found, self._observer, *self._path, name)
            case ("chat", "completions", "create" | "parse") | ("responses", "create" | "parse"):
                return _remembered_call(found, self._observer, self._path[0])
            case ("with_options" | "copy",):
                return lambda *args, **given: _Client(found(*args, **given), self._observer)
        return found

    def __enter__(self) -> Any:
        self._client.__enter__()
        return self

    def __exit__(self, *how: Any) -> Any:
        return self._client.__exit__(*how)

    async def __aenter__(self) -> Any:
        await self._client.__aenter__()
        return self

    async def __aexit__(self, *how: Any) -> Any:
        return await self._client.__aexit__(*how)


def _remembered_call(call: Callable[..., Any], observer: _Observer, api: str) -> Callable[..., Any]:
    """The call with the memory before and after it; async if the client's own is."""
    resource = getattr(call, "__self__", None)
    if type(resource).__name__.startswith("Async"):
        return _remembered_async_call(call, observer, api)

    def call_with_memory(**given: Any) -> Any:
        answer = call(**observer.with_context(api, given))
        if given.get("stream"):
            return RememberedStream(answer, lambda reply: observer.observe(api, given, reply))
        observer.observe(api, given, _reply(answer))
        return answer

    return call_with_memory


def _remembered_async_call(
    call: Callable[..., Awaitable[Any]], observer: _Observer, api: str
) -> Callable[..., Awaitable[Any]]:
    async def call_with_memory(**given: Any) -> Any:
        answer = await call(**await asyncio.to_thread(observer.with_context, api, given))
        if given.get("stream"):
            return AsyncRememberedStream(answer, lambda reply: observer.observe(api, given, reply))
        await asyncio.to_thread(observer.observe, api, given, _reply(answer))
        return answer

    return call_with_memory


class _ObservedStream:
    """A stream of the client; its text is collected and observed once, when it ends or is closed."""

    def __init__(self, stream: Any, observe: Callable[[str], None]) -> None:
        self._stream = stream
        self._observe: Callable[[str], None] | None = observe
        self._parts: list[str] = []

    def _end(self) -> None:
        observe, self._observe = self._observe, None
        if observe is not None:
            observe("".join(self._parts))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class RememberedStream(_ObservedStream):
    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            event = next(self._stream)
        except StopIteration:
            self._end()
            raise
        self._parts.append(_delta(event))
        return event

    def __enter__(self) -> RememberedStream:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        self._stream.close()
        self._end()


class AsyncRememberedStream(_ObservedStream):
    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        try:
            event = await anext(self._stream)
        except StopAsyncIteration:
            await asyncio.to_thread(self._end)
            raise
        self._parts.append(_delta(event))
        return event

    async def __aenter__(self) -> AsyncRememberedStream:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def close(self) -> None:
        await self._stream.close()
        await asyncio.to_thread(self._end)


def _reply(answer: Any) -> str:
    """The text of an answer: its first choice, or the output of a response."""
    if (choices := getattr(answer, "choices", None)) is not None:
        return text_of(getattr(choices[0].message, "content", None) or "") if choices else ""
    return text_of(getattr(answer, "output_text", "") or "")


def _delta(event: Any) -> str:
    """The text that an event of a stream adds."""
    if choices := getattr(event, "choices", None):
        return getattr(choices[0].delta, "content", None) or "" if choices[0].index == 0 else ""
    return str(event.delta) if getattr(event, "type", "") == "response.output_text.delta" else ""


def _role(message: Any) -> str | None:
    return message.get("role") if isinstance(message, dict) else getattr(message, "role", None)


def _until(messages: Any) -> list[Any]:
    """The messages up to the user's last one: a loop over tools calls again with the same beginning."""
    if isinstance(messages, str):
        return [("user", messages)]
    spoken = [(_role(each), text_of(each.get("content")) if isinstance(each, dict) else "") for each in messages or ()]
    last = max((index for index, (role, _) in enumerate(spoken) if role == "user"), default=-1)
    return spoken[: last + 1]


def _digest(*parts: Any) -> str:
    return hashlib.blake2b(json.dumps(parts, default=str).encode(), digest_size=16).hexdigest()
