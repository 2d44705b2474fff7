"""The routes of the verbs, generated from the table: each checks the request, calls Memory on a thread, and answers,
at once or as a stream of its progress."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextvars import ContextVar
from functools import cache, partial
from math import ceil
from typing import Annotated, Any

import anyio
import anyio.from_thread
import anyio.to_thread
from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import Scope

from omoide.domain.trust import acting
from omoide.errors import Busy, InvalidInput, OmoideError
from omoide.interfaces import omissions
from omoide.interfaces.documents import as_json, document_of, serialise
from omoide.interfaces.http import models
from omoide.interfaces.http.spaces import Access
from omoide.interfaces.signature import Parameter
from omoide.interfaces.tools.tool import LARGEST
from omoide.interfaces.verbs import VERBS, Verb
from omoide.memory import Memory

LONGEST = 60.0  # seconds of one call; long jobs stream and have no such limit

longest: ContextVar[float] = ContextVar("longest", default=LONGEST)

_bearer = HTTPBearer(auto_error=False, description="One token opens one memory.")
_PATH_PARAMETER = re.compile(r"\{(\w+)(?::path)?\}")
_EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}, "description": "events"}}
_WITH_NAMES = ("graph.entity", "session", "tasks.resume")  # other routes have paths like theirs


async def _access(
    request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> Access:
    """What the token of the request may reach. Wrong tokens from one address are slowed down."""
    state = request.app.state
    if credentials is None:
        raise _unauthorized()
    token, address = credentials.credentials, request.client.host if request.client else ""
    if pause := state.throttle.pause(address, token):
        why = "too many wrong tokens came from this address; wait before the next attempt"
        raise HTTPException(429, why, {"Retry-After": str(ceil(pause))})
    found: Access | None = await run(state.spaces.find, token)
    if found is None:
        state.throttle.failed(address, token)
        raise _unauthorized()
    state.throttle.passed(address, token)
    return found


def _unauthorized() -> HTTPException:
    why = "a token is required: send the header `Authorization: Bearer TOKEN`"
    return HTTPException(401, why, {"WWW-Authenticate": "Bearer"})


Allowed = Annotated[Access, Depends(_access)]


async def _space(request: Request, access: Allowed) -> Memory:
    if access.memory is None:
        raise HTTPException(403, "an admin token manages spaces and opens none; use a token of the space")
    if access.right != "write" and not getattr(request.scope["endpoint"], "reads", request.method == "GET"):
        raise READ_ONLY
    return access.memory


READ_ONLY = HTTPException(403, "this token may only read; use one with the right to write")

Space = Annotated[Memory, Depends(_space)]


def refuse_unknown_query(request: Request) -> None:
    """A misspelt query parameter is an error; the framework alone would ignore it."""
    endpoint = request.scope["endpoint"]
    known = getattr(endpoint, "query_names", None)
    if known is None:
        known = inspect.signature(endpoint).parameters.keys()
    if unknown := sorted(set(request.query_params) - set(known)):
        listed = f"; known are {', '.join(known)}" if known else ""
        raise InvalidInput(f"unknown query parameter {', '.join(unknown)}{listed}")


async def run(work: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Runs a call on a worker thread. What takes too long is answered as busy; the call itself is not cut short."""
    try:
        with anyio.fail_after(longest.get()):
            return await anyio.to_thread.run_sync(partial(work, *given, **named), abandon_on_cancel=True)
    except TimeoutError:
        raise Busy(f"this took longer than {longest.get():.0f} seconds; try again, or ask for less") from None


def answer(record: Any, status: int = 200) -> JSONResponse:
    return JSONResponse(json.loads(as_json(record)), status_code=status)


@cache
def verb_routes() -> APIRouter:
    """One route per verb. Fixed paths come before paths with parameters, so that none hides another."""
    router = APIRouter()
    offered = [verb for verb in VERBS if verb.http and not omissions.lacks(verb.method, "http")]
    for verb in sorted(offered, key=lambda each: _PATH_PARAMETER.sub("~", each.http.split()[1]).split("/")):
        method, path = verb.http.split()
        router.add_api_route(
            path,
            _endpoint(verb, method, tuple(_PATH_PARAMETER.findall(path))),
            methods=[method],
            name=verb.method,
            summary=verb.summary,
            description=verb.description,
            status_code=verb.status,
            response_model=models.response_model(verb),
            responses=_EVENTS if verb.stream else None,
            dependencies=[Depends(own_path)] if verb.method in _WITH_NAMES else None,
        )
    return router


def own_path(request: Request) -> None:
    """A path that is another route's is no name, nor is one that goes on: a slash in a name is written as %2F."""
    if request.method not in methods_of(request):
        raise HTTPException(405, "Method Not Allowed")
    if _slashes(request) > request.scope["route"].path.count("/"):
        raise HTTPException(404, "there is no such route; write a slash in a name as %2F")


def methods_of(request: Request) -> set[str]:
    """The methods of a path: of its most exact route, which has as many slashes and the fewest parameters."""
    found = list(_matching(request.app.routes, request.scope))
    found = [each for each in found if each.path.count("/") == _slashes(request)] or found
    fewest = min((len(each.param_convertors) for each in found), default=0)
    return {method for each in found if len(each.param_convertors) == fewest for method in each.methods or ()}


def _slashes(request: Request) -> int:
    return int(request.scope.get("raw_path", b"").count(b"/"))


def _matching(routes: Iterable[Any], scope: Scope) -> Iterator[Any]:
    """Routers are included without a prefix."""
    for route in routes:
        if (router := getattr(route, "original_router", None)) is not None:
            yield from _matching(router.routes, scope)
        elif hasattr(route, "methods") and route.matches(dict(scope))[0] is not Match.NONE:
            yield route


def _endpoint(verb: Verb, method: str, in_path: tuple[str, ...]) -> Callable[..., Any]:
    in_query = method in ("GET", "DELETE")
    model = models.request_model(verb, in_path, in_query)

    async def endpoint(space: Memory, **given: Any) -> Response:
        sent = given.pop("sent", None)
        arguments = dict(verb.http_defaults) | {name: _converted(verb, name, value) for name, value in given.items()}
        arguments |= sent.model_dump(exclude_unset=True) if sent is not None else {}
        if verb.stream:
            return streamed(lambda tell: _stream(verb, space, arguments, tell))
        return answer(await run(_called, verb, space, arguments), verb.status)

    parameters = [_named("space", Space)]
    parameters += [_named(each.name, _path_type(each)) for each in verb.signature.parameters if each.name in in_path]
    if model is not None:
        needed = any(each.is_required() for each in model.model_fields.values())
        annotation = Annotated[model, Query()] if in_query else model
        default = inspect.Parameter.empty if needed or in_query else model()
        parameters.append(_named("sent", annotation, default))
    endpoint.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    fields = model.model_fields if model is not None and in_query else {}
    endpoint.query_names = [each.alias or name for name, each in fields.items()]  # type: ignore[attr-defined]
    endpoint.reads = verb.reads  # type: ignore[attr-defined]
    return endpoint


def _called(verb: Verb, memory: Memory, arguments: dict[str, Any]) -> Any:
    with acting("http"):
        return document_of(verb, verb.for_reader(memory, arguments), verb.call(memory, arguments))


def _stream(verb: Verb, memory: Memory, arguments: dict[str, Any], tell: Tell) -> Any:
    def progress(*values: Any) -> None:
        tell(dict(zip(verb.stream, values, strict=True)))

    return document_of(verb, memory, verb.call(memory, arguments, progress=progress))


def _named(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _path_type(parameter: Parameter) -> Any:
    if parameter.kind.base == "integer":
        return Annotated[int, Path(ge=1, le=LARGEST, description=parameter.help)]
    return Annotated[str, Path(max_length=500, description=parameter.help, json_schema_extra=dict(models.NAME))]


def _converted(verb: Verb, name: str, value: Any) -> Any:
    """A number in the path is an id where the verb takes an id or a name."""
    kinds = {each.name: each.kind.base for each in verb.signature.parameters}
    return int(value) if kinds[name] == "id_or_name" and value.isdecimal() and len(value) < 19 else value


# Long work as a stream of server-sent events: its progress, and at the end its report or an error.


Tell = Callable[[dict[str, Any]], None]


class _Disconnected(KeyboardInterrupt):
    """The client has disconnected: the work stops at its next step."""


def streamed(work: Callable[[Tell], Any]) -> StreamingResponse:
    """Runs `work` on a thread; it tells its steps, and its result is the report."""
    return StreamingResponse(_events(work), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _events(work: Callable[[Tell], Any]) -> AsyncIterator[str]:
    sending, receiving = anyio.create_memory_object_stream[tuple[str, Any]](100)

    def tell(step: dict[str, Any]) -> None:
        sent(("progress", step))

    def sent(event: tuple[str, Any]) -> None:
        try:
            anyio.from_thread.run(sending.send, event)  # waits while the listener is slow
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            raise _Disconnected from None

    def run() -> None:
        try:
            sent(_ended(work, tell))
        except _Disconnected:
            return

    async with sending, receiving, anyio.create_task_group() as tasks:
        tasks.start_soon(anyio.to_thread.run_sync, run)
        try:
            async for kind, data in receiving:
                yield f"event: {kind}\ndata: {as_json(data)}\n\n"
                if kind != "progress":
                    break
        finally:  # before waiting for the thread, which might wait for us
            receiving.close()


def _ended(work: Callable[[Tell], Any], tell: Tell) -> tuple[str, Any]:
    try:
        return "report", serialise(work(tell))
    except OmoideError as error:
        return "error", {"error": str(error)}
