"""Omoide: a long-term memory for AI agents in one file on your own machine.

Importing the package takes a few milliseconds: each name is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from omoide.errors import OmoideError
    from omoide.language.escaping import escape_text, unescape_text
    from omoide.memory import Memory
    from omoide.memory.async_memory import AsyncMemory
    from omoide.settings import Settings

__version__ = "0.1.0"
__all__ = ["AsyncMemory", "Memory", "OmoideError", "Settings", "__version__", "escape_text", "unescape_text"]

_MODULES = {
    "AsyncMemory": "omoide.memory.async_memory",
    "Memory": "omoide.memory",
    "OmoideError": "omoide.errors",
    "Settings": "omoide.settings",
    "escape_text": "omoide.language.escaping",
    "unescape_text": "omoide.language.escaping",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'omoide' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)
