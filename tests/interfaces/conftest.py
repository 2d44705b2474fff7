"""Fixtures of the interface tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interfaces.terminal import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)
