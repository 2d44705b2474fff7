"""Memory, the one object a user holds: every method is one hop into a room."""

from __future__ import annotations

from omoide.memory.ageing import Ageing
from omoide.memory.continuing import Continuing
from omoide.memory.efficiency import Efficiency
from omoide.memory.forgetting import Forgetting
from omoide.memory.graph import Graphs
from omoide.memory.importing import Importing
from omoide.memory.keeping import Keeping
from omoide.memory.learning import Learning
from omoide.memory.lessons import Lessons
from omoide.memory.loki import Loki
from omoide.memory.notes import Notes
from omoide.memory.shelving import Shelving
from omoide.memory.task import Task
from omoide.memory.upkeep import Upkeep
from omoide.memory.warming import Warming
from omoide.memory.working import Working


class Memory(
    Working,
    Continuing,
    Loki,
    Shelving,
    Graphs,
    Forgetting,
    Learning,
    Notes,
    Lessons,
    Efficiency,
    Keeping,
    Ageing,
    Upkeep,
    Importing,
    Warming,
):
    """A long-term memory in one file. Safe to use from several threads and several processes at once."""


__all__ = ["Memory", "Task"]
