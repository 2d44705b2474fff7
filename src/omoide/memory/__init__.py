"""The public interface: `Memory` with its namespaces, and `AsyncMemory`."""

from __future__ import annotations

from omoide.memory.memory import Memory
from omoide.memory.task import Task

__all__ = ["Memory", "Task"]
