"""Skips a module of tests whose framework is not installed, and says how it would be."""

from __future__ import annotations

import pytest


def need(package: str, extra: str) -> None:
    pytest.importorskip(
        package, reason=f"needs omoide[{extra}]; `make test-adapters` installs it", exc_type=ImportError
    )
