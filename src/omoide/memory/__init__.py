"""Memory, the one object a user holds: every method is one hop into a room."""

from __future__ import annotations

from omoide.memory.ageing import Ageing
from omoide.memory.asking import Asking
from omoide.memory.continuing import Continuing
from omoide.memory.forgetting import Forgetting
from omoide.memory.keeping import Keeping
from omoide.memory.learning import Learning
from omoide.memory.writing import Writing


class Memory(Continuing, Writing, Forgetting, Asking, Learning, Keeping, Ageing):
    """A long-term memory in one file. Safe to use from several threads and several processes at once."""


__all__ = ["Memory"]
