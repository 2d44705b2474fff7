"""Memory, the one object a user holds: every method is one hop into a room."""

from __future__ import annotations

from omoide.memory.ageing import Ageing
from omoide.memory.forgetting import Forgetting
from omoide.memory.keeping import Keeping
from omoide.memory.learning import Learning
from omoide.memory.shelving import Shelving
from omoide.memory.task import Task
from omoide.memory.tasks import Tasks
from omoide.memory.upkeep import Upkeep
from omoide.memory.working import Working
from omoide.memory.writing import Writing


class Memory(Working, Shelving, Writing, Forgetting, Tasks, Learning, Keeping, Ageing, Upkeep):
    """A long-term memory in one file. Safe to use from several threads and several processes at once."""


__all__ = ["Memory", "Task"]
