"""Skips a module of tests whose framework is not installed, and says how it would be."""

from __future__ import annotations

import os
from importlib import import_module

import pytest


def need(package: str, extra: str) -> None:
    """`ADAPTERS_REQUIRED` is set where every framework must be there, so that nothing is left out unseen."""
    if os.environ.get("ADAPTERS_REQUIRED"):
        import_module(package)
    pytest.importorskip(
        package, reason=f"needs omoide[{extra}]; `make test-adapters` installs it", exc_type=ImportError
    )
