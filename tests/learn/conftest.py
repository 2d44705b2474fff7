"""A fuse that blows in the middle of a write."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import pytest

from tests.learn.whole import Fuse


@pytest.fixture
def fuse() -> Iterator[Fuse]:
    fuse = Fuse()
    apsw.connection_hooks.append(fuse.install)
    yield fuse
    apsw.connection_hooks.remove(fuse.install)
