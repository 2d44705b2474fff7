"""A model's server on the loopback, and the way to say which package a module of tests needs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.providers.server import Server, serving


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        yield found
