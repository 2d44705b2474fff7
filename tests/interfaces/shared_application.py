"""The HTTP application for tests: its routes are built once, its memories, guard and throttle are those of the test."""

from __future__ import annotations

from functools import cache

from fastapi import FastAPI

from omoide.interfaces.http.application import LARGEST, application
from omoide.interfaces.http.guard import Guard, Throttle
from omoide.interfaces.http.routes import LONGEST
from omoide.interfaces.http.spaces import Spaces


def application_of(
    spaces: Spaces, *, origins: tuple[str, ...] = (), largest: int = LARGEST, throttle: Throttle | None = None
) -> Guard:
    """The application of one test. Only one can be used at a time."""
    app = _built()
    guard = Guard(app, hosts=(), origins=origins, largest=largest, longest=LONGEST)
    app.state.spaces, app.state.guard, app.state.throttle = spaces, guard, throttle or Throttle()
    return guard


@cache
def _built() -> FastAPI:
    built = application(Spaces({"token": ":memory:"}, embedder=None)).inner
    assert isinstance(built, FastAPI)
    return built
