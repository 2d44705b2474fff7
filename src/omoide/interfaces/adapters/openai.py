"""`with_memory(client, …)`: an OpenAI-compatible client that remembers. It needs no package but the client's own."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from omoide.interfaces.adapters.pack import open_to_failure, pack
from omoide.interfaces.adapters.words import question, words
from omoide.memory import Memory

Client = TypeVar("Client")
_SYSTEM = ("system", "developer")


def with_memory(client: Client, memory: Memory, *, session: str, budget: int | None = None) -> Client:
    """The client, whose `chat.completions.create` and `responses.create` (and `parse`) hear what matters before a call
    and keep both turns after it. Everything else of it is as it was, and so are the messages that are passed.
    """
    return _Remembering(client, _Ear(memory, session, budget))  # type: ignore[return-value]  # it acts as one


@dataclass(frozen=True, slots=True)
class _Ear:
    memory: Memory
    session: str
    budget: int | None

    def told(self, api: str, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call with the pack among its messages, in a list of our own."""
        field = "messages" if api == "chat" else "input"
        found = pack(self.memory, question(given.get(field)), self.budget)
        if not found:
            return given
        said = given[field]
        said = [{"role": "user", "content": said}] if isinstance(said, str) else list(said)
        first = next((place for place, each in enumerate(said) if _role(each) not in _SYSTEM), len(said))
        message = {"role": "system" if api == "chat" else "developer", "content": found}
        return given | {field: [*said[:first], message, *said[first:]]}

    def heard(self, api: str, given: dict[str, Any], reply: str) -> None:
        """Both turns. The same call again is the same turn; another reply to it is another."""
        said = given.get("messages" if api == "chat" else "input")
        asked = question(said)
        key = _digest(self.session, api, given.get("previous_response_id"), given.get("conversation"), _until(said))
        turns = [
            {"text": asked, "role": "user", "session": self.session, "key": f"{key}:asked"},
            {"text": reply, "role": "agent", "session": self.session, "key": f"{key}:{_digest(reply)}"},
        ]
        spoken = [each for each in turns if each["text"].strip()]
        open_to_failure("these two turns", lambda: self.memory.observe_many(spoken), None)


class _Remembering:
    """Passes everything on, but for the two ways to call a model."""

    def __init__(self, client: Any, ear: _Ear, *path: str) -> None:
        self._client = client
        self._ear = ear
        self._path = path

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._client, name)
        match (*self._path, name):
            case ("chat" | "responses",) | ("chat", "completions"):
                return _Remembering(found, self._ear, *self._path, name)
            case ("chat", "completions", "create" | "parse") | ("responses", "create" | "parse"):
                return _calling(found, self._ear, self._path[0])
            case ("with_options" | "copy",):
                return lambda *args, **given: _Remembering(found(*args, **given), self._ear)
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


def _calling(call: Callable[..., Any], ear: _Ear, api: str) -> Callable[..., Any]:
    """The call with memory before and after it, awaited where the client's own is."""
    resource = getattr(call, "__self__", None)
    if type(resource).__name__.startswith("Async"):
        return _awaited(call, ear, api)

    def remembered(**given: Any) -> Any:
        answer = call(**ear.told(api, given))
        if given.get("stream"):
            return Stream(answer, lambda reply: ear.heard(api, given, reply))
        ear.heard(api, given, _reply(answer))
        return answer

    return remembered


def _awaited(call: Callable[..., Awaitable[Any]], ear: _Ear, api: str) -> Callable[..., Awaitable[Any]]:
    async def remembered(**given: Any) -> Any:
        answer = await call(**await asyncio.to_thread(ear.told, api, given))
        if given.get("stream"):
            return AsyncStream(answer, lambda reply: ear.heard(api, given, reply))
        await asyncio.to_thread(ear.heard, api, given, _reply(answer))
        return answer

    return remembered


class _Streamed:
    """A stream of the client's; what it says is gathered on the way and heard once, when it ends or is left."""

    def __init__(self, stream: Any, heard: Callable[[str], None]) -> None:
        self._stream = stream
        self._heard: Callable[[str], None] | None = heard
        self._parts: list[str] = []

    def _end(self) -> None:
        heard, self._heard = self._heard, None
        if heard is not None:
            heard("".join(self._parts))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Stream(_Streamed):
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

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        self._stream.close()
        self._end()


class AsyncStream(_Streamed):
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

    async def __aenter__(self) -> AsyncStream:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def close(self) -> None:
        await self._stream.close()
        await asyncio.to_thread(self._end)


def _reply(answer: Any) -> str:
    """The words of a whole answer: of its first choice, or of a response's output."""
    if (choices := getattr(answer, "choices", None)) is not None:
        return words(getattr(choices[0].message, "content", None) or "") if choices else ""
    return words(getattr(answer, "output_text", "") or "")


def _delta(event: Any) -> str:
    """The words that an event of a stream adds."""
    if choices := getattr(event, "choices", None):
        return getattr(choices[0].delta, "content", None) or "" if choices[0].index == 0 else ""
    return str(event.delta) if getattr(event, "type", "") == "response.output_text.delta" else ""


def _role(message: Any) -> str | None:
    return message.get("role") if isinstance(message, dict) else getattr(message, "role", None)


def _until(said: Any) -> list[Any]:
    """Who said what up to the user's latest words: a loop over tools calls again with the same beginning."""
    if isinstance(said, str):
        return [("user", said)]
    told = [(_role(each), words(each.get("content")) if isinstance(each, dict) else "") for each in said or ()]
    last = max((place for place, (role, _) in enumerate(told) if role == "user"), default=-1)
    return told[: last + 1]


def _digest(*parts: Any) -> str:
    return hashlib.blake2b(json.dumps(parts, default=str).encode(), digest_size=16).hexdigest()
