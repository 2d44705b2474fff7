"""Omoide: a long-term memory for AI agents, in one file on your own machine.

Importing this costs a few milliseconds and does nothing: each name is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from omoide.aio import AsyncMemory
    from omoide.errors import OmoideError
    from omoide.memory import Memory
    from omoide.settings import Settings

__version__ = "0.1.0"
__all__ = ["AsyncMemory", "Memory", "OmoideError", "Settings", "__version__"]

_HOMES = {
    "AsyncMemory": "omoide.aio",
    "Memory": "omoide.memory",
    "OmoideError": "omoide.errors",
    "Settings": "omoide.settings",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'omoide' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
