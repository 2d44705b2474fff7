"""What every route shares: the space its token opens, a worker thread, an answer in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import Annotated, Any

import anyio
import anyio.to_thread
from fastapi import Depends, Request
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException

from omoide.errors import Busy
from omoide.interfaces.document import document, iso
from omoide.memory import Memory

LONGEST = 60.0  # seconds of one verb; long jobs stream and have no such end

longest: ContextVar[float] = ContextVar("longest", default=LONGEST)

_bearer = HTTPBearer(auto_error=False, description="One token opens one space.")
_CHALLENGE = {"WWW-Authenticate": "Bearer"}


async def _space(
    request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> Memory:
    found = None
    if credentials is not None:
        found = await done(request.app.state.spaces.find, credentials.credentials)
    if found is None:
        raise HTTPException(401, "a token is needed: send the header `Authorization: Bearer TOKEN`", _CHALLENGE)
    memory: Memory = found
    return memory


Space = Annotated[Memory, Depends(_space)]


async def done(work: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """A verb on a worker thread. What takes too long is answered as busy; it goes on, and what it writes is whole."""
    try:
        with anyio.fail_after(longest.get()):
            return await anyio.to_thread.run_sync(partial(work, *given, **named), abandon_on_cancel=True)
    except TimeoutError:
        raise Busy(f"this took longer than {longest.get():.0f} seconds; try again, or ask for less") from None


def answer(record: Any, status: int = 200) -> JSONResponse:
    return JSONResponse(json.loads(json.dumps(document(record), default=iso)), status_code=status)
